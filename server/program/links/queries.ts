import type { UnlistedLinks, Utm } from '#contract/links.ts'
import type { ListQuery } from '#contract/values.ts'
import { NIL } from '../../platform/database/ids.ts'
import type { Queryable, Transaction } from '../../platform/database/pool.ts'
import { rawSql, type Sql, sql } from '../../platform/database/sql.ts'
import { c, type RowOf, table } from '../../platform/database/table.ts'
import { containsFilter, idFilter, listPage, searchFilter } from '../../platform/http/list.ts'
import { partnerNameSql } from '../partner-directory/partner-names.ts'

export const blueprintTable = table('link_blueprints', {
  id: c.uuid.fixed(),
  key: c.text().fixed(),
  accountId: c.uuid.fixed(),
  name: c.text(),
  destinationUrl: c.text(),
  domain: c.text(),
  parameterName: c.text(),
  utm: c.json<Partial<Utm>>(),
  cookieDays: c.integer,
  /** Null: the account's model applies. */
  attributionModel: c.text<'last-touch' | 'first-touch'>().null(),
  passthroughQuery: c.boolean,
  moreDomains: c.texts,
  partnerLinks: c.boolean,
  layerRatesPpm: c.integers.null(),
  enabled: c.boolean,
  createdAt: c.instant.fixed(),
  updatedAt: c.instant.fixed(),
})

export type BlueprintRow = RowOf<typeof blueprintTable> & {
  clicks: number
  uniqueClicks: number
  leads: number
  sales: number
  revenue: number
}

const columns = sql`${blueprintTable.from('t')},
  coalesce(s.clicks, 0) as clicks, coalesce(s.unique_clicks, 0) as unique_clicks, coalesce(s.leads, 0) as leads,
  coalesce(s.sales, 0) as sales, coalesce(s.revenue, 0) as revenue`
const from = sql`link_blueprints t
  left join total_stats s on s.account_id = t.account_id and s.partner_id = ${NIL} and s.blueprint_id = t.id`
const present = sql`t.archived_at is null`
const counts = {
  clicks: { by: sql`coalesce(s.clicks, 0)`, type: 'bigint' },
  leads: { by: sql`coalesce(s.leads, 0)`, type: 'bigint' },
  sales: { by: sql`coalesce(s.sales, 0)`, type: 'bigint' },
} as const

/** Undefined for one that was deleted. */
export const blueprintById = (db: Queryable, accountId: string, id: string) => db.maybe<BlueprintRow>`
  select ${columns} from ${from} where t.account_id = ${accountId} and t.id = ${id} and ${present}`

/** Locks the blueprint until the transaction ends. */
export const lockBlueprint = (tx: Transaction, id: string) => tx.run`
  select id from link_blueprints where id = ${id} for no key update`

export const blueprintsPage = (
  db: Queryable,
  accountId: string,
  query: ListQuery & { enabled?: boolean | undefined },
) =>
  listPage<BlueprintRow>(db, query, {
    columns,
    from,
    scope: sql`t.account_id = ${accountId} and ${present}`,
    filters: [
      query.enabled === undefined ? undefined : sql`t.enabled = ${query.enabled}`,
      containsFilter(sql`t.name || ' ' || t.destination_url`, query.search),
    ],
    sorts: { name: { by: sql`lower(t.name)`, type: 'text' }, ...counts },
  })

export const ownLinkTable = table('partner_links', {
  id: c.uuid.fixed(),
  accountId: c.uuid.fixed(),
  partnerId: c.uuid.fixed(),
  blueprintId: c.uuid.fixed(),
  key: c.text().fixed(),
  name: c.text(),
  destinationUrl: c.text(),
  domain: c.text(),
  subId: c.text().null(),
  archivedAt: c.instant.null(),
  createdAt: c.instant.fixed(),
  updatedAt: c.instant.fixed(),
})

/** A partner's link: an own one has a `linkId`. */
export type PartnerLinkRow = Pick<
  BlueprintRow,
  'key' | 'name' | 'destinationUrl' | 'parameterName' | 'clicks' | 'leads' | 'sales' | 'revenue'
> & { blueprintId: string; linkId: string | null; subId: string | null; domains: string[] }

const linkColumns = sql`t.blueprint_id, t.link_id, t.key, t.name, t.destination_url, t.parameter_name, t.sub_id, t.clicks,
  t.leads, t.sales, t.revenue, t.domains`
