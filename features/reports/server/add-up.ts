import { leastIdAt, NIL } from '#server/platform/database/ids.ts'
import { inBatches } from '#server/platform/database/in-batches.ts'
import { type Database, type Transaction, transaction } from '#server/platform/database/pool.ts'
import { joinSql, rawSql, type Sql, sql } from '#server/platform/database/sql.ts'
import type { Services } from '#server/platform/services.ts'
import { addDays } from '#server/platform/time/days.ts'
import type { Range } from '#server/platform/time/range.ts'
import type { AccountFacts } from '#server/program/access/account-facts.ts'
import { KEPT_CLICK_DAYS } from '#server/program/clicks/delete-old-clicks.ts'
import {
  firstCodeSql,
  originSql,
  productNameSql,
  valuesCredited,
  valuesOfLead,
  visitOfSale,
} from '#server/program/leads/attribution-dimensions.ts'
import { revenueParts, shareOfLine } from '#server/program/sales/revenue-lines.ts'
import { dimensionsOfSales, MOST_KINDS_A_DAY, type ReportDimension } from '../contract.ts'

// A report's figures are added up from visits, leads and revenue lines once for each day, and again after a change of the
// day: visits stay fast, and the figures stay after single visits are deleted.

/** Most days added up in one transaction, and in one call of a reader. */
const DAYS_AT_ONCE = 31
export const DAYS_FOR_A_READER = 62
/** More than any account has. */
const MOST_DAYS = 100_000

const DAY_MS = 86_400_000

type Account = Pick<AccountFacts, 'id'>
type Day = { day: string; version: number }

/** The days of a range that have changed since they were added up, the newest first. */
const daysToAdd = (db: Database | Transaction, { id }: Account, { from, to }: Range, limit: number) => db.many<Day>`
  select d.day, d.version from day_stats d
    left join reported_days r on r.account_id = d.account_id and r.day = d.day
  where d.account_id = ${id} and d.partner_id = ${NIL} and d.blueprint_id = ${NIL} and d.day between ${from} and ${to}
    and r.version is distinct from d.version
  order by d.day desc limit ${limit}`

/** Adds up the days of a range that have changed, at most `most`; returns how many are left. */
export async function addUpDays(
  db: Database | Transaction,
  account: Account,
  range: Range,
  most: number,
): Promise<number> {
  const days = await daysToAdd(db, account, range, Math.min(most, MOST_DAYS) + 1)
  const taken = days.slice(0, most)
  for (let at = 0; at < taken.length; at += DAYS_AT_ONCE)
    await addUp(
      db,
      account,
      taken.slice(at, at + DAYS_AT_ONCE).map(({ day }) => day),
    )
  return days.length > most ? (await daysToAdd(db, account, range, MOST_DAYS)).length : 0
}

/** Adds up all days of an account that have changed. */
export const addUpAll = (db: Database | Transaction, account: Account) =>
  addUpDays(db, account, { from: '1900-01-01', to: '2999-12-31' }, Number.MAX_SAFE_INTEGER)

/** Adds up the days of each account, and saves the sources of its leads, before their visits are deleted. */
export async function addUpByNight(account: AccountFacts, { db }: Pick<Services, 'db'>): Promise<void> {
  await saveOrigins(db, account)
  await addUpAll(db, account)
}

/**
 * Adds up these days. Their versions are read before everything else: a change that comes meanwhile has a later one, so
 * the day is added up again.
 */
const addUp = (db: Database | Transaction, account: Account, days: string[]) =>
  transaction(db, async (tx) => {
    const { id } = account
    // those who add up the same days wait for each other here
    await tx.run`
      insert into reported_days as r (account_id, day, version)
      select d.account_id, d.day, d.version from day_stats d
      where d.account_id = ${id} and d.partner_id = ${NIL} and d.blueprint_id = ${NIL} and d.day = any(${days}::date[])
      order by d.day
      on conflict (account_id, day) do update set version = excluded.version`
    const lastWithVisits = new Date(tx.now.getTime() - (KEPT_CLICK_DAYS - 2) * DAY_MS).toISOString().slice(0, 10)
    const visited = days.filter((day) => day >= lastWithVisits)
    await tx.run`
      delete from report_days where account_id = ${id} and dimension = any(${DIMENSIONS}::text[])
        and (part = 'results' and day = any(${days}::date[]) or part = 'visits' and day = any(${visited}::date[]))`
    if (visited.length > 0) await addVisits(tx, id, visited)
    await addResults(tx, id, days)
    await noteCapped(tx, id, days)
  })

