import { z } from 'zod'
import { endpoint, rights } from './endpoint.ts'
import { taxFormPolicies } from './invoices.ts'
import { taxFormKinds, taxFormSources } from './partners.ts'
import { Address } from './payout-settings.ts'
import { partnerCall } from './payouts.ts'
import { taxClassifications, tinTypes } from './tax-rules.ts'
import { Country } from './terms.ts'
import { DateOnly, optionalName, optionalText, plainText, requiredText, trimmedText } from './values.ts'

const FormName = requiredText(100)

const ticked = (words: string) => z.literal(true, words)

/** A number of the United States, with or without hyphens and spaces; its digits alone are kept. */
const UsTin = trimmedText(20, 'Enter 9 digits').transform((value) => value.replace(/[\s-]/g, ''))

/** A W-9 as its partner signs it. `tin` is refused with `tin_wrong` unless it may be one of its type. */
export const W9 = z.strictObject({
  kind: z.literal('w-9'),
  name: FormName,
  businessName: optionalName(100).optional(),
  classification: z.enum(taxClassifications, 'Choose a classification'),
  exemptPayeeCode: optionalText(4)
    .refine((code) => code === null || /^(?:[1-9]|1[0-3])$/.test(code), 'Enter a code from 1 to 13')
    .optional(),
  address: Address.extend({
    zipCode: trimmedText(10, 'Enter a ZIP code of 5 or 9 digits').regex(/^\d{5}(?:-?\d{4})?$/, {
      error: 'Enter a ZIP code of 5 or 9 digits',
    }),
  }),
  tinType: z.enum(['ssn', 'ein'], 'Choose SSN or EIN'),
  tin: UsTin,
  certified: ticked('Confirm what you certify'),
  signature: FormName,
})
export type W9 = z.infer<typeof W9>

/** An address in any country. */
const AddressAnywhere = z.strictObject({
  addressLine: plainText(200).min(1, 'Address is required'),
  city: plainText(100).min(1, 'City is required'),
  region: optionalText(100).optional(),
  zipCode: optionalText(20).optional(),
  country: Country,
})

/**
 * A W-8BEN as its partner signs it: `tin` is of the United States, of the country of residence, or absent where none is
 * required.
 */
export const W8Ben = z.strictObject({
  kind: z.literal('w-8ben'),
  name: FormName,
  citizenship: Country,
  residence: AddressAnywhere.extend({
    country: Country.refine((code) => code !== 'US', 'A person who lives in the United States signs a W-9'),
  }),
  mailing: AddressAnywhere.nullish(),
  tinType: z.enum(['us', 'foreign', 'not-required'], 'Choose a kind of number'),
  tin: optionalText(40).optional(),
  birthDate: DateOnly,
  certified: ticked('Confirm what you certify'),
  signature: FormName,
})
export type W8Ben = z.infer<typeof W8Ben>

export const NewTaxForm = z.discriminatedUnion('kind', [W9, W8Ben])
export type NewTaxForm = z.infer<typeof NewTaxForm>

/**
 * The form that counts, `wanted` by the account; every field but that is null without one. The number is never shown but
 * for its last four characters, which an owner's own record lacks. `expiresOn` is the last day of a W-8.
 */
export const TaxFormState = z
  .object({
    wanted: z.enum(taxFormPolicies),
    kind: z.enum(taxFormKinds).nullable(),
    source: z.enum(taxFormSources).nullable(),
    receivedOn: DateOnly.nullable(),
    tinType: z.enum(tinTypes).nullable(),
    tinLast4: z.string().nullable(),
    classification: z.enum(taxClassifications).nullable(),
    expiresOn: DateOnly.nullable(),
  })
  .meta({ id: 'TaxFormState' })
export type TaxFormState = z.infer<typeof TaxFormState>

export const getTaxForm = endpoint('getTaxForm', 'GET /partners/:id/tax-form', {
  tag: 'partners',
  summary: 'Retrieve the tax form that counts, by the last four characters of its number',
  ...partnerCall,
  allow: [...rights.pay, 'partner'],
  inPerson: true,
  reply: TaxFormState,
})

export const signTaxForm = endpoint('signTaxForm', 'POST /partners/:id/tax-form', {
  tag: 'partners',
  summary: 'Sign a W-9 or W-8BEN; it replaces the form before, and what an owner recorded',
  ...partnerCall,
  allow: ['partner'],
  freshProof: true,
  whileInactive: true,
  body: NewTaxForm,
  reply: TaxFormState,
})
