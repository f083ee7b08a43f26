import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fakeWise } from '../../../test/fakes/wise.ts'
import { anAccount, signIn, startApp, type TestAccount, waitUntil } from '../../../test/support/app.ts'
import { payoutsEveryHour, payoutsEveryMinute } from '../../../test/support/clock-runs.ts'
import { waitingForLocks } from '../../../test/support/locks.ts'
import {
  aPayee,
  aPayout,
  bankDetails,
  bookDue,
  connectWise,
  getBalance,
  listPayouts,
  requestRefresh,
} from '../../../test/support/payouts.ts'
import { asDatabaseOwner } from '../../../test/support/postgres.ts'
import { system } from '../../platform/author.ts'
import { transaction } from '../../platform/database/pool.ts'
import { type AccountFacts, accountFacts } from '../access/account-facts.ts'
import { voidSale } from '../sales/change-sale.ts'
import { verifyLedger } from '../stats/verify.ts'

const app = await startApp()
const { db } = app.services

const post = (account: TestAccount, path: string, body?: object) =>
  app.api('POST', path, { token: account.token, ...(body && { body }) })
const approve = (account: TestAccount, id: string) => post(account, `/payouts/${id}/approve`)
type Payee = Awaited<ReturnType<typeof aPayee>>

async function sell(account: TestAccount, partner: Payee, amounts: number[], email = 'buyer@mail.example') {
  const lead = await post(account, `/accounts/${account.id}/leads`, { partnerId: partner.id, email })
  const ids: string[] = []
  for (const amount of amounts) {
    const sale = await post(account, `/leads/${lead.body.id}/sales`, { amount })
    assert.equal(sale.status, 201, JSON.stringify(sale.body))
    ids.push(sale.body.id)
  }
  return ids
}
const anAccountOf20 = (settings: object = {}) =>
  anAccount(app, { payoutDelay: 0, defaultCommissionSettings: { layerRates: [20] }, ...settings })
const entriesOf = async (account: TestAccount, partner: Payee) => {
  const { body } = await app.api('GET', `/partners/${partner.id}/commissions`, { token: account.token })
  return body.items.map(({ amount, status }: { amount: number; status: string }) => [amount, status])
}

test('what was voided with an archived partner stays void, whatever lets it go', async () => {
  const account = await anAccount(app)
  const partner = await aPayee(app, account)
  const approved = await aPayout(app, account, partner, 100_00)
  await approve(account, approved.id)
  await bookDue(app, account, partner, 7_00)
  const archive = { subPartners: 'keep', balance: 'void', reason: 'Left the programme' }
  assert.equal((await post(account, `/partners/${partner.id}/archive`, archive)).status, 200)
  assert.deepEqual((await getBalance(app, account, partner)).due, 0)
  assert.equal((await post(account, `/payouts/${approved.id}/cancel`)).body.status, 'canceled')
  const after = await getBalance(app, account, partner)
  assert.deepEqual([after.due, after.inPayout], [0, 0])
  await requestRefresh(app, account)
  assert.ok((await listPayouts(app, account, partner)).every(({ status }) => status === 'canceled'))

  // a reinstated partner earns again
  await app.api('PUT', `/partners/${partner.id}`, { token: account.token, body: { state: 'active' } })
  const next = await aPayout(app, account, partner, 5_00)
  await approve(account, next.id)
  await post(account, `/payouts/${next.id}/cancel`)
  assert.equal((await getBalance(app, account, partner)).due, 5_00)
})

test('an approval and an archiving at once: what is paid is not voided, what is voided is not paid', async () => {
  const account = await anAccount(app)
  for (let round = 0; round < 6; round++) {
    const partner = await aPayee(app, account)
    const due = await aPayout(app, account, partner, 100_00)
    const archive = { subPartners: 'keep', balance: 'void', reason: 'Left the programme' }
    await Promise.all([approve(account, due.id), post(account, `/partners/${partner.id}/archive`, archive)])
    const { due: open, inPayout } = await getBalance(app, account, partner)
    assert.equal(open, 0, `${inPayout} is in a payout`)
  }
})

test('a debt of a void sale shows as what the balance says', async () => {
  const account = await anAccountOf20()
  const partner = await aPayee(app, account)
  const [sale] = await sell(account, partner, [100_00])
  await requestRefresh(app, account)
  const [due] = await listPayouts(app, account, partner)
  await approve(account, due!.id)
  await post(account, `/sales/${sale}/void`, { reason: 'A mistake' })
  assert.equal((await getBalance(app, account, partner)).due, -20_00)
  assert.deepEqual(await entriesOf(account, partner), [
    [-20_00, 'due'],
    [20_00, 'in-payout'],
  ])
  await post(account, `/payouts/${due!.id}/cancel`)
  assert.equal((await getBalance(app, account, partner)).due, 0)
  assert.deepEqual(await entriesOf(account, partner), [
    [-20_00, 'void'],
    [20_00, 'void'],
  ])
})

