import { z } from 'zod'
import { csvEndpoint } from './csv.ts'
import { apiLimit, type Caller, endpoint, rights, type Subject } from './endpoint.ts'
import { bothFields } from './former-names.ts'
import {
  AmountFromOne,
  AmountFromZero,
  CommissionSettings,
  holdsAddress,
  Id,
  Instant,
  listQuery,
  optionalText,
  pageSchema,
  plainText,
  requiredText,
} from './values.ts'

/** Kinds of events that a rule pays for. */
export const payableEvents = ['sale', 'qualified-lead', 'new-customer'] as const
export type PayableEvent = (typeof payableEvents)[number]
/** The events of a lead that rules pay for, each once. */
export type LeadEvent = Exclude<PayableEvent, 'sale'>

/** Two letters, returned in capitals. */
export const Country = plainText(2)
  .toUpperCase()
  .regex(/^[A-Z]{2}$/, 'Enter a country as two letters, such as US')

/**
 * Conditions of a rule, all of which must hold; within a list, any value does. A sale's products are compared
 * character for character; amounts are net, in the account's currency.
 */
export const RuleConditions = z.strictObject({
  promotionCode: z.enum(['used', 'not-used']).optional(),
  firstPayments: z.int().min(1).max(1000).optional(),
  firstMonths: z.int().min(1).max(120).optional(),
  amountFrom: AmountFromZero.optional(),
  amountTo: AmountFromZero.optional(),
  countries: z.array(Country).min(1, 'Enter at least one country').max(60, 'Use at most 60 countries').optional(),
  metadata: z
    .array(
      z.strictObject({
        key: requiredText(100),
        values: z.array(requiredText(1000)).min(1, 'Enter at least one value').max(20, 'Use at most 20 values'),
      }),
    )
    .min(1, 'Enter at least one key')
    .max(3, 'Use at most 3 keys')
    .optional(),
  products: z
    .array(requiredText(100))
    .min(1, 'Enter at least one product')
    .max(20, 'Use at most 20 products')
    .optional(),
})
export type RuleConditions = z.infer<typeof RuleConditions>

/** Payment by layer: percent, or minor units of the account's currency; exactly one of the two. */
const pay = {
  layerRates: CommissionSettings.shape.layerRates.optional(),
  layerAmounts: z.array(AmountFromZero).min(1, 'Enter at least one amount').max(10, 'Use at most 10 layers').optional(),
}
export const Pay = z.strictObject(pay)
export type Pay = z.infer<typeof Pay>

/** A name that partners read. */
const RuleName = requiredText(60)
  .refine((name) => !holdsAddress(name), 'Use a name without a web address')
  .nullable()

/**
 * A rule of terms: the first that matches a part of a sale pays it. A rule for leads pays amounts, and may only have
 * conditions on countries and metadata.
 */
export const TermsRule = z
  .strictObject({
    name: RuleName.default(null),
    on: z.enum(payableEvents).default('sale'),
    when: RuleConditions.default({}),
    ...pay,
  })
  .meta({ id: 'TermsRule' })
export type TermsRule = z.infer<typeof TermsRule>

/**
 * Payment for sales: the first rule that matches, otherwise `otherwise`. Immutable: a change is the next version of its
 * account, group, link or partner. The caps limit what the
 * referrer earns by the sales of one customer, and by all sales with a date in one month or calendar year. In a group of
 * customers those of a month and a year also limit pay for leads.
 */
export const Terms = z
  .strictObject({
    rules: z.array(TermsRule).max(20, 'Use at most 20 rules').default([]),
    otherwise: Pay,
    maxPerCustomer: AmountFromOne.nullable().default(null),
    maxPerMonth: AmountFromOne.nullable().default(null),
    maxPerYear: AmountFromOne.nullish(),
  })
  .meta({ id: 'Terms' })
export type Terms = z.infer<typeof Terms>

/** Bytes of the JSON of terms. */
export const MOST_BYTES_OF_TERMS = 6000

