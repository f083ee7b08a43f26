import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { TermsRule } from '#contract/terms.ts'
import { aLedger, aSale, type Ledger, ledgerServices, ownerAuthor } from '../../../test/support/ledger.ts'
import { freshDatabase } from '../../../test/support/postgres.ts'
import { system } from '../../platform/author.ts'
import { NIL, newId } from '../../platform/database/ids.ts'
import { transaction } from '../../platform/database/pool.ts'
import { blockBookings } from '../access/lock-accounts.ts'
import { verifyLedger } from '../stats/verify.ts'
import { saveTerms } from '../terms/save-terms.ts'
import { attributeSale } from './attribute-sale.ts'
import { saveExchangeRate } from './exchange-rates.ts'
import { recordSale, recordSales, type SaleToRecord } from './record-sale.ts'
import { applyRefund } from './refund-sale.ts'
import { AT_ONCE, bookAllWaiting, bookSomeWaiting, bookTurn } from './waiting-sales.ts'

const db = await freshDatabase()
const services = ledgerServices(db)

const sell = async (ledger: Ledger, fields: Partial<SaleToRecord> & Pick<SaleToRecord, 'amount'>) =>
  (await recordSale(db, aSale(ledger, fields))).id
const attribute = (ledger: Ledger, saleId: string, lead: number) =>
  transaction(db, (tx) => {
    const attribution = { leadId: ledger.leadIds[lead]!, reason: 'theirs' }
    return attributeSale(tx, ownerAuthor(ledger), ledger.account, saleId, attribution)
  })
const enterRate = (ledger: Ledger, currency: string, date: string, rate: number) =>
  transaction(db, async (tx) => {
    await saveExchangeRate(tx, ownerAuthor(ledger), ledger.account, { currency, date, rate })
    return bookAllWaiting(tx, { accountId: ledger.account.id, currency, by: ownerAuthor(ledger) })
  })
const earned = (saleId: string) => db.many<{ amount: number }>`
  select amount from commission_entries where sale_id = ${saleId} order by layer, created_at, id`

test('a commission refused as self-referral stays refused when the exchange rate is entered', async () => {
  const ledger = await aLedger(services, {
    selfReferralPolicy: 'refuse',
    partners: [{}],
    leads: [{ partner: 0, emailOf: 0 }, { partner: 0 }],
  })
  const own = await sell(ledger, { amount: 10_00, currency: 'eur' })
  const other = await sell(ledger, { amount: 10_00, currency: 'eur', leadId: ledger.leadIds[1]! })
  assert.equal(await enterRate(ledger, 'eur', '2026-03-01', 1.1), 2)
  assert.deepEqual(await earned(own), [])
  assert.deepEqual(await earned(other), [{ amount: 1_10 }])
  assert.deepEqual(await verifyLedger(db), [])
})

test('a sale is credited to a partner by hand although its payer was an expired lead of another one', async () => {
  for (const isRegistered of [true, false]) {
    const ledger = await aLedger(services, { partners: [{}, {}], leads: [{ partner: 0 }, { partner: 1 }] })
    const [expired, own] = ledger.leadIds
    const email = `payer-${newId()}@mail.example`
    await db.run`update leads set email = ${email}, status = 'expired' where id = ${expired}`
    if (isRegistered) await db.run`update leads set email = ${email} where id = ${own}`
    const id = await sell(ledger, { amount: 10_00, leadId: null, payerEmail: email })
    const body = { partnerId: ledger.partnerIds[1]!, reason: 'theirs' }
    await transaction(db, (tx) => attributeSale(tx, ownerAuthor(ledger), ledger.account, id, body))
    const sale = await db.one<{ leadId: string; partnerId: string }>`
      select lead_id, partner_id from sales where id = ${id}`
    assert.equal(sale.partnerId, ledger.partnerIds[1])
    assert.equal(sale.leadId === own, isRegistered)
    assert.notEqual(sale.leadId, expired)
  }
  assert.deepEqual(await verifyLedger(db), [])
})

test('a rate books its sales, however many older ones wait for another currency', async () => {
  const ledger = await aLedger(services, { partners: [{}], leads: [{ partner: 0 }] })
  const old = Array.from({ length: 1_001 }, () =>
    aSale(ledger, { amount: 1_00, currency: 'eur', leadId: null, saleDate: '2026-01-05' }),
  )
  await transaction(db, (tx) => recordSales(tx, old))
  const id = await sell(ledger, { amount: 10_00, currency: 'eur', saleDate: '2026-03-02' })
  assert.equal(await enterRate(ledger, 'eur', '2026-03-01', 1.1), 1)
  assert.deepEqual(await earned(id), [{ amount: 1_10 }])
})

test('a rate books the first waiting sales at once, and the queue books the others', async () => {
  const ledger = await aLedger(services, { recurringMonths: 1, rates: ['10'], partners: [{}], leads: [{ partner: 0 }] })
  const accountId = ledger.account.id
  const sold = { amount: 1_00, currency: 'eur', subscriptionId: 'plan' }
  const many = Array.from({ length: 2 * AT_ONCE + 1 }, () => aSale(ledger, sold))
  await transaction(db, (tx) => recordSales(tx, many))
  const waiting = { accountId, currency: 'eur', by: ownerAuthor(ledger) }
  after(() => services.jobs.stop({ graceful: false }))
  const left = async () =>
    (
      await db.one<{ left: number }>`
        select count(*) as left from sales where account_id = ${accountId} and account_amount is null`
    ).left
  await transaction(db, async (tx) => {
    await saveExchangeRate(tx, ownerAuthor(ledger), ledger.account, { currency: 'eur', date: '2026-03-01', rate: 1.1 })
    await bookSomeWaiting(tx, services.jobs, waiting)
  })
  assert.equal(await left(), AT_ONCE + 1)
  const jobs = await db.many<{ data: unknown }>`
    select data from pgboss.job where name = 'waiting-sales' and data->>'accountId' = ${accountId}`
  assert.deepEqual(jobs, [{ data: JSON.parse(JSON.stringify(waiting)) }])
  // a worker that died after one turn starts again
  await transaction(db, (tx) => bookTurn(tx, waiting, NIL))
  assert.equal(await bookAllWaiting(db, waiting), 1)
  assert.equal(await bookAllWaiting(db, waiting), 0)
  assert.equal(await left(), 0)
  assert.deepEqual(await verifyLedger(db), [])
})

