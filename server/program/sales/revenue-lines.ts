import { type RevenueKind, type RevenueLine, type RevenueTotals, revenueKinds } from '#contract/sales.ts'
import type { ListQuery } from '#contract/values.ts'
import { NIL } from '../../platform/database/ids.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import { joinSql, type Sql, sql } from '../../platform/database/sql.ts'
import { idFilter, listPage, valueFilter } from '../../platform/http/list.ts'
import type { Access } from '../access/access.ts'
import { type BroughtBy, linesBroughtBy } from '../leads/attribution-dimensions.ts'
import { leadNames } from '../leads/lead-facts.ts'
import { leadsFound } from '../leads/list-leads.ts'
import { partnerNames } from '../partner-directory/partner-names.ts'
import { saleHoldReason, voidBecause } from './hold-reason.ts'
import { atProvider, type PaidShop } from './payment-pages.ts'
import { paidShop } from './present-sales.ts'
import { type AmountRange, amountFilters, isSaleOnHold, MOST_NAMED, saleSearch } from './sale-filters.ts'

type Query = ListQuery & {
  kind?: string[] | undefined
  status?: string[] | undefined
  provider?: string[] | undefined
  partnerId?: string[] | undefined
  blueprintId?: string[] | undefined
  leadId?: string[] | undefined
  onHold?: boolean | undefined
  from?: string | undefined
  to?: string | undefined
} & BroughtBy &
  AmountRange

type Line = Omit<RevenueLine, 'leadName' | 'partnerName' | 'profit' | 'hold' | 'livemode' | 'providerUrl'> & {
  shop: PaidShop | null
  heldUntil: string | null
  holdReason: string | null
  voidReason: string | null
}

type Narrowed = {
  /** Only these kinds. */
  kinds?: string[] | undefined
  from?: string | undefined
  to?: string | undefined
}

/**
 * Returns the figures counted for an account's sales and leads, a line per day, in four parts: the sales, of which a void
 * one counts zero; the loss by each refund or dispute; its return; and the pay for leads. Kinds and dates are conditions on
 * the tables' own columns, so that the planner can estimate the number of lines.
 */
export function revenueParts(accountId: string, { kinds = [...revenueKinds], from, to }: Narrowed = {}): Sql[] {
  const ofSale = sql`s.account_id, s.id as sale_id, s.lead_id, s.partner_id, s.blueprint_id, s.provider, s.status,
    s.external_id, s.shop_id, s.told_by_shop_id, s.customer_id, s.description, s.payer_email, s.disputed, s.hold_rule, s.held_until,
    s.hold_reason, s.void_reason, null::bigint as paid`
  const itsSale = sql`join sales s on s.account_id = r.account_id and s.id = r.sale_id and s.lead_id is not null and s.status <> 'void'`
  const within = (day: Sql) =>
    sql`${from ? sql`and ${day} >= ${from}` : sql``} ${to ? sql`and ${day} <= ${to}` : sql``}`
  const some = (...wanted: RevenueKind[]) => wanted.some((kind) => kinds.includes(kind))
  const [sales, voids] = [some('sale'), some('void')]
  const standing = sales && voids ? sql`` : sales ? sql`and s.status <> 'void'` : sql`and s.status = 'void'`
  const parts = [
    some('sale', 'void') &&
      sql`(select s.id, case s.status when 'void' then 'void' else 'sale' end as kind, s.sale_date as day,
        case s.status when 'void' then 0 else coalesce(s.account_amount, 0) end as amount,
        null::uuid as refund_id, null::text as entry_kind, ${ofSale}
      from sales s where s.account_id = ${accountId} and s.lead_id is not null ${standing} ${within(sql`s.sale_date`)})`,
    some('refund', 'dispute') &&
      sql`(select r.id, r.kind, r.counted_on as day, -r.account_amount as amount, r.id as refund_id, 'reversal' as entry_kind,
        ${ofSale}
      from refunds r ${itsSale} where r.account_id = ${accountId} and r.counted_on is not null
        ${some('refund') && some('dispute') ? sql`` : sql`and r.kind = any(${kinds})`} ${within(sql`r.counted_on`)})`,
    some('restoration') &&
      sql`(select md5(r.id || ' restored')::uuid as id, 'restoration' as kind, r.restored_on as day,
        r.restored_amount as amount, r.id as refund_id, 'restoration' as entry_kind, ${ofSale}
      from refunds r ${itsSale} where r.account_id = ${accountId} and r.restored_on is not null ${within(sql`r.restored_on`)})`,
    some('lead') &&
      sql`(select md5(e.lead_id::text || e.paid_for || e.day)::uuid as id, 'lead' as kind, e.day, 0::bigint as amount,
        null::uuid as refund_id, null::text as entry_kind, e.account_id, null::uuid as sale_id, e.lead_id,
        (l.credit -> e.paid_for -> 'line' -> 0 ->> 'partnerId')::uuid as partner_id,
        (l.credit -> e.paid_for ->> 'blueprintId')::uuid as blueprint_id, null::text as provider, null::text as status,
        null::text as external_id, null::uuid as shop_id, null::uuid as told_by_shop_id, null::text as customer_id,
        null::text as description, null::text as payer_email,
        false as disputed, null::text as hold_rule, null::timestamptz as held_until, null::text as hold_reason,
        null::text as void_reason, e.paid
      from ${leadPayByDay(accountId, { from, to })} e join leads l on l.account_id = ${accountId} and l.id = e.lead_id)`,
  ]
  return parts.filter((part) => part !== false)
}