type TermsMistake = {
  /** Dotted path of the wrong field within the terms. */
  field: string
  reason:
    | 'one_kind_of_pay'
    | 'rule_without_condition'
    | 'rule_without_name'
    | 'lead_rule_pays_amounts'
    | 'lead_rule_condition'
    | 'amount_range_reversed'
    | 'terms_too_large'
}

/** Returns the first mistake in terms that concerns several fields, or undefined. */
export function mistakeInTerms({ rules, otherwise, ...caps }: Terms): TermsMistake | undefined {
  const found = rules.map((rule, at) => mistakeInRule(rule, `rules.${at}`)).find((mistake) => mistake !== undefined)
  if (found) return found
  if (!isOneKind(otherwise)) return { field: 'otherwise', reason: 'one_kind_of_pay' }
  const bytes = new TextEncoder().encode(JSON.stringify({ rules, otherwise, ...caps })).length
  return bytes > MOST_BYTES_OF_TERMS ? { field: 'rules', reason: 'terms_too_large' } : undefined
}

const isOneKind = ({ layerRates, layerAmounts }: Pay) => (layerRates === undefined) !== (layerAmounts === undefined)

/** Whether leads have the fact of a condition. */
export const isOfLeads = (condition: string) => condition === 'countries' || condition === 'metadata'

function mistakeInRule({ name, on, when, ...pay }: TermsRule, field: string): TermsMistake | undefined {
  const { amountFrom = 0, amountTo = Number.POSITIVE_INFINITY, products, promotionCode, metadata } = when
  const conditions = Object.entries(when).flatMap(([condition, value]) => (value === undefined ? [] : [condition]))
  if (on === 'sale' && conditions.length === 0) return { field: `${field}.when`, reason: 'rule_without_condition' }
  if (on !== 'sale' && !conditions.every(isOfLeads)) return { field: `${field}.when`, reason: 'lead_rule_condition' }
  if (on !== 'sale' && pay.layerRates) return { field: `${field}.layerRates`, reason: 'lead_rule_pays_amounts' }
  if (!name && (products || promotionCode || metadata)) return { field: `${field}.name`, reason: 'rule_without_name' }
  if (amountFrom > amountTo) return { field: `${field}.when.amountFrom`, reason: 'amount_range_reversed' }
  return isOneKind(pay) ? undefined : { field, reason: 'one_kind_of_pay' }
}

/** The later sales that a change touches: those of customers referred from then on, or all. */
export const reaches = ['new-customers', 'all-sales'] as const
export type Reach = (typeof reaches)[number]

/** Whose terms apply, the nearest first. */
export const termsSources = ['partner', 'group', 'link', 'account'] as const
export type TermsSource = (typeof termsSources)[number]

/** A saved version, counted from 1; `terms` null removes a group's, link's or partner's own terms. */
const version = {
  version: z.int(),
  appliesTo: z.enum(reaches),
  savedAt: Instant,
  savedBy: z.string().nullable(),
  note: z.string().nullable(),
}

/**
 * The terms of an account, a group, a link or a partner. `own` and its version are null or 0 if it never had its own;
 * `inForce` is that of a customer referred now, with the account's recurring limit; a partner reads their group's public name, and no id. `olderCustomersDiffer` if some earlier customers stay with older terms.
 */
export const TermsState = z
  .object({
    own: Terms.nullable(),
    version: version.version.nullable(),
    appliesTo: version.appliesTo.nullable(),
    savedAt: version.savedAt.nullable(),
    savedBy: version.savedBy,
    note: version.note,
    inForce: z.object({
      source: z.enum(termsSources),
      sourceId: Id.nullable(),
      sourceName: z.string(),
      version: version.version,
      terms: Terms,
      recurringMonths: z.int().nullable(),
    }),
    olderCustomersDiffer: z.boolean(),
  })
  .meta({ id: 'TermsState' })
export type TermsState = z.infer<typeof TermsState>

export const TermsVersion = z.object({ ...version, terms: Terms.nullable() }).meta({ id: 'TermsVersion' })
export type TermsVersion = z.infer<typeof TermsVersion>

