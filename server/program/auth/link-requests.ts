import type { Session } from '#contract/auth.ts'
import { system, toOrigin } from '../../platform/author.ts'
import { newId } from '../../platform/database/ids.ts'
import { type Database, type Queryable, type Transaction, transaction } from '../../platform/database/pool.ts'
import { type Secrets, tokenHash } from '../../platform/database/secrets.ts'
import { sql } from '../../platform/database/sql.ts'
import { recordActivity, sendSignal } from '../../platform/events/emit-event.ts'
import { toNetwork } from '../../platform/http/limits.ts'
import type { Jobs } from '../../platform/jobs/queue.ts'
import type { Install, Services } from '../../platform/services.ts'
import { homeUrl } from './home-url.ts'
import { linkExpired, mailOpenInvitations, setUpToken } from './invitations.ts'
import { isOfOidc, isOidcOnly, refuseForOidc } from './oidc.ts'
import { type LinkRequest, linkRequestQueue } from './queue.ts'
import { withCode } from './second-factor/prove.ts'
import { type Device, startSession } from './sessions.ts'
import { clearAttempts, countAttempt, knowsNetwork } from './sign-in-attempts.ts'
import { resetRequested, signInAsked } from './signals.ts'
import { canSignIn } from './users.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
export const RESET_FOR = HOUR
export const SIGN_IN_FOR = HOUR / 4
const RESETS_AN_HOUR = 3
const SET_UPS_A_DAY = 3
/** A finished request still contains an e-mail, so it is deleted after an hour. */
const FORGET_SOON = { deleteAfterSeconds: 3600 }

/** Queues the request without looking up a user, so neither the answer nor its timing reveals whether there is one. */
export const requestLink = (
  tx: Transaction,
  jobs: Jobs,
  { kind, email, device }: Pick<LinkRequest, 'kind' | 'email'> & { device: Pick<Device, 'address' | 'ownHost'> },
) => {
  const { address, ownHost } = device
  const askedAt = ownHost?.accountId
  return jobs.add(tx, linkRequestQueue, { id: newId(), kind, email, network: toNetwork(address), askedAt }, FORGET_SOON)
}

/**
 * Mails the requested link, if there is one to mail; a repetition mails once. A reset for a user who never signed in
 * mails the set-up link again instead; if single sign-on is the only way, or the user's only one, the mail explains that.
 */
export const answerLinkRequest = (services: Services, { id, kind, email, network, askedAt }: LinkRequest) =>
  transaction(services.db, async (tx) => {
    const user = await tx.maybe<{ id: string; hasPassword: boolean; hasLogin: boolean }>`
      select u.id, u.password_hash is not null as has_password, ${canSignIn} as has_login from users u where u.email = ${email}`
    if (!user) return
    const isReset = kind === 'reset' && user.hasLogin
    if (isOidcOnly(services.config, email) || (isReset && !user.hasPassword && isOfOidc(services.config, email))) {
      if (await countAttempt(tx, services, ['set-up', email], { most: SET_UPS_A_DAY, within: DAY }))
        await sendSignal(tx, null, signInAsked, { userId: user.id })
      return
    }
    if (isReset) await mailReset(tx, services, { id, email, network, askedAt, userId: user.id })
    else if (await countAttempt(tx, services, ['set-up', email], { most: SET_UPS_A_DAY, within: DAY }))
      await mailOpenInvitations(tx, services, email, id)
  })

/**
 * Limits resets to three mails an hour, so that strangers cannot fill a mailbox. Networks from which the user has
 * signed in count separately, so that strangers cannot use up the user's own three.
 */
async function mailReset(
  tx: Transaction,
  install: Install,
  { id, email, network, askedAt, userId }: Omit<LinkRequest, 'kind'> & { userId: string },
) {
  const known = await knowsNetwork(tx, email, network)
  if (
    !(await countAttempt(tx, install, resetsOf(email, known ? network : null), { most: RESETS_AN_HOUR, within: HOUR }))
  )
    return
  const made = await insertReset(tx, install.secrets, id, userId, false)
  if (made > 0) await sendSignal(tx, null, resetRequested, { resetId: id, ...(askedAt && { askedAt }) })
}

const insertReset = (tx: Transaction, secrets: Secrets, id: string, userId: string, byOperator: boolean) => tx.run`
  insert into password_resets (id, user_id, token_hash, sign_in_hash, created_at, expires_at, by_operator)
  values (${id}, ${userId}, ${tokenHash(resetToken(secrets, id))}, ${tokenHash(signInToken(secrets, id))},
    ${tx.now}, ${new Date(tx.now.getTime() + RESET_FOR)}, ${byOperator})
  on conflict (id) do nothing`

