import type { Word } from './format.ts'
import { defineWords } from './words.ts'

/** Messages of the blockers of payouts, as their partner reads them. */
export const blockerPhrases = defineWords('blocker-phrases', 'server', {
  notApproved: ({ year }: { year: Word }) => `Not yet approved for ${year}`,
  belowMinimum: ({ amount }: { amount: Word }) => `Below the minimum of ${amount}`,
  negativeBalance: 'Balance is below zero after refunds',
  detailsChanged: 'Payout details changed',
  detailsChangedUntil: ({ day }: { day: Word }) => `Payout details changed; no automatic payout before ${day}`,
  noDetails: 'Add your payout details',
  underReview: 'Under review',
  underReviewUntil: ({ day }: { day: Word }) => `Under review until ${day}`,
  suspended: 'Your account is suspended',
  agreement: 'Accept the partner agreement',
  taxForm: 'Add your tax form',
  invoiceDetails: 'Add your invoice details',
  detailsRejected: 'Payout details were rejected',
  bankDetailsRejected: 'Bank details were rejected',
  notSetUp: 'Payouts are not set up yet',
  notAutomatic: 'Your payout details can’t be paid automatically',
  currency: ({ currency }: { currency: Word }) => `Payouts in ${currency} are not possible`,
  notLinked: 'Your billing account isn’t linked yet',
  otherCurrency: 'Your billing account has another currency',
})
