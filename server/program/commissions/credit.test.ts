import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { aLedger, aSale, type Ledger, ledgerServices, ownerAuthor, type Plan } from '../../../test/support/ledger.ts'
import { freshDatabase } from '../../../test/support/postgres.ts'
import { system } from '../../platform/author.ts'
import { transaction } from '../../platform/database/pool.ts'
import { Refusal } from '../../platform/refusal.ts'
import { getBalances } from '../payouts/balances.ts'
import { attributeSale, reassignLead } from '../sales/attribute-sale.ts'
import { releaseSale, voidSale } from '../sales/change-sale.ts'
import { recordSale, type SaleToRecord } from '../sales/record-sale.ts'
import { applyRefund } from '../sales/refund-sale.ts'
import { verifyLedger } from '../stats/verify.ts'

const db = await freshDatabase()
const services = ledgerServices(db)

const sell = async (ledger: Ledger, fields: Partial<SaleToRecord> & Pick<SaleToRecord, 'amount'>) =>
  (await recordSale(db, aSale(ledger, fields))).id
const attribute = (ledger: Ledger, saleId: string, lead: number) =>
  transaction(db, (tx) => {
    const attribution = { leadId: ledger.leadIds[lead]!, reason: 'theirs' }
    return attributeSale(tx, ownerAuthor(ledger), ledger.account, saleId, attribution)
  })
const reassign = (ledger: Ledger, lead: number, partner: number) =>
  transaction(db, (tx) =>
    reassignLead(tx, ownerAuthor(ledger), ledger.account, ledger.leadIds[lead]!, {
      partnerId: ledger.partnerIds[partner]!,
      reason: 'theirs',
      creditEarlierSales: true,
    }),
  )
const makeVoid = (ledger: Ledger, saleId: string) =>
  transaction(db, (tx) => voidSale(tx, ownerAuthor(ledger), ledger.account, saleId, 'a mistake'))
const balance = async ({ account, partnerIds }: Ledger, partner = 0) => {
  const { held, due, onHold } = (await getBalances(db, account, 'all')).get(partnerIds[partner]!)!
  return { earned: held + due, onHold }
}
/** Returns the rest of these sales' earnings, in order. */
const leftOf = (...saleIds: string[]) =>
  Promise.all(
    saleIds.map(async (id) => {
      const { left } = await db.one<{ left: number }>`
        select coalesce(sum(amount), 0)::bigint as left from commission_entries where sale_id = ${id}`
      return left
    }),
  )
const orders = <T>(list: T[]): T[][] =>
  list.length < 2
    ? [list]
    : list.flatMap((first, place) => orders(list.toSpliced(place, 1)).map((rest) => [first, ...rest]))

describe('a partner who buys from themselves', () => {
  const own = (selfReferralPolicy: Plan['selfReferralPolicy']): Plan => ({
    ...{ selfReferralPolicy, rates: ['20'], partners: [{}] },
    leads: [{ partner: 0, emailOf: 0 }, { partner: null, emailOf: 0 }, { partner: 0 }],
  })
  const ways: [way: string, book: (ledger: Ledger) => Promise<unknown>][] = [
    ['is known at once', (ledger) => sell(ledger, { amount: 100_00 })],
    [
      'is attributed afterwards',
      async (ledger) => attribute(ledger, await sell(ledger, { amount: 100_00, leadId: null }), 0),
    ],
    [
      'is the first partner of the lead, given afterwards',
      async (ledger) => {
        await sell(ledger, { amount: 100_00, leadId: ledger.leadIds[1]! })
        await reassign(ledger, 1, 0)
      },
    ],
    [
      "pays by an address of the partner's for another's lead, attributed afterwards",
      async (ledger) => {
        const { email } = await db.one<{ email: string }>`select email from partners where id = ${ledger.partnerIds[0]}`
        await attribute(
          ledger,
          await sell(ledger, { amount: 100_00, leadId: null, payerEmail: email.toUpperCase() }),
          2,
        )
      },
    ],
  ]
  const outcomes = {
    hold: { earned: 0, onHold: 20_00 },
    refuse: { earned: 0, onHold: 0 },
    flag: { earned: 20_00, onHold: 0 },
    allow: { earned: 20_00, onHold: 0 },
  } as const
  for (const [policy, expected] of Object.entries(outcomes))
    for (const [way, book] of ways)
      test(`${way}: ${policy}`, async () => {
        const ledger = await aLedger(services, own(policy as keyof typeof outcomes))
        await book(ledger)
        assert.deepEqual(await balance(ledger), expected)
      })

  test('the policy in force when the partner becomes known applies, whatever the caller read before', async () => {
    const ledger = await aLedger(services, own('allow'))
    await db.run`update accounts set self_referral_policy = 'hold' where id = ${ledger.account.id}`
    await sell(ledger, { amount: 100_00 })
    assert.deepEqual(await balance(ledger), { earned: 0, onHold: 20_00 })
  })

  test('a released hold does not come back with the exchange rate', async () => {
    const ledger = await aLedger(services, own('hold'))
    const id = await sell(ledger, { amount: 100_00, currency: 'eur' })
    await transaction(db, (tx) => releaseSale(tx, ownerAuthor(ledger), ledger.account, id, 'it is fine'))
    const { saveExchangeRate: keepRate } = await import('../sales/exchange-rates.ts')
    const { bookAllWaiting } = await import('../sales/waiting-sales.ts')
    const by = ownerAuthor(ledger)
    await transaction(db, (tx) => keepRate(tx, by, ledger.account, { currency: 'eur', date: '2026-03-01', rate: 1.1 }))
    await bookAllWaiting(db, { accountId: ledger.account.id, currency: 'eur', by })
    assert.deepEqual(await balance(ledger), { earned: 22_00, onHold: 0 })
  })
})

