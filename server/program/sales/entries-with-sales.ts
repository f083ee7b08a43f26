import type { Entry } from '#contract/commissions.ts'
import type { EntryWithSale } from '#contract/sales.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import type { Access } from '../access/access.ts'
import { type EntriesQuery, listPartnerEntries } from '../commissions/list-partner-entries.ts'
import { presentSales } from './present-sales.ts'
import { setAside } from './set-aside.ts'

/** Returns entries with identifying values, as far as this reader may see their sales. */
export async function withSales(db: Queryable, access: Access, entries: Entry[]): Promise<EntryWithSale[]> {
  const ids = entries.flatMap(({ saleId }) => saleId ?? [])
  const sales = await presentSales(db, access, [...new Set(ids)])
  return entries.map((entry) => {
    const sale = entry.saleId === null ? undefined : sales.get(entry.saleId)
    const refund = sale?.refunds.find(({ id }) => id === entry.refundId)
    return {
      ...entry,
      saleDate: sale?.saleDate ?? null,
      saleDescription: sale?.description ?? null,
      lead: sale?.leadId && sale.leadName !== null ? { id: sale.leadId, name: sale.leadName } : null,
      refund: refund ? { kind: refund.kind, at: refund.at } : null,
      hold: setAside(db.now, access, entry, sale),
    }
  })
}

/** Lists the ledger entries of a partner, each with its sale, and the totals of all pages. */
export async function listPartnerCommissions(db: Queryable, access: Access, query: EntriesQuery) {
  const { items, ...rest } = await listPartnerEntries(db, access, query)
  return { ...rest, items: await withSales(db, access, items) }
}
