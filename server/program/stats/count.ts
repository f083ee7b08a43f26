import { formatNumber } from '#contract/format.ts'
import { NIL } from '../../platform/database/ids.ts'
import type { Queryable, Transaction } from '../../platform/database/pool.ts'
import { joinSql, rawSql, type Sql, sql } from '../../platform/database/sql.ts'

import { wrongField } from '../../platform/refusal.ts'
import { firstOfMonth } from '../../platform/time/days.ts'

const nil = rawSql(`'${NIL}'::uuid`)

/** A change of figures on one day. Amounts in minor units of the account's currency; negative ones undo. */
export type Change = {
  accountId: string
  /** In the account's time zone, YYYY-MM-DD. */
  day: string
  /** Owner of the figure, besides the account; for `partners` the parent. */
  partnerId?: string | null
  blueprintId?: string | null
  leadId?: string | null
  /** The partner's own link, beside its blueprint: counted in total, without days. */
  linkId?: string | null
  /** Promotion codes used, in capitals: each counted in total, without days; and when. */
  promotionCodes?: string[] | null
  usedAt?: Date
  partners?: number
  leads?: number
  sales?: number
  revenue?: number
  share?: number
  clicks?: number
  uniqueClicks?: number
  /** The referrer's commission on sales of this day, reversals included; counted by month only. */
  earned?: number
  /** Marks the day as changed for reports although no figure has changed. */
  isTouched?: true
}

const figures = ['partners', 'leads', 'sales', 'revenue', 'share', 'clicks', 'uniqueClicks'] as const
/** Their columns. */
const names = ['partners', 'leads', 'sales', 'revenue', 'share', 'clicks', 'unique_clicks']
type Figures = Record<(typeof figures)[number], number>
type Row = Figures & { accountId: string; partnerId: string; blueprintId: string; day: string }
/** `month`: its first day. */
type MonthKey = { accountId: string; month: string; partnerId: string }
type MonthRow = MonthKey & { sales: number; revenue: number; earned: number }
type LeadRow = Pick<Figures, 'sales' | 'revenue' | 'share'> & { accountId: string; leadId: string }
type LinkRow = Pick<Figures, 'clicks' | 'leads' | 'sales' | 'revenue'> & { accountId: string; linkId: string }
type CodeRow = Pick<Figures, 'sales' | 'revenue'> & { accountId: string; code: string; usedAt: Date | null }

const nothing: Figures = { partners: 0, leads: 0, sales: 0, revenue: 0, share: 0, clicks: 0, uniqueClicks: 0 }

/** Largest running total stored and returned exactly: 10^15 minor units. */
export const MAX_TOTAL = 1_000_000_000_000_000

/**
 * Updates every roll-up in the transaction that changes the figure. However many changes are combined, each roll-up row
 * is written once, in the order of its key. An account's own total is written before all its other rows: concurrent
 * transactions wait for each other there and never in a circle. Returns whether a running total of revenue or share is
 * now above `MAX_TOTAL`, for callers who then refuse.
 */
export async function count(tx: Transaction, given: Change[]): Promise<boolean> {
  const later = deferred.get(tx)
  const changes = later && !later.isOpen ? [...later.changes.splice(0), ...given] : given
  const days = changedDays(rollUp(changes))
  const months = monthsOf(changes)
  const leads = leadsOf(changes)
  const links = linksOf(changes)
  const codes = codesOf(changes)
  if ([days, months, leads, links, codes].every((rows) => rows.length === 0)) return false
  return write(tx, { days, totals: totalsOf(days), months, leads, links, codes })
}

/** Returns what this transaction will yet add to what referrers earned in a month. */
export function earnedLater(tx: Queryable): (month: MonthKey) => number {
  const keyOf = ({ accountId, month, partnerId }: MonthKey) => `${accountId} ${month} ${partnerId}`
  const rows = new Map(monthsOf(deferred.get(tx)?.changes ?? []).map((row) => [keyOf(row), row.earned]))
  return (month) => rows.get(keyOf(month)) ?? 0
}

/**
 * Counts visits as parts of the statement that writes them: the rows written by its part `kept` (account_id,
 * partner_id, blueprint_id, link_id, day, is_bot, is_unique), in the same order of keys, without a round trip.
 */
