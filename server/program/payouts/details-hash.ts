import { kindOf, type PayoutDetails } from '#contract/payout-settings.ts'
import type { Secrets } from '../../platform/database/secrets.ts'

/** Returns a hash that is equal for the same bank account or address within an account, and reveals nothing else. */
export const detailsHash = (secrets: Secrets, accountId: string, details: PayoutDetails): Buffer =>
  Buffer.from(secrets.derive('payout-details', `${accountId}.${kindOf(details)}.${numbersOf(details)}`), 'base64url')

const plain = (text: string) => text.replace(/[\s-]/g, '').toLowerCase()

function numbersOf(details: PayoutDetails): string {
  switch (details.kind) {
    case 'iban':
      return plain(details.iban)
    case 'paypal':
      return plain(details.email)
    case 'local-bank': {
      const fields = Object.entries(details.fields).sort(([a], [b]) => (a < b ? -1 : 1))
      return `${details.country}.${fields.map(([name, value]) => `${name}=${plain(value)}`).join('&')}`
    }
    default:
      return `${plain(details.routingNumber)}.${plain(details.accountNumber)}`
  }
}
