import { z } from 'zod'
import { entryKinds, entryStatuses } from './commissions.ts'
import { csvOf } from './csv.ts'
import { apiLimit, endpoint } from './endpoint.ts'
import { EntryWithSale } from './sales.ts'
import {
  Amount,
  AmountFromZero,
  anyId,
  anyOf,
  DateOnly,
  dateFilter,
  EnteredDay,
  fileText,
  flag,
  Id,
  Instant,
  listOf,
  listQuery,
  PayoutStatus,
  payoutStatuses,
  RowError,
  requiredText,
  text,
  word,
} from './values.ts'

export const payoutMethods = ['wise', 'manual', 'csv'] as const
export type PayoutMethod = (typeof payoutMethods)[number]

/** Reasons a payout waits. */
export const blockerCodes = [
  'no-deposit-info',
  'not-approved-this-year',
  'below-minimum',
  'negative-balance',
  'on-hold-fraud',
  'deposit-info-changed-recently',
  'payouts-not-configured',
  'currency-unsupported',
  'wise-rejected-recipient',
  'partner-disabled',
] as const
export type BlockerCode = (typeof blockerCodes)[number]

/** `message` is worded for its reader, owner or partner. */
export const Blocker = z.object({ code: z.enum(blockerCodes), message: z.string() }).meta({ id: 'Blocker' })
export type Blocker = z.infer<typeof Blocker>

export const PayoutAttempt = z
  .object({
    id: Id,
    wiseTransferId: z.string().nullable(),
    state: z.string(),
    fee: Amount.nullable(),
    rate: z.number().nullable(),
    error: z.string().nullable(),
    at: Instant,
  })
  .meta({ id: 'PayoutAttempt' })
export type PayoutAttempt = z.infer<typeof PayoutAttempt>

/**
 * The period spans the entries' dates; `scheduledFor` is the day of the automatic run that pays it. `paidOn` is the day
 * the money left, in the account's time zone at that time; its year is the tax year. `detailsVersion` identifies the
 * payout details it goes to: other details have another one. For a partner `approvedBy` and `detailsVersion` are null
 * and `attempts` is empty.
 */
export const Payout = z
  .object({
    id: Id,
    accountId: Id,
    partnerId: Id,
    partnerName: z.string(),
    amount: Amount,
    currency: z.string(),
    status: PayoutStatus,
    method: z.enum(payoutMethods),
    blockers: z.array(Blocker),
    periodStart: DateOnly.nullable(),
    periodEnd: DateOnly.nullable(),
    scheduledFor: DateOnly.nullable(),
    approvedAt: Instant.nullable(),
    approvedBy: z.string().nullable(),
    sentAt: Instant.nullable(),
    paidAt: Instant.nullable(),
    paidOn: DateOnly.nullable(),
    failureReason: z.string().nullable(),
    externalReference: z.string().nullable(),
    statementNumber: z.int(),
    detailsVersion: z.string().nullable(),
    attempts: z.array(PayoutAttempt),
    createdAt: Instant,
    updatedAt: Instant,
  })
  .meta({ id: 'Payout' })
export type Payout = z.infer<typeof Payout>

/**
 * The action a payout needs from a person now, in display order. `decide`: its details changed lately, so no approval
 * is requested until the waiting period ends, but an owner may still approve it.
 */
export const payoutNeeds = [
  'approve',
  'fund',
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
/**
 * `attention`: payouts that need this action, or `none`. `paidYear`, `paidFrom` and `paidTo` refer to the day the money
 * left.
 */
const filters = {
  status: anyOf(payoutStatuses),
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
  summary: 'List all payouts; from and to are creation dates',
  allow: ['owner'],
  limit: apiLimit,
  fromReplica: true,
  subject: 'account',
  query: listQuery({ ...filters, partnerId: anyId }, sorts),
  reply: listOf(Payout).extend({ totals: PayoutSums }),
})

/**
 * `wise-batch` is Wise's layout of a batch to saved recipients. Making it approves the due payouts in it, so only
 * people may do it; with `status=approved` it repeats the payouts of an earlier batch.
 */
const payoutFormats = ['plain', 'wise-batch'] as const
export type PayoutFormat = (typeof payoutFormats)[number]

/** Maximum payouts in one batch file. */
export const MOST_IN_BATCH = 1000

