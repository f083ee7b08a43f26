import type { Transaction } from '../../platform/database/pool.ts'
import { dayIn } from '../../platform/time/days.ts'
import { lostShare } from '../terms/plan.ts'
import { lostAmount, type RefundRow, reducesSale, type SaleRow } from './sale-state.ts'

/** Returns the refunds with the revenue they subtract from the sale; the difference goes to the last ones. */
export function rescaleRefunds(sale: SaleRow, known: RefundRow[], timeZone: string): RefundRow[] {
  const refunds = known.map((refund) => ({ ...refund }))
  const taken = refunds.reduce((sum, refund) => sum + refund.accountAmount - refund.restoredAmount, 0)
  let missing = lostShare(sale.accountAmount ?? 0, lostAmount(sale, refunds), sale.grossAmount) - taken
  const bearers = missing > 0 ? refunds.filter(reducesSale) : refunds
  for (const refund of bearers.toReversed()) {
    const change = Math.max(missing, refund.restoredAmount - refund.accountAmount)
    if (change === 0) continue
    refund.accountAmount += change
    refund.countedOn ??= dayIn(timeZone, new Date(refund.at))
    missing -= change
  }
  return refunds
}

type Correction = { id: string; before: SaleRow; after: SaleRow; reason: string; actor: string | null }

/** Stores a sale's amounts before and after a change, or the unchanged ones if a refund or a share was corrected. */
export const insertCorrection = (tx: Transaction, { id, before, after, reason, actor }: Correction) => tx.run`
  insert into sale_corrections (id, account_id, sale_id, amount_before, tax_amount_before, gross_amount_before,
    account_amount_before, amount, tax_amount, gross_amount, account_amount, reason, actor, created_at)
  values (${id}, ${after.accountId}, ${after.id}, ${before.amount}, ${before.taxAmount}, ${before.grossAmount},
    ${before.accountAmount}, ${after.amount}, ${after.taxAmount}, ${after.grossAmount}, ${after.accountAmount}, ${reason},
    ${actor}, ${tx.now})`
