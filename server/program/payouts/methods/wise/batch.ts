import { decimalAmount } from '#contract/money.ts'
import type { DepositInfo } from '#contract/payout-settings.ts'
import type { Cell, FilePayment, Method } from '../method.ts'
import { blockers } from './blockers.ts'
import { readResults } from './read-results.ts'
import { makePayee, referenceFor } from './steps.ts'

/**
 * A file for Wise's batch payments, which an owner uploads at Wise: to recipients by id, without account numbers. Its
 * columns are Wise's template 'send to saved recipients', as of September 2026.
 */
export const wiseBatch: Method = {
  name: 'csv',
  blockers,
  file: {
    format: 'wise-batch',
    extension: 'csv',
    payees: {
      make: makePayee,
      notConnected: { wrong: 'wise_not_connected' },
      denied: ({ message }) => ({ wrong: 'wise_refuses', values: { said: message } }),
    },
    make: (_, payments) => ({ rows: payments.map(row) }),
    read: readResults,
  },
}

/** Dollars fix the target amount, other currencies the amount debited, like our own quotes. */
function row({ recipient, details, amount, currency, reference }: FilePayment): Record<string, Cell> {
  const { name, accountNumber, legalType } = details as DepositInfo
  return {
    recipientId: { plain: recipient },
    name: { text: name },
    recipientEmail: { plain: null },
    recipientDetail: { plain: `USD account ending in ${accountNumber.slice(-4)}` },
    sourceCurrency: { plain: currency.toUpperCase() },
    targetCurrency: { plain: 'USD' },
    amountCurrency: { plain: currency === 'usd' ? 'target' : 'source' },
    amount: { plain: decimalAmount(amount, currency) },
    paymentReference: { plain: referenceFor({ reference }) },
    referenceNumber: { plain: null },
    receiverType: { plain: legalType === 'BUSINESS' ? 'INSTITUTION' : 'PERSON' },
  }
}
