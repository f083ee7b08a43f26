import type { Invitation, InvitationStatus, UserSetup } from '#contract/auth.ts'
import type { PartnerRole, TeamRole } from '#contract/endpoint.ts'
import { type Author, system } from '../../platform/author.ts'
import type { Config } from '../../platform/config/config.ts'
import { newId } from '../../platform/database/ids.ts'
import { type Database, type Queryable, type Transaction, transaction } from '../../platform/database/pool.ts'
import { type Secrets, tokenHash } from '../../platform/database/secrets.ts'
import { recordActivity, sendSignal } from '../../platform/events/emit-event.ts'
import { secondsInWords } from '../../platform/format-values.ts'
import { notFound, type Refusal, refusal } from '../../platform/refusal.ts'
import type { Install } from '../../platform/services.ts'
import type { Actor } from '../access/actor.ts'
import { endReading } from '../api-keys/api-keys.ts'
import { portalUrl } from '../custom-domains/portal-url.ts'
import { lockUnlessErased } from '../partner-directory/erased-partner.ts'
import {
  clearMailError,
  countSending,
  countSentByPartner,
  findInvitation,
  findInvitationByToken,
  findInvitationOfPartner,
  findInvitationsOfPartners,
  type InvitationRow,
  insertInvitation,
  invitationFacts,
  isUnknownElsewhere,
  lockInvitationByToken,
  lockInvitationOfPartner,
  lockOpenInvitations,
  revokeInvitationOfMember,
  setAccepted,
  setMailError,
  setOpened,
  setRevoked,
  setSent,
  updateInvited,
  updateSending,
} from './invitation-queries.ts'
import { accessChanged, invitationAccepted, invitationRequested, invitationSent, ownerChanged } from './signals.ts'
import {
  fillNames,
  findOrMakeUser,
  grantAdministration,
  type Home,
  hasPeople,
  isVerified,
  nameContact,
  removeRole,
  roleAt,
  setRole,
  transferAccountOwnership,
  transferPartnerContact,
  verifyUser,
} from './users.ts'

const MINUTE = 60_000
const DAY = 86_400_000
export const VALID_FOR = 7 * DAY
const COOL_DOWN = MINUTE
export const SENDINGS_A_DAY = 5
export const PARTNER_SENDINGS_A_DAY = 20

export const linkExpired = () => refusal('link_expired')

/** Whether this install sends mails, rather than saving them in its outbox. */
export const mailLeaves = ({ config }: Pick<Install, 'config'>) => Boolean(config.smtpUrl)

/** Derived, so that the link can be shown and mailed again while only its hash is stored; each sending has its own. */
export const setUpToken = (secrets: Secrets, { id, sendCount }: Pick<InvitationRow, 'id' | 'sendCount'>) =>
  secrets.derive('set-up', `${id}.${sendCount}`)

/** A partner's people are led to the account's own host while it is ready. */
export const setUpUrl = (
  { config, secrets }: Install,
  invitation: Pick<InvitationRow, 'id' | 'sendCount'> & Partial<Pick<InvitationRow, 'partnerId' | 'portalHost'>>,
) => {
  const origin = invitation.partnerId ? portalUrl(config, { portalHost: invitation.portalHost ?? null }) : config.appUrl
  return `${origin}/user-setup#token=${setUpToken(secrets, invitation)}`
}

/** Current status: expiry is computed, not stored. */
export const invitationStatus = ({ status, expiresAt, outlived }: InvitationRow, now: Date): InvitationStatus =>
  status !== 'accepted' && status !== 'revoked' && (outlived || Date.parse(expiresAt) <= now.getTime())
    ? 'expired'
    : status

/** Whether its link still works. */
const isOpen = (invitation: InvitationRow, now: Date) =>
  !['accepted', 'revoked', 'expired'].includes(invitationStatus(invitation, now))

/**
 * The link, for an owner or administrator to pass on by hand: only without a mail server, only while it works, and only
 * for a person known to this account alone. A reader of the link can become that person, so an account must never see
 * the link of a person whom another account trusts. Administrators, the only readers of an owner's link, still see it
 * when another account invites that owner later: otherwise any account could hide it from them.
 */
export function findInvitationUrl(install: Install, invitation: InvitationRow, now: Date): string | null {
  const { kind, shareable, hasLogin, invitedElsewhere } = invitation
  const isOurs = shareable && !hasLogin && (kind === 'owner' || !invitedElsewhere)
  return isOpen(invitation, now) && isOurs && !mailLeaves(install) ? setUpUrl(install, invitation) : null
}

