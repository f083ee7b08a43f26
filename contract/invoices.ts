import { z } from 'zod'
import { entryKinds } from './commissions.ts'
import { csvEndpoint, csvLimit } from './csv.ts'
import { endpoint, rights } from './endpoint.ts'
import { bothFields } from './former-names.ts'
import type { JournalAccount } from './journal-accounts.ts'
import { EnteredPeppolId } from './party-ids.ts'
import { accountCall, papers, partnerCall } from './payouts.ts'
import { Country } from './terms.ts'
import {
  Amount,
  anyId,
  anyOf,
  DateOnly,
  dateRange,
  Id,
  Instant,
  listQuery,
  optionalText,
  orEmpty,
  Phone,
  pageSchema,
  plainText,
  Reason,
  Reasoned,
  requiredText,
} from './values.ts'

/** Highest VAT rate accepted, in percent. */
const HIGHEST_VAT_RATE = 30

/** A postal address of a party to an invoice; its country is a field of the party. */
export const PartyAddress = z.strictObject({
  addressLine: requiredText(200),
  zipCode: optionalText(20).default(null),
  city: requiredText(100),
  state: optionalText(100).default(null),
})
export type PartyAddress = z.infer<typeof PartyAddress>

const StoredAddress = z.object({
  addressLine: z.string(),
  zipCode: z.string().nullable(),
  city: z.string(),
  state: z.string().nullable(),
})

/**
 * How VAT applies. `exempt`: the partner is a small business in the account's country; `outside-scope`: the account is
 * outside the EU and the United Kingdom, and the partner in another country.
 */
export const treatments = ['standard', 'exempt', 'reverse-charge', 'outside-scope'] as const
export type Treatment = (typeof treatments)[number]

/** Whether partners are asked for a tax form, and whether payouts wait for it. */
export const taxFormPolicies = ['off', 'ask', 'required'] as const
export type TaxFormPolicy = (typeof taxFormPolicies)[number]

const journalAccounts = <Name extends z.ZodType>(name: Name) =>
  ({
    expense: name,
    liability: name,
    cash: name,
    tax: name,
    fees: name,
    rewards: name,
    given: name,
  }) satisfies Record<JournalAccount, Name>

/**
 * The account as the payer of its partners. `vatId` is null outside VAT; `vatRate` is in percent. Electronic invoices
 * name `companyNumber` and `peppolId`, or those that follow from the VAT ID. `nextNumber` is the
 * number of the next invoice or credit note; while the series is `unsure`, as after a restore, invoices wait for their
 * numbers. `journalAccounts` are the names of the accounts in the journal.
 */
export const Invoicing = z
  .object({
    enabled: z.boolean(),
    required: z.boolean(),
    legalName: z.string().nullable(),
    address: StoredAddress.nullable(),
    country: z.string().nullable(),
    vatId: z.string().nullable(),
    companyNumber: z.string().nullable(),
    peppolId: z.string().nullable(),
    vatRate: z.number().nullable(),
    prefix: z.string(),
    nextNumber: z.int(),
    unsure: z.boolean(),
    taxForms: z.enum(taxFormPolicies),
    ein: z.string().nullable(),
    phone: z.string().nullable(),
    journalAccounts: z.object(journalAccounts(z.string())),
  })
  .meta({ id: 'Invoicing' })
export type Invoicing = z.infer<typeof Invoicing>

const Ein = plainText(20)
  .transform((value) => value.replace(/^(\d{2})-?(\d{7})$/, '$1-$2'))
  .refine((value) => /^\d{2}-\d{7}$/.test(value), 'Enter an EIN as 12-3456789')

/**
 * A VAT ID as entered: spaces and punctuation are removed, and Greece's begins with EL. Its format is checked with its
 * country.
 */
export const EnteredVatId = plainText(40)
  .transform((value) =>
    value
      .replace(/(?!\*)[\s\p{P}]/gu, '')
      .toUpperCase()
      .replace(/^GR/, 'EL'),
  )
  .refine((value) => value.length <= 20, 'Use at most 20 characters')

