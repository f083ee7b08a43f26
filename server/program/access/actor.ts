import type { PartnerRole, TeamRole } from '#contract/endpoint.ts'
import type { Origin } from '../../platform/author.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import { tokenHash } from '../../platform/database/secrets.ts'
import { type Sql, sql } from '../../platform/database/sql.ts'

/** The calling person with all their roles, and the session or access token of the call. */
export type Actor = {
  userId: string
  email: string
  sessionId: string
  /**
   * The account of the host on which the session was created or is used: only the person's roles at its partners count.
   * Null at APP_URL.
   */
  onlyAccountId: string | null
  /** Whether the session, or the one in which the access token was made, had a second factor. */
  secondFactor: boolean
  /** Time of the last proof in this session: of the second factor of a person who has one, else of the password. */
  confirmedAt: string | null
  isAdmin: boolean
  /** Their roles in accounts' teams, by account. */
  teamRoles: Record<string, TeamRole>
  /** Their roles at partners, in any account, by partner. */
  partnerRoles: Record<string, PartnerRole>
  /** Ids of these partners' accounts. */
  partnerAccountIds: string[]
  /** Origin of the call. */
  from?: Origin
}

const roles = sql`coalesce(bool_or(r.type = 'admin'), false) as is_admin,
  coalesce(jsonb_object_agg(r.account_id, replace(r.type, 'account-', '')) filter (where r.type like 'account-%'), '{}')
    as team_roles,
  coalesce(jsonb_object_agg(r.partner_id, case r.type when 'partner' then 'owner' else 'member' end)
    filter (where r.partner_id is not null), '{}') as partner_roles,
  coalesce(array_agg(distinct r.account_id::text) filter (where r.partner_id is not null), '{}') as partner_account_ids`

/** The condition on roles `r` that count if this is the only account; null counts all. */
export const countsWithin = (onlyAccountId: Sql) =>
  sql`(${onlyAccountId} is null or (r.account_id = ${onlyAccountId} and r.partner_id is not null))`

/**
 * Finds the actor of this access token with their current roles: a lost role or an ended session counts at once.
 * `hostAccountId`: the account of the host at which it is used.
 */
export const findActor = (db: Queryable, accessToken: string, hostAccountId: string | null = null) => db.maybe<Actor>`
  select u.id as user_id, u.email, s.id as session_id, s.confirmed_at, s.second_factor,
    coalesce(s.account_id, ${hostAccountId}::uuid) as only_account_id, ${roles}
  from sessions s
    join users u on u.id = s.user_id
    left join user_roles r on r.user_id = u.id and ${countsWithin(sql`s.account_id`)}
      and ${countsWithin(sql`${hostAccountId}::uuid`)}
  where s.access_hash = ${tokenHash(accessToken)}
    and s.ended_at is null and s.access_expires_at > ${db.now} and s.expires_at > ${db.now}
  group by s.id, u.id`

/** Prefix that distinguishes a user's own token from a session's. */
export const USER_TOKEN_PREFIX = 'tut_'

/**
 * Finds the actor of a user's own token, with which an assistant reads, with their current roles. Stores the last use,
 * to the minute.
 */
export const findActorByUserToken = (db: Queryable, token: string) => db.maybe<Actor>`
  with t as (
    select id, user_id, second_factor from user_tokens
    where token_hash = ${tokenHash(token)} and (expires_at is null or expires_at > ${db.now})
  ), used as (
    update user_tokens set last_used_at = ${db.now}
    where id = (select id from t) and (last_used_at is null or last_used_at <= ${db.now}::timestamptz - interval '1 minute')
  )
  select u.id as user_id, u.email, t.id as session_id, null as confirmed_at,
    t.second_factor, null as only_account_id, ${roles}
  from t
    join users u on u.id = t.user_id
    left join user_roles r on r.user_id = u.id
  group by t.id, t.second_factor, u.id`

const TEN_MINUTES = 600_000

/** Whether the password was proved in this session within ten minutes (api.md, section 2). */
export const isFresh = ({ confirmedAt }: Pick<Actor, 'confirmedAt'>, now: Date) =>
  confirmedAt !== null && now.getTime() - Date.parse(confirmedAt) <= TEN_MINUTES

/** Whether the person owns the account by now: a call waits for locks after its caller was identified. */
export const isOwner = (db: Queryable, accountId: string, userId: string) => isInTeam(db, accountId, userId, ['owner'])

/** Whether the person has one of these roles in the account's team by now. */
export const isInTeam = async (db: Queryable, accountId: string, userId: string, roles: readonly TeamRole[]) =>
  Boolean(
    await db.maybe`
    select from user_roles
    where account_id = ${accountId} and user_id = ${userId} and type = any(${roles.map((role) => `account-${role}`)})`,
  )
