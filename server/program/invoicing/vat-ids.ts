/** Formats of VAT IDs after their prefix, by prefix: the member states, Northern Ireland and the United Kingdom. */
const FORMATS: Record<string, RegExp> = {
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
  XI: /^(\d{9}|\d{12}|GD\d{3}|HA\d{3})$/,
  GB: /^(\d{9}|\d{12}|GD\d{3}|HA\d{3})$/,
}

/** Prefixes that differ from the code of their country. */
const PREFIXES: Record<string, readonly string[]> = { GR: ['EL'], GB: ['GB', 'XI'] }

/** The member states of the European Union, by their codes. */
export const euCountries: readonly string[] = Object.keys(FORMATS)
  .filter((prefix) => prefix !== 'XI' && prefix !== 'GB')
  .map((prefix) => (prefix === 'EL' ? 'GR' : prefix))

/** Whether it has the format of a VAT ID of this country; there is none of other countries, or without one. */
export function isVatIdOf(vatId: string, country: string | null): boolean {
  if (country === null) return false
  const prefix = vatId.slice(0, 2)
  return (PREFIXES[country] ?? [country]).includes(prefix) && FORMATS[prefix]?.test(vatId.slice(2)) === true
}
