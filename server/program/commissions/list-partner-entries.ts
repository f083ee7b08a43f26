import type { ListQuery } from '#contract/values.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import { sql } from '../../platform/database/sql.ts'
import { byDay, byId, byValue } from '../../platform/http/list.ts'
import type { Access } from '../access/access.ts'
import { amongStates, entryStatus } from './entry-status.ts'
import { listEntriesWithTotals } from './present-entries.ts'

export type EntriesQuery = ListQuery & {
  status?: string[] | undefined
  kind?: string[] | undefined
  saleId?: string[] | undefined
  from?: string | undefined
  to?: string | undefined
}

/** Lists the ledger entries of the partner that the path names, with the totals of all pages. */
export const listPartnerEntries = (db: Queryable, access: Access, query: EntriesQuery) =>
  listEntriesWithTotals(db, access, query, {
    scope: sql`t.account_id = ${access.account.id} and t.partner_id = ${access.subjectId}`,
    byEntriesAlone: query.status === undefined,
    filters: [
      byValue(entryStatus(db.now), query.status),
      ...amongStates(db.now, query.status),
      byValue(sql`t.kind`, query.kind),
      byId(sql`t.sale_id`, query.saleId),
      ...byDay(sql`t.created_at`, access.account.timeZone, query.from, query.to),
    ],
  })
