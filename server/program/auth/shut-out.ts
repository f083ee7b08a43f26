import type { Author } from '../../platform/author.ts'
import type { Transaction } from '../../platform/database/pool.ts'
import { endSessions } from './sessions.ts'
import { deleteTokens } from './user-tokens.ts'
import { isVerified, lockUser } from './users.ts'

/**
 * Removes the password, names, second factors, sessions and access tokens of a user whose mailbox is verified only now:
 * another person may have set them up. Does nothing for a verified user.
 */
export async function shutOutUnverified(tx: Transaction, by: Author, userId: string): Promise<void> {
  await lockUser(tx, userId)
  if (await isVerified(tx, userId)) return
  await tx.run`
    update users set password_hash = null, first_name = null, last_name = null, updated_at = ${tx.now}
    where id = ${userId}`
  await tx.run`delete from passkeys where user_id = ${userId}`
  await tx.run`delete from totp_and_codes where user_id = ${userId}`
  await endSessions(tx, userId)
  await deleteTokens(tx, by, userId)
}
