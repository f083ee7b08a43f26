import { currencyCodes } from '#contract/money.ts'

/** Longest amount in characters; longer texts are not parsed. */
const LONGEST = 40

const DASHES = /[\u2010-\u2015\u2212\ufe58\ufe63\uff0d]/g
/** Spaces separate thousands between digits, and mean nothing elsewhere. */
const LOOSE_SPACE = /(?<!\d) | (?!\d)/g
/** `$`, `US$`, `USD`, `kr.` */
const CURRENCY = String.raw`(\p{L}{0,3}\p{Sc}|\p{L}{2,3}\.?)?`
const SHAPE = new RegExp(`^${CURRENCY}([+-]?)${CURRENCY}([\\d.,'’ ]+)${CURRENCY}(-?)${CURRENCY}$`, 'u')
/** Currencies by their names, in addition to codes and signs; a point may follow. */
const CURRENCY_NAMES: Record<string, readonly string[]> = {
  kr: ['dkk', 'isk', 'nok', 'sek'],
  zł: ['pln'],
  kč: ['czk'],
  ft: ['huf'],
  fr: ['chf', 'xaf', 'xof', 'xpf'],
  rs: ['inr', 'lkr', 'mur', 'npr', 'pkr', 'scr'],
  rm: ['myr'],
  lei: ['mdl', 'ron'],
  лв: ['bgn'],
}
/** Dollars by the letters before their sign. */
const DOLLARS: Record<string, readonly string[]> = {
  us: ['usd'],
  ca: ['cad'],
  c: ['cad', 'nio'],
  au: ['aud'],
  a: ['aud'],
  nz: ['nzd'],
  hk: ['hkd'],
  sg: ['sgd'],
  s: ['sgd'],
  nt: ['twd'],
  mx: ['mxn'],
  r: ['brl'],
}

/** Returns the mark and currencies of an amount that names them without a code; undefined if it names none. */
export function currenciesNamed(amount: string): { mark: string; currencies: readonly string[] } | undefined {
  const { letters = '', dollar } = /(?<letters>\p{L}{1,3})(?<dollar>\$)?/u.exec(amount)?.groups ?? {}
  const currencies = (dollar ? DOLLARS : CURRENCY_NAMES)[letters.toLowerCase()]
  return currencies && { mark: `${letters}${dollar ?? ''}`, currencies }
}

/**
 * Parses an amount as written by people, machines and accountants: with its currency and thousands separators; a minus
 * before or after it, brackets around it, and CR or DR after it make it negative. Returns a number with a point for its
 * decimals and nothing else; null if it is none, or ambiguous. `digits` are those of its currency after the point.
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
  currency.toLowerCase().replace(/\.$/, '') in CURRENCY_NAMES

/** Groups of three, in India of two above the thousand, without a leading 0; their separator differs from the decimal one. */
const GROUPED = [
  /^[1-9]\d{0,2}(?:[ '’]\d{3})+(?:[.,]\d+)?$/,
  /^[1-9]\d{0,2}(?:,\d{3})+\.\d+$/,
  /^[1-9]\d{0,2}(?:,\d{3}){2,}$/,
  /^[1-9]\d?(?:,\d\d)+,\d{3}(?:\.\d+)?$/,
  /^[1-9]\d{0,2}(?:\.\d{3})+,\d+$/,
  /^[1-9]\d{0,2}(?:\.\d{3}){2,}$/,
]

function decimalOf(number: string, digits: number): string | null {
  if (/^\d+$/.test(number)) return number
  const grouped = GROUPED.findIndex((pattern) => pattern.test(number))
  if (grouped >= 0) {
    const bare = number.replace(/[ '’]/g, '')
    if (grouped === 0) return bare.replace(',', '.')
    return grouped < 4 ? bare.replaceAll(',', '') : bare.replaceAll('.', '').replace(',', '.')
  }
  // one separator before three digits: ambiguous in currencies of three decimals, otherwise only a comma is clear
  if (/^[1-9]\d{0,2},\d{3}$/.test(number)) return digits === 3 ? null : number.replace(',', '')
  if (/^[1-9]\d{0,2}\.\d{3}$/.test(number)) return digits === 3 ? number : null
  if (/^\d+,\d{3}$/.test(number)) return digits === 3 ? number.replace(',', '.') : null
  return /^\d*[.,]\d+$/.test(number) ? number.replace(',', '.').replace(/^\./, '0.') : null
}
