import type { TaxForm } from './partners.ts'

/** First calendar year with a report; the last one is next year. */
export const FIRST_TAX_YEAR = 2000

/**
 * Returns the yearly amount from which a payer in the United States files a 1099-NEC, in minor units; null for other
 * currencies.
 */
export function legalThreshold(currency: string, year: number): number | null {
  if (currency !== 'usd') return null
  return year <= 2025 ? 600_00 : 2000_00
}

/** Calendar years a W-8 form stays valid after the one it was received in; a W-9 does not expire. */
export const W8_YEARS = 3

/** Returns whether a form has expired for payments made in that year. */
export const isExpired = ({ kind, receivedOn }: TaxForm, year: number) =>
  kind !== 'w-9' && Number(receivedOn.slice(0, 4)) + W8_YEARS < year

/** Maximum partners approved by one call. */
export const MOST_APPROVED_FOR_YEAR = 1000
