import { minorDigits } from '#contract/money.ts'
import { MAX_AMOUNT } from '#contract/values.ts'

/**
 * Parses a typed amount into minor units of `currency`: 125000 from '1,250.00' or '$1250' in usd. Null for anything
 * that is not clearly an amount, so that '12,50' is never read as 1250, nor '1.250' as 1.25.
 */
export function parseMoney(typed: string, currency: string): number | null {
  const amount = minorUnits(typed, currency)
  return Number.isSafeInteger(amount) ? amount : null
}

/** Parses like `parseMoney`, but also amounts too large to be exact. */
function minorUnits(typed: string, currency: string): number | null {
  const text = typed.replace(/[\s\u00a0]/g, '').replace(/^([+-]?)\p{Sc}/u, '$1')
  const parts = /^([+-]?)(\d+|\d{1,3}(?:,\d{3})+)(?:\.(\d+))?$/.exec(text)
  if (!parts) return null
  const [, sign, whole = '', decimals = ''] = parts
  const digits = minorDigits(currency)
  if (hasPointedThousands(typed, currency)) return null
  if (decimals.replace(/0+$/, '').length > digits) return null
  const minor = Number(whole.replaceAll(',', '') + decimals.slice(0, digits).padEnd(digits, '0'))
  return sign === '-' ? -minor : minor
}

/** Returns whether a point may separate thousands, as in much of the world: '1.250', in a currency without thousandths. */
export const hasPointedThousands = (typed: string, currency: string) =>
  minorDigits(currency) !== 3 && /^[^\d.]*[1-9]\d{0,2}\.\d{3}\s*$/.test(typed)

/** Returns the side on which an amount, in minor units or as typed, exceeds the limit accepted anywhere. */
export function beyondMost(value: unknown, currency: string): 'above' | 'below' | undefined {
  const amount = typeof value === 'string' ? minorUnits(value, currency) : value
  if (typeof amount !== 'number' || Math.abs(amount) <= MAX_AMOUNT) return undefined
  return amount > 0 ? 'above' : 'below'
}

/** Formats '1,250.00' from 125000 minor units of usd, as in a field: without the currency's sign. */
export function typedMoney(amount: number, currency: string) {
  const digits = minorDigits(currency)
  const format = new Intl.NumberFormat('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits })
  return format.format(amount / 10 ** digits)
}

/** Returns the sign of a currency, '$', '€' or '¥', else its code. */
export function currencySign(currency: string) {
  const format = new Intl.NumberFormat('en-US', { style: 'currency', currency, currencyDisplay: 'narrowSymbol' })
  return format.formatToParts(0).find(({ type }) => type === 'currency')?.value ?? currency.toUpperCase()
}

/** Digits that a number represents exactly. */
const EXACT_DIGITS = 15

/** Parses a typed number, '7.5' or '1,000'; null for anything else, and for more digits than it could represent. */
export function parseNumber(typed: string): number | null {
  const text = typed.trim()
  if (!/^[+-]?(\d+|\d{1,3}(,\d{3})+)(\.\d+)?$/.test(text)) return null
  const plain = text.replaceAll(',', '')
  const digits = plain.replace(/[^\d]/g, '').replace(/^0+/, '')
  return digits.length <= EXACT_DIGITS ? Number(plain) : null
}

/** Returns `rate` percent of `amount` minor units, rounded half up. */
export const shareAtRate = (amount: number, rate: number) =>
  Math.floor((amount * Math.round(rate * 10_000)) / 1_000_000 + 0.5)