export const countKeptVisits: Sql = sql`
  visits as (
    select account_id, partner_id, blueprint_id, link_id, day, count(*) as clicks,
      count(*) filter (where is_unique) as unique_clicks
    from kept where not is_bot group by 1, 2, 3, 4, 5
  ), visit_figures as (
    select v.account_id, p.id as partner_id, b.id as blueprint_id, v.day,
      sum(v.clicks) as clicks, sum(v.unique_clicks) as unique_clicks
    from visits v
      cross join lateral unnest(array[${nil}, v.partner_id]) p (id)
      cross join lateral unnest(array[${nil}, v.blueprint_id]) b (id)
    where b.id is not null
    group by 1, 2, 3, 4
  ), counted_totals as (
    insert into total_stats as s (account_id, partner_id, blueprint_id, clicks, unique_clicks)
    select account_id, partner_id, blueprint_id, sum(clicks), sum(unique_clicks) from visit_figures
    group by 1, 2, 3 order by 1, 2, 3
    on conflict (account_id, partner_id, blueprint_id) do update set
      clicks = s.clicks + excluded.clicks, unique_clicks = s.unique_clicks + excluded.unique_clicks
    returning 1
  ), counted_days as (
    insert into day_stats as s (account_id, partner_id, blueprint_id, day, behind, clicks, unique_clicks)
    select account_id, partner_id, blueprint_id, day, false, clicks, unique_clicks from visit_figures
    where (select count(*) from counted_totals) >= 0
    order by 1, 2, 3, 4
    on conflict (account_id, partner_id, blueprint_id, day) do update set version = s.version + 1,
      clicks = s.clicks + excluded.clicks, unique_clicks = s.unique_clicks + excluded.unique_clicks
  ), counted_links as (
    insert into link_totals as s (account_id, link_id, clicks)
    select account_id, link_id, sum(clicks) from visits
    where link_id is not null and (select count(*) from counted_totals) >= 0
    group by 1, 2 order by 1, 2
    on conflict (account_id, link_id) do update set clicks = s.clicks + excluded.clicks
  )`

/** Changes deferred by transactions; `isOpen` while their work may defer more. */
const deferred = new WeakMap<Queryable, { changes: Change[]; isOpen: boolean }>()

/** Counts like `count`, but in the work of `deferCounts` later: for changes that nothing after them reads. */
export async function countLater(tx: Transaction, changes: Change[]): Promise<boolean> {
  const later = deferred.get(tx)
  if (!later?.isOpen) return count(tx, changes)
  later.changes.push(...changes)
  return false
}

/**
 * Defers the changes of `work` to one statement, the first count of `finish` or its own at the end: other transactions
 * counting for the account wait from then on until the commit. Refuses like `refusePast`.
 */
export async function deferCounts<T, Result>(
  tx: Transaction,
  work: () => Promise<T>,
  finish: (done: T) => Promise<Result>,
): Promise<Result> {
  const later = { changes: [], isOpen: true }
  deferred.set(tx, later)
  try {
    const done = await work()
    later.isOpen = false
    const result = await finish(done)
    refusePast(await count(tx, []))
    return result
  } finally {
    deferred.delete(tx)
  }
}

/** Refuses, in `amount`, a change that brought a running total of its account past the exact maximum. */
export function refusePast(past: boolean) {
  if (past) throw wrongField('amount', 'total_too_large', { max: formatNumber(MAX_TOTAL) })
}

/** Drops rows whose changes cancel out, except the account's own: its version marks the day as changed for reports. */
const changedDays = (rows: Row[]) =>
  rows.filter(
    (row) => figures.some((figure) => row[figure] !== 0) || (row.partnerId === NIL && row.blueprintId === NIL),
  )

/** Adds up changes for the account, the partner, the blueprint and the link of both. */
function rollUp(changes: Change[]): Row[] {
  const rows = new Map<string, Row>()
  for (const change of changes) {
    const { accountId, day, partnerId, blueprintId } = change
    if (!change.isTouched && !figures.some((figure) => change[figure])) continue
    const partners = partnerId ? [NIL, partnerId] : [NIL]
    const blueprints = blueprintId ? [NIL, blueprintId] : [NIL]
    for (const partner of partners)
      for (const blueprint of blueprints) {
        const key = `${accountId} ${partner} ${blueprint} ${day}`
        let row = rows.get(key)
        if (!row) {
          row = { accountId, partnerId: partner, blueprintId: blueprint, day, ...nothing }
          rows.set(key, row)
        }
        for (const figure of figures) row[figure] += change[figure] ?? 0
      }
  }
  return inKeyOrder(rows)
}

