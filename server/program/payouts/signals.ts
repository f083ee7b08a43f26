import type { DetailKind } from '#contract/detail-kinds.ts'
import { defineSignal } from '../../platform/events/emit-event.ts'

/**
 * Payout details entered before were replaced or removed. `kind` is that of the new ones, null without any; missing
 * from the release before.
 */
export const payoutDetailsChanged = defineSignal<{ partnerId: string; kind?: DetailKind | null }>(
  'payout-details.changed',
)

/** An owner reminds a partner of missing or wrong payout details. */
export const partnerReminded = defineSignal<{ partnerId: string }>('partner.reminder-requested')

/** Looser limits on approvals by one person come into force later; sent for each person who may pay. */
export const approvalsLoosened = defineSignal<{ userId: string; byUserId: string; inForceAt: string }>(
  'payout-approvals.loosened',
)

/**
 * A transfer was read back after a restore. It had reached this state before, or another install requested it, so its
 * partner has already been notified.
 */
export const payoutCaughtUp = defineSignal<{
  partnerId: string
  payoutId: string
  approvedAt: string
  reached: 'sent' | 'returned'
}>('payout.caught-up')

/** A payment waits for its recipient to accept it at the provider, until this day. */
export const paymentUnclaimed = defineSignal<{ partnerId: string; payoutId: string; claimBy: string }>(
  'payment.unclaimed',
)

/** A payday on which payouts wait for a person. */
export const paydayCame = defineSignal<{ day: string }>('payday.came')

/** The database is an older copy: payouts of the account wait for its owner's review. */
export const payoutsPaused = defineSignal<{ pausedAt: string }>('payouts.paused')
