import type { LocalBankDetails } from '#contract/payout-details.ts'
import type { MaskedDetails, PayoutDetails } from '#contract/payout-settings.ts'
import type { Secrets } from '../../platform/database/secrets.ts'
import { maskedEmail } from '../partner-directory/partner-names.ts'
import type { ShownDetails } from './payout-entries.ts'

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
export function openDetails(secrets: Secrets, sealed: Buffer, place: string): PayoutDetails | null {
  try {
    return JSON.parse(secrets.open(sealed, place))
  } catch {
    return null
  }
}

/** Returns what may be read of details without a key. */
export function toShownDetails(details: PayoutDetails): ShownDetails {
  switch (details.kind) {
    case 'iban':
      return { kind: 'iban', country: details.iban.slice(0, 2), currency: 'eur', hint: last4(details.iban) }
    case 'local-bank':
      return {
        kind: 'local-bank',
        country: details.country,
        currency: details.currency,
        hint: last4(numberIn(details)),
      }
    case 'paypal':
      return { kind: 'paypal', country: null, currency: 'usd', hint: maskedEmail(details.email) }
    default:
      // of an erased partner, there may be a name alone
      return { kind: 'us-bank', country: 'US', currency: 'usd', hint: last4(details.accountNumber) }
  }
}

/** Fields with an account's number, the most specific first. */
const numbered = ['accountNumber', 'IBAN', 'iban', 'clabe', 'bban', 'cardNumber', 'bankgiroNumber']

const numberIn = ({ fields }: LocalBankDetails) => numbered.map((name) => fields[name]).find(Boolean) ?? ''

const last4 = (number: string | undefined) => number?.slice(-4) || null

/** The hint of details in words: digits after five dots, an e-mail as it is. */
export const hintInWords = (hint: string) => (hint.includes('@') ? hint : maskedNumber(hint))

export const maskedNumber = (number: string | null) => `•••••${number?.slice(-4) ?? ''}`

/** Details as they are shown: the full numbers never leave the server. */
export function maskedDetails(details: PayoutDetails): MaskedDetails {
  switch (details.kind) {
    case 'iban':
      return { ...details, iban: maskedNumber(details.iban) }
    case 'local-bank': {
      // what a field of theirs means is unknown here, and few are needed to recognize an account
      const fields = Object.entries(details.fields).map(([name, value]) => [name, maskedNumber(value)])
      const number = numberIn(details)
      return { ...details, number: number ? maskedNumber(number) : null, fields: Object.fromEntries(fields) }
    }
    case 'paypal':
      return { ...details, email: maskedEmail(details.email) }
    default: {
      const { kind: _, routingNumber, accountNumber, ...shown } = details
      return { ...shown, routingNumber: maskedNumber(routingNumber), accountNumber: maskedNumber(accountNumber) }
    }
  }
}
