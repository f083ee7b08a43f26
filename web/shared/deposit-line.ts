import type { MaskedDetails } from '#contract/payout-settings.ts'
import type { PayoutDestination } from '#contract/payouts.ts'
import { formatCountry } from '../format.ts'
import { settingsWords } from '../words/settings.ts'

/** Names masked payout details in a line: 'Checking •••••6789'. */
export function depositLine(details: MaskedDetails): string {
  if (!('kind' in details)) return `${settingsWords.deposit[details.accountType]} ${details.accountNumber}`
  const words = settingsWords.deposit.kinds
  if (details.kind === 'iban') return `${words.iban} ${details.iban}`
  if (details.kind === 'paypal') return `${words.paypal} ${details.email}`
  const place = settingsWords.deposit.destination.bankIn({ country: formatCountry(details.country) })
  return details.number === null ? place : `${place} ${details.number}`
}

/** Describes a payout's destination: 'Bank account in Germany •••••3000'. */
export function destinationLine({ kind, country, hint }: PayoutDestination): string {
  const { destination } = settingsWords.deposit
  if (kind === 'paypal') return [settingsWords.deposit.kinds.paypal, hint].filter(Boolean).join(' ')
  const place = country === null ? destination.bank : destination.bankIn({ country: formatCountry(country) })
  return hint === null ? place : `${place} •••••${hint}`
}
