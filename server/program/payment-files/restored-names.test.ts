import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, test } from 'node:test'
import { pino } from 'pino'
import { decimalAmount } from '#contract/money.ts'
import { workOff } from '../../../demo/drain-jobs.ts'
import { anAccount, expectOk, PASSWORD, startApp, type TestApp, turnableClock } from '../../../test/support/app.ts'
import { listSeeds, randomFrom } from '../../../test/support/model-test.ts'
import { aPayee, aPayout, getBalance, getPayout } from '../../../test/support/payouts.ts'
import { copyOfDatabase } from '../../../test/support/postgres.ts'
import { aEuroAccount, aEuroPayee, type Booking, buildStatement, statusReport } from '../../../test/support/sepa.ts'
import { openDatabase, transaction } from '../../platform/database/pool.ts'
import { pauseRestored } from '../payouts/reconciliation/reconcile-transfers.ts'
import { verifyLedger } from '../stats/verify.ts'

// A restored copy has forgotten payouts and files that banks and partners know: their names are not given to others.

const clock = turnableClock()
const config = { rateLimitFactor: 1000, secretKey: randomBytes(32) }
const day = () => clock.now().toISOString().slice(0, 10)

/** A copy of this server's database, as it is now; returns a function that starts a server on it. */
async function aCopy(app: TestApp): Promise<() => Promise<TestApp>> {
  const { servingUrl, drop } = await copyOfDatabase(app.services.db)
  const db = openDatabase({ url: servingUrl, log: pino({ level: 'silent' }), clock, patience: 6 })
  after(async () => {
    await db.close()
    await drop()
  })
  return () => startApp({ db, clock, config })
}

const putBack = async (app: TestApp) => (await aCopy(app))()

type Account = Awaited<ReturnType<typeof aEuroAccount>>

const actsOn = (app: TestApp, account: Account) => ({
  app,
  call: (method: string, path: string, body?: object) =>
    app.api(method, path, { token: account.token, ...(body && { body }) }),
  async make() {
    const send = (body: object) =>
      app.api('POST', `/accounts/${account.id}/payment-files`, {
        ...{ token: account.token, body: { method: 'sepa', all: true, ...body } },
      })
    const { payouts } = expectOk(await send({ preview: true })).body
    return expectOk(await send({ shown: payouts })).body
  },
  async references(fileId: string) {
    const { body } = expectOk(await app.api('GET', `/payment-files/${fileId}/download`, { token: account.token }))
    return [...(body as string).matchAll(/<EndToEndId>(.*?)</g)].map(([, reference]) => reference!)
  },
  async upload(file: string) {
    const { rows } = expectOk(
      await app.api('POST', `/accounts/${account.id}/payouts/results`, {
        token: account.token,
        body: { file, dryRun: false },
      }),
    ).body
    return rows.map((row: { was: string; becomes: string; error: { reason: string } | null }) =>
      row.error ? row.error.reason : `${row.was} ${row.becomes}`,
    )
  },
  due: (partner: { id: string }, amount: number) => aPayout(app, account, partner, amount),
})

/** An account that pays by SEPA file alone, with a copy from before its first payout. */
async function anInstall() {
  const app = await startApp({ clock, config })
  const account = await aEuroAccount(app)
  const [ann, bob] = [await aEuroPayee(app, account), await aEuroPayee(app, account)]
  return { account, ann, bob, ...actsOn(app, account) }
}

const booked = (one: Partial<Booking>) => buildStatement([{ amount: '100.00', day: day(), ...one }])

test('a statement from before an older copy was put back pays nobody else', async () => {
  const { app, account, ann, bob, make, references, due, upload } = await anInstall()
  const back = actsOn(await putBack(app), account)
  const paid = await due(ann, 100_00)
  const file = await make()
  const [reference] = await references(file.id)
  assert.deepEqual([reference, file.messageId.at(-1)], ['PO-1', '1'], 'the first of all')
  assert.deepEqual(await upload(booked({ reference })), ['approved paid'])

  const other = await back.due(bob, 100_00)
  const again = await back.make()
  for (const old of [
    booked({ reference }),
    booked({ messageId: file.messageId }),
    booked({ reference, returned: 'AC04' }),
    statusReport(file.messageId, { [reference!]: 'RJCT' }),
  ])
    assert.deepEqual(await back.upload(old), ['result_unknown'])
  assert.equal((await getPayout(back.app, account, other.id)).status, 'approved')
  assert.notEqual(again.messageId, file.messageId)
  assert.ok(other.statementNumber > paid.statementNumber, 'a number that a partner may know')
  assert.ok(again.number > file.number)
  const [own] = await back.references(again.id)
  assert.deepEqual(await back.upload(booked({ reference: own! })), ['approved paid'])
  assert.equal((await getBalance(back.app, account, ann)).due, 0, 'which the copy has forgotten')
  for (const one of [app, back.app]) assert.deepEqual(await verifyLedger(one.services.db), [])
})

