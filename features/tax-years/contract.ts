import { z } from 'zod'
import { csvEndpoint, csvLimit } from '#contract/csv.ts'
import { apiLimit, endpoint, rights } from '#contract/endpoint.ts'
import type { Refusals } from '#contract/feature-parts.ts'
import { ownerAndPartnersOwner, readableBy } from '#contract/field-readers.ts'
import { taxFormPolicies } from '#contract/invoices.ts'
import { taxFormKinds, taxFormSources } from '#contract/partners.ts'
import { Address } from '#contract/payout-settings.ts'
import { partnerCall, payoutMethods } from '#contract/payouts.ts'
import { MOST_APPROVED_FOR_YEAR, MOST_RETURNS, taxClassifications, tinTypes } from '#contract/tax-rules.ts'
import { Country } from '#contract/terms.ts'
import {
  Amount,
  anyOf,
  DateOnly,
  EnteredAmount,
  eachField,
  flag,
  Id,
  listQuery,
  onlyTrue,
  optionalName,
  optionalText,
  pageSchema,
  plainText,
  requiredText,
  trimmedText,
} from '#contract/values.ts'

export const taxFormStates = ['on-file', 'expired', 'missing'] as const

/** A partner's payment method in a year: one, or `several`. */
export const taxYearMethods = [...payoutMethods, 'several'] as const

/**
 * A partner's payments in a calendar year, by the day of payment in the account's time zone, their approval for payouts
 * in it, and the tax form on file. A payout returned later does not count. `reportable` is what the account itself
 * reports: paid, less what a payment network such as PayPal paid, which reports that itself, and less `rewards`, which
 * customers were given as credit or units. `taxPaid` is the tax paid
 * beside commissions. `overThreshold` means `reportable` at or above it, null if there is none.
 */
export const TaxYearPartner = z
  .object({
    partnerId: Id,
    partnerName: z.string(),
    email: z.string(),
    currency: z.string(),
    paid: Amount,
    reportable: Amount,
    rewards: Amount,
    taxPaid: Amount,
    payouts: z.int(),
    method: z.enum(taxYearMethods).nullable(),
    approved: z.boolean(),
    taxForm: z.object({ kind: z.enum(taxFormKinds), receivedOn: DateOnly, expired: z.boolean() }).nullable(),
    overThreshold: z.boolean().nullable(),
  })
  .meta({ id: 'TaxYearPartner' })
export type TaxYearPartner = z.infer<typeof TaxYearPartner>

/** Sums over all pages. `formsMissing` counts partners over the threshold without a valid form. */
export const TaxYearTotals = z
  .object({
    partners: z.int(),
    paid: Amount,
    reportable: Amount,
    rewards: Amount,
    payouts: z.int(),
    approved: z.int(),
    overThreshold: z.int(),
    formsMissing: z.int(),
  })
  .meta({ id: 'TaxYearTotals' })
export type TaxYearTotals = z.infer<typeof TaxYearTotals>

/** `threshold` is the account's own for the year, else the `legalThreshold`; null if there is neither. */
const terms = {
  year: z.int(),
  currency: z.string(),
  threshold: Amount.nullable(),
  legalThreshold: Amount.nullable(),
}
export const TaxYearTerms = z.object(terms).meta({ id: 'TaxYearTerms' })
export type TaxYearTerms = z.infer<typeof TaxYearTerms>

const TaxYearParams = z.strictObject({ id: Id, year: z.string().max(500) })

/**
 * `toApprove` selects partners who are not approved for the year but were the year before or have money not yet paid
 * out: the ones to approve at the turn of the year.
 */
export const listTaxYear = endpoint('listTaxYear', 'GET /accounts/:id/tax-years/:year', {
  tag: 'payouts',
  summary: 'List the amount each partner was paid in a calendar year, with approval and tax form',
  allow: rights.read,
  tool: true,
  limit: apiLimit,
  fromReplica: true,
  subject: 'account',
  params: TaxYearParams,
  query: listQuery(
    { overThreshold: flag, approved: flag, paid: flag, taxForm: anyOf(taxFormStates), toApprove: onlyTrue },
    ['paid', 'name'],
  ),
  reply: pageSchema(TaxYearPartner).extend({ ...terms, totals: TaxYearTotals }),
})

export const downloadTaxYear = csvEndpoint(listTaxYear, { summary: 'Download the year report', file: 'year-report' })

/** `null` restores the legal threshold. */
export const TaxYearChange = z.strictObject({ threshold: EnteredAmount.nullable() })
export type TaxYearChange = z.infer<typeof TaxYearChange>

export const changeTaxYear = endpoint('changeTaxYear', 'PUT /accounts/:id/tax-years/:year', {
  tag: 'payouts',
  summary: 'Set the threshold of a year report; null uses the legal threshold',
  allow: rights.pay,
  limit: apiLimit,
  subject: 'account',
  params: TaxYearParams,
  body: TaxYearChange,
  reply: TaxYearTerms,
})

