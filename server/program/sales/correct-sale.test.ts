import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RefundLine } from '#contract/sales.ts'
import { aLedger, aSale, type Ledger, ledgerServices, ownerAuthor, type Plan } from '../../../test/support/ledger.ts'
import { freshDatabase } from '../../../test/support/postgres.ts'
import { system } from '../../platform/author.ts'
import { newId } from '../../platform/database/ids.ts'
import { type Transaction, transaction } from '../../platform/database/pool.ts'
import { recordActivity } from '../../platform/events/emit-event.ts'
import { getBalances } from '../payouts/balances.ts'
import { verifyLedger } from '../stats/verify.ts'
import { voidSale } from './change-sale.ts'
import { correctSale, type ReportedSale, type SaleAmounts } from './correct-sale.ts'
import { saveExchangeRate } from './exchange-rates.ts'
import { recordSale } from './record-sale.ts'
import { applyRefund } from './refund-sale.ts'

const db = await freshDatabase()
const services = ledgerServices(db)
const today = new Date().toISOString().slice(0, 10)
const solo: Plan = { rates: ['20', '5'], partners: [{}, { parent: 0 }], leads: [{ partner: 1 }] }

async function sold(plan: Partial<Plan>, fields: Parameters<typeof aSale>[1]) {
  const ledger = await aLedger(services, { ...solo, ...plan })
  const { id } = await recordSale(db, aSale(ledger, { saleDate: today, ...fields }))
  return { ledger, id }
}

const within = <T>(work: (tx: Transaction) => Promise<T>) => transaction(db, work)
const correct = ({ account }: Ledger, id: string, amounts: Partial<SaleAmounts> & { amount: number }) =>
  within((tx) => {
    const { amount, taxAmount = 0, currency = 'usd' } = amounts
    const reported = { amount, taxAmount, currency, grossAmount: amounts.grossAmount ?? amount + taxAmount }
    return correctSale(tx, system, account, id, { reported, source: 'Stripe' })
  })
const refund = ({ account }: Ledger, id: string, amount: number, status: 'succeeded' | 'failed' = 'succeeded') =>
  within((tx) => {
    const report = { kind: 'refund', externalId: id, amount, status, reason: null, at: tx.now } as const
    return applyRefund(tx, system, account, id, report)
  })
const entriesOf = (id: string) => db.many<{ layer: number; kind: string; amount: number; base: number }>`
  select layer, kind, amount, base_amount as base from commission_entries where sale_id = ${id} order by layer, created_at, id`
const leftOf = async (id: string) =>
  (
    await db.many<{ left: number }>`
      select sum(amount)::bigint as left from commission_entries where sale_id = ${id} group by layer order by layer`
  ).map(({ left }) => left)
const revenueOf = async ({ account }: Ledger) =>
  await db.one<{ revenue: number; share: number }>`
      select sum(revenue)::bigint as revenue, sum(share)::bigint as share from day_stats
      where account_id = ${account.id} and partner_id = '00000000-0000-0000-0000-000000000000'
        and blueprint_id = '00000000-0000-0000-0000-000000000000'`

test('a sale corrected while all of it was refunded earns once the refund fails', async () => {
  const { ledger, id } = await sold({ payoutDelay: 30 }, { amount: 1, saleDate: '2026-03-02' })
  assert.deepEqual(await leftOf(id), [])
  await refund(ledger, id, 100_00)
  await correct(ledger, id, { amount: 100_00 })
  await refund(ledger, id, 100_00, 'failed')
  assert.deepEqual(await leftOf(id), [20_00, 5_00])
  assert.deepEqual(await verifyLedger(db), [])
})

test('a commission given with an import follows a corrected amount', async () => {
  const { ledger, id } = await sold({}, { amount: 100_00, provider: 'import', givenCommission: 30_00 })
  await correct(ledger, id, { amount: 150_00 })
  assert.deepEqual(await leftOf(id), [45_00])
  await correct(ledger, id, { amount: 20_00 })
  assert.deepEqual(await leftOf(id), [6_00])
  await correct(ledger, id, { amount: 0 })
  assert.deepEqual(await leftOf(id), [0])
  await correct(ledger, id, { amount: 50_00 })
  assert.deepEqual(await leftOf(id), [15_00])
  assert.deepEqual(await verifyLedger(db), [])
})

