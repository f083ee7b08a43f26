import { z } from 'zod'
import { CommissionEntry, entryKinds, entryStatuses, ListedEntry } from './commissions.ts'
import { csvEndpoint } from './csv.ts'
import { apiLimit, endpoint, rights } from './endpoint.ts'
import { fraudRules } from './fraud.ts'
import { goalMetrics, goalWindows } from './groups.ts'
import { Lead, LeadStatus } from './leads.ts'
import { oneOrMany, PushResults, pushCall } from './push.ts'
import { Country, reaches, Terms, termsSources } from './terms.ts'
import {
  Amount,
  AmountFromZero,
  amountRange,
  anyId,
  anyOf,
  broughtBy,
  CommissionSettings,
  Currency,
  DateOnly,
  dateRange,
  Email,
  EnteredAmount,
  ExternalId,
  flag,
  GivenReferralCode,
  Id,
  Instant,
  listQuery,
  MAX_AMOUNT,
  Metadata,
  onlyTrue,
  optionalText,
  orEmpty,
  PayoutStatus,
  pageSchema,
  Reason,
  Reasoned,
  requiredText,
  WholeNumber,
} from './values.ts'

export const paymentProviders = [
  ...(['stripe', 'paddle', 'paypal', 'square', 'lemon-squeezy', 'shopify'] as const),
  'woocommerce',
  'polar',
  'chargebee',
  'recurly',
  'generic',
] as const
export const PaymentProvider = z.enum(paymentProviders)
export type PaymentProvider = z.infer<typeof PaymentProvider>

/** Each provider's own spelling of its name. */
export const paymentProviderNames: Record<PaymentProvider, string> = {
  stripe: 'Stripe',
  paddle: 'Paddle',
  paypal: 'PayPal',
  square: 'Square',
  'lemon-squeezy': 'Lemon Squeezy',
  shopify: 'Shopify',
  woocommerce: 'WooCommerce',
  polar: 'Polar',
  chargebee: 'Chargebee',
  recurly: 'Recurly',
  generic: 'Custom integration',
}

/** The source of a sale: a payment provider or one of ours. */
export const saleProviders = [...paymentProviders, 'manual', 'api', 'incoming-webhook', 'import'] as const
export type SaleProvider = (typeof saleProviders)[number]

export const saleStatuses = ['completed', 'partially-refunded', 'refunded', 'disputed', 'charged-back', 'void'] as const
export type SaleStatus = (typeof saleStatuses)[number]

/** The rule that found the lead of a sale. */
export const matchRules = ['click', 'code', 'lead-id', 'customer', 'external-id', 'coupon', 'email', 'manual'] as const
export type MatchRule = (typeof matchRules)[number]

export const refundKinds = ['refund', 'dispute'] as const
export const refundStatuses = ['pending', 'succeeded', 'failed', 'canceled'] as const

/** A part of a sale, net of tax, in the sale's currency. */
export const SaleLine = z
  .object({
    id: z.string(),
    productId: z.string().nullable(),
    priceId: z.string().nullable(),
    sku: z.string().nullable(),
    name: z.string().nullable(),
    quantity: z.number().nullable(),
    amount: Amount,
  })
  .meta({ id: 'SaleLine' })
export type SaleLine = z.infer<typeof SaleLine>

/** A sale has at most this many lines; the rest is one line without product. */
export const MOST_LINES = 50

/** A product, price or SKU that a line of a sale named, with the name it first had. */
export const SaleProduct = z
  .object({ kind: z.enum(['product', 'price', 'sku']), id: z.string(), name: z.string().nullable() })
  .meta({ id: 'SaleProduct' })
export type SaleProduct = z.infer<typeof SaleProduct>

export const listProducts = endpoint('listProducts', 'GET /accounts/:id/products', {
  summary: 'List the latest 500 products, prices and SKUs that lines of sales named',
  allow: rights.read,
  limit: apiLimit,
  fromReplica: true,
  subject: 'account',
  reply: z.object({ items: z.array(SaleProduct) }),
})

/** The part of a refund that is for one line of its sale, gross. */
export const RefundLine = z.object({ id: z.string(), amount: Amount }).meta({ id: 'RefundLine' })
export type RefundLine = z.infer<typeof RefundLine>

/** Money returned or contested, gross. */
export const Refund = z
  .object({
    id: Id,
    kind: z.enum(refundKinds),
    amount: Amount.nullable(),
    externalId: z.string().nullable(),
    status: z.enum(refundStatuses),
    reason: z.string().nullable(),
    lines: z.array(RefundLine),
    at: Instant,
  })
  .meta({ id: 'Refund' })
export type Refund = z.infer<typeof Refund>