function totalsOf(days: Row[]): Row[] {
  const rows = new Map<string, Row>()
  for (const day of days) {
    const key = `${day.accountId} ${day.partnerId} ${day.blueprintId}`
    const row = rows.get(key)
    if (!row) rows.set(key, { ...day })
    else for (const figure of figures) row[figure] += day[figure]
  }
  return inKeyOrder(rows)
}

/** Adds up partners' sales by month. */
function monthsOf(changes: Change[]): MonthRow[] {
  const rows = new Map<string, MonthRow>()
  for (const { accountId, partnerId, day, sales = 0, revenue = 0, earned = 0 } of changes) {
    if (!partnerId || !(sales || revenue || earned)) continue
    const month = firstOfMonth(day)
    const key = `${accountId} ${month} ${partnerId}`
    const row = rows.get(key) ?? { accountId, month, partnerId, sales: 0, revenue: 0, earned: 0 }
    rows.set(key, { ...row, sales: row.sales + sales, revenue: row.revenue + revenue, earned: row.earned + earned })
  }
  return inKeyOrder(rows).filter((row) => row.sales || row.revenue || row.earned)
}

function leadsOf(changes: Change[]): LeadRow[] {
  const rows = new Map<string, LeadRow>()
  for (const { leadId, accountId, sales = 0, revenue = 0, share = 0 } of changes) {
    if (!leadId || !(sales || revenue || share)) continue
    const row = rows.get(leadId) ?? { accountId, leadId, sales: 0, revenue: 0, share: 0 }
    rows.set(leadId, { ...row, sales: row.sales + sales, revenue: row.revenue + revenue, share: row.share + share })
  }
  return inKeyOrder(rows).filter((row) => row.sales || row.revenue || row.share)
}

/** Adds up what came of partners' own links. */
function linksOf(changes: Change[]): LinkRow[] {
  const rows = new Map<string, LinkRow>()
  for (const { linkId, accountId, clicks = 0, leads = 0, sales = 0, revenue = 0 } of changes) {
    if (!linkId || !(clicks || leads || sales || revenue)) continue
    const key = `${accountId} ${linkId}`
    const row = rows.get(key) ?? { accountId, linkId, clicks: 0, leads: 0, sales: 0, revenue: 0 }
    rows.set(key, {
      ...row,
      clicks: row.clicks + clicks,
      leads: row.leads + leads,
      sales: row.sales + sales,
      revenue: row.revenue + revenue,
    })
  }
  return inKeyOrder(rows).filter((row) => row.clicks || row.leads || row.sales || row.revenue)
}

/** Adds up sales by the promotion codes used. */
function codesOf(changes: Change[]): CodeRow[] {
  const rows = new Map<string, CodeRow>()
  for (const { promotionCodes, accountId, usedAt = null, sales = 0, revenue = 0 } of changes) {
    if (!(sales || revenue)) continue
    for (const code of promotionCodes ?? []) {
      const key = `${accountId} ${code}`
      const row = rows.get(key) ?? { accountId, code, sales: 0, revenue: 0, usedAt: null }
      const isLater = usedAt !== null && (row.usedAt === null || usedAt > row.usedAt)
      rows.set(key, {
        ...row,
        sales: row.sales + sales,
        revenue: row.revenue + revenue,
        usedAt: isLater ? usedAt : row.usedAt,
      })
    }
  }
  return inKeyOrder(rows).filter((row) => row.sales || row.revenue)
}

const inKeyOrder = <T>(rows: Map<string, T>) =>
  [...rows].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)).map(([, row]) => row)

const column = <T, K extends keyof T>(rows: T[], key: K) => rows.map((row) => row[key])

type Rows = { days: Row[]; totals: Row[]; months: MonthRow[]; leads: LeadRow[]; links: LinkRow[]; codes: CodeRow[] }

/**
 * Writes the tables one after the other, sent together. Apart: within one statement, parts run in no guaranteed order,
 * and a cluster would send their results to every machine.
 */