test('a second capture and a tax reported late are separate entries, on the date of the sale', async () => {
  const { ledger, id } = await sold({}, { amount: 40_00 })
  assert.equal(await correct(ledger, id, { amount: 100_00 }), true)
  assert.equal(await correct(ledger, id, { amount: 80_00, taxAmount: 20_00 }), true)
  assert.equal(await correct(ledger, id, { amount: 80_00, taxAmount: 20_00 }), false)
  assert.deepEqual(await entriesOf(id), [
    { layer: 0, kind: 'earned', amount: 8_00, base: 40_00 },
    { layer: 0, kind: 'earned', amount: 12_00, base: 60_00 },
    { layer: 0, kind: 'reversal', amount: -4_00, base: -20_00 },
    { layer: 1, kind: 'earned', amount: 2_00, base: 40_00 },
    { layer: 1, kind: 'earned', amount: 3_00, base: 60_00 },
    { layer: 1, kind: 'reversal', amount: -1_00, base: -20_00 },
  ])
  assert.deepEqual(await revenueOf(ledger), { revenue: 80_00, share: 20_00 })
  const events = await db.many`select from told_events where type = 'sale.updated' and subject_id = ${id}`
  assert.equal(events.length, 2)
  assert.deepEqual(await verifyLedger(db), [])
})

test('refunds before and after take their part of the corrected sale, and a full refund leaves nothing', async () => {
  const { ledger, id } = await sold({}, { amount: 120_00 })
  await refund(ledger, id, 60_00)
  await correct(ledger, id, { amount: 100_00, taxAmount: 20_00 })
  assert.deepEqual(await leftOf(id), [10_00, 2_50])
  assert.deepEqual(await revenueOf(ledger), { revenue: 50_00, share: 12_50 })
  await within((tx) => {
    const report = { kind: 'refund', externalId: `${id}-2`, amount: 60_00, status: 'succeeded', reason: null } as const
    return applyRefund(tx, system, ledger.account, id, { ...report, at: tx.now })
  })
  assert.deepEqual(await leftOf(id), [0, 0])
  await refund(ledger, id, 60_00, 'failed')
  assert.deepEqual(await leftOf(id), [10_00, 2_50])
  await correct(ledger, id, { amount: 60_00 })
  assert.deepEqual(await leftOf(id), [0, 0])
  const { status } = await db.one<{ status: string }>`select status from sales where id = ${id}`
  assert.equal(status, 'refunded')
  assert.deepEqual(await revenueOf(ledger), { revenue: 0, share: 0 })
  assert.deepEqual(await verifyLedger(db), [])
})

test('entries in an approved payout are offset at once, in both directions', async () => {
  for (const [amount, change] of [
    [50_00, -10_00],
    [150_00, 10_00],
  ] as const) {
    const { ledger, id } = await sold({ payoutDelay: 30, rates: ['20'] }, { amount: 100_00 })
    const [partnerId] = [ledger.partnerIds[1]!]
    await bind(ledger, partnerId, id)
    await correct(ledger, id, { amount })
    const balance = (await getBalances(db, ledger.account, 'all')).get(partnerId)!
    assert.deepEqual([balance.due, balance.inPayout], [change, 20_00])
    const { clawback } = await db.one<{ clawback: boolean }>`
      select clawback from commission_entries where sale_id = ${id} and correction_id is not null`
    assert.equal(clawback, change < 0)
  }
  assert.deepEqual(await verifyLedger(db), [])
})

