import { z } from 'zod'
import { isOffered } from './language.ts'
import './fields.ts'
import { currencyCodes } from './money.ts'

/** Largest amount accepted anywhere: 10^12 minor units. */
export const MAX_AMOUNT = 1_000_000_000_000

/** An opaque identifier. A malformed one matches nothing and is answered like an unknown one. */
export const Id = z.string().min(1).max(64)

/** More marks in a row than any script needs: normalizing them costs the square of their number. */
const MARKS_IN_A_ROW = /\p{M}{40}/u

const isPlain = (value: string) => !value.includes('\u0000') && value.isWellFormed() && !MARKS_IN_A_ROW.test(value)

/** A text of at most `max` characters once trimmed, checked before any other rule runs. */
export const trimmedText = (max: number, wrong = `Use at most ${max} characters`) =>
  z.string().trim().max(max, { error: wrong, abort: true })

/** Plain text as people type it: trimmed, in NFC, which makes some letters longer, without NUL or lone surrogates. */
export const plainText = (max: number) =>
  trimmedText(max)
    .refine(isPlain, { error: 'Remove unsupported characters', abort: true })
    .normalize()
    .max(max, { error: `Use at most ${max} characters`, abort: true })

/** The text of a file, unchanged. */
export const fileText = (max: number) =>
  z
    .string()
    .min(1, 'Choose a file')
    .max(max, { error: 'This file is too large', abort: true })
    .refine((value) => value.isWellFormed(), 'Save the file as UTF-8 and try again')

/** Text that may not be empty. */
export const requiredText = (max: number) => plainText(max).min(1, 'Enter a value')

/** A field that may be emptied: `null` and the empty string both mean absent. */
export const optionalText = (max: number) =>
  plainText(max)
    .nullable()
    .transform((value) => value || null)