/**
 * Whether using this link proves the mailbox: it was only mailed, or shown only to administrators, who are responsible
 * for the people they name. A link that an account's owner could read proves nothing.
 */
export const provesMailbox = ({ kind, shareable }: InvitationRow) =>
  kind === 'administrator' || kind === 'owner' || !shareable

type Invited = {
  accountId: string
  email: string
  firstName?: string | null
  lastName?: string | null
}

type Invitee =
  | { kind: 'owner'; replaces: string | null }
  | { kind: 'member'; role: TeamRole }
  | { kind: 'partner' }
  | { kind: 'partner-member'; role: PartnerRole; holdsPayouts: boolean }

/** Creates an invitation and requests its mail. A new person is known only by their e-mail until they accept. */
export async function createInvitation(
  tx: Transaction,
  install: Install,
  by: Author,
  invited: Invited & Invitee & { partnerId: string | null },
): Promise<{ id: string; userId: string }> {
  const { kind, accountId, partnerId, email } = invited
  const userId = await findOrMakeUser(tx, email)
  const id = newId()
  // a partner's names are stored in the partner's own record, where they may be corrected
  const { firstName = null, lastName = null } = kind === 'partner' ? {} : invited
  await insertInvitation(
    tx,
    {
      id,
      kind,
      role: 'role' in invited ? invited.role : null,
      replaces: 'replaces' in invited ? invited.replaces : null,
      holdsPayouts: 'holdsPayouts' in invited && invited.holdsPayouts,
      accountId,
      partnerId,
      email,
      userId,
      firstName,
      lastName,
      invitedBy: by.type === 'user' ? by.id : null,
      shareable: await isShareable(tx, install.config, userId, accountId),
    },
    tokenHash(setUpToken(install.secrets, { id, sendCount: 1 })),
    expiry(tx),
  )
  await announceSending(tx, accountId, id, 1)
  return { id, userId }
}

const isShareable = async (tx: Transaction, config: Config, userId: string, accountId: string) =>
  !config.smtpUrl && (await isUnknownElsewhere(tx, userId, accountId))

/**
 * Invites a partner to sign in. `invitedByPartner` is the id of the inviting partner, if one invites.
 * Refuses: `rate_limited` beyond a partner's 20 invitations a day.
 */
export async function invitePartner(
  tx: Transaction,
  install: Install,
  by: Author,
  partnerId: string,
  invited: Invited & { invitedByPartner?: string | null },
) {
  if (invited.invitedByPartner) await limitPartner(tx, invited.accountId, invited.invitedByPartner)
  await createInvitation(tx, install, by, { ...invited, kind: 'partner', partnerId })
}

/**
 * Returns the partner's invitation with its current status; null when never invited. Includes the link only if
 * `showUrl`, and then by the rules.
 */
export async function invitationOfPartner(
  db: Queryable,
  install: Install,
  partnerId: string,
  { showUrl }: { showUrl: boolean },
): Promise<Invitation | null> {
  const row = await findInvitationOfPartner(db, partnerId)
  return row ? present(install, row, db.now, showUrl) : null
}

/**
 * Returns the invitations of these partners that were not accepted yet, for an owner to pass on; none with a mail
 * server, which sends them.
 */
export async function invitationsToPassOn(db: Queryable, install: Install, partnerIds: string[]) {
  if (partnerIds.length === 0 || mailLeaves(install)) return []
  const rows = await findInvitationsOfPartners(db, partnerIds)
  return rows
    .filter((row) => isOpen(row, db.now))
    .map((row) => ({
      partnerId: row.partnerId,
      displayName: row.displayName,
      email: row.email,
      url: findInvitationUrl(install, row, db.now),
    }))
}

/**
 * Returns the token of a partner's open invitation to this e-mail, for a person who has just proved its mailbox; null for
 * one that was accepted, revoked, or sent elsewhere since.
 */
export async function openSetUpToken(
  db: Queryable,
  { secrets }: Pick<Install, 'secrets'>,
  { partnerId, email }: { partnerId: string; email: string },
): Promise<string | null> {
  const row = await findInvitationOfPartner(db, partnerId)
  return row && row.email === email && isOpen(row, db.now) ? setUpToken(secrets, row) : null
}

type PartnerToInvite = { accountId: string; email: string; firstName: string | null; lastName: string | null }

/**
 * Sends the partner's invitation again, or for the first time; the old link stops working, and a revoked one is
 * reopened.
 * Refuses: `invalid_state` once the partner has people; `rate_limited` within 60 s, beyond 5 a day, or beyond the 20 of
 * an inviting partner.
 */