/**
 * The fraud rules' findings in a sale and their outcome, by the strictest rule: only a flag, a hold of the commission
 * until `until` (null once it was released), or no commission at all.
 */
export const SaleHold = z
  .object({
    rule: z.enum(fraudRules),
    policy: z.enum(['flag', 'hold', 'refuse']),
    reason: z.string(),
    until: Instant.nullable(),
  })
  .meta({ id: 'SaleHold' })
export type SaleHold = z.infer<typeof SaleHold>

/** Why an entry or a sale earns no payment, for now or ever: it is on hold, by a rule until a day, or it is void. */
export const SetAside = z.object({ until: Instant.nullable(), reason: z.string() }).nullable()
export type SetAside = z.infer<typeof SetAside>

/**
 * `amount` is net of tax and shipping, `refundedAmount` gross. `accountAmount` is null without an exchange rate. For a
 * partner who may not see sale amounts every amount except those of their entries is null, and `hold` always is.
 * `livemode` is false for a payment made with a provider's test keys, and null for a sale from no provider. Unless the
 * operator has test mode counted, such a sale counts nowhere: its lead is the one a live payment would have, and no
 * partner is credited. `payerEmail` and `providerCustomerId` identify the payer as stated by the payment itself, and
 * `providerUrl` is the payment's page in the provider's dashboard, null if there is none; only the owner reads them, and
 * `country` (of the payment, in capitals) and `promotionCodes`.
 */
export const Sale = z
  .object({
    id: Id,
    accountId: Id,
    leadId: Id.nullable(),
    leadName: z.string().nullable(),
    partnerId: Id.nullable(),
    partnerName: z.string().nullable(),
    provider: z.enum(saleProviders),
    externalId: z.string().nullable(),
    amount: Amount.nullable(),
    grossAmount: Amount.nullable(),
    taxAmount: Amount.nullable(),
    currency: z.string(),
    accountAmount: Amount.nullable(),
    accountCurrency: z.string(),
    fxRate: z.number().nullable(),
    fxDate: DateOnly.nullable(),
    saleDate: DateOnly,
    description: z.string().nullable(),
    subscriptionId: z.string().nullable(),
    sequence: z.int().nullable(),
    refundedAmount: Amount.nullable(),
    status: z.enum(saleStatuses),
    matchedBy: z.enum(matchRules).nullable(),
    livemode: z.boolean().nullable(),
    payerEmail: z.string().nullable(),
    providerCustomerId: z.string().nullable(),
    providerUrl: z.string().nullable(),
    country: z.string().nullable(),
    promotionCodes: z.array(z.string()),
    lines: z.array(SaleLine),
    hold: SaleHold.nullable(),
    voidReason: z.string().nullable(),
    commissions: z.array(CommissionEntry),
    refunds: z.array(Refund),
    createdAt: Instant,
  })
  .meta({ id: 'Sale' })
export type Sale = z.infer<typeof Sale>

/** A line of a sale as given; `id` is its place, from 1, if omitted. A credit is below zero. */
export const NewSaleLine = z
  .strictObject({
    id: requiredText(100).optional(),
    productId: optionalText(100).optional(),
    priceId: optionalText(100).optional(),
    sku: optionalText(100).optional(),
    name: optionalText(200).optional(),
    quantity: z.number().min(0, 'Enter 0 or more').max(MAX_AMOUNT).nullish(),
    amount: WholeNumber.min(-MAX_AMOUNT, 'Enter -1,000,000,000,000 or more').max(
      MAX_AMOUNT,
      'Enter 1,000,000,000,000 or less',
    ),
  })
  .meta({ id: 'NewSaleLine' })
export type NewSaleLine = z.infer<typeof NewSaleLine>

const idsOf = (lines: { id?: string | undefined }[]) => lines.map(({ id }, index) => id ?? String(index + 1))
const hasOwnIds = (lines: { id?: string | undefined }[]) => new Set(idsOf(lines)).size === lines.length

/** Lines that add up to the sale's net amount. */
export const NewSaleLines = z
  .array(NewSaleLine)
  .max(500, 'Use at most 500 lines')
  .refine(hasOwnIds, 'Use each line ID once')

/** Lines of a sale that a refund is for, gross. */
export const NewRefundLines = z
  .array(z.strictObject({ id: requiredText(100), amount: EnteredAmount }))
  .max(MOST_LINES, `Use at most ${MOST_LINES} lines`)
  .refine(hasOwnIds, 'Use each line ID once')

/** Returns lines as they are stored, each with an id; undefined if they do not add up to this net amount. */
export function linesAddingUpTo(amount: number, lines: NewSaleLine[]): SaleLine[] | undefined {
  const ids = idsOf(lines)
  const whole = lines.map(
    ({ productId = null, priceId = null, sku = null, name = null, quantity = null, ...line }, at) => ({
      id: ids[at]!,
      productId,
      priceId,
      sku,
      name,
      quantity,
      amount: line.amount,
    }),
  )
  return lines.length === 0 || sumLines(lines) === amount ? whole : undefined
}