describe('the recurring limit', () => {
  const limited: Plan = {
    ...{ recurringMonths: 1, rates: ['20', '5'], partners: [{}, { parent: 0 }] },
    leads: [{ partner: 1 }, { partner: null }],
  }
  const first = { amount: 100_00, saleDate: '2026-01-10', subscriptionId: 'plan' }
  const inside = { amount: 200_00, saleDate: '2026-02-10', subscriptionId: 'plan' }
  const past = { amount: 300_00, saleDate: '2026-02-11', subscriptionId: 'plan' }

  test('the same payments earn the same in every order, also over several days', async () => {
    const found = new Set<string>()
    for (const order of orders([first, inside, past])) {
      const ledger = await aLedger(services, limited)
      const ids = new Map<object, string>()
      for (const sale of order) ids.set(sale, await sell(ledger, sale))
      const days = await db.many`
        select day, partner_id = ${ledger.partnerIds[1]} as own, share, revenue from day_stats
        where account_id = ${ledger.account.id} and (share, revenue) <> (0, 0) order by day, own, share, revenue`
      found.add(JSON.stringify([await leftOf(...[first, inside, past].map((sale) => ids.get(sale)!)), days]))
    }
    assert.equal(found.size, 1)
    assert.deepEqual(JSON.parse([...found][0]!)[0], [25_00, 50_00, 0])
    assert.deepEqual(await verifyLedger(db), [])
  })

  test('a void payment is never the first one, whenever it is voided', async () => {
    for (const voidFirst of [true, false]) {
      const ledger = await aLedger(services, limited)
      const mistake = await sell(ledger, first)
      if (voidFirst) await makeVoid(ledger, mistake)
      const right = await sell(ledger, past)
      if (!voidFirst) {
        assert.deepEqual(await leftOf(right), [0])
        await makeVoid(ledger, mistake)
      }
      assert.deepEqual(await leftOf(mistake, right), [0, 75_00])
    }
    assert.deepEqual(await verifyLedger(db), [])
  })

  test('a payment moves in and out of the limit as earlier ones are recorded and voided', async () => {
    const ledger = await aLedger(services, limited)
    const renewal = await sell(ledger, past)
    for (let round = 0; round < 3; round++) {
      const earlier = await sell(ledger, first)
      assert.deepEqual(await leftOf(renewal), [0])
      await makeVoid(ledger, earlier)
      assert.deepEqual(await leftOf(renewal), [75_00])
    }
    await sell(ledger, first)
    await makeVoid(ledger, renewal)
    assert.deepEqual(await leftOf(renewal), [0])
    assert.deepEqual(await verifyLedger(db), [])
  })

  test('the limit starts with the first credited payment', async () => {
    const ledger = await aLedger(services, limited)
    const stray = await sell(ledger, { ...first, leadId: ledger.leadIds[1]! })
    const renewal = await sell(ledger, past)
    assert.deepEqual(await leftOf(stray, renewal), [0, 75_00])
    await reassign(ledger, 1, 1)
    assert.deepEqual(await leftOf(stray, renewal), [25_00, 0])
    assert.deepEqual(await verifyLedger(db), [])
  })

  test('refunds of a payment past the limit take nothing, and apply once it is inside', async () => {
    const ledger = await aLedger(services, limited)
    const mistake = await sell(ledger, first)
    const renewal = await sell(ledger, past)
    const report = { kind: 'refund', externalId: 'r', amount: 150_00, status: 'succeeded', reason: null } as const
    await transaction(db, (tx) =>
      applyRefund(tx, system, ledger.account, renewal, { ...report, at: new Date('2026-02-20T12:00:00Z') }),
    )
    assert.deepEqual(await leftOf(renewal), [0])
    await makeVoid(ledger, mistake)
    assert.deepEqual(await leftOf(renewal), [37_50])
    assert.deepEqual(await verifyLedger(db), [])
  })

  test('a limit removed or set later applies only to new payments', async () => {
    const ledger = await aLedger(services, limited)
    await sell(ledger, first)
    const renewal = await sell(ledger, past)
    await db.run`update accounts set recurring_months = null where id = ${ledger.account.id}`
    const later = await sell(ledger, { ...past, saleDate: '2026-03-01' })
    assert.deepEqual(await leftOf(renewal, later), [0, 75_00])
  })

  test('concurrent payments of one subscription earn the same as one by one', async () => {
    for (let round = 0; round < 10; round++) {
      const ledger = await aLedger(services, { ...limited, leads: [{ partner: 1 }, { partner: 1 }] })
      const [one, other] = ledger.leadIds as [string, string]
      const ids = await Promise.all([
        sell(ledger, { ...past, leadId: one }),
        sell(ledger, { ...first, leadId: other }),
        sell(ledger, { ...inside, leadId: one }),
      ])
      assert.deepEqual(await leftOf(...ids), [0, 25_00, 50_00])
    }
    assert.deepEqual(await verifyLedger(db), [])
  })
})

