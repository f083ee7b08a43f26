import pg from 'pg'
import { z } from 'zod'
import { mistakesIn } from '#contract/fields.ts'
import { InvoiceDocument, treatments } from '#contract/invoices.ts'
import { RefundLine, saleProviders } from '#contract/sales.ts'
import { termsSources } from '#contract/terms.ts'
import { Amount, Currency, DateOnly, Instant, reportDimensions } from '#contract/values.ts'
import { isLanguageTag } from '../languages.ts'
import { type Shapes, splitNames } from './declare-tables.ts'
import { snakeCase } from './table.ts'

// The form of what an imported row holds: the fields of the contract's calls that write its columns, and the product's
// own values, on whose form their readers rely.

/** Columns with the names of these fields, and their shapes. */
export function callFields({ shape }: { shape: Shapes }, fields: string): Shapes {
  const named = splitNames(fields)
  const unknown = named.find((field) => !shape[field])
  if (unknown) throw new Error(`the call has no field ${unknown}`)
  return Object.fromEntries(named.map((field) => [snakeCase(field), shape[field]!]))
}

/** Columns of one shape. */
export const eachColumn = (shape: z.ZodType, columns: string): Shapes =>
  Object.fromEntries(splitNames(columns).map((column) => [column, shape]))

/** Text of another system or of a person, only shown and compared: any is harmless. */
export const anyText = (most = 2000) => z.string().max(most, `Use at most ${most} characters`)

/** The text of any JSON. */
export const Json = anyText(1_000_000).refine((text) => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}, 'Only JSON can be stored')

const matching = (pattern: RegExp, words: string) => z.string().regex(pattern, words)

export const Author = matching(
  /^(system|(user|api-key|portal|system):[0-9a-f-]{36})$/,
  'Only an author as the product writes it can be stored',
)
export const Network = matching(/^[0-9a-f.:]{2,45}\/\d{1,3}$/, 'Only a network can be stored')
export const Host = matching(/^(\[[0-9a-f:.]+\]|[a-z0-9.-]{1,253})$/, 'Enter a host')
export const Page = z
  .string()
  .max(2048)
  .regex(/^https?:\/\//i, 'Enter the address of a page')
export const CountryCode = matching(/^[A-Z]{2}$/, 'Enter a country as two letters')
export const Kind = matching(/^[a-z]+([.-][a-z]+)*$/, 'Only a name as the product writes it can be stored')
export const Digest = matching(/^[0-9a-f]{64}$/, 'Only a digest can be stored')
export const PublicId = matching(/^[\w-]{6,40}$/, 'Only a public ID as the product makes it can be stored')

const RatePpm = z.int().min(0).max(1_000_000)
/** Rates by layer in parts per million; the database checks their sum. */
export const RatesPpm = z.array(RatePpm).min(1).max(10)

const Line = z.array(z.strictObject({ partnerId: z.uuid().nullable(), earns: z.boolean() })).max(100)
const Whole = z.int()
const Version = z.int().min(0).max(2_147_483_647)
const Delay = z.int().min(0).max(3650)
const Cap = z.strictObject({ kind: z.enum(['customer', 'month', 'year']), used: Whole, planned: Whole, kept: Whole })
const Zone = anyText(100).refine((zone) => isZone(zone), 'Enter a time zone')
const facts = {
  lead: z.strictObject({ country: z.string().nullable(), metadata: z.record(z.string(), z.string()) }).optional(),
}

function isZone(timeZone: string) {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone }))
  } catch {
    return false
  }
}

/** The credit of a sale: the terms that pay it, and the facts at its booking. */
export const SaleCredit = z.strictObject({
  ...facts,
  ratesPpm: z.array(RatePpm).max(10).optional(),
  source: z.enum(termsSources).nullable(),
  number: Version.optional(),
  seen: Version.optional(),
  line: Line,
  matched: z.array(Version.nullable()).max(100).optional(),
  cap: Cap.optional(),
  unit: Whole.min(1).optional(),
  asksForPlace: z.literal(true).optional(),
  given: z
    .strictObject({
      commission: Whole,
      amount: Whole,
      others: z.array(Whole).max(100).optional(),
      isWhole: z.literal(true).optional(),
    })
    .optional(),
  payoutDelay: Delay.optional(),
  timeZone: Zone.optional(),
})

