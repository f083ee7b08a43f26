import { z } from 'zod'
import { endpoint, rights } from './endpoint.ts'
import type { journalAccountNames } from './journal-accounts.ts'
import { ofAccount } from './payouts.ts'
import { Country } from './terms.ts'
import { optionalText, orEmpty, Phone, Reason, requiredText, text } from './values.ts'

/** Highest VAT rate accepted, in percent. */
const HIGHEST_VAT_RATE = 30

/** A postal address of a party to an invoice; its country is a field of the party. */
export const PartyAddress = z.strictObject({
  addressLine: requiredText(200),
  zipCode: optionalText(20),
  city: requiredText(100),
  state: optionalText(100),
})
export type PartyAddress = z.infer<typeof PartyAddress>

/** Whether partners are asked for a tax form, and whether payouts wait for it. */
export const taxFormPolicies = ['off', 'ask', 'required'] as const
export type TaxFormPolicy = (typeof taxFormPolicies)[number]

const AccountName = text(40)
const journalAccounts = z.strictObject({
  expense: AccountName,
  liability: AccountName,
  cash: AccountName,
  tax: AccountName,
  fees: AccountName,
} satisfies Record<keyof typeof journalAccountNames, typeof AccountName>)

/**
 * The account as the payer of its partners. `vatId` is null outside VAT; `vatRate` is in percent. `nextNumber` is the
 * number of the next invoice or credit note; while the series is `unsure`, as after a restore, invoices wait for their
 * numbers. `journalAccounts` are the names of the accounts in the journal.
 */
export const Invoicing = z
  .object({
    enabled: z.boolean(),
    required: z.boolean(),
    legalName: z.string().nullable(),
    address: z
      .object({
        addressLine: z.string(),
        zipCode: z.string().nullable(),
        city: z.string(),
        state: z.string().nullable(),
      })
      .nullable(),
    country: z.string().nullable(),
    vatId: z.string().nullable(),
    vatRate: z.number().nullable(),
    prefix: z.string(),
    nextNumber: z.int(),
    unsure: z.boolean(),
    taxForms: z.enum(taxFormPolicies),
    ein: z.string().nullable(),
    phone: z.string().nullable(),
    journalAccounts: z.object(journalAccounts.shape),
  })
  .meta({ id: 'Invoicing' })
export type Invoicing = z.infer<typeof Invoicing>

const Ein = text(20)
  .transform((value) => value.replace(/^(\d{2})-?(\d{7})$/, '$1-$2'))
  .refine((value) => /^\d{2}-\d{7}$/.test(value), 'Enter an EIN as 12-3456789')

/** A VAT ID as entered: spaces are removed. Its format is checked with its country. */
export const EnteredVatId = text(40)
  .transform((value) => value.replace(/\s/g, '').toUpperCase())
  .refine((value) => value.length <= 20, 'Use at most 20 characters')

/**
 * A field left out stays as it is. An empty journal account is the usual one. `nextNumber` only goes up, for the
 * `reason` that stands in the list of invoices; after a restore, it may also stay.
 */
export const InvoicingChange = z.strictObject({
  enabled: z.boolean().optional(),
  required: z.boolean().optional(),
  legalName: optionalText(200).optional(),
  address: PartyAddress.nullish(),
  country: orEmpty(Country).optional(),
  vatId: orEmpty(EnteredVatId).optional(),
  vatRate: z
    .number()
    .min(0, `Enter a rate from 0 to ${HIGHEST_VAT_RATE}`)
    .max(HIGHEST_VAT_RATE, `Enter a rate from 0 to ${HIGHEST_VAT_RATE}`)
    .refine((rate) => Math.abs(rate * 100 - Math.round(rate * 100)) < 1e-9, 'Use at most two decimals')
    .nullish(),
  prefix: text(10)
    .regex(/^[A-Z0-9/-]{1,10}$/, 'Use 1 to 10 of A–Z, 0–9, - and /')
    .optional(),
  nextNumber: z
    .int('Enter a whole number')
    .min(1, 'Enter 1 or more')
    .max(999_999_999, 'Enter 999,999,999 or less')
    .optional(),
  reason: Reason.optional(),
  taxForms: z.enum(taxFormPolicies, `Use ${taxFormPolicies.join(', ')}`).optional(),
  ein: orEmpty(Ein).optional(),
  phone: orEmpty(Phone).optional(),
  journalAccounts: journalAccounts.partial().optional(),
})
export type InvoicingChange = z.infer<typeof InvoicingChange>

export const getInvoicing = endpoint('getInvoicing', 'GET /accounts/:id/invoicing', {
  tag: 'payouts',
  summary: 'Retrieve the settings of invoices, tax forms and the journal’s accounts',
  ...ofAccount,
  allow: rights.own,
  reply: Invoicing,
})

export const changeInvoicing = endpoint('changeInvoicing', 'PUT /accounts/:id/invoicing', {
  tag: 'payouts',
  summary: 'Update the settings of invoices, tax forms and the journal’s accounts',
  ...ofAccount,
  allow: rights.own,
  body: InvoicingChange,
  reply: Invoicing,
})