export const downloadPayouts = csvOf(listPayouts, {
  summary: 'Download all payouts, or approve due ones into a batch file for Wise',
  file: 'payouts',
  more: ['blockers'],
  query: { format: z.enum(payoutFormats, `Use ${payoutFormats.join(' or ')}`).optional() },
})

export const listPartnerPayouts = endpoint('listPartnerPayouts', 'GET /partners/:id/payouts', {
  summary: 'List the payouts of a partner',
  allow: ['owner', 'partner'],
  limit: apiLimit,
  fromReplica: true,
  subject: 'partner',
  query: listQuery({ ...filters, partnerId: anyId }, sorts),
  reply: listOf(Payout),
})

export const downloadPartnerPayouts = csvOf(listPartnerPayouts, {
  summary: 'Download the payouts of a partner',
  file: 'payouts',
})

export const getPayout = endpoint('getPayout', 'GET /payouts/:id', {
  summary: 'Retrieve a payout',
  allow: ['owner', 'partner'],
  limit: apiLimit,
  subject: 'payout',
  reply: Payout,
})

/** Layers as in entries: 0 is the referring partner. */
const layers = Array.from({ length: 10 }, (_, layer) => String(layer))

/** Sums over all pages, in the account's currency. Entries on hold or void are only in `amount`. */
export const CommissionTotals = z
  .object({ count: z.int(), amount: Amount, held: Amount, due: Amount, inPayout: Amount, paid: Amount })
  .meta({ id: 'CommissionTotals' })
export type CommissionTotals = z.infer<typeof CommissionTotals>

export const listCommissions = endpoint('listCommissions', 'GET /accounts/:id/commissions', {
  tag: 'commissions',
  summary:
    'List the ledger entries of all partners, each with its sale; from and to are sale dates, dueFrom and dueTo are due dates',
  allow: ['owner'],
  limit: apiLimit,
  fromReplica: true,
  subject: 'account',
  query: listQuery(
    {
      status: anyOf(entryStatuses),
      partner: anyId,
      layer: anyOf([...layers, 'none']),
      kind: anyOf(entryKinds),
      from: dateFilter,
      to: dateFilter,
      dueFrom: dateFilter,
      dueTo: dateFilter,
    },
    ['availableAt'],
  ),
  reply: listOf(EntryWithSale).extend({ totals: CommissionTotals }),
})

export const downloadCommissions = csvOf(listCommissions, {
  summary: 'Download the ledger entries of all partners',
  file: 'commissions',
})

export const listPayoutEntries = endpoint('listPayoutEntries', 'GET /payouts/:id/entries', {
  summary: 'List the ledger entries in a payout',
  allow: ['owner', 'partner'],
  limit: apiLimit,
  fromReplica: true,
  subject: 'payout',
  query: listQuery({}),
  reply: listOf(EntryWithSale),
})

export const downloadPayoutEntries = csvOf(listPayoutEntries, {
  summary: 'Download the ledger entries in a payout',
  file: 'payout-entries',
})

/**
 * The statement of a payout, a record for both sides. Before approval it is a preview of what is due. `accountName` is
 * the account's display name, dates are in its `timeZone`. Only the last four digits of the bank account appear; null
 * if the money goes another way. `sums` are the entries by kind and add up to the amount.
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
  allow: ['owner', 'partner'],
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
  allow: ['owner'],
  limit: apiLimit,
  subject: 'account',
  body: RefreshedPayouts,
  reply: z.object({ due: z.int(), blocked: z.int() }),
  transaction: 'own',
})

/**
 * The amount and details shown to the approving person. An omitted field isn't compared; a `detailsVersion` of null
 * means no details.
 */
const shown = { amount: Amount.optional(), detailsVersion: text(100).nullable().optional() }
export const ShownPayout = z.strictObject(shown)
export type ShownPayout = z.infer<typeof ShownPayout>

export const approvePayout = endpoint('approvePayout', 'POST /payouts/:id/approve', {
  summary: 'Approve a due payout with the amount shown',
  allow: ['owner'],
  limit: apiLimit,
  subject: 'payout',
  body: ShownPayout,
  reply: Payout,
})

