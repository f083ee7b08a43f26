import type { ReportDimension } from '#features/reports/contract.ts'
import { type Sql, sql } from '../../platform/database/sql.ts'

/** The product of a line of a sale, by the most exact name it has. */
export const productNameSql = (line: Sql) =>
  sql`coalesce(${line} ->> 'productId', ${line} ->> 'sku', ${line} ->> 'name')`

/** Facts of the visit that brought a lead `l`: those saved with the lead, or of the visit itself until then. */
export const originSql = (l: Sql, account = sql`${l}.account_id`) => sql`coalesce(${l}.origin, (
  select jsonb_strip_nulls(jsonb_build_object('source', c.referrer_host, 'path', c.landing_path,
    'country', c.country, 'device', c.user_agent_class))
  from clicks c where c.account_id = ${account} and c.id = ${l}.click_id and ${l}.erased_at is null))`

/** Columns of the visit that brought sale `s` of lead `l`, or the lead if `s` is empty: a sale by another partner's click has its own. */
export const visitOfSale = (l: Sql, s: Sql, account = sql`${l}.account_id`) => sql`
  case when ${s}.latest_click is null then ${l}.sub_id else ${s}.visit ->> 'subId' end as sub_id,
  case when ${s}.latest_click is null then ${originSql(l, account)} else coalesce(${s}.visit, '{}') end as origin,
  ${l}.country, ${l}.created_on`

/** The values of a lead `l` in each dimension of reports that is its own. */
export const valuesOfLead = (l: Sql, origin = originSql(l)) => ({
  'sub-id': sql`${l}.sub_id`,
  source: sql`${origin} ->> 'source'`,
  'landing-path': sql`${origin} ->> 'path'`,
  // stays when its person is erased
  country: sql`coalesce(${origin} ->> 'country', ${l}.country)`,
  device: sql`${origin} ->> 'device'`,
  'lead-month': sql`to_char(${l}.created_on, 'YYYY-MM')`,
})

/** The values of what `t` credits: a lead, or a line of revenue. */
export const valuesCredited = (t: Sql) => ({
  partner: sql`${t}.partner_id::text`,
  link: sql`${t}.blueprint_id::text`,
})

export const firstCodeSql = (s: Sql) => sql`${s}.promotion_codes[1]`

export type BroughtBy = { broughtBy?: { by: ReportDimension; value: string | undefined } | undefined }

/** Limits leads `t` to those with this value in a dimension, or without one; none have the dimensions of sales. */
export function leadsBroughtBy(accountId: string, { broughtBy }: BroughtBy): Sql | undefined {
  if (!broughtBy) return undefined
  const { by, value } = broughtBy
  if (by === 'code' || by === 'product') return sql`false`
  if (by === 'group') return inGroup(accountId, sql`t`, value)
  const values = { ...valuesOfLead(sql`t`), ...valuesCredited(sql`t`) }
  return is(values[by], value)
}

/** Limits lines of revenue `t` like `leadsBroughtBy`. */
export function linesBroughtBy(accountId: string, { broughtBy }: BroughtBy): Sql | undefined {
  if (!broughtBy) return undefined
  const { by, value } = broughtBy
  const ofSale = (condition: Sql) => sql`
    exists (select from sales s where s.account_id = ${accountId} and s.id = t.sale_id and ${condition})`
  switch (by) {
    case 'group':
      return inGroup(accountId, sql`t`, value)
    case 'partner':
    case 'link':
      return is(valuesCredited(sql`t`)[by], value)
    case 'code':
      return value === undefined
        ? sql`not ${ofSale(sql`${firstCodeSql(sql`s`)} is not null`)}`
        : ofSale(is(firstCodeSql(sql`s`), value))
    case 'product': {
      const some = (condition: Sql) =>
        ofSale(sql`exists (
        select from jsonb_array_elements(s.lines) line where (line ->> 'amount')::numeric > 0 and ${condition})`)
      const named = productNameSql(sql`line`)
      return value === undefined ? sql`not ${some(sql`${named} is not null`)}` : some(is(named, value))
    }
    default:
      return sql`exists (
        select from leads l left join sales s on s.account_id = ${accountId} and s.id = t.sale_id
          cross join lateral (select ${visitOfSale(sql`l`, sql`s`)}) v
        where l.account_id = ${accountId} and l.id = t.lead_id and ${is(valuesOfLead(sql`v`, sql`v.origin`)[by], value)})`
  }
}

const is = (expression: Sql, value: string | undefined) =>
  value === undefined ? sql`${expression} is null` : sql`${expression} = ${value}`

/** Partners without a group are in the account's default one, which has its id. */
const inGroup = (accountId: string, t: Sql, value: string | undefined) =>
  value === undefined
    ? sql`${t}.partner_id is null`
    : sql`exists (select from partners p where p.account_id = ${accountId} and p.id = ${t}.partner_id
        and coalesce(p.group_id, p.account_id)::text = ${value})`
