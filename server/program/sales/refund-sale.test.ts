import assert from 'node:assert/strict'
import { test } from 'node:test'
import { moneyInWords } from '#contract/money.ts'
import { paymentProviderNames, saleProviders } from '#contract/sales.ts'
import { aLedger, aSale, byOwner, ledgerServices } from '../../../test/support/ledger.ts'
import { freshDatabase } from '../../../test/support/postgres.ts'
import { transaction } from '../../platform/database/pool.ts'
import { verifyLedger } from '../stats/verify.ts'
import { recordSale } from './record-sale.ts'
import { refundByHand } from './refund-sale.ts'

const db = await freshDatabase()
const services = ledgerServices(db)

test('forints refunded in quarters are refunded to the last fillér', async () => {
  const ledger = await aLedger(services, {
    currency: 'huf',
    rates: ['7.5', '2.5'],
    partners: [{}, { parent: 0 }],
    leads: [{ partner: 1 }],
  })
  const { id } = await recordSale(db, aSale(ledger, { amount: 1_001_60, provider: 'api' }))
  assert.equal(moneyInWords(1_001_60, 'huf'), 'Ft\u00a01,001.60')
  const quarter = { amount: 250_40, reason: 'a quarter' }
  const after = async () =>
    db.one<{ status: string; refunded: number; left: number }>`
      select status, refunded_amount as refunded,
        (select sum(amount)::bigint from commission_entries where sale_id = s.id) as left
      from sales s where id = ${id}`
  for (const refunded of [250_40, 500_80, 751_20]) {
    await transaction(db, (tx) => refundByHand(tx, byOwner(ledger), ledger.account, id, quarter))
    assert.deepEqual([(await after()).status, (await after()).refunded], ['partially-refunded', refunded])
  }
  await transaction(db, (tx) => refundByHand(tx, byOwner(ledger), ledger.account, id, quarter))
  assert.deepEqual(await after(), { status: 'refunded', refunded: 1_001_60, left: 0 })
  assert.deepEqual(await verifyLedger(db), [])
})

test('a sale is refunded by hand unless a payment provider of the contract took the money', async () => {
  const ledger = await aLedger(services, { currency: 'usd', rates: ['20'], partners: [{}], leads: [{ partner: 0 }] })
  for (const provider of saleProviders) {
    const { id } = await recordSale(db, aSale(ledger, { amount: 10_00, provider, externalId: provider }))
    const refund = transaction(db, (tx) => refundByHand(tx, byOwner(ledger), ledger.account, id, { reason: 'a test' }))
    if (provider in paymentProviderNames)
      await assert.rejects(refund, { code: 'invalid_state', message: /^This sale came from .+\. Refund it there/ })
    else assert.equal((await refund).created, true)
  }
})