test('a sale keeps its own exchange rate', async () => {
  const ledger = await aLedger(services, solo)
  const keep = (rate: number) =>
    within((tx) => saveExchangeRate(tx, ownerAuthor(ledger), ledger.account, { currency: 'eur', date: today, rate }))
  await keep(1.25)
  const { id } = await recordSale(db, aSale(ledger, { amount: 80_00, currency: 'eur', saleDate: today }))
  await keep(2)
  await correct(ledger, id, { amount: 40_00, currency: 'eur' })
  assert.deepEqual(await leftOf(id), [10_00, 2_50])
  assert.equal(
    await correct(ledger, id, { amount: 10_00, currency: 'usd' }),
    false,
    'another currency is no correction',
  )
})

test('a void sale, one without a partner and one too small to earn are corrected, too', async () => {
  const { ledger, id } = await sold({}, { amount: 100_00 })
  await within((tx) => voidSale(tx, ownerAuthor(ledger), ledger.account, id, 'a mistake'))
  await correct(ledger, id, { amount: 50_00 })
  assert.deepEqual(await leftOf(id), [0, 0])

  const nobodys = await sold({}, { amount: 100_00, leadId: null })
  await correct(nobodys.ledger, nobodys.id, { amount: 50_00 })
  assert.deepEqual(await entriesOf(nobodys.id), [])

  const small = await sold({}, { amount: 1 })
  assert.deepEqual(await entriesOf(small.id), [])
  await refund(small.ledger, small.id, 1)
  await correct(small.ledger, small.id, { amount: 100_00 })
  assert.deepEqual(
    await leftOf(small.id),
    [20_00, 5_00].map((amount) => amount - Math.round(amount / 100_00)),
  )
  assert.deepEqual(await verifyLedger(db), [])
})

test('a layer too small to earn and a sale past its recurring limit are right once the limit moves', async () => {
  const { ledger, id } = await sold({}, { amount: 4 })
  assert.deepEqual(await leftOf(id), [1])
  await correct(ledger, id, { amount: 100_00 })
  assert.deepEqual(await leftOf(id), [20_00, 5_00])

  const limited = await aLedger(services, solo)
  const { account } = limited
  await db.run`update accounts set recurring_months = 1 where id = ${account.id}`
  const bill = async (saleDate: string) => {
    const sale = { ...aSale(limited, { amount: 40_00, subscriptionId: 'sub_1' }), saleDate }
    return (await recordSale(db, sale)).id
  }
  const first = await bill('2026-01-02')
  const second = await bill('2026-03-02')
  assert.deepEqual([await leftOf(first), await leftOf(second)], [[8_00, 2_00], []])
  const early = await bill('2025-11-02')
  assert.deepEqual(
    [await leftOf(early), await leftOf(first)],
    [
      [8_00, 2_00],
      [0, 0],
    ],
  )
  for (const sale of [first, second]) await correct(limited, sale, { amount: 100_00 })
  assert.deepEqual([await leftOf(first), await leftOf(second)], [[0, 0], []])
  await within((tx) => voidSale(tx, ownerAuthor(limited), account, early, 'a mistake'))
  assert.deepEqual(await leftOf(first), [20_00, 5_00])
  await within((tx) => voidSale(tx, ownerAuthor(limited), account, first, 'a mistake'))
  assert.deepEqual(await leftOf(second), [20_00, 5_00])
  assert.deepEqual(await verifyLedger(db), [])
})

/** An approved payout of the sale's entries, before they are due. */
const bind = ({ account }: Ledger, partnerId: string, saleId: string) =>
  within(async (tx) => {
    const payoutId = newId()
    await tx.run`
      insert into payout_accounts (account_id, last_statement_number, updated_at) values (${account.id}, 1, ${tx.now})`
    await tx.run`
      insert into payouts (id, account_id, partner_id, currency, status, method, amount, statement_number, period_start,
        period_end, approved_at, created_at, updated_at)
      select ${payoutId}, ${account.id}, ${partnerId}, 'usd', 'approved', 'manual', sum(amount), 1, min(day), max(day),
        ${tx.now}, ${tx.now}, ${tx.now}
      from commission_entries where sale_id = ${saleId} and partner_id = ${partnerId}`
    const changes = { status: { old: 'due', new: 'approved' } }
    await recordActivity(tx, system, account.id, 'payout.stepped-back', { id: payoutId, changes })
    await tx.run`
      insert into payout_entries (account_id, payout_id, entry_id, approved_at)
      select ${account.id}, ${payoutId}, id, ${tx.now} from commission_entries where sale_id = ${saleId} and partner_id = ${partnerId}`
  })