export async function retryInvitation(
  tx: Transaction,
  install: Install,
  by: Author,
  partnerId: string,
  { accountId, invitedByPartner }: { accountId: string; invitedByPartner: string | null },
) {
  await lockUnlessErased(tx, accountId, partnerId)
  const row = await lockInvitationOfPartner(tx, partnerId)
  if (await hasPeople(tx, { accountId, partnerId })) throw alreadyAccepted()
  if (row) {
    const refusal = refusalToSend(tx, row)
    if (refusal) throw refusal
    if (invitedByPartner) await limitPartner(tx, accountId, invitedByPartner)
    await sendAnew(tx, install, row)
  } else {
    const partner = await tx.one<PartnerToInvite>`
      select account_id, email, first_name, last_name from partners
      where account_id = ${accountId} and id = ${partnerId}`
    await invitePartner(tx, install, by, partnerId, { ...partner, invitedByPartner })
  }
}

/**
 * Disables the link; repeating changes nothing. Refuses: `not_found` when never invited, `invalid_state` once accepted.
 */
export async function revokeInvitation(tx: Transaction, by: Author, partnerId: string) {
  const row = await lockInvitationOfPartner(tx, partnerId)
  if (!row) throw notFound()
  if (row.status === 'accepted') throw alreadyAccepted()
  if (row.status === 'revoked') return
  await setRevoked(tx, row.id)
  await recordActivity(tx, by, row.accountId, 'invitation.revoked', { id: partnerId })
}

/**
 * After a change of a partner's e-mail, sends an invitation not yet accepted to the new address and disables the old
 * link. Does nothing once accepted, or without an invitation: this never changes anyone's sign-in. If people joined by
 * other invitations, it ends this one, because only they and the account's owner invite owners.
 * Refuses: `rate_limited` beyond 5 sendings a day, or beyond the 20 of an inviting partner.
 */
export async function reinvitePartner(
  tx: Transaction,
  install: Install,
  by: Author,
  partnerId: string,
  { email, invitedByPartner }: { email: string; invitedByPartner: string | null },
) {
  const row = await lockInvitationOfPartner(tx, partnerId)
  if (!row || row.status === 'accepted' || row.email === email) return
  const userId = await findOrMakeUser(tx, email)
  await updateInvited(tx, row.id, email, userId)
  await recordActivity(tx, by, row.accountId, 'invitation.changed', { id: partnerId })
  if (row.status === 'revoked') return
  if (await hasPeople(tx, { accountId: row.accountId!, partnerId })) return void (await setRevoked(tx, row.id))
  if (sentToday(tx, row) >= SENDINGS_A_DAY) throw tooManyToday(tx)
  if (invitedByPartner) await limitPartner(tx, row.accountId!, invitedByPartner)
  await sendAnew(tx, install, { ...row, userId })
}

/**
 * Mails the open invitations for this e-mail again, at the request of a person who gave only the e-mail. A link that
 * works stays the same, since it may have been passed on by hand; an expired one is renewed. Does not count towards the
 * account's sendings. `requestId` names the mails.
 */
export async function mailOpenInvitations(tx: Transaction, install: Install, email: string, requestId: string) {
  for (const row of await lockOpenInvitations(tx, email))
    if (invitationStatus(row, tx.now) === 'expired') await renewLink(tx, install, row)
    else
      await sendSignal(tx, row.accountId, invitationRequested, {
        invitationId: row.id,
        sendCount: row.sendCount,
        again: requestId,
      })
}

/** A link that an operator passes on. `accountName` is null for an administrator's. */
type MadeLink = { accountName: string | null; expiresAt: string; url: string }

/**
 * Returns the links of all open invitations for this e-mail and records this in the activity; expired ones are renewed.
 * They work like mailed links: an existing user signs in to accept.
 */
export const makeInvitationLinks = (db: Database, install: Install, email: string): Promise<MadeLink[]> =>
  transaction(db, async (tx) => {
    const links: MadeLink[] = []
    for (const open of await lockOpenInvitations(tx, email)) {
      if (invitationStatus(open, tx.now) === 'expired') await renewLink(tx, install, open)
      const row = (await findInvitation(tx, open.id))!
      const { accountName } = await invitationFacts(tx, row)
      links.push({ accountName, expiresAt: row.expiresAt, url: setUpUrl(install, row) })
      await recordActivity(tx, system, row.accountId, 'invitation.link-made', { id: row.userId! })
    }
    return links
  })