/** The number of a company in its country’s register. Its format is checked with its country. */
const CompanyNumber = optionalText(50)

/**
 * A field left out stays as it is. An empty journal account is the usual one. `nextNumber` may only increase, with a
 * `reason` that is shown in the list of invoices; after a restore, it may also stay the same.
 */
export const InvoicingChange = z.strictObject({
  enabled: z.boolean().optional(),
  required: z.boolean().optional(),
  legalName: optionalText(200).optional(),
  address: PartyAddress.nullish(),
  country: orEmpty(Country).optional(),
  vatId: orEmpty(EnteredVatId).optional(),
  companyNumber: CompanyNumber.optional(),
  peppolId: orEmpty(EnteredPeppolId).optional(),
  vatRate: z
    .number()
    .min(0, `Enter a rate from 0 to ${HIGHEST_VAT_RATE}`)
    .max(HIGHEST_VAT_RATE, `Enter a rate from 0 to ${HIGHEST_VAT_RATE}`)
    .refine((rate) => Math.abs(rate * 100 - Math.round(rate * 100)) < 1e-9, 'Use at most two decimals')
    .nullish(),
  prefix: plainText(10)
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
  journalAccounts: z
    .strictObject(journalAccounts(optionalText(40)))
    .partial()
    .optional(),
})
export type InvoicingChange = z.infer<typeof InvoicingChange>

export const getInvoicing = endpoint('getInvoicing', 'GET /accounts/:id/invoicing', {
  tag: 'payouts',
  summary: 'Retrieve the settings of invoices, tax forms and the journal’s accounts',
  ...accountCall,
  allow: rights.own,
  reply: Invoicing,
})

export const changeInvoicing = endpoint('changeInvoicing', 'PUT /accounts/:id/invoicing', {
  tag: 'payouts',
  summary: 'Update the settings of invoices, tax forms and the journal’s accounts',
  ...accountCall,
  allow: rights.own,
  body: InvoicingChange,
  reply: Invoicing,
})

/**
 * A partner's details for the invoices that the account issues for their commissions; null before they entered any.
 * `agreement` are the words that they agree to by saving; not yet `agreed` if they agreed to others, or to none. `treatment` is null if no invoice can be issued, and `words`
 * explains why.
 */
export const InvoiceDetails = z
  .object({
    enabled: z.boolean(),
    required: z.boolean(),
    accountName: z.string(),
    accountCountry: z.string().nullable(),
    agreement: z.string(),
    agreed: z.boolean(),
    legalName: z.string().nullable(),
    address: StoredAddress.nullable(),
    country: z.string().nullable(),
    vatId: z.string().nullable(),
    taxNumber: z.string().nullable(),
    companyNumber: z.string().nullable(),
    peppolId: z.string().nullable(),
    smallBusiness: z.boolean().nullable(),
    version: z.int().nullable(),
    agreedAt: Instant.nullable(),
    treatment: z.enum(treatments).nullable(),
    words: z.string().nullable(),
  })
  .meta({ id: 'InvoiceDetails' })
export type InvoiceDetails = z.infer<typeof InvoiceDetails>

/** `taxNumber` is that of the partner’s tax office, which in Germany may stand in for the VAT ID. */
export const NewInvoiceDetails = z.strictObject({
  legalName: requiredText(200),
  address: PartyAddress,
  country: Country,
  vatId: orEmpty(EnteredVatId).default(null),
  taxNumber: optionalText(30).default(null),
  companyNumber: CompanyNumber.default(null),
  peppolId: orEmpty(EnteredPeppolId).default(null),
  smallBusiness: z.boolean(),
  agreed: z.literal(true, 'Agree to the invoices first'),
})
export type NewInvoiceDetails = z.infer<typeof NewInvoiceDetails>