test('an entry is told due once: when its hold ends, by a person or by itself', async () => {
  const account = await anAccountOf20({ selfReferralPolicy: 'hold' })
  const partner = await aPayee(app, account)
  const listDueSales = async () => {
    const rows = await db.many<{ saleId: string }>`
      select data -> 'object' ->> 'saleId' as sale_id from told_events
      where account_id = ${account.id} and type = 'commission.due' order by id`
    return rows.map(({ saleId }) => saleId)
  }
  const [released, left] = await sell(account, partner, [50_00, 60_00], partner.email)
  const [plain] = await sell(account, partner, [70_00])
  await payoutsEveryHour(app.services)
  assert.deepEqual(await listDueSales(), [plain])
  await post(account, `/sales/${released}/release`, { reason: 'Known' })
  await payoutsEveryHour(app.services)
  await payoutsEveryHour(app.services)
  assert.deepEqual(await listDueSales(), [plain, released])
  app.clock.advance(31 * 86_400_000)
  await payoutsEveryHour(app.services)
  await payoutsEveryHour(app.services)
  assert.deepEqual(await listDueSales(), [plain, released, left])
})

test('what is taken back while an approval waits for it counts: the minimum is not undercut', async () => {
  const account = await anAccountOf20({ minimumPayout: 25_00 })
  const partner = await aPayee(app, account)
  const [, taken] = await sell(account, partner, [100_00, 50_00])
  await requestRefresh(app, account)
  const [due] = await listPayouts(app, account, partner)
  assert.deepEqual([due!.status, due!.amount], ['due', 30_00])
  const facts = await db.one<AccountFacts>`select ${accountFacts} from accounts a where a.id = ${account.id}`
  let answer: ReturnType<typeof approve> | undefined
  await transaction(db, async (tx) => {
    await voidSale(tx, system, facts, taken!, 'A mistake')
    answer = approve(account, due!.id)
    await waitUntil(async () => (await waitingForLocks(db)) > 0)
    await sleep(50)
  })
  const refused = await answer!
  assert.deepEqual([refused.status, refused.body.error.code], [409, 'payout_blocked'])
  assert.deepEqual(refused.body.error.details.blockers[0].code, 'below-minimum')
})

test('details that cannot be opened stop their partner’s payout alone', async () => {
  const wise = await fakeWise({ clock: () => app.clock.now() })
  test.after(() => wise.close())
  const { config } = app.services
  Object.assign(app.services, { config: { ...config, wise: { ...config.wise, apiUrl: wise.url } } })
  const account = await anAccount(app)
  await connectWise(app, account, wise)
  const partners = [await aPayee(app, account), await aPayee(app, account), await aPayee(app, account)]
  const payouts = []
  for (const partner of partners) payouts.push(await aPayout(app, account, partner, 30_00))
  await db.run`update payout_settings set details_sealed = '\x0102' where partner_id = ${partners[1]!.id}`
  const ids = payouts.map(({ id }) => id)
  const bulk = await post(account, `/accounts/${account.id}/payouts/approve`, { ids })
  assert.equal(bulk.status, 200, JSON.stringify(bulk.body))
  type Row = { status: string; error: { code: string; message: string; details: object } | null }
  assert.deepEqual(
    bulk.body.results.map(({ status, error }: Row) => [status, error?.code ?? null]),
    [
      ['approved', null],
      ['due', 'invalid_state'],
      ['approved', null],
    ],
  )
  const { error } = bulk.body.results[1]
  assert.equal(error.message, 'The payout details of Pia Tern can’t be read. Ask them to enter the details again.')
  assert.deepEqual(error.details, { partnerId: partners[1]!.id })
  assert.equal((await approve(account, ids[1]!)).status, 409)

  // the automatic run and refresh continue for all other partners
  await connectWise(app, account, wise, { enabled: true })
  for (const partner of partners) await bookDue(app, account, partner, 40_00)
  assert.deepEqual(await requestRefresh(app, account), { due: 1, blocked: 0 })
  await payoutsEveryMinute(app.services)
  const states = await Promise.all(partners.map((partner) => listPayouts(app, account, partner)))
  assert.deepEqual(
    states.map(([latest]) => latest!.status),
    ['approved', 'due', 'approved'],
  )
  // entered again, they are paid
  const { token } = await signIn(app, partners[1]!.email)
  const entered = await app.api('POST', `/partners/${partners[1]!.id}/payout-settings`, { token, body: bankDetails() })
  assert.equal(entered.status, 200)
  assert.equal((await approve(account, ids[1]!)).body.status, 'approved')
})

test('a row that fails for a reason nobody foresaw fails alone', async () => {
  const account = await anAccount(app)
  const partners = [await aPayee(app, account), await aPayee(app, account)]
  const [one, two] = [
    await aPayout(app, account, partners[0]!, 30_00),
    await aPayout(app, account, partners[1]!, 30_00),
  ]
  await asDatabaseOwner(db).pool.query(`
    create function refuse_one() returns trigger language plpgsql as $$
    begin
      if new.id = '${one.id}' then raise exception 'not this one'; end if;
      return new;
    end $$;
    create trigger refuse_one before update on payouts for each row execute function refuse_one()`)
  try {
    const { body } = await post(account, `/accounts/${account.id}/payouts/approve`, { ids: [one.id, two.id] })
    assert.deepEqual(
      body.results.map(({ status, error }: { status: string; error: { code: string } | null }) => [
        status,
        error?.code,
      ]),
      [
        ['due', 'unavailable'],
        ['approved', undefined],
      ],
    )
  } finally {
    await asDatabaseOwner(db).pool.query('drop trigger refuse_one on payouts')
  }
})

test('after all this the ledger agrees with itself', async () => {
  assert.deepEqual(await verifyLedger(db), [])
})
