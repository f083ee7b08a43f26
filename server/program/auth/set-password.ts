import type { ChangedPassword, Session } from '#contract/auth.ts'
import type { RecordedEvent } from '#contract/events.ts'
import { toOrigin } from '../../platform/author.ts'
import { refuseCommonPassword } from '../../platform/config/weak-passwords.ts'
import { type Database, type Queryable, type Transaction, transaction } from '../../platform/database/pool.ts'
import { type Secrets, tokenHash } from '../../platform/database/secrets.ts'
import { recordActivity, sendSignal } from '../../platform/events/emit-event.ts'
import { refusal, wrongField } from '../../platform/refusal.ts'
import type { Install } from '../../platform/services.ts'
import type { Actor } from '../access/actor.ts'
import { findInvitationByToken, type InvitationRow, invitationFacts } from './invitation-queries.ts'
import { completeInvitation, linkExpired, lockAcceptable, provesMailbox } from './invitations.ts'
import { clearResetLimits } from './link-requests.ts'
import { refuseForOidc } from './oidc.ts'
import { hashPassword } from './passwords.ts'
import { getFactors, hasFactor } from './second-factor/factors.ts'
import { withCode } from './second-factor/prove.ts'
import { type Device, endSessions, startSession } from './sessions.ts'
import { shutOutUnverified } from './shut-out.ts'
import { provePassword } from './sign-in.ts'
import { passwordChanged } from './signals.ts'
import { deleteTokens } from './user-tokens.ts'
import { canSignIn, findOrMakeUser, type Names, verifyUser } from './users.ts'

/** An arbitrary lock key; only one first administrator is created at a time. */
export const ADMINISTRATOR_LOCK = 6_402_119

/** The caller who changes a password: a signed-in user, or the bearer of a set-up or reset link (`actor` null). */
type Caller = { actor: Actor | null; token: string; device: Device }

/**
 * Sets a password and signs in; all other sessions and all access tokens of the user end.
 * Refuses: `token_expired` for a dead link; `invalid_state` for a set-up link of a user who has a login;
 * `invalid_credentials` for a wrong current password; a common password; `forbidden` where single sign-on is the only
 * way; by link also `second_factor_required`.
 */
export async function changePassword(
  db: Database,
  install: Install,
  { actor, token, device }: Caller,
  body: ChangedPassword,
): Promise<Session> {
  if (actor) return changeOwn(db, install, actor, body, device)
  const invitation = await findInvitationByToken(db, tokenHash(token))
  if (invitation) return setUp(db, install, invitation, { token, body, device })
  if (body.currentPassword !== undefined && !(await findReset(db, token))) throw refusal('sign_in_first')
  return reset(db, install, { token, body, device })
}

async function changeOwn(db: Database, install: Install, actor: Actor, body: ChangedPassword, device: Device) {
  refuseEmail(body)
  // a session by password would outlast the one of single sign-on
  refuseForOidc(install, actor.email)
  if (body.currentPassword === undefined) throw wrongField('currentPassword', 'current_password_missing')
  refuseCommonPassword(body.password, await contextOf(db, actor.userId))
  const present = await provePassword(db, install, actor, body.currentPassword, device)
  const hash = await hashPassword(install.config, body.password)
  return transaction(db, async (tx) => {
    const changed = await tx.run`
      update users set password_hash = ${hash}, updated_at = ${tx.now}
      where id = ${actor.userId} and password_hash = ${present}`
    if (changed === 0) throw refusal('password_just_changed')
    return afterChange(tx, install.secrets, actor.userId, device, {
      type: 'password.changed',
      secondFactor: hasFactor(await getFactors(tx, install.config, actor.userId)),
      // with a second factor the password alone is no fresh proof
      fresh: !actor.secondFactor,
      within: actor.onlyAccountId,
    })
  })
}

type ByLink = { token: string; body: ChangedPassword; device: Device }