export const sumLines = (lines: { amount: number }[]) => lines.reduce((sum, line) => sum + line.amount, 0)

/**
 * `amount` is net, `taxAmount` separate; the defaults are the account's currency and today. Rules of terms may use the
 * `promotionCode`; the sale stays with the lead's partner.
 */
export const NewSale = z.strictObject({
  amount: EnteredAmount,
  currency: Currency.optional(),
  saleDate: DateOnly.optional(),
  taxAmount: AmountFromZero.optional(),
  externalId: orEmpty(ExternalId).optional(),
  description: optionalText(1000).optional(),
  lines: NewSaleLines.nullish(),
  country: orEmpty(Country).optional(),
  promotionCode: optionalText(100).optional(),
})
export type NewSale = z.infer<typeof NewSale>

/** Returns whether exactly one of the two names the credited partner. */
const onePartnerOrLead = (body: { partnerId?: string | undefined; leadId?: string | undefined }) =>
  (body.partnerId === undefined) !== (body.leadId === undefined)

export const listLeadSales = endpoint('listLeadSales', 'GET /leads/:id/sales', {
  summary: 'List the sales of a lead',
  allow: [...rights.read, ...rights.partner],
  tool: true,
  inPortal: true,
  limit: apiLimit,
  fromReplica: true,
  subject: 'lead',
  query: listQuery({}, ['saleDate', 'amount']),
  reply: pageSchema(Sale),
})

export const downloadLeadSales = csvEndpoint(listLeadSales, { summary: 'Download the sales of a lead', file: 'sales' })

export const createSale = endpoint('createSale', 'POST /leads/:id/sales', {
  summary: 'Record a sale by hand and book its commissions',
  allow: rights.earn,
  limit: apiLimit,
  subject: 'lead',
  body: NewSale,
  status: 201,
  reply: Sale,
})

/**
 * Why a sale earns as it does: the version of the terms, and its parts, each paid by one rule (from 1) or by
 * `otherwise`. `above`: the rules before it, with the first condition of each that did not hold. `cap`: null without one.
 */
export const SaleTermsSummary = z
  .object({
    source: z.enum(termsSources),
    sourceName: z.string(),
    version: z.int(),
    appliesTo: z.enum(reaches),
    savedAt: Instant,
    /** Null for a customer who would be referred now. */
    referredAt: Instant.nullable(),
    place: z.int().nullable(),
    parts: z.array(
      z.object({
        rule: z.int().nullable(),
        name: z.string().nullable(),
        lines: z.array(z.string()),
        base: Amount.nullable(),
        percent: z.number().nullable(),
        flat: Amount.nullable(),
        earned: Amount,
        above: z.array(z.object({ rule: z.int(), name: z.string().nullable(), why: z.string() })),
      }),
    ),
    cap: z
      .object({
        kind: z.enum(['customer', 'month', 'year']),
        limit: Amount,
        used: Amount,
        planned: Amount,
        kept: Amount,
      })
      .nullable(),
  })
  .meta({ id: 'SaleTermsSummary' })
export type SaleTermsSummary = z.infer<typeof SaleTermsSummary>

export const PreviewedSale = z
  .strictObject({
    partnerId: Id.optional(),
    leadId: Id.optional(),
    amount: EnteredAmount,
    currency: Currency.optional(),
    saleDate: DateOnly.optional(),
    lines: NewSaleLines.nullish(),
    country: Country.optional(),
    promotionCode: requiredText(100).optional(),
    metadata: Metadata.optional(),
    /** Terms that are not saved, instead of those in force. */
    terms: Terms.optional(),
    /** The customer's payment, counted from 1; by default a lead's next one. */
    payment: z.int().min(1).max(1000).optional(),
  })
  .refine(onePartnerOrLead, { path: ['partnerId'], message: 'Choose either a partner or a lead' })
export type PreviewedSale = z.infer<typeof PreviewedSale>

/**
 * Why no partner would earn; `source` is whose rates are zero. `no-partner` also for a rejected lead. Null if a partner
 * earns, even if the share of a tiny sale rounds to nothing.
 */
const Unearned = z
  .object({
    why: z.enum(['no-partner', 'zero-rates']),
    source: z.enum(termsSources).nullable(),
  })
  .nullable()

/**
 * Amounts in the account's currency. Without an exchange rate `accountAmount` and `profit` are null and there are no
 * entries.
 */