export const cancelPayout = endpoint('cancelPayout', 'POST /payouts/:id/cancel', {
  summary: 'Cancel a payout before any money can have been sent',
  allow: ['owner'],
  limit: apiLimit,
  subject: 'payout',
  reply: Payout,
  transaction: 'own',
})

export const retryPayout = endpoint('retryPayout', 'POST /payouts/:id/retry', {
  summary: 'Retry a failed or unfunded payout',
  allow: ['owner'],
  limit: apiLimit,
  subject: 'payout',
  reply: Payout,
})

/** `paidAt` defaults to now; `amount`, as shown to the person, isn't compared if left out. */
export const PaidPayout = z.strictObject({
  reference: requiredText(255),
  paidAt: EnteredDay.optional(),
  amount: Amount.optional(),
})
export type PaidPayout = z.infer<typeof PaidPayout>

export const markPayoutPaid = endpoint('markPayoutPaid', 'POST /payouts/:id/mark-paid', {
  summary: 'Mark a payout as paid by other means',
  allow: ['owner'],
  limit: apiLimit,
  subject: 'payout',
  body: PaidPayout,
  reply: Payout,
})

/** Maximum payouts marked as paid by one call. */
export const MOST_MARKED = 500
const mostMarked = `Choose at most ${MOST_MARKED} payouts`

/**
 * Either `ids` that were paid together, with one `reference`, or `items` with a reference each. `paidAt` defaults to
 * now.
 */
export const PaidPayouts = z
  .strictObject({
    ids: z.array(Id).min(1, 'Choose at least one payout').max(MOST_MARKED, mostMarked).optional(),
    reference: requiredText(255).optional(),
    paidAt: EnteredDay.optional(),
    items: z
      .array(z.strictObject({ id: Id, ...PaidPayout.shape }))
      .min(1, 'Choose at least one payout')
      .max(MOST_MARKED, mostMarked)
      .optional(),
  })
  .superRefine(({ ids, reference, paidAt, items }, { addIssue }) => {
    const wrong = (field: string, message: string) => addIssue({ code: 'custom', path: [field], message })
    if ((ids === undefined) === (items === undefined)) wrong('ids', 'Send either ids or items')
    else if (ids && reference === undefined) wrong('reference', 'Enter a reference')
    else if (items && reference !== undefined) wrong('reference', 'Send the reference of each item')
    else if (items && paidAt !== undefined) wrong('paidAt', 'Send the date of each item')
  })
export type PaidPayouts = z.infer<typeof PaidPayouts>

/** Maximum payouts approved by one call. */
export const MOST_APPROVED = 100

/** `preview` only returns what an approval would do. `shown` is what the approving person saw of each payout. */
export const ApprovedPayouts = z.strictObject({
  ids: z.array(Id).min(1, 'Choose at least one payout').max(MOST_APPROVED, `Choose at most ${MOST_APPROVED} payouts`),
  preview: z.boolean().optional(),
  shown: z
    .array(z.strictObject({ id: Id, ...shown }))
    .max(MOST_APPROVED, `Choose at most ${MOST_APPROVED} payouts`)
    .optional(),
})
export type ApprovedPayouts = z.infer<typeof ApprovedPayouts>

/** `status` is the payout's after the call, null for an unknown id. */
export const ApprovalResults = z
  .object({ results: z.array(z.object({ id: Id, status: PayoutStatus.nullable(), error: RowError.nullable() })) })
  .meta({ id: 'ApprovalResults' })
export type ApprovalResults = z.infer<typeof ApprovalResults>

export const ApprovalPreview = z
  .object({
    count: z.int(),
    amount: Amount,
    feeEstimate: Amount.nullable(),
    excluded: z.array(z.object({ id: Id, error: RowError })),
  })
  .meta({ id: 'ApprovalPreview' })
export type ApprovalPreview = z.infer<typeof ApprovalPreview>

export const markPayoutsPaid = endpoint('markPayoutsPaid', 'POST /accounts/:id/payouts/mark-paid', {
  summary: 'Mark many payouts as paid by other means',
  allow: ['owner'],
  limit: apiLimit,
  subject: 'account',
  body: PaidPayouts,
  maxValues: 3000,
  reply: ApprovalResults,
})