async function setUp(db: Database, install: Install, found: InvitationRow, { token, body, device }: ByLink) {
  await transaction(db, async (tx) => refuseKnown(await lockAcceptable(tx, token)))
  const { accountName, firstName, lastName } = await invitationFacts(db, found)
  if (found.email) refuseEmail(body)
  const email = found.email ?? body.email
  if (!email) throw wrongField('email', 'email_missing')
  if (found.kind !== 'administrator') refuseForOidc(install, email)
  refuseCommonPassword(body.password, [email, firstName, lastName, accountName])
  const hash = await hashPassword(install.config, body.password)
  const set = async (tx: Transaction, proved: { secondFactor: boolean }) => {
    if (found.kind === 'administrator') await tx.run`select pg_advisory_xact_lock(${ADMINISTRATOR_LOCK})`
    const invitation = await lockAcceptable(tx, token)
    const userId = invitation.userId ?? (await findOrMakeUser(tx, email))
    const isSet = await tx.run`
      update users u set password_hash = ${hash}, updated_at = ${tx.now}
      where u.id = ${userId} and not ${canSignIn}`
    if (isSet === 0) throw hasLogin()
    if (provesMailbox(invitation)) await verifyUser(tx, userId)
    const by = { type: 'user', id: userId, from: toOrigin(device) } as const
    await recordActivity(tx, by, null, 'password.set-up', { id: userId })
    await completeInvitation(tx, by, invitation, userId)
    return startSession(tx, install.secrets, userId, device, { method: 'password', ...proved })
  }
  // a person without a password may have a passkey
  return found.userId
    ? withCode(db, install, { id: found.userId, email, code: body.code, device }, set)
    : transaction(db, (tx) => set(tx, { secondFactor: false }))
}

type Reset = { id: string; userId: string; usedAt: string | null; expiresAt: string; byOperator: boolean }
const findReset = (db: Queryable, token: string) => db.maybe<Reset>`
  select id, user_id, used_at, expires_at, by_operator from password_resets where token_hash = ${tokenHash(token)}`

async function reset(db: Database, install: Install, { token, body, device }: ByLink) {
  const found = await findReset(db, token)
  if (!found || found.usedAt || found.expiresAt <= db.now.toISOString()) throw linkExpired()
  const { email } = await db.one<{ email: string }>`select email from users where id = ${found.userId}`
  if (!found.byOperator) refuseForOidc(install, email)
  refuseEmail(body)
  refuseCommonPassword(body.password, await contextOf(db, found.userId))
  const hash = await hashPassword(install.config, body.password)
  const set = async (tx: Transaction, proved: { secondFactor: boolean; fresh: boolean }) => {
    const used = await tx.run`
      update password_resets set used_at = ${tx.now}
      where id = ${found.id} and used_at is null and expires_at > ${tx.now}`
    if (used === 0) throw linkExpired()
    await setPasswordByMail(tx, found.userId, hash)
    await clearResetLimits(tx, install.secrets, email, device.address)
    return afterChange(tx, install.secrets, found.userId, device, { type: 'password.reset', ...proved })
  }
  const by = { type: 'user', id: found.userId, from: toOrigin(device) } as const
  // the second factor of an unverified user may be another person's
  const before = (tx: Transaction) => shutOutUnverified(tx, by, found.userId)
  return withCode(db, install, { id: found.userId, email, code: body.code, device, before }, set)
}

/** Sets the password through the mailbox, which verifies it. */
export const setPasswordByMail = (tx: Transaction, userId: string, hash: string) => tx.run`
  update users set password_hash = ${hash}, updated_at = ${tx.now}, verified_at = coalesce(verified_at, ${tx.now})
  where id = ${userId}`

/** Ends everything based on the old password and notifies the user. */
async function afterChange(
  tx: Transaction,
  secrets: Secrets,
  userId: string,
  device: Device,
  { type, ...begins }: { type: RecordedEvent; secondFactor: boolean; fresh: boolean; within?: string | null },
) {
  const by = { type: 'user', id: userId, from: toOrigin(device) } as const
  await endSessions(tx, userId)
  await deleteTokens(tx, by, userId)
  await tx.run`update password_resets set used_at = ${tx.now} where user_id = ${userId} and used_at is null`
  await recordActivity(tx, by, null, type, { id: userId })
  await sendSignal(tx, null, passwordChanged, { userId })
  return startSession(tx, secrets, userId, device, { method: 'password', ...begins })
}

/** Returns words that this user's password must not consist of. */
async function contextOf(db: Queryable, userId: string) {
  const { accounts, ...own } = await db.one<{ email: string; accounts: string[] } & Names>`
    select u.email, u.first_name, u.last_name, coalesce(array_agg(a.name) filter (where a.name is not null), '{}') as accounts
    from users u left join user_roles r on r.user_id = u.id left join accounts a on a.id = r.account_id
    where u.id = ${userId} group by u.id`
  return [own.email, own.firstName, own.lastName, ...accounts]
}

function refuseEmail({ email }: ChangedPassword) {
  if (email !== undefined) throw wrongField('email', 'email_not_accepted')
}

function refuseKnown(invitation: InvitationRow) {
  if (invitation.hasLogin) throw hasLogin()
}

const hasLogin = () => refusal('email_has_login')