/** The pay for leads by lead, event and day, with the entries of all layers added up. */
const leadPayByDay = (accountId: string, { from, to }: Narrowed) => sql`(
  select account_id, lead_id, paid_for, day, sum(amount)::bigint as paid from commission_entries
  where account_id = ${accountId} and lead_id is not null ${from ? sql`and day >= ${from}` : sql``} ${to ? sql`and day <= ${to}` : sql``}
  group by 1, 2, 3, 4)`

/**
 * The ledger entries of line `t`: for a sale its earnings, and corrections by the recurring limit, which count on the
 * day of the sale too.
 */
const itsEntries = sql`e.sale_id = t.sale_id and e.refund_id is not distinct from t.refund_id
  and (t.entry_kind is null or e.kind = t.entry_kind) and t.kind <> 'void'`

/** The amount that all partners earned by line `t`. */
export const shareOfLine = (accountId: string) => sql`
  coalesce(t.paid, (select sum(e.amount) from commission_entries e where e.account_id = ${accountId} and ${itsEntries}), 0)::bigint`

const columns = (
  accountId: string,
  now: Date,
) => sql`t.id, t.kind, t.day, t.sale_id, t.lead_id, t.partner_id, t.blueprint_id, t.provider,
  t.external_id, ${paidShop}, t.payer_email, t.customer_id as provider_customer_id, t.status, coalesce(${isSaleOnHold(now)}, false) as on_hold, t.held_until,
  t.hold_reason, t.void_reason, t.amount,
  ${shareOfLine(accountId)} as share`

/**
 * Returns one page of the lines that the statistics count, and the totals of all pages; newest day first unless sorted.
 */
export async function listRevenueLines(db: Queryable, access: Access, query: Query) {
  const { account } = access
  const { kind: kinds, from, to } = query
  const parts = revenueParts(account.id, { kinds, from, to })
  const narrowing = [
    valueFilter(sql`t.status`, query.status),
    valueFilter(sql`t.provider`, query.provider),
    idFilter(sql`t.partner_id`, query.partnerId),
    idFilter(sql`t.blueprint_id`, query.blueprintId),
    idFilter(sql`t.lead_id`, query.leadId),
    query.onHold ? isSaleOnHold(db.now) : undefined,
    ...amountFilters(sql`t.amount`, query),
    linesBroughtBy(account.id, query),
    await lineSearch(db, account.id, query.search),
  ].filter((condition) => condition !== undefined)
  const scope = joinSql([sql`true`, ...narrowing], ' and ')
  const narrowed = narrowing.length > 0 || kinds
  const totals = query.uncounted
    ? nothing
    : narrowed
      ? await totalsOf(db, account.id, sql`select * from (${joinSql(parts, ' union all ')}) t where ${scope}`)
      : await totalsOfDays(db, account.id, { from, to })
  const byDay = { by: sql`t.day`, type: 'date' } as const
  const found = await listPage<Line>(db, query, {
    columns: columns(account.id, db.now),
    from: (few) => joinSql(parts.map(few), ' union all '),
    scope,
    filters: [],
    sorts: { createdAt: byDay, day: byDay },
    total: async () => totals.count,
  })
  return { ...found, items: await present(db, access, found.items), totals }
}