/**
 * The next version. `replaces` is the version that the caller knows: the call is refused if there is a later one. Equal
 * terms that reach no further are no version. `notifyPartners` mails it to the partners concerned, the next morning.
 */
export const TermsChange = z.strictObject({
  terms: Terms.nullable(),
  appliesTo: z.enum(reaches).default('all-sales'),
  note: optionalText(200).optional(),
  replaces: z.int().min(0).optional(),
  ...bothFields('notifyPartners', z.boolean().optional()),
})
export type TermsChange = z.infer<typeof TermsChange>

const termsOf = <S extends Subject, C extends Caller>(subject: S, allow: readonly C[], summary: string) =>
  ({ tag: `${subject}s`.replace('link-blueprints', 'links'), summary, allow, limit: apiLimit, subject }) as const

const reading = { fromReplica: true, query: listQuery({}), reply: pageSchema(TermsVersion) } as const
const file = {
  summary: 'Download the versions of the terms',
  file: 'terms',
  fields: ['version', 'appliesTo', 'savedAt', 'savedBy', 'note', 'termsOtherwiseLayerRates'],
}
const saving = { body: TermsChange, reply: TermsState } as const

export const getAccountTerms = endpoint('getAccountTerms', 'GET /accounts/:id/terms', {
  ...termsOf('account', rights.read, 'Retrieve the account’s terms'),
  reply: TermsState,
})
export const changeAccountTerms = endpoint('changeAccountTerms', 'PUT /accounts/:id/terms', {
  ...termsOf('account', rights.earn, 'Save the next version of the account’s terms'),
  ...saving,
})
export const listAccountTerms = endpoint('listAccountTerms', 'GET /accounts/:id/terms/history', {
  ...termsOf('account', rights.read, 'List the versions of the account’s terms'),
  ...reading,
})
export const downloadAccountTerms = csvEndpoint(listAccountTerms, file)

export const getGroupTerms = endpoint('getGroupTerms', 'GET /groups/:id/terms', {
  ...termsOf('group', rights.read, 'Retrieve a group’s terms'),
  reply: TermsState,
})
export const changeGroupTerms = endpoint('changeGroupTerms', 'PUT /groups/:id/terms', {
  ...termsOf('group', rights.earn, 'Save the next version of a group’s terms'),
  ...saving,
})
export const listGroupTerms = endpoint('listGroupTerms', 'GET /groups/:id/terms/history', {
  ...termsOf('group', rights.read, 'List the versions of a group’s terms'),
  ...reading,
})
export const downloadGroupTerms = csvEndpoint(listGroupTerms, file)

export const getLinkTerms = endpoint('getLinkTerms', 'GET /link-blueprints/:id/terms', {
  ...termsOf('link-blueprint', rights.read, 'Retrieve a link’s terms'),
  reply: TermsState,
})
export const changeLinkTerms = endpoint('changeLinkTerms', 'PUT /link-blueprints/:id/terms', {
  ...termsOf('link-blueprint', rights.earn, 'Save the next version of a link’s terms'),
  ...saving,
})
export const listLinkTerms = endpoint('listLinkTerms', 'GET /link-blueprints/:id/terms/history', {
  ...termsOf('link-blueprint', rights.read, 'List the versions of a link’s terms'),
  ...reading,
})
export const downloadLinkTerms = csvEndpoint(listLinkTerms, file)

export const getPartnerTerms = endpoint('getPartnerTerms', 'GET /partners/:id/terms', {
  ...termsOf('partner', [...rights.read, ...rights.partner], 'Retrieve a partner’s terms; partners see those in force'),
  inPortal: true,
  reply: TermsState,
})
export const changePartnerTerms = endpoint('changePartnerTerms', 'PUT /partners/:id/terms', {
  ...termsOf('partner', rights.earn, 'Save the next version of a partner’s terms'),
  ...saving,
})
export const listPartnerTerms = endpoint('listPartnerTerms', 'GET /partners/:id/terms/history', {
  ...termsOf('partner', rights.read, 'List the versions of a partner’s terms'),
  ...reading,
})
export const downloadPartnerTerms = csvEndpoint(listPartnerTerms, file)
