import { detailsRejected, type Method } from '../method.ts'
import { executeStep, nextStep, page, profiles } from './steps.ts'
import { paypalReasons } from './text.ts'

/**
 * Currencies that PayPal pays in. Without those in which it only takes whole units, though their amounts here have
 * decimals.
 */
const currencies = 'usd eur gbp aud brl cad chf czk dkk hkd ils jpy mxn myr nok nzd php pln sek sgd thb'.split(' ')

/** Payments from the balance of a PayPal account to e-mail addresses, one batch each. */
export const paypal: Method = {
  name: 'paypal',
  label: 'PayPal',
  pays: { kinds: ['paypal'], currencies },
  blockers: [detailsRejected],
  reasons: paypalReasons,
  provider: {
    site: 'paypal.com',
    // a payment is claimed or not: days prove nothing
    settlesAfterBusinessDays: null,
    looks: { everyMinutes: 10, sentEveryMinutes: 1440, paidForDays: 45 },
    numbers: { perSecond: 5, askedForDays: 25 },
    nextStep,
    execute: executeStep,
    profiles,
    page,
  },
}