export const CommissionPreview = z
  .object({
    currency: z.string(),
    accountAmount: Amount.nullable(),
    entries: z.array(
      z.object({
        partnerId: Id,
        displayName: z.string(),
        layer: z.int(),
        rate: z.number().nullable(),
        flat: Amount.nullable(),
        amount: Amount,
      }),
    ),
    total: Amount,
    profit: Amount.nullable(),
    unearned: Unearned,
    terms: SaleTermsSummary.nullable(),
    dueOn: DateOnly,
  })
  .meta({ id: 'CommissionPreview' })
export type CommissionPreview = z.infer<typeof CommissionPreview>

export const previewCommission = endpoint('previewCommission', 'POST /accounts/:id/commission-preview', {
  summary: 'Preview each partner’s commission from a sale; nothing is saved',
  allow: rights.earn,
  tool: true,
  limit: apiLimit,
  subject: 'account',
  writesNothing: true,
  body: PreviewedSale,
  reply: CommissionPreview,
})

/**
 * Other terms of a partner, a group or a link, or of the account without any of them: percentages alone, or whole
 * terms; null removes their own. With `new-customers`, those referred in the month have them.
 */
export const OtherRates = z
  .strictObject({
    commissionSettings: CommissionSettings.nullable().optional(),
    terms: Terms.nullable().optional(),
    appliesTo: z.enum(reaches).default('all-sales'),
    partnerId: Id.optional(),
    groupId: Id.optional(),
    blueprintId: Id.optional(),
  })
  .refine(({ partnerId, groupId, blueprintId }) => [partnerId, groupId, blueprintId].filter(Boolean).length < 2, {
    path: ['blueprintId'],
    message: 'Choose either a partner, a group or a link',
  })
  .refine(({ commissionSettings, terms }) => (commissionSettings === undefined) !== (terms === undefined), {
    path: ['commissionSettings'],
    message: 'Send either terms or commissionSettings',
  })
  .refine(
    ({ commissionSettings, terms, ...of }) =>
      commissionSettings || terms || of.partnerId || of.groupId || of.blueprintId,
    { path: ['commissionSettings'], message: 'Enter at least one rate' },
  )
export type OtherRates = z.infer<typeof OtherRates>

/**
 * The effect of other rates on the sales from `from` to `to` that they split, or would, and on the leads qualified or won
 * then that either pays for: the earnings of all layers by the current rates and by the other ones, both net of refunds.
 * `partial` if only the latest 200,000 are included.
 */
export const RatesPreview = z
  .object({
    currency: z.string(),
    from: DateOnly,
    to: DateOnly,
    sales: z.int(),
    leads: z.int(),
    paid: Amount,
    wouldHavePaid: Amount,
    partial: z.boolean(),
  })
  .meta({ id: 'RatesPreview' })
export type RatesPreview = z.infer<typeof RatesPreview>

export const previewRates = endpoint('previewRates', 'POST /accounts/:id/rates-preview', {
  summary: 'Preview commissions on last month’s sales at other rates; nothing is saved',
  allow: rights.earn,
  limit: apiLimit,
  subject: 'account',
  writesNothing: true,
  body: OtherRates,
  reply: RatesPreview,
})

/**
 * Why a lead may be the payer of a sale, the strongest reason first, in the order of the rules that match payments: the
 * provider's customer, the customer's id as external id, the e-mail, the mailbox without its `+` part, the phone, the
 * name, the e-mail's domain unless it has public mailboxes, the company's name.
 */
export const likenesses = ['customer', 'external-id', 'email', 'mailbox', 'phone', 'name', 'domain', 'company'] as const
export type Likeness = (typeof likenesses)[number]

/** `referredLater`: the partner got the lead after this sale was paid, so no rule credits them. */
export const SimilarLead = z
  .object({
    id: Id,
    displayName: z.string(),
    email: z.string().nullable(),
    partnerId: Id,
    partnerName: z.string(),
    status: LeadStatus,
    reasons: z.array(z.enum(likenesses)),
    referredLater: z.boolean(),
    createdAt: Instant,
  })
  .meta({ id: 'SimilarLead' })
export type SimilarLead = z.infer<typeof SimilarLead>

/** `likelyLead` is only there with `unattributed=true`: the likeliest lead that may be the payer and was referred in time. */
export const ListedSale = Sale.extend({ likelyLead: SimilarLead.nullable().optional() }).meta({ id: 'ListedSale' })
export type ListedSale = z.infer<typeof ListedSale>

export const listSales = endpoint('listSales', 'GET /accounts/:id/sales', {
  summary: 'List all sales; from and to are sale dates, amounts are net and in the account’s currency',
  allow: rights.read,
  tool: true,
  limit: apiLimit,
  fromReplica: true,
  subject: 'account',
  query: listQuery(
    {
      status: anyOf(saleStatuses),
      provider: anyOf(saleProviders),
      partnerId: anyId,
      leadId: anyId,
      unattributed: flag,
      test: flag,
      onHold: onlyTrue,
      ...amountRange,
      ...dateRange,
    },
    ['saleDate', 'amount'],
  ),
  reply: pageSchema(ListedSale),
})

