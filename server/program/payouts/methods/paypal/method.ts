import type { Method } from '../method.ts'
import { ask, next, page, profiles } from './steps.ts'

/** Payments from the balance of a PayPal account to e-mail addresses, one batch each. */
export const paypal: Method = {
  name: 'paypal',
  blockers: [],
  carrier: {
    label: 'PayPal',
    site: 'paypal.com',
    // a payment is claimed or not: days prove nothing
    settlesAfterBusinessDays: null,
    looks: { everyMinutes: 10, sentEveryMinutes: 1440, paidForDays: 45 },
    numbers: { perSecond: 5, askedForDays: 25 },
    next,
    ask,
    profiles,
    page,
  },
}
