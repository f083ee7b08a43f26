import type { GroupKind, PartnerState, PartnerTotals } from '#contract/partners.ts'
import type { ListQuery } from '#contract/values.ts'
import { asUuid, NIL } from '../../platform/database/ids.ts'
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
import type { AccountFacts } from '../access/account-facts.ts'
import { customerGroups, isOfKind } from '../access/customer-groups.ts'
import { acceptedIs } from '../agreement/accepted.ts'
import { fullNameSql, partnerNameSql, partnerSearch } from '../partner-directory/partner-names.ts'
import { dueWithoutShare } from '../payouts/partner-balances.ts'
import { asOwner, currentYear, presentPartners } from './present-partner.ts'
import { hadPeople, joinsOfPartner, numberOfPartners, type PartnerRow, partnerColumns, shownState } from './queries.ts'

type Filter = {
  state?: string[] | undefined
  parentPartnerId?: string[] | undefined
  groupId?: string[] | undefined
  groupKind?: GroupKind | undefined
  externalId?: string | undefined
  agreement?: string[] | undefined
  approved?: boolean | undefined
  from?: string | undefined
  to?: string | undefined
  search?: string | undefined
}
type Query = ListQuery & Filter

/** Lists the account's partners of every depth and state, for its owner. */
export function listPartners(db: Queryable, account: AccountFacts, query: Query) {
  return ownersPage(db, account, query, { scope: sql`t.account_id = ${account.id}`, parentId: null })
}

/** Adds up the partners of an owner's list over all its pages: without a filter from the roll-ups alone. */
export async function addUpPartners(db: Queryable, account: AccountFacts, query: Filter): Promise<PartnerTotals> {
  const { id, defaultCurrency: currency } = account
  const filters = ownersFilters(account, db.now, query).filter((filter) => filter !== undefined)
  const { groupKind } = query
  // without groups of customers all are of the other kind
  const isAll = groupKind !== 'customers' && (!groupKind || (await customerGroups(db, id)).length === 0)
  const conditions = [...(groupKind && !isAll ? [isOfKind(id, groupKind)] : []), ...filters]
  if (conditions.length === 0) {
    const sums = await db.one<Omit<PartnerTotals, 'count' | 'currency'>>`
      select ${sumsOfStats}, (coalesce(sum(s.share), 0) + ${dueWithoutShare(id, db.now)})::bigint as balance_due
      from total_stats s where s.account_id = ${id} and s.partner_id <> ${NIL} and s.blueprint_id = ${NIL}`
    return { count: await numberOfPartners(db, id, null), ...sums, currency }
  }
  const sums = await db.one<Omit<PartnerTotals, 'currency'>>`
    with found as materialized (
      select t.id from partners t where ${joinSql([sql`t.account_id = ${id}`, ...conditions], ' and ')})
    select count(*) as count, ${sumsOfStats},
      (coalesce(sum(s.share), 0) + ${dueWithoutShare(id, db.now, sql`t.partner_id in (select id from found)`)})::bigint
        as balance_due
    from found t left join total_stats s on s.account_id = ${id} and s.partner_id = t.id and s.blueprint_id = ${NIL}`
  return { ...sums, currency }
}

const sumsOfStats = sql`coalesce(sum(s.leads), 0)::bigint as number_of_leads,
  coalesce(sum(s.sales), 0)::bigint as number_of_sales, coalesce(sum(s.revenue), 0)::bigint as sales_revenue,
  coalesce(sum(s.share), 0)::bigint as sales_revenue_share`

/** Lists the direct sub-partners; complete for the owner, reduced for the partner or an ancestor. */
export function listSubPartners(db: Queryable, access: Access, query: Query) {
  const { account, subjectId, partnerId } = access
  const scope = sql`t.account_id = ${account.id} and t.parent_partner_id = ${subjectId}`
  return partnerId
    ? partnersPage(db, access, query, { scope, readerId: partnerId })
    : ownersPage(db, account, query, { scope, parentId: subjectId })
}

const withRevenue = sql`partners t
  left join total_stats s on s.account_id = t.account_id and s.partner_id = t.id and s.blueprint_id = ${NIL}`
const names = fullNameSql(sql`t`)

