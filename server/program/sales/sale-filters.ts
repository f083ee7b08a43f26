import type { Queryable } from '../../platform/database/pool.ts'
import { type Sql, sql } from '../../platform/database/sql.ts'
import { containsFilter, searchFilter } from '../../platform/http/list.ts'
import { leadsFound } from '../leads/list-leads.ts'

/**
 * A dispute or a fraud rule holds the commission of sale `t`; null counts as not. Without a lead there is nothing to
 * hold.
 */
export const isSaleOnHold = (now: Date): Sql => sql`
  (t.lead_id is not null and t.status <> 'void'
    and (t.disputed or (t.hold_rule is not null and t.held_until > ${now})))`

/** The searched text of a sale `t` itself, matching its index. */
export const searchedOfSale = sql`coalesce(t.external_id || ' ', '') || coalesce(t.payer_email || ' ', '') || coalesce(t.description, '')`

/**
 * Sales `t` whose customer's id begins with the text: ids are pasted whole. In the form of its index, which a plan for
 * any text uses.
 */
const ofCustomer = (search: string) => {
  const from = search.trim().toLowerCase()
  return sql`(lower(t.customer_id) ~>=~ ${from} and lower(t.customer_id) ~<~ ${`${from}\u{10ffff}`})`
}

/** Filters by an amount in the account's currency; a sale that waits for its exchange rate has none yet. */
export const amountFilters = (amount: Sql, { minAmount, maxAmount }: AmountRange) => [
  minAmount === undefined ? undefined : sql`${amount} >= ${minAmount}::bigint`,
  maxAmount === undefined ? undefined : sql`${amount} <= ${maxAmount}::bigint`,
]
export type AmountRange = { minAmount?: number | undefined; maxAmount?: number | undefined }

/** Maximum number of matching sales or leads listed by id. */
export const MOST_NAMED = 2000

/**
 * Returns an owner's search: by lead, the payer's e-mail, external id, description and customer's id. Few matches are
 * found by the indexes of sales and leads and then listed by `column`; for many, which are spread everywhere, each row
 * is tested as it is read.
 */
export async function saleSearch(db: Queryable, accountId: string, column: Sql, search: string | undefined) {
  const own = searchFilter(searchedOfSale, accountId, search)
  if (!own || !search) return undefined
  const customers = ofCustomer(search)
  const leads = leadsFound(accountId, search)
  // separate queries: with an `or` the planner would test every row
  const found = await db.many<{ id: string }>`
    select id from (
      (select t.id from sales t where t.account_id = ${accountId} and ${own} limit ${MOST_NAMED + 1})
      union
      (select t.id from sales t where t.account_id = ${accountId} and ${customers} limit ${MOST_NAMED + 1})
      union
      (select t.id from sales t where t.account_id = ${accountId} and t.lead_id in ${leads} limit ${MOST_NAMED + 1})) found`
  return found.length > MOST_NAMED
    ? sql`(${containsFilter(searchedOfSale, search)!} or coalesce(${customers}, false) or t.lead_id in ${leads})`
    : sql`${column} = any(${found.map(({ id }) => id)}::uuid[])`
}
