import { formatPlural, type Word } from '#contract/format.ts'
import { defineWords } from '#contract/words.ts'

/** Payout details, if that can be more than a bank account in the United States. */
export const payoutDetailsWords = defineWords('payout-details', 'partner', {
  how: 'How should we pay you?',
  bank: 'Bank account',
  paypal: 'PayPal',
  currency: 'Currency',
  chooseCountry: 'Choose a country',
  ofCountry: 'Follows the country',
  choose: 'Choose',
  example: ({ example }: { example: Word }) => `For example ${example}`,
  tooShort: ({ count }: { count: number }) =>
    formatPlural(count, 'Use at least 1 character', `Use at least ${count} characters`),
  tooLong: ({ count }: { count: number }) =>
    formatPlural(count, 'Use at most 1 character', `Use at most ${count} characters`),
  accountType: 'Account Type',
  paypalEmail: 'PayPal Email',
  paypalHelp: 'The email address of your PayPal account.',
})
