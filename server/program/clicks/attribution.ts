import { MOST_OF_CODE, plainCode } from '#contract/values.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import { type ClickFacts, type CodeOwner, clickById, clicksByIds, ownersOfClickedCodes } from './queries.ts'

export { type ClickFacts, clickFacts } from './queries.ts'

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

/** Returns the known ones of these clicks, as `resolveClick` does one. */
export const resolveClicks = (db: Queryable, accountId: string, clickIds: string[], at: Date): Promise<ClickFacts[]> =>
  clicksByIds(db, accountId, clickIds, at)

export type CreditedPartner = {
  partnerId: string
  /** The current code, even if a former one was given. */
  code: string
  /** The given code that credits them. */
  given: string
}

/**
 * Returns the partner who currently earns by the first of these codes that credits one, in any letter case; null if each
 * is unknown, or its partner suspended or archived.
 */
export async function partnerByCode(
  db: Queryable,
  accountId: string,
  ...codes: string[]
): Promise<CreditedPartner | null> {
  const [owner] = await ownersOfCodes(db, accountId, codes)
  return owner?.creditable ? { partnerId: owner.partnerId, code: owner.code, given: owner.given } : null
}

/** Returns the owners of those of these codes that are known: first those who earn, each in the order given. */
export async function ownersOfCodes(db: Queryable, accountId: string, codes: string[]): Promise<CodeOwner[]> {
  const wanted = [...new Set(codes.map(plainCode))].filter(isCode)
  if (wanted.length === 0) return []
  const owners = await ownersOfClickedCodes(
    db,
    wanted.map((code) => ({ accountId, code })),
  )
  const rank = ({ creditable, given }: CodeOwner) => (creditable ? 0 : wanted.length) + wanted.indexOf(given)
  return owners.sort((a, b) => rank(a) - rank(b))
}

/** Whether a text can be a code at all, also one of another program. */
export const isCode = (text: string) => CODE.test(text)
const CODE = new RegExp(`^[^\\p{C}]{1,${MOST_OF_CODE}}$`, 'u')
