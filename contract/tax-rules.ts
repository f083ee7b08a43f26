import type { TaxForm } from './partners.ts'

/** The first calendar year there is a report of; the last one is next year. */
export const FIRST_TAX_YEAR = 2000

/** From how much a year on a payer in the United States files a 1099-NEC, in minor units; in other currencies nothing is said. */
export function legalThreshold(currency: string, year: number): number | null {
  if (currency !== 'usd') return null
  return year <= 2025 ? 600_00 : 2000_00
}

/** A W-8 form counts to the end of the third calendar year after the one it was received in; a W-9 has no end. */
export const W8_YEARS = 3

/** Whether a form that was received then no longer counts for what is paid in that year. */
export const isExpired = ({ kind, receivedOn }: TaxForm, year: number) =>
  kind !== 'w-9' && Number(receivedOn.slice(0, 4)) + W8_YEARS < year

/** Partners approved by one call. */
export const MOST_APPROVED_FOR_YEAR = 1000