test('a copy that is put back twice gives no name twice', async () => {
  const { app, account, ann, bob } = await anInstall()
  const names = []
  for (const partner of [ann, bob]) {
    const { due, make, references } = actsOn(await putBack(app), account)
    await due(partner, 100_00)
    const file = await make()
    names.push(file.messageId, ...(await references(file.id)))
  }
  assert.equal(new Set(names).size, 4, String(names))
})

test('what was due before the copy was made keeps its number, and gets ids of its own', async () => {
  const { app, account, ann, make, references, due, upload } = await anInstall()
  const { id, statementNumber } = await due(ann, 100_00)
  const back = actsOn(await putBack(app), account)
  const file = await make()
  const old = booked({ reference: (await references(file.id))[0]! })
  assert.deepEqual(await upload(old), ['approved paid'])
  const again = await back.make()
  assert.equal((await getPayout(back.app, account, id)).statementNumber, statementNumber)
  assert.deepEqual(await back.upload(old), ['result_unknown'])
  assert.notEqual(again.messageId, file.messageId)
})

test('ids are of their own after a restart, too, since a folder put back looks the same', async () => {
  const { app, account, ann, bob, make, references, due, upload } = await anInstall()
  await due(ann, 100_00)
  const before = await make()
  await app.services.db.run`update accounts set born_in = '1700000000.5' || substring(born_in from '/.*')`
  const next = await due(bob, 100_00)
  assert.equal(next.statementNumber, 2, 'numbers go on')
  const file = await make()
  const [reference] = await references(file.id)
  assert.match(reference!, /^PO-2-[A-Z][A-Z0-9]{3}$/)
  assert.ok(file.messageId.startsWith(before.messageId.replace(/1$/, '2-')))
  assert.deepEqual(await upload(booked({ reference: 'PO-2' })), ['result_unknown'])
  assert.deepEqual(await upload(booked({ reference: reference!.toLowerCase() })), ['approved paid'])
  const { body } = expectOk(await app.api('GET', `/payment-files/${before.id}/download`, { token: account.token }))
  assert.match(body, /<EndToEndId>PO-1</, 'an earlier file stays as it is')
})

test('after a restore, payouts by file and by hand wait until their owner has marked what was paid since', async () => {
  const { app, account, ann, make, due, call } = await anInstall()
  const byHand = await anAccount(app)
  const paid = await due(ann, 100_00)
  const other = await aPayout(app, byHand, await aPayee(app, byHand), 20_00)
  const nothing = await anAccount(app)
  const { services } = app
  assert.equal(await transaction(services.db, (tx) => pauseRestored(tx, services.jobs, [])), 2)
  const at = `/accounts/${account.id}/payouts/reconciliation`
  const reason = async (answer: ReturnType<typeof call>) => (await answer).body.error?.reason
  const making = () => call('POST', `/accounts/${account.id}/payment-files`, { method: 'sepa', ids: [paid.id] })
  assert.equal(await reason(making()), 'payouts_paused')
  assert.equal(await reason(call('POST', `/payouts/${paid.id}/approve`)), 'payouts_paused')
  const approving = () => app.api('POST', `/payouts/${other.id}/approve`, { token: byHand.token })
  assert.equal((await approving()).status, 409)
  assert.equal((await app.api('GET', at.replace(account.id, nothing.id), { token: nothing.token })).body.pausedAt, null)
  assert.equal(expectOk(await call('GET', at)).body.webhooksPaused, false)

  expectOk(await call('POST', `/payouts/${paid.id}/mark-paid`, { reference: 'In file 7' }))
  await workOff(services)
  expectOk(await call('POST', '/auth/confirm', { password: PASSWORD }))
  assert.equal(expectOk(await call('POST', `${at}/confirm`, {})).body.pausedAt, null)
  assert.ok((await due(ann, 30_00)).statementNumber > 1000, 'numbers given since the backup stay free')
  assert.ok((await make()).number > 1000)
  assert.equal((await approving()).status, 409, 'each owner decides')
})

/** The fates of a payment at its bank. */
const fates = ['booked', 'returned', 'rejected', 'silent'] as const
type Payment = {
  id: string
  partner: { id: string }
  amount: number
  fate: (typeof fates)[number]
  reference: string
}