/** Searches sales, and by their leads the lines without a sale. */
async function lineSearch(db: Queryable, accountId: string, search: string | undefined) {
  const found = await saleSearch(db, accountId, sql`t.sale_id`, search)
  if (!found) return undefined
  const leads = leadsFound(accountId, search)
  // a separate query, as for sales: few are listed
  const few = await db.many<{ id: string }>`select id from ${leads} found limit ${MOST_NAMED + 1}`
  const ofLead = few.length > MOST_NAMED ? leads : sql`(select unnest(${few.map(({ id }) => id)}::uuid[]))`
  return sql`(${found} or (t.kind = 'lead' and t.lead_id in ${ofLead}))`
}

/** Totals for a reader who does not need them. */
const nothing: RevenueTotals = { count: 0, sales: 0, revenue: 0, share: 0, profit: 0 }

async function totalsOf(db: Queryable, accountId: string, lines: Sql): Promise<RevenueTotals> {
  const { count, sales, revenue, share } = await db.one<Omit<RevenueTotals, 'profit'>>`
    with lines as (select t.kind, t.amount, t.sale_id, t.refund_id, t.entry_kind, t.paid from (${lines}) t)
    select count(*) as count, count(*) filter (where t.kind = ${'sale' satisfies RevenueKind}) as sales,
      coalesce(sum(t.amount), 0)::bigint as revenue,
      (coalesce(sum(t.paid), 0) + coalesce((
        select sum(e.amount) from lines t join commission_entries e on e.account_id = ${accountId} and ${itsEntries}), 0))::bigint as share
    from lines t`
  return { count, sales, revenue, share, profit: revenue - share }
}

/** Computes totals of whole days from the roll-up, except the number of lines besides sales, which are few. */
async function totalsOfDays(db: Queryable, accountId: string, { from, to }: Narrowed): Promise<RevenueTotals> {
  const { others, sales, revenue, share } = await db.one<Record<'others' | 'sales' | 'revenue' | 'share', number>>`
    select coalesce(sum(sales), 0)::bigint as sales, coalesce(sum(revenue), 0)::bigint as revenue,
      coalesce(sum(share), 0)::bigint as share, (${numberOfOthers(accountId, { from, to })}) as others
    from day_stats
    where account_id = ${accountId} and partner_id = ${NIL} and blueprint_id = ${NIL}
      and day between ${from ?? '-infinity'} and ${to ?? 'infinity'}`
  return { count: sales + others, sales, revenue, share, profit: revenue - share }
}

/**
 * Counts the lines besides sales. Excludes the few sales whose refunds do not count by an index: with a look-up per
 * refund, the planner would rather read all sales.
 */
function numberOfOthers(accountId: string, { from, to }: Narrowed): Sql {
  const within = (day: Sql) =>
    sql`${day} is not null ${from ? sql`and ${day} >= ${from}` : sql``} ${to ? sql`and ${day} <= ${to}` : sql``}`
  const notOf = (sale: Sql) =>
    sql`not exists (select from sales s where s.account_id = r.account_id and s.id = r.sale_id and ${sale})`
  const moved = (day: Sql) => sql`
    select count(*) from refunds r
    where r.account_id = ${accountId} and ${within(day)} and ${notOf(sql`s.status = 'void'`)}
      and ${notOf(sql`s.lead_id is null`)}`
  return sql`
    (select count(*) from sales s
      where s.account_id = ${accountId} and s.status = 'void' and s.lead_id is not null and ${within(sql`s.sale_date`)})
    + (${moved(sql`r.counted_on`)}) + (${moved(sql`r.restored_on`)})
    + (select count(*) from ${leadPayByDay(accountId, { from, to })} e)`
}

async function present(db: Queryable, access: Access, rows: Line[]): Promise<RevenueLine[]> {
  const leads = await leadNames(
    db,
    access,
    rows.map((row) => row.leadId),
  )
  const partners = await partnerNames(
    db,
    [access.account.id],
    rows.map((row) => row.partnerId),
  )
  return rows.map(({ heldUntil, holdReason, voidReason, shop, ...row }) => ({
    ...row,
    ...atProvider(row, shop),
    hold:
      row.onHold && row.status
        ? saleHoldReason(db.now, access, { status: row.status, until: heldUntil, reason: holdReason })
        : row.status === 'void'
          ? voidBecause(access, voidReason)
          : null,
    leadName: leads.get(row.leadId) ?? '',
    partnerName: (row.partnerId && partners.get(row.partnerId)) || null,
    profit: row.amount - row.share,
  }))
}
