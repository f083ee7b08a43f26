import type { MaskedDetails } from '#contract/payout-settings.ts'
import { formatCountry } from '../../format.ts'
import type { Fact } from '../../ui/Facts.tsx'
import { fieldWords } from '../../words/fields.ts'
import { payoutDetailsWords as words } from '../../words/payout-details.ts'
import { settingsWords } from '../../words/settings.ts'

type Elsewhere = Exclude<MaskedDetails, { routingNumber: string }>

/** Returns what is shown of saved details that are no bank account in the United States. */
export function factsElsewhere(details: Elsewhere): Fact[] {
  switch (details.kind) {
    case 'iban': {
      const { legalType, name, iban, bic, address } = details
      return [
        { label: settingsWords.deposit.legalType, value: settingsWords.deposit[legalType] },
        { label: settingsWords.deposit.name, value: name },
        { label: words.iban, value: <code>{iban}</code> },
        ...(bic ? [{ label: words.bic, value: <code>{bic}</code> }] : []),
        {
          label: fieldWords.address,
          value: `${address.addressLine}, ${address.zipCode} ${address.city}, ${formatCountry(address.country)}`,
        },
      ]
    }
    case 'local-bank': {
      const { country, currency, fields } = details
      const number = numbered.map((name) => fields[name]).find(Boolean)
      return [
        { label: words.country, value: formatCountry(country) },
        { label: words.currency, value: currency.toUpperCase() },
        ...(number ? [{ label: settingsWords.deposit.accountNumber, value: <code>{number}</code> }] : []),
      ]
    }
    default:
      return [{ label: words.paypalEmail, value: details.email }]
  }
}

/** Names of fields that number an account. */
const numbered = ['accountNumber', 'IBAN', 'iban', 'clabe', 'bban', 'cardNumber', 'bankgiroNumber']
