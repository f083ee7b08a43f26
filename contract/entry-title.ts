import type { CommissionEntry } from './commissions.ts'
import { entryTitlePhrases as phrases } from './entry-title-words.ts'
import type { CommissionEntryWithSale } from './sales.ts'

/** Returns the title of an entry that pays for the lead itself. */
export const leadPayTitle = (
  { kind }: Pick<CommissionEntry, 'kind'>,
  paidFor: NonNullable<CommissionEntry['paidFor']>,
) =>
  (kind === 'reversal' ? phrases.reversedFor : kind === 'restoration' ? phrases.restoredFor : phrases.paidFor)[paidFor]

/** Returns what an entry is for: 'Refund of the sale on Oct 1, 2026'. */
export function entryTitle(
  { kind, paidFor, reason, refund, saleDate, saleDescription }: CommissionEntryWithSale,
  dayInWords: (day: string) => string,
): string {
  if (paidFor) return leadPayTitle({ kind }, paidFor)
  const date = saleDate && dayInWords(saleDate)
  const sale = saleDescription ?? (date ? phrases.theSaleOf({ date }) : phrases.theSale)
  switch (kind) {
    case 'adjustment':
      return reason ? phrases.adjustment({ reason }) : phrases.adjustmentAlone
    case 'bonus':
      return reason ? phrases.bonus({ reason }) : phrases.bonusAlone
    case 'restoration':
      return phrases.restored({ sale })
    case 'reversal':
      if (!refund) return phrases.voidOf({ sale })
      return (refund.kind === 'dispute' ? phrases.disputeOf : phrases.refundOf)({ sale })
    default:
      return saleDescription ?? (date ? phrases.saleOf({ date }) : phrases.saleAlone)
  }
}
