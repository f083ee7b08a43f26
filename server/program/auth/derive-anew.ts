import type { Transaction } from '../../platform/database/pool.ts'
import { type Secrets, tokenHash } from '../../platform/database/secrets.ts'
import { setUpToken } from './invitations.ts'

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
