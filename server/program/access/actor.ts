import type { Origin } from '../../platform/by.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import { tokenHash } from '../../platform/database/secrets.ts'

/** The person who calls, with all their roles and the session they call in. */
export type Actor = {
  userId: string
  email: string
  sessionId: string
  /** When the password was last proved in this session. */
  confirmedAt: string | null
  isAdmin: boolean
  /** Accounts owned. */
  accountIds: string[]
  /** Partners the person is, in any account. */
  partnerIds: string[]
  /** The call this is. */
  from?: Origin
}

/** The actor whose access token this is, as things stand now: a role lost or a session ended counts at once. */
export const findActor = (db: Queryable, accessToken: string) => db.maybe<Actor>`
  select u.id as user_id, u.email, s.id as session_id, s.confirmed_at,
    coalesce(bool_or(r.type = 'admin'), false) as is_admin,
    coalesce(array_agg(r.account_id::text) filter (where r.type = 'account-owner'), '{}') as account_ids,
    coalesce(array_agg(r.partner_id::text) filter (where r.type = 'partner'), '{}') as partner_ids
  from sessions s
    join users u on u.id = s.user_id
    left join user_roles r on r.user_id = u.id
  where s.access_hash = ${tokenHash(accessToken)}
    and s.ended_at is null and s.access_expires_at > ${db.now} and s.expires_at > ${db.now}
  group by s.id, u.id`
