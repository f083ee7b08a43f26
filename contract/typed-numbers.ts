import { inEachLanguage } from './language.ts'
import { minorDigits } from './money.ts'
import { MAX_AMOUNT } from './values.ts'

/**
 * Parses a typed amount into minor units of `currency`: '1,250.00', '1.250,00' and '$1250' are 125000 in usd. Null for
 * anything that could be two amounts to a reader of this language, or none: '1.250' in English.
 */
export function parseMoney(typed: string, currency: string): number | null {
  const amount = minorUnits(typed, currency)
  return Number.isSafeInteger(amount) ? amount : null
}

/** The characters of the longest amount with its groups and its currency's sign. */
const LONGEST = 100

/** Parses like `parseMoney`, but also amounts too large to be exact. */
function minorUnits(typed: string, currency: string): number | null {
  const digits = minorDigits(currency)
  // in some languages a mark of direction goes before a minus
  const bare = typed
    .replace(/\p{Cf}/gu, '')
    .trim()
    .replace(/[−–]/, '-')
  const unsigned = withoutName(bare, currency)
    .replace(/^([+-]?)\s*[A-Z]{0,2}\p{Sc}/u, '$1')
    .replace(/[A-Z]{0,2}\p{Sc}$/u, '')
  const [sign, number] = splitSign(unsigned)
  const parts = splitNumber(number, () => digits === 3)
  if (!parts) return null
  const [whole, decimals] = parts
  if (/[1-9]/.test(decimals.slice(digits))) return null
  const minor = Number(whole + decimals.slice(0, digits).padEnd(digits, '0'))
  return sign === '-' ? -minor : minor
}

/** Removes the code of a currency, or its sign where that is letters: 'CHF 12', '12 kr'. A last 'K' may be thousands. */
function withoutName(text: string, currency: string): string {
  const [, sign = '', rest = ''] = /^([+-]?)\s*(.*)$/s.exec(text) ?? []
  const name = [currency.toUpperCase(), currencySign(currency)].find(
    (one) => rest.startsWith(one) || (one.length > 1 && rest.endsWith(one)),
  )
  if (!name) return text
  return sign + (rest.startsWith(name) ? rest.slice(name.length) : rest.slice(0, -name.length))
}

function splitSign(text: string): readonly [sign: string, number: string] {
  const [sign = ''] = /^[+-]/.exec(text) ?? []
  return [sign, text.slice(sign.length).trim()]
}

/**
 * Splits a number without its sign into whole digits and decimals, null if it has none. Of a point and a comma, the last
 * is decimal. One alone before three digits groups them if this language groups so; else `isDecimal` decides.
 */
function splitNumber(
  number: string,
  isDecimal: (mark: string) => boolean,
): readonly [whole: string, decimals: string] | null {
  if (/^\d+$/.test(number)) return [number, '']
  if (number.length > LONGEST || !/^\d[\d.,'’\s]*\d$/.test(number)) return null
  const at = Math.max(number.lastIndexOf('.'), number.lastIndexOf(','))
  const [before, mark, after] = [number.slice(0, Math.max(at, 0)), number.charAt(at), number.slice(at + 1)]
  const isAlone = /^\d+$/.test(before)
  const isOpen = isAlone && couldGroup(before, after)
  const isGroup = at < 0 || before.includes(mark) || (isOpen && mark === signOf('group'))
  if (isOpen && !isGroup && !isDecimal(mark)) return null
  const [whole, decimals] = isGroup ? [number, ''] : [before, after]
  return isGrouped(whole) && /^\d*$/.test(decimals) ? [whole.replace(/\D/g, ''), decimals] : null
}

/** Returns whether a mark between these digits may group thousands: '1.250', not '0.250' nor '1.25'. */
const couldGroup = (before: string, after: string) => after.length === 3 && /^[1-9]\d{0,2}$/.test(before)

/**
 * Returns whether digits have no groups, or all their groups have one sign and three digits; before the last ones two
 * where this language groups so: '12,34,567' in Hindi.
 */
const isGrouped = (whole: string) =>
  /^\d+$/.test(whole) ||
  /^\d{1,3}([.,'’\s])\d{3}(\1\d{3})*$/.test(whole) ||
  (groupsByTwo() && /^\d{1,2}([.,'’\s])(\d{2}\1)+\d{3}$/.test(whole))

/** Typed numbers have Latin digits in every language. */
const usual = { useGrouping: 'always', numberingSystem: 'latn' } as const

const signs = inEachLanguage((tag) =>
  new Intl.NumberFormat(tag, usual).formatToParts(1234.5).map(({ type, value }) => [type, value]),
)

const groupsByTwo = inEachLanguage((tag) => new Intl.NumberFormat(tag, usual).formatToParts(12_345_678).length === 7)

/** Returns the sign with which the current language groups thousands, or begins decimals. */
const signOf = (wanted: 'group' | 'decimal') => signs().find(([type]) => type === wanted)?.[1]

/** Returns whether a text that is no amount was meant as one: '1.250', '12,345' or '1,2,3'. */
export const isMeantAsAmount = (typed: string) => /\d/.test(typed) && !/\p{L}/u.test(typed)

/** Returns the side on which an amount, in minor units or as typed, exceeds the limit accepted anywhere. */
export function beyondMost(value: unknown, currency: string): 'above' | 'below' | undefined {
  const amount = typeof value === 'string' ? minorUnits(value, currency) : value
  if (typeof amount !== 'number' || Math.abs(amount) <= MAX_AMOUNT) return undefined
  return amount > 0 ? 'above' : 'below'
}

const typedFormats = inEachLanguage((tag, currency) => {
  const digits = minorDigits(currency)
  return new Intl.NumberFormat(tag, {
    ...usual,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  })
})

/** Formats '1,250.00' from 125000 minor units of usd, as in a field: without the currency's sign. */
export const typedMoney = (amount: number, currency: string) =>
  typedFormats(currency).format(amount / 10 ** minorDigits(currency))

const currencySigns = inEachLanguage((tag, currency) => {
  const format = new Intl.NumberFormat(tag, { style: 'currency', currency, currencyDisplay: 'narrowSymbol' })
  return format.formatToParts(0).find(({ type }) => type === 'currency')?.value ?? currency.toUpperCase()
})

/** Returns the sign of a currency, '$', '€' or '¥', else its code. */
export const currencySign = (currency: string) => currencySigns(currency)

/** Digits that a number represents exactly. */
const EXACT_DIGITS = 15

/** Parses a typed number, '7.5', '7,5' or '1,000'; null for anything else, and for more digits than it could represent. */
export function parseNumber(typed: string): number | null {
  const [sign, number] = splitSign(typed.trim())
  const parts = splitNumber(number, (mark) => mark === signOf('decimal'))
  return parts && exactNumber(`${sign}${parts[0]}.${parts[1]}`)
}

/** Parses a typed rate in percent, '7.5' or '7,5'. It has no groups, so either sign is decimal. */
export function parseRate(typed: string): number | null {
  const text = typed.trim()
  return /^[+-]?\d+([.,]\d+)?$/.test(text) ? exactNumber(text.replace(',', '.')) : null
}

function exactNumber(plain: string) {
  const digits = plain.replace(/\D/g, '').replace(/^0+/, '')
  return digits.length <= EXACT_DIGITS ? Number(plain) : null
}

/** Returns `rate` percent of `amount` minor units, rounded half up. */
export const shareAtRate = (amount: number, rate: number) =>
  Math.floor((amount * Math.round(rate * 10_000)) / 1_000_000 + 0.5)
