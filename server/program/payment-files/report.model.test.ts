import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decimalAmount } from '#contract/money.ts'
import { expectOk, startApp } from '../../../test/support/app.ts'
import { listSeeds, randomFrom } from '../../../test/support/model-test.ts'
import { aPayout, getPayout } from '../../../test/support/payouts.ts'
import {
  aEuroAccount,
  aEuroPayee,
  type Booking,
  buildStatement,
  statusReport,
  switchSepaOn,
} from '../../../test/support/sepa.ts'
import { verifyLedger } from '../stats/verify.ts'

// A file of payments and what their bank does with each. Its reports, in every shape, are uploaded in any order, several
// times, and to another account with the same names; payouts are canceled, reports only looked at and a partner erased
// meanwhile. Once each report was uploaded in the bank's order, the payouts are what the bank did, whatever came before.

const app = await startApp({ config: { rateLimitFactor: 1000 } })

/** The fate of a payment at the bank; a canceled one was taken out by the owner, at the bank too. */
type Fate = 'rejected' | 'booked' | 'returned' | 'silent' | 'canceled'
type Check = 'RVNM' | 'RVMC' | 'RVNA' | null
type Payment = {
  id: string
  partnerId: string
  reference: string
  amount: number
  fate: Fate
  check: Check
  isAlone: boolean
}

const results = { RVNM: 'no-match', RVMC: 'close-match', RVNA: 'not-checked' } as const
const becomes: Record<Fate, string[]> = {
  ...{ rejected: ['due', 'open'], booked: ['paid'], returned: ['returned'], silent: ['approved'] },
  canceled: ['canceled'],
}

/** Returns a writer of these bookings in another kind of report. */
const as = (message: string, part: string) => (bookings: Booking[]) =>
  buildStatement(bookings)
    .replaceAll('BkToCstmrStmt', message)
    .replaceAll(/<(\/?)Stmt>/g, `<$1${part}>`)

function mt940(bookings: Booking[]): string {
  const lines = bookings.flatMap(({ reference, messageId, amount, returned, credit, day }) => {
    const [year, month, date] = day!.slice(2).split('-')
    const isBack = Boolean(returned || credit)
    const code = returned ? '159' : isBack ? '166' : messageId ? '191' : '116'
    const mark = credit === 'reversal' ? 'RD' : isBack ? 'C' : 'D'
    const text = messageId ? `KREF+${messageId}` : `EREF+${reference}`
    return [
      `:61:${year}${month}${date}${month}${date}${mark}${amount.replace('.', ',')}NTRFNONREF`,
      `:86:${code}?00BUCHUNG?20${text}${returned ? `?21SVWZ+RETOURE ${returned}` : ''}`,
    ]
  })
  return [
    ':20:S',
    ':25:DE89370400440532013000',
    ':28C:1/1',
    ':60F:C260101EUR0,00',
    ...lines,
    ':62F:C260101EUR0,00',
    '-',
  ].join('\r\n')
}

const shapes = [buildStatement, as('BkToCstmrAcctRpt', 'Rpt'), as('BkToCstmrDbtCdtNtfctn', 'Ntfctn'), mt940]

