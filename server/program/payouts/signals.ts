import { signal } from '../../platform/events/happened.ts'

/** Payout details that had been entered before were replaced or removed. */
export const payoutDetailsChanged = signal<{ partnerId: string }>('payout-details.changed')
