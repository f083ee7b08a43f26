import { z } from 'zod'
import { entryKinds } from './commissions.ts'
import { csvEndpoint } from './csv.ts'
import { detailKinds } from './detail-kinds.ts'
import { apiLimit, endpoint, rights } from './endpoint.ts'
import { rewardForms } from './groups.ts'
import { CommissionEntryWithSale } from './sales.ts'
import {
  Amount,
  anyId,
  anyOf,
  DateOnly,
  dateFilter,
  EnteredDay,
  Id,
  IdParams,
  Instant,
  listQuery,
  PayoutStatus,
  pageSchema,
  payoutStatuses,
  plainText,
  RowError,
  requiredText,
} from './values.ts'

/** The usual head of a call about an account, a partner or a payout. */
export const accountCall = { limit: apiLimit, subject: 'account', params: IdParams } as const
export const partnerCall = { ...accountCall, subject: 'partner' } as const
export const payoutCall = { ...accountCall, subject: 'payout' } as const

export const payoutMethods = ['wise', 'paypal', 'sepa', 'units', 'credit', 'manual', 'csv'] as const
export type PayoutMethod = (typeof payoutMethods)[number]

/**
 * How a customer is given a payout: as money, as credit at the payment provider, or as whole `units` of the company's own, which it grants and
 * acknowledges.
 */
export const PayoutReward = z
  .object({ as: z.enum(rewardForms), units: z.int().nullable(), unitName: z.string().nullable() })
  .meta({ id: 'PayoutReward' })
export type PayoutReward = z.infer<typeof PayoutReward>

/** Reasons a payout waits. */
export const blockerCodes = [
  'no-deposit-info',
  'not-approved-this-year',
  'not-approved-next-year',
  'below-minimum',
  'negative-balance',
  'on-hold-fraud',
  'deposit-info-changed-recently',
  'payouts-not-configured',
  'no-method',
  'currency-unsupported',
  'wise-rejected-recipient',
  'details-rejected',
  'partner-disabled',
  'agreement-not-accepted',
  'tax-form-missing',
  'invoice-details-missing',
  'adjusted-by-hand',
  'second-approval',
  'no-customer-at-provider',
  'customer-deleted',
  'customer-currency-differs',
] as const
export type BlockerCode = (typeof blockerCodes)[number]

/** `message` is worded for its reader, owner or partner. */
export const Blocker = z.object({ code: z.enum(blockerCodes), message: z.string() }).meta({ id: 'Blocker' })
export type Blocker = z.infer<typeof Blocker>

/**
 * The money as it arrived, as reported by the provider, in minor units of `currency`. `rate` is units of it for one of
 * the payout's; the `fee` is in those of `feeCurrency`. Values that it has not reported are null.
 */
export const PayoutPayee = z
  .object({
    amount: Amount.nullable(),
    currency: z.string().nullable(),
    rate: z.number().nullable(),
    fee: Amount.nullable(),
    feeCurrency: z.string().nullable(),
  })
  .meta({ id: 'PayoutPayee' })
export type PayoutPayee = z.infer<typeof PayoutPayee>

/** The account that a payout goes to. `hint` are the last four digits of the account; null in events and for anyone but owners. */
export const PayoutDestination = z
  .object({
    kind: z.enum(detailKinds),
    country: z.string().nullable(),
    currency: z.string(),
    hint: z.string().nullable(),
  })
  .meta({ id: 'PayoutDestination' })
export type PayoutDestination = z.infer<typeof PayoutDestination>

export const PayoutAttempt = z
  .object({
    id: Id,
    method: z.enum(payoutMethods),
    /** The provider's id. */
    transferId: z.string().nullable(),
    wiseTransferId: z.string().nullable(),
    state: z.string(),
    fee: Amount.nullable(),
    rate: z.number().nullable(),
    error: z.string().nullable(),
    at: Instant,
  })
  .meta({ id: 'PayoutAttempt' })
export type PayoutAttempt = z.infer<typeof PayoutAttempt>

/** The findings of a bank about a payee's name, from the one that says least to the worst. */
export const nameChecks = ['not-checked', 'close-match', 'no-match'] as const

