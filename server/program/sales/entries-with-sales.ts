import type { CommissionEntry } from '#contract/commissions.ts'
import type { CommissionEntryWithSale, Sale } from '#contract/sales.ts'
import type { ListQuery } from '#contract/values.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import { type Sql, sql } from '../../platform/database/sql.ts'
import { dayFilter, idFilter, valueFilter } from '../../platform/http/list.ts'
import type { Access } from '../access/access.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import { amongStates, entryStatus } from '../commissions/entry-status.ts'
import { listEntriesWithTotals, withVisits } from '../commissions/present-entries.ts'
import { isOpenCase, openCasesInWords } from '../fraud/fraud-cases.ts'
import { leadNames } from '../leads/lead-facts.ts'
import { entryHoldReason, type Holder } from './hold-reason.ts'
import { presentSales } from './present-sales.ts'

/** Returns entries with identifying values, as far as this reader may see their sales. */
export async function withSales(
  db: Queryable,
  access: Access,
  entries: CommissionEntry[],
): Promise<CommissionEntryWithSale[]> {
  const ids = entries.flatMap(({ saleId }) => saleId ?? [])
  const holders = await findHolders(
    db,
    access.account.id,
    entries.filter(({ paidFor, status }) => paidFor && status === 'on-hold'),
  )
  const sales = await presentSales(db, access, [...new Set([...ids, ...wonBy(holders)])])
  const names = await leadNames(
    db,
    access,
    entries.map(({ leadId }) => leadId),
  )
  const listed = await withVisits(db, access.account.id, entries)
  return listed.map((entry) => {
    const sale = entry.saleId === null ? undefined : sales.get(entry.saleId)
    const refund = sale?.refunds.find(({ id }) => id === entry.refundId)
    const holder = holders.get(entry.id)
    return {
      ...entry,
      saleDate: sale?.saleDate ?? null,
      saleDescription: sale?.description ?? null,
      lead: leadOf(entry, sale, names),
      refund: refund ? { kind: refund.kind, at: refund.at } : null,
      hold: entryHoldReason(db.now, access, entry, sale ?? sales.get(holder?.wonSaleId ?? ''), holder),
    }
  })
}

function leadOf({ leadId }: CommissionEntry, sale: Sale | undefined, names: Map<string, string>) {
  const id = sale?.leadId ?? leadId
  const name = sale ? sale.leadName : names.get(leadId ?? '')
  return id && typeof name === 'string' ? { id, name } : null
}

/** Returns what these entries for leads wait for, by entry. */
export async function findHolders(db: Queryable, accountId: string, entries: Pick<CommissionEntry, 'id'>[]) {
  if (entries.length === 0) return new Map<string, Holder>()
  const rows = await db.many<Holder & { id: string }>`
    select t.id, t.won_sale_id, open.until, open.reason
    from commission_entries t cross join lateral (
      select max(c.held_until) as until, ${openCasesInWords} as reason from fraud_cases c
      where c.account_id = ${accountId} and c.id = any(t.held_by) and ${isOpenCase(db.now)}) open
    where t.account_id = ${accountId} and t.id = any(${entries.map(({ id }) => id)}::uuid[])`
  return new Map(rows.map(({ id, ...holder }) => [id, holder]))
}

/** Returns the sales that made the leads of these entries customers. */
export const wonBy = (holders: Map<string, Holder>) => [...holders.values()].flatMap(({ wonSaleId }) => wonSaleId ?? [])

/** Returns the condition under which entry `t` is part of a partner's payment of this day. */
export type IsOfPayday = (db: Queryable, account: AccountFacts, partnerId: string, payday: string) => Promise<Sql>

export type EntriesQuery = ListQuery & {
  status?: string[] | undefined
  kind?: string[] | undefined
  saleId?: string[] | undefined
  payday?: string | undefined
  from?: string | undefined
  to?: string | undefined
}

/** Lists the ledger entries of a partner, each with its sale, and the totals of all pages. */
export async function listPartnerCommissions(
  db: Queryable,
  access: Access,
  { payday, ...query }: EntriesQuery,
  isOfPayday: IsOfPayday,
) {
  const ofDay = payday && (await isOfPayday(db, access.account, access.subjectId, payday))
  const { items, ...rest } = await listPartnerEntries(db, access, query, ofDay ? [ofDay] : [])
  return { ...rest, items: await withSales(db, access, items) }
}

/** Lists the ledger entries of the partner that the path names, with the totals of all pages. */
export const listPartnerEntries = (
  db: Queryable,
  access: Access,
  query: Omit<EntriesQuery, 'payday'>,
  more: Sql[] = [],
) =>
  listEntriesWithTotals(db, access, query, {
    scope: sql`t.account_id = ${access.account.id} and t.partner_id = ${access.subjectId}`,
    byEntriesAlone: query.status === undefined,
    filters: [
      valueFilter(entryStatus(db.now, [access.account.id]), query.status),
      ...amongStates(db.now, query.status),
      valueFilter(sql`t.kind`, query.kind),
      idFilter(sql`t.sale_id`, query.saleId),
      ...dayFilter(sql`t.created_at`, access.account.timeZone, query.from, query.to),
      ...more,
    ],
  })