/** Own links `l` of the template `b`, with what came of them. */
const ownLinks = sql`
  select l.account_id, l.partner_id, l.blueprint_id, l.id as link_id, l.id, l.key, l.name, l.destination_url,
    b.parameter_name, l.sub_id, l.created_at, coalesce(s.clicks, 0) as clicks, coalesce(s.leads, 0) as leads,
    coalesce(s.sales, 0) as sales, coalesce(s.revenue, 0) as revenue, b.domain || b.more_domains as domains
  from partner_links l join link_blueprints b on b.id = l.blueprint_id
    left join link_totals s on s.account_id = l.account_id and s.link_id = l.id
  where l.archived_at is null`
const linkCounts = {
  name: { by: sql`lower(t.name)`, type: 'text' },
  clicks: { by: sql`t.clicks`, type: 'bigint' },
  leads: { by: sql`t.leads`, type: 'bigint' },
  sales: { by: sql`t.sales`, type: 'bigint' },
} as const
const linkSearch = sql`t.name || ' ' || t.destination_url || ' ' || coalesce(t.sub_id, '')`

/** A partner's links from enabled blueprints, with the counts of each, and the own links to their pages. */
export const partnerLinksPage = (
  db: Queryable,
  accountId: string,
  partnerId: string,
  query: ListQuery & { own?: boolean | undefined },
) =>
  listPage<PartnerLinkRow>(db, query, {
    columns: linkColumns,
    from: sql`(
      select t.id as blueprint_id, null::uuid as link_id, t.id, t.key, t.name, t.destination_url, t.parameter_name,
        null as sub_id, t.created_at, coalesce(s.clicks, 0) as clicks, coalesce(s.leads, 0) as leads,
        coalesce(s.sales, 0) as sales, coalesce(s.revenue, 0) as revenue,
        case when t.partner_links then t.domain || t.more_domains else '{}' end as domains
      from link_blueprints t
        left join total_stats s on s.account_id = t.account_id and s.partner_id = ${partnerId} and s.blueprint_id = t.id
      where t.account_id = ${accountId} and ${present} and t.enabled
      union all
      select o.blueprint_id, o.link_id, o.id, o.key, o.name, o.destination_url, o.parameter_name, o.sub_id, o.created_at,
        o.clicks, o.leads, o.sales, o.revenue, o.domains
      from (${ownLinks} and l.account_id = ${accountId} and l.partner_id = ${partnerId} and b.enabled
        and b.archived_at is null) o) t`,
    scope: sql`true`,
    filters: [
      query.own === undefined ? undefined : sql`(t.link_id is not null) = ${query.own}`,
      containsFilter(linkSearch, query.search),
    ],
    sorts: linkCounts,
  })

type OwnLinkRow = RowOf<typeof ownLinkTable> & PartnerLinkRow & { moreDomains: string[]; referralCode: string }

/** An own link with its template's fields, its hosts the template's. Undefined for one that was deleted. */
export const ownLinkById = (db: Queryable, accountId: string, id: string, { lock = false } = {}) =>
  db.maybe<OwnLinkRow>`
    select ${ownLinkTable.from('l')}, l.id as link_id, b.domain, b.more_domains,
      b.domain || b.more_domains as domains, b.parameter_name, p.referral_code,
      coalesce(s.clicks, 0) as clicks, coalesce(s.leads, 0) as leads, coalesce(s.sales, 0) as sales,
      coalesce(s.revenue, 0) as revenue
    from partner_links l join link_blueprints b on b.id = l.blueprint_id
      join partners p on p.account_id = ${accountId} and p.id = l.partner_id
      left join link_totals s on s.account_id = ${accountId} and s.link_id = l.id
    where l.account_id = ${accountId} and l.id = ${id} and l.archived_at is null
    ${lock ? sql`for no key update of l` : sql``}`

/** A template whose hosts own links may lead to. */
export type LinkHost = Pick<BlueprintRow, 'id' | 'domain' | 'moreDomains' | 'destinationUrl' | 'parameterName'>

export const linkHosts = (db: Queryable, accountId: string) => db.many<LinkHost>`
  select id, domain, more_domains, destination_url, parameter_name from link_blueprints t
  where account_id = ${accountId} and enabled and partner_links and ${present} order by created_at, id`

