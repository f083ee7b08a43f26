import { attentionKinds } from '#contract/attention-kinds.ts'
import type { Dashboard } from '#contract/dashboard.ts'
import { leadStatuses } from '#contract/leads.ts'
import { NIL } from '../../platform/database/ids.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import { dayIn } from '../../platform/time/days.ts'
import type { Range } from '../../platform/time/range.ts'
import type { Access } from '../access/access.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import { unansweredSql } from '../leads/list-leads.ts'
import { partnerNames } from '../partner-directory/partner-names.ts'
import { sumNeedy } from '../payouts/attention.ts'
import { presentSales } from '../sales/present-sales.ts'
import { isSaleOnHold } from '../sales/sale-filters.ts'
import { previousRange, readHistory, statsBetween, toSight } from '../stats/history.ts'
import { soldBy } from '../stats/months.ts'

type AttentionKind = Dashboard['attention'][number]['kind']

/**
 * Something outside this room that may need the owner's attention: its count, perhaps with the instant of the oldest, and
 * the page that handles it.
 */
export type Watched = {
  kind: AttentionKind
  link: string
  /** Its words in the weekly summary. */
  inWords(count: number): string
  count(
    db: Queryable,
    accountId: string,
  ): Promise<number | { count: number; since: string | null; value?: string | null }>
}

const ROWS = 5
const NOTHING = { amount: null, since: null, value: null }
/** A day before any figure. */
const BEFORE_ALL = '1900-01-01'

/** Returns everything the owner's dashboard shows; `compare` is the range of its `previous` figures. */
export async function ownersDashboard(
  db: Queryable,
  access: Access,
  watched: readonly Watched[],
  range: Range,
  compare: Range = previousRange(range),
): Promise<Dashboard> {
  const { id: accountId, defaultCurrency } = access.account
  const sight = toSight(access)
  const [current, before, deltas, toTheEnd, topPartners, topLinks, latestSales, attention, checklist] =
    await Promise.all([
      statsBetween(db, { accountId }, range, sight, defaultCurrency),
      statsBetween(db, { accountId }, compare, sight, defaultCurrency),
      readHistory(db, { accountId }, range, sight, defaultCurrency),
      statsBetween(db, { accountId }, { from: BEFORE_ALL, to: range.to }, sight, defaultCurrency),
      topPartnersOf(db, access, range, compare),
      topLinksOf(db, accountId, range, compare),
      latestSalesOf(db, access),
      listAttentionItems(db, access.account, watched),
      checklistOf(db, accountId),
    ])
  const partnersInAll = toTheEnd.numberOfPartners
  return {
    current,
    previous: before,
    history: deltas,
    partnersInAll,
    topPartners,
    topLinks,
    latestSales,
    attention,
    checklist,
  }
}

async function topPartnersOf(
  db: Queryable,
  { account: { id: accountId, timeZone } }: Access,
  range: Range,
  compare: Range,
): Promise<Dashboard['topPartners']> {
  const rows = await db.many<Omit<Dashboard['topPartners'][number], 'displayName'>>`
    select t.*, (select coalesce(sum(b.revenue), 0)::bigint from day_stats b
      where b.account_id = ${accountId} and b.partner_id = t.partner_id and b.blueprint_id = ${NIL}
        and b.day between ${compare.from} and ${compare.to}) as previous_revenue
    from (
      select partner_id, sum(sales)::bigint as number_of_sales, sum(revenue)::bigint as sales_revenue
      from ${soldBy(accountId, range, dayIn(timeZone, db.now))} s
      group by partner_id having sum(sales) > 0
      order by sales_revenue desc, number_of_sales desc, partner_id limit ${ROWS}) t
    order by sales_revenue desc, number_of_sales desc, partner_id`
  const names = await partnerNames(
    db,
    [accountId],
    rows.map((row) => row.partnerId),
  )
  return rows.map((row) => ({ ...row, displayName: names.get(row.partnerId) ?? '' }))
}

const topLinksOf = (db: Queryable, accountId: string, range: Range, compare: Range) => db.many<
  Dashboard['topLinks'][number]
