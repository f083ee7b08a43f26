import { system } from '../../platform/author.ts'
import { newId } from '../../platform/database/ids.ts'
import { type Database, type Queryable, type Transaction, transaction } from '../../platform/database/pool.ts'
import { tokenHash } from '../../platform/database/secrets.ts'
import { recordActivity } from '../../platform/events/emit-event.ts'
import type { Install } from '../../platform/services.ts'
import { insertInvitation } from './invitation-queries.ts'
import { setUpToken, setUpUrl } from './invitations.ts'
import { insertResetLink } from './link-requests.ts'
import { hashPassword } from './passwords.ts'
import { ADMINISTRATOR_LOCK } from './set-password.ts'
import { canSignIn, findOrMakeUser, grantAdministration, verifyUser } from './users.ts'

const VALID_FOR = 7 * 86_400_000

/**
 * A person whose mailbox is verified or who was given a password is an administrator at once; others become one through
 * a link. `unproven`: they have a password, but the mailbox was never verified, so it may be another person's; they get
 * a link to set a new password and become an administrator like the first.
 */
export type MadeAdministrator =
  | { outcome: 'already' | 'granted' | 'has-password' | 'made'; userId: string }
  | { outcome: 'invited' | 'unproven'; userId: string; url: string }

/**
 * Makes the person with this e-mail an administrator, for an operator: by the given password, or by a one-time link
 * that replaces earlier ones. An existing password never changes: `has-password` if they have one and another was
 * given.
 */
export async function makeAdministrator(
  db: Database,
  install: Install,
  email: string,
  password: string | null,
): Promise<MadeAdministrator> {
  const passwordHash = password && (await hashPassword(install.config, password))
  return transaction(db, async (tx) => {
    await tx.run`select pg_advisory_xact_lock(${ADMINISTRATOR_LOCK})`
    const userId = await findOrMakeUser(tx, email)
    const { hasPassword, isAdministrator, isProven } = await standingOf(tx, userId)
    if (hasPassword && passwordHash) return { outcome: 'has-password', userId }
    if (hasPassword && isAdministrator) return { outcome: 'already', userId }
    if (hasPassword && !isProven)
      return { outcome: 'unproven', userId, url: await insertResetLink(tx, install, userId) }
    if (!hasPassword && !passwordHash)
      return { outcome: 'invited', userId, url: await inviteAdministrator(tx, install, userId, email) }
    if (passwordHash) await setFirstPassword(tx, userId, passwordHash)
    await grantAdministration(tx, system, userId)
    return { outcome: passwordHash ? 'made' : 'granted', userId }
  })
}

export type Administrator = { email: string; since: string; lastSignIn: string | null; state: 'active' | 'invited' }

/** The administrators of this install and those with an open invitation, the first one first. */
export const listAdministrators = (db: Queryable) => db.many<Administrator>`
  select u.email, r.created_at as since, max(s.created_at) as last_sign_in, 'active' as state
  from user_roles r join users u on u.id = r.user_id left join sessions s on s.user_id = u.id
  where r.type = 'admin' group by u.id, r.created_at
  union all
  select email, created_at, null, 'invited' from invitations i
  where kind = 'administrator' and email is not null and status not in ('accepted', 'revoked') and expires_at > ${db.now}
    and not exists (select from user_roles r where r.user_id = i.user_id and r.type = 'admin')
  order by state, since, email`

/**
 * Removes the role from the person with this e-mail, effective with their next request, and revokes their invitation.
 * Null if they have neither; refuses the last administrator who can sign in.
 */
export const removeAdministrator = (db: Database, email: string): Promise<'removed' | 'last' | null> =>
  transaction(db, async (tx) => {
    await tx.run`select pg_advisory_xact_lock(${ADMINISTRATOR_LOCK})`
    const user = await tx.maybe<{ id: string }>`select id from users where email = ${email}`
    if (!user) return null
    const { remain } = await tx.one<{ remain: boolean }>`
      select exists (select from user_roles r join users u on u.id = r.user_id
        where r.type = 'admin' and ${canSignIn} and u.id <> ${user.id}) as remain`
    const uninvited = await revokeInvitationsOf(tx, user.id)
    const removed = await tx.run`delete from user_roles where user_id = ${user.id} and type = 'admin' and ${remain}`
    if (removed > 0) {
      const changes = { role: { old: 'admin', new: null } }
      await recordActivity(tx, system, null, 'role.removed', { id: user.id, changes })
      return 'removed'
    }
    const isLast = await tx.maybe`select from user_roles where user_id = ${user.id} and type = 'admin'`
    if (isLast) return 'last'
    return uninvited > 0 ? 'removed' : null
  })

const revokeInvitationsOf = (tx: Transaction, userId: string) => tx.run`
  update invitations set status = 'revoked', updated_at = ${tx.now}
  where kind = 'administrator' and user_id = ${userId} and status not in ('accepted', 'revoked')`

const standingOf = (tx: Transaction, userId: string) =>
  tx.one<{ hasPassword: boolean; isAdministrator: boolean; isProven: boolean }>`
    select password_hash is not null as has_password, verified_at is not null as is_proven,
      exists (select from user_roles r where r.user_id = u.id and r.type = 'admin') as is_administrator
    from users u where id = ${userId} for no key update`

async function setFirstPassword(tx: Transaction, userId: string, hash: string) {
  await tx.run`update users set password_hash = ${hash}, updated_at = ${tx.now} where id = ${userId}`
  await verifyUser(tx, userId)
  await recordActivity(tx, system, null, 'password.set-up', { id: userId })
}

async function inviteAdministrator(tx: Transaction, install: Install, userId: string, email: string) {
  await revokeInvitationsOf(tx, userId)
  const invitation = { id: newId(), sendCount: 1 }
  const nowhere = { accountId: null, partnerId: null, firstName: null, lastName: null, invitedBy: null }
  await insertInvitation(
    tx,
    { ...nowhere, id: invitation.id, kind: 'administrator', email, userId, shareable: false },
    tokenHash(setUpToken(install.secrets, invitation)),
    new Date(tx.now.getTime() + VALID_FOR),
  )
  await recordActivity(tx, system, null, 'administrator.invited', { id: userId })
  return setUpUrl(install, invitation)
}