export const approvePayouts = endpoint('approvePayouts', 'POST /accounts/:id/payouts/approve', {
  summary: 'Approve many payouts, or preview the approval',
  allow: ['owner'],
  limit: apiLimit,
  subject: 'account',
  body: ApprovedPayouts,
  maxValues: 1000,
  reply: z.union([ApprovalResults, ApprovalPreview]),
})

/** Maximum rows read from a results file. */
export const MOST_RESULTS = 5000

/** `csv` is Wise's result file of a batch; its columns are recognised by name. */
export const PayoutResultsFile = z.strictObject({
  csv: fileText(1_000_000).refine((csv) => !csv.includes('\u0000'), 'Remove unsupported characters'),
  dryRun: z.boolean(),
})
export type PayoutResultsFile = z.infer<typeof PayoutResultsFile>

/**
 * The content of each row and its consequence: `was` and `becomes` differ if the payout changes status; `was` is null
 * if no approved payout was found. A row with an error changes nothing.
 */
export const PayoutResults = z
  .object({
    rows: z.array(
      z.object({
        row: z.int(),
        reference: z.string().nullable(),
        payoutId: Id.nullable(),
        partnerName: z.string().nullable(),
        amount: Amount.nullable(),
        was: PayoutStatus.nullable(),
        becomes: PayoutStatus.nullable(),
        error: RowError.nullable(),
      }),
    ),
    applied: z.int(),
  })
  .meta({ id: 'PayoutResults' })
export type PayoutResults = z.infer<typeof PayoutResults>

export const applyPayoutResults = endpoint('applyPayoutResults', 'POST /accounts/:id/payouts/results', {
  summary: 'Apply Wise’s results of a batch file; dryRun changes nothing',
  allow: ['owner'],
  limit: apiLimit,
  subject: 'account',
  body: PayoutResultsFile,
  reply: PayoutResults,
  maxBytes: 2_200_000,
})

const Total = z.object({ amount: Amount, count: z.int() })

export const PayoutTotals = z
  .object({ currency: z.string(), dueNow: Total, awaitingFunding: Total, paidThisYear: Total })
  .meta({ id: 'PayoutTotals' })
export type PayoutTotals = z.infer<typeof PayoutTotals>

export const getPayoutTotals = endpoint('getPayoutTotals', 'GET /accounts/:id/payouts/totals', {
  summary: 'Retrieve the totals due now, awaiting funding and paid this year',
  allow: ['owner'],
  limit: apiLimit,
  fromReplica: true,
  subject: 'account',
  reply: PayoutTotals,
})

/**
 * The money paid on a day. `count` is the number of sales for a partner, of payouts for an account. `destination` is
 * the last four digits of the partner's bank account, returned to the partner only.
 */
export const Payday = z
  .object({ date: DateOnly, amount: Amount, count: z.int(), destination: z.string().optional() })
  .meta({ id: 'Payday' })
export type Payday = z.infer<typeof Payday>

/** Maximum paydays in a forecast. */
export const MOST_PAYDAYS = 8

/**
 * The next eight paydays from the entries known today, each assuming that everything due earlier was paid on its day.
 * Amounts already due are paid on the day of the next automatic run, or today if paid by hand; after a change of payout
 * details an automatic run waits 72 hours. A debt is deducted from later entries, and amounts below the minimum wait
 * for the next day that reaches it. Entries on hold are excluded. Ceilings change nothing: an amount above one is still
 * due and waits for a person. `blocked` would be paid sooner or later but for payout details, a suspension or the
 * approval for the year of payment.
 */
export const PayoutForecast = z
  .object({ currency: z.string(), days: z.array(Payday), blocked: z.object({ amount: Amount, count: z.int() }) })
  .meta({ id: 'PayoutForecast' })
export type PayoutForecast = z.infer<typeof PayoutForecast>

export const getPartnerForecast = endpoint('getPartnerForecast', 'GET /partners/:id/payouts/forecast', {
  summary: 'Retrieve a partner’s next paydays with the expected amounts',
  allow: ['owner', 'partner'],
  limit: apiLimit,
  fromReplica: true,
  subject: 'partner',
  reply: PayoutForecast,
})

export const getPayoutForecast = endpoint('getPayoutForecast', 'GET /accounts/:id/payouts/forecast', {
  summary: 'Retrieve an account’s next paydays with the expected amounts',
  allow: ['owner'],
  limit: apiLimit,
  fromReplica: true,
  subject: 'account',
  reply: PayoutForecast,
})

