import type { CommissionEntry } from '#contract/commissions.ts'
import type { Sale, SetAside } from '#contract/sales.ts'
import { wordFor } from '../access/access.ts'
import type { EntryReader } from '../commissions/present-entries.ts'
import { salePhrases } from './text.ts'

type Reader = Pick<EntryReader, 'as' | 'language'>

type HeldSale = { status: Sale['status']; until: string | null; reason: string | null }

/**
 * Returns the reason that a sale is on hold: an open dispute precedes a rule. A rule's finding is hidden from partners.
 */
export function saleHoldReason(now: Date, reader: Reader, sale: HeldSale): NonNullable<SetAside> {
  const { status, until, reason } = sale
  const isReviewed = until !== null && Date.parse(until) > now.getTime()
  if (status === 'disputed' || !isReviewed)
    return { until: null, reason: wordFor(reader, () => salePhrases.hold.disputed) }
  return { until, reason: forTeam(reader, reason) ?? underReview(reader) }
}

export const heldBy = ({ status, hold }: Sale): HeldSale => ({
  status,
  until: hold?.until ?? null,
  reason: hold?.reason ?? null,
})

/** The sale that made a lead a customer, and the end of the hold of the open cases of the lead or its partner. */
export type Holder = { wonSaleId: string | null; until: string | null; reason: string | null }

/** Returns the reason that an entry is on hold. */
export function onHoldBecause(
  now: Date,
  reader: Reader,
  sale: Sale | null | undefined,
  holder: Holder | undefined,
): SetAside {
  if (holder?.until) return { until: holder.until, reason: forTeam(reader, holder.reason) ?? underReview(reader) }
  return sale ? saleHoldReason(now, reader, heldBy(sale)) : null
}

/** Returns the reason that an entry is set aside, which may also be void. */
export function entryHoldReason(
  now: Date,
  reader: Reader,
  entry: CommissionEntry,
  sale: Sale | undefined,
  holder?: Holder,
): SetAside {
  if (entry.status === 'void') return voidBecause(reader, sale?.voidReason ?? null)
  return entry.status === 'on-hold' ? onHoldBecause(now, reader, sale, holder) : null
}

export const voidBecause = (reader: Reader, reason: string | null) => ({
  until: null,
  reason: forTeam(reader, reason) ?? wordFor(reader, () => salePhrases.hold.voided),
})

/** Returns a reason that a partner does not read; null without one. */
const forTeam = ({ as }: Reader, reason: string | null) => (as !== 'partner' && reason) || null

const underReview = (reader: Reader) => wordFor(reader, () => salePhrases.hold.review)