for (const seed of listSeeds(4))
  test(`seed ${seed}: reports in any order leave what the bank did`, async () => {
    const { chance, pick, shuffled, below } = randomFrom(seed)
    const account = await aEuroAccount(app, { timeZone: 'UTC' })
    const twin = await aEuroAccount(app, { timeZone: 'UTC' })
    await switchSepaOn(app, account, { booking: pick(['single', 'batch']) })
    const call = async (of: typeof account, method: string, path: string, body?: object) =>
      expectOk(await app.api(method, `/accounts/${of.id}${path}`, { token: of.token, ...(body && { body }) })).body
    const inSum = chance(50)
    const fates: Fate[] = inSum
      ? ['rejected', 'booked', 'booked', 'returned', 'canceled']
      : ['rejected', 'booked', 'returned', 'silent', 'canceled']
    const payments: Payment[] = []
    for (let count = 3 + below(3); count > 0; count--) {
      const amount = pick([100_00, 40_00, 25_00, 12_34])
      const { id: partnerId, ...payee } = await aEuroPayee(app, account)
      const { id, statementNumber } = await aPayout(app, account, { id: partnerId, ...payee }, amount)
      const fate = pick(fates)
      const check = chance(40) ? pick(['RVNM', 'RVMC', 'RVNA'] as const) : null
      payments.push({
        ...{ id, partnerId, amount, fate, check },
        reference: `PO-${statementNumber}`,
        isAlone: !inSum || chance(20),
      })
    }
    const makeFile = async (of: typeof account) => {
      const { payouts: shown } = await call(of, 'POST', '/payment-files', { method: 'sepa', all: true, preview: true })
      return call(of, 'POST', '/payment-files', { method: 'sepa', all: true, shown })
    }
    const { id: fileId, messageId } = await makeFile(account)
    // another account whose file has the same names, with other amounts
    const own = await aPayout(app, twin, await aEuroPayee(app, twin), 77_77)
    const other = await makeFile(twin)
    await app.services.db.run`update payment_files set message_id = ${messageId} where id = ${other.id}`

    const day = app.clock.now().toISOString().slice(0, 10)
    const of = (...which: Fate[]) => payments.filter(({ fate }) => which.includes(fate))
    const named = ({ reference, amount }: Payment) => ({ reference, amount: decimalAmount(amount, 'eur'), day })
    const left = of('booked', 'returned')
    const summed = left.filter(({ isAlone }) => !isAlone)
    const sum = summed.reduce((total, { amount }) => total + amount, 0)
    const bookings: Booking[] = [
      ...left.filter(({ isAlone }) => isAlone).map(named),
      ...(summed.length > 0 ? [{ messageId, amount: decimalAmount(sum, 'eur'), day }] : []),
    ]
    const back = of('returned').map((one) => ({
      ...named(one),
      ...pick([{ returned: 'AC04' }, { credit: 'reversal' }] as const),
    }))
    const statuses = (ones: Payment[], status: (one: Payment) => string) =>
      ones.length > 0
        ? [statusReport(messageId, Object.fromEntries(ones.map((one) => [one.reference, status(one)])), 'MS03')]
        : []
    // in the order in which the bank knows them
    const reports = [
      ...statuses(
        payments.filter(({ check }) => check),
        ({ check }) => check!,
      ),
      ...statuses(of('rejected'), () => 'RJCT'),
      buildStatement(bookings.map((one) => ({ ...one, status: 'PDNG' }))),
      ...shuffled(shapes)
        .slice(0, 1 + below(4))
        .map((shape) => shape(bookings)),
      ...(chance(50) ? bookings.map((one) => pick(shapes)([one])) : []),
      ...(back.length > 0
        ? shuffled(shapes)
            .slice(0, 1 + below(3))
            .map((shape) => shape(back))
        : []),
    ].filter((text) => /Ntry|:61:|TxInfAndSts/.test(text))

    const trace: string[] = [
      JSON.stringify({
        inSum,
        payments: payments.map(({ reference, amount, fate, check }) => ({ reference, amount, fate, check })),
      }),
    ]
    const upload = async (at: number, dryRun = false) => {
      const { applied, rows } = await call(account, 'POST', '/payouts/results', { file: reports[at], dryRun })
      trace.push(
        `report ${at}: ${applied} ${rows.map((row: { reference: string; becomes: string; error: { message: string } | null }) => `${row.reference} ${row.error?.message ?? row.becomes}`)}`,
      )
      return applied
    }
    const states = async () =>
      Promise.all(
        payments.map(async ({ id }) => {
          const { status, nameCheck, amount } = await getPayout(app, account, id)
          return { status, check: nameCheck?.result ?? null, amount }
        }),
      )
    const cameBack = new Set<string>()
    try {
      const cancels = of('canceled')
      for (let turn = 0; turn < 8; turn++) {
        const next = cancels.length > 0 && chance(30) ? cancels.pop() : undefined
        if (next) expectOk(await app.api('POST', `/payouts/${next.id}/cancel`, { token: account.token }))
        const at = below(reports.length)
        // a status report has neither amount nor account to be told by
        if (chance(20) && !reports[at]!.includes('CstmrPmtStsRpt'))
          await call(twin, 'POST', '/payouts/results', { file: reports[at], dryRun: false })
        await upload(at, chance(20))
        // money that came back is never with the partner again
        for (const { id } of payments) {
          const { status } = await getPayout(app, account, id)
          if (status === 'returned') cameBack.add(id)
          assert.ok(!cameBack.has(id) || status === 'returned', trace.join('\n'))
        }
      }
      for (const { id } of cancels) expectOk(await app.api('POST', `/payouts/${id}/cancel`, { token: account.token }))
      for (let at = 0; at < reports.length; at++) await upload(at)
      let after = await states()
      for (const [at, { fate, check, reference }] of payments.entries()) {
        assert.ok(becomes[fate].includes(after[at]!.status), `${reference} ${fate}: ${after[at]!.status}`)
        assert.equal(after[at]!.check, check && results[check], reference)
      }
      const ended = of('booked', 'returned', 'canceled')
      if (ended.length > 0 && chance(50)) {
        const { partnerId, reference } = pick(ended)
        expectOk(
          await app.api('POST', `/partners/${partnerId}/archive`, {
            token: account.token,
            body: { subPartners: 'keep', balance: 'void', reason: 'Left' },
          }),
        )
        expectOk(await app.api('POST', `/partners/${partnerId}/erase`, { token: account.token, body: {} }))
        trace.push(`erased the partner of ${reference}`)
        after = await states()
      }
      for (const at of shuffled(reports.map((_, place) => place))) assert.equal(await upload(at), 0)
      assert.deepEqual(await states(), after)
      assert.equal((await getPayout(app, twin, own.id)).status, 'approved')
      assert.equal(
        (await call(account, 'GET', '/payment-files')).items.find((one: { id: string }) => one.id === fileId).count,
        payments.length,
      )
    } catch (error) {
      throw new Error(`${(error as Error).message}\n${trace.join('\n')}`, { cause: error })
    }
    assert.deepEqual(await verifyLedger(app.services.db), [])
  })