/**
 * `message` explains it in words; the other fields sum the payouts behind it, in the account's currency, and list the
 * first 100 of their partners. `method` is how money is still to be paid, else null. Each payout appears in one item at
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
        partnerIds: z.array(Id),
      }),
    ),
  })
  .meta({ id: 'PayoutAttention' })
export type PayoutAttention = z.infer<typeof PayoutAttention>

export const getPayoutAttention = endpoint('getPayoutAttention', 'GET /accounts/:id/payouts/attention', {
  summary: 'Retrieve the actions that get partners paid, with the amount waiting for each',
  allow: ['owner'],
  limit: apiLimit,
  fromReplica: true,
  subject: 'account',
  reply: PayoutAttention,
})

export const reminderKinds = ['payout-settings', 'invitation'] as const
export const NewReminder = z.strictObject({ kind: z.enum(reminderKinds) })
export type NewReminder = z.infer<typeof NewReminder>

/** `nextAt`: when the partner can be sent the same reminder again. Nothing is `mailed` without a mail server. */
export const Reminder = NewReminder.extend({ nextAt: Instant, mailed: z.boolean() }).meta({ id: 'Reminder' })
export type Reminder = z.infer<typeof Reminder>

export const remindPartner = endpoint('remindPartner', 'POST /partners/:id/reminders', {
  tag: 'partners',
  summary: 'Remind a partner of their payout details or invitation, at most once a week each',
  allow: ['owner'],
  limit: apiLimit,
  subject: 'partner',
  body: NewReminder,
  status: 202,
  reply: Reminder,
})

/**
 * A read transfer's state compared with the ledger. `same`: as here. `ahead`: further than here, or known here without
 * its transfer; the payout follows once payouts resume. `unknown`: requested by this product but unknown here.
 * `missing`: known here, not there. `dismissed`: not a payout according to the owner.
 */
export const transferFindings = ['same', 'ahead', 'unknown', 'missing', 'dismissed'] as const
export type TransferFinding = (typeof transferFindings)[number]

/**
 * `state` is the provider's word, `stateHere` the stored one. `partnerId` of an unknown transfer is its likely
 * recipient.
 */
export const ReadTransfer = z
  .object({
    transferId: z.string(),
    reference: z.string().nullable(),
    amount: Amount.nullable(),
    madeAt: Instant.nullable(),
    state: z.string().nullable(),
    stateHere: z.string().nullable(),
    finding: z.enum(transferFindings),
    payoutId: Id.nullable(),
    statementNumber: z.int().nullable(),
    payoutStatus: PayoutStatus.nullable(),
    partnerId: Id.nullable(),
    partnerName: z.string().nullable(),
  })
  .meta({ id: 'ReadTransfer' })
export type ReadTransfer = z.infer<typeof ReadTransfer>

/** Maximum transfers listed. */
export const MOST_READ_TRANSFERS = 500

/**
 * Payouts paused since `pausedAt` because this database may be an older copy. `readAt` is when every transfer of the
 * last 90 days had been read; `problem` is why reading stopped. `transfers` are those that are not `same`, `unknown`
 * ones first. `webhooksPaused`: outgoing webhooks of all accounts wait while any account's payouts are paused.
 */
export const PayoutReconciliation = z
  .object({
    pausedAt: Instant.nullable(),
    webhooksPaused: z.boolean(),
    readAt: Instant.nullable(),
    problem: z.string().nullable(),
    currency: z.string(),
    counts: z.object({
      same: z.int(),
      ahead: z.int(),
      unknown: z.int(),
      missing: z.int(),
      dismissed: z.int(),
    }),
    transfers: z.array(ReadTransfer),
  })
  .meta({ id: 'PayoutReconciliation' })
export type PayoutReconciliation = z.infer<typeof PayoutReconciliation>

export const getPayoutReconciliation = endpoint('getPayoutReconciliation', 'GET /accounts/:id/payouts/reconciliation', {
  summary: 'Retrieve the reason why payouts are paused, and payments missing from the ledger',
  allow: ['owner'],
  limit: apiLimit,
  subject: 'account',
  reply: PayoutReconciliation,
})