async function write(tx: Transaction, { days, totals, months, leads, links, codes }: Rows): Promise<boolean> {
  const most = await Promise.all([
    totals.length === 0
      ? []
      : tx.many<Most>`
        insert into total_stats as s (account_id, partner_id, blueprint_id, ${figureNames})
        select * from unnest(${column(totals, 'accountId')}::uuid[], ${column(totals, 'partnerId')}::uuid[],
          ${column(totals, 'blueprintId')}::uuid[], ${figuresOf(totals)})
        on conflict (account_id, partner_id, blueprint_id) do update set ${addFigures}
        returning greatest(s.revenue, s.share) as most`,
    days.length === 0
      ? []
      : tx.many<Most>`
        insert into day_stats as s (account_id, partner_id, blueprint_id, day, ${figureNames}, behind)
        select *, false from unnest(${column(days, 'accountId')}::uuid[], ${column(days, 'partnerId')}::uuid[],
          ${column(days, 'blueprintId')}::uuid[], ${column(days, 'day')}::date[], ${figuresOf(days)})
        on conflict (account_id, partner_id, blueprint_id, day) do update set ${addFigures}, version = s.version + 1
        returning greatest(s.revenue, s.share) as most`,
    months.length === 0
      ? []
      : tx.many<Most>`
        insert into month_stats as s (account_id, month, partner_id, sales, revenue, earned)
        select * from unnest(${column(months, 'accountId')}::uuid[], ${column(months, 'month')}::date[],
          ${column(months, 'partnerId')}::uuid[], ${column(months, 'sales')}::bigint[],
          ${column(months, 'revenue')}::bigint[], ${column(months, 'earned')}::bigint[])
        on conflict (account_id, month, partner_id) do update set
          sales = s.sales + excluded.sales, revenue = s.revenue + excluded.revenue, earned = s.earned + excluded.earned
        returning 0 as most`,
    leads.length === 0
      ? []
      : tx.many<Most>`
        insert into lead_stats as s (account_id, lead_id, sales, revenue, share)
        select * from unnest(${column(leads, 'accountId')}::uuid[], ${column(leads, 'leadId')}::uuid[],
          ${column(leads, 'sales')}::bigint[], ${column(leads, 'revenue')}::bigint[], ${column(leads, 'share')}::bigint[])
        on conflict (lead_id, account_id) do update set
          sales = s.sales + excluded.sales, revenue = s.revenue + excluded.revenue, share = s.share + excluded.share
        returning greatest(s.revenue, s.share) as most`,
    links.length === 0
      ? []
      : tx.many<Most>`
        insert into link_totals as s (account_id, link_id, clicks, leads, sales, revenue)
        select * from unnest(${column(links, 'accountId')}::uuid[], ${column(links, 'linkId')}::uuid[],
          ${column(links, 'clicks')}::bigint[], ${column(links, 'leads')}::bigint[], ${column(links, 'sales')}::bigint[],
          ${column(links, 'revenue')}::bigint[])
        on conflict (account_id, link_id) do update set clicks = s.clicks + excluded.clicks,
          leads = s.leads + excluded.leads, sales = s.sales + excluded.sales, revenue = s.revenue + excluded.revenue
        returning 0 as most`,
    codes.length === 0
      ? []
      : tx.many<Most>`
        insert into code_totals as s (account_id, code, sales, revenue, last_used_at)
        select * from unnest(${column(codes, 'accountId')}::uuid[], ${column(codes, 'code')}::text[],
          ${column(codes, 'sales')}::bigint[], ${column(codes, 'revenue')}::bigint[],
          ${column(codes, 'usedAt')}::timestamptz[])
        on conflict (account_id, code) do update set sales = s.sales + excluded.sales,
          revenue = s.revenue + excluded.revenue, last_used_at = greatest(s.last_used_at, excluded.last_used_at)
        returning 0 as most`,
  ])
  return most.flat().some((row) => row.most > MAX_TOTAL)
}

type Most = { most: number }

const figureNames = rawSql(names.join(', '))
const addFigures = rawSql(names.map((name) => `${name} = s.${name} + excluded.${name}`).join(', '))
const figuresOf = (rows: Figures[]) =>
  joinSql(
    figures.map((figure) => sql`${column(rows, figure)}::bigint[]`),
    ', ',
  )
