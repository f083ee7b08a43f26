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

/** The last day on which a form counts; null for one that does not expire. */
export const getExpiry = ({ kind, receivedOn }: TaxForm) =>
  kind === 'w-9' ? null : `${Number(receivedOn.slice(0, 4)) + W8_YEARS}-12-31`

/** Classifications of line 3a of the W-9. */
export const taxClassifications = [
  'individual',
  'c-corporation',
  's-corporation',
  'partnership',
  'trust-estate',
  'llc-c',
  'llc-s',
  'llc-p',
  'other',
] as const
export type TaxClassification = (typeof taxClassifications)[number]

/** Payments to these are not reported on a 1099-NEC. */
export const corporations: readonly TaxClassification[] = ['c-corporation', 's-corporation', 'llc-c', 'llc-s']

/** Numbers of taxpayers: on a W-9 an SSN or EIN, on a W-8BEN one of the United States or of another country. */
export const tinTypes = ['ssn', 'ein', 'us', 'foreign', 'not-required'] as const
export type TinType = (typeof tinTypes)[number]

/**
 * Returns whether this can be a number of that type, in digits alone but for a foreign one. No number repeats one digit,
 * and no SSN begins with 000, 666 or 9, which begins an ITIN.
 */
export function mayBeTin(type: TinType, tin: string | null): boolean {
  if (type === 'not-required') return tin === null
  if (tin === null) return false
  if (type === 'foreign') return /^[\p{L}\p{N} ./-]{1,40}$/u.test(tin) && signsOf(tin).length >= 4
  if (!/^\d{9}$/.test(tin) || /^(.)\1+$/.test(tin)) return false
  if (type === 'ein') return true
  return !/^(?:000|666)/.test(tin) && (type === 'us' || !tin.startsWith('9'))
}

const signsOf = (tin: string) => tin.replace(/[^\p{L}\p{N}]/gu, '')

/** Returns the last characters of a number that may be shown: four, but never more than half of it. */
export function endOfTin(tin: string | null): string | null {
  const signs = signsOf(tin ?? '')
  return signs === '' ? null : signs.slice(-Math.min(4, Math.floor(signs.length / 2)))
}

/** Maximum returns of one file for the IRS. */
export const MOST_RETURNS = 100

/** Maximum partners approved by one call. */
export const MOST_APPROVED_FOR_YEAR = 1000