export const startPayoutReconciliation = endpoint(
  'startPayoutReconciliation',
  'POST /accounts/:id/payouts/reconciliation',
  {
    summary: 'Read the transfers of the last 90 days again',
    allow: ['owner'],
    limit: apiLimit,
    subject: 'account',
    reply: PayoutReconciliation,
  },
)

/** `record` enters an unknown transfer as a payout, to `partnerId` if its recipient is unknown. */
export const TransferDecision = z.strictObject({
  transferId: requiredText(100),
  action: z.enum(['record', 'dismiss']),
  partnerId: Id.optional(),
})
export type TransferDecision = z.infer<typeof TransferDecision>

export const ConfirmedReconciliation = z.strictObject({
  decisions: z.array(TransferDecision).max(100, 'Decide on at most 100 transfers at once').optional(),
})
export type ConfirmedReconciliation = z.infer<typeof ConfirmedReconciliation>

export const confirmPayoutReconciliation = endpoint(
  'confirmPayoutReconciliation',
  'POST /accounts/:id/payouts/reconciliation/confirm',
  {
    summary: 'Decide on unknown transfers, and resume payouts when none is left',
    allow: ['owner'],
    limit: apiLimit,
    subject: 'account',
    body: ConfirmedReconciliation,
    reply: PayoutReconciliation,
  },
)

export const legalTypes = ['PRIVATE', 'BUSINESS'] as const
export const bankAccountTypes = ['CHECKING', 'SAVINGS'] as const

/** The 50 states, the District of Columbia and four territories. */
export const usStates: readonly { code: string; name: string }[] = [
  { code: 'al', name: 'Alabama' },
  { code: 'ak', name: 'Alaska' },
  { code: 'as', name: 'American Samoa' },
  { code: 'az', name: 'Arizona' },
  { code: 'ar', name: 'Arkansas' },
  { code: 'ca', name: 'California' },
  { code: 'co', name: 'Colorado' },
  { code: 'ct', name: 'Connecticut' },
  { code: 'de', name: 'Delaware' },
  { code: 'dc', name: 'District of Columbia' },
  { code: 'fl', name: 'Florida' },
  { code: 'ga', name: 'Georgia' },
  { code: 'gu', name: 'Guam' },
  { code: 'hi', name: 'Hawaii' },
  { code: 'id', name: 'Idaho' },
  { code: 'il', name: 'Illinois' },
  { code: 'in', name: 'Indiana' },
  { code: 'ia', name: 'Iowa' },
  { code: 'ks', name: 'Kansas' },
  { code: 'ky', name: 'Kentucky' },
  { code: 'la', name: 'Louisiana' },
  { code: 'me', name: 'Maine' },
  { code: 'md', name: 'Maryland' },
  { code: 'ma', name: 'Massachusetts' },
  { code: 'mi', name: 'Michigan' },
  { code: 'mn', name: 'Minnesota' },
  { code: 'ms', name: 'Mississippi' },
  { code: 'mo', name: 'Missouri' },
  { code: 'mt', name: 'Montana' },
  { code: 'ne', name: 'Nebraska' },
  { code: 'nv', name: 'Nevada' },
  { code: 'nh', name: 'New Hampshire' },
  { code: 'nj', name: 'New Jersey' },
  { code: 'nm', name: 'New Mexico' },
  { code: 'ny', name: 'New York' },
  { code: 'nc', name: 'North Carolina' },
  { code: 'nd', name: 'North Dakota' },
  { code: 'oh', name: 'Ohio' },
  { code: 'ok', name: 'Oklahoma' },
  { code: 'or', name: 'Oregon' },
  { code: 'pa', name: 'Pennsylvania' },
  { code: 'pr', name: 'Puerto Rico' },
  { code: 'ri', name: 'Rhode Island' },
  { code: 'sc', name: 'South Carolina' },
  { code: 'sd', name: 'South Dakota' },
  { code: 'tn', name: 'Tennessee' },
  { code: 'tx', name: 'Texas' },
  { code: 'ut', name: 'Utah' },
  { code: 'vt', name: 'Vermont' },
  { code: 'vi', name: 'Virgin Islands' },
  { code: 'va', name: 'Virginia' },
  { code: 'wa', name: 'Washington' },
  { code: 'wv', name: 'West Virginia' },
  { code: 'wi', name: 'Wisconsin' },
  { code: 'wy', name: 'Wyoming' },
]

