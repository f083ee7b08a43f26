import type { Language } from '#contract/language.ts'
import type { MailKind } from '#contract/mail-kinds.ts'
import { eachAccount, inAccountsSql, rowsByKeySql } from '../../platform/database/by-key.ts'
import { newId } from '../../platform/database/ids.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import { sql } from '../../platform/database/sql.ts'
import { languageOfSql } from '../../program/auth/user-language.ts'
import { partnerNameSql } from '../../program/partner-directory/partner-names.ts'
import type { Addressee } from './fill-template.ts'

/** News to mail; `partnerId` is null for the account's team. */
export type News = {
  accountId: string
  partnerId: string | null
  kind: MailKind
  subjectId: string
  /** The occasion; each is mailed once. */
  occasion: string
}

const rowsOf = (news: News[]) => sql`
  unnest(${news.map(() => newId())}::uuid[], ${news.map(({ accountId }) => accountId)}::uuid[],
    ${news.map(({ partnerId }) => partnerId)}::uuid[], ${news.map(({ kind }) => kind)}::text[],
    ${news.map(({ subjectId }) => subjectId)}::uuid[], ${news.map(({ occasion }) => occasion)}::text[])
    as x (id, account_id, partner_id, kind, subject_id, occasion)`

/** Whether partner `n` gets mails: set up, and neither suspended nor archived. */
export const readsMail = sql`(n.user_id is not null and n.state = 'active')`

/**
 * Stores news to mail, each once. Skips sales from a file, and sales and refunds from before `since`, which a provider
 * sent late.
 */
export const insertNews = async (db: Queryable, news: News[], since = new Date(0)): Promise<void> => {
  const [readers, left] = [await readersOf(db, news), await leftUnmailed(db, news, since)]
  const wanted = news.filter(
    ({ partnerId, subjectId }) => (partnerId === null || readers.has(partnerId)) && !left.has(subjectId),
  )
  if (wanted.length === 0) return
  await db.run`
    insert into mail_news (id, account_id, partner_id, kind, subject_id, occasion, created_at)
    select x.id, x.account_id, x.partner_id, x.kind, x.subject_id, x.occasion, ${db.now}
    from ${rowsOf(wanted)} join accounts a on a.id = x.account_id and a.disabled_at is null
    on conflict do nothing`
}

/** Returns the partners of these news who get mails. */
async function readersOf(db: Queryable, news: News[]): Promise<Set<string>> {
  const ids = news.flatMap(({ partnerId }) => partnerId ?? [])
  if (ids.length === 0) return new Set()
  const rows = await db.many<{ id: string }>`
    select n.id from partners n
    where ${inAccountsSql(sql`n.account_id`, accountsOf(news))} and n.id = any(${ids}::uuid[]) and ${readsMail}`
  return new Set(rows.map(({ id }) => id))
}

/** Returns the entries among the subjects that are not mailed. */
async function leftUnmailed(db: Queryable, news: News[], since: Date): Promise<Set<string>> {
  const account = eachAccount(accountsOf(news), sql`t.account_id`)
  const rows = await db.many<{ id: string }>`
    select t.id
    from ${rowsByKeySql(
      sql`commission_entries`,
      accountsOf(news),
      news.map(({ subjectId }) => subjectId),
    )}
      left join lateral (select * from sales where account_id = ${account} and id = t.sale_id offset 0) s on true
      left join lateral (select * from refunds where account_id = ${account} and id = t.refund_id offset 0) r on true
    where s.provider = 'import'
      or case when t.amount > 0 then s.sale_date else coalesce(r.at, t.created_at) end < ${since}::timestamptz`
  return new Set(rows.map(({ id }) => id))
}

const accountsOf = (news: News[]) => news.map(({ accountId }) => accountId)

/** Stores news already mailed; waiting ones are no longer mailed. */
export const insertMailed = (db: Queryable, news: News[]) => db.run`
  insert into mail_news as w (id, account_id, partner_id, kind, subject_id, occasion, created_at, mail_id, mailed_at)
  select x.id, x.account_id, x.partner_id, x.kind, x.subject_id, x.occasion, ${db.now}, gen_random_uuid(), ${db.now}
  from ${rowsOf(news)}
  on conflict (account_id, partner_id, kind, subject_id, occasion) do update
    set mail_id = excluded.mail_id, mailed_at = excluded.mailed_at
    where w.mail_id is null`

/** Wait after a mail until the next of its kind, by their number in the last day. */
const pause = sql`case t.today when 1 then interval '10 minutes' when 2 then interval '1 hour' else interval '4 hours' end`

/**
 * Gathers news older than a minute into mails, by recipient and kind; kinds in `alone` get one mail per subject. News
 * from before `since` are stale. One statement, so that concurrent processes mail nothing twice.
 */
