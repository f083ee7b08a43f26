import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aLedger, ledgerServices, ownerAuthor } from '../../../test/support/ledger.ts'
import { freshDatabase } from '../../../test/support/postgres.ts'
import { type Transaction, transaction } from '../../platform/database/pool.ts'
import { verifyLedger } from '../stats/verify.ts'
import { correctSale } from './correct-sale.ts'
import { importRefund, undoImportedRefund } from './import-refund.ts'
import { importSales } from './import-sales.ts'
import { importShare, undoImportedShare } from './import-share.ts'

const db = await freshDatabase()
const services = ledgerServices(db)
const within = <T>(work: (tx: Transaction) => Promise<T>) => transaction(db, work)

/** An imported sale of 100.00 with a commission of 20.00, of which another partner is given a share. */
async function anImportedSale() {
  const ledger = await aLedger(services, { partners: [{}, {}] })
  const { account, partnerIds } = ledger
  const by = ownerAuthor(ledger)
  const emails = await db.many<{ email: string }>`
    select email from partners where id = any(${partnerIds}::uuid[]) order by array_position(${partnerIds}::uuid[], id)`
  const [referrer, other] = emails.map(({ email }) => ({ partnerEmail: email }))
  const paid = { amount: 100_00, taxAmount: 0, grossAmount: 100_00, saleDate: '2026-03-02', commission: 20_00 }
  const row = {
    ...referrer,
    ...paid,
    externalId: 'order-1',
    email: 'ada@c.example',
    paid: false,
    settled: false,
    nth: 0,
    nthPlain: 0,
  }
  const [sale] = await within((tx) => importSales(tx, by, account, [row]))
  assert.ok(sale && 'saleId' in sale)
  const { saleId } = sale
  return {
    share: (commission: number) =>
      within((tx) => {
        const named = { ...referrer, externalId: 'order-1' }
        return importShare(tx, by, account, { sale: named, partner: other!, commission, settled: false })
      }),
    correct: (amount: number) =>
      within((tx) => {
        const reported = { amount, taxAmount: 0, grossAmount: amount, currency: 'usd' }
        return correctSale(tx, by, account, saleId, { reported, source: 'Stripe' })
      }),
    undoShare: () => within((tx) => undoImportedShare(tx, by, account, { saleId, partnerId: partnerIds[1]! })),
    async refund(amount: number) {
      const refundRow = {
        names: ['order-1'],
        ownId: 'refund-1',
        partner: {},
        amount,
        grossAmount: amount,
        currency: 'usd',
      }
      const rest = { isTotal: false, day: '2026-03-03', nth: 0, settled: false, refunders: [] }
      const refund = await within((tx) => importRefund(tx, by, account, { ...refundRow, ...rest }))
      return () =>
        within((tx) => undoImportedRefund(tx, by, account, { refundId: refund!.refundId, adjustmentIds: [] }))
    },
    async owed() {
      const [row] = await db.many<{ sum: number }>`
        select coalesce(sum(amount), 0)::bigint as sum from commission_entries
        where sale_id = ${saleId} and partner_id = ${partnerIds[1]}`
      return row!.sum
    },
  }
}

test('a share of a sale that was refunded before is owed as far as the sale keeps, and whole once the refund is undone', async () => {
  for (const refunded of [40_00, 100_00]) {
    const sale = await anImportedSale()
    const undoRefund = await sale.refund(refunded)
    await sale.share(10_00)
    assert.equal(await sale.owed(), refunded === 40_00 ? 6_00 : 0)
    await undoRefund()
    assert.equal(await sale.owed(), 10_00)
  }
  assert.deepEqual(await verifyLedger(db), [])
})

test('a share is imported and undone any number of times', async () => {
  const sale = await anImportedSale()
  for (const [commission, refunded] of [[10_00], [10_00], [30_00], [5_00, 50_00], [10_00]] as const) {
    await sale.share(commission)
    assert.equal(await sale.owed(), commission)
    const undoRefund = refunded && (await sale.refund(refunded))
    if (undoRefund) assert.equal(await sale.owed(), 2_50)
    await sale.undoShare()
    assert.equal(await sale.owed(), 0)
    if (undoRefund) await undoRefund()
    assert.equal(await sale.owed(), 0)
    assert.deepEqual(await verifyLedger(db), [])
  }
})

test('a share of a sale that was corrected before is of its present amount', async () => {
  for (const [amount, commission] of [
    [0, null],
    [1, 1],
    [33_33, 26_66],
    [3000_00, 2400_00],
  ] as const) {
    const sale = await anImportedSale()
    await sale.correct(amount)
    await assert.rejects(sale.share((commission ?? 0) + 1), 'more than is left')
    if (commission === null) continue
    await sale.share(commission)
    assert.equal(await sale.owed(), commission)
    await sale.correct(2 * amount)
    assert.equal(await sale.owed(), 2 * commission)
    await sale.undoShare()
    await sale.share(1)
    assert.equal(await sale.owed(), 1)
  }
  assert.deepEqual(await verifyLedger(db), [])
})
