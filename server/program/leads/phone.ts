import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)
let parser: typeof import('libphonenumber-js/min') | undefined
/** Read with the first phone: what is known of all countries' numbers is large. */
const phoneParser = () => {
  parser ??= require('libphonenumber-js/min') as typeof import('libphonenumber-js/min')
  return parser
}

/**
 * A phone as duplicates are found by it: E.164 with a country code, and for a number of the United States without one;
 * of any other number without a country its digits.
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
 * The digits of a search to look for among stored numbers, without the zeros that mark a country or a trunk. Null if the
 * search is no part of a phone, or if its digits are all it is.
 */
export function searchedDigits(search: string): string | null {
  if (!/^[\d\s()+./-]+$/.test(search)) return null
  const digits = search.replace(/\D/g, '').replace(/^0+/, '')
  return digits.length >= 4 && digits !== search ? digits : null
}
