import { z } from 'zod'
import { apiLimit, endpoint } from './endpoint.ts'
import { Entry, Refund } from './sales.ts'
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
  listOf,
  listQuery,
  RowError,
  requiredText,
} from './values.ts'

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

export const payoutMethods = ['wise', 'manual', 'csv'] as const
export type PayoutMethod = (typeof payoutMethods)[number]

/** Why a payout waits. */
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
 * The period spans the entries' dates; `scheduledFor` is the day of the automatic run that takes it.
 * To a partner `approvedBy` is null and `attempts` empty.
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
    failureReason: z.string().nullable(),
    externalReference: z.string().nullable(),
    statementNumber: z.int(),
    attempts: z.array(PayoutAttempt),
    createdAt: Instant,
    updatedAt: Instant,
  })
  .meta({ id: 'Payout' })
export type Payout = z.infer<typeof Payout>

const filters = { status: anyOf(payoutStatuses), from: dateFilter, to: dateFilter }
const sorts = ['amount', 'scheduledFor'] as const

export const listPayouts = endpoint({
  name: 'listPayouts',
  method: 'GET',
  path: '/accounts/:id/payouts',
  summary: 'List all payouts; from and to are creation dates',
  allow: ['owner'],
  limit: apiLimit,
  subject: 'account',
  params: IdParams,
  query: listQuery({ ...filters, partnerId: anyId }, sorts),
  reply: listOf(Payout),
})

export const listPartnerPayouts = endpoint({
  name: 'listPartnerPayouts',
  method: 'GET',
  path: '/partners/:id/payouts',
  summary: 'List the payouts of a partner',
  allow: ['owner', 'partner'],
  limit: apiLimit,
  subject: 'partner',
  params: IdParams,
  query: listQuery(filters, sorts),
  reply: listOf(Payout),
})

export const getPayout = endpoint({
  name: 'getPayout',
  method: 'GET',
  path: '/payouts/:id',
  summary: 'Retrieve a payout',
  allow: ['owner', 'partner'],
  limit: apiLimit,
  subject: 'payout',
  params: IdParams,
  reply: Payout,
})

/**
 * An entry of a payout with what it is known by: the day and the words of its sale, whose sale it was, and the refund or
 * dispute that took it back. All are null of what no sale earned; to a partner the words are null, and the lead's name is
 * the one they may see.
 */
export const PayoutEntry = Entry.extend({
  saleDate: DateOnly.nullable(),
  saleDescription: z.string().nullable(),
  lead: z.object({ id: Id, name: z.string() }).nullable(),
  refund: Refund.pick({ kind: true, at: true }).nullable(),
}).meta({ id: 'PayoutEntry' })
export type PayoutEntry = z.infer<typeof PayoutEntry>

export const listPayoutEntries = endpoint({
  name: 'listPayoutEntries',
  method: 'GET',
  path: '/payouts/:id/entries',
  summary: 'List the ledger entries that a payout pays',
  allow: ['owner', 'partner'],
  limit: apiLimit,
  subject: 'payout',
  params: IdParams,
  query: listQuery({}),
  reply: listOf(PayoutEntry),
})

export const refreshPayouts = endpoint({
  name: 'refreshPayouts',
  method: 'POST',
  path: '/accounts/:id/payouts/refresh',
  summary: 'Collect what is due, run automatic payouts and refresh open transfers now',
  allow: ['owner'],
  limit: apiLimit,
  subject: 'account',
  params: IdParams,
  reply: z.object({ due: z.int(), blocked: z.int() }),
  transaction: 'own',
})

export const approvePayout = endpoint({
  name: 'approvePayout',
  method: 'POST',
  path: '/payouts/:id/approve',
  summary: 'Approve a due payout',
  allow: ['owner'],
  limit: apiLimit,
  subject: 'payout',
  params: IdParams,
  reply: Payout,
})

export const cancelPayout = endpoint({
  name: 'cancelPayout',
  method: 'POST',
  path: '/payouts/:id/cancel',
  summary: 'Cancel a payout before any money may have left',
  allow: ['owner'],
  limit: apiLimit,
  subject: 'payout',
  params: IdParams,
  reply: Payout,
  transaction: 'own',
})

export const retryPayout = endpoint({
  name: 'retryPayout',
  method: 'POST',
  path: '/payouts/:id/retry',
  summary: 'Retry a failed or unfunded payout',
  allow: ['owner'],
  limit: apiLimit,
  subject: 'payout',
  params: IdParams,
  reply: Payout,
})

/** `paidAt` is now where left out. */
export const PaidPayout = z.strictObject({ reference: requiredText(255), paidAt: EnteredDay.optional() })
export type PaidPayout = z.infer<typeof PaidPayout>

export const markPayoutPaid = endpoint({
  name: 'markPayoutPaid',
  method: 'POST',
  path: '/payouts/:id/mark-paid',
  summary: 'Mark a payout as paid by other means',
  allow: ['owner'],
  limit: apiLimit,
  subject: 'payout',
  params: IdParams,
  body: PaidPayout,
  reply: Payout,
})

/** Payouts approved by one call. */
export const MOST_APPROVED = 100

/** `preview` does nothing but answer what an approval would. */
export const ApprovedPayouts = z.strictObject({
  ids: z.array(Id).min(1, 'Choose at least one payout').max(MOST_APPROVED, `Choose at most ${MOST_APPROVED} payouts`),
  preview: z.boolean().optional(),
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

export const approvePayouts = endpoint({
  name: 'approvePayouts',
  method: 'POST',
  path: '/accounts/:id/payouts/approve',
  summary: 'Approve many payouts, or preview the approval',
  allow: ['owner'],
  limit: apiLimit,
  subject: 'account',
  params: IdParams,
  body: ApprovedPayouts,
  reply: z.union([ApprovalResults, ApprovalPreview]),
})

const Total = z.object({ amount: Amount, count: z.int() })

export const PayoutTotals = z
  .object({ currency: z.string(), dueNow: Total, awaitingFunding: Total, paidThisYear: Total })
  .meta({ id: 'PayoutTotals' })
export type PayoutTotals = z.infer<typeof PayoutTotals>

export const getPayoutTotals = endpoint({
  name: 'getPayoutTotals',
  method: 'GET',
  path: '/accounts/:id/payouts/totals',
  summary: 'Retrieve the totals due now, awaiting funding and paid this year',
  allow: ['owner'],
  limit: apiLimit,
  subject: 'account',
  params: IdParams,
  reply: PayoutTotals,
})
