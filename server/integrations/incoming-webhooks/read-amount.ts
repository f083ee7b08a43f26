import { currencyCodes } from '#contract/money.ts'

/** Longer than any amount that people or machines write: what is longer is not looked at. */
const LONGEST = 40

const DASHES = /[\u2010-\u2015\u2212\ufe58\ufe63\uff0d]/g
/** Spaces part thousands between digits, and mean nothing elsewhere. */
const LOOSE_SPACE = /(?<!\d) | (?!\d)/g
/** `$`, `US$`, `USD`, `kr.` */
const CURRENCY = String.raw`(\p{L}{0,3}\p{Sc}|\p{L}{2,3}\.?)?`
const SHAPE = new RegExp(`^${CURRENCY}([+-]?)${CURRENCY}([\\d.,'’ ]+)${CURRENCY}(-?)${CURRENCY}$`, 'u')
/** Names of currencies, beside their codes and signs. */
const CURRENCY_NAMES = ['kr', 'kr.', 'zł', 'kč', 'ft', 'fr.', 'rs', 'rs.', 'rm', 'lei', 'лв', 'лв.']

/**
 * An amount as people, machines and accountants write it: with its currency and with separators of thousands; a minus
 * before or behind it, brackets around it, and CR or DR behind it make it negative. Returns a number with a
 * point for its decimals and nothing else; null for what is none, or could be read two ways. `digits` are those of its currency after the point.
 */
export function readAmount(text: string, digits: number): string | null {
  if (text.length > LONGEST) return null
  const written = text.trim().replace(DASHES, '-').replace(/\s/g, ' ')
  const [, before, inner, after] = /^([^()]*)\(([^()]+)\)([^()]*)$/.exec(written) ?? []
  const [, entered] = /^(.*[^\p{L}]) ?[cd]r\.?$/iu.exec(inner === undefined ? written : before + inner + after) ?? []
  const bare = (entered ?? (inner === undefined ? written : before + inner + after)).replace(LOOSE_SPACE, '')
  const [, first, sign, second, number, third, signBehind, fourth] = SHAPE.exec(bare) ?? []
  const decimal = number === undefined ? null : decimalOf(number, digits)
  const currencies = [first, second, third, fourth].filter((one) => one !== undefined)
  const minuses = [sign === '-', signBehind === '-', inner !== undefined, entered !== undefined].filter(Boolean).length
  if (decimal === null || minuses > 1 || (minuses === 1 && sign === '+') || !currencies.every(isCurrency)) return null
  return minuses === 1 ? `-${decimal}` : decimal
}

const isCurrency = (currency: string) =>
  /\p{Sc}/u.test(currency) ||
  currencyCodes.includes(currency.toLowerCase()) ||
  CURRENCY_NAMES.includes(currency.toLowerCase())

/** Groups of three that begin with no 0; what part them is not what parts the decimals. */
const GROUPED = [
  /^[1-9]\d{0,2}(?:[ '’]\d{3})+(?:[.,]\d+)?$/,
  /^[1-9]\d{0,2}(?:,\d{3})+\.\d+$/,
  /^[1-9]\d{0,2}(?:,\d{3}){2,}$/,
  /^[1-9]\d{0,2}(?:\.\d{3})+,\d+$/,
  /^[1-9]\d{0,2}(?:\.\d{3}){2,}$/,
]

function decimalOf(number: string, digits: number): string | null {
  if (/^\d+$/.test(number)) return number
  const grouped = GROUPED.findIndex((pattern) => pattern.test(number))
  if (grouped >= 0) {
    const bare = number.replace(/[ '’]/g, '')
    if (grouped === 0) return bare.replace(',', '.')
    return grouped < 3 ? bare.replaceAll(',', '') : bare.replaceAll('.', '').replace(',', '.')
  }
  // one separator before three digits: in currencies of three decimals it may be either, in others a comma alone is clear
  if (/^[1-9]\d{0,2},\d{3}$/.test(number)) return digits === 3 ? null : number.replace(',', '')
  if (/^[1-9]\d{0,2}\.\d{3}$/.test(number)) return digits === 3 ? number : null
  if (/^\d+,\d{3}$/.test(number)) return digits === 3 ? number.replace(',', '.') : null
  return /^\d*[.,]\d+$/.test(number) ? number.replace(',', '.').replace(/^\./, '0.') : null
}
