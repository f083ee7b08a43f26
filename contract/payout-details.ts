import { electronicFormatIBAN, isValidBIC, isValidIBAN } from 'ibantools'
import { z } from 'zod'
import { Email, plainText, trimmedText } from './values.ts'

/** Countries of the Single Euro Payments Area whose banks have IBANs: ISO 3166 codes, of the European Payments Council. */
export const sepaCountries: readonly string[] =
  'AD AL AT BE BG CH CY CZ DE DK EE ES FI FR GB GI GR HR HU IE IS IT LI LT LU LV MC MD ME MK MT NL NO PL PT RO RS SE SI SK SM VA'.split(
    ' ',
  )

/** Longest IBAN that any country has, spaces between groups of four included. */
const LONGEST_IBAN = 42
const wrongIban = { error: 'This IBAN has a typing error.', params: { reason: 'iban_wrong' }, abort: true }
const outOfReach = { error: 'Euro payments don’t reach this country.', params: { reason: 'not_a_sepa_country' } }

/** Stored in capitals without spaces. */
export const Iban = plainText(LONGEST_IBAN)
  .transform((entered) => electronicFormatIBAN(entered) ?? '')
  .refine((iban) => isValidIBAN(iban), wrongIban)
  .refine((iban) => sepaCountries.includes(iban.slice(0, 2)), outOfReach)

/** Stored in capitals; empty is none. */
export const Bic = trimmedText(11, 'Enter 8 or 11 letters and digits')
  .toUpperCase()
  .refine((bic) => bic === '' || isValidBIC(bic), 'Enter 8 or 11 letters and digits')
  .transform((bic) => bic || null)
  .nullish()
  .transform((bic) => bic ?? null)

export const Country = trimmedText(2, 'Choose a country')
  .toUpperCase()
  .regex(/^[A-Z]{2}$/, 'Choose a country')

export const CurrencyChoice = trimmedText(3, 'Choose a currency')
  .toLowerCase()
  .regex(/^[a-z]{3}$/, 'Choose a currency')

export const EuroAddress = z.strictObject({
  country: Country,
  city: plainText(100).min(1, 'City is required'),
  addressLine: plainText(200).min(1, 'Address is required'),
  zipCode: plainText(20).min(1, 'Zip Code is required'),
})

export type EuroAddress = z.infer<typeof EuroAddress>

export const legalTypes = ['PRIVATE', 'BUSINESS'] as const

/** Names of people have two words and no digits. */
export const isHolderName = ({ legalType, name }: { legalType: string; name: string }) =>
  legalType === 'BUSINESS' || (/\S\s+\S/.test(name) && !/\p{Nd}/u.test(name))

export const holderNameRule = {
  path: ['name'],
  message: 'Enter a first and last name without digits',
  when: ({ value }: { value: unknown }) => {
    const given = value as { legalType?: unknown; name?: unknown } | null
    return given?.legalType === 'PRIVATE' && typeof given.name === 'string'
  },
}

export const HolderName = plainText(100).min(2, 'Use at least 2 characters')

/** An account in euros at a bank in the Single Euro Payments Area. */
export const IbanDetails = z
  .strictObject({
    kind: z.literal('iban'),
    legalType: z.enum(legalTypes),
    name: HolderName,
    iban: Iban,
    bic: Bic,
    address: EuroAddress,
  })
  .refine(isHolderName, holderNameRule)
export type IbanDetails = z.infer<typeof IbanDetails>

/** Wise names its fields itself; it limits each value, and all together have at most 8 kB. */
const LONGEST_FIELD = 1000
const MOST_FIELDS = 60
const LONGEST_DETAILS = 8000

/** A bank account elsewhere: the fields that Wise requires, by Wise's names. */
export const LocalBankDetails = z.strictObject({
  kind: z.literal('local-bank'),
  country: Country,
  currency: CurrencyChoice,
  type: trimmedText(50, 'Choose an account type').regex(/^[a-z0-9_-]+$/i, 'Choose an account type'),
  fields: z
    .record(z.string().min(1).max(100), plainText(LONGEST_FIELD))
    .refine((fields) => Object.keys(fields).length <= MOST_FIELDS, `Use at most ${MOST_FIELDS} fields`)
    .refine((fields) => JSON.stringify(fields).length <= LONGEST_DETAILS, 'These details are too long'),
})
export type LocalBankDetails = z.infer<typeof LocalBankDetails>

export const PayPalDetails = z.strictObject({ kind: z.literal('paypal'), email: Email })
export type PayPalDetails = z.infer<typeof PayPalDetails>