/** A bank's finding about the payee's name in a payment file, in words as `message`. */
export const NameCheck = z
  .object({ result: z.enum(nameChecks), message: z.string(), at: Instant })
  .meta({ id: 'NameCheck' })
export type NameCheck = z.infer<typeof NameCheck>

/**
 * The period spans the entries' dates; `scheduledFor` is the day of the automatic run that pays it. `paidOn` is the day
 * the money left, in the account's time zone at that time; its year is the tax year. `detailsVersion` identifies the
 * payout details it goes to: other details have another one. `taxAmount` is the VAT of its invoice, and `payAmount`,
 * the sum of both, is what leaves; balances and totals are commissions alone. `invoiceNumber` is null before its
 * invoice is issued, and again once a credit note reverses it. Before approval `firstApproval`, of the first of two
 * people, is null once it no longer counts. `destination` is null without payout details, and if a person pays by other
 * means. `payee` is null until the provider has reported it. Until `claimBy` the payee can accept a payment that was
 * sent. `reward` is null unless the partner is a customer. `nameCheck` is what the bank said of the payee's name in its newest payment file, and `paymentFile` the file that
 * may still pay it. For a partner `paymentFile`, `approvedBy`, `firstApproval` and `detailsVersion` are null and `attempts` is empty.
 */
export const Payout = z
  .object({
    id: Id,
    accountId: Id,
    partnerId: Id,
    partnerName: z.string(),
    amount: Amount,
    taxAmount: Amount,
    payAmount: Amount,
    currency: z.string(),
    invoiceNumber: z.string().nullable(),
    status: PayoutStatus,
    method: z.enum(payoutMethods),
    blockers: z.array(Blocker),
    periodStart: DateOnly.nullable(),
    periodEnd: DateOnly.nullable(),
    scheduledFor: DateOnly.nullable(),
    approvedAt: Instant.nullable(),
    approvedBy: z.string().nullable(),
    firstApproval: z.object({ userId: Id, name: z.string(), at: Instant }).nullable(),
    sentAt: Instant.nullable(),
    paidAt: Instant.nullable(),
    paidOn: DateOnly.nullable(),
    failureReason: z.string().nullable(),
    externalReference: z.string().nullable(),
    statementNumber: z.int(),
    detailsVersion: z.string().nullable(),
    destination: PayoutDestination.nullable(),
    payee: PayoutPayee.nullable(),
    claimBy: DateOnly.nullable(),
    nameCheck: NameCheck.nullable(),
    paymentFile: z.object({ id: Id, number: z.int() }).nullable(),
    attempts: z.array(PayoutAttempt),
    createdAt: Instant,
    updatedAt: Instant,
    reward: PayoutReward.nullable(),
  })
  .meta({ id: 'Payout' })
export type Payout = z.infer<typeof Payout>

/**
 * The action a payout needs from a person now, in display order. `decide`: its details changed lately, so no approval
 * is requested until the waiting period ends, but an owner may still approve it. `second-approval`: two people must
 * approve it, one of whom may have. `file`: its method pays by a file, which approves it. `check`: its provider does
 * not report whether it was paid; a person marks it as paid or cancels it. `check-name`: the bank found another name on
 * the account that its file pays. `results`: a payment file pays it, whose results are to be uploaded. `fund`: the
 * provider's balance is too low. `acknowledge`: units that your system hasn't granted for 3 days. `pay`: a person pays
 * it another way.
 */
export const payoutNeeds = [
  'approve',
  'second-approval',
  'file',
  'fund',
  'check',
  'check-name',
  'results',
  'acknowledge',
  'pay',
  'remind',
  'approve-year',
  'fix-details',
  'retry',
  'reconnect',
  'decide',
] as const
export type PayoutNeed = (typeof payoutNeeds)[number]

const yearFilter = z
  .string()
  .max(4, { error: 'Use a year such as 2026', abort: true })
  .regex(/^[12]\d{3}$/, 'Use a year such as 2026')
  .transform(Number)
  .optional()
