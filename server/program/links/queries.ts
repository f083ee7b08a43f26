import type { Utm } from '#contract/links.ts'
import type { ListQuery } from '#contract/values.ts'
import { NIL } from '../../platform/database/ids.ts'
import type { Queryable, Transaction } from '../../platform/database/pool.ts'
import { sql } from '../../platform/database/sql.ts'
import { byId, containing, page, searching } from '../../platform/http/list.ts'
import { partnerNameSql } from '../names/partner-names.ts'

export type BlueprintRow = {
  id: string
  key: string
  accountId: string
  name: string
  destinationUrl: string
  domain: string
  parameterName: string
  utm: Partial<Utm>
  cookieDays: number
  /** Null: the account's model applies. */
  attributionModel: 'last-touch' | 'first-touch' | null
  passthroughQuery: boolean
  layerRatesPpm: number[] | null
  enabled: boolean
  createdAt: string
  updatedAt: string
  clicks: number
  uniqueClicks: number
  leads: number
  sales: number
  revenue: number
}

const columns = sql`t.id, t.key, t.account_id, t.name, t.destination_url, t.domain, t.parameter_name, t.utm, t.cookie_days,
  t.attribution_model, t.passthrough_query, t.layer_rates_ppm, t.enabled, t.created_at, t.updated_at,
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

export const referralCodeOf = async (db: Queryable, partnerId: string) =>
  (await db.one<{ referralCode: string }>`select referral_code from partners where id = ${partnerId}`).referralCode

export type NewBlueprint = Omit<
  BlueprintRow,
  'createdAt' | 'updatedAt' | 'clicks' | 'uniqueClicks' | 'leads' | 'sales' | 'revenue'
>

/** Inserts the blueprint unless the key is taken; returns whether it did. */
export const insertBlueprint = async (tx: Transaction, blueprint: NewBlueprint) =>
  (await tx.run`
    insert into link_blueprints (id, key, account_id, name, destination_url, domain, parameter_name, utm, cookie_days,
      attribution_model, passthrough_query, layer_rates_ppm, enabled, created_at, updated_at)
    values (${blueprint.id}, ${blueprint.key}, ${blueprint.accountId}, ${blueprint.name}, ${blueprint.destinationUrl},
      ${blueprint.domain}, ${blueprint.parameterName}, ${JSON.stringify(blueprint.utm)}::jsonb, ${blueprint.cookieDays},
      ${blueprint.attributionModel}, ${blueprint.passthroughQuery}, ${blueprint.layerRatesPpm}, ${blueprint.enabled},
      ${tx.now}, ${tx.now})
    on conflict (key) do nothing`) > 0

/** Columns left undefined keep their value. */
export const updateBlueprint = (tx: Transaction, id: string, change: Partial<NewBlueprint>) => {
  const given = JSON.stringify({
    name: change.name,
    destination_url: change.destinationUrl,
    domain: change.domain,
    parameter_name: change.parameterName,
    utm: change.utm,
    cookie_days: change.cookieDays,
    attribution_model: change.attributionModel,
    passthrough_query: change.passthroughQuery,
    layer_rates_ppm: change.layerRatesPpm,
    enabled: change.enabled,
  })
  // populate_record keeps columns that the object does not name, and casts the others
  return tx.run`
    update link_blueprints t
    set (name, destination_url, domain, parameter_name, utm, cookie_days, attribution_model, passthrough_query,
        layer_rates_ppm, enabled, updated_at) =
      (select r.name, r.destination_url, r.domain, r.parameter_name, r.utm, r.cookie_days, r.attribution_model,
        r.passthrough_query, r.layer_rates_ppm, r.enabled, ${tx.now}::timestamptz
      from jsonb_populate_record(t, ${given}::jsonb) r)
    where t.id = ${id}`
}

export const archiveBlueprint = (tx: Transaction, id: string) => tx.run`
  update link_blueprints set archived_at = ${tx.now}, updated_at = ${tx.now} where id = ${id}`
