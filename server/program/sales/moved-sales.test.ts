import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aLedger, aSale, ledgerServices, ownerAuthor } from '../../../test/support/ledger.ts'
import { freshDatabase } from '../../../test/support/postgres.ts'
import { system } from '../../platform/author.ts'
import { transaction } from '../../platform/database/pool.ts'
import { blockBookings } from '../access/lock-accounts.ts'
import { verifyLedger } from '../stats/verify.ts'
import { saveTerms } from '../terms/save-terms.ts'
import { correctSubscription } from './correct-sale.ts'
import { recordSale } from './record-sale.ts'
import { deleteLeadOfImportedSale, undoImportedSale } from './undo-imported-sale.ts'

const db = await freshDatabase()
const services = ledgerServices(db)

test('an undone import leaves void sales of no customer, with the entries by which they moved one another', async () => {
  const ledger = await aLedger(services, { partners: [{}], leads: [{ partner: 0 }] })
  const { account, leadIds } = ledger
  const by = ownerAuthor(ledger)
  await transaction(db, async (tx) => {
    await blockBookings(tx, account.id)
    const rules = [{ name: null, on: 'sale' as const, when: { firstPayments: 1 }, layerRates: [30] }]
    const terms = { rules, otherwise: { layerRates: [10] }, maxPerCustomer: null, maxPerMonth: null }
    await saveTerms(tx, system, account.id, { kind: 'account', id: account.id }, { terms, appliesTo: 'all-sales' })
  })
  const sales = ['2026-03-02', '2026-03-05'].map((saleDate) =>
    aSale(ledger, { amount: 100, provider: 'import', saleDate }),
  )
  const ids: string[] = []
  for (const sale of sales) ids.push((await recordSale(db, sale)).id)
  await transaction(db, async (tx) => {
    for (const id of ids) await undoImportedSale(tx, by, account, id)
    await deleteLeadOfImportedSale(tx, by, account, leadIds[0]!)
  })
  assert.deepEqual(await verifyLedger(db), [])
})

test('a payment that moved others may be of another subscription by now', async () => {
  const ledger = await aLedger(services, { recurringMonths: 1, partners: [{}], leads: [{ partner: 0 }] })
  await recordSale(db, aSale(ledger, { amount: 100, subscriptionId: 'sub_1', saleDate: '2026-03-01' }))
  const { id } = await recordSale(db, aSale(ledger, { amount: 100, subscriptionId: 'sub_1', saleDate: '2026-01-01' }))
  await transaction(db, (tx) => correctSubscription(tx, ledger.account, id, 'sub_2'))
  assert.deepEqual(await verifyLedger(db), [])
})