export const Address = z.strictObject({
  country: z.literal('us', 'Only the United States is supported').default('us'),
  state: word(2, 'Choose a state')
    .toLowerCase()
    .refine((code) => usStates.some((state) => state.code === code), 'Choose a state'),
  city: text(100).min(1, 'City is required'),
  addressLine: text(200).min(1, 'Address is required'),
  zipCode: text(20).min(5, 'Enter at least 5 characters'),
})
export type Address = z.infer<typeof Address>

/** Verifies the check digit of the American Bankers Association: weights 3, 7, 1. */
const isRoutingNumber = (value: string) =>
  /^\d{9}$/.test(value) &&
  value !== '000000000' &&
  [...value].reduce((sum, digit, index) => sum + Number(digit) * [3, 7, 1][index % 3]!, 0) % 10 === 0

const NO_ROUTING_NUMBER = 'Enter a valid 9-digit routing number'
const NO_ACCOUNT_NUMBER = 'Enter 4 to 17 digits'

/** A partner's account at a bank in the United States. */
export const DepositInfo = z
  .strictObject({
    legalType: z.enum(legalTypes),
    name: text(100).min(2, 'Use at least 2 characters'),
    routingNumber: word(9, NO_ROUTING_NUMBER).refine(isRoutingNumber, NO_ROUTING_NUMBER),
    accountNumber: word(17, NO_ACCOUNT_NUMBER).regex(/^\d{4,17}$/, NO_ACCOUNT_NUMBER),
    accountType: z.enum(bankAccountTypes),
    address: Address,
  })
  .refine(({ legalType, name }) => legalType === 'BUSINESS' || (/\S\s+\S/.test(name) && !/\p{Nd}/u.test(name)), {
    path: ['name'],
    message: 'Enter a first and last name without digits',
    when: ({ value }) => {
      const given = value as { legalType?: unknown; name?: unknown } | null
      return given?.legalType === 'PRIVATE' && typeof given.name === 'string'
    },
  })
export type DepositInfo = z.infer<typeof DepositInfo>

/**
 * Routing and account number are shown as their last four digits after five dots. `formOnFile`: the owner has recorded
 * a tax form; the partner sees this, but not which form.
 */
export const PayoutSettings = z
  .object({
    enabled: z.boolean(),
    depositInfo: z
      .object({
        legalType: z.enum(legalTypes),
        name: z.string(),
        routingNumber: z.string(),
        accountNumber: z.string(),
        accountType: z.enum(bankAccountTypes),
        address: z.object({
          country: z.string(),
          state: z.string(),
          city: z.string(),
          addressLine: z.string(),
          zipCode: z.string(),
        }),
      })
      .nullable(),
    updatedAt: Instant.nullable(),
    formOnFile: z.boolean(),
  })
  .meta({ id: 'PayoutSettings' })
export type PayoutSettings = z.infer<typeof PayoutSettings>

export const getPayoutSettings = endpoint('getPayoutSettings', 'GET /partners/:id/payout-settings', {
  tag: 'partners',
  summary: 'Retrieve the payout details, masked',
  allow: ['owner', 'partner'],
  limit: apiLimit,
  subject: 'partner',
  reply: PayoutSettings,
})

export const savePayoutSettings = endpoint('savePayoutSettings', 'POST /partners/:id/payout-settings', {
  tag: 'partners',
  summary: 'Create or replace the payout details',
  allow: ['partner'],
  limit: apiLimit,
  whileInactive: true,
  subject: 'partner',
  body: DepositInfo,
  reply: PayoutSettings,
  transaction: 'own',
})

export const deletePayoutSettings = endpoint('deletePayoutSettings', 'DELETE /partners/:id/payout-settings', {
  tag: 'partners',
  summary: 'Remove the payout details',
  allow: ['partner'],
  limit: apiLimit,
  whileInactive: true,
  subject: 'partner',
  status: 204,
})

/** Signed; held, due, on hold, in payout and paid add up to all entries. */
export const Balance = z
  .object({
    partnerId: Id,
    partnerName: z.string(),
    currency: z.string(),
    held: Amount,
    due: Amount,
    onHold: Amount,
    inPayout: Amount,
    paid: Amount,
    nextPayoutDate: DateOnly.nullable(),
    /** When the oldest due entry fell due. */
    dueSince: DateOnly.nullable(),
    blockers: z.array(Blocker),
  })
  .meta({ id: 'Balance' })
