import { system } from '../../platform/by.ts'
import { newId } from '../../platform/database/ids.ts'
import { type Queryable, transaction } from '../../platform/database/pool.ts'
import { tokenHash } from '../../platform/database/secrets.ts'
import type { Services } from '../../platform/services.ts'
import { insertInvitation } from './invitation-queries.ts'
import { setUpToken, setUpUrl } from './invitations.ts'
import { hashPassword } from './passwords.ts'
import { ADMINISTRATOR_LOCK } from './set-password.ts'
import { findOrMakeUser, grantRole, verifyUser } from './users.ts'

const VALID_FOR = 7 * 86_400_000

/**
 * Before the first sign-in: makes the administrator of ADMIN_EMAIL and ADMIN_PASSWORD, or answers a one-time link by
 * which somebody sets one up. Null once there is an administrator. Every start answers a new link; earlier ones die.
 */
export async function prepareFirstAdministrator(services: Services): Promise<string | null> {
  const { db, config } = services
  if (await hasAdministrator(db)) return null
  const { firstAdministrator } = config
  const passwordHash = firstAdministrator && (await hashPassword(config, firstAdministrator.password))
  return transaction(db, async (tx) => {
    // several processes may start at once
    await tx.run`select pg_advisory_xact_lock(${ADMINISTRATOR_LOCK})`
    if (await hasAdministrator(tx)) return null
    await tx.run`
      update invitations set status = 'revoked', updated_at = ${tx.now}
      where kind = 'administrator' and email is null and status not in ('accepted', 'revoked')`
    if (firstAdministrator) {
      const userId = await findOrMakeUser(tx, firstAdministrator.email)
      await tx.run`update users set password_hash = coalesce(password_hash, ${passwordHash}) where id = ${userId}`
      await verifyUser(tx, userId)
      await grantRole(tx, system, userId, { type: 'admin', accountId: null, partnerId: null })
      return null
    }
    const id = newId()
    const nobody = { accountId: null, partnerId: null, email: null, userId: null, firstName: null, lastName: null }
    await insertInvitation(
      tx,
      { id, kind: 'administrator', ...nobody, invitedBy: null, shareable: false },
      tokenHash(setUpToken(services.secrets, { id, sendCount: 1 })),
      new Date(tx.now.getTime() + VALID_FOR),
    )
    return setUpUrl(services, { id, sendCount: 1 })
  })
}

const hasAdministrator = async (db: Queryable) =>
  (await db.one<{ found: boolean }>`select exists (select from user_roles where type = 'admin') as found`).found