export const downloadSales = csvEndpoint(listSales, {
  summary: 'Download all sales',
  file: 'sales',
  without: ['likelyLead'],
})

/**
 * A sale on its day; a refund, a lost dispute and a restoration on theirs; a void sale counts for nothing. Pay for a lead
 * itself has no revenue, but a share.
 */
export const revenueKinds = ['sale', 'refund', 'dispute', 'restoration', 'void', 'lead'] as const
export type RevenueKind = (typeof revenueKinds)[number]

/**
 * A sale's effect on the statistics of one day, in the account's currency, signed: returned money is negative. `share`
 * covers all layers. `id` is the line's own, `status` the sale's current one; a lead's own pay has no sale.
 */
export const RevenueLine = z
  .object({
    id: Id,
    kind: z.enum(revenueKinds),
    day: DateOnly,
    saleId: Id.nullable(),
    leadId: Id,
    leadName: z.string(),
    partnerId: Id.nullable(),
    partnerName: z.string().nullable(),
    blueprintId: Id.nullable(),
    provider: z.enum(saleProviders).nullable(),
    /** The payer and the payment, as in the sale. */
    externalId: z.string().nullable(),
    livemode: z.boolean().nullable(),
    payerEmail: z.string().nullable(),
    providerCustomerId: z.string().nullable(),
    providerUrl: z.string().nullable(),
    status: z.enum(saleStatuses).nullable(),
    /** A dispute or a fraud rule holds the sale's commission. */
    onHold: z.boolean(),
    hold: SetAside,
    amount: Amount,
    share: Amount,
    profit: Amount,
  })
  .meta({ id: 'RevenueLine' })
export type RevenueLine = z.infer<typeof RevenueLine>

/** Sums over all pages, with the number of lines and of sales among them. */
export const RevenueTotals = z
  .object({ count: z.int(), sales: z.int(), revenue: Amount, share: Amount, profit: Amount })
  .meta({ id: 'RevenueTotals' })
export type RevenueTotals = z.infer<typeof RevenueTotals>

export const listRevenueLines = endpoint('listRevenueLines', 'GET /accounts/:id/revenue-lines', {
  summary:
    'List revenue lines: the amounts that statistics count for each sale, on their own day; totals match the statistics of the same days',
  allow: rights.read,
  tool: true,
  limit: apiLimit,
  fromReplica: true,
  subject: 'account',
  query: listQuery(
    {
      kind: anyOf(revenueKinds),
      status: anyOf(saleStatuses),
      provider: anyOf(saleProviders),
      partnerId: anyId,
      blueprintId: anyId,
      leadId: anyId,
      onHold: onlyTrue,
      broughtBy,
      ...amountRange,
      ...dateRange,
    },
    ['day'],
  ),
  reply: pageSchema(RevenueLine).extend({ totals: RevenueTotals }),
})

export const downloadRevenueLines = csvEndpoint(listRevenueLines, {
  summary: 'Download the revenue lines',
  file: 'revenue-lines',
})

export const getSale = endpoint('getSale', 'GET /sales/:id', {
  summary: 'Retrieve a sale',
  allow: rights.read,
  tool: true,
  limit: apiLimit,
  subject: 'sale',
  reply: Sale,
})

export const SaleChange = z.strictObject({ description: optionalText(1000).optional() })
export type SaleChange = z.infer<typeof SaleChange>

export const changeSale = endpoint('changeSale', 'PATCH /sales/:id', {
  summary: 'Update the description of a sale',
  allow: rights.earn,
  limit: apiLimit,
  subject: 'sale',
  body: SaleChange,
  reply: Sale,
})

/** `amount` is gross and defaults to all that is left. */
export const NewRefund = z.strictObject({ amount: EnteredAmount.optional(), reason: Reason })
export type NewRefund = z.infer<typeof NewRefund>

export const refundSale = endpoint('refundSale', 'POST /sales/:id/refunds', {
  summary: 'Record a refund by hand and reverse its share of every commission',
  allow: rights.earn,
  limit: apiLimit,
  subject: 'sale',
  body: NewRefund,
  status: 201,
  reply: Sale,
})

export const voidSale = endpoint('voidSale', 'POST /sales/:id/void', {
  summary: 'Void a sale recorded by mistake',
  allow: rights.earn,
  limit: apiLimit,
  subject: 'sale',
  body: Reasoned,
  reply: Sale,
})

