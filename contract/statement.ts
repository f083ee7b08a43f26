import type { EntryKind } from './commissions.ts'
import { formatNumber, formatPlural, type Word } from './format.ts'
import type { Payout, PayoutStatement } from './payouts.ts'
import type { PayoutStatus } from './values.ts'
import { defineWords } from './words.ts'

/** Texts of a payout's statement, shared by the printed page and the file. */
export const statementWords = defineWords('statement', 'partner', {
  heading: ({ number }: { number: Word }) => `Payout statement ${number}`,
  standing: {
    open: 'Not yet approved. This is a preview, and what it contains may still change.',
    due: 'Not yet approved. This is a preview, and what it contains may still change.',
    approved: 'Approved. The money hasn’t been sent yet.',
    processing: 'Approved. The payment is under way.',
    'awaiting-funding': 'Approved. The payment is under way.',
    sent: 'Sent. The money arrives within a few business days.',
    paid: 'Paid.',
    failed: 'The payment failed. No money was sent, and the amount is still owed.',
    returned: 'The money was returned. It will be paid again with another statement.',
    canceled: 'Canceled. Nothing was paid, and these amounts are on another statement.',
  } satisfies Record<PayoutStatus, string>,
  notFinal: 'Not final',
  unclaimed: 'Sent. The money is returned unless it is claimed in PayPal by',
  kinds: {
    earned: 'Commissions',
    reversal: 'Reversed after refunds, disputes and voided sales',
    restoration: 'Restored',
    adjustment: 'Adjustments',
    bonus: 'Bonuses',
  } satisfies Record<EntryKind, string>,
  from: 'From',
  to: 'To',
  sales: 'Sales',
  approved: 'Approved',
  sent: 'Sent',
  paid: 'Paid',
  account: 'Bank account',
  paypal: 'PayPal account',
  received: 'Received',
  invoice: 'Invoice',
  total: 'Total',
  vat: 'VAT',
  inAll: 'With VAT',
  layers: 'Layer 1 is the partner who referred the customer, layer 2 the partner above them, and so on.',
  later: 'Refunds and corrections of these sales will be on later statements.',
  summary: 'Summary',
  count: ({ count }: { count: number }) =>
    formatPlural(count, `${formatNumber(count)} entry`, `${formatNumber(count)} entries`),
  units: ({ currency, timeZone }: { currency: Word; timeZone: Word }) =>
    `Amounts are in ${currency}. Dates are in the time zone ${timeZone}.`,
} as const)

/** Returns the first sentence of a statement; `dayInWords` formats the day until which a payment can be claimed. */
export const standingInWords = (
  { status, claimBy }: Pick<Payout, 'status' | 'claimBy'>,
  dayInWords: (day: string) => string,
) => {
  const standing = claimBy ? `${statementWords.unclaimed} ${dayInWords(claimBy)}.` : statementWords.standing[status]
  return isFinal({ status }) ? standing : `${statementWords.notFinal}. ${standing}`
}

/** Returns whether a statement of the payout stays as it is: its money has arrived, came back or was never sent. */
export const isFinal = ({ status }: Pick<Payout, 'status'>) =>
  status === 'paid' || status === 'returned' || status === 'canceled'

/** Returns the name of a statement's file without its kind. */
export const statementFileName = ({ statementNumber, status }: Pick<Payout, 'statementNumber' | 'status'>) =>
  `PO-${statementNumber}${isFinal({ status }) ? '' : ` ${statementWords.notFinal}`}`

type Formats = { day: (instant: string | null) => string | null; dayInWords: (day: string) => string }

/** Returns the days on which a payout was sent and paid. The day on which it left stays when the time zone changes. */
export function paymentDays(
  { sentAt, paidAt, paidOn }: Pick<Payout, 'sentAt' | 'paidAt' | 'paidOn'>,
  { day, dayInWords }: Formats,
) {
  const dayOut = (at: string | null) => (at && paidOn ? dayInWords(paidOn) : day(at))
  return { sent: dayOut(sentAt), paid: sentAt ? day(paidAt) : dayOut(paidAt) }
}

/** Returns the label of the account that a payout goes to. */
export const destinationLabel = ({ destination }: Pick<Payout, 'destination'>) =>
  destination?.kind === 'paypal' ? statementWords.paypal : statementWords.account

/**
 * Returns the amounts below a statement's sums: the total, and what left in all if VAT was paid with it. A payout
 * canceled before it was approved has no entries.
 */
export function statementTotals({
  payout: { amount, taxAmount, payAmount },
  numberOfEntries,
}: Pick<PayoutStatement, 'numberOfEntries'> & { payout: Pick<Payout, 'amount' | 'taxAmount' | 'payAmount'> }) {
  if (numberOfEntries === 0) return [{ label: statementWords.total, amount: 0 }]
  const total = { label: statementWords.total, amount }
  if (taxAmount === 0) return [total]
  return [total, { label: statementWords.vat, amount: taxAmount }, { label: statementWords.inAll, amount: payAmount }]
}

/** Texts of invoices and credit notes, shared by the printed page and the file. */
export const invoiceWords = defineWords('invoice-paper', 'partner', {
  invoice: 'Self-billing invoice',
  'credit-note': 'Self-billing credit note',
  issuedFor: 'Issued by the recipient of the services in the name of the partner.',
  takenBack: 'Takes back the whole invoice below, since its payment was returned.',
  correctedBy: ({ number }: { number: Word }) =>
    `Takes back the whole invoice below. ${number} replaces it with other details.`,
  number: 'Number',
  issued: 'Date',
  credits: 'Credits',
  seller: 'From',
  sellerVatId: 'VAT ID of the partner',
  sellerTaxNumber: 'Tax number of the partner',
  sellerCompany: 'Company number of the partner',
  buyer: 'To',
  buyerVatId: 'VAT ID of the recipient',
  buyerCompany: 'Company number of the recipient',
  payout: 'Payout',
  period: 'Services from',
  net: 'Net',
  vat: 'VAT',
  gross: 'Total',
  amountsIn: 'Amounts are in',
} as const)
