import { MOST_OF_CODE, plainCode } from '#contract/values.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import { type ClickFacts, clickById, ownersOfClickedCodes } from './queries.ts'

export type { ClickFacts } from './queries.ts'

/**
 * Returns the partner whom a click credits for an event at `at`. Undefined for an unknown, malformed or another
 * account's id, and for a bot's. A partner suspended since keeps the credit of their earlier clicks.
 */
export const resolveClick = (
  db: Queryable,
  accountId: string,
  clickId: string,
  at: Date | string,
): Promise<ClickFacts | undefined> => clickById(db, accountId, clickId, at)

export type CreditedPartner = {
  partnerId: string
  /** The current code, even if a former one was given. */
  code: string
}

/**
 * Returns the partner who currently earns by a code, in any letter case; null if it is unknown or they are suspended or
 * archived.
 */
export async function partnerByCode(db: Queryable, accountId: string, given: string): Promise<CreditedPartner | null> {
  const code = plainCode(given)
  if (!isCode(code)) return null
  const [owner] = await ownersOfClickedCodes(db, [{ accountId, code }])
  return owner?.creditable ? { partnerId: owner.partnerId, code: owner.code } : null
}

/** Whether a text can be a code at all, also one of another program. */
export const isCode = (text: string) => CODE.test(text)
const CODE = new RegExp(`^[^\\p{C}]{1,${MOST_OF_CODE}}$`, 'u')
