import type { EntryKind } from './commissions.ts'
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
    returned: 'The bank returned the money. It will be paid again with another statement.',
    canceled: 'Canceled. Nothing was paid, and these amounts are on another statement.',
  } satisfies Record<PayoutStatus, string>,
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
  received: 'Received',
  layers: 'Layer 1 is the partner who referred the customer, layer 2 the partner above them, and so on.',
  later: 'Refunds and corrections of these sales will be on later statements.',
} as const