/** Locks a partner for a change of the number of their own links. */
export const lockOwnLinks = async (tx: Transaction, accountId: string, partnerId: string) => {
  const { state } = await tx.one<{ state: string }>`
    select state from partners where account_id = ${accountId} and id = ${partnerId} for no key update`
  const links = await tx.value<number>`
    select count(*) from partner_links
    where account_id = ${accountId} and partner_id = ${partnerId} and archived_at is null`
  return { state, links }
}

export type BlueprintLinkRow = {
  id: string
  displayName: string
  referralCode: string
  clicks: number
  leads: number
  sales: number
  revenue: number
}

const displayName = partnerNameSql(sql`t`)
const searched = sql`coalesce(t.first_name, '') || ' ' || coalesce(t.last_name, '') || ' ' || t.email || ' ' || t.referral_code`

/** Partners except archived ones, with the counts of each one's link from one blueprint. */
export const blueprintLinksPage = (
  db: Queryable,
  accountId: string,
  blueprintId: string,
  query: ListQuery & { partnerId?: string[] | undefined },
) =>
  listPage<BlueprintLinkRow>(db, query, {
    columns: sql`t.id, ${displayName} as display_name, t.referral_code, coalesce(s.clicks, 0) as clicks,
      coalesce(s.leads, 0) as leads, coalesce(s.sales, 0) as sales, coalesce(s.revenue, 0) as revenue`,
    from: sql`partners t
      left join total_stats s on s.account_id = t.account_id and s.partner_id = t.id and s.blueprint_id = ${blueprintId}`,
    scope: sql`t.account_id = ${accountId} and t.state <> 'archived'`,
    filters: [idFilter(sql`t.id`, query.partnerId), searchFilter(searched, accountId, query.search)],
    sorts: { name: { by: sql`lower(${displayName})`, type: 'text' }, ...counts },
  })

type LinkCounts = UnlistedLinks['noPartner']

/** The figures of one blueprint, and those of them that came of archived partners' links and of the listed ones. */
export const countsOfLinks = (db: Queryable, accountId: string, blueprintId: string) =>
  db.one<Record<'all' | 'archived' | 'listed', LinkCounts>>`
    select ${summed(sql`partner.state is null`)} as "all", ${summed(sql`partner.state = 'archived'`)} as archived,
      ${summed(sql`partner.state <> 'archived'`)} as listed
    from total_stats s left join partners partner on partner.account_id = s.account_id and partner.id = s.partner_id
    where s.account_id = ${accountId} and s.blueprint_id = ${blueprintId}`

const summed = (those: Sql) => {
  const sumOf = (figure: string) => sql`coalesce(sum(${rawSql(figure)}) filter (where ${those}), 0)::bigint`
  return sql`json_build_object('clicks', ${sumOf('s.clicks')}, 'leads', ${sumOf('s.leads')}, 'sales', ${sumOf('s.sales')},
    'revenue', ${sumOf('s.revenue')})`
}

/** The own links that partners added to one blueprint, except those of archived partners. */
export const ownLinksPage = (
  db: Queryable,
  accountId: string,
  blueprintId: string,
  query: ListQuery & { partnerId?: string[] | undefined },
) =>
  listPage<PartnerLinkRow & Pick<BlueprintLinkRow, 'displayName' | 'referralCode'> & { partnerId: string }>(db, query, {
    columns: sql`${linkColumns}, t.partner_id, t.display_name, t.referral_code`,
    from: sql`(
      select o.*, ${partnerNameSql(sql`p`)} as display_name, p.referral_code
      from (${ownLinks} and l.account_id = ${accountId} and l.blueprint_id = ${blueprintId}) o
        join partners p on p.account_id = ${accountId} and p.id = o.partner_id and p.state <> 'archived') t`,
    scope: sql`true`,
    filters: [
      idFilter(sql`t.partner_id`, query.partnerId),
      containsFilter(sql`${linkSearch} || ' ' || t.display_name || ' ' || t.referral_code`, query.search),
    ],
    sorts: linkCounts,
  })

export const getReferralCode = async (db: Queryable, accountId: string, partnerId: string) =>
  (
    await db.one<{ referralCode: string }>`
      select referral_code from partners where account_id = ${accountId} and id = ${partnerId}`
  ).referralCode

export const archiveBlueprint = (tx: Transaction, id: string) => tx.run`
  update link_blueprints set archived_at = ${tx.now}, updated_at = ${tx.now} where id = ${id}`
