import type { RefundLine } from '#contract/sales.ts'
import type { Terms } from '#contract/terms.ts'
import type { Queryable } from '../../../platform/database/pool.ts'
import { sql } from '../../../platform/database/sql.ts'
import { lostByLine } from '../../terms/lines.ts'
import { layersOf, type PlannedSale, planOf, type SaleTerms } from '../../terms/plan.ts'
import { losses } from './sales.ts'

export const PARTS = 'every layer has what the rules of its sale’s terms pay, less the losses of the lines'

type CheckedSale = PlannedSale & {
  id: string
  accountId: string
  credited: boolean
  credit: SaleTerms
  terms: Terms
  lost: number
  refunds: { amount: number; lines: RefundLine[] | null }[]
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
  select s.id, s.account_id, s.amount, s.gross_amount, coalesce(s.account_amount, 0) as account_amount, s.sale_date, s.lines,
    s.country, s.partner_code, s.metadata, s.customer_place, s.customer_since, s.credited, s.credit, s.lost,
    (select l.terms from terms_log l where l.account_id = s.account_id and l.number = (s.credit ->> 'number')::integer) as terms,
    coalesce((select jsonb_agg(jsonb_build_object('amount', r.amount, 'lines', r.lines)) from refunds r
      where r.account_id = s.account_id and r.sale_id = s.id
        and (r.status = 'succeeded' or (r.kind = 'refund' and r.status = 'pending'))), '[]') as refunds,
    coalesce((select jsonb_agg(jsonb_build_object('layer', e.layer, 'partnerId', e.partner_id, 'amount', e.amount))
      from commission_entries e where e.account_id = s.account_id and e.sale_id = s.id), '[]') as entries
  from (${losses}) s
  where not s.credit ? 'ratesPpm' ${after ? sql`and (s.account_id, s.id) > (${after.accountId}, ${after.id})` : sql``}
  order by s.account_id, s.id limit ${AT_ONCE}`

function differencesOf(sale: CheckedSale) {
  const plan = planOf(sale, sale.credit, sale.terms)
  const layers = layersOf(plan, sale.credit, lostByLine(plan.lines, sale.refunds, sale.lost))
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
