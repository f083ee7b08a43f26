import assert from 'node:assert/strict'
import { test } from 'node:test'
import { moneyInWords } from '#contract/money.ts'
import { paymentProviderNames, saleProviders } from '#contract/sales.ts'
import type { Terms } from '#contract/terms.ts'
import { aLedger, aSale, ledgerServices, ownerAuthor } from '../../../test/support/ledger.ts'
import { freshDatabase } from '../../../test/support/postgres.ts'
import { system } from '../../platform/author.ts'
import { transaction } from '../../platform/database/pool.ts'
import { blockBookings } from '../access/lock-accounts.ts'
import { verifyLedger } from '../stats/verify.ts'
import { saveTerms } from '../terms/save-terms.ts'
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
    await transaction(db, (tx) => refundByHand(tx, ownerAuthor(ledger), ledger.account, id, quarter))
    assert.deepEqual([(await after()).status, (await after()).refunded], ['partially-refunded', refunded])
  }
  await transaction(db, (tx) => refundByHand(tx, ownerAuthor(ledger), ledger.account, id, quarter))
  assert.deepEqual(await after(), { status: 'refunded', refunded: 1_001_60, left: 0 })
  assert.deepEqual(await verifyLedger(db), [])
})

test('a sale is refunded by hand unless a payment provider of the contract took the money', async () => {
  const ledger = await aLedger(services, { currency: 'usd', rates: ['20'], partners: [{}], leads: [{ partner: 0 }] })
  for (const provider of saleProviders) {
    const { id } = await recordSale(db, aSale(ledger, { amount: 10_00, provider, externalId: provider }))
    const refund = transaction(db, (tx) =>
      refundByHand(tx, ownerAuthor(ledger), ledger.account, id, { reason: 'a test' }),
    )
    if (provider in paymentProviderNames)
      await assert.rejects(refund, { code: 'invalid_state', message: /^This sale came from .+\. Refund it there/ })
    else assert.equal((await refund).created, true)
  }
})

test('a payment of tax alone makes no customer, also when a part of it is refunded', async () => {
  const ledger = await aLedger(services, { partners: [{}], leads: [{ partner: 0 }] })
  const { account } = ledger
  await transaction(db, async (tx) => {
    await blockBookings(tx, account.id)
    const terms: Terms = {
      rules: [{ name: null, on: 'new-customer', when: {}, layerAmounts: [100_00] }],
      ...{ otherwise: { layerRates: [10] }, maxPerCustomer: null, maxPerMonth: null },
    }
    await saveTerms(tx, system, account.id, { kind: 'account', id: account.id }, { terms, appliesTo: 'all-sales' })
  })
  const { id } = await recordSale(db, aSale(ledger, { amount: 0, taxAmount: 5_00, provider: 'api' }))
  await transaction(db, (tx) =>
    refundByHand(tx, ownerAuthor(ledger), account, id, { amount: 1_00, reason: 'wrong tax' }),
  )
  const lead = await db.one`
    select l.status, (select count(*) from commission_entries where account_id = l.account_id) as entries
    from leads l where l.id = ${ledger.leadIds[0]}`
  assert.deepEqual(lead, { status: 'new', entries: 0 })
  assert.deepEqual(await verifyLedger(db), [])
})
