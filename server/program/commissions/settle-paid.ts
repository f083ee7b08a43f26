import type { Author } from '../../platform/author.ts'
import type { Transaction } from '../../platform/database/pool.ts'
import { refusal } from '../../platform/refusal.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import { adjustAll } from './adjustments.ts'
import { entryReasons } from './text.ts'
import { voidOfSales } from './voided.ts'

/** An adjustment that subtracted an amount paid elsewhere from a balance, or restored it. */
export type Settlement = { id: string; amount: number }

type Earned = { saleId: string; partnerId: string; amount: number; availableAt: string }

/** The paid part of sales: all of them, one partner's commission on one, or the reversal by a refund of one. */
type Paid = { saleIds: string[]; partnerId?: string | null; refundId?: string | null }

/**
 * Subtracts these sales' earnings from the balances of partners who were paid before the import, on their due date
 * (docs/decisions/0013-imported-payouts.md), but not the void part of a commission. Returns the adjustments by sale.
 */
export async function settlePaid(
  tx: Transaction,
  by: Author,
  account: AccountFacts,
  { saleIds, partnerId = null, refundId = null }: Paid,
): Promise<Map<string, Settlement[]>> {
  const earned = await tx.many<Earned>`
    select sale_id, partner_id, sum(amount)::bigint as amount, available_at from commission_entries
    where account_id = ${account.id} and sale_id = any(${saleIds}::uuid[])
      and (${partnerId}::uuid is null or partner_id = ${partnerId}) and (${refundId}::uuid is null or refund_id = ${refundId})
    group by sale_id, partner_id, available_at having sum(amount) <> 0 order by sale_id, partner_id, available_at`
  const paid = withoutVoid(earned, await voidOfSales(tx, account.id, saleIds))
  const ids = await adjustAll(
    tx,
    by,
    account,
    paid.map(({ saleId: settlesSaleId, partnerId, amount, availableAt }) => ({
      settlesSaleId,
      availableAt,
      partnerId,
      amount: -amount,
      reason: entryReasons.paidBeforeImport,
    })),
  )
  const bySale = Map.groupBy(paid.keys(), (at) => paid[at]!.saleId)
  return new Map(
    [...bySale].map(([saleId, places]) => [saleId, places.map((at) => ({ id: ids[at]!, amount: -paid[at]!.amount }))]),
  )
}

/** Leaves out void parts, which an adjustment of their own has already offset. */
function withoutVoid(earned: Earned[], voided: Awaited<ReturnType<typeof voidOfSales>>): Earned[] {
  if (voided.length === 0) return earned
  const keyOf = ({ saleId, partnerId }: Pick<Earned, 'saleId' | 'partnerId'>) => `${saleId} ${partnerId}`
  const voidOf = new Map(voided.map((one) => [keyOf(one), one]))
  return [...Map.groupBy(earned, keyOf)].flatMap(([key, own]) => {
    const known = voidOf.get(key)
    if (!known) return own
    const { worth, kept } = known
    const was = worth - own.reduce((sum, one) => sum + one.amount, 0)
    const amount = Math.min(worth, kept) - Math.min(was, kept)
    return amount === 0 ? [] : [{ ...own[0]!, amount }]
  })
}

/**
 * Undoes the settlements of a sale, or of one partner's commission on it; or only these. Earlier undoing counts against
 * it. Refuses: `invalid_state` if any of it is in an approved payout.
 */
export async function undoSettlements(
  tx: Transaction,
  by: Author,
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
      reason: entryReasons.importUndone,
    })),
  )
}