test('a failed refund or a void after a refunded sale was corrected upwards leaves nothing unexplained', async () => {
  for (const end of ['failed', 'void'] as const)
    for (const isPaid of [false, true]) {
      const { ledger, id } = await sold({ payoutDelay: 30 }, { amount: 100_00 })
      if (isPaid) await bind(ledger, ledger.partnerIds[1]!, id)
      await refund(ledger, id, 100_00)
      await correct(ledger, id, { amount: 200_00 })
      assert.deepEqual(await leftOf(id), [20_00, 5_00])
      if (end === 'failed') await refund(ledger, id, 100_00, 'failed')
      else await within((tx) => voidSale(tx, ownerAuthor(ledger), ledger.account, id, 'a mistake'))
      assert.deepEqual(await leftOf(id), end === 'failed' ? [40_00, 10_00] : [0, 0])
      assert.deepEqual(await verifyLedger(db), [])
    }
})

test('lines and a country reported later are stored once, and a report without them keeps them', async () => {
  const { ledger, id } = await sold({}, { amount: 50_00 })
  const line = { productId: 'prod_pro', priceId: null, sku: null, name: 'Pro', quantity: 1 }
  const reported = { amount: 50_00, taxAmount: 0, grossAmount: 50_00, currency: 'usd' }
  const lines = [
    { ...line, id: '1', amount: 30_00 },
    { ...line, id: '2', amount: 20_00 },
  ]
  const report = (more: Partial<ReportedSale>) =>
    within((tx) =>
      correctSale(tx, system, ledger.account, id, { reported: { ...reported, ...more }, source: 'Stripe' }),
    )
  assert.equal(await report({ lines }), true)
  assert.equal(await report({ lines }), false)
  assert.equal(await report({ country: 'DE' }), true)
  assert.equal(await report({ lines: null, country: null }), false)
  assert.deepEqual(await db.one`select lines, country from sales where id = ${id}`, { lines, country: 'DE' })
  assert.deepEqual(
    await db.many`select reason, amount from sale_corrections where sale_id = ${id} order by created_at, id`,
    [
      { reason: 'Lines reported by Stripe', amount: 50_00 },
      { reason: 'Country reported by Stripe', amount: 50_00 },
    ],
  )
  assert.deepEqual(await leftOf(id), [10_00, 2_50])
  assert.deepEqual(await verifyLedger(db), [])
})

test('a refund keeps the lines that it named until a later report names others', async () => {
  const { ledger, id } = await sold({}, { amount: 50_00 })
  const report = (lines?: RefundLine[]) =>
    within((tx) => {
      const refundReport = {
        kind: 'refund',
        externalId: 'r1',
        amount: 20_00,
        status: 'succeeded',
        reason: null,
        lines,
      } as const
      return applyRefund(tx, system, ledger.account, id, { ...refundReport, at: tx.now })
    })
  const lines = () =>
    db.one<{ lines: unknown }>`select lines from refunds where sale_id = ${id}`.then((row) => row.lines)
  await report()
  assert.equal(await lines(), null)
  await report([{ id: '2', amount: 20_00 }])
  await report()
  assert.deepEqual(await lines(), [{ id: '2', amount: 20_00 }])
  assert.deepEqual(await leftOf(id), [6_00, 1_50])
  assert.deepEqual(await verifyLedger(db), [])
})

test('a refund too small to take commission takes no revenue of a sale that is corrected to zero', async () => {
  const { ledger, id } = await sold({}, { amount: 20 })
  await refund(ledger, id, 1)
  await correct(ledger, id, { amount: 0 })
  assert.deepEqual(await leftOf(id), [0, 0])
  assert.deepEqual(await revenueOf(ledger), { revenue: 0, share: 0 })
  assert.deepEqual(await verifyLedger(db), [])
})