/** The values by which a line of revenue `t` with its lead and sale counts. */
const resultValues = { ...valuesCredited(sql`t`), ...valuesOfLead(sql`l`, sql`l.origin`), code: firstCodeSql(sql`s`) }

/** Dimensions that are added up by day; a group's figures are those of its partners. */
const DIMENSIONS = [...Object.keys(resultValues), 'product']
/** Dimensions whose values anyone can make up. */
const CAPPED: readonly ReportDimension[] = ['sub-id', 'code', 'source', 'landing-path', 'product']

/** Rows `(dimension, value)` of the values by name. */
const rowsOf = (values: Partial<Record<ReportDimension, Sql>>) =>
  joinSql(
    Object.entries(values).map(([name, value]) => sql`(${rawSql(`'${name}'`)}, ${value})`),
    ', ',
  )

const visitValues = {
  partner: sql`c.partner_id::text`,
  link: sql`c.blueprint_id::text`,
  'sub-id': sql`c.sub_id`,
  source: sql`c.referrer_host`,
  'landing-path': sql`c.landing_path`,
  country: sql`c.country`,
  device: sql`c.user_agent_class`,
}

const figures = ['clicks', 'leads', 'sales', 'revenue', 'share', 'refunds'] as const
type Figure = (typeof figures)[number]
const sums = (some: readonly Figure[]) => rawSql(some.map((name) => `sum(${name})::bigint as ${name}`).join(', '))

/**
 * Writes the rows of `facts` (day, dimension, value, partner_id and some figures), the largest of each day and the
 * rest as others, of each partner.
 */
const write = (tx: Transaction, accountId: string, part: 'visits' | 'results', some: readonly Figure[], facts: Sql) => {
  const names = rawSql(some.join(', '))
  const largest = rawSql(
    `${['sales', 'leads', 'clicks'].filter((name) => some.includes(name as Figure)).join(' desc, ')} desc`,
  )
  return tx.run`
    insert into report_days (account_id, dimension, day, part, kind, value, partner_id, ${names})
    with added as materialized (
      select day, dimension, value, partner_id, ${sums(some)} from (${facts}) f group by 1, 2, 3, 4
    ), ranked as (
      select *, dimension = any(${CAPPED}::text[]) and ${MOST_KINDS_A_DAY} <
        row_number() over (partition by day, dimension order by ${largest}, value, partner_id) as is_beyond from added
    ), kept as (
      select day, dimension, partner_id, ${names},
        case when value is null then 'none' when is_beyond then 'others' else 'value' end as kind,
        case when not is_beyond then value end as value
      from ranked
    )
    select ${accountId}::uuid, dimension, day, ${part}::text, kind, coalesce(value, ''), partner_id, ${sums(some)}
    from kept group by 2, 3, 5, 6, 7`
}

const addVisits = (tx: Transaction, accountId: string, days: string[]) =>
  write(
    tx,
    accountId,
    'visits',
    ['clicks'],
    sql`
      select c.day, d.dimension, d.value, c.partner_id, 1 as clicks
      from clicks c cross join lateral (values ${rowsOf(visitValues)}) d (dimension, value)
      where c.account_id = ${accountId} and c.day = any(${days}::date[]) and not c.is_bot
        and c.id >= ${leastIdAt(Date.parse(`${addDays(days.toSorted()[0]!, -2)}T00:00:00Z`))}::uuid`,
  )

const resultFigures = ['leads', 'sales', 'revenue', 'share', 'refunds'] as const

