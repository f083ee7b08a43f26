import type { Terms } from '#contract/terms.ts'
import type { Transaction } from '../../platform/database/pool.ts'
import { sql } from '../../platform/database/sql.ts'
import { type PlannedSale, rulesByMetadata, type SaleTerms } from '../terms/plan.ts'
import { plannedColumns } from '../terms/planned-sales.ts'

type Sale = PlannedSale & { id: string; credit: SaleTerms; terms: Terms | null }

/**
 * Stores the rules that paid these sales before the metadata that the rules need is erased: later refunds and
 * `verify-ledger` use the stored ones.
 */
export async function saveMatchedRules(tx: Transaction, accountId: string, saleIds: string[]): Promise<void> {
  const sales = await tx.many<Sale>`
    select t.id, ${plannedColumns(sql`${accountId}::uuid`)} from sales t
    where t.account_id = ${accountId} and t.id = any(${saleIds}::uuid[]) and t.credit is not null
      and not t.credit ? 'ratesPpm' and not t.credit ? 'matched'
    order by t.id for update of t`
  const kept = sales.flatMap((sale) => {
    const matched = rulesByMetadata({ ...sale, accountAmount: sale.accountAmount ?? 0 }, sale.credit, sale.terms)
    return matched ? [{ id: sale.id, matched: JSON.stringify(matched) }] : []
  })
  if (kept.length === 0) return
  await tx.run`
    update sales s set credit = s.credit || jsonb_build_object('matched', k.matched::jsonb)
    from unnest(${kept.map(({ id }) => id)}::uuid[], ${kept.map(({ matched }) => matched)}::text[]) as k (id, matched)
    where s.account_id = ${accountId} and s.id = k.id`
}
