import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)
let parser: typeof import('libphonenumber-js/min') | undefined
/** Loaded with the first phone number: the metadata of all countries' numbers is large. */
const phoneParser = () => {
  parser ??= require('libphonenumber-js/min') as typeof import('libphonenumber-js/min')
  return parser
}

/**
 * Normalizes a phone number for comparing duplicates: E.164 with a country code, also for a number of the United States
 * without one; only the digits of any other number without a country.
 */
export function comparablePhone(phone: string | null | undefined): string | null {
  if (!phone) return null
  const digits = phone.replace(/\D/g, '')
  if (digits === '') return null
  const { parsePhoneNumberFromString } = phoneParser()
  const international = phone.trim().startsWith('+') || digits.startsWith('00')
  if (international) {
    const number = `+${phone.trim().startsWith('+') ? digits : digits.slice(2)}`
    return parsePhoneNumberFromString(number)?.number ?? number
  }
  const national = parsePhoneNumberFromString(digits, 'US')
  return national?.isValid() ? national.number : digits
}

/**
 * Returns the digits of a search to find among stored numbers, without the leading zeros that mark a country or a
 * trunk. Null if the search is not a part of a phone number, or consists of the digits only.
 */
export function searchedDigits(search: string): string | null {
  if (!/^[\d\s()+./-]+$/.test(search)) return null
  const digits = search.replace(/\D/g, '').replace(/^0+/, '')
  return digits.length >= 4 && digits !== search ? digits : null
}
