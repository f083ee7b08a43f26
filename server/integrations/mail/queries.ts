import type { TeamRole } from '#contract/endpoint.ts'
import type { Language } from '#contract/language.ts'
import type { LoggedMail, MailState } from '#contract/mail.ts'
import { asUuid } from '../../platform/database/ids.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import { sql } from '../../platform/database/sql.ts'
import { getAccountFacts } from '../../program/access/account-facts.ts'
import { chosenLanguageSql, languageForLogin, languageOfSql } from '../../program/auth/user-language.ts'
import { canSignIn } from '../../program/auth/users.ts'
import { partnerNameSql } from '../../program/partner-directory/partner-names.ts'

export async function findReset(db: Queryable, id: string) {
  const row = await db.maybe<{
    userId: string
    email: string
    language: Language | null
    verified: boolean
    open: boolean
  }>`
    select u.id as user_id, u.email, ${chosenLanguageSql(sql`u`)} as language, u.verified_at is not null as verified,
      r.used_at is null and r.expires_at > ${db.now} as open
    from password_resets r join users u on u.id = r.user_id where r.id = ${id}`
  return row && { ...row, language: await languageForLogin(db, row.userId, row.language) }
}

/** Finds a user to whom to write about their login. */
export async function findUser(db: Queryable, id: string): Promise<{ to: string; language: Language } | undefined> {
  const row = await db.maybe<{ to: string; language: Language | null }>`
    select u.email as "to", ${chosenLanguageSql(sql`u`)} as language from users u where u.id = ${id}`
  return row && { ...row, language: await languageForLogin(db, id, row.language) }
}

/** Returns the language that the person who signs in with this address chose; otherwise the given one. */
export async function findLanguage(db: Queryable, email: string, otherwise: Language): Promise<Language> {
  const found = await db.maybe<{ language: Language }>`
    select ${languageOfSql(sql`u`, sql`${otherwise}::text`)} as language from users u where u.email = ${email}`
  return found?.language ?? otherwise
}

export const findAccount = async (db: Queryable, id: string) => (await getAccountFacts(db, [id])).get(id)

const typesOf = (roles: readonly TeamRole[]) => roles.map((role) => `account-${role}`)

/** Finds the people of these accounts' teams, those of longest standing first. */
export const findTeams = async (db: Queryable, accountIds: string[]) =>
  accountIds.length === 0
    ? []
    : db.many<{ accountId: string; userId: string; role: TeamRole }>`
        select account_id, user_id, replace(type, 'account-', '') as role from user_roles
        where account_id = any(${accountIds}::uuid[]) and type like 'account-%' order by created_at, user_id`

/** Finds this person while they have one of these roles in the account's team. */
export const findInTeam = (db: Queryable, accountId: string, userId: string, roles: readonly TeamRole[]) => db.maybe<{
  userId: string
  email: string
}>`
  select r.user_id, u.email from user_roles r join users u on u.id = r.user_id
  where r.account_id = ${accountId} and r.user_id = ${userId} and r.type = any(${typesOf(roles)}::text[])`

/** Finds administrators who can sign in. */
export const findAdministrators = (db: Queryable) => db.many<{ id: string }>`
  select distinct u.id from user_roles r join users u on u.id = r.user_id
  where r.type = 'admin' and ${canSignIn} order by u.id`

export const findPartnerAccount = (db: Queryable, partnerId: string) => db.maybe<{
  accountId: string
  accountName: string
  partnerName: string
  portalHost: string | null
  disabledAt: string | null
  language: Language
}>`
  select a.id as account_id, coalesce(nullif(a.name, ''), o.email, '(Anonymous account)') as account_name,
    ${partnerNameSql(sql`p`)} as partner_name, a.portal_host, a.disabled_at, coalesce(p.language, a.language) as language
  from partners p join accounts a on a.id = p.account_id left join users o on o.id = a.owner_id
  where p.id = ${partnerId}`

/** Finds a webhook; undefined if it is deleted. */
export const findWebhook = (db: Queryable, id: string) => db.maybe<{
  name: string
  reason: string | null
  accountId: string
}>`
  select name, disabled_reason as reason, account_id from outgoing_webhooks where id = ${id} and deleted_at is null`