export const gatherNews = (db: Queryable, alone: MailKind[], since: Date) => db.many<{
  kind: MailKind
  id: string
  accountId: string
  partnerId: string | null
}>`
  with waiting as (
    select w.account_id, w.partner_id, w.kind, case when w.kind = any(${alone}) then w.subject_id end as only,
      min(w.created_at) as first_at
    from mail_news w where w.mail_id is null and w.created_at > ${since}
    group by 1, 2, 3, 4
  ), due as (
    select w.*, gen_random_uuid() as mail_id
    from waiting w cross join lateral (
      select count(distinct m.mail_id) as today, max(m.mailed_at) as last_at from mail_news m
      where m.mail_id is not null and m.account_id = w.account_id and m.partner_id is not distinct from w.partner_id
        and m.kind = w.kind and w.only is null and m.mailed_at > ${db.now}::timestamptz - interval '1 day') t
    where w.first_at <= ${db.now}::timestamptz - interval '1 minute'
      and (t.last_at is null or t.last_at <= ${db.now}::timestamptz - ${pause})
  ), taken as (
    update mail_news n set mail_id = due.mail_id, mailed_at = ${db.now}
    from due
    where n.mail_id is null and n.created_at > ${since} and n.account_id = due.account_id and n.partner_id is not distinct from due.partner_id
      and n.kind = due.kind and (due.only is null or n.subject_id = due.only)
    returning n.kind, n.mail_id, n.account_id, n.partner_id
  )
  select distinct kind, mail_id as id, account_id, partner_id from taken`

export type MailedNews = Pick<News, 'accountId' | 'partnerId' | 'subjectId' | 'occasion'>

/** The news of a mail, oldest first. */
export const newsOfMail = (db: Queryable, accountId: string, mailId: string) => db.many<MailedNews>`
  select account_id, partner_id, subject_id, occasion from mail_news
  where account_id = ${accountId} and mail_id = ${mailId} order by created_at, id`

export const accountOfMail = async (db: Queryable, mailId: string) =>
  (await db.maybe<{ accountId: string }>`select account_id from mail_news where mail_id = ${mailId} limit 1`)?.accountId

export type PartnerRecipient = { to: string; userId: string; addressee: Addressee; language: Language }

/**
 * The owner of a partner who gets its mails, at the address of their sign-in: the one with the partner's address, else
 * its contact. An address that no one signs in with is the account's word alone. Customers get none: their app tells them.
 */
export const partnerRecipient = (db: Queryable, accountId: string, partnerId: string) => db.maybe<PartnerRecipient>`
  select u.email as "to", u.id as user_id, ${languageOfSql(sql`u`, sql`n.language`, sql`(select a.language from accounts a where a.id = n.account_id)`)} as language,
    jsonb_build_object('firstName', n.first_name, 'name', ${partnerNameSql(sql`n`)}) as addressee
  from partners n
    join user_roles r on r.account_id = n.account_id and r.partner_id = n.id and r.type = 'partner'
    join users u on u.id = r.user_id
  where n.id = ${partnerId} and n.account_id = ${accountId} and ${readsMail} and (u.id = n.user_id or u.email = n.email)
    and not exists (select from groups g where g.account_id = ${accountId} and g.id = n.group_id and g.kind = 'customers')
  order by u.email = n.email desc limit 1`

/** Days by which the mail of a missed day may be late. */
export const LATE_DAYS = 2

/** A waiting payout, and the mails sent to its partner about it. */
type WaitingPayout = {
  id: string
  partnerId: string
  status: 'gathering' | 'failed'
  createdAt: string
  /** Whether the blocker was mailed, the number of reminders, and the time of the last mail. */
  blockedTold: boolean
  reminders: number
  lastAt: string | null
}

/** Returns payouts that are not approved yet, or failed. */
export const waitingPayouts = (db: Queryable, accountId: string) => db.many<WaitingPayout>`
  select o.id, o.partner_id, o.status, o.created_at, told.*
  from payouts o
    -- one by one: for what few of them an account may have waiting, all partners would be read
    cross join lateral (
      select from partners n
      where n.id = o.partner_id and n.account_id = ${accountId} and ${readsMail} offset 0) reads
    cross join lateral (
      select count(*) filter (where w.kind = 'payout-blocked') > 0 as blocked_told,
        count(*) filter (where w.kind = 'payout-reminder') as reminders, max(w.created_at) as last_at
      from mail_news w
      where w.account_id = ${accountId} and w.partner_id = o.partner_id and w.subject_id = o.id
        and w.kind in ('payout-blocked', 'payout-failed', 'payout-reminder')) told
  where o.account_id = ${accountId} and o.status in ('gathering', 'failed')`
