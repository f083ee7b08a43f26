import { z } from 'zod'
import { endpoint, rights } from './endpoint.ts'
import { bothFields } from './former-names.ts'
import { accountCall } from './payouts.ts'
import { Amount, Id, Instant, PayoutStatus, requiredText } from './values.ts'

/**
 * A read transfer's state compared with the ledger. `same`: as here. `ahead`: further than here, or known here without
 * its transfer; the payout follows once payouts resume. `unknown`: requested by this product but unknown here.
 * `missing`: known here, not there. `dismissed`: not a payout according to the owner.
 */
export const transferFindings = ['same', 'ahead', 'unknown', 'missing', 'dismissed'] as const
export type TransferFinding = (typeof transferFindings)[number]

/**
 * `state` is the provider's word, `recordedState` the stored one. `partnerId` of an unknown transfer is its likely
 * recipient.
 */
export const ReconciliationTransfer = z
  .object({
    transferId: z.string(),
    reference: z.string().nullable(),
    amount: Amount.nullable(),
    madeAt: Instant.nullable(),
    state: z.string().nullable(),
    ...bothFields('recordedState', z.string().nullable()),
    finding: z.enum(transferFindings),
    payoutId: Id.nullable(),
    statementNumber: z.int().nullable(),
    payoutStatus: PayoutStatus.nullable(),
    partnerId: Id.nullable(),
    partnerName: z.string().nullable(),
  })
  .meta({ id: 'ReconciliationTransfer' })
export type ReconciliationTransfer = z.infer<typeof ReconciliationTransfer>

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
    transfers: z.array(ReconciliationTransfer),
  })
  .meta({ id: 'PayoutReconciliation' })
export type PayoutReconciliation = z.infer<typeof PayoutReconciliation>

export const getPayoutReconciliation = endpoint('getPayoutReconciliation', 'GET /accounts/:id/payouts/reconciliation', {
  summary: 'Retrieve the reason why payouts are paused, and payments missing from the ledger',
  ...accountCall,
  allow: rights.read,
  reply: PayoutReconciliation,
})

export const startPayoutReconciliation = endpoint(
  'startPayoutReconciliation',
  'POST /accounts/:id/payouts/reconciliation',
  {
    summary: 'Read the transfers of the last 90 days again',
    ...accountCall,
    allow: rights.pay,
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
    ...accountCall,
    allow: rights.pay,
    body: ConfirmedReconciliation,
    reply: PayoutReconciliation,
  },
)