/** The parts of the totals that approved payouts are: `in-payout` until the money has left, `being-returned` until it is back. */
export const payoutParts = ['awaiting-funding', 'in-payout', 'being-returned'] as const
export type PayoutPart = (typeof payoutParts)[number]

/**
 * `attention`: payouts that need this action, or `none`. `part`: those that add up to this part of the totals. `file`: those
 * that are or were in this payment file.
 * `paidYear`, `paidFrom` and `paidTo` refer to the day the money left.
 */
const filters = {
  status: anyOf(payoutStatuses),
  part: anyOf(payoutParts),
  givenAs: anyOf(rewardForms),
  file: anyId,
  attention: anyOf([...payoutNeeds, 'none']),
  paidYear: yearFilter,
  paidFrom: dateFilter,
  paidTo: dateFilter,
  from: dateFilter,
  to: dateFilter,
}
const sorts = ['amount', 'scheduledFor', 'paidOn'] as const

/** Count and sum over all pages. */
export const PayoutSums = z.object({ count: z.int(), amount: Amount, currency: z.string() }).meta({ id: 'PayoutSums' })
export type PayoutSums = z.infer<typeof PayoutSums>

export const listPayouts = endpoint('listPayouts', 'GET /accounts/:id/payouts', {
  tag: 'payouts',
  summary: 'List all payouts; from and to are creation dates',
  ...accountCall,
  allow: rights.read,
  tool: true,
  fromReplica: true,
  query: listQuery({ ...filters, partnerId: anyId }, sorts),
  reply: pageSchema(Payout).extend({ totals: PayoutSums }),
})

/** Columns of what a payee got. */
export const receivedColumns = [
  ...['payeeAmount', 'payeeCurrency', 'payeeRate', 'payeeFee', 'payeeFeeCurrency', 'claimBy'],
]

/**
 * `wise-batch` is Wise's layout of a batch to saved recipients. Making it approves the due payouts in it, so only
 * people may do it; with `status=approved` it repeats the payouts of an earlier batch. It is refused if it would hold
 * another number of payouts than `shownCount`, or pay another sum, with VAT, than `shownAmount`.
 */
const payoutFormats = ['plain', 'wise-batch'] as const
const entered = z.coerce.number().int('Enter a whole number').min(0, 'Enter 0 or more')

export const downloadPayouts = csvEndpoint(listPayouts, {
  summary: 'Download all payouts, or approve due ones into a batch file for Wise',
  file: 'payouts',
  more: ['blockers', ...receivedColumns],
  query: {
    format: z.enum(payoutFormats, `Use ${payoutFormats.join(' or ')}`).optional(),
    shownCount: entered.optional(),
    shownAmount: entered.optional(),
  },
  // a batch file approves what is in it
  allowOf: ({ query: { format } }) => (format === 'wise-batch' ? rights.pay : rights.read),
})

export const listPartnerPayouts = endpoint('listPartnerPayouts', 'GET /partners/:id/payouts', {
  summary: 'List the payouts of a partner',
  ...partnerCall,
  allow: [...rights.read, ...rights.partner],
  tool: true,
  inPortal: true,
  fromReplica: true,
  query: listQuery({ ...filters, partnerId: anyId }, sorts),
  reply: pageSchema(Payout),
})

export const downloadPartnerPayouts = csvEndpoint(listPartnerPayouts, {
  summary: 'Download the payouts of a partner',
  file: 'payouts',
  more: receivedColumns,
})

export const getPayout = endpoint('getPayout', 'GET /payouts/:id', {
  summary: 'Retrieve a payout',
  ...payoutCall,
  allow: [...rights.read, ...rights.partner],
  tool: true,
  inPortal: true,
  reply: Payout,
})

export const listPayoutEntries = endpoint('listPayoutEntries', 'GET /payouts/:id/entries', {
  summary: 'List the ledger entries in a payout',
  ...payoutCall,
  allow: [...rights.read, ...rights.partner],
  tool: true,
  inPortal: true,
  fromReplica: true,
  query: listQuery({}),
  reply: pageSchema(CommissionEntryWithSale),
})

