import type { Word } from '#contract/format.ts'
import { withLanguage } from '#contract/language.ts'
import { defineWords } from '#contract/words.ts'
import type { Reader } from './methods/method.ts'

type Provider = { provider: Word }
type Why = { why: Word }
type Credit = { credit: Word }
type OfYear = { year: Word }

/** Why a payout waits, failed, came back or ended, stored in English. Methods have further ones. */
export const payoutReasons = defineWords('payout-reasons', 'server', {
  unclaimed: ({ provider, day }: Provider & { day: Word }) => `Not claimed yet; ${provider} returns it on ${day}.`,
  movingAgain: ({ provider, site }: Provider & { site: Word }) =>
    `${provider} refunded the money but is moving the transfer again. Check it on ${site}.`,
  bounced: ({ provider }: Provider) => `The bank returned the money. ${provider} is looking into it.`,
  canceledThere: ({ provider }: Provider) => `The transfer was canceled in ${provider} before it was paid.`,
  noProfile: ({ provider }: Provider) => `No ${provider} profile is selected. Choose one, or cancel this payout.`,
  notConnected: ({ provider }: Provider) => `${provider} isn’t connected. Connect it again, or cancel this payout.`,
  unknown: ({ provider }: Provider) =>
    `We don’t know yet whether ${provider} created the transfer. Connect ${provider} again to check.`,
  unread: ({ provider }: Provider) =>
    `${provider} isn’t connected, so the transfer can’t be checked. Connect ${provider} again.`,
  otherPayment: ({ provider }: Provider) =>
    `${provider} has another payment under this number, which isn’t recorded here.`,
  silent: ({ provider, days }: Provider & { days: Word }) =>
    `${provider} hasn’t reported for ${days} days whether it paid this.`,
  decide: ({ why }: Why) => `${why} If it was paid, mark it as paid; if not, cancel it.`,
  detailsChanged: 'The payout details changed.',
  detailsChangedInFile:
    'The payout details changed after this was put in a payment file. If it has not been sent, cancel it and remove it from the file.',
  suspended: 'The partner is suspended.',
  notApproved: ({ year }: OfYear) => `The partner is not approved for ${year}.`,
  noTaxForm: ({ year }: OfYear) => `The partner has no tax form for ${year}.`,
  joined: ({ payout, why }: Why & { payout: Word }) => `Joined with ${payout}. ${why}`,
  nowIn: ({ payout }: { payout: Word }) => `Now in ${payout}.`,
  bankRejected: ({ why }: Why) => `The bank rejected it: ${why}.`,
  bankReturned: ({ why }: Why) => `The bank returned it: ${why}.`,
  fileCameBack: ({ why }: Why) => `The batch file came back: ${why}.`,
  credit: {
    noCustomer: 'The customer at the payment provider isn’t known.',
    notConnected: 'The payment provider isn’t connected. Connect it again, or cancel this payout.',
    deletedEarly: 'The customer was deleted before it was known whether the credit was added.',
    deleted: 'The customer was deleted.',
    otherCurrency: 'The customer has another currency.',
    forgotten: ({ credit }: Credit) =>
      `The provider has ${credit} for this customer, which isn’t recorded here: this database is an older copy.`,
    otherAmount: ({ credit }: Credit) => `The provider has ${credit} with another amount.`,
    decide: ({ why }: Why) => `${why} If this reward was given, mark it as paid; if not, cancel it.`,
  },
})

/** Messages about the name of a payee, by what the bank found. */
export const nameCheckPhrases = defineWords('name-checks', 'server', {
  'not-checked': 'The bank couldn’t check the name',
  'close-match': 'The bank says: the name nearly matches',
  'no-match': 'The bank says: the name doesn’t match',
})

/** Words something that an owner reads in English, and a partner in the language of that moment. */
export const wordForReader = (reader: Reader, say: () => string): string =>
  reader === 'owner' ? withLanguage('en', say) : say()