export const restoreSale = endpoint('restoreSale', 'POST /sales/:id/restore', {
  summary: 'Restore a sale that was voided by mistake, with its commissions as they were booked',
  allow: rights.earn,
  limit: apiLimit,
  subject: 'sale',
  body: Reasoned,
  reply: Sale,
})

export const releaseSale = endpoint('releaseSale', 'POST /sales/:id/release', {
  summary: 'Release a sale from its fraud hold',
  allow: rights.earn,
  limit: apiLimit,
  subject: 'sale',
  body: Reasoned,
  reply: Sale,
})

/**
 * A customer's earlier sales without a credited partner: their number, net amounts, and the earnings of all layers on
 * them, in the account's currency. `leadPay` is what the same call pays for the lead.
 */
export const EarlierSales = z
  .object({ sales: z.object({ count: z.int(), amount: Amount }), commission: Amount, leadPay: Amount })
  .meta({ id: 'EarlierSales' })
export type EarlierSales = z.infer<typeof EarlierSales>

/**
 * `creditEarlierSales` also credits the customer's earlier sales that have no credited partner, at the current rates.
 * `preview` only returns these sales; it needs no reason. They are credited only while they are as `shown`: a value that
 * is left out isn't compared.
 */
const crediting = {
  reason: Reason.optional(),
  creditEarlierSales: z.boolean().optional(),
  preview: z.boolean().optional(),
  shown: z.strictObject(EarlierSales.shape).partial().optional(),
}
const isReasoned = ({ reason, preview }: { reason?: string | undefined; preview?: boolean | undefined }) =>
  Boolean(preview || reason)
const unreasoned = { path: ['reason'], message: 'Enter a reason' }

export const SaleAttribution = z
  .strictObject({ partnerId: Id.optional(), leadId: Id.optional(), ...crediting })
  .refine(onePartnerOrLead, { path: ['partnerId'], message: 'Choose either a partner or a lead' })
  .refine(isReasoned, unreasoned)
export type SaleAttribution = z.infer<typeof SaleAttribution>

/** Many sales are credited to a lead of their own, else to this partner. */
export const SalesAttribution = z.strictObject({ partnerId: Id.optional(), reason: Reason })

export const attributeSale = endpoint('attributeSale', 'POST /sales/:id/attribute', {
  summary: 'Credit a partner with an unattributed sale, or preview the earlier sales',
  allow: rights.earn,
  limit: apiLimit,
  subject: 'sale',
  body: SaleAttribution,
  reply: z.union([Sale, EarlierSales]),
})

/**
 * The rule that found a sale's lead, in words; `others` are the earlier rules that found none, and the later ones that
 * name another partner. `partnerId`: the partner the rule names, by `code` if one was used. Empty for a partner.
 */
export const SaleMatch = z
  .object({
    rule: z.enum(matchRules).nullable(),
    why: z.string(),
    others: z.array(
      z.object({
        rule: z.enum(matchRules),
        why: z.string(),
        partnerId: Id.nullable(),
        partnerName: z.string().nullable(),
        code: z.string().nullable(),
      }),
    ),
  })
  .meta({ id: 'SaleMatch' })
export type SaleMatch = z.infer<typeof SaleMatch>

export const getSaleMatch = endpoint('getSaleMatch', 'GET /sales/:id/match', {
  summary: 'Explain which rule credited a sale, and why the others didn’t',
  allow: rights.read,
  tool: true,
  limit: apiLimit,
  subject: 'sale',
  reply: SaleMatch,
})

export const listLeadsSimilarToPayer = endpoint('listLeadsSimilarToPayer', 'GET /sales/:id/similar-leads', {
  summary:
    'List up to ten leads that may be the payer of a sale and whose partner can be credited, the likeliest first',
  allow: rights.read,
  tool: true,
  limit: apiLimit,
  subject: 'sale',
  reply: z.object({ items: z.array(SimilarLead) }),
})

/**
 * `rate` is the value of one unit of `currency` in units of the account's. `source`: entered by hand, or published by
 * the European Central Bank.
 */
export const ExchangeRate = z
  .object({ currency: z.string(), date: DateOnly, rate: z.number(), source: z.enum(['entered', 'ecb']) })
  .meta({ id: 'ExchangeRate' })
export type ExchangeRate = z.infer<typeof ExchangeRate>

export const NewExchangeRate = z.strictObject({
  currency: Currency,
  date: DateOnly,
  rate: z.number().gt(0, 'Enter a rate greater than 0').max(1_000_000_000, 'Enter 1,000,000,000 or less'),
})
export type NewExchangeRate = z.infer<typeof NewExchangeRate>

