import type { PortalView } from '#contract/portal.ts'
import type { Config } from '../../platform/config/config.ts'
import { bytesOfId, idOfBytes } from '../../platform/database/ids.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import { newToken, tokenHash } from '../../platform/database/secrets.ts'
import { sql } from '../../platform/database/sql.ts'
import { refusal } from '../../platform/refusal.ts'
import { supportEmail } from './support-email.ts'

/** Prefixes that distinguish the token of a portal session, and of a link that opens one, from other tokens. */
export const PORTAL_PREFIX = 'tpp_'
export const PORTAL_LINK_PREFIX = 'tpl_'

/** A portal session: one partner's screens, opened by a key of the account. */
export type PortalSession = {
  id: string
  accountId: string
  partnerId: string
  /** The key that the activity names. */
  keyId: string
  view: PortalView
  expiresAt: string
}

/** Whether session `s` is still allowed by its key, partner and account, from partners `p` and accounts `a`. */
export const stillOpen = (db: Queryable) => sql`(s.ended_at is null and s.expires_at > ${db.now}
  and p.state <> 'archived' and a.disabled_at is null and exists (
    select from api_keys k
    where k.id = s.key_id and k.account_id = s.account_id and 'partners' = any(k.rights) and k.deleted_at is null
      and (k.expires_at is null or k.expires_at > ${db.now})))`

/**
 * Returns the session of this token, or of this link's, also one that has ended; read at every call, so that ending it
 * counts at once.
 */
export async function findPortalSession(db: Queryable, token: string, prefix = PORTAL_PREFIX) {
  const accountId = accountOfToken(token, prefix)
  if (!accountId) return undefined
  return db.maybe<PortalSession & { isOpen: boolean; isDisabled: boolean }>`
    select s.id, s.account_id, s.partner_id, s.actor_id as key_id, s.view, s.expires_at, ${stillOpen(db)} as is_open,
      a.disabled_at is not null as is_disabled
    from portal_sessions s
      join partners p on p.account_id = s.account_id and p.id = s.partner_id
      join accounts a on a.id = s.account_id
    where s.account_id = ${accountId}
      and ${prefix === PORTAL_LINK_PREFIX ? sql`s.link_hash` : sql`s.token_hash`} = ${tokenHash(token)}`
}

/** Creates the refusal of a disabled account's sessions and links, which work again once it is enabled. */
export const disabledInPortal = async (db: Queryable, config: Config) =>
  refusal('account_disabled', { details: { supportEmail: await supportEmail(db, config) } })

/** Returns a token that names its account, which finds it in a cluster. */
export const portalToken = (prefix: string, accountId: string) =>
  prefix + bytesOfId(accountId).toString('base64url') + newToken()

/** Returns the account that a token names, if it has the form of one with this prefix. */
export function accountOfToken(token: string, prefix: string): string | undefined {
  const [, id] = /^([\w-]{22})[\w-]{43}$/.exec(token.startsWith(prefix) ? token.slice(prefix.length) : '') ?? []
  return id && idOfBytes(Buffer.from(id, 'base64url'))
}