for (const seed of listSeeds(3))
  test(`seed ${seed}: with a backup put back between a file and its reports, nobody is paid twice, nor said to be`, async () => {
    const { pick, shuffled, chance, below } = randomFrom(seed)
    const { app, account, ann, bob, make, references, due, upload } = await anInstall()
    const partners = [ann, bob, await aEuroPayee(app, account), await aEuroPayee(app, account)]
    const payments: Payment[] = []
    for (const [at, partner] of partners.entries()) {
      const amount = 100_00 + at
      const { id, statementNumber } = await due(partner, amount)
      payments.push({ id, partner, amount, fate: pick(fates), reference: `PO-${statementNumber}` })
    }
    const backup = pick(['due', 'filed', 'reported'] as const)
    let copy: (() => Promise<TestApp>) | undefined
    const keepCopy = async (when: typeof backup) => {
      if (when === backup) copy = await aCopy(app)
    }

    await keepCopy('due')
    const file = await make()
    const all = await references(file.id)
    assert.deepEqual(
      all,
      payments.map(({ reference }) => reference),
    )
    await keepCopy('filed')
    const of = (...which: Payment['fate'][]) => payments.filter(({ fate }) => which.includes(fate))
    const named = ({ reference, amount }: { reference: string; amount: number }) => ({
      ...{ reference, day: day() },
      amount: decimalAmount(amount, 'eur'),
    })
    const reports = [
      buildStatement(of('booked', 'returned').map(named)),
      buildStatement(of('returned').map((one) => ({ ...named(one), returned: 'AC04' }))),
      statusReport(file.messageId, Object.fromEntries(of('rejected').map(({ reference }) => [reference, 'RJCT']))),
    ]
    for (const report of shuffled(reports).slice(below(reports.length + 1))) await upload(report)
    await keepCopy('reported')
    for (const report of reports) await upload(report)

    // the database is lost
    const back = actsOn(await copy!(), account)
    const { services } = back.app
    await transaction(services.db, (tx) => pauseRestored(tx, services.jobs, []))
    const stateOf = async ({ id }: { id: string }) => (await getPayout(back.app, account, id)).status
    const isPaid = async (one: { id: string }) => (await stateOf(one)) === 'paid'
    for (const report of shuffled([...reports, ...reports])) await back.upload(report)
    for (const payment of payments)
      if (await isPaid(payment)) assert.equal(payment.fate, 'booked', 'what is paid was paid by the bank')
    // a report may have come before the one that it needs
    for (const report of reports) await back.upload(report)
    if (backup !== 'due')
      for (const payment of payments) assert.equal(await isPaid(payment), payment.fate === 'booked', payment.fate)
    const preview = async () =>
      expectOk(
        await back.call('POST', `/accounts/${account.id}/payment-files`, { method: 'sepa', all: true, preview: true }),
      ).body.payouts as { id: string }[]
    for (const { id } of await preview()) {
      const { body } = await back.call('POST', `/accounts/${account.id}/payment-files`, { method: 'sepa', ids: [id] })
      assert.equal(body.error.reason, 'payouts_paused')
    }

    // the owner marks what left by a file that the copy has forgotten
    if (backup === 'due')
      for (const { id } of of('booked'))
        expectOk(await back.call('POST', `/payouts/${id}/mark-paid`, { reference: `In file ${file.number}` }))
    await workOff(services)
    expectOk(await back.call('POST', '/auth/confirm', { password: PASSWORD }))
    expectOk(await back.call('POST', `/accounts/${account.id}/payouts/reconciliation/confirm`, {}))
    const next = await preview()
    const again = next.length > 0 ? await back.make() : null
    const sent = again ? await back.references(again.id) : []
    for (const reference of sent) assert.ok(!all.includes(reference), `${reference} is of the file before`)
    for (const { id, fate } of payments)
      assert.ok(fate !== 'booked' || next.every((one) => one.id !== id), 'paid twice')
    // reports of the file before say nothing of this one
    for (const report of shuffled(reports)) await back.upload(report)
    for (const one of next) assert.equal(await stateOf(one), 'approved')
    if (sent.length > 0 && chance(70)) {
      const text: string = expectOk(await back.call('GET', `/payment-files/${again.id}/download`)).body
      const ordered = [...text.matchAll(/<EndToEndId>(.*?)<.*?<InstdAmt Ccy="EUR">(.*?)</gs)]
      const rows = await back.upload(
        buildStatement(
          ordered.map(([, reference, amount]) => ({ reference: reference!, amount: amount!, day: day() })),
        ),
      )
      assert.deepEqual([...new Set(rows)], ['approved paid'])
    }
    for (const { partner, amount, fate } of payments) {
      const { paid } = await getBalance(back.app, account, partner)
      assert.ok(paid <= amount, `${partner.id} is paid ${paid} of ${amount}`)
      if (fate === 'booked') assert.equal(paid, amount)
    }
    assert.deepEqual(await verifyLedger(services.db), [])
  })
