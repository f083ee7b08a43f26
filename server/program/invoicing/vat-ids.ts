/** Formats of VAT IDs of the member states after their prefix, by prefix. */
const EU_FORMATS: Record<string, RegExp> = {
  AT: /^U\d{8}$/,
  BE: /^[01]\d{9}$/,
  BG: /^\d{9,10}$/,
  CY: /^\d{8}[A-Z]$/,
  CZ: /^\d{8,10}$/,
  DE: /^\d{9}$/,
  DK: /^\d{8}$/,
  EE: /^\d{9}$/,
  EL: /^\d{9}$/,
  ES: /^[A-Z]\d{7}[A-Z\d]$|^\d{8}[A-Z]$/,
  FI: /^\d{8}$/,
  FR: /^[A-HJ-NP-Z\d]{2}\d{9}$/,
  HR: /^\d{11}$/,
  HU: /^\d{8}$/,
  IE: /^\d{7}[A-W][A-I]?$|^\d[A-Z+*]\d{5}[A-W]$/,
  IT: /^\d{11}$/,
  LT: /^(\d{9}|\d{12})$/,
  LU: /^\d{8}$/,
  LV: /^\d{11}$/,
  MT: /^\d{8}$/,
  NL: /^[A-Z\d+*]{10}\d{2}$/,
  PL: /^\d{10}$/,
  PT: /^\d{9}$/,
  RO: /^\d{2,10}$/,
  SE: /^\d{10}01$/,
  SI: /^\d{8}$/,
  SK: /^\d{10}$/,
}

const BRITISH = /^(\d{9}|\d{12}|GD\d{3}|HA\d{3})$/

/** Formats of all VAT IDs: those of other countries too, and of Northern Ireland. */
const FORMATS: Record<string, RegExp> = {
  ...EU_FORMATS,
  XI: BRITISH,
  GB: BRITISH,
  CH: /^E\d{9}(MWST|TVA|IVA)$/,
  NO: /^\d{9}MVA$/,
}

/** Weights of the digits before the check digit, by prefix: the weighted sum and the check digit add up to a multiple of 11. */
const WEIGHTS: Record<string, number[]> = { CH: [5, 4, 3, 2, 7, 6, 5, 4], NO: [3, 2, 7, 6, 5, 4, 3, 2] }

/** Prefixes that differ from the code of their country. */
const PREFIXES: Record<string, readonly string[]> = { GR: ['EL'], GB: ['GB', 'XI'] }

/** Countries that are a part of another one's territory for VAT, by that one's code. */
const PARTS: Record<string, readonly string[]> = { FR: ['MC'], GB: ['IM'] }

/** Returns the countries in whose territory for VAT a country is, itself among them; the first has given it its VAT IDs. */
export const listTerritory = (country: string): readonly [string, ...string[]] => {
  const of = Object.keys(PARTS).find((one) => PARTS[one]!.includes(country)) ?? country
  return [of, ...(PARTS[of] ?? [])]
}

/** The member states of the European Union, by their codes. */
const euCountries: readonly string[] = Object.keys(EU_FORMATS).map((prefix) => (prefix === 'EL' ? 'GR' : prefix))

/** Whether a country belongs to the European Union's territory for VAT. */
export const isInEu = (country: string) => euCountries.includes(listTerritory(country)[0])

/** Whether it has the format of a VAT ID of this country; there is none of other countries, or without one. */
export function isVatIdIn(vatId: string, country: string | null): boolean {
  if (country === null) return false
  const [of] = listTerritory(country)
  const prefix = vatId.slice(0, 2)
  return (
    (PREFIXES[of] ?? [of]).includes(prefix) &&
    FORMATS[prefix]?.test(vatId.slice(2)) === true &&
    isChecked(vatId, WEIGHTS[prefix])
  )
}

function isChecked(vatId: string, weights: number[] | undefined): boolean {
  if (!weights) return true
  const digits = vatId.replaceAll(/\D/g, '')
  const sum = weights.reduce((total, weight, place) => total + weight * Number(digits[place]), Number(digits.at(-1)))
  return sum % 11 === 0
}