const LeadCredit = z.strictObject({
  ...facts,
  source: z.enum(termsSources).nullable(),
  number: Version,
  seen: Version,
  line: Line,
  rule: Version.nullable(),
  cap: Cap.optional(),
  unit: Whole.min(1).optional(),
  unpaid: z.enum(['duplicate', 'self-referral', 'paid-before', 'no-payment']).optional(),
  undone: z.boolean().optional(),
  voided: z.boolean().optional(),
  former: Version.optional(),
  blueprintId: z.uuid().nullable(),
  referredAt: Instant,
  day: DateOnly,
  payoutDelay: Delay,
  timeZone: Zone,
})
export const LeadCredits = z.strictObject({
  'qualified-lead': LeadCredit.optional(),
  'new-customer': LeadCredit.optional(),
})

/** The first visit of a lead, as reports count it. */
export const LeadOrigin = z.strictObject({
  path: z.string().optional(),
  device: z.string().optional(),
  source: z.string().optional(),
  country: CountryCode.optional(),
})

/** The rules that found no lead for a payment. */
export const Tried = z
  .array(
    z.strictObject({
      rule: Kind,
      outcome: Kind,
      partnerId: z.uuid().nullish(),
      code: anyText(200).optional(),
    }),
  )
  .max(50)

const fact = z.union([z.string(), z.number(), z.boolean(), z.null()])
/** An object of a provider, reduced to its facts; the import reads each payment from them again. */
export const ProviderFacts = z.record(
  z.string(),
  z.union([fact, z.record(z.string(), fact), z.array(z.union([fact, z.record(z.string(), fact)]))]),
)
/** The refunds and disputes booked of a provider's payment. */
export const Applied = z.record(
  z.string(),
  z.strictObject({
    status: z.string(),
    amount: Amount,
    lines: z.array(RefundLine).optional(),
    told: z.string().optional(),
    untold: z.literal(true).optional(),
  }),
)

// those of the releases before have no numbers but the VAT ID
const Party = InvoiceDocument.shape.account.partial({ companyNumber: true, peppolId: true })
const Seller = InvoiceDocument.shape.partner
  .unwrap()
  .partial({ companyNumber: true, peppolId: true, taxNumber: true })
  .nullable()
/** The facts of a payout's invoice that its approval fixes. */
export const InvoiceTerms = z.strictObject({
  treatment: z.enum(treatments),
  rate: z.number().min(0).max(100),
  version: Version,
  account: Party,
})
/** The content of an invoice that has no column of its own. */
export const InvoiceContent = InvoiceDocument.pick({
  periodStart: true,
  periodEnd: true,
  lines: true,
  words: true,
}).extend({
  account: Party,
  partner: Seller,
  payoutNumber: z.string(),
  form: z.literal([1, 2, 3]).optional(),
  // of an install that may have had others
  language: z.string().max(35).refine(isLanguageTag).optional(),
  wording: z.record(z.string(), z.looseObject({})).optional(),
})

/** The change that an event records, and the steps of a lead's timeline. */
export const EventData = z.looseObject({
  changes: z.record(z.string(), z.looseObject({})).optional(),
  lines: z
    .array(z.strictObject({ type: z.string(), text: z.string().nullish(), shared: z.boolean() }))
    .max(250)
    .optional(),
})

export const provider = eachColumn(z.enum(saleProviders), 'provider')
export const currency = eachColumn(Currency, 'currency')
export const rates = eachColumn(RatesPpm, 'layer_rates_ppm')
export const invoiceTerms = eachColumn(InvoiceTerms, 'invoice_terms')
export const dimension = z.enum(reportDimensions)

/** Counts by name. */
export const Counts = z.record(z.string(), Version)
/** Short values by names of a payment provider's own. */
export const Memo = z.record(z.string(), z.string().nullable())

/** PostgreSQL's numbers of two types. */
const TEXTS: number = 1009
const INTEGERS: number = 1007

/** Returns what a cell holds, as its column's type. */
function readCell(cell: string, type: string): unknown {
  if (type === 'jsonb') return JSON.parse(cell)
  if (type === 'integer[]') return pg.types.getTypeParser(INTEGERS, 'text')(cell)
  if (type.endsWith('[]')) return pg.types.getTypeParser(TEXTS, 'text')(cell)
  return cell
}

/** Returns why a cell can't hold this, in words; undefined if it can. */
export function mistakeIn(shape: z.ZodType, cell: string, type: string): string | undefined {
  let value: unknown
  try {
    value = readCell(cell, type)
  } catch {
    return 'it isn’t written as an export writes it'
  }
  const read = shape.safeParse(value)
  if (!read.success) {
    const { whole, fields } = mistakesIn(read.error)
    const [name, words] = whole === undefined ? Object.entries(fields)[0]! : ['', whole]
    return name ? `${name}: ${words}` : words
  }
  // a text that a call would have stored otherwise
  return typeof value === 'string' && read.data !== value
    ? `it would be stored as ${JSON.stringify(read.data)}`
    : undefined
}