export const listExchangeRates = endpoint('listExchangeRates', 'GET /accounts/:id/exchange-rates', {
  tag: 'accounts',
  summary:
    'List the exchange rates entered by hand and, for every other currency with sales, the published rate of the latest sale',
  allow: rights.read,
  limit: apiLimit,
  fromReplica: true,
  subject: 'account',
  query: listQuery({}, ['date']),
  /** `currencies` are those of the account's sales other than its own. */
  reply: pageSchema(ExchangeRate).extend({ currencies: z.array(z.string()) }),
})

export const downloadExchangeRates = csvEndpoint(listExchangeRates, {
  summary: 'Download the exchange rates',
  file: 'exchange-rates',
})

export const enterExchangeRate = endpoint('enterExchangeRate', 'POST /accounts/:id/exchange-rates', {
  tag: 'accounts',
  summary: 'Enter an exchange rate and book the sales waiting for it',
  allow: rights.earnOrPay,
  limit: apiLimit,
  subject: 'account',
  body: NewExchangeRate,
  status: 201,
  reply: ExchangeRate,
})

export const LeadReassignment = z
  .strictObject({ partnerId: Id.nullable(), ...crediting })
  .refine(isReasoned, unreasoned)
export type LeadReassignment = z.infer<typeof LeadReassignment>

/** The reassignment of many leads, which has no preview. */
export const LeadsReassignment = z.strictObject({
  partnerId: LeadReassignment.shape.partnerId,
  reason: Reason,
  creditEarlierSales: crediting.creditEarlierSales,
})

export const reassignLead = endpoint('reassignLead', 'POST /leads/:id/reassign', {
  tag: 'leads',
  summary:
    'Reassign a lead to another partner, or preview its earlier sales; only new sales are affected unless you say so',
  allow: rights.earn,
  limit: apiLimit,
  subject: 'lead',
  body: LeadReassignment,
  reply: z.union([Lead, EarlierSales]),
})

/** `amount` is net. A `referralCode` given with an unknown lead creates that lead. */
export const NewPushedSale = z
  .strictObject({
    externalId: ExternalId,
    leadExternalId: orEmpty(ExternalId).optional(),
    email: orEmpty(Email).optional(),
    leadId: Id.nullish(),
    referralCode: orEmpty(GivenReferralCode).optional(),
    promotionCode: optionalText(100).optional(),
    amount: EnteredAmount,
    currency: Currency.nullish(),
    saleDate: DateOnly.nullish(),
    taxAmount: AmountFromZero.nullish(),
    subscriptionId: optionalText(255).optional(),
    description: optionalText(1000).optional(),
    lines: NewSaleLines.nullish(),
    country: orEmpty(Country).optional(),
    metadata: Metadata.nullish(),
  })
  .refine((sale) => sale.leadExternalId || sale.email || sale.leadId || sale.referralCode || sale.promotionCode, {
    path: ['leadExternalId'],
    message: 'Identify the lead by external ID, email or ID, or send a referral code or promotion code',
  })
  .meta({ id: 'NewPushedSale' })
export type NewPushedSale = z.infer<typeof NewPushedSale>

/** `amount` is gross and defaults to the sum of `lines`, or to all that is left. */
export const NewPushedRefund = z
  .strictObject({
    externalId: ExternalId,
    saleExternalId: ExternalId,
    amount: EnteredAmount.nullish(),
    lines: NewRefundLines.nullish(),
    reason: optionalText(1000).optional(),
  })
  .meta({ id: 'NewPushedRefund' })
export type NewPushedRefund = z.infer<typeof NewPushedRefund>

export const pushSales = endpoint('pushSales', 'POST /push/sales', {
  ...pushCall,
  tag: 'push',
  summary: 'Record sales; a known sale returns 200 with the one first recorded',
  body: oneOrMany(NewPushedSale),
  reply: z.union([Sale, PushResults]),
  transaction: 'group',
})

export const pushRefunds = endpoint('pushRefunds', 'POST /push/refunds', {
  ...pushCall,
  tag: 'push',
  summary: 'Record refunds of pushed sales; a known refund returns 200 with the one first recorded',
  body: oneOrMany(NewPushedRefund),
  reply: z.union([Refund, PushResults]),
})

/**
 * The goal that a bonus was paid for, as it was then, and the figure it was paid for: null if it is revenue that the
 * partner may not see. `period` is a month as `2026-10`, or null for all time.
 */
export const SaleGoal = z
  .object({
    name: z.string(),
    metric: z.enum(goalMetrics),
    window: z.enum(goalWindows),
    period: z.string().nullable(),
    atLeast: Amount,
    figure: Amount.nullable(),
  })
  .meta({ id: 'SaleGoal' })
export type SaleGoal = z.infer<typeof SaleGoal>

/**
 * The payout of an entry. `destination`, the last four digits of the bank account, is null for a partner's members, for
 * managers and viewers of the account, and if the money went another way.
 */
