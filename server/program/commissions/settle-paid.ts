import type { By } from '../../platform/author.ts'
import type { Transaction } from '../../platform/database/pool.ts'
import { refusal } from '../../platform/refusal.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import { adjustAll } from './adjustments.ts'

const PAID_BEFORE = 'Paid before the import'

/** An adjustment that subtracted an amount paid elsewhere from a balance, or restored it. */
export type Settlement = { id: string; amount: number }

/** The paid part of sales: all of them, one partner's commission on one, or the reversal by a refund of one. */
type Paid = { saleIds: string[]; partnerId?: string | null; refundId?: string | null }

/**
 * Subtracts these sales' earnings from the balances of partners who were paid before the import, on their due date
 * (docs/decisions/0013-what-others-paid.md). Returns the adjustments by sale.
 */
export async function settlePaid(
  tx: Transaction,
  by: By,
  account: AccountFacts,
  { saleIds, partnerId = null, refundId = null }: Paid,
): Promise<Map<string, Settlement[]>> {
  const earned = await tx.many<{ saleId: string; partnerId: string; amount: number; availableAt: string }>`
    select sale_id, partner_id, sum(amount)::bigint as amount, available_at from commission_entries
    where account_id = ${account.id} and sale_id = any(${saleIds}::uuid[])
      and (${partnerId}::uuid is null or partner_id = ${partnerId}) and (${refundId}::uuid is null or refund_id = ${refundId})
    group by sale_id, partner_id, available_at having sum(amount) <> 0 order by sale_id, partner_id, available_at`
  const ids = await adjustAll(
    tx,
    by,
    account,
    earned.map(({ saleId: settlesSaleId, partnerId, amount, availableAt }) => ({
      settlesSaleId,
      availableAt,
      partnerId,
      amount: -amount,
      reason: PAID_BEFORE,
    })),
  )
  const bySale = Map.groupBy(earned.keys(), (at) => earned[at]!.saleId)
  return new Map(
    [...bySale].map(([saleId, places]) => [
      saleId,
      places.map((at) => ({ id: ids[at]!, amount: -earned[at]!.amount })),
    ]),
  )
}

/**
 * Undoes the settlements of a sale, or of one partner's commission on it; or only these. Earlier undoing counts against
 * it. Refuses: `invalid_state` if any of it is in an approved payout.
 */
export async function takeBackSettlements(
  tx: Transaction,
  by: By,
  account: AccountFacts,
  {
    saleId,
    partnerId = null,
    adjustmentIds = null,
  }: { saleId: string; partnerId?: string | null; adjustmentIds?: string[] | null },
) {
  const settled = await tx.many<{ partnerId: string; amount: number; availableAt: string; used: boolean }>`
    select e.partner_id, sum(e.amount)::bigint as amount, e.available_at, bool_or(exists (select from payout_entries b
      where b.account_id = ${account.id} and b.entry_id = e.id and b.live)) as used
    from commission_entries e
    where e.account_id = ${account.id} and e.settles_sale_id = ${saleId}
      and (${partnerId}::uuid is null or e.partner_id = ${partnerId})
      and (${adjustmentIds}::uuid[] is null or e.id = any(${adjustmentIds}::uuid[]))
    group by e.partner_id, e.available_at having sum(e.amount) <> 0 order by e.partner_id, e.available_at`
  if (settled.some(({ used }) => used)) throw refusal('import_paid_from')
  await adjustAll(
    tx,
    by,
    account,
    settled.map(({ partnerId, amount, availableAt }) => ({
      settlesSaleId: saleId,
      availableAt,
      partnerId,
      amount: -amount,
      reason: 'Import undone',
    })),
  )
}