function addResults(tx: Transaction, accountId: string, days: string[]) {
  const [from, to] = [days.toSorted()[0]!, days.toSorted().at(-1)!]
  const parts = revenueParts(accountId, { from, to })
  const names = sql`leads, sales, revenue, share, refunds`
  return write(
    tx,
    accountId,
    'results',
    resultFigures,
    sql`
      with lines as materialized (
        select t.*, (t.kind = 'sale')::integer as sales, t.amount as revenue, 0 as leads,
          case when t.kind in ('refund', 'dispute', 'restoration') then -t.amount else 0 end as refunds,
          ${shareOfLine(accountId)} as share
        from (${joinSql(parts, ' union all ')}) t
        where t.day = any(${days}::date[]) and t.kind <> 'void'
      ), facts as materialized (
        select day, partner_id, blueprint_id, lead_id, sale_id, refund_id, ${names} from lines
        union all
        select created_on, partner_id, blueprint_id, id, null, null, 1, 0, 0, 0, 0 from leads
        where account_id = ${accountId} and created_on = any(${days}::date[]) and status <> 'duplicate'
          and created_at >= ${from}::date - interval '2 days' and created_at < ${to}::date + interval '3 days'
      ), named as materialized (
        select t.day, coalesce(t.partner_id, ${NIL}::uuid) as partner_id, t.leads, t.sales, t.revenue, t.share, t.refunds,
          jsonb_build_array(${joinSql(Object.values(resultValues), ', ')}) as found,
          t.sale_id, t.refund_id, s.lines, r.lines as refunded
        from facts t
          left join sales s on s.account_id = ${accountId} and s.id = t.sale_id
          -- one index search each, however many a plan expects
          cross join lateral (
            select ${visitOfSale(sql`leads`, sql`s`, sql`${accountId}`)}
            from leads where account_id = ${accountId} and id = t.lead_id offset 0) l
          left join refunds r on r.account_id = ${accountId} and r.id = t.refund_id
      )
      select n.day, d.dimension, d.value, n.partner_id, ${names}
      from named n cross join lateral (values ${joinSql(
        Object.keys(resultValues).map((name, at) => sql`(${rawSql(`'${name}'`)}, n.found ->> ${rawSql(String(at))})`),
        ', ',
      )}) d (dimension, value)
      where n.leads = 0 or d.dimension <> all(${dimensionsOfSales}::text[])
      union all
      select n.day, 'product', p.value, n.partner_id, 0, n.sales,
        ${shareOf('revenue')}, ${shareOf('share')}, ${shareOf('refunds')}
      from named n cross join lateral ${products} p
      where n.leads = 0`,
  )
}

/** The part of a line's amount for product `p`, so that the parts of all its products add up to it. */
const shareOf = (name: string) =>
  sql`(round(n.${rawSql(name)} * p.up_to / p.whole) - round(n.${rawSql(name)} * (p.up_to - p.weight) / p.whole))::bigint`

/** The products of line `n` by the lines of its refund, else of its sale; one without a name if there are none. */
const products = sql`(
  with refunded as (
    select ${productNameSql(sql`line`)} as value, (back ->> 'amount')::numeric as weight
    from jsonb_array_elements(n.refunded) back join jsonb_array_elements(n.lines) line on line ->> 'id' = back ->> 'id'
    where (back ->> 'amount')::numeric > 0
  ), sold as (
    select ${productNameSql(sql`line`)} as value, (line ->> 'amount')::numeric as weight
    from jsonb_array_elements(n.lines) line
    where (line ->> 'amount')::numeric > 0 and not exists (select from refunded)
  ), either as (
    select * from refunded union all select * from sold
    union all select null, 1 where not exists (select from refunded) and not exists (select from sold)
  )
  select value, sum(weight) as weight, sum(sum(weight)) over (order by value nulls last) as up_to,
    sum(sum(weight)) over () as whole
  from either group by value)`

/** Notes the dimensions in which a day has more kinds than are kept. */
const noteCapped = (tx: Transaction, accountId: string, days: string[]) => tx.run`
  update reported_days r set capped = array(
    select distinct d.dimension from report_days d
    where d.account_id = ${accountId} and d.day = r.day and d.dimension = any(${CAPPED}::text[]) and d.kind = 'others')
  where r.account_id = ${accountId} and r.day = any(${days}::date[])`

/** Saves the sources of leads' visits before the visits are deleted; those of leads in use the next night. */
const saveOrigins = (db: Database, { id }: Account) =>
  inBatches(
    1000,
    (limit) => db.run`
      update leads l set origin = coalesce(${originSql(sql`l`, sql`${id}`)}, '{}')
      where l.account_id = ${id} and l.id in (
        select id from leads
        where account_id = ${id} and click_id is not null and origin is null and erased_at is null
        order by id limit ${limit} for update skip locked)`,
  )
