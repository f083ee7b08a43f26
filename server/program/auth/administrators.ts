import { system } from '../../platform/by.ts'
import { newId } from '../../platform/database/ids.ts'
import { type Database, type Transaction, transaction } from '../../platform/database/pool.ts'
import { tokenHash } from '../../platform/database/secrets.ts'
import { recorded } from '../../platform/events/happened.ts'
import type { Install } from '../../platform/services.ts'
import { insertInvitation } from './invitation-queries.ts'
import { setUpToken, setUpUrl } from './invitations.ts'
import { hashPassword } from './passwords.ts'
import { ADMINISTRATOR_LOCK } from './set-password.ts'
import { findOrMakeUser, grantRole, verifyUser } from './users.ts'

const VALID_FOR = 7 * 86_400_000

/** What came of it: who had a password is one at once, and so is who was given one; the others by a link. */
export type MadeAdministrator =
  | { outcome: 'already' | 'granted' | 'has-password' | 'made'; userId: string }
  | { outcome: 'invited'; userId: string; url: string }

/**
 * Makes whoever has this e-mail an administrator, for an operator: by the password given, or by a one-time link that
 * replaces earlier ones. Nobody's password is changed: `has-password` is who has one and was given another.
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
    const { hasPassword, isAdministrator } = await standingOf(tx, userId)
    if (hasPassword && passwordHash) return { outcome: 'has-password', userId }
    if (hasPassword && isAdministrator) return { outcome: 'already', userId }
    if (!hasPassword && !passwordHash)
      return { outcome: 'invited', userId, url: await inviteAdministrator(tx, install, userId, email) }
    if (passwordHash) await setFirstPassword(tx, userId, passwordHash)
    await grantRole(tx, system, userId, { type: 'admin', accountId: null, partnerId: null })
    return { outcome: passwordHash ? 'made' : 'granted', userId }
  })
}

const standingOf = (tx: Transaction, userId: string) =>
  tx.one<{ hasPassword: boolean; isAdministrator: boolean }>`
    select password_hash is not null as has_password,
      exists (select from user_roles r where r.user_id = u.id and r.type = 'admin') as is_administrator
    from users u where id = ${userId} for no key update`

async function setFirstPassword(tx: Transaction, userId: string, hash: string) {
  await tx.run`update users set password_hash = ${hash}, updated_at = ${tx.now} where id = ${userId}`
  await verifyUser(tx, userId)
  await recorded(tx, system, null, 'password.set-up', { id: userId })
}

async function inviteAdministrator(tx: Transaction, install: Install, userId: string, email: string) {
  await tx.run`
    update invitations set status = 'revoked', updated_at = ${tx.now}
    where kind = 'administrator' and user_id = ${userId} and status not in ('accepted', 'revoked')`
  const invitation = { id: newId(), sendCount: 1 }
  const nowhere = { accountId: null, partnerId: null, firstName: null, lastName: null, invitedBy: null }
  await insertInvitation(
    tx,
    { ...nowhere, id: invitation.id, kind: 'administrator', email, userId, shareable: false },
    tokenHash(setUpToken(install.secrets, invitation)),
    new Date(tx.now.getTime() + VALID_FOR),
  )
  await recorded(tx, system, null, 'administrator.invited', { id: userId })
  return setUpUrl(install, invitation)
}
