import type { ListQuery, NamedRange } from '#contract/values.ts'
import { type Author, diffFields } from '#server/platform/author.ts'
import { newId } from '#server/platform/database/ids.ts'
import type { Queryable, Transaction } from '#server/platform/database/pool.ts'
import { sql } from '#server/platform/database/sql.ts'
import { c, table } from '#server/platform/database/table.ts'
import { recordActivity } from '#server/platform/events/emit-event.ts'
import { containsFilter, listPage } from '#server/platform/http/list.ts'
import { notFound, refusal } from '#server/platform/refusal.ts'
import { addDays, firstOfMonth } from '#server/platform/time/days.ts'
import type { Range } from '#server/platform/time/range.ts'
import { personNameSql } from '#server/program/partner-directory/partner-names.ts'
import {
  MOST_SAVED_REPORTS,
  type NewSavedReport,
  type ReportDimension,
  type SavedReport,
  type SavedReportChange,
} from '../contract.ts'

const savedReports = table('saved_reports', {
  id: c.uuid.fixed(),
  accountId: c.uuid.fixed(),
  name: c.text(),
  dimension: c.text<ReportDimension>(),
  period: c.text<NamedRange>(),
  sort: c.text(),
  search: c.text().null(),
  partnerId: c.text().null().named('partner_ids'),
  every: c.text<'week' | 'month'>().null(),
  userId: c.uuid.null(),
  createdAt: c.instant.fixed(),
  updatedAt: c.instant.fixed(),
})

type Key = { accountId: string; id: string }

/** Whether the person who gets the mails of report `t` is still in the team, and no viewer, who gets none. */
const isRead = sql`exists (
  select from user_roles r where r.user_id = t.user_id and r.account_id = t.account_id and r.partner_id is null
    and r.type <> 'account-viewer')`

const columns = sql`t.id, t.account_id, t.name, t.dimension as by, t.period, t.sort, t.search, t.partner_ids as partner_id,
  case when ${isRead} then t.every end as every, t.created_at, t.updated_at,
  (select ${personNameSql(sql`u`)} from users u where u.id = t.user_id) as saved_by`

export const listSavedReports = (db: Queryable, accountId: string, query: ListQuery) =>
  listPage<SavedReport>(db, query, {
    columns,
    from: sql`saved_reports t`,
    scope: sql`t.account_id = ${accountId}`,
    filters: [containsFilter(sql`t.name`, query.search)],
    sorts: { name: { by: sql`lower(t.name)`, type: 'text' } },
  })

/** Refuses: `not_found`. */
async function savedReport(db: Queryable, { accountId, id }: Key): Promise<SavedReport> {
  const found = await db.maybe<SavedReport>`
    select ${columns} from saved_reports t where t.account_id = ${accountId} and t.id = ${id}`
  if (!found) throw notFound()
  return found
}

/** Saves a report for the account; the person who saves it gets its mails. Refuses: more than a hundred. */
export async function createSavedReport(
  tx: Transaction,
  by: Author,
  accountId: string,
  { by: dimension, ...given }: NewSavedReport,
) {
  const id = newId()
  await tx.one`select id from accounts where id = ${accountId} for no key update`
  const saved = await tx.value<number>`select count(*) as count from saved_reports where account_id = ${accountId}`
  if (saved >= MOST_SAVED_REPORTS) throw refusal('too_many_saved_reports', { max: MOST_SAVED_REPORTS })
  await savedReports.insert(tx, { id, accountId, dimension, ...given, userId: readerOf(by) })
  await recordActivity(tx, by, accountId, 'account.report-saved', {
    id: accountId,
    changes: diffFields({}, { name: given.name }),
  })
  return savedReport(tx, { accountId, id })
}

const readerOf = (by: Author) => (by.type === 'user' ? by.id : null)

export async function changeSavedReport(tx: Transaction, by: Author, key: Key, change: SavedReportChange) {
  const before = await savedReport(tx, key)
  const changes = diffFields(before, change)
  if (Object.keys(changes).length === 0) return before
  const { by: dimension, ...rest } = change
  await savedReports.update(tx, key, {
    ...rest,
    ...(dimension && { dimension }),
    ...('every' in changes && { userId: readerOf(by) }),
  })
  await recordActivity(tx, by, key.accountId, 'account.report-saved', {
    id: key.accountId,
    changes: { name: { old: before.name, new: change.name ?? before.name } },
  })
  return savedReport(tx, key)
}

export async function deleteSavedReport(tx: Transaction, by: Author, { accountId, id }: Key): Promise<void> {
  const gone = await tx.maybe<{ name: string }>`
    delete from saved_reports where account_id = ${accountId} and id = ${id} returning name`
  if (!gone) throw notFound()
  await recordActivity(tx, by, accountId, 'account.report-deleted', {
    id: accountId,
    changes: { name: { old: gone.name, new: null } },
  })
}

/** The days that a mail shows: the week or month before its day. */
export function daysMailed(every: 'week' | 'month', day: string): Range {
  if (every === 'week') return { from: addDays(day, -7), to: addDays(day, -1) }
  return { from: firstOfMonth(addDays(day, -1)), to: addDays(day, -1) }
}

export type DueReport = {
  id: string
  name: string
  by: ReportDimension
  sort: string
  search: string | null
  partnerId: string | null
  every: 'week' | 'month'
  userId: string
}

const due = sql`select id, name, dimension as by, sort, search, partner_ids as partner_id, every, user_id from saved_reports`

/** The reports of an account that are mailed this often. */
export const reportsMailed = (db: Queryable, accountId: string, every: string[]) => db.many<DueReport>`
  ${due} where account_id = ${accountId} and every = any(${every}::text[]) and user_id is not null order by id`

export const reportMailed = (db: Queryable, { accountId, id }: Key) => db.maybe<DueReport>`
  ${due} where account_id = ${accountId} and id = ${id} and every is not null and user_id is not null`