>`
  select t.*, (select coalesce(sum(b.clicks), 0)::bigint from day_stats b
    where b.account_id = ${accountId} and b.partner_id = ${NIL} and b.blueprint_id = t.blueprint_id
      and b.day between ${compare.from} and ${compare.to}) as previous_clicks
  from (
    select s.blueprint_id, b.name, s.clicks, s.sales
    from (
      select blueprint_id, sum(clicks)::bigint as clicks, sum(sales)::bigint as sales
      from day_stats
      where account_id = ${accountId} and partner_id = ${NIL} and blueprint_id <> ${NIL}
        and day between ${range.from} and ${range.to}
      group by 1) s join link_blueprints b on b.account_id = ${accountId} and b.id = s.blueprint_id
    where b.archived_at is null and (s.clicks > 0 or s.sales > 0)
    order by clicks desc, sales desc, blueprint_id limit ${ROWS}) t
  order by clicks desc, sales desc, blueprint_id`

async function latestSalesOf(db: Queryable, access: Access) {
  const rows = await db.many<{ id: string }>`
    select id from sales where account_id = ${access.account.id} order by created_at desc, id desc limit ${ROWS}`
  const sales = await presentSales(
    db,
    access,
    rows.map((row) => row.id),
  )
  return rows.map((row) => sales.get(row.id)!)
}

/**
 * Returns the items that need the owner's attention, without zeros. Each is counted by the same rule as the list that
 * its link opens, so the numbers agree.
 */
export async function listAttentionItems(
  db: Queryable,
  account: AccountFacts,
  watched: readonly Watched[],
): Promise<Dashboard['attention']> {
  const [found, needy, others] = await Promise.all([
    db.one<{ unanswered: number; unattributed: number; held: number }>`
    select
      (select count(*) from leads t where t.account_id = ${account.id} and ${unansweredSql(db.now)}) as unanswered,
      (select count(*) from leads where account_id = ${account.id} and partner_id is null)
        - (select count(*) from leads where account_id = ${account.id} and status = 'duplicate' and partner_id is null) as unattributed,
      (select count(*) from sales t where t.account_id = ${account.id} and ${isSaleOnHold(db.now)}) as held`,
    sumNeedy(db, account),
    Promise.all(watched.map(async (one) => ({ ...one, found: await one.count(db, account.id) }))),
  ])
  const all: Dashboard['attention'] = [
    { kind: 'unanswered-leads', count: found.unanswered, ...NOTHING, link: '/leads?unanswered=true' },
    { kind: 'blocked-payouts', ...NOTHING, ...needy, link: '/payouts?tab=needs-action' },
    {
      kind: 'unattributed-leads',
      count: found.unattributed,
      ...NOTHING,
      link: `/leads?partnerId=none&status=${counted}`,
    },
    {
      kind: 'sales-on-hold',
      count: found.held,
      ...NOTHING,
      link: '/leads?tab=sales&kind=sale&onHold=true',
    },
  ]
  for (const { kind, link, found } of others)
    all.push({ kind, link, ...NOTHING, ...(typeof found === 'number' ? { count: found } : found) })
  const place = ({ kind }: { kind: AttentionKind }) => attentionKinds.indexOf(kind)
  return all.filter(({ count }) => count > 0).sort((a, b) => place(a) - place(b))
}

/** The statuses that count as a lead in figures: all but duplicates. */
const counted = leadStatuses.filter((status) => status !== 'duplicate').join(',')

/**
 * Computes the six steps of getting started from the data. For an account with many rows an index finds the first one:
 * `exists` has no order, and may search the rows of all earlier accounts.
 */
async function checklistOf(db: Queryable, accountId: string): Promise<Dashboard['checklist']> {
  const done = await db.one<Record<'provider' | 'partner' | 'link' | 'embedOrApi' | 'sale' | 'payouts', boolean>>`
    select
      exists (select from provider_connections where account_id = ${accountId} and disconnected_at is null) as provider,
      (select id from partners where account_id = ${accountId} order by created_at, id limit 1) is not null as partner,
      (select id from link_blueprints where account_id = ${accountId} and archived_at is null
        order by created_at, id limit 1) is not null as link,
      (exists (select from api_keys where account_id = ${accountId} and 'push' = any(rights) and deleted_at is null)
        or exists (select from embed_codes where account_id = ${accountId})) as embed_or_api,
      (select id from sales where account_id = ${accountId} and status <> 'void' and not is_test
        order by created_at, id limit 1) is not null as sale,
      exists (select from payout_accounts where account_id = ${accountId} and methods <> '{}') as payouts`
  return [
    { step: 'payment-provider', done: done.provider },
    { step: 'partner', done: done.partner },
    { step: 'link', done: done.link },
    { step: 'embed-or-api', done: done.embedOrApi },
    { step: 'sale', done: done.sale },
    { step: 'payouts', done: done.payouts },
  ]
}
