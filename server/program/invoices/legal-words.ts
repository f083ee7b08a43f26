import type { Invoice } from '#contract/invoices.ts'
import { withLanguage } from '#contract/language.ts'
import { invoiceWords } from '#contract/statement.ts'
import { listTerritory } from '../invoicing/vat-ids.ts'

/** The words by which the law of a country knows an invoice that its recipient issues, by the seller's country. */
const OF_COUNTRY: Record<string, readonly string[]> = {
  AT: ['Gutschrift'],
  BE: ['Autofacturation', 'Factuur uitgereikt door afnemer'],
  DE: ['Gutschrift'],
  FR: ['Autofacturation'],
  NL: ['Factuur uitgereikt door afnemer'],
}

/** Returns the words that the law of the seller's country asks for beside the English ones. */
const countryWords = (country: string): readonly string[] => OF_COUNTRY[listTerritory(country)[0]] ?? []

/** Returns the words that a document of this kind must contain: in English, and in the seller's country's languages. */
export const legalWords = (kind: Invoice['kind'], country: string): readonly string[] => [
  withLanguage('en', () => invoiceWords[kind]),
  ...countryWords(country),
]
