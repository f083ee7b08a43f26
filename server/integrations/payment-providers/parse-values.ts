import { MOST_OF_REFERRAL } from '#contract/values.ts'
import { LANDING, NAMED_CODE, pairsIn } from '../../../embed/address.ts'

// Parsers for providers' data, which may contain anything.

export type ProviderJson = Record<string, unknown>

/** Parses an object; null if the text is none. */
export function parseJson(text: string): ProviderJson | null {
  try {
    const body = JSON.parse(text)
    return typeof body === 'object' && body !== null ? body : null
  } catch {
    return null
  }
}

export const parseObject = (value: unknown): ProviderJson =>
  typeof value === 'object' && value !== null ? (value as ProviderJson) : {}

/** Returns text that can be stored; a character that would be cut in half is left out. */
export const parseText = (value: unknown, max = 500): string | null =>
  typeof value === 'string'
    ? value
        .replaceAll('\u0000', '')
        .toWellFormed()
        .trim()
        .slice(0, max)
        .replace(/[\uD800-\uDBFF]$/, '') || null
    : null

export const parseInteger = (value: unknown): number =>
  typeof value === 'number' && Number.isSafeInteger(value) ? value : 0

const LAST_MOMENT = Date.parse('9999-12-31T23:59:59.999Z')

/** Returns the time at these milliseconds since 1970; null for one before, or after the year 9999. */
export const timeFromMillis = (ms: number): Date | null => (ms >= 0 && ms <= LAST_MOMENT ? new Date(ms) : null)

/** Parses a time in ISO 8601. */
export const parseTime = (value: unknown): Date | null =>
  typeof value === 'string' ? timeFromMillis(Date.parse(value)) : null

/** Returns milliseconds of the first of these times that is one. */
export const parseMillis = (otherwise: Date, ...values: unknown[]): number =>
  (values.map(parseTime).find((at) => at !== null) ?? otherwise).getTime()

export const parseEmail = (value: unknown) => parseText(value, 254)?.toLowerCase() ?? null

/** Returns the code in lower case, as used here. */
export const parseCurrency = (value: unknown) => (parseText(value) ?? '').toLowerCase()

/** Returns the code of a country in capitals; null for anything but two letters. */
export const parseCountry = (value: unknown): string | null =>
  typeof value === 'string' && /^[a-z]{2}$/i.test(value) ? value.toUpperCase() : null

/** Returns the texts among these values. */
export const parseTexts = (...values: unknown[]): string[] =>
  values.map((value) => parseText(value)).filter((value) => value !== null)

/** Joins the parts of a name. */
export const joinedName = (...parts: unknown[]): string | null => parseText(parseTexts(...parts).join(' '))

/** Returns promotion codes, or their ids, from any of a provider's fields. A longer text is not a code. */
export const parsePromotionCodes = (...given: unknown[]): string[] =>
  parseTexts(...given).filter((code) => code.length <= 100)

/**
 * Returns references that integrators put in a provider's free fields: a click id, a lead id or a referral code, or the
 * script's cookie or a whole link in their place. A number is said to be a code: elsewhere it is a customer's.
 */
export const parseReferences = (...passed: unknown[]): string[] =>
  passed.map(parseObject).flatMap((one) => {
    const code = parseReference(one.referral_code)
    const named = code && /^\d+$/.test(code) ? `${NAMED_CODE}${code}` : code
    return [one.click_id, one.lead_id, named].map(parseReference).filter((value) => value !== null)
  })

const parseReference = (value: unknown) => parseText(value, MOST_OF_REFERRAL)

/** Returns what the address at which a visit to a shop began may say of one of our links, which may have led there. */
export function parseLanding(page: unknown): string[] {
  const pairs = pairsIn(parseText(page, 2000) ?? '').filter(([, value]) => value.length <= 100 && !value.includes('@'))
  return pairs.length > 0 ? [`${LANDING}?${new URLSearchParams(pairs)}`] : []
}

/** Returns the objects of a list; nothing if it is none. */
export const parseObjects = (list: unknown): ProviderJson[] =>
  Array.isArray(list) ? list.filter((row) => typeof row === 'object' && row !== null) : []