/** The link for setting a new password, valid once and for an hour. */
export const resetUrl = (origin: string, secrets: Secrets, resetId: string) =>
  `${origin}/auth/reset-password#token=${resetToken(secrets, resetId)}`

/**
 * Returns a reset link for an operator to pass on, which is not mailed; the activity records whom it is for. It is the
 * way in for people of an issuer that is unavailable. Null if no user with this e-mail has signed in by themselves.
 */
export const makeResetLink = (db: Database, install: Install, email: string): Promise<string | null> =>
  transaction(db, async (tx) => {
    const user = await tx.maybe<{ id: string }>`
      select u.id from users u where u.email = ${email} and ${canSignIn}`
    return user ? insertResetLink(tx, install, user.id) : null
  })

export async function insertResetLink(tx: Transaction, install: Install, userId: string): Promise<string> {
  const id = newId()
  await insertReset(tx, install.secrets, id, userId, true)
  await recordActivity(tx, system, null, 'password.reset-link-made', { id: userId })
  return resetUrl(await homeUrl(tx, install.config, userId), install.secrets, id)
}

const resetsOf = (email: string, knownNetwork: string | null) => [
  'reset',
  email,
  ...(knownNetwork ? [knownNetwork] : []),
]

/** Resets the limits after a link was used: its user controls the mailbox and may request again. */
export const clearResetLimits = (tx: Transaction, secrets: Secrets, email: string, address: string) =>
  clearAttempts(tx, secrets, [resetsOf(email, null), resetsOf(email, toNetwork(address))])

/** Derived when the mail is sent, so that only its hash is stored. */
export const resetToken = (secrets: Secrets, resetId: string) => secrets.derive('reset-password', resetId)

/** Token of the second link in the same mail, which signs in once and leaves the password unchanged. */
export const signInToken = (secrets: Secrets, resetId: string) => secrets.derive('sign-in-link', resetId)

/**
 * Signs in by a mailed link, unaffected by delays after failed tries: once, within 15 minutes. This does not prove the
 * password, so calls that need a recent one still require it. Refuses: `token_expired` for a link that is unknown, used
 * or expired, or whose password was changed since; `second_factor_required` and `invalid_credentials` of a person with
 * a second factor, which use nothing up.
 */
export async function signInByLink(
  db: Database,
  install: Install,
  { token, code }: { token: string; code?: string | undefined },
  device: Device,
): Promise<Session> {
  const open = (db: Queryable) => sql`r.sign_in_hash = ${tokenHash(token)} and r.signed_in_at is null
    and r.used_at is null and r.created_at > ${new Date(db.now.getTime() - SIGN_IN_FOR)} and u.verified_at is not null`
  const user = await db.maybe<{ id: string; email: string; byOperator: boolean }>`
    select u.id, u.email, r.by_operator from password_resets r join users u on u.id = r.user_id where ${open(db)}`
  if (!user) throw linkExpired()
  if (!user.byOperator) refuseForOidc(install, user.email)
  return withCode(db, install, { ...user, code, device }, async (tx, proved) => {
    const used = await tx.run`
      update password_resets r set signed_in_at = ${tx.now} from users u where u.id = r.user_id and ${open(tx)}`
    if (used === 0) throw linkExpired()
    await recordActivity(tx, { type: 'user', id: user.id, from: toOrigin(device) }, null, 'sign-in.by-link', {
      id: user.id,
    })
    return startSession(tx, install.secrets, user.id, device, { method: 'link', ...proved, fresh: false })
  })
}

/**
 * Renews the links derived from the install's key, of which only hashes are stored. With another key, links shown and
 * mailed from now on work and earlier ones do not; password resets must be requested again. Returns the number of open
 * invitations. Sessions continue; their next tokens are derived from the new key.
 */
export async function deriveLinksAnew(tx: Transaction, secrets: Secrets): Promise<number> {
  await tx.run`delete from password_resets where used_at is null`
  const open = await tx.many<{ id: string; sendCount: number }>`
    select id, send_count from invitations where status not in ('accepted', 'revoked') order by id`
  const hashes = open.map((invitation) => tokenHash(setUpToken(secrets, invitation)).toString('hex'))
  await tx.run`
    update invitations i set token_hash = decode(v.hash, 'hex')
    from unnest(${open.map(({ id }) => id)}::uuid[], ${hashes}::text[]) v (id, hash) where i.id = v.id`
  return open.length
}
