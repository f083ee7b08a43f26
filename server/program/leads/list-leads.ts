import { ANSWER_HOURS, type LeadTotals } from '#contract/leads.ts'
import type { ListQuery } from '#contract/values.ts'
import { NIL } from '../../platform/database/ids.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import { joinSql, type Sql, sql } from '../../platform/database/sql.ts'
import {
  bookedDayFilter,
  containsFilter,
  idFilter,
  listPage,
  type Sort,
  searchFilter,
  valueFilter,
} from '../../platform/http/list.ts'
import { wrongField } from '../../platform/refusal.ts'
import type { Access } from '../access/access.ts'
import { fullNameSql } from '../partner-directory/partner-names.ts'
import { type BroughtBy, leadsBroughtBy } from './attribution-dimensions.ts'
import { searchedDigits } from './phone.ts'
import { presentLeads } from './present-lead.ts'
import { type LeadRow, leadColumns } from './queries.ts'

type Filter = {
  search?: string | undefined
  status?: string[] | undefined
  source?: string[] | undefined
  partnerId?: string[] | undefined
  blueprintId?: string[] | undefined
  duplicateOfId?: string[] | undefined
  unanswered?: boolean | undefined
  from?: string | undefined
  to?: string | undefined
} & BroughtBy
type Query = ListQuery & Filter

/** Lists the account's leads, or with `partnerId` a partner's; a partner searches and sorts only by visible fields. */
export async function listLeads(db: Queryable, access: Access, query: Query, partnerId: string | null = null) {
  const { account } = access
  const reading = access.partnerId ? asPartner(access, query) : asOwner(account.id, query.search)
  const scope = partnerId
    ? sql`t.account_id = ${account.id} and t.partner_id = ${partnerId}`
    : sql`t.account_id = ${account.id}`
  const { items, ...rest } = await listPage<LeadRow>(db, query, {
    columns: leadColumns,
    from: query.sort.endsWith('salesRevenue') ? withRevenue : sql`leads t`,
    scope,
    filters: [...filtersOf(db.now, account.id, query), reading.search],
    sorts: { name: reading.name, salesRevenue: { by: sql`coalesce(s.revenue, 0)`, type: 'bigint' } },
    total: () => numberOfLeads(db, account.id, partnerId),
  })
  return { items: await presentLeads(db, access, items), ...rest }
}

const filtersOf = (now: Date, accountId: string, query: Filter) => [
  valueFilter(sql`t.status`, query.status),
  valueFilter(sql`t.source`, query.source),
  idFilter(sql`t.partner_id`, query.partnerId),
  idFilter(sql`t.blueprint_id`, query.blueprintId),
  idFilter(sql`t.duplicate_of_id`, query.duplicateOfId),
  query.unanswered ? unansweredSql(now) : undefined,
  leadsBroughtBy(accountId, query),
  ...bookedDayFilter(query.from, query.to),
]

/** Adds up the leads of an owner's list over all its pages: without a filter from the roll-up. */
export async function addUpLeads(db: Queryable, { account }: Access, query: Filter): Promise<LeadTotals> {
  const { id, defaultCurrency: currency } = account
  const filters = [...filtersOf(db.now, id, query), asOwner(id, query.search).search].filter((one) => one !== undefined)
  if (filters.length > 0) {
    const scope = joinSql([sql`t.account_id = ${id}`, ...filters], ' and ')
    const sums = await db.one<Omit<LeadTotals, 'currency'>>`
      select count(*) as count, ${sumsOfStats} from ${withRevenue} where ${scope}`
    return { ...sums, currency }
  }
  const sums = await db.one<Omit<LeadTotals, 'count' | 'currency'>>`
    select ${sumsOfStats} from total_stats s
    where s.account_id = ${id} and s.partner_id = ${NIL} and s.blueprint_id = ${NIL}`
  return { count: await numberOfLeads(db, id, null), ...sums, currency }
}