export const ReceiptPayout = z
  .object({
    id: Id,
    number: z.int(),
    status: PayoutStatus,
    paidAt: Instant.nullable(),
    destination: z.string().nullable(),
  })
  .meta({ id: 'ReceiptPayout' })

/**
 * Everything that explains one entry. `sale`, `lead`, `match` and `rate` are null for an adjustment; for a partner
 * `lead` and `click` are null if the lead is another partner's. `hold` is set while the entry is held or on hold, its
 * `until` null while a dispute is open; the rate's `source` is null for a sale older than its record. `corrections` are
 * later deductions from an earned entry and restorations to it, also those made because it was paid before the sale was
 * imported. `earlierPayouts` contained the entry but were returned or canceled. `openEvents`, for the owner only, are a
 * provider's events about the sale that are not booked: failed or waiting.
 */
export const Receipt = z
  .object({
    accountId: Id,
    entry: CommissionEntry,
    sale: Sale.nullable(),
    lead: Lead.nullable(),
    click: z
      .object({
        id: Id,
        at: Instant,
        blueprintId: Id.nullable(),
        linkName: z.string().nullable(),
        referrer: z.string().nullable(),
        landingPath: z.string().nullable(),
      })
      .nullable(),
    match: SaleMatch.nullable(),
    terms: SaleTermsSummary.nullable(),
    rate: z.object({ percent: z.number(), source: z.enum(termsSources).nullable(), layer: z.int() }).nullable(),
    goal: SaleGoal.nullable(),
    hold: z.object({ until: Instant.nullable(), reason: z.string() }).nullable(),
    payout: ReceiptPayout.nullable(),
    earlierPayouts: z.array(z.object({ id: Id, number: z.int(), status: PayoutStatus })),
    openEvents: z.array(
      z.object({
        id: Id,
        connectionId: Id,
        provider: z.enum(saleProviders),
        type: z.string(),
        state: z.enum(['failed', 'waiting']),
        reason: z.string().nullable(),
        at: Instant,
      }),
    ),
    corrections: z.array(CommissionEntry),
  })
  .meta({ id: 'Receipt' })
export type Receipt = z.infer<typeof Receipt>

export const getReceipt = endpoint('getReceipt', 'GET /commissions/:id', {
  tag: 'commissions',
  summary: 'Retrieve the receipt of a commission entry: everything that explains its amount',
  allow: [...rights.read, ...rights.partner],
  tool: true,
  inPortal: true,
  limit: apiLimit,
  subject: 'commission',
  reply: Receipt,
})

/**
 * An entry with the day and description of its sale, the sale's lead, and the refund or dispute that reversed it. All
 * are null if no sale earned the entry; for a partner the description and another partner's lead are null. `hold` is
 * why an entry is on hold or void, in neutral words for a partner.
 */
export const CommissionEntryWithSale = ListedEntry.extend({
  saleDate: DateOnly.nullable(),
  saleDescription: z.string().nullable(),
  lead: z.object({ id: Id, name: z.string() }).nullable(),
  refund: Refund.pick({ kind: true, at: true }).nullable(),
  hold: SetAside,
}).meta({ id: 'CommissionEntryWithSale' })
export type CommissionEntryWithSale = z.infer<typeof CommissionEntryWithSale>

/** Number of entries and their sum over all pages, in the account's currency. */
export const EntryTotals = z.object({ count: z.int(), amount: Amount }).meta({ id: 'EntryTotals' })

/** A payday of the forecast, or `blocked`. */
const Payday = z
  .string()
  .max(10)
  .refine(
    (value) => value === 'blocked' || DateOnly.safeParse(value).success,
    'Use a date such as 2026-12-01, or blocked',
  )

export const listPartnerCommissions = endpoint('listPartnerCommissions', 'GET /partners/:id/commissions', {
  tag: 'partners',
  summary:
    'List a partner’s ledger entries, each with its sale and lead; entries with one status add up to that part of the balance, those of a payday of the forecast, or of what is blocked there, to its amount',
  allow: [...rights.read, ...rights.partner],
  tool: true,
  inPortal: true,
  limit: apiLimit,
  fromReplica: true,
  subject: 'partner',
  query: listQuery(
    {
      status: anyOf(entryStatuses),
      kind: anyOf(entryKinds),
      saleId: anyId,
      ...dateRange,
      payday: Payday.optional(),
    },
    ['availableAt', 'amount'],
  ),
  reply: pageSchema(CommissionEntryWithSale).extend({ totals: EntryTotals }),
})

export const downloadPartnerCommissions = csvEndpoint(listPartnerCommissions, {
  summary: 'Download the ledger entries of a partner',
  file: 'commissions',
  more: ['linkId', 'subId'],
})