test('a return that is reported before its booking leaves the sum of the rest', async () => {
  const account = await aEuroAccount(app, { timeZone: 'UTC' })
  const made = []
  for (const amount of [100_00, 40_00]) made.push(await aPayout(app, account, await aEuroPayee(app, account), amount))
  const { token } = account
  const at = `/accounts/${account.id}`
  const ids = made.map(({ id }) => id)
  const { messageId } = expectOk(
    await app.api('POST', `${at}/payment-files`, { token, body: { method: 'sepa', ids } }),
  ).body
  const day = app.clock.now().toISOString().slice(0, 10)
  const upload = async (bookings: Booking[]) =>
    expectOk(
      await app.api('POST', `${at}/payouts/results`, {
        token,
        body: { file: buildStatement(bookings), dryRun: false },
      }),
    ).body
  const alone = { reference: `PO-${made[0]!.statementNumber}`, amount: '100.00', day }
  const rest = { messageId, amount: '40.00', day }
  assert.equal((await upload([{ ...alone, returned: 'AC04' }])).applied, 1)
  assert.equal((await upload([rest])).rows[0].error.reason, 'result_sum_differs')
  assert.equal((await upload([alone])).applied, 0)
  assert.equal((await upload([rest])).applied, 1)
  assert.deepEqual(await Promise.all(ids.map(async (id) => (await getPayout(app, account, id)).status)), [
    'returned',
    'paid',
  ])
  for (const again of [[alone], [rest], [{ messageId, amount: '140.00', day }]]) {
    const { applied, rows } = await upload(again)
    assert.deepEqual([applied, rows.filter(({ error }: { error: unknown }) => error)], [0, []])
  }
})
