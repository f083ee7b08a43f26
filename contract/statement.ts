import type { EntryKind } from './commissions.ts'
import type { Payout, PayoutStatement } from './payouts.ts'
import type { PayoutStatus } from './values.ts'

/** Texts of a payout's statement, shared by the printed page and the file. */
export const statementWords = {
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
} as const

/** Returns the first sentence of a statement; `dayInWords` formats the day until which a payment can be claimed. */
export const standingInWords = (
  { status, claimBy }: Pick<Payout, 'status' | 'claimBy'>,
  dayInWords: (day: string) => string,
) => (claimBy ? `${statementWords.unclaimed} ${dayInWords(claimBy)}.` : statementWords.standing[status])

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
export const invoiceWords = {
  invoice: 'Self-billing invoice',
  'credit-note': 'Self-billing credit note',
  issuedFor: 'Issued by the recipient of the services in the name of the partner.',
  takenBack: 'Takes back the whole invoice below, since its payment was returned.',
  number: 'Number',
  issued: 'Date',
  credits: 'Credits',
  seller: 'From',
  sellerVatId: 'VAT ID of the partner',
  buyer: 'To',
  buyerVatId: 'VAT ID of the recipient',
  payout: 'Payout',
  period: 'Services from',
  net: 'Net',
  vat: 'VAT',
  gross: 'Total',
  amountsIn: 'Amounts are in',
} as const