test('a sale that would exceed the largest total keeps waiting, and the others are booked', async () => {
  const ledger = await aLedger(services, { rates: ['10'], partners: [{}], leads: [{ partner: 0 }] })
  const amounts = [1_00, 1_000_000_000_000, 2_00, 1_000_000_000_000, 3_00]
  const ids = []
  for (const amount of amounts) ids.push(await sell(ledger, { amount, currency: 'gbp' }))
  assert.equal(await enterRate(ledger, 'gbp', '2026-03-01', 999), 4)
  assert.deepEqual(await Promise.all(ids.map(async (id) => (await earned(id)).length)), [1, 1, 1, 0, 1])
  assert.deepEqual(await verifyLedger(db), [])
})

test('a sale added to a lead late gets its next number, and counts only there', async () => {
  const ledger = await aLedger(services, { partners: [{}], leads: [{ partner: 0 }, { partner: null }] })
  await sell(ledger, { amount: 10_00 })
  const stray = await sell(ledger, { amount: 20_00, leadId: ledger.leadIds[1]! })
  await attribute(ledger, stray, 0)
  const sales = await db.many`
    select amount, sequence, lead_id from sales where account_id = ${ledger.account.id} order by sequence`
  const leadId = ledger.leadIds[0]
  assert.deepEqual(sales, [
    { amount: 10_00, sequence: 1, leadId },
    { amount: 20_00, sequence: 2, leadId },
  ])
  const leads = await db.many`
    select l.status, s.sales, s.revenue from leads l left join lead_stats s on s.lead_id = l.id
    where l.account_id = ${ledger.account.id} order by l.partner_id nulls last`
  assert.deepEqual(leads, [
    { status: 'won', sales: 2, revenue: 30_00 },
    { status: 'qualified', sales: 0, revenue: 0 },
  ])
  assert.deepEqual(await verifyLedger(db), [])
})

test('refunds from before the attribution are earned and reversed at once', async () => {
  const ledger = await aLedger(services, { partners: [{}], leads: [{ partner: 0 }] })
  const id = await sell(ledger, { amount: 33_33, leadId: null })
  for (const [amount, status] of [
    [11_11, 'succeeded'],
    [11_11, 'failed'],
    [5_00, 'pending'],
  ] as const)
    await transaction(db, (tx) => {
      const report = { kind: 'refund', externalId: newId(), amount, status, reason: null, at: new Date() } as const
      return applyRefund(tx, system, ledger.account, id, report)
    })
  await attribute(ledger, id, 0)
  // 333 less a third of it, and 161 in all after 16.11 of 33.33 are lost
  assert.deepEqual(await earned(id), [{ amount: 3_33 }, { amount: -1_11 }, { amount: -50 }])
  assert.deepEqual(await verifyLedger(db), [])
})

test('a sale that is attributed later has its place among its customer’s, and moves the others', async () => {
  const ledger = await aLedger(services, { partners: [{}], leads: [{ partner: 0 }] })
  const { account } = ledger
  const first: TermsRule = { name: null, on: 'sale', when: { firstPayments: 1 }, layerRates: [50] }
  await transaction(db, async (tx) => {
    await blockBookings(tx, account.id)
    const terms = { rules: [first], otherwise: { layerRates: [10] }, maxPerCustomer: null, maxPerMonth: null }
    const subject = { kind: 'account', id: account.id } as const
    await saveTerms(tx, system, account.id, subject, { terms, appliesTo: 'all-sales' })
  })
  const unknown = await sell(ledger, { amount: 100_00, leadId: null, saleDate: '2026-03-01' })
  const known = await sell(ledger, { amount: 200_00, saleDate: '2026-03-02' })
  assert.deepEqual(await earned(known), [{ amount: 100_00 }])
  await attribute(ledger, unknown, 0)
  assert.deepEqual(await earned(unknown), [{ amount: 50_00 }])
  assert.deepEqual(await earned(known), [{ amount: 100_00 }, { amount: -80_00 }])
  assert.deepEqual(await verifyLedger(db), [])
})

test('a report about a sale of zero is stored and changes nothing', async () => {
  const ledger = await aLedger(services, { partners: [{}], leads: [{ partner: 0 }] })
  const id = await sell(ledger, { amount: 0 })
  await transaction(db, (tx) => {
    const report = {
      kind: 'dispute',
      externalId: 'd',
      amount: 5,
      status: 'pending',
      reason: null,
      at: new Date(),
    } as const
    return applyRefund(tx, system, ledger.account, id, report)
  })
  const sale = await db.one`select status, refunded_amount from sales where id = ${id}`
  assert.deepEqual(sale, { status: 'disputed', refundedAmount: 0 })
  assert.deepEqual(await verifyLedger(db), [])
})
