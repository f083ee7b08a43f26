import type { Word } from './format.ts'
import { defineWords } from './words.ts'

/** The words of what a commission entry is for. `entry-title.ts` joins them. */
export const entryTitlePhrases = defineWords('entry-title', 'partner', {
  adjustment: ({ reason }: { reason: Word }) => `Adjustment: ${reason}`,
  adjustmentAlone: 'Adjustment',
  bonus: ({ reason }: { reason: Word }) => `Bonus: ${reason}`,
  bonusAlone: 'Bonus',
  refundOf: ({ sale }: { sale: Word }) => `Refund of ${sale}`,
  disputeOf: ({ sale }: { sale: Word }) => `Dispute over ${sale}`,
  voidOf: ({ sale }: { sale: Word }) => `Reversal of ${sale}`,
  restored: ({ sale }: { sale: Word }) => `Restored: ${sale}`,
  saleOf: ({ date }: { date: Word }) => `Sale on ${date}`,
  saleAlone: 'Sale',
  theSaleOf: ({ date }: { date: Word }) => `the sale on ${date}`,
  theSale: 'the sale',
  paidFor: { 'qualified-lead': 'Paid for a qualified lead', 'new-customer': 'Paid for a new customer' },
  reversedFor: { 'qualified-lead': 'Reversal for a qualified lead', 'new-customer': 'Reversal for a new customer' },
  restoredFor: { 'qualified-lead': 'Restored for a qualified lead', 'new-customer': 'Restored for a new customer' },
  leadHidden: 'Another partner’s lead',
})