export type Balance = z.infer<typeof Balance>

/** Sums over all pages. */
export const BalanceTotals = Balance.pick({ currency: true, held: true, due: true, onHold: true })
  .extend({ count: z.int() })
  .meta({ id: 'BalanceTotals' })
export type BalanceTotals = z.infer<typeof BalanceTotals>

export const getBalance = endpoint('getBalance', 'GET /partners/:id/balance', {
  tag: 'partners',
  summary: 'Retrieve a partner’s earnings by status',
  allow: ['owner', 'partner'],
  limit: apiLimit,
  subject: 'partner',
  reply: Balance,
})

/**
 * `blocked` selects partners whose held and due amounts are blocked; `empty=false` excludes partners with nothing held,
 * due or on hold.
 */
export const listBalances = endpoint('listBalances', 'GET /accounts/:id/balances', {
  tag: 'partners',
  summary: 'List the balances of all partners',
  allow: ['owner'],
  limit: apiLimit,
  fromReplica: true,
  subject: 'account',
  query: listQuery({ partnerId: anyId, blocked: flag, empty: anyOf(['true', 'false']) }, ['due', 'nextPayoutDate']),
  reply: listOf(Balance).extend({ totals: BalanceTotals }),
})

export const downloadBalances = csvOf(listBalances, {
  summary: 'Download the balances of all partners',
  file: 'balances',
  more: ['blockers'],
})

/** `type` is Wise's upper-case word. */
export const WiseProfile = z
  .object({
    id: z.string(),
    type: z.string(),
    fullName: z.string().nullable(),
    businessName: z.string().nullable(),
  })
  .meta({ id: 'WiseProfile' })
export type WiseProfile = z.infer<typeof WiseProfile>

/**
 * Payouts above a ceiling wait for a person. `wiseProfilesAvailable` were last seen with the stored token. `wiseError`
 * is Wise's message when it last refused the token: automatic payouts pause until it accepts one.
 */
export const AutoPayoutSettings = z
  .object({
    enabled: z.boolean(),
    wiseProfile: WiseProfile.nullable(),
    wiseProfilesAvailable: z.array(WiseProfile),
    wiseTokenHint: z.string().nullable(),
    wiseError: z.string().nullable(),
    maxPerPayout: Amount.nullable(),
    maxPerRun: Amount.nullable(),
  })
  .meta({ id: 'AutoPayoutSettings' })
export type AutoPayoutSettings = z.infer<typeof AutoPayoutSettings>

/** `wiseToken: null` deletes the token and the profile. */
export const AutoPayoutSettingsChange = z.strictObject({
  enabled: z.boolean().optional(),
  wiseToken: requiredText(500).nullish(),
  wiseProfileId: requiredText(64).nullish(),
  maxPerPayout: AmountFromZero.nullish(),
  maxPerRun: AmountFromZero.nullish(),
})
export type AutoPayoutSettingsChange = z.infer<typeof AutoPayoutSettingsChange>

export const getAutoPayoutSettings = endpoint('getAutoPayoutSettings', 'GET /accounts/:id/auto-payout-settings', {
  tag: 'accounts',
  summary: 'Retrieve the settings of automatic payouts',
  allow: ['owner'],
  limit: apiLimit,
  subject: 'account',
  reply: AutoPayoutSettings,
})

export const changeAutoPayoutSettings = endpoint('changeAutoPayoutSettings', 'PUT /accounts/:id/auto-payout-settings', {
  tag: 'accounts',
  summary: 'Update automatic payouts; turning them on requires a profile that the token can access',
  allow: ['owner'],
  limit: apiLimit,
  subject: 'account',
  body: AutoPayoutSettingsChange,
  reply: AutoPayoutSettings,
  transaction: 'own',
})

export const listWiseProfiles = endpoint('listWiseProfiles', 'GET /wise/profiles', {
  tag: 'accounts',
  summary: 'List the profiles that a Wise token can access; send `Authorization: wise:{token}`',
  allow: ['public'],
  reply: z.object({ items: z.array(WiseProfile) }),
  limit: { perMinute: 10, by: 'network', overall: 60 },
  transaction: 'own',
})
