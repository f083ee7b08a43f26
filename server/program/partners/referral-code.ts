import { randomInt } from 'node:crypto'
import { codeFromName, reservedReferralCodes } from '#contract/partners.ts'
import type { Queryable, Transaction } from '../../platform/database/pool.ts'
import { refusal } from '../../platform/refusal.ts'
import { fullName } from '../partner-directory/partner-names.ts'
import { deleteCodes, insertCodes, ownersOfCodes } from './queries.ts'

/**
 * Suggests a free code from the name: `ada-lovelace`, with a number if that is taken. Never from the e-mail, which a
 * code in a link would reveal to everyone.
 */
export async function suggestCode(
  db: Queryable,
  accountId: string,
  name: { firstName: string | null; lastName: string | null },
): Promise<string> {
  const base = baseFrom(fullName(name))
  for (let digits = 10_000; ; digits *= 10) {
    const numbers = [2, 3, 4, 5, 6, 7, 8, 9, ...Array.from({ length: 8 }, () => randomInt(10, digits))]
    const candidates = [base, ...numbers.map((number) => `${base}-${number}`)]
    const taken = new Set((await ownersOfCodes(db, accountId, candidates)).map(({ code }) => code))
    const free = candidates.find((code) => !taken.has(code) && !reservedReferralCodes.includes(code))
    if (free) return free
  }
}

const SHORTEST_CODE = 3

function baseFrom(name: string) {
  const code = codeFromName(name)
  return code.length >= SHORTEST_CODE ? code : 'partner'
}

/**
 * Assigns the code to the partner; an own earlier one may be reused. Refuses: `duplicate` for another's, aliases
 * included.
 */
export async function assignReferralCode(tx: Transaction, accountId: string, partnerId: string, code: string) {
  await insertCodes(tx, accountId, partnerId, [code])
  const [owner] = await ownersOfCodes(tx, accountId, [code])
  if (owner?.partnerId !== partnerId)
    throw refusal('referral_code_taken', {
      fields: { referralCode: 'This code is taken' },
      details: { field: 'referralCode' },
    })
}

/** Inserts and deletes earlier codes of the partner. Refuses: `duplicate` for another partner's. */
export async function changeEarlierCodes(
  tx: Transaction,
  accountId: string,
  partnerId: string,
  { added, removed }: { added: string[]; removed: string[] },
) {
  await insertCodes(tx, accountId, partnerId, added)
  const taken = (await ownersOfCodes(tx, accountId, added)).find((owner) => owner.partnerId !== partnerId)
  if (taken)
    throw refusal('referral_code_taken', {
      fields: { earlierCodes: `Another partner has the code ${taken.code}` },
      details: { field: 'earlierCodes', code: taken.code },
    })
  if (removed.length > 0) await deleteCodes(tx, accountId, partnerId, removed)
}
