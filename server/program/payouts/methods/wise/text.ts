import type { Word } from '#contract/format.ts'
import { defineWords } from '#contract/words.ts'

type Why = { why: Word }
type Currency = { currency: Word }

/** Sentences about transfers that are stored with payouts, in English. Those of Wise stay as Wise wrote them. */
export const wiseReasons = defineWords('wise-reasons', 'server', {
  refunded: 'Wise refunded the money.',
  chargedBack: 'Wise charged back the payment.',
  openQuestion: 'Wise has an open question about this transfer. Answer it on wise.com.',
  forbidden: 'Wise doesn’t allow this account to pay by API. Pay the transfer on wise.com.',
  balanceTooLow: ({ currency }: Currency) => `The ${currency} balance in Wise is too low.`,
  noBalance: ({ currency }: Currency) => `There is no ${currency} balance in Wise.`,
  refused: 'Wise refused the payment.',
  refusedWith: ({ code }: { code: Word }) => `Wise refused the payment (${code}).`,
  refusedPayout: 'Wise refused this payout.',
  answered: ({ status }: { status: Word }) => `Wise answered ${status}.`,
  otherDetails: 'Wise created a recipient with different details than were approved.',
  otherQuotedAmount: 'Wise quoted a different amount than was approved.',
  otherQuotedCurrency: 'Wise quoted a different currency than was approved.',
  otherRecipient: 'The transfer in Wise goes to a different recipient than was approved.',
  otherQuote: 'The transfer in Wise uses a different quote.',
  otherAmount: 'The transfer in Wise has a different amount than was approved.',
  unreadable: 'The payout details can’t be read. Ask the partner to enter them again.',
  withheld: ({ why }: Why) => `The current Wise API token can’t see this transfer: ${why}`,
  tokenRejected: 'Wise rejected the API token.',
  noPermission: 'This API token doesn’t have permission for this in Wise.',
  noVersions:
    'Wise no longer has the versions of its interface that this release uses. Set WISE_API_VERSION to a quarter that it has, or update.',
  noVersion: ({ version }: { version: Word }) =>
    `Wise has no version ${version} of its interface. Set WISE_API_VERSION to one that it has.`,
})