export const downloadPayoutEntries = csvEndpoint(listPayoutEntries, {
  summary: 'Download the ledger entries in a payout',
  file: 'payout-entries',
  more: ['linkId', 'subId'],
})

/**
 * The statement of a payout, a record for both sides. Before approval it is a preview of what is due. `accountName` is
 * the account's display name, dates are in its `timeZone`. Only the last four digits of the bank account appear; null
 * for managers and viewers, and if the money goes another way. `sums` are the entries by kind and add up to the amount.
 */
export const PayoutStatement = z
  .object({
    payout: Payout,
    accountName: z.string(),
    timeZone: z.string(),
    destination: z.string().nullable(),
    numberOfEntries: z.int(),
    sums: z.array(z.object({ kind: z.enum(entryKinds), count: z.int(), amount: Amount })),
  })
  .meta({ id: 'PayoutStatement' })
export type PayoutStatement = z.infer<typeof PayoutStatement>

export const papers = ['a4', 'letter'] as const
export type Paper = (typeof papers)[number]

export const getPayoutStatement = endpoint('getPayoutStatement', 'GET /payouts/:id/statement', {
  summary:
    'Retrieve the statement of a payout as a printable page with all entries or, by Accept, as a PDF or its heading as JSON; paper is the PDF’s paper size: letter by default for an account in usd, otherwise a4',
  allow: [...rights.read, 'partner'],
  limit: { name: 'statement', perMinute: 30, by: 'user' },
  subject: 'payout',
  query: z.strictObject({ paper: z.enum(papers, 'Use a4 or letter').optional() }),
  reply: PayoutStatement,
  alsoAs: ['text/html', 'application/pdf'],
})

/** `gatherOnly` opens payouts but makes no automatic run and queries no provider. */
export const RefreshedPayouts = z.strictObject({ gatherOnly: z.boolean().optional() })
export type RefreshedPayouts = z.infer<typeof RefreshedPayouts>

export const refreshPayouts = endpoint('refreshPayouts', 'POST /accounts/:id/payouts/refresh', {
  summary: 'Collect due entries, run automatic payouts and refresh open transfers now',
  ...accountCall,
  allow: rights.pay,
  body: RefreshedPayouts,
  reply: z.object({ due: z.int(), blocked: z.int() }),
  transaction: 'own',
})

/**
 * The amount and details shown to the approving person. An omitted field isn't compared; a `detailsVersion` of null
 * means no details.
 */
const shown = {
  amount: Amount.optional(),
  payAmount: Amount.optional(),
  detailsVersion: plainText(100).nullable().optional(),
}
export const ShownPayout = z.strictObject(shown)
export type ShownPayout = z.infer<typeof ShownPayout>

/** Payouts as they were shown to a person. */
export const shownPayouts = (most: number) =>
  z.array(z.strictObject({ id: Id, ...shown })).max(most, `Choose at most ${most} payouts`)

export const approvePayout = endpoint('approvePayout', 'POST /payouts/:id/approve', {
  summary: 'Approve a due payout with the amount shown',
  ...payoutCall,
  allow: rights.pay,
  body: ShownPayout,
  reply: Payout,
})

export const cancelPayout = endpoint('cancelPayout', 'POST /payouts/:id/cancel', {
  summary: 'Cancel a payout before any money can have been sent',
  ...payoutCall,
  allow: rights.pay,
  reply: Payout,
  transaction: 'own',
})

export const retryPayout = endpoint('retryPayout', 'POST /payouts/:id/retry', {
  summary: 'Retry a failed or unfunded payout',
  ...payoutCall,
  allow: rights.pay,
  reply: Payout,
})

/** The ends of a payout in a payment file, as a person reports them. */
export const inFileChoices = ['paid', 'removed'] as const

export const paidPayoutShape = {
  reference: requiredText(255).optional(),
  paidAt: EnteredDay.optional(),
  inFile: z.enum(inFileChoices, `Use ${inFileChoices.join(' or ')}`).optional(),
  amount: Amount.optional(),
  payAmount: Amount.optional(),
}

const referenceMissing = 'Payment Reference is required'

