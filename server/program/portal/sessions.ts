import type { NewPortalSession, PortalSession as Opened, Portal, PortalSignIn } from '#contract/portal.ts'
import type { Author } from '../../platform/author.ts'
import type { Config } from '../../platform/config/config.ts'
import { newId } from '../../platform/database/ids.ts'
import type { Queryable, Transaction } from '../../platform/database/pool.ts'
import { tokenHash } from '../../platform/database/secrets.ts'
import { recordActivity } from '../../platform/events/emit-event.ts'
import { notFound, refusal, wrongField } from '../../platform/refusal.ts'
import type { Install } from '../../platform/services.ts'
import { accountDisabled } from '../access/access.ts'
import { rewardsOfPartners } from '../access/customer-groups.ts'
import type { KnownKey } from '../access/keys-by-hash.ts'
import { lockAccountShared } from '../access/lock-accounts.ts'
import {
  accountOfToken,
  disabledInPortal,
  findPortalSession,
  PORTAL_LINK_PREFIX,
  PORTAL_PREFIX,
  type PortalSession,
  portalToken,
  stillOpen,
} from '../access/portal-session.ts'
import { portalUrl } from '../custom-domains/portal-url.ts'
import { displayName } from '../partner-directory/partner-names.ts'

/** Most sessions of a partner at a time, links included while they may be used. */
export const MOST_PORTALS = 20
const MINUTE = 60_000
export const LASTS = 60 * MINUTE
export const LINK_LASTS = MINUTE
const DAY = 24 * 60 * MINUTE

/**
 * Opens a partner's portal for a key. Beyond twenty the oldest ends. Archiving the partner and disabling the account
 * wait for this, or come before it.
 * Refuses: `partner_is_archived`; the view for inviting friends for a partner who is no customer.
 */
export async function openPortalFor(
  tx: Transaction,
  install: Install,
  by: Author,
  key: KnownKey,
  partnerId: string,
  { kind, view = 'program' }: NewPortalSession,
): Promise<Opened> {
  const accountId = key.account.id
  const { disabledAt } = await lockAccountShared(tx, accountId)
  if (disabledAt) throw accountDisabled()
  const partner = await tx.maybe<{ state: string }>`
    select state from partners where account_id = ${accountId} and id = ${partnerId} for no key update`
  if (!partner) throw notFound()
  if (partner.state === 'archived') throw refusal('partner_is_archived')
  if (view === 'invite' && !(await rewardsOfPartners(tx, accountId, [partnerId])).has(partnerId))
    throw wrongField('view', 'group_is_not_for_customers')
  const isLink = kind === 'link'
  const token = portalToken(isLink ? PORTAL_LINK_PREFIX : PORTAL_PREFIX, accountId)
  const expiresAt = later(tx, isLink ? LINK_LASTS : LASTS)
  await tx.run`
    delete from portal_sessions
    where account_id = ${accountId} and partner_id = ${partnerId} and expires_at < ${later(tx, -DAY)}`
  await tx.run`
    insert into portal_sessions (account_id, id, partner_id, key_id, actor_id, kind, view, token_hash, link_hash, created_at,
      expires_at)
    values (${accountId}, ${newId()}, ${partnerId}, ${key.rowId}, ${key.id}, ${kind}, ${view},
      ${isLink ? null : tokenHash(token)}, ${isLink ? tokenHash(token) : null}, ${tx.now}, ${expiresAt})`
  await tx.run`
    update portal_sessions set ended_at = ${tx.now}
    where account_id = ${accountId} and id in (
      select id from portal_sessions
      where account_id = ${accountId} and partner_id = ${partnerId} and ended_at is null and expires_at > ${tx.now}
      order by created_at desc, id desc offset ${MOST_PORTALS})`
  await recordActivity(tx, by, accountId, 'partner.portal-opened', {
    id: partnerId,
    changes: { kind: { old: null, new: kind } },
  })
  const account = await tx.one<{ publicId: string; portalHost: string | null }>`
    select public_id, portal_host from accounts where id = ${accountId}`
  return {
    url: `${portalUrl(install.config, account)}/portal/${account.publicId}#token=${token}`,
    token: isLink ? null : token,
    expiresAt: expiresAt.toISOString(),
  }
}

/**
 * Exchanges the token of a link for its session, once: of two calls at the same time one finds the link used.
 * Refuses: `portal_ended` alike for an unknown, a used and an old token; `account_disabled`, and the link isn't used up.
 */
export async function openByLink(tx: Transaction, { config }: Install, token: string): Promise<PortalSignIn> {
  const accountId = accountOfToken(token, PORTAL_LINK_PREFIX)
  const accessToken = accountId && portalToken(PORTAL_PREFIX, accountId)
  const expiresAt = later(tx, LASTS)
  const opened = accessToken
    ? await tx.run`
        update portal_sessions s set token_hash = ${tokenHash(accessToken)}, link_hash = null, expires_at = ${expiresAt}
        from partners p, accounts a
        where s.account_id = ${accountId} and s.link_hash = ${tokenHash(token)}
          and p.account_id = ${accountId} and p.id = s.partner_id and a.id = s.account_id and ${stillOpen(tx)}`
    : 0
  if (!accessToken || opened === 0) throw await refusalOfLink(tx, config, token)
  return { accessToken, expiresAt: expiresAt.toISOString() }
}

async function refusalOfLink(tx: Transaction, config: Config, token: string) {
  const found = await findPortalSession(tx, token, PORTAL_LINK_PREFIX)
  return found?.isDisabled ? disabledInPortal(tx, config) : refusal('portal_ended')
}

/** Returns whose session it is. */
export async function presentPortal(
  db: Queryable,
  { accountId, partnerId, view, expiresAt }: PortalSession,
): Promise<Portal> {
  const { language, accountLanguage, ...partner } = await db.one<
    Parameters<typeof displayName>[0] & Pick<Portal, 'language' | 'accountLanguage'>
  >`
    select n.first_name, n.last_name, n.email, n.language, a.language as account_language
    from partners n join accounts a on a.id = n.account_id
    where n.account_id = ${accountId} and n.id = ${partnerId}`
  return { partnerId, accountId, displayName: displayName(partner), language, accountLanguage, view, expiresAt }
}

/** Ends the sessions of a partner for good. */
export const endPortals = (tx: Transaction, accountId: string, partnerId: string) => tx.run`
  update portal_sessions set ended_at = ${tx.now}
  where account_id = ${accountId} and partner_id = ${partnerId} and ended_at is null and expires_at > ${tx.now}`

/** After a restore, ends all: one that had ended since the backup would work again. */
export const endRestoredPortals = (tx: Transaction) =>
  tx.run`update portal_sessions set ended_at = ${tx.now} where ended_at is null`

const later = (db: Queryable, ms: number) => new Date(db.now.getTime() + ms)
