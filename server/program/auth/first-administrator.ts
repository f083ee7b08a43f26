import { system } from '../../platform/author.ts'
import { newId } from '../../platform/database/ids.ts'
import { type Queryable, transaction } from '../../platform/database/pool.ts'
import { tokenHash } from '../../platform/database/secrets.ts'
import type { Services } from '../../platform/services.ts'
import { insertInvitation } from './invitation-queries.ts'
import { setUpToken, setUpUrl } from './invitations.ts'
import { hashPassword } from './passwords.ts'
import { ADMINISTRATOR_LOCK, setPasswordByMail } from './set-password.ts'
import { shutOutUnverified } from './shut-out.ts'
import { findOrMakeUser, grantAdministration, isVerified } from './users.ts'

const VALID_FOR = 7 * 86_400_000

/**
 * Before the first sign-in: creates the administrator of ADMIN_EMAIL and ADMIN_PASSWORD, or returns a one-time link for
 * setting one up. Null once there is an administrator. Every start returns a new link; earlier ones stop working.
 */
export async function prepareFirstAdministrator(services: Services): Promise<string | null> {
  const { db, config, log } = services
  const { firstAdministrator } = config
  if (await hasAdministrator(db)) {
    if (firstAdministrator && !(await isAdministrator(db, firstAdministrator.email)))
      log.warn(
        'ADMIN_EMAIL is ignored: it is not the email of an administrator, and there is one already. npx tributary admin create makes another.',
      )
    return null
  }
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
      // an unverified password may have been set by another person than the mailbox's owner
      if (!(await isVerified(tx, userId))) {
        await shutOutUnverified(tx, system, userId)
        await setPasswordByMail(tx, userId, passwordHash!)
      }
      await grantAdministration(tx, system, userId)
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

const isAdministrator = (db: Queryable, email: string) => db.maybe`
  select from user_roles r join users u on u.id = r.user_id where r.type = 'admin' and u.email = ${email}`

const hasAdministrator = async (db: Queryable) =>
  (await db.one<{ found: boolean }>`select exists (select from user_roles where type = 'admin') as found`).found
