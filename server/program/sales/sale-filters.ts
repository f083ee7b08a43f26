import type { Queryable } from '../../platform/database/pool.ts'
import { type Sql, sql } from '../../platform/database/sql.ts'
import { containing } from '../../platform/http/list.ts'
import { leadsFound } from '../leads/list-leads.ts'

/** A dispute or a rule against fraud holds the commission of sale `t`; null counts as not. Without a lead there is nothing to hold. */
export const onHold = (now: Date): Sql => sql`
  (t.lead_id is not null and t.status <> 'void'
    and (t.disputed or (t.hold_rule is not null and t.held_until > ${now})))`

/** An owner finds a sale `t` by its lead, the payer's e-mail, its external id and its description. */
export function saleSearch(accountId: string, search: string | undefined): Sql | undefined {
  const own = containing(sql`concat_ws(' ', t.external_id, t.payer_email, t.description)`, search)
  return own && sql`(${own} or t.lead_id in ${leadsFound(accountId, search)})`
}

/** So many sales that were found are named one by one. */
const MOST_NAMED = 2000

/**
 * The same for a list that reads its sales several times, of each part and for its totals: what few of them are found is
 * looked for once, and named by `column` from then on.
 */
export async function saleSearchOnce(db: Queryable, accountId: string, column: Sql, search: string | undefined) {
  const condition = saleSearch(accountId, search)
  if (!condition) return undefined
  const found = await db.many<{ id: string }>`
    select t.id from sales t where t.account_id = ${accountId} and ${condition} limit ${MOST_NAMED + 1}`
  return found.length > MOST_NAMED ? condition : sql`${column} = any(${found.map(({ id }) => id)}::uuid[])`
}
