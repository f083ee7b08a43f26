import { formatCountry } from '../format.ts'

/** Codes of groups of countries, of places without a country and of tests. */
const NO_COUNTRIES = ['EU', 'EZ', 'QO', 'UN', 'XA', 'XB', 'ZZ']

const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']

/** Returns every country as its code and name. */
export function countries() {
  const codes = letters.flatMap((first) => letters.map((second) => `${first}${second}`))
  return codes
    .filter((code) => Intl.getCanonicalLocales(`und-${code}`)[0] === `und-${code}` && !NO_COUNTRIES.includes(code))
    .map((code) => ({ code, name: formatCountry(code) }))
    .filter(({ code, name }) => name !== code)
}