/** Returns the names of working keys and webhooks that send data to the account or get its events. */
export const whatWorksIn = (db: Queryable, accountId: string) => db.one<{
  keys: string[]
  outgoing: string[]
  incoming: string[]
}>`
  select
    array(select name from api_keys where account_id = ${accountId} and deleted_at is null and replaced_by is null
      and (expires_at is null or expires_at > ${db.now}) order by name) as keys,
    array(select name from outgoing_webhooks where account_id = ${accountId} and deleted_at is null order by name) as outgoing,
    array(select name from incoming_webhooks where account_id = ${accountId} order by name) as incoming`

type Place = { key: string; name: string; most: number; day: string }

/** Returns 0 if other mails have used the day's places. One statement, so that two mails can't use the last place. */
export const claimMailPlace = (db: Queryable, { key, name, most, day }: Place) => db.run`
  insert into mail_counts as c (key, names, forget_at)
  values (${key}, array[${name}::text], ${day}::date + 2)
  on conflict (key) do update set names = case when ${name}::text = any(c.names) then c.names else c.names || ${name}::text end
  where ${name}::text = any(c.names) or cardinality(c.names) < ${most}::integer`

type KeptLink = { name: string; kind: string; id: string; count: number }

/** Returns the links whose invitation is open under this sending, or whose reset is neither used nor expired. */
export const linksThatWork = (db: Queryable, links: KeptLink[]) => db.many<{ name: string }>`
  select m.name
  from unnest(${links.map(({ name }) => name)}::text[], ${links.map(({ kind }) => kind)}::text[],
    ${links.map(({ id }) => id)}::uuid[], ${links.map(({ count }) => count)}::integer[]) as m (name, kind, id, count)
  where exists (select from invitations i
      where m.kind = 'invitation' and i.id = m.id and i.send_count = m.count and i.expires_at > ${db.now}
        and i.status not in ('accepted', 'revoked'))
    or exists (select from password_resets r
      where m.kind = 'password-reset' and r.id = m.id and r.used_at is null and r.expires_at > ${db.now})`

type Noted = Pick<LoggedMail, 'id' | 'kind' | 'email' | 'subject' | 'state' | 'reason'> & {
  name: string
  accountId: string | null
  text: string | null
  isTry: boolean
}

export const upsertMail = (db: Queryable, mail: Noted) => db.run`
  insert into mails as m (id, name, kind, account_id, email, subject, text, state, reason, tries, last_tried_at, created_at)
  values (${mail.id}, ${mail.name}, ${mail.kind}, ${mail.accountId}, ${mail.email}, ${mail.subject}, ${mail.text},
    ${mail.state}, ${mail.reason}, ${mail.isTry ? 1 : 0}, ${mail.isTry ? db.now : null}, ${db.now})
  on conflict (name) do update set email = excluded.email, subject = excluded.subject, text = excluded.text,
    state = excluded.state, reason = excluded.reason, tries = m.tries + excluded.tries,
    last_tried_at = coalesce(excluded.last_tried_at, m.last_tried_at)`

/** Ends the waiting of a mail in the log, if it still waits. */
export async function endWaiting(db: Queryable, name: string, state: MailState, reason: string): Promise<void> {
  await db.run`update mails set state = ${state}, reason = ${reason} where name = ${name} and state = 'waiting'`
}

/** Listed columns of `mails t`. */
export const mailColumns = sql`t.id, t.kind, t.email, t.subject, t.state, t.reason, t.tries, t.last_tried_at, t.created_at`

export type MailRow = Omit<LoggedMail, 'title' | 'attempts'>
type WholeMail = MailRow & { name: string; text: string | null }

export const findMail = (db: Queryable, id: string) => db.maybe<WholeMail>`
  select ${mailColumns}, t.name, t.text from mails t where t.id = ${asUuid(id)}`

export const mailNamed = (db: Queryable, name: string) => db.one<MailRow>`
  select ${mailColumns} from mails t where t.name = ${name}`

/**
 * Returns when the last mail was sent or saved, and how many failed since. A mail fails within about a day of its
 * request, which lets the index narrow the search.
 */
export const mailFigures = (db: Queryable, since: Date) => db.one<{ lastSentAt: string | null; failures: number }>`
  select (
      select max(last.last_tried_at) from unnest(array['sent', 'kept']) as done (state)
      cross join lateral (
        select last_tried_at from mails where state = done.state order by created_at desc, id desc limit 1) last
    ) as last_sent_at, (
      select count(*) from mails
      where state in ('failed', 'refused') and last_tried_at >= ${since}
        and created_at >= ${since}::timestamptz - interval '2 days') as failures`
