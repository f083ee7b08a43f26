import { decimalAmount } from '#contract/money.ts'
import { getHolder, getLegalType } from '#contract/payout-settings.ts'
import type { FileCell, FilePayment, Method } from '../method.ts'
import { blockers, pays } from './blockers.ts'
import { isResults, readResults } from './read-results.ts'
import { makePayee, referenceFor } from './steps.ts'

/**
 * A file for Wise's batch payments, which an owner uploads at Wise: to recipients by id, without account numbers. Its
 * columns are Wise's template 'send to saved recipients', as of September 2026.
 */
export const wiseBatch: Method = {
  name: 'csv',
  label: 'Wise batch file',
  pays,
  blockers,
  file: {
    format: 'wise-batch',
    extension: 'csv',
    takes: 'wise',
    payees: {
      make: makePayee,
      notConnected: { wrong: 'wise_not_connected' },
      denied: ({ message }) => ({ wrong: 'wise_refuses', values: { said: message } }),
    },
    make: (_, payments) => ({ rows: payments.map(row) }),
    read: readResults,
    isResults,
  },
}

/** The payee's amount is fixed in the account's own currency, otherwise the amount debited, like our own quotes. */
const row = ({ recipient, details, payee, amount, currency, reference }: FilePayment): Record<string, FileCell> => ({
  recipientId: { plain: recipient },
  name: { text: getHolder(details) },
  recipientEmail: { plain: null },
  recipientDetail: {
    plain: `${payee.currency.toUpperCase()} account${payee.hint ? ` ending in ${payee.hint}` : ''}`,
  },
  sourceCurrency: { plain: currency.toUpperCase() },
  targetCurrency: { plain: payee.currency.toUpperCase() },
  amountCurrency: { plain: currency === payee.currency ? 'target' : 'source' },
  amount: { plain: decimalAmount(amount, currency) },
  paymentReference: { plain: referenceFor({ reference }) },
  referenceNumber: { plain: null },
  receiverType: { plain: getLegalType(details) === 'BUSINESS' ? 'INSTITUTION' : 'PERSON' },
})
