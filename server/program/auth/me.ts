import { type CurrentUser, type MeChange, MOST_PREFERENCES, type UserSession } from '#contract/auth.ts'
import type { MailGroup, MailPreferences } from '#contract/mail-groups.ts'
import { userAuthor } from '../../platform/author.ts'
import { asUuid } from '../../platform/database/ids.ts'
import type { Queryable, Transaction } from '../../platform/database/pool.ts'
import { sql } from '../../platform/database/sql.ts'
import { containsFilter, listPage } from '../../platform/http/list.ts'
import { notFound, wrongField } from '../../platform/refusal.ts'
import type { Install } from '../../platform/services.ts'
import type { Actor } from '../access/actor.ts'
import { checkLanguage } from './languages.ts'
import { requiredBy } from './second-factor/factors.ts'
import { aliveSince, endSessions } from './sessions.ts'
import { deleteTokens } from './user-tokens.ts'
import { lockUser, usersById } from './users.ts'

/** Returns the signed-in user, including preferences, which only they may read. */
export async function presentMe(db: Queryable, { config }: Install, actor: Actor): Promise<CurrentUser> {
  const { userId, onlyAccountId } = actor
  const user = (await usersById(db, [userId], onlyAccountId)).get(userId)!
  const isMissing = !actor.secondFactor && (await requiredBy(db, config, actor)).length > 0
  const secondFactor = actor.secondFactor ? 'on' : isMissing ? 'missing' : 'off'
  const { preferences } = await db.one<
    Pick<CurrentUser, 'preferences'>
  >`select preferences from users where id = ${userId}`
  return { ...user, preferences, environment: config.appEnv, secondFactor, appUrl: onlyAccountId && config.appUrl }
}

/**
 * Changes the given fields, preferences and mail groups; omitted ones keep their values, so that concurrent tabs do not
 * overwrite each other. Null removes a preference. Refuses: more preferences than may be stored, an unknown language.
 */
export async function changeMe(tx: Transaction, install: Install, actor: Actor, change: MeChange) {
  const { firstName, lastName, preferences = {} } = change
  const { mail, ...others } = preferences
  checkLanguage(preferences.language)
  const removed = Object.keys(preferences).filter((key) => preferences[key] === null)
  const set = Object.fromEntries(Object.entries(others).filter(([, value]) => value !== null))
  const kept = await tx.one<Pick<CurrentUser, 'preferences'>>`
    update users set
      first_name = case when ${firstName !== undefined} then ${firstName ?? null} else first_name end,
      last_name = case when ${lastName !== undefined} then ${lastName ?? null} else last_name end,
      preferences = (preferences || ${JSON.stringify(set)}::jsonb
        || jsonb_strip_nulls(jsonb_build_object('mail',
          case when ${mail != null} then coalesce(preferences -> 'mail', '{}') || ${JSON.stringify(mail ?? {})}::jsonb
            else preferences -> 'mail' end))) - ${removed}::text[],
      updated_at = ${tx.now}
    where id = ${actor.userId}
    returning preferences`
  if (Buffer.byteLength(JSON.stringify(kept.preferences)) > MOST_PREFERENCES)
    throw wrongField('preferences', 'preferences_too_large', { max: MOST_PREFERENCES })
  return presentMe(tx, install, actor)
}

/** Returns the groups of mails that the user has turned on or off; undefined without such a user. */
export const findMailPreferences = async (db: Queryable, userId: string) =>
  (
    await db.maybe<{ mail: MailPreferences }>`
    select coalesce(preferences -> 'mail', '{}') as mail from users where id = ${asUuid(userId)}`
  )?.mail

/** Turns a group of mails on or off for the user; repeating changes nothing. */
export const setMailPreference = (tx: Transaction, userId: string, group: MailGroup, on: boolean) => tx.run`
  update users set updated_at = ${tx.now},
    preferences = jsonb_set(preferences, '{mail}', coalesce(preferences -> 'mail', '{}') || ${JSON.stringify({ [group]: on })}::jsonb)
  where id = ${asUuid(userId)}`

type SessionQuery = Parameters<typeof listPage>[1]

/** Lists the user's active sessions. */
export async function listSessions(db: Queryable, actor: Actor, query: SessionQuery) {
  const { items, ...rest } = await listPage<Omit<UserSession, 'current'>>(db, query, {
    columns: sql`t.id, t.created_at, t.last_used_at, t.user_agent, t.address, t.method, t.second_factor`,
    from: sql`sessions t`,
    scope: sql`t.user_id = ${actor.userId} and t.ended_at is null and t.expires_at > ${db.now}
      and t.last_used_at > ${aliveSince(db)}`,
    filters: [containsFilter(sql`concat_ws(' ', t.user_agent, t.address)`, query.search)],
  })
  return { items: items.map((session) => ({ ...session, current: session.id === actor.sessionId })), ...rest }
}

/** Ends the user's other sessions and deletes all their access tokens. */
export async function endOthers(tx: Transaction, actor: Actor) {
  // no token can be created from a session that ends concurrently
  await lockUser(tx, actor.userId)
  await endSessions(tx, actor.userId, actor.sessionId)
  await deleteTokens(tx, userAuthor(actor), actor.userId)
}

/** Refuses: `not_found` for a session that is over or another user's. */
export async function endSession(tx: Transaction, actor: Actor, id: string) {
  const ended = await tx.run`
    update sessions set ended_at = ${tx.now}
    where id = ${asUuid(id)} and user_id = ${actor.userId} and ended_at is null`
  if (ended === 0) throw notFound()
}