/** The rule that a payment needs its reference, unless a file has it. */
const withReference = [
  ({ reference, inFile }: { reference?: string | undefined; inFile?: string | undefined }) =>
    reference !== undefined || inFile === 'paid',
  {
    path: ['reference'] as PropertyKey[],
    message: referenceMissing,
    // said beside what else is wrong, such as the day
    when: ({ value }: { value: unknown }) => typeof value === 'object' && value !== null,
  },
] as const

/**
 * `paidAt` defaults to now; `amount` and `payAmount`, as shown to the person, aren't compared if left out. A payout that a
 * payment file may still pay needs `inFile`: `paid` if the bank paid it from the file, whose reference the payout then
 * has, `removed` if it was taken out of the file and paid another way. A later report of the bank pays neither again.
 * `approvePartner` also approves the partner for payouts in the year of `paidAt`.
 */
export const PaidPayout = z
  .strictObject({ ...paidPayoutShape, approvePartner: z.boolean().optional() })
  .refine(...withReference)
export type PaidPayout = z.infer<typeof PaidPayout>

export const markPayoutPaid = endpoint('markPayoutPaid', 'POST /payouts/:id/mark-paid', {
  summary: 'Mark a payout as paid by other means; API keys only an approved one',
  ...payoutCall,
  allow: [...rights.pay, 'payouts'],
  body: PaidPayout,
  reply: Payout,
})

/** Maximum payouts marked as paid by one call. */
export const MOST_MARKED = 500
const mostMarked = `Choose at most ${MOST_MARKED} payouts`

/**
 * Either `ids` that were paid together, with one `reference`, or `items` with a reference each. `paidAt` defaults to
 * now; `inFile` is as for one, and of all the `ids`.
 */
export const PaidPayouts = z
  .strictObject({
    ids: z.array(Id).min(1, 'Choose at least one payout').max(MOST_MARKED, mostMarked).optional(),
    reference: requiredText(255).optional(),
    paidAt: paidPayoutShape.paidAt,
    inFile: paidPayoutShape.inFile,
    items: z
      .array(z.strictObject({ id: Id, ...paidPayoutShape }).refine(...withReference))
      .min(1, 'Choose at least one payout')
      .max(MOST_MARKED, mostMarked)
      .optional(),
  })
  .superRefine(({ ids, reference, paidAt, inFile, items }, { addIssue }) => {
    const wrong = (field: string, message: string) => addIssue({ code: 'custom', path: [field], message })
    if ((ids === undefined) === (items === undefined)) wrong('ids', 'Send either ids or items')
    else if (ids && reference === undefined && inFile !== 'paid') wrong('reference', referenceMissing)
    else if (items && reference !== undefined) wrong('reference', 'Send the reference of each item')
    else if (items && paidAt !== undefined) wrong('paidAt', 'Send the date of each item')
    else if (items && inFile !== undefined) wrong('inFile', 'Send it for each item')
  })
export type PaidPayouts = z.infer<typeof PaidPayouts>

/** Maximum payouts approved by one call. */
export const MOST_APPROVED = 100

/** `preview` only returns what an approval would do. `shown` is what the approving person saw of each payout. */
export const ApprovedPayouts = z.strictObject({
  ids: z.array(Id).min(1, 'Choose at least one payout').max(MOST_APPROVED, `Choose at most ${MOST_APPROVED} payouts`),
  preview: z.boolean().optional(),
  shown: shownPayouts(MOST_APPROVED).optional(),
})
export type ApprovedPayouts = z.infer<typeof ApprovedPayouts>

/** `status` is the payout's after the call, null for an unknown id. */
export const ApprovalResults = z
  .object({ results: z.array(z.object({ id: Id, status: PayoutStatus.nullable(), error: RowError.nullable() })) })
  .meta({ id: 'ApprovalResults' })
export type ApprovalResults = z.infer<typeof ApprovalResults>

/**
 * `firstApprovals`: payouts that another person must approve too; `count` and the amounts are without them. `payAmount`
 * is the `amount` with VAT. `payouts` are the ones in it, to be sent as `shown`.
 */
