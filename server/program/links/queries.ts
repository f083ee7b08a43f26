import type { Utm } from '#contract/links.ts'
import type { ListQuery } from '#contract/values.ts'
import { NIL } from '../../platform/database/ids.ts'
import type { Queryable, Transaction } from '../../platform/database/pool.ts'
import { sql } from '../../platform/database/sql.ts'
import { c, type RowOf, table } from '../../platform/database/table.ts'
import { byId, containing, page, searching } from '../../platform/http/list.ts'
import { partnerNameSql } from '../partner-lookup/partner-names.ts'

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
  page<BlueprintRow>(db, query, {
    columns,
    from,
    scope: sql`t.account_id = ${accountId} and ${present}`,
    filters: [
      query.enabled === undefined ? undefined : sql`t.enabled = ${query.enabled}`,
      containing(sql`t.name || ' ' || t.destination_url`, query.search),
    ],
    sorts: { name: { by: sql`lower(t.name)`, type: 'text' }, ...counts },
  })

export type PartnerLinkRow = Pick<
  BlueprintRow,
  'id' | 'key' | 'name' | 'destinationUrl' | 'parameterName' | 'clicks' | 'leads' | 'sales'
>

/** Enabled blueprints, with the counts of one partner's link from each. */
export const partnerLinksPage = (db: Queryable, accountId: string, partnerId: string, query: ListQuery) =>
  page<PartnerLinkRow>(db, query, {
    columns: sql`t.id, t.key, t.name, t.destination_url, t.parameter_name, coalesce(s.clicks, 0) as clicks,
      coalesce(s.leads, 0) as leads, coalesce(s.sales, 0) as sales`,
    from: sql`link_blueprints t
      left join total_stats s on s.account_id = t.account_id and s.partner_id = ${partnerId} and s.blueprint_id = t.id`,
    scope: sql`t.account_id = ${accountId} and ${present} and t.enabled`,
    filters: [containing(sql`t.name || ' ' || t.destination_url`, query.search)],
    sorts: { name: { by: sql`lower(t.name)`, type: 'text' }, ...counts },
  })

export type BlueprintLinkRow = {
  id: string
  displayName: string
  referralCode: string
  clicks: number
  leads: number
  sales: number
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
  page<BlueprintLinkRow>(db, query, {
    columns: sql`t.id, ${displayName} as display_name, t.referral_code, coalesce(s.clicks, 0) as clicks,
      coalesce(s.leads, 0) as leads, coalesce(s.sales, 0) as sales`,
    from: sql`partners t
      left join total_stats s on s.account_id = t.account_id and s.partner_id = t.id and s.blueprint_id = ${blueprintId}`,
    scope: sql`t.account_id = ${accountId} and t.state <> 'archived'`,
    filters: [byId(sql`t.id`, query.partnerId), searching(searched, accountId, query.search)],
    sorts: { name: { by: sql`lower(${displayName})`, type: 'text' }, ...counts },
  })

export const referralCodeOf = async (db: Queryable, accountId: string, partnerId: string) =>
  (
    await db.one<{ referralCode: string }>`
      select referral_code from partners where account_id = ${accountId} and id = ${partnerId}`
  ).referralCode

export const archiveBlueprint = (tx: Transaction, id: string) => tx.run`
  update link_blueprints set archived_at = ${tx.now}, updated_at = ${tx.now} where id = ${id}`
