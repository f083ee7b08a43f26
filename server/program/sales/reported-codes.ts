import type { Queryable } from '../../platform/database/pool.ts'
import { paidAt } from '../leads/payment-time.ts'
import { findPartnersByPromotionCodes } from '../partner-directory/find-partner.ts'

/** Promotion codes as reported; a text of more than 100 characters is none. */
type Told = readonly (string | null | undefined)[]

const trimmed = (told: Told) =>
  told.map((code) => code?.trim() ?? '').filter((code) => code !== '' && code.length <= 100)

/** Returns promotion codes as a sale stores them: each once, in capitals, at most 20. */
export const codesOf = (told: Told): string[] =>
  [...new Set(trimmed(told).map((code) => code.toUpperCase()))].slice(0, 20)

/** Whether any of these promotion codes is some partner's now. */
export async function isPartnersCode(db: Queryable, accountId: string, told: Told): Promise<boolean> {
  const codes = trimmed(told)
  return codes.length > 0 && (await findPartnersByPromotionCodes(db, accountId, codes, paidAt(db.now))).length > 0
}
