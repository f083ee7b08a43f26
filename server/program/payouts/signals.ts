import { signal } from '../../platform/events/happened.ts'

/** Payout details that had been entered before were replaced or removed. */
export const payoutDetailsChanged = signal<{ partnerId: string }>('payout-details.changed')

/** An owner reminds a partner of payout details that keep them from being paid. */
export const partnerReminded = signal<{ partnerId: string }>('partner.reminder-requested')

/**
 * A transfer was read back that had come so far before the database was put back, or was asked for by another install:
 * its partner was told of it then.
 */
export const payoutCaughtUp = signal<{
  partnerId: string
  payoutId: string
  approvedAt: string
  reached: 'sent' | 'returned'
}>('payout.caught-up')

/** The database is an older copy: payouts of the account wait until its owner has looked. */
export const payoutsPaused = signal<{ pausedAt: string }>('payouts.paused')
