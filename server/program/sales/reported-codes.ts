import type { Queryable } from '../../platform/database/pool.ts'
import { paidAt } from '../leads/payment-time.ts'
import { findPartnersByCodes } from '../partner-directory/find-partner.ts'

/** Promotion codes as reported; a text of more than 100 characters is none. */
type ReportedCodes = readonly (string | null | undefined)[]

const trimmed = (reported: ReportedCodes) =>
  reported.map((code) => code?.trim() ?? '').filter((code) => code !== '' && code.length <= 100)

/** Returns promotion codes as a sale stores them: each once, in capitals, at most 20. */
export const toPromotionCodes = (reported: ReportedCodes): string[] =>
  [...new Set(trimmed(reported).map((code) => code.toUpperCase()))].slice(0, 20)

/** Whether any of these promotion codes is some partner's now. */
export async function isPartnersCode(db: Queryable, accountId: string, reported: ReportedCodes): Promise<boolean> {
  const codes = { referralCodes: [], promotionCodes: trimmed(reported) }
  return (await findPartnersByCodes(db, accountId, codes, paidAt(db.now))).byPromotionCode.length > 0
}