export const getInvoiceDetails = endpoint('getInvoiceDetails', 'GET /partners/:id/invoice-details', {
  tag: 'payouts',
  summary: 'Retrieve a partner’s details for invoices, and how VAT applies to them',
  ...partnerCall,
  allow: [...rights.pay, 'partner'],
  inPerson: true,
  reply: InvoiceDetails,
})

export const saveInvoiceDetails = endpoint('saveInvoiceDetails', 'PUT /partners/:id/invoice-details', {
  tag: 'payouts',
  summary: 'Save a version of one’s details for invoices, and agree to them',
  ...partnerCall,
  allow: ['partner'],
  inPerson: true,
  body: NewInvoiceDetails,
  reply: InvoiceDetails,
})

/**
 * Parts that a document lacks for its electronic forms. `form`: it was issued before there were any; `number`: it waits
 * for its number; `currency`: the currency has three decimals; `partner`: the seller was erased; `taxNumber`: the seller's
 * VAT ID or tax number; the Peppol IDs of the seller and of the account, which the XML alone needs.
 */
export const missingForElectronic = [
  'form',
  'number',
  'currency',
  'partner',
  'taxNumber',
  'peppolId',
  'accountPeppolId',
] as const
export type MissingForElectronic = (typeof missingForElectronic)[number]

export const documentKinds = ['invoice', 'credit-note'] as const

/**
 * A self-billing invoice for the commissions in a payout, or the credit note that takes all of it back. `correctedBy` is
 * the number of the invoice that replaces it since its details were wrong. `number` is null
 * while the series is unsure. `issuedOn` is the day on which the money left or came back, in the account's time zone at
 * that time; `numberedOn` the day on which a document that waited for its number got it. `taxRate` is in percent. `electronic` tells whether it can be had as XML for Peppol, and whether its PDF
 * holds its electronic form.
 */
export const Invoice = z
  .object({
    id: Id,
    accountId: Id,
    number: z.string().nullable(),
    kind: z.enum(documentKinds),
    payoutId: Id,
    payoutNumber: z.string(),
    partnerId: Id,
    partnerName: z.string(),
    issuedOn: DateOnly,
    net: Amount,
    taxRate: z.number(),
    tax: Amount,
    gross: Amount,
    currency: z.string(),
    treatment: z.enum(treatments),
    creditedBy: Id.nullable(),
    correctedBy: z.string().nullable(),
    credits: Id.nullable(),
    electronic: z.object({ xml: z.boolean(), pdf: z.boolean(), missing: z.array(z.enum(missingForElectronic)) }),
    numberedOn: DateOnly.nullable(),
    objectedAt: Instant.nullable(),
    objectionClosedAt: Instant.nullable(),
    createdAt: Instant,
  })
  .meta({ id: 'Invoice' })
export type Invoice = z.infer<typeof Invoice>

/** `objection` is the partner’s reason; null once they are erased. */
export const ListedInvoice = Invoice.extend({ objection: z.string().nullable() }).meta({ id: 'ListedInvoice' })
export type ListedInvoice = z.infer<typeof ListedInvoice>

const StoredParty = z.object({
  legalName: z.string(),
  address: StoredAddress,
  country: z.string(),
  vatId: z.string().nullable(),
  companyNumber: z.string().nullable(),
  peppolId: z.string().nullable(),
})
const StoredSeller = StoredParty.extend({ taxNumber: z.string().nullable() })

/**
 * The whole document, as it was issued. `partner` is the seller, in whose name the account issues it; null once their
 * records were emptied. `lines` add up to `net`. `words` say why there is no VAT. `credited` is the invoice of a credit
 * note; one that was corrected names the number of the invoice that replaces it.
 */
export const InvoiceDocument = ListedInvoice.extend({
  account: StoredParty,
  partner: StoredSeller.nullable(),
  periodStart: DateOnly,
  periodEnd: DateOnly,
  lines: z.array(z.object({ kind: z.enum(entryKinds), count: z.int(), amount: Amount })),
  words: z.string().nullable(),
  credited: z
    .object({ id: Id, number: z.string().nullable(), issuedOn: DateOnly, correctedBy: z.string().nullable() })
    .nullable(),
}).meta({ id: 'InvoiceDocument' })
export type InvoiceDocument = z.infer<typeof InvoiceDocument>

