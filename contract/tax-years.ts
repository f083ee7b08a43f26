import { z } from 'zod'
import { csvEndpoint, csvLimit } from './csv.ts'
import { apiLimit, endpoint, rights } from './endpoint.ts'
import { taxFormKinds } from './partners.ts'
import { payoutMethods } from './payouts.ts'
import { MOST_APPROVED_FOR_YEAR, MOST_RETURNS } from './tax-rules.ts'
import { Amount, anyOf, DateOnly, EnteredAmount, flag, Id, listQuery, onlyTrue, pageSchema } from './values.ts'

export const taxFormStates = ['on-file', 'expired', 'missing'] as const

/** A partner's payment method in a year: one, or `several`. */
export const taxYearMethods = [...payoutMethods, 'several'] as const

/**
 * A partner's payments in a calendar year, by the day of payment in the account's time zone, their approval for payouts
 * in it, and the tax form on file. A payout returned later does not count. `reportable` is what the account itself
 * reports: paid, less what a payment network such as PayPal paid, which reports that itself. `taxPaid` is the tax paid
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
