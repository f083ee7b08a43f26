import { simpleTerms } from '#contract/simple-terms.ts'
import type { Terms } from '#contract/terms.ts'
import { system } from '../../server/platform/author.ts'
import { newId } from '../../server/platform/database/ids.ts'
import { type Database, transaction } from '../../server/platform/database/pool.ts'
import { blockBookings } from '../../server/program/access/lock-accounts.ts'
import { addAdjustment } from '../../server/program/commissions/adjustments.ts'
import { createGoal } from '../../server/program/groups/goals.ts'
import { createGroup } from '../../server/program/groups/groups.ts'
import { judgeGoals } from '../../server/program/groups/run-goals.ts'
import { changeInvoicing } from '../../server/program/invoices/invoicing.ts'
import { saveInvoiceDetails } from '../../server/program/invoicing/details.ts'
import { approvePayout } from '../../server/program/payouts/approve.ts'
import { gatherPayouts } from '../../server/program/payouts/gather-payouts.ts'
import { markPayoutPaid } from '../../server/program/payouts/mark-paid.ts'
import { voidSale } from '../../server/program/sales/change-sale.ts'
import { correctSale } from '../../server/program/sales/correct-sale.ts'
import { saveExchangeRate } from '../../server/program/sales/exchange-rates.ts'
import { recordSale } from '../../server/program/sales/record-sale.ts'
import { applyRefund } from '../../server/program/sales/refund-sale.ts'
import { moveToGroup } from '../../server/program/terms/moves.ts'
import { saveTerms } from '../../server/program/terms/save-terms.ts'
import { acme, hamburg } from './invoices.ts'
import { aLedger, aSale, ledgerServices, ownerAuthor } from './ledger.ts'

const byRules: Terms = {
  rules: [
    { name: null, on: 'sale', when: { firstPayments: 1 }, layerAmounts: [10_00] },
    { name: null, on: 'new-customer', when: {}, layerAmounts: [7_00] },
  ],
  otherwise: { layerRates: [5] },
  maxPerCustomer: 1_000_00,
  maxPerMonth: 100_000_00,
}

/** One account with a little of everything: paid, approved, refunded, disputed, void, foreign, by rules, for a lead, for a goal, by hand. */
export async function ledgerHistory(db: Database) {
  const services = ledgerServices(db)
  const ledger = await aLedger(services, {
    rates: ['7.5', '2.5'],
    partners: [{}, { parent: 0 }],
    leads: [{ partner: 1, blueprint: true }, { partner: 0 }, { partner: null }, { partner: 0 }],
  })
  const { account, actor, partnerIds, leadIds } = ledger
  const by = ownerAuthor(ledger)
  const sell = async (leadId: string | null, amount = 33_33, currency = 'usd') =>
    (await recordSale(db, { ...aSale(ledger, { amount, taxAmount: 6_33, leadId }), currency })).id
  const report = (saleId: string, kind: 'refund' | 'dispute', amount: number, status: 'pending' | 'succeeded') =>
    transaction(db, (tx) => {
      const reported = { kind, externalId: newId(), amount, status, reason: null, at: new Date() } as const
      return applyRefund(tx, system, account, saleId, reported)
    })

  const details = { ...hamburg, agreed: true } as const
  const place = { accountId: account.id, partnerId: partnerIds[1]!, accountName: 'Acme' }
  await transaction(db, (tx) => changeInvoicing(tx, by, account.id, { ...acme, enabled: true }))
  await transaction(db, (tx) => saveInvoiceDetails(tx, by, place, details))
  const paidSale = await sell(leadIds[0]!)
  await transaction(db, (tx) => gatherPayouts(tx, account))
  const payouts = await db.many<{ id: string }>`
    select id from payouts where account_id = ${account.id} order by partner_id = ${partnerIds[1]} desc`
  const [paidPayout, approvedPayout] = payouts.map((row) => row.id)
  await transaction(db, (tx) => markPayoutPaid(tx, actor, account, paidPayout!, { reference: 'bank 17' }))
  await transaction(db, (tx) => approvePayout(tx, services, actor, account, approvedPayout!))
  const refundedSale = await sell(leadIds[0]!)
  const refund = await report(refundedSale, 'refund', 13_22, 'succeeded')
  // refunded after its commission was paid
  await report(paidSale, 'refund', 9_99, 'succeeded')
  const disputedSale = await sell(leadIds[1]!)
  await report(disputedSale, 'dispute', 39_66, 'pending')
  const voidedSale = await sell(leadIds[1]!)
  await transaction(db, (tx) => voidSale(tx, by, account, voidedSale, 'a mistake'))
  await transaction(db, (tx) =>
    saveExchangeRate(tx, by, account, { currency: 'eur', date: '2026-03-01', rate: 1.0875 }),
  )
  const correctedSale = await sell(leadIds[0]!)
  await transaction(db, (tx) => {
    const reported = { amount: 50_00, taxAmount: 0, grossAmount: 50_00, currency: 'usd' }
    return correctSale(tx, system, account, correctedSale, { reported, source: 'the provider' })
  })
  const foreignSale = await sell(leadIds[1]!, 40_05, 'eur')
  await transaction(db, async (tx) => {
    await blockBookings(tx, account.id)
    await saveTerms(
      tx,
      by,
      account.id,
      { kind: 'partner', id: partnerIds[0]! },
      { terms: byRules, appliesTo: 'all-sales' },
    )
  })
  await transaction(db, async (tx) => {
    const { id: groupId } = await createGroup(tx, by, account.id, {
      name: 'Gold',
      terms: simpleTerms({ layerRates: [12] }),
    })
    await moveToGroup(tx, by, account.id, partnerIds[1]!, { groupId, appliesTo: 'all-sales' })
  })
  const groupSale = await sell(leadIds[0]!)
  const ruledSale = await sell(leadIds[3]!)
  const nobodysSale = await sell(leadIds[2]!)
  await transaction(db, (tx) =>
    createGoal(tx, by, account, account.id, {
      ...{ name: 'First sales', metric: 'revenue', window: 'all-time', atLeast: 10_00, bonus: 9_00 },
    }),
  )
  await judgeGoals(account, services)
  await transaction(db, (tx) => addAdjustment(tx, by, account, partnerIds[0]!, { amount: 5_00, reason: 'agreed' }))
  await transaction(db, (tx) => gatherPayouts(tx, account))
  const sales = {
    paidSale,
    refundedSale,
    disputedSale,
    voidedSale,
    foreignSale,
    nobodysSale,
    correctedSale,
    ruledSale,
    groupSale,
  }
  return { ...ledger, ...sales, refund, paidPayout: paidPayout!, approvedPayout: approvedPayout! }
}