/** Returns why this invitation may not be sent again now, or null. */
export function refusalToSend(tx: Transaction, row: InvitationRow): Refusal | null {
  if (row.status === 'accepted') return alreadyAccepted()
  const waitMs = Date.parse(row.lastSentAt) + COOL_DOWN - tx.now.getTime()
  if (waitMs > 0) {
    const retryAfter = Math.ceil(waitMs / 1000)
    return refusal('just_sent', { wait: () => secondsInWords(retryAfter) }, { retryAfter })
  }
  return sentToday(tx, row) >= SENDINGS_A_DAY ? tooManyToday(tx) : null
}

/** Renews the token, which also requests the mail, and counts as one of the day's sendings. */
export async function sendAnew(tx: Transaction, install: Install, row: InvitationRow) {
  await countSending(tx, row.id, sentToday(tx, row) + 1)
  await renewLink(tx, install, row)
}

async function renewLink(tx: Transaction, install: Install, row: InvitationRow) {
  const sendCount = row.sendCount + 1
  await updateSending(tx, row.id, {
    sendCount,
    tokenHash: tokenHash(setUpToken(install.secrets, { id: row.id, sendCount })),
    expiresAt: expiry(tx),
    shareable: await isShareable(tx, install.config, row.userId!, row.accountId!),
  })
  await announceSending(tx, row.accountId, row.id, sendCount)
}

/**
 * Returns the person a set-up link is for and its status; marks it as opened. Refuses: `token_expired` for a dead link.
 */
export async function readSetup(db: Queryable, token: string): Promise<UserSetup> {
  const row = await findInvitationByToken(db, tokenHash(token))
  if (!row) throw linkExpired()
  const status = invitationStatus(row, db.now)
  const nothing = { email: null, firstName: null, lastName: null, accountName: null, invitedBy: null }
  if (status === 'accepted') return { ...nothing, status: 'used' }
  if (status === 'revoked' || status === 'expired') return { ...nothing, status: 'expired' }
  await setOpened(db, row.id)
  const { firstName, lastName, accountName, invitedBy } = await invitationFacts(db, row)
  return {
    email: row.email,
    firstName,
    lastName,
    accountName,
    invitedBy,
    status: row.hasLogin ? 'existing-user' : 'valid',
  }
}

/**
 * Locks the invitation behind a link that can still be accepted.
 * Refuses: `token_expired` when it was used, revoked, replaced by a newer one, or has expired.
 */
export async function lockAcceptable(tx: Transaction, token: string): Promise<InvitationRow> {
  const row = await lockInvitationByToken(tx, tokenHash(token))
  if (!row || !isOpen(row, tx.now)) throw linkExpired()
  return row
}

/**
 * Accepts an invitation as the invited user; repeating changes nothing.
 * Refuses: `forbidden` for any other user, and for a role that a session of an account's own host does not hold, `token_expired` for a dead link, `invalid_state` for administering the
 * install while the mailbox is unverified: the password may then belong to anyone who saw another invitation's link.
 */
export async function acceptInvitation(tx: Transaction, { config }: Install, by: Author, actor: Actor, token: string) {
  const row = await lockInvitationByToken(tx, tokenHash(token))
  if (!row) throw linkExpired()
  if (row.userId !== actor.userId) throw refusal('invitation_for_other_email')
  if (actor.onlyAccountId && !(row.partnerId && row.accountId === actor.onlyAccountId))
    throw refusal('only_at_app_url', { url: config.appUrl })
  if (row.status === 'accepted') return
  if (row.kind === 'administrator' && !(await isVerified(tx, actor.userId))) throw refusal('mailbox_unproven')
  await completeInvitation(tx, by, await lockAcceptable(tx, token), actor.userId)
  if (provesMailbox(row)) await verifyUser(tx, actor.userId)
}

/** Grants the invitation's role, and copies its names to a user who has none yet. */
export async function completeInvitation(tx: Transaction, by: Author, row: InvitationRow, userId: string) {
  const { accountId, partnerId, role } = row
  await setAccepted(tx, row.id, userId)
  await fillNames(tx, userId, await invitationFacts(tx, row))
  if (!accountId) return grantAdministration(tx, by, userId)
  const home: Home = { accountId, partnerId }
  // an owner who accepts an earlier invitation as something less stays an owner
  if ((await roleAt(tx, home, userId)) !== 'owner') await setRole(tx, by, userId, home, role ?? 'owner')
  if (row.replaces && row.replaces !== userId) await replaceOwner(tx, by, accountId, { from: row.replaces, to: userId })
  if (row.kind === 'owner') await nameContact(tx, accountId, userId)
  if (!partnerId) return transferAccountOwnership(tx, accountId)
  await transferPartnerContact(tx, accountId, partnerId)
  if (row.kind === 'partner') return sendSignal(tx, accountId, invitationAccepted, { partnerId, userId, from: by.from })
  if (row.holdsPayouts && role === 'owner') await holdPayouts(tx, accountId, partnerId)
  await sendSignal(tx, accountId, accessChanged, { userId, role: role!, partnerId, why: 'given' })
}

