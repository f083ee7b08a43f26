import type { DetailKind } from '#contract/detail-kinds.ts'
import { signal } from '../../platform/events/happened.ts'

/**
 * Payout details entered before were replaced or removed. `kind` is that of the new ones, null without any; missing
 * from the release before.
 */
export const payoutDetailsChanged = signal<{ partnerId: string; kind?: DetailKind | null }>('payout-details.changed')

/** An owner reminds a partner of missing or wrong payout details. */
export const partnerReminded = signal<{ partnerId: string }>('partner.reminder-requested')

/** Looser limits on approvals by one person come into force later; sent for each person who may pay. */
export const approvalsLoosened = signal<{ userId: string; byUserId: string; inForceAt: string }>(
  'payout-approvals.loosened',
)

/**
 * A transfer was read back after a restore. It had reached this state before, or another install requested it, so its
 * partner has already been notified.
 */
export const payoutCaughtUp = signal<{
  partnerId: string
  payoutId: string
  approvedAt: string
  reached: 'sent' | 'returned'
}>('payout.caught-up')

/** A payment waits for its recipient to accept it at the provider, until this day. */
export const paymentUnclaimed = signal<{ partnerId: string; payoutId: string; claimBy: string }>('payment.unclaimed')

/** A payday on which payouts wait for a person. */
export const paydayCame = signal<{ day: string }>('payday.came')

/** The database is an older copy: payouts of the account wait for its owner's review. */
export const payoutsPaused = signal<{ pausedAt: string }>('payouts.paused')