test('the credit of a sale never changes', async () => {
  const plan = { rates: ['10', '5', '1'], partners: [{}, { parent: 0, active: false }, { parent: 1 }] }
  const ledger = await aLedger(services, { ...plan, leads: [{ partner: 2 }] })
  const id = await sell(ledger, { amount: 100_00 })
  await db.run`update accounts set layer_rates_ppm = '{990000}' where id = ${ledger.account.id}`
  await db.run`update partners set state = 'active' where id = ${ledger.partnerIds[1]}`
  const { credit } = await db.one<{ credit: unknown }>`select credit from sales where id = ${id}`
  const [root, middle, referrer] = ledger.partnerIds
  assert.deepEqual(credit, {
    ratesPpm: [100_000, 50_000, 10_000],
    source: 'account',
    ...{ number: 1, seen: 1 },
    line: [
      { partnerId: referrer, earns: true },
      { partnerId: middle, earns: false },
      { partnerId: root, earns: true },
    ],
    payoutDelay: 0,
    timeZone: 'UTC',
  })
})

test('a sale that would bring a total of its account above 10^15 is refused and leaves nothing', async () => {
  const ledger = await aLedger(services, { rates: ['10'], partners: [{}], leads: [{ partner: 0 }] })
  const most = { amount: 1_000_000_000_000, currency: 'gbp' }
  const { saveExchangeRate: keepRate } = await import('../sales/exchange-rates.ts')
  await transaction(db, (tx) =>
    keepRate(tx, ownerAuthor(ledger), ledger.account, { currency: 'gbp', date: '2026-03-01', rate: 999 }),
  )
  await sell(ledger, most)
  await assert.rejects(sell(ledger, most), (error) => error instanceof Refusal && Boolean(error.fields?.amount))
  const { sales } = await db.one<{ sales: number }>`
    select count(*) as sales from sales where account_id = ${ledger.account.id}`
  assert.equal(sales, 1)
  await sell(ledger, { amount: 1_000_000_000_000 })
  assert.deepEqual(await verifyLedger(db), [])
})
