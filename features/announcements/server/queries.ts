import type { Language } from '#contract/language.ts'
import type { ListQuery } from '#contract/values.ts'
import { asUuid } from '#server/platform/database/ids.ts'
import type { Queryable, Transaction } from '#server/platform/database/pool.ts'
import { joinSql, type Sql, sql } from '#server/platform/database/sql.ts'
import { c, table } from '#server/platform/database/table.ts'
import { containsFilter, listPage } from '#server/platform/http/list.ts'
import { languageOfSql } from '#server/program/auth/user-language.ts'
import { personNameSql } from '#server/program/partner-directory/partner-names.ts'
import type { Announcement, PartnerAnnouncement } from '../contract.ts'

export const announcementTable = table('announcements', {
  id: c.uuid.fixed(),
  accountId: c.uuid.fixed(),
  subject: c.text().null(),
  body: c.text().null(),
  language: c.text().fixed(),
  translations: c.json<Announcement['translations']>(),
  sentBy: c.uuid.null().fixed(),
  sentOn: c.date.fixed(),
  createdAt: c.instant.fixed(),
  deletedAt: c.instant.null(),
})

/** The state of a reader's mail. */
export type MailOfReader = 'waiting' | 'mailed' | 'turned-off' | 'failed' | 'left'

type Key = { accountId: string; id: string }

/** Prevents other announcements of the account until the transaction ends. */
export const lockAnnouncements = (tx: Transaction, accountId: string) => tx.one`
  select id from accounts where id = ${accountId} for no key update`

/** The number of announcements on a day, deleted ones included. */
export const sentOn = (db: Queryable, accountId: string, day: string) => db.value<number>`
  select count(*) as count from announcements where account_id = ${accountId} and sent_on = ${day}::date`

const countOf = (mail: MailOfReader) => sql`count(*) filter (where r.mail = ${mail})`

const announcements = (accountId: string) => sql`(
  select a.id, a.account_id, a.subject, a.body, a.language, a.translations, a.created_at, counts.*,
    (select ${personNameSql(sql`u`)} from users u where u.id = a.sent_by) as sent_by
  from announcements a cross join lateral (
    select count(*) as recipients, ${countOf('mailed')} as mailed, ${countOf('turned-off')} as turned_off,
      ${countOf('failed')} as failed
    from announcement_readers r where r.account_id = ${accountId} and r.announcement_id = a.id) counts
  where a.deleted_at is null) t`

const columns = sql`t.id, t.account_id, t.subject, t.body, t.language, t.translations, t.sent_by, t.recipients, t.mailed, t.turned_off, t.failed, t.created_at`

export const announcementsPage = (db: Queryable, accountId: string, query: ListQuery) =>
  listPage<Announcement>(db, query, {
    columns,
    from: announcements(accountId),
    scope: sql`t.account_id = ${accountId}`,
    filters: [containsFilter(sql`t.subject`, query.search)],
    total: () => db.value<number>`
      select count(*) as count from announcements where account_id = ${accountId} and deleted_at is null`,
  })

export const announcementById = (db: Queryable, accountId: string, id: string) => db.one<Announcement>`
  select ${columns} from ${announcements(accountId)} where t.account_id = ${accountId} and t.id = ${id}`

/** The partners `t` of an account that meet these conditions, with their logins `u`. */
const among = (accountId: string, conditions: Sql[]) => sql`
  partners t left join users u on u.id = t.user_id
  where ${joinSql([sql`t.account_id = ${accountId}`, ...conditions], ' and ')}`

export const insertReaders = (tx: Transaction, { accountId, id }: Key, conditions: Sql[]) => tx.run`
  insert into announcement_readers (account_id, announcement_id, partner_id)
  select ${accountId}::uuid, ${id}::uuid, t.id from ${among(accountId, conditions)}`

/** Counts these partners, and those of them who get mails of this group. */
export const countReaders = (db: Queryable, accountId: string, conditions: Sql[]) => db.one<{
  count: number
  mails: number
}>`
  select count(*) as count,
    count(*) filter (where u.id is not null and u.preferences #>> '{mail,news}' is distinct from 'false') as mails
  from ${among(accountId, conditions)}`

