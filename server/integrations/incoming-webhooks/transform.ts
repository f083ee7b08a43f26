import type { transforms } from '#contract/incoming-webhooks.ts'
import { minorDigits } from '#contract/money.ts'

export type Transform = (typeof transforms)[number]

/** Why a value cannot be read so, for whoever maps it. */
export class Unreadable extends Error {}

/** Text as a field takes it; a number where the transform makes one. `currency` decides how many digits `cents` moves. */
export function transformed(text: string, transform: Transform, currency: string): string | number {
  switch (transform) {
    case 'trim':
      return text.trim()
    case 'lowercase':
      return text.trim().toLowerCase()
    case 'number':
      return wholeNumber(text)
    case 'cents':
      return minorUnits(text, currency)
    case 'date':
      return dateOf(text)
    default:
      return text
  }
}

function wholeNumber(text: string) {
  const number = decimalOf(text)
  if (!/^-?\d+$/.test(number)) throw new Unreadable(`"${shown(text)}" is not a whole number.`)
  return Number(number)
}

/** `1,234.50` in a currency with two digits is 123450; more digits than it has are refused, not rounded. */
function minorUnits(text: string, currency: string) {
  const digits = minorDigits(currency)
  const [, whole, fraction = ''] = /^(-?\d+)(?:\.(\d+))?$/.exec(decimalOf(text)) ?? []
  const kept = fraction.replace(/0+$/, '')
  if (whole === undefined) throw new Unreadable(`"${shown(text)}" is not an amount.`)
  if (kept.length > digits) throw new Unreadable(`"${shown(text)}" has more decimals than ${currency.toUpperCase()}.`)
  return Number(`${whole}${kept.padEnd(digits, '0')}`)
}

/**
 * A number as people write it, with a point for its decimals: currency signs, spaces and thousands separators are left
 * out. One comma before three digits parts thousands, one point decimals. What could be either way, or neither, stays as it is.
 */
function decimalOf(text: string) {
  const bare = text.replace(/[\s\u00a0'’]/g, '').replace(/^[^\d.,+-]+|[^\d.,]+$/g, '')
  const [, sign, number] = /^([+-]?)[^\d.,]*([\d.,]+)$/.exec(bare) ?? []
  if (number === undefined) return text
  const minus = sign === '-' ? '-' : ''
  if (/^\d+$/.test(number)) return minus + number
  if (/^\d{1,3}(,\d{3})+(\.\d+)?$/.test(number)) return minus + number.replaceAll(',', '')
  if (/^\d{1,3}(\.\d{3})+,\d+$/.test(number) || /^\d{1,3}(\.\d{3}){2,}$/.test(number))
    return minus + number.replaceAll('.', '').replace(',', '.')
  if (/^\d*[.,]\d+$/.test(number)) return minus + number.replace(',', '.').replace(/^\./, '0.')
  return text
}

/** The day of an ISO date or instant, of a time in seconds or milliseconds, or of `03/09/2026` (month first). */
function dateOf(text: string) {
  const given = text.trim()
  const iso = /^(\d{4}-\d\d-\d\d)(?:[T ].*)?$/.exec(given)
  const american = /^(\d{1,2})\/(\d{1,2})\/(\d{4})\b/.exec(given)
  const seconds = /^\d{10}(?:\d{3})?$/.test(given) ? Number(given.padEnd(13, '0')) : Number.NaN
  const day = iso
    ? iso[1]!
    : american
      ? `${american[3]}-${american[1]!.padStart(2, '0')}-${american[2]!.padStart(2, '0')}`
      : dayOf(Number.isNaN(seconds) ? momentOf(given) : seconds)
  if (!day || dayOf(Date.parse(day)) !== day) throw new Unreadable(`"${shown(text)}" is not a date.`)
  return day
}

/** In UTC where the text names no zone, whatever the server's own is. */
const momentOf = (text: string) => {
  const at = Date.parse(`${text} UTC`)
  return Number.isNaN(at) ? Date.parse(text) : at
}
const dayOf = (at: number) => (Number.isNaN(at) ? null : new Date(at).toISOString().slice(0, 10))
const shown = (text: string) => (text.length > 60 ? `${text.slice(0, 60)}…` : text)
