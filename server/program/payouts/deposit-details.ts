import type { DepositInfo } from '#contract/payouts.ts'
import type { Secrets } from '../../platform/database/secrets.ts'

/** The place a partner's details are sealed for: the ciphertext opens nowhere else. */
export const settingsPlace = (partnerId: string, accountId: string) =>
  `payout_settings|details_sealed|${partnerId}|${accountId}`
/** The copy that an approval fixes. */
export const payoutDetailsPlace = (payoutId: string, accountId: string) =>
  `payouts|details_sealed|${payoutId}|${accountId}`

/** Null where they do not open: they were sealed with another key, or changed outside the product. */
export function openDetails(secrets: Secrets, sealed: Buffer, place: string): DepositInfo | null {
  try {
    return JSON.parse(secrets.open(sealed, place))
  } catch {
    return null
  }
}
