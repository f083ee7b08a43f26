import { randomBytes } from 'node:crypto'
import type { Queryable, Transaction } from '../../../platform/database/pool.ts'
import { tokenHash } from '../../../platform/database/secrets.ts'

const CODES = 10
/** Crockford's base32: no I, L, O and U. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const LENGTH = 16

/** A code of 80 random bits, in groups of four. */
function newCode() {
  const letters = [...randomBytes(LENGTH)].map((byte) => ALPHABET[byte % ALPHABET.length]).join('')
  return letters.replace(/(.{4})(?=.)/g, '$1-')
}

/** A typed code as it is stored: spaces, hyphens and case do not count, nor letters that Crockford reads as digits. */
export const normalizeCode = (typed: string) =>
  typed.replaceAll(/[\s-]/g, '').toUpperCase().replaceAll('O', '0').replaceAll(/[IL]/g, '1')

const hashOf = (code: string) => tokenHash(normalizeCode(code))

/** Replaces the person's recovery codes. Returns the new ones, which are not shown again. */
export async function renewCodes(tx: Transaction, userId: string): Promise<string[]> {
  const codes = Array.from({ length: CODES }, newCode)
  await tx.run`
    insert into totp_and_codes as t (user_id, recovery_codes)
    select ${userId}, array_agg(decode(hash, 'hex'))
    from unnest(${codes.map((code) => hashOf(code).toString('hex'))}::text[]) hash
    on conflict (user_id) do update set recovery_codes = excluded.recovery_codes`
  return codes
}

export const dropCodes = (tx: Transaction, userId: string) => tx.run`
  update totp_and_codes set recovery_codes = '{}' where user_id = ${userId}`

/** Uses up a recovery code. Returns how many are left; undefined for a wrong or used one. */
export async function spendRecoveryCode(db: Queryable, userId: string, typed: string): Promise<number | undefined> {
  const hash = hashOf(typed)
  const used = await db.maybe<{ left: number }>`
    update totp_and_codes set recovery_codes = array_remove(recovery_codes, ${hash}::bytea)
    where user_id = ${userId} and ${hash}::bytea = any(recovery_codes)
    returning cardinality(recovery_codes) as left`
  return used?.left
}