/** Numbers of the series that no document has: from the first one to the last, both inclusive. */
export const InvoiceNumberGap = z
  .object({ from: z.int(), to: z.int(), reason: z.string(), at: Instant })
  .meta({ id: 'InvoiceNumberGap' })
export type InvoiceNumberGap = z.infer<typeof InvoiceNumberGap>

/** An objection is `open` until the account settles it, or a credit note takes the invoice back. */
export const objectionStates = ['open', 'closed'] as const

const filters = { kind: anyOf(documentKinds), objection: anyOf(objectionStates), ...dateRange }
const sorts = ['number', 'issuedOn', 'gross'] as const

/** `from` and `to` are days of issue. */
export const listInvoices = endpoint('listInvoices', 'GET /accounts/:id/invoices', {
  tag: 'payouts',
  summary: 'List the invoices and credit notes of an account, with the numbers that none of them has',
  ...accountCall,
  allow: rights.read,
  fromReplica: true,
  query: listQuery({ ...filters, partnerId: anyId }, sorts),
  reply: pageSchema(ListedInvoice).extend({
    unsure: z.boolean(),
    ...bothFields('numberGaps', z.array(InvoiceNumberGap)),
  }),
})

export const downloadInvoices = csvEndpoint(listInvoices, {
  summary: 'Download the invoices and credit notes of an account',
  file: 'invoices',
})

export const listPartnerInvoices = endpoint('listPartnerInvoices', 'GET /partners/:id/invoices', {
  tag: 'payouts',
  summary: 'List the invoices and credit notes of a partner',
  ...partnerCall,
  allow: [...rights.read, 'partner'],
  fromReplica: true,
  query: listQuery(filters, sorts),
  reply: pageSchema(ListedInvoice),
})

export const downloadPartnerInvoices = csvEndpoint(listPartnerInvoices, {
  summary: 'Download the invoices and credit notes of a partner',
  file: 'invoices',
})

export const getInvoice = endpoint('getInvoice', 'GET /invoices/:id', {
  tag: 'payouts',
  summary:
    'Retrieve an invoice or credit note as JSON or, by Accept, as a printable page, a PDF or the XML of Peppol’s self-billing; paper is the PDF’s paper size: letter by default for an account in usd, otherwise a4',
  allow: [...rights.read, 'partner'],
  limit: { name: 'statement', perMinute: 30, by: 'user' },
  subject: 'invoice',
  query: z.strictObject({ paper: z.enum(papers, 'Use a4 or letter').optional() }),
  reply: InvoiceDocument,
  alsoAs: ['text/html', 'application/pdf', 'application/xml'],
})

export const issueCorrection = endpoint('issueCorrection', 'POST /invoices/:id/correct', {
  tag: 'payouts',
  summary:
    'Correct the details of an invoice: a credit note takes it back, and a new invoice has both parties’ present details. Amounts, VAT and payments stay as they are',
  allow: rights.own,
  freshProof: true,
  limit: { perMinute: 30, by: 'token' },
  subject: 'invoice',
  body: Reasoned,
  reply: Invoice,
})

/** Most days of a zip. */
export const MOST_ZIPPED_DAYS = 366
/** Most documents of a zip. */
export const MOST_ZIPPED_INVOICES = 20_000

export const downloadInvoiceFiles = endpoint('downloadInvoiceFiles', 'GET /accounts/:id/invoices/zip', {
  tag: 'payouts',
  summary:
    'Download the invoices and credit notes issued on at most 366 days as a zip, each as a PDF and, if it can be had so, as XML',
  allow: rights.read,
  limit: csvLimit,
  subject: 'account',
  query: z.strictObject({ from: DateOnly, to: DateOnly }),
  produces: 'application/zip',
})
