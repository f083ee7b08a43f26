import type { Terms } from '#contract/terms.ts'
import type { Queryable } from '../../../platform/database/pool.ts'
import { sql } from '../../../platform/database/sql.ts'
import type { RefundOfLines } from '../../terms/lines.ts'
import { layersAfter, type PlannedSale, type SaleTerms } from '../../terms/plan.ts'
import { countedRefunds, plannedColumns } from '../../terms/planned-sales.ts'
import { losses } from './sales.ts'

export const PARTS = 'every layer has what the rules of its sale’s terms pay, less the losses of the lines'

type CheckedSale = PlannedSale & {
  id: string
  accountId: string
  credited: boolean
  credit: SaleTerms
  terms: Terms
  lost: number
  refunds: RefundOfLines[]
  entries: { layer: number; partnerId: string; amount: number }[]
}

/** Sales read at once. */
const AT_ONCE = 500

/** Recomputes the sales that were credited by rules or amounts, with the functions that booked them. */
export async function checkParts(db: Queryable) {
  const differences: { subject: string; expected: string; actual: string }[] = []
  let after: { id: string; accountId: string } | undefined
  for (;;) {
    const sales = await salesAfter(db, after)
    for (const sale of sales) differences.push(...differencesOf(sale))
    after = sales.at(-1)
    if (sales.length < AT_ONCE) return differences
  }
}

const salesAfter = (db: Queryable, after: { id: string; accountId: string } | undefined) => db.many<CheckedSale>`
  select t.id, t.credited, t.lost, ${plannedColumns(sql`t.account_id`)}, coalesce(${countedRefunds(sql`t.account_id`, sql`t`)}, '[]') as refunds,
    coalesce((select jsonb_agg(jsonb_build_object('layer', e.layer, 'partnerId', e.partner_id, 'amount', e.amount))
      from commission_entries e where e.account_id = t.account_id and e.sale_id = t.id), '[]') as entries
  from (${losses}) t
  where not t.credit ? 'ratesPpm' ${after ? sql`and (t.account_id, t.id) > (${after.accountId}, ${after.id})` : sql``}
  order by t.account_id, t.id limit ${AT_ONCE}`

function differencesOf(sale: CheckedSale) {
  const layers = layersAfter(sale, sale.credit, sale.terms, sale)
  const expected = new Map(layers.map((layer) => [`${layer.layer} ${layer.partnerId}`, sale.credited ? layer.kept : 0]))
  const actual = new Map<string, number>()
  for (const { layer, partnerId, amount } of sale.entries) {
    const key = `${layer} ${partnerId}`
    actual.set(key, (actual.get(key) ?? 0) + amount)
  }
  return [...new Set([...expected.keys(), ...actual.keys()])].flatMap((key) => {
    const [wanted, has] = [expected.get(key) ?? 0, actual.get(key) ?? 0]
    return wanted === has ? [] : [{ subject: `${sale.id} layer ${key}`, expected: String(wanted), actual: String(has) }]
  })
}