/** Counts these partners by the language in which they are written to, as mails choose it. */
export const countLanguages = (db: Queryable, accountId: string, conditions: Sql[]) => db.many<{
  language: Language
  count: number
}>`
  select ${languageOfSql(sql`u`, sql`t.language`, sql`(select a.language from accounts a where a.id = t.account_id)`)} as language,
    count(*) as count
  from ${among(accountId, conditions)} group by 1`

/** Takes an announcement from its readers; its row stays without its words. Returns the subject. */
export async function withdrawAnnouncement(tx: Transaction, { accountId, id }: Key): Promise<string | undefined> {
  const before = await tx.maybe<{ subject: string }>`
    select subject from announcements
    where account_id = ${accountId} and id = ${id} and deleted_at is null for update`
  if (!before) return undefined
  await tx.run`delete from announcement_readers where account_id = ${accountId} and announcement_id = ${id}`
  await tx.run`
    update announcements set deleted_at = ${tx.now}, subject = null, body = null, translations = '{}'
    where account_id = ${accountId} and id = ${id}`
  return before.subject
}

/** The next readers of an announcement after this one, in the order of their ids. */
export const nextReaders = (db: Queryable, { accountId, id }: Key, after: string | null, limit: number) =>
  db.many<{ partnerId: string }>`
    select partner_id from announcement_readers
    where account_id = ${accountId} and announcement_id = ${id} and (${after}::uuid is null or partner_id > ${after}::uuid)
    order by partner_id limit ${limit}`

/** The texts of an announcement, and the language of its own. */
export type Written = Pick<Announcement, 'subject' | 'body' | 'language' | 'translations'>

/** The letter of a reader whose mail waits. */
export const letterTo = (db: Queryable, { accountId, id }: Key, partnerId: string) => db.maybe<
  Written & { firstName: string | null }
>`
  select a.subject, a.body, a.language, a.translations, p.first_name
  from announcement_readers r join announcements a on a.account_id = ${accountId} and a.id = r.announcement_id
    join partners p on p.account_id = ${accountId} and p.id = r.partner_id
  where r.account_id = ${accountId} and r.announcement_id = ${id} and r.partner_id = ${partnerId}
    and r.mail = 'waiting' and a.deleted_at is null`

export const setMail = (db: Queryable, { accountId, id }: Key, partnerId: string, mail: MailOfReader) => db.run`
  update announcement_readers set mail = ${mail}
  where account_id = ${accountId} and announcement_id = ${id} and partner_id = ${partnerId} and mail = 'waiting'`

export type PartnersNote = PartnerAnnouncement & Written & { firstName: string | null }

/** A partner's notes; `read` limits them to those they closed, or have not. */
export const notesPage = (
  db: Queryable,
  accountId: string,
  partnerId: string,
  { read, ...query }: ListQuery & { read?: boolean | undefined },
) =>
  listPage<PartnersNote>(db, query, {
    columns: sql`t.id, t.subject, t.body, t.language, t.translations, t.created_at, r.read_at, p.first_name`,
    from: sql`announcement_readers r
      join announcements t on t.account_id = ${accountId} and t.id = r.announcement_id and t.deleted_at is null
      join partners p on p.account_id = ${accountId} and p.id = r.partner_id`,
    scope: sql`r.account_id = ${accountId} and r.partner_id = ${partnerId}`,
    filters: [
      containsFilter(sql`t.subject`, query.search),
      read === undefined ? undefined : sql`(r.read_at is not null) = ${read}`,
    ],
  })

/** Closes a partner's notes up to an announcement of theirs; one taken back counts as theirs. False for any other. */
export async function closeNotes(tx: Transaction, accountId: string, partnerId: string, upTo: string) {
  const last = await tx.maybe<{ id: string; createdAt: string }>`
    select a.id, a.created_at from announcements a
    where a.account_id = ${accountId} and a.id = ${asUuid(upTo)} and (a.deleted_at is not null or exists (
      select from announcement_readers r
      where r.account_id = ${accountId} and r.announcement_id = a.id and r.partner_id = ${partnerId}))`
  if (!last) return false
  await tx.run`
    update announcement_readers r set read_at = ${tx.now}
    from announcements a
    where r.account_id = ${accountId} and r.partner_id = ${partnerId} and r.read_at is null
      and a.account_id = ${accountId} and a.id = r.announcement_id
      and (a.created_at, a.id) <= (${last.createdAt}::timestamptz, ${last.id}::uuid)`
  return true
}