/** Maximum partners shown before all are approved. */
const MOST_SHOWN = 50_000

/**
 * Either these partners or, with `all`, every partner listed with `toApprove`; `preview` then only returns them, and the
 * call is refused if they are no longer the `shown` ones. `approved: false` revokes approvals.
 */
export const YearApprovals = z
  .strictObject({
    partnerIds: z
      .array(Id)
      .min(1, 'Choose at least one partner')
      .max(MOST_APPROVED_FOR_YEAR, `Choose at most ${MOST_APPROVED_FOR_YEAR} partners`)
      .optional(),
    all: z.literal(true, 'Use true, or leave it out').optional(),
    approved: z.boolean().default(true),
    preview: z.boolean().optional(),
    shown: z.array(Id).max(MOST_SHOWN, `Approve at most ${MOST_SHOWN} partners at once`).optional(),
  })
  .refine(({ partnerIds, all }) => (partnerIds === undefined) !== (all === undefined), {
    path: ['partnerIds'],
    message: 'Send either partnerIds or all',
  })
  .refine(({ all, approved }) => approved || !all, {
    path: ['partnerIds'],
    message: 'Name the partners whose approval you take back',
  })
  .refine(({ all, preview, shown }) => all || !(preview || shown), {
    path: ['all'],
    message: 'Send preview and shown only with all',
  })
export type YearApprovals = z.infer<typeof YearApprovals>

export const approveForTaxYear = endpoint('approveForTaxYear', 'POST /accounts/:id/tax-years/:year/approvals', {
  tag: 'payouts',
  summary: 'Approve many partners for payouts in a calendar year, or preview it; returns those whose approval changed',
  allow: rights.pay,
  limit: apiLimit,
  subject: 'account',
  params: TaxYearParams,
  body: YearApprovals,
  maxValues: MOST_SHOWN + 10,
  maxBytes: 2_200_000,
  reply: z.object({ partnerIds: z.array(Id) }),
})

/** Why someone over the threshold is not in the file. */
export const necReasons = ['no-form', 'expired', 'recorded-by-owner', 'unreadable'] as const

/**
 * Contents of the files of a year: `rows` returns in `parts` files. `missing` are partners over the threshold without a
 * number to report them by. `template`: whether this release knows the columns of that year.
 */
export const NecPreview = z
  .object({
    rows: z.int(),
    parts: z.int(),
    template: z.boolean(),
    missing: z.array(z.object({ partnerId: Id, partnerName: z.string(), reason: z.enum(necReasons) })),
  })
  .meta({ id: 'NecPreview' })
export type NecPreview = z.infer<typeof NecPreview>

export const downloadNecFile = endpoint('downloadNecFile', 'GET /accounts/:id/tax-years/:year/1099-nec', {
  tag: 'payouts',
  summary: `Download the 1099-NEC returns of a year for upload at the IRS, ${MOST_RETURNS} a file, or with preview what they hold; the file alone contains whole tax numbers`,
  allow: rights.pay,
  inPerson: true,
  freshProof: true,
  limit: { ...csvLimit, name: 'nec-file', perMinute: 30 },
  subject: 'account',
  params: TaxYearParams,
  query: z.strictObject({
    part: z.coerce.number().int('Enter a whole number').min(1, 'Enter 1 or more').max(100_000).default(1),
    preview: onlyTrue,
  }),
  reply: NecPreview,
  alsoAs: ['text/csv'],
})

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

export const refusals = {
  tax_year_wrong: ['validation_failed', 'Use a year from {{first}} to {{latest}}'],
  tin_wrong: ['validation_failed', 'Enter a valid tax number'],
  tax_signature_wrong: ['validation_failed', 'Type the name on this form, or that of your payout details'],
  birth_date_wrong: ['validation_failed', 'Enter a date in the past'],
  template_not_known: ['invalid_state', 'The IRS template for {{year}} isn’t part of this version. Update Tributary.'],
  nec_not_in_usd: ['invalid_state', 'Only accounts in US dollars have 1099-NEC files.'],
  nec_payer_incomplete: ['invalid_state', 'First enter in Settings, Invoices & tax: {{missing}}.'],
  nec_empty: ['invalid_state', 'No partner is reported for {{year}}.'],
  nec_part_wrong: ['validation_failed', 'Use a part from 1 to {{parts}}'],
} as const satisfies Refusals

/** Its actions in the activity, each with its kind of object. */
export const recordedEvents = { 'tax-file.downloaded': 'account' } as const

// a program gets no digit of a tax number, and a partner’s members nothing
export const readers = [readableBy(TaxFormState, eachField(TaxFormState.shape, ownerAndPartnersOwner))]
