import { signal } from '../../platform/events/happened.ts'

/** Payout details that had been entered before were replaced or removed. */
export const payoutDetailsChanged = signal<{ partnerId: string }>('payout-details.changed')

/** An owner reminds a partner of payout details that keep them from being paid. */
export const partnerReminded = signal<{ partnerId: string }>('partner.reminder-requested')

/** The database is an older copy: payouts of the account wait until its owner has looked. */
export const payoutsPaused = signal<{ pausedAt: string }>('payouts.paused')
