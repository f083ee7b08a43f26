import type { Word } from '#contract/format.ts'
import { defineWords } from '#contract/words.ts'

/** A partner's remedy for each blocker of their payout. */
export const blockerWords = defineWords('blocker', 'partner', {
  /** Without those that are shown to the account only. */
  next: {
    'no-deposit-info': () => 'They say where your money is sent, and are stored encrypted.',
    'not-approved-this-year': ({ account }: { account: Word }) =>
      `${account} approves partners once a year. No action needed.`,
    'not-approved-next-year': ({ account }: { account: Word }) =>
      `${account} approves partners once a year. No action needed.`,
    'below-minimum': () => 'The balance carries over until it reaches the minimum.',
    'negative-balance': () => 'It will be deducted from your future earnings.',
    'on-hold-fraud': ({ account }: { account: Word }) =>
      `${account} is reviewing some of your sales. No action needed.`,
    'deposit-info-changed-recently': () => 'This keeps your money safe. No action needed.',
    'payouts-not-configured': ({ account }: { account: Word }) => `${account} pays you manually. No action needed.`,
    'currency-unsupported': ({ account }: { account: Word }) => `${account} will pay you another way.`,
    'no-method': ({ account }: { account: Word }) => `${account} pays you manually. No action needed.`,
    'details-rejected': () => 'Replace your payout details.',
    'wise-rejected-recipient': () => 'Replace your payout details.',
    'agreement-not-accepted': () => 'Read and accept it in the notice above.',
    'tax-form-missing': () => 'Fill in and sign your tax form.',
    'invoice-details-missing': () => 'Enter them in your settings.',
    'partner-disabled': ({ account }: { account: Word }) => `Ask ${account} why.`,
  },
})

export type PartnersBlocker = keyof typeof blockerWords.next
