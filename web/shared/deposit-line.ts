import type { MaskedDetails } from '#contract/payout-settings.ts'
import { settingsWords } from '../words/settings.ts'

/** Names masked payout details in a line: 'Checking •••••6789'. */
export function depositLine(details: MaskedDetails): string {
  if (!('kind' in details)) return `${settingsWords.deposit[details.accountType]} ${details.accountNumber}`
  const words = settingsWords.deposit.kinds
  if (details.kind === 'iban') return `${words.iban} ${details.iban}`
  return details.kind === 'paypal' ? `${words.paypal} ${details.email}` : words['local-bank']
}
