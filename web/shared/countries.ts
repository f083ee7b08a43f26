import { countryChoices } from '../format.ts'

/** Codes of groups of countries, of places without a country and of tests. */
const NO_COUNTRIES = ['EU', 'EZ', 'QO', 'UN', 'XA', 'XB', 'ZZ']

const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']

let found: ReturnType<typeof countryChoices> | undefined

/** Returns every country as a choice, in the order of their names. */
export function listCountries() {
  found ??= countryChoices(
    letters
      .flatMap((first) => letters.map((second) => `${first}${second}`))
      .filter((code) => Intl.getCanonicalLocales(`und-${code}`)[0] === `und-${code}` && !NO_COUNTRIES.includes(code)),
  ).filter(({ value, label }) => label !== value)
  return found
}