async function ownersPage(
  db: Queryable,
  account: AccountFacts,
  query: Query,
  { scope, parentId }: { scope: Sql; parentId: string | null },
) {
  const { groupKind } = query
  const { items, ...rest } = await listPage<PartnerRow>(db, query, {
    columns: partnerColumns(db.now),
    from: query.sort.endsWith('salesRevenue') ? withRevenue : sql`partners t`,
    joins: joinsOfPartner,
    ...(!query.sort.endsWith('createdAt') && {
      byKey: sql`(select t.* from partners t where t.account_id = ${account.id}) t`,
    }),
    // the kind is no filter: each kind is a list of its own, whose rows are all counted
    scope: groupKind ? sql`${scope} and ${isOfKind(account.id, groupKind)}` : scope,
    filters: ownersFilters(account, db.now, query),
    sorts: {
      name: { by: sql`lower(${partnerNameSql(sql`t`)})`, type: 'text' },
      salesRevenue: { by: sql`coalesce(s.revenue, 0)`, type: 'bigint' },
    },
    total: () => numberOfKind(db, account.id, parentId, groupKind),
  })
  return { items: await presentPartners(db, account, items, asOwner), ...rest }
}

/** Returns how many partners the list has: customers have no parents. */
async function numberOfKind(db: Queryable, accountId: string, parentId: string | null, kind: GroupKind | undefined) {
  const customers = kind
    ? await db.value<number>`
        select count(*) as count from partners t where t.account_id = ${accountId} and ${isOfKind(accountId, 'customers')}`
    : 0
  return kind === 'customers' ? customers : (await numberOfPartners(db, accountId, parentId)) - customers
}

/** Ignores hidden fields in filters and sorts: approval, revenue, and e-mails except those the reader may correct. */
async function partnersPage(
  db: Queryable,
  access: Access,
  query: Query,
  { scope, readerId }: { scope: Sql; readerId: string },
) {
  const { account } = access
  if (query.approved !== undefined) throw wrongField('approved', 'only_owner_filters_by_approval')
  if (query.sort.endsWith('salesRevenue')) throw wrongField('sort', 'only_owner_sorts_by_revenue')
  const email = sql`case when t.invited_by_partner_id = ${readerId} and not ${hadPeople} then t.email else '' end`
  const name: Sort = {
    by: sql`lower(coalesce(nullif(${names}, ''), case when t.invited_by_partner_id = ${readerId} and not ${hadPeople}
      then split_part(t.email, '@', 1) else left(t.email, 1) end))`,
    type: 'text',
  }
  const { items, ...rest } = await listPage<PartnerRow>(db, query, {
    columns: partnerColumns(db.now),
    from: sql`partners t`,
    joins: joinsOfPartner,
    scope,
    filters: [
      ...filtersOf(query),
      containsFilter(sql`${names} || ' ' || ${email} || ' ' || t.referral_code`, query.search),
    ],
    sorts: { name },
    total: () => numberOfPartners(db, account.id, access.subjectId),
  })
  return { items: await presentPartners(db, account, items, access), ...rest }
}

function ownersFilters(account: AccountFacts, now: Date, filter: Filter) {
  const year = currentYear(account, now)
  return [
    ...filtersOf(filter),
    // partners of the default group have no group id
    idFilter(
      sql`t.group_id`,
      filter.groupId?.map(asUuid).map((id) => (id === account.id ? 'none' : id)),
    ),
    filter.externalId === undefined ? undefined : sql`t.external_id = ${filter.externalId}`,
    acceptedIs(account.id, filter.agreement),
    filter.approved === undefined ? undefined : sql`(${year} = any(t.approved_payout_years)) = ${filter.approved}`,
    searchFilter(partnerSearch, account.id, filter.search),
  ]
}

/** Conditions in SQL on partners `t` of an account: the active ones of its list with this filter, or among these ids. */
export function activeOfList(
  account: AccountFacts,
  now: Date,
  { ids, ...filter }: Filter & { ids?: string[] | undefined } = {},
) {
  const conditions = [
    idFilter(sql`t.id`, ids),
    sql`${shownState} = 'active'`,
    filter.groupKind && isOfKind(account.id, filter.groupKind),
    ...ownersFilters(account, now, filter),
  ]
  return conditions.filter((condition) => condition !== undefined)
}

const filtersOf = (query: Filter) => [
  valueFilter(shownState, query.state as PartnerState[] | undefined),
  idFilter(sql`t.parent_partner_id`, query.parentPartnerId),
  ...bookedDayFilter(query.from, query.to),
]