export const ApprovalPreview = z
  .object({
    payouts: z.array(z.object({ id: Id, amount: Amount, payAmount: Amount, detailsVersion: z.string().nullable() })),
    count: z.int(),
    amount: Amount,
    payAmount: Amount,
    firstApprovals: z.int(),
    feeEstimate: Amount.nullable(),
    excluded: z.array(z.object({ id: Id, error: RowError })),
  })
  .meta({ id: 'ApprovalPreview' })
export type ApprovalPreview = z.infer<typeof ApprovalPreview>

export const markPayoutsPaid = endpoint('markPayoutsPaid', 'POST /accounts/:id/payouts/mark-paid', {
  summary: 'Mark many payouts as paid by other means',
  ...accountCall,
  allow: rights.pay,
  body: PaidPayouts,
  maxValues: 3500,
  reply: ApprovalResults,
})

export const approvePayouts = endpoint('approvePayouts', 'POST /accounts/:id/payouts/approve', {
  summary: 'Approve many payouts, or preview the approval',
  ...accountCall,
  allow: rights.pay,
  body: ApprovedPayouts,
  maxValues: 1000,
  reply: z.union([ApprovalResults, ApprovalPreview]),
})

const Total = z.object({ amount: Amount, count: z.int() })

/**
 * The sums owed to partners at this moment: `owed` is `due` and `notYetDue`, the sums of today's books. `due` is
 * `ready`, `blocked`, `awaitingFunding` and `inPayout` less `overpaid`, the balances below zero; `notYetDue` is `held`
 * and `onHold`. `blocked` is due to partners without a payout that could be approved, `inPayout` approved money that has
 * not left. `beingReturned` has left and is in none of them. `ready`, `awaitingFunding`, `inPayout`, `beingReturned` and
 * the totals below count payouts, the others partners. `dueNow` is `ready`. `unapproved` are the due and the blocked
 * payouts, `needsAction` those that `GET /payouts?attention=` lists by any need, and `paid` those of all years. `feeEstimate` are the usual fees of
 * those `ready`, null if none is known.
 */
export const PayoutTotals = z
  .object({
    currency: z.string(),
    owed: Total,
    due: Total,
    ready: Total,
    blocked: Total,
    awaitingFunding: Total,
    inPayout: Total,
    overpaid: Total,
    notYetDue: Total,
    held: Total,
    onHold: Total,
    beingReturned: Total,
    paidThisYear: Total,
    dueNow: Total,
    unapproved: Total,
    needsAction: Total,
    paid: Total,
    feeEstimate: Amount.nullable(),
  })
  .meta({ id: 'PayoutTotals' })
export type PayoutTotals = z.infer<typeof PayoutTotals>

export const getPayoutTotals = endpoint('getPayoutTotals', 'GET /accounts/:id/payouts/totals', {
  summary: 'Retrieve what is owed to partners, by its parts, and what was paid this year',
  ...accountCall,
  allow: rights.read,
  tool: true,
  fromReplica: true,
  reply: PayoutTotals,
})

/**
 * `message` explains it in words; the other fields sum the payouts behind it, in the account's currency, and list the
 * first 100 of their partners. `method` is how money is still to be paid, else null; `fileId` and
 * `fileNumber` are the payment file that `results` are about. Each payout appears in one item at
 * most; `GET /payouts?attention={kind}` lists them.
 */
export const PayoutAttention = z
  .object({
    items: z.array(
      z.object({
        kind: z.enum(payoutNeeds).exclude(['decide']),
        message: z.string(),
        count: z.int(),
        amount: Amount,
        method: z.enum(payoutMethods).nullable(),
        fileId: Id.nullable(),
        fileNumber: z.int().nullable(),
        partnerIds: z.array(Id),
      }),
    ),
  })
  .meta({ id: 'PayoutAttention' })
export type PayoutAttention = z.infer<typeof PayoutAttention>

export const getPayoutAttention = endpoint('getPayoutAttention', 'GET /accounts/:id/payouts/attention', {
  summary: 'Retrieve the actions that get partners paid, with the amount waiting for each',
  ...accountCall,
  allow: rights.read,
  fromReplica: true,
  reply: PayoutAttention,
})
