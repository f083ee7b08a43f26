import type { CommissionTotals } from '#contract/balances.ts'
import type { ListQuery } from '#contract/values.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import { type Sql, sql } from '../../platform/database/sql.ts'
import { containsFilter, dayFilter, idFilter, valueFilter } from '../../platform/http/list.ts'
import type { Access } from '../access/access.ts'
import { amongStates, entryStatus } from '../commissions/entry-status.ts'
import { addUpEntries, listEntries } from '../commissions/present-entries.ts'
import { leadsFound } from '../leads/list-leads.ts'
import { withSales } from '../sales/entries-with-sales.ts'
import { saleSearch } from '../sales/sale-filters.ts'
import { balanceOfAccount } from './partner-balances.ts'

type Query = ListQuery & {
  status?: string[] | undefined
  partner?: string[] | undefined
  layer?: string[] | undefined
  kind?: string[] | undefined
  from?: string | undefined
  to?: string | undefined
  dueFrom?: string | undefined
  dueTo?: string | undefined
}

/**
 * Lists the ledger entries of an account, each with its sale, and the totals of all pages. `from` and `to` are dates of
 * the sale, or of the entry if it has none.
 */
export async function listCommissions(db: Queryable, access: Access, query: Query) {
  const { id: accountId, timeZone } = access.account
  const { search, ...rest } = query
  const filters = [
    valueFilter(entryStatus(db.now, [accountId]), query.status),
    ...amongStates(db.now, query.status),
    idFilter(sql`t.partner_id`, query.partner),
    byLayer(query.layer),
    valueFilter(sql`t.kind`, query.kind),
    ...bySaleDay(accountId, query.from, query.to),
    ...dayFilter(sql`t.available_at`, timeZone, query.dueFrom, query.dueTo),
    await searchBy(db, accountId, search),
  ].filter((filter) => filter !== undefined)
  const narrowed = { scope: sql`t.account_id = ${accountId}`, filters }
  // the totals count exactly, so the list need not
  const { items, nextCursor } = await listEntries(db, access, { ...rest, uncounted: true }, narrowed)
  const totals = query.uncounted
    ? nothing
    : filters.length > 0
      ? await addUpEntries(db, accountId, narrowed)
      : await totalsOfAccount(db, accountId)
  return { items: await withSales(db, access, items), nextCursor, total: totals.count, totals }
}

const nothing: CommissionTotals = { count: 0, amount: 0, held: 0, due: 0, inPayout: 0, paid: 0 }

function byLayer(layers: string[] | undefined): Sql | undefined {
  if (!layers) return undefined
  const numbers = layers.filter((layer) => layer !== 'none').map(Number)
  const some = sql`t.layer = any(${numbers}::smallint[])`
  return layers.includes('none') ? sql`(${some} or t.layer is null)` : some
}

/**
 * A sale's date is at most a day after its entries are written, so older entries are skipped without reading their
 * sales.
 */
function bySaleDay(accountId: string, from: string | undefined, to: string | undefined) {
  const day = sql`coalesce((select d.sale_date from sales d where d.account_id = ${accountId} and d.id = t.sale_id), t.day)`
  return [
    from ? sql`t.created_at >= ${from}::date - interval '3 days' and ${day} >= ${from}` : undefined,
    to ? sql`${day} <= ${to}` : undefined,
  ]
}

/** Searches by the sale and its lead, like lists of sales, by a lead that is paid for, and by the text of manual entries. */
async function searchBy(db: Queryable, accountId: string, search: string | undefined) {
  const found = await saleSearch(db, accountId, sql`t.id`, search)
  if (!found) return undefined
  return sql`(t.sale_id in (select t.id from sales t where t.account_id = ${accountId} and ${found})
    or t.lead_id in ${leadsFound(accountId, search)}
    or (t.sale_id is null and ${containsFilter(sql`coalesce(t.reason, '')`, search)!}))`
}

/** Returns the totals of all entries from the partners' balances, without reading each entry. */
async function totalsOfAccount(db: Queryable, accountId: string): Promise<CommissionTotals> {
  const { onHold, ...parts } = await balanceOfAccount(db, accountId)
  const { count } = await db.one<{ count: number }>`
    select count(*) as count from commission_entries where account_id = ${accountId}`
  const { held, due, inPayout, paid } = parts
  return { count, amount: held + due + onHold + inPayout + paid, ...parts }
}
