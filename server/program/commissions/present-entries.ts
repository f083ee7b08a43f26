import type { CommissionEntry, ListedEntry } from '#contract/commissions.ts'
import type { ListQuery } from '#contract/values.ts'
import { inAccountsSql, rowsByKeySql } from '../../platform/database/by-key.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import { joinSql, type Sql, sql } from '../../platform/database/sql.ts'
import { containsFilter, listPage } from '../../platform/http/list.ts'
import { pageWithTotals } from '../../platform/http/page-with-totals.ts'
import { type Access, buildOwnerView, readAccountIds, type WholeView, wordFor } from '../access/access.ts'
import { partnerNames } from '../partner-directory/partner-names.ts'
import { entriesSetAside, entriesWithPayout, entryStatus, itsSaleAndPayout } from './entry-status.ts'
import { sayBonusReason, sayEntryReason } from './text.ts'

/** A row `t` of the ledger, as written. */
export type WrittenEntry = Omit<CommissionEntry, 'partnerName' | 'rate' | 'flat' | 'payoutId'> & {
  ratePpm: number | null
  flatAmount: number | null
}
export const writtenColumns = sql`t.id, t.sale_id, t.lead_id, t.paid_for, t.goal_id, t.refund_id, t.partner_id, t.layer, t.rate_ppm, t.flat_amount, t.rule, t.base_amount, t.amount,
  t.currency, t.kind, t.available_at, t.reason, t.created_at`

type EntryRow = WrittenEntry & Pick<CommissionEntry, 'payoutId'>
const columns = (now: Date | Sql, reader: EntryReader) =>
  sql`${writtenColumns}, ${entryStatus(now, readAccountIds(reader))} as status, p.id as payout_id`

/** A reader of entries: an owner all; a partner their own, without base and rate if sale amounts are hidden. */
export type EntryReader = Pick<Access, 'as' | 'partnerId' | 'account' | 'language'> | WholeView

async function present(db: Queryable, reader: EntryReader, rows: EntryRow[]): Promise<CommissionEntry[]> {
  const names = await partnerNames(
    db,
    readAccountIds(reader),
    rows.map((row) => row.partnerId),
  )
  return withNames(reader, names, rows)
}

function withNames(reader: EntryReader, names: Map<string, string>, rows: EntryRow[]): CommissionEntry[] {
  const toPartner = reader.as === 'partner'
  // the rate beside the amount would reveal the base
  const hidden = reader.as === 'partner' && !reader.account.partnerVisibility.saleAmounts
  const asFriends = toPartner && reader.account.partnerVisibility.asFriends
  return rows.map(({ ratePpm, flatAmount, ...row }) => ({
    ...row,
    partnerName: names.get(row.partnerId) ?? '',
    rate: hidden || ratePpm === null ? null : ratePpm / 10_000,
    flat: flatAmount,
    // it may be named after what a friend bought
    rule: asFriends ? null : row.rule,
    // an ancestor's pay for another partner's lead
    leadId: toPartner && row.layer !== 0 ? null : row.leadId,
    baseAmount: hidden ? null : row.baseAmount,
    // a refund's reason is the customer's; an adjustment's is meant for the partner
    reason: toPartner ? reasonFor(reader, row) : row.reason,
  }))
}

function reasonFor(
  reader: EntryReader,
  { saleId, leadId, kind, reason }: Pick<EntryRow, 'saleId' | 'leadId' | 'kind' | 'reason'>,
) {
  if (saleId || leadId || reason === null) return null
  return wordFor(reader, () => (kind === 'bonus' ? sayBonusReason : sayEntryReason)(reason))
}

/**
 * Returns the commissions of a new sale in the order of its layers, as the account's owner sees them, without another
 * read.
 */
export const presentEarned = (names: Map<string, string>, entries: WrittenEntry[]): CommissionEntry[] =>
  withNames(
    buildOwnerView([]),
    names,
    entries.map((entry) => ({ ...entry, payoutId: null })).sort((a, b) => (a.layer ?? 0) - (b.layer ?? 0)),
  )

const own = (reader: EntryReader) => {
  const theirs = reader.as === 'partner' ? sql`and t.partner_id = ${reader.partnerId}` : sql``
  return sql`${inAccountsSql(sql`t.account_id`, readAccountIds(reader))} ${theirs}`
}

/** Returns the entries of these sales that the reader may see, in the order of their layers. */
export async function entriesOfSales(
  db: Queryable,
  reader: EntryReader,
  saleIds: string[],
): Promise<CommissionEntry[]> {
  const rows = await db.many<EntryRow>`
    select ${columns(sql`moment.now`, reader)} from (select ${db.now}::timestamptz as now) moment, ${entriesWithPayout}
    where t.sale_id = any(${saleIds}::uuid[]) and ${own(reader)}
    order by t.sale_id, t.layer, t.id`
  return present(db, reader, rows)
}

/** Returns the entries that pay for a lead itself, as far as the reader may see them. */
export async function entriesOfLead(db: Queryable, reader: EntryReader, leadId: string): Promise<CommissionEntry[]> {
  const rows = await db.many<EntryRow>`
    select ${columns(db.now, reader)} from ${entriesWithPayout}
    where t.lead_id = ${leadId} and ${own(reader)} order by t.layer, t.id`
  return present(db, reader, rows)
}

/** Returns the adjustments that settle this sale of a partner, who was paid for it before its import. */
export async function listSettlements(db: Queryable, reader: EntryReader, saleId: string, partnerId: string) {
  const rows = await db.many<EntryRow>`
    select ${columns(db.now, reader)} from ${entriesWithPayout}
    where t.settles_sale_id = ${saleId} and t.partner_id = ${partnerId} and ${own(reader)}
    order by t.id`
  return present(db, reader, rows)
}