/** Returns whether a text contains a web address. A host alone is not one: companies have such names. */
export const holdsAddress = (value: string) =>
  /https?:|:\/\/|\bwww\.|(?<=[\p{L}\p{N}-])\.\p{L}[\p{L}\p{N}-]+(?:\/|[?#]\S|:\d)/iu.test(value.normalize('NFKC'))

/** Returns whether a text contains an e-mail address. */
const holdsEmail = (value: string) => /[\p{L}\p{N}]@[\p{L}\p{N}-]+\.[\p{L}\p{N}]/u.test(value.normalize('NFKC'))

/** The name of a person, a partner or an account. It appears in mails to people who don't know us yet. */
export const optionalName = (max: number) =>
  optionalText(max)
    .refine((value) => value === null || !holdsAddress(value), 'Use a name without a web address')
    .refine((value) => value === null || !holdsEmail(value), 'Use a name without an email address')

export const Email = plainText(254).toLowerCase().pipe(z.email('Enter a valid email address'))

/** Seven to fifteen digits, punctuation allowed; the server stores E.164 in addition to the typed text. */
export const Phone = plainText(40).refine((value) => {
  const digits = value.replace(/\D/g, '').length
  return digits >= 7 && digits <= 15 && /^\+?[\d\s().\-/]*$/.test(value)
}, 'Enter 7 to 15 digits')

/** Integer minor units of the adjacent currency; zero-decimal currencies count whole units. */
export const Amount = z.int().min(-Number.MAX_SAFE_INTEGER).max(Number.MAX_SAFE_INTEGER)

/** An amount per item, in minor units that are not always whole. */
export const AmountEach = z.number()

export const WholeNumber = z.int({
  error: ({ input }) => (input === undefined ? undefined : 'Enter a whole number of minor units'),
})

/** An amount entered by a person: above zero, at most 10^12 minor units. */
export const EnteredAmount = WholeNumber.min(1, 'Enter an amount greater than 0').max(
  MAX_AMOUNT,
  'Enter 1,000,000,000,000 or less',
)

export const Currency = trimmedText(3, 'Enter a currency code such as usd')
  .toLowerCase()
  .refine((code) => currencyCodes.includes(code), 'Enter a currency code such as usd')

/** A percentage with at most four decimals. */
export const Rate = z
  .number()
  .min(0, 'Enter a rate from 0 to 100')
  .max(100, 'Enter a rate from 0 to 100')
  .refine((rate) => Math.abs(rate * 10_000 - Math.round(rate * 10_000)) < 1e-6, 'Use at most four decimals')

/** Rates by layer: index 0 is the partner who referred, index n the n-th ancestor. */
export const CommissionSettings = z.strictObject({
  layerRates: z
    .array(Rate)
    .min(1, 'Enter at least one rate')
    .max(10, 'Use at most 10 layers')
    .refine(
      (rates) => rates.reduce((sum, rate) => sum + Math.round(rate * 10_000), 0) <= 1_000_000,
      'All layers together must not exceed 100%',
    ),
})
export type CommissionSettings = z.infer<typeof CommissionSettings>

/** An instant, ISO 8601 in UTC with milliseconds. */
export const Instant = z.iso.datetime({ precision: 3 })

/** A calendar date in the account's time zone, YYYY-MM-DD; there is no year 0. */
export const DateOnly = z.iso
  .date('Enter a date as YYYY-MM-DD')
  .max(10, 'Enter a date as YYYY-MM-DD')
  .refine((value) => !value.startsWith('0000'), 'Enter a date as YYYY-MM-DD')

export const IdParams = z.strictObject({ id: Id })
export const RangeParams = z.strictObject({ id: Id, range: z.string().max(500) })

/** An object's own string keys and values, at most 50. */
export const Metadata = z
  .record(plainText(100), plainText(1000))
  .refine((map) => Object.keys(map).length <= 50, 'Use at most 50 keys')

/** A field to sort by, ascending or with a `-` descending; `createdAt` always is one. */
type SortBy<S extends string> = S | 'createdAt' | `-${S | 'createdAt'}`

/** The query of every list, with the list's own filters and sort fields. */
export function listQuery<F extends z.ZodRawShape, const S extends string = never>(
  filters: F,
  sorts: readonly S[] = [],
) {
  const fields: readonly string[] = ['createdAt', ...sorts]
  const sort = z
    .string()
    .max(100)
    .refine((value) => fields.includes(value.replace(/^-/, '')), `Sort by ${fields.join(', ')}, or put - before one`)
    .meta({ enum: fields.flatMap((field) => [field, `-${field}`]) })
  return z.strictObject({
    limit: z.coerce.number().int().min(1).max(100).default(25),
    cursor: z.string().max(2000).optional(),
    search: plainText(200).optional(),
    sort: (sort as unknown as z.ZodType<SortBy<S>, SortBy<S>>).default('-createdAt' as SortBy<S>),
    ...filters,
  })
}

/** A parsed list query; lists with filters extend it. */
export type ListQuery = {
  limit: number
  cursor?: string | undefined
  search?: string | undefined
  sort: string
  /** Not part of the query: readers of all pages show no total. */
  uncounted?: true
}

/** Comma-separated values, each one of `values`. */
export const anyOf = (values: readonly string[]) =>
  z
    .string()
    .max(2000)
    .transform((value) => value.split(','))
    .refine((chosen) => chosen.every((value) => values.includes(value)), `Use ${values.join(', ')}`)
    .optional()
    .meta({ type: 'array', items: { type: 'string', enum: [...values] }, maxLength: undefined })

/** Comma-separated ids; `none` finds rows without one. An unknown id finds nothing. */
export const anyId = z
  .string()
  .max(2000)
  .transform((value) => value.split(','))
  .optional()
  .meta({ type: 'array', items: { type: 'string' }, maxLength: undefined })

/** Ranges of days with a name, which move along with today. */
export const namedRanges = [
  'last-7-days',
  'last-month',
  'last-3-months',
  'last-quarter',
  'last-6-months',
  'last-year',
  'month-to-date',
  'quarter-to-date',
  'year-to-date',
] as const
export type NamedRange = (typeof namedRanges)[number]

/** By what reports add up. */
export const reportDimensions = [
  'partner',
  'group',
  'link',
  'sub-id',
  'code',
  'source',
  'landing-path',
  'country',
  'device',
  'product',
  'lead-month',
] as const

/**
 * `source:blog.example`: the rows that a figure of a report counts, those with this value in a dimension. Without a
 * value, `source`: those that have none.
 */
export const broughtBy = z
  .string()
  .max(2100)
  .transform((given) => {
    const [by, ...rest] = given.split(':') as [(typeof reportDimensions)[number], ...string[]]
    return { by, value: rest.length > 0 ? rest.join(':') : undefined }
  })
  .refine(({ by }) => reportDimensions.includes(by), `Use ${reportDimensions.join(', ')}`)
  .refine(({ value }) => isStorable(value), 'Remove unsupported characters')
  .optional()
  .meta({ type: 'string' })

export const flag = z
  .enum(['true', 'false'])
  .transform((value) => value === 'true')
  .optional()
/** A filter that is either on or absent. */
export const onlyTrue = z
  .literal('true', 'Use true, or omit it')
  .transform(() => true)
  .optional()
export const dateFilter = DateOnly.optional()
/** A filter by the dates of a range, both inclusive. */
export const dateRange = { from: dateFilter, to: dateFilter }

const amountFilter = z
  .string()
  .max(14)
  .regex(/^-?\d{1,13}$/, 'Enter an amount in minor units, such as 4999')
  .transform(Number)
  .optional()
  .meta({ type: 'integer', pattern: undefined, maxLength: undefined })
/** A filter by an amount in the account's currency, both ends inclusive. */
export const amountRange = { minAmount: amountFilter, maxAmount: amountFilter }

/** The words for a value of no kind of a union; one that is no object has its own. */
export const otherKind = (words: string) => ({
  error: ({ code }: { code?: string | undefined }) => (code === 'invalid_union' ? words : undefined),
})

export const pageSchema = <T extends z.ZodType>(item: T) =>
  z.object({ items: z.array(item), nextCursor: z.string().nullable(), total: z.number().int() })

/** A field of this kind that may be emptied: `null` and the empty string both mean absent. */
export const orEmpty = <T extends z.ZodType<unknown, string>>(schema: T) =>
  z
    .string()
    .trim()
    .nullable()
    .transform((value) => value || null)
    .pipe(schema.nullable())

/** Returns whether PostgreSQL can store it as JSON: no NUL and no lone surrogate in any text or key. */
const isStorable = (value: unknown): boolean => {
  if (typeof value === 'string') return !value.includes('\u0000') && value.isWellFormed()
  if (typeof value !== 'object' || value === null) return true
  return Object.entries(value).every(([key, inner]) => isStorable(key) && isStorable(inner))
}

/** Any JSON object up to `maxBytes` of its UTF-8 text. */
export const JsonObject = (maxBytes: number) =>
  z
    .record(z.string(), z.unknown())
    .refine(
      (value) => new TextEncoder().encode(JSON.stringify(value)).length <= maxBytes,
      `Use at most ${maxBytes} bytes`,
    )
    .refine(isStorable, 'Remove unsupported characters')

/** An amount that may be zero: a tax, a minimum, a ceiling. */
export const AmountFromOne = WholeNumber.min(1, 'Enter more than 0').max(MAX_AMOUNT, 'Enter 1,000,000,000,000 or less')
export const AmountFromZero = WholeNumber.min(0, 'Enter 0 or more').max(MAX_AMOUNT, 'Enter 1,000,000,000,000 or less')

/** An instant entered by a person, with any offset; stored in UTC with milliseconds. */
export const EnteredInstant = z.iso
  .datetime({ offset: true, error: 'Enter an instant such as 2026-01-31T12:00:00.000Z' })
  .max(40, 'Enter an instant such as 2026-01-31T12:00:00.000Z')
  .transform((value) => new Date(value).toISOString())
  .refine((value) => /^(?!0000)\d{4}-/.test(value), 'Enter an instant such as 2026-01-31T12:00:00.000Z')

/** A date, or an exact instant. A date means its first moment in the account's time zone. */
export const EnteredDay = z
  .string()
  .max(40, { error: 'Enter a date as YYYY-MM-DD', abort: true })
  .refine(
    (value) => DateOnly.safeParse(value).success || EnteredInstant.safeParse(value).success,
    'Enter a date as YYYY-MM-DD',
  )

/** The reason for an action, for the record. */
export const Reason = requiredText(1000)

/** The body of a call that needs nothing but a reason. */
export const Reasoned = z.strictObject({ reason: Reason })
export const MayBeReasoned = z.strictObject({ reason: optionalText(1000).optional() })
/** A body that may be left out. */
export const OptionalReason = MayBeReasoned.nullish()

/** Another system's own identifier, unique in its account. */
export const ExternalId = requiredText(255)

/**
 * A web address of at most 2,048 characters, without a user or password. Stored as browsers parse it, so that the text
 * shows the real target: lower-case host, no line breaks, backslashes or bidirectional control characters.
 */
export const WebAddress = plainText(2048)
  .refine((value) => {
    if (!URL.canParse(value)) return false
    const url = new URL(value)
    return ['https:', 'http:'].includes(url.protocol) && !url.username && !url.password
  }, 'Enter a full https address')
  .transform((value) => URL.parse(value)?.href ?? value)
  .refine((value) => value.length <= 2048, 'Use at most 2048 characters')

/**
 * The domain rule: at most 253 characters, at least two labels of lower-case letters, digits and hyphens, with dots
 * between.
 */
export const isDomain = (value: string) => value.length <= 253 && /^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(value)
export const Domain = plainText(1000).refine(isDomain, 'Enter a domain such as shop.example.com')

const NO_PARAMETER_NAME = 'Use 1 to 32 letters, digits, _ or -'

/** The query parameter with the code. */
export const ParameterName = trimmedText(32, NO_PARAMETER_NAME)
  .regex(/^[A-Za-z0-9_-]{1,32}$/, NO_PARAMETER_NAME)
  .refine((name) => !/^(click$|utm_)/i.test(name), 'This name is reserved')

/** Most characters of a code, also of one from another program. */
export const MOST_OF_CODE = 100

/** Returns a code as it is stored and looked up: links carry it in any case. */
export const plainCode = (given: string) => given.trim().normalize().toLowerCase()

/** Most characters of a value that names a referral: a whole link may be given. */
export const MOST_OF_REFERRAL = 2048

/** A referral code as entered: in any case, perhaps unknown, or the script's cookie, or a whole link. */
export const GivenReferralCode = plainText(MOST_OF_REFERRAL).min(1, 'Enter a value')

/** A click id as entered: like a code, whichever a system has at hand. */
export const GivenClickId = plainText(MOST_OF_REFERRAL).min(1, 'Enter a value')

/** Credits a lead to the last or the first click inside the window. */
export const attributionModels = ['last-touch', 'first-touch'] as const
export const AttributionModel = z.enum(attributionModels)

/** Whether a payment is credited by its click, or by a partner's promotion code if it has both. */
export const attributionOrders = ['click-first', 'code-first'] as const
export const AttributionOrder = z.enum(attributionOrders)

/** One of the languages of `GET /languages`, as a BCP 47 tag. */
export const LanguageTag = z
  .string('Choose one of the languages')
  .max(35, { error: 'Choose one of the languages', abort: true })
  .refine(isOffered, 'Choose one of the languages')

/** Whether an order of a customer who has bought before is their partner's, or that of its latest click or code. */
export const returningCustomersRules = ['keep-partner', 'latest-click'] as const
export const ReturningCustomers = z.enum(returningCustomersRules)

/** A refusal inside an answer, for rows of a bulk call. */
export const RowError = z
  .object({
    code: z.string(),
    reason: z.string(),
    message: z.string(),
    values: z.record(z.string(), z.union([z.string(), z.number()])).nullable(),
    fields: z.record(z.string(), z.string()).nullable(),
    details: z.record(z.string(), z.unknown()).nullable(),
  })
  .meta({ id: 'RowError' })

export const payoutStatuses = [
  'open',
  'due',
  'approved',
  'processing',
  'awaiting-funding',
  'sent',
  'paid',
  'failed',
  'returned',
  'canceled',
] as const
export const PayoutStatus = z.enum(payoutStatuses)
export type PayoutStatus = z.infer<typeof PayoutStatus>

/** Returns the names of an object's fields. */
export const fieldNames = <Shape extends object>(shape: Shape) => Object.keys(shape) as (keyof Shape & string)[]

/** Returns an object with the fields of another, all with this value. */
export const eachField = <Shape extends object, T>(shape: Shape, value: T) =>
  Object.fromEntries(fieldNames(shape).map((field) => [field, value])) as { [Field in keyof Shape]: T }

const NO_IDS = [
  '',
  '0',
  '-1',
  'null',
  'undefined',
  'none',
  'guest',
  'anonymous',
  '00000000-0000-0000-0000-000000000000',
]

/** Whether an ID means no ID: systems send 0 or `guest` for everyone without an account. */
export const isNoId = (id: string): boolean => id.length < 100 && NO_IDS.includes(id.trim().toLowerCase())