const sumsOfStats = sql`coalesce(sum(s.sales), 0)::bigint as number_of_sales,
  coalesce(sum(s.revenue), 0)::bigint as sales_revenue, coalesce(sum(s.share), 0)::bigint as sales_revenue_share`

/** Leads `t` that wait for an answer. */
export const unansweredSql = (now: Date): Sql => sql`
  (t.status = 'new' and t.created_at < ${now}::timestamptz - make_interval(hours => ${ANSWER_HOURS}))`

/** Ids of the account's leads that match an owner's search. */
export const leadsFound = (accountId: string, search: string | undefined): Sql => sql`(
  select t.id from leads t where t.account_id = ${accountId} and ${asOwner(accountId, search).search ?? sql`true`})`

const withRevenue = sql`leads t left join lead_stats s on s.lead_id = t.id and s.account_id = t.account_id`
const names = fullNameSql(sql`t`)
const localPart = sql`split_part(t.email, '@', 1)`
const bare = sql`'Lead ' || right(t.id::text, 6)`

type Reading = { search: Sql | undefined; name: Sort }

const digits = sql`ltrim(coalesce(t.phone_e164, ''), '+')`
const found = sql`coalesce(t.first_name, '') || ' ' || coalesce(t.last_name, '') || ' ' || coalesce(t.email, '') || ' ' || coalesce(t.company, '') || ' ' || coalesce(t.external_id, '') || ' ' || ${digits}`

/** Matches the search, and for a phone number also its digits alone, as they are stored. */
const either = (search: string | undefined, find: (text: string) => Sql | undefined) => {
  if (!search) return undefined
  const number = searchedDigits(search)
  return number ? sql`(${find(search)!} or ${find(number)!})` : find(search)
}

/** Whether an owner's search of lead `t` contains a text, by the index. */
export const leadsWith = (text: Sql) =>
  sql`lower(${found}) like '%' || regexp_replace(lower(${text}), '([\\\\%_])', '\\\\\\1', 'g') || '%'`

const asOwner = (accountId: string, search: string | undefined): Reading => ({
  search: either(search, (text) => searchFilter(found, accountId, text)),
  name: byName([names, sql`t.company`, localPart, sql`t.phone`, sql`t.external_id`]),
})

function asPartner({ account }: Access, { search, sort }: Query): Reading {
  const { leadNames, leadEmails, saleAmounts } = account.partnerVisibility
  if (sort.endsWith('salesRevenue') && !saleAmounts) throw wrongField('sort', 'sale_amounts_not_shown')
  const seen = [...(leadNames ? [names, sql`t.company`] : []), ...(leadEmails ? [sql`t.email`, digits] : [])]
  const text = seen.reduce((all, part) => sql`${all} || ' ' || coalesce(${part}, '')`, sql`''`)
  const parts = [...(leadNames ? [names, sql`t.company`] : []), ...(leadEmails ? [localPart, sql`t.phone`] : [])]
  return {
    // a duplicate is another partner's lead: a search never matches it
    search: search
      ? sql`t.status <> 'duplicate' and ${either(search, (words) => containsFilter(text, words))!}`
      : undefined,
    name: byName(parts.map((part) => sql`case when t.status <> 'duplicate' then ${part} end`)),
  }
}

/** Sorts like the display name: by the first part that is present. */
const byName = (parts: Sql[]): Sort => ({
  by: sql`lower(coalesce(${parts.reduce((all, part) => sql`${all}nullif(${part}, ''), `, sql``)}${bare}))`,
  type: 'text',
})

/** Counts all leads including duplicates; the roll-up has only the others. */
async function numberOfLeads(db: Queryable, accountId: string, partnerId: string | null) {
  const { total } = await db.one<{ total: number }>`
    select coalesce((select leads from total_stats
        where account_id = ${accountId} and partner_id = ${partnerId ?? NIL} and blueprint_id = ${NIL}), 0)
      + (select count(*) from leads where account_id = ${accountId} and status = 'duplicate'
        and (${partnerId}::uuid is null or partner_id = ${partnerId})) as total`
  return total
}