/** Returns these entries as the account's owner sees them, in the order of their sales and layers. */
export async function entriesByIds(db: Queryable, accountIds: string[], ids: string[]): Promise<CommissionEntry[]> {
  if (ids.length === 0) return []
  const reader = buildOwnerView([...new Set(accountIds)])
  const rows = await db.many<EntryRow>`
    select ${columns(sql`moment.now`, reader)}
    from (select ${db.now}::timestamptz as now) moment, ${rowsByKeySql(sql`commission_entries`, reader.accountIds, ids)}
      ${itsSaleAndPayout}
    where ${own(reader)} order by t.sale_id, t.layer, t.id`
  return present(db, reader, rows)
}

export async function entryById(db: Queryable, reader: EntryReader, id: string): Promise<CommissionEntry> {
  const row = await db.one<EntryRow>`
    select ${columns(db.now, reader)} from ${entriesWithPayout} where t.id = ${id} and ${own(reader)}`
  return (await present(db, reader, [row]))[0]!
}

type Narrowed = {
  scope: Sql
  filters?: (Sql | undefined)[]
  /** True if the filters need neither sales nor payouts. */
  byEntriesAlone?: boolean
}

/** Lists entries within `scope`; a partner sees only their own. */
export async function listEntries(db: Queryable, reader: EntryReader, query: ListQuery, narrowed: Narrowed) {
  const { items, ...rest } = await listPage<EntryRow>(db, query, listOf(db.now, reader, query, narrowed))
  return { ...rest, items: await present(db, reader, items) }
}

/** Lists entries like `listEntries`, with the visits of their leads. */
export async function listWithVisits(db: Queryable, reader: Access, query: ListQuery, narrowed: Narrowed) {
  const { items, ...rest } = await listEntries(db, reader, query, narrowed)
  return { ...rest, items: await withVisits(db, reader.account.id, items) }
}

/** Returns entries with the own link and sub-ID of the visit of their lead, or of their sale by another click, if it is their partner's. */
export async function withVisits(db: Queryable, accountId: string, entries: CommissionEntry[]): Promise<ListedEntry[]> {
  const ids = entries.map(({ id }) => id)
  const visits = await db.many<Pick<ListedEntry, 'id' | 'linkId' | 'subId'>>`
    select e.id, v.link_id, v.sub_id
    from commission_entries e left join sales s on s.account_id = ${accountId} and s.id = e.sale_id
      join leads l on l.account_id = ${accountId} and l.id = coalesce(s.lead_id, e.lead_id)
      cross join lateral (
        select l.partner_id, l.link_id, l.sub_id where s.latest_click is null
        union all
        select s.partner_id, s.link_id, s.visit ->> 'subId' where s.latest_click is not null) v
    where e.account_id = ${accountId} and e.id = any(${ids}::uuid[]) and v.partner_id = e.partner_id
      and (v.link_id is not null or v.sub_id is not null)`
  const visitOf = new Map(visits.map((visit) => [visit.id, visit]))
  return entries.map((entry) => ({ ...entry, linkId: null, subId: null, ...visitOf.get(entry.id) }))
}

/** Returns the totals of all entries of a list, and per state. */
export function addUpEntries(db: Queryable, accountId: string, { scope, filters = [] }: Narrowed) {
  const sumOf = (status: CommissionEntry['status']) =>
    sql`coalesce(sum(x.amount) filter (where x.status = ${status}), 0)::bigint`
  const conditions = [scope, ...filters.filter((filter) => filter !== undefined)]
  return db.one<Record<'count' | 'amount' | 'held' | 'due' | 'inPayout' | 'paid', number>>`
    select count(*) as count, coalesce(sum(x.amount), 0)::bigint as amount, ${sumOf('held')} as held,
      ${sumOf('due')} as due, ${sumOf('in-payout')} as in_payout, ${sumOf('paid')} as paid
    from (select t.amount, ${entryStatus(db.now, [accountId])} as status from ${entriesSetAside}
      where ${joinSql(conditions, ' and ')}) x`
}

/** Returns a page of entries with the totals of all pages. */
export async function listEntriesWithTotals(db: Queryable, reader: EntryReader, query: ListQuery, narrowed: Narrowed) {
  const list = listOf(db.now, reader, query, narrowed)
  const { items, ...rest } = await pageWithTotals<EntryRow, { count: number; amount: number }>(db, query, list, {
    from: narrowed.byEntriesAlone && !query.search ? sql`commission_entries t` : list.from,
    sums: { amount: sql`t.amount` },
  })
  return { ...rest, items: await present(db, reader, items) }
}

const listOf = (now: Date, reader: EntryReader, { search }: ListQuery, { scope, filters = [] }: Narrowed) => ({
  columns: columns(now, reader),
  // a sale's texts are joined only for a search
  from: search ? entriesWithPayout : entriesSetAside,
  scope: sql`${scope} and ${own(reader)}`,
  filters: [...filters, containsFilter(searchedBy(reader), search)],
  sorts: {
    availableAt: { by: sql`t.available_at`, type: 'timestamptz' as const },
    amount: { by: sql`t.amount`, type: 'bigint' as const },
  },
})

/** The searched columns: never one that the reader does not see. */
const searchedBy = ({ as }: EntryReader) =>
  as === 'partner' ? sql`t.kind` : sql`concat_ws(' ', t.kind, t.reason, s.external_id, s.description)`