/**
 * Holds automatic payouts for 72 hours, like changed bank details: the new owner decides where the money goes. The first
 * details that they enter count as changed ones.
 */
const holdPayouts = (tx: Transaction, accountId: string, partnerId: string) => tx.run`
  insert into payout_settings (account_id, partner_id, version, changed_at, created_at, updated_at)
  values (${accountId}, ${partnerId}, ${newId()}, ${tx.now}, ${tx.now}, ${tx.now})
  on conflict (partner_id, account_id) do update set changed_at = excluded.changed_at`

/**
 * Removes the role from the owner who is replaced, and the keys that read like an owner, which would otherwise outlive
 * their role. Keys that only send data stay, and the new owner is notified of them.
 */
async function replaceOwner(
  tx: Transaction,
  by: Author,
  accountId: string,
  { from, to }: { from: string; to: string },
) {
  const team: Home = { accountId, partnerId: null }
  if (!(await removeRole(tx, by, from, team, 'owner'))) return
  await revokeInvitationOfMember(tx, team, from)
  await endReading(tx, by, accountId)
  await sendSignal(tx, accountId, ownerChanged, { userId: to })
  await sendSignal(tx, accountId, accessChanged, { userId: from, role: null })
}

/**
 * Returns the contents of this sending's mail with its link; null when it has been replaced, accepted, revoked, or has
 * expired.
 */
export async function invitationForMail(db: Queryable, install: Install, id: string, sendCount: number) {
  const row = await findInvitation(db, id)
  if (!row?.email || row.sendCount !== sendCount) return null
  if (!isOpen(row, db.now)) return null
  const { accountDisabledAt, ...facts } = await invitationFacts(db, row)
  const { kind, role, accountId, email, hasLogin } = row
  const isDisabled = accountDisabledAt !== null
  return { ...facts, kind, role, accountId, email, isUser: hasLogin, isDisabled, url: setUpUrl(install, row) }
}

/** Records that the mail server accepted the mail of this sending. */
export async function invitationMailed(tx: Transaction, id: string, sendCount: number) {
  const row = await findInvitation(tx, id)
  if ((await setSent(tx, id, sendCount)) > 0 && row?.kind === 'partner')
    await sendSignal(tx, row.accountId, invitationSent, { partnerId: row.partnerId!, userId: null })
}

/** Records that the mail of this sending was saved as a file. */
export const invitationKept = clearMailError

/** Records that the mail server refused the mail of this sending, permanently or until the next try. */
export const invitationRefused = (db: Queryable, id: string, sendCount: number, error: string, forGood: boolean) =>
  setMailError(db, id, sendCount, error.slice(0, 500), forGood)

function present(install: Install, row: InvitationRow, now: Date, showUrl: boolean): Invitation {
  const { sentAt, expiresAt, acceptedAt, sendCount, lastError } = row
  const url = showUrl ? findInvitationUrl(install, row, now) : null
  const mailed = mailLeaves(install)
  return { status: invitationStatus(row, now), sentAt, expiresAt, acceptedAt, sendCount, lastError, mailed, url }
}

const announceSending = (tx: Transaction, accountId: string | null, invitationId: string, sendCount: number) =>
  sendSignal(tx, accountId, invitationRequested, { invitationId, sendCount })

const expiry = (tx: Transaction) => new Date(tx.now.getTime() + VALID_FOR)
const alreadyAccepted = () => refusal('invitation_accepted')

/** Start of the day in UTC. */
export const startOfUtcDay = (tx: Transaction) => new Date(tx.now.toISOString().slice(0, 10))
const sentToday = (tx: Transaction, { lastSentAt, sentToday }: InvitationRow) =>
  Date.parse(lastSentAt) >= startOfUtcDay(tx).getTime() ? sentToday : 0

export const tooManyToday = (tx: Transaction) =>
  refusal('daily_emails_sent', {
    retryAfter: Math.ceil((startOfUtcDay(tx).getTime() + DAY - tx.now.getTime()) / 1000),
  })

/** Locks the inviting partner, so that two calls cannot both use the last sending. */
async function limitPartner(tx: Transaction, accountId: string, partnerId: string) {
  await tx.run`select from partners where account_id = ${accountId} and id = ${partnerId} for no key update`
  if ((await countSentByPartner(tx, accountId, partnerId, startOfUtcDay(tx))) >= PARTNER_SENDINGS_A_DAY)
    throw tooManyToday(tx)
}
