import type { DepositInfo } from '#contract/payout-settings.ts'
import type { Secrets } from '../../platform/database/secrets.ts'

/** Sealing context of a partner's details: the ciphertext cannot be opened elsewhere. */
export const settingsPlace = (partnerId: string, accountId: string) =>
  `payout_settings|details_sealed|${partnerId}|${accountId}`
/** Sealing context of the copy that an approval fixes. */
export const payoutDetailsPlace = (payoutId: string, accountId: string) =>
  `payouts|details_sealed|${payoutId}|${accountId}`

/**
 * Returns null if they cannot be opened: sealed with another key, or changed outside the product. Records of payments to
 * an erased partner may be a name alone.
 */
export function openDetails(secrets: Secrets, sealed: Buffer, place: string): DepositInfo | null {
  try {
    return JSON.parse(secrets.open(sealed, place))
  } catch {
    return null
  }
}
