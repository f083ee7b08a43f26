import type { Entry } from '#contract/commissions.ts'
import type { Sale, SetAside } from '#contract/sales.ts'
import type { EntryReader } from '../commissions/present-entries.ts'

type Reader = Pick<EntryReader, 'as'>

type Held = { status: Sale['status']; until: string | null; reason: string | null }

/**
 * Returns the reason that a sale is on hold: an open dispute precedes a rule. A rule's finding is hidden from partners.
 */
export function holdOf(now: Date, { as }: Reader, sale: Held): NonNullable<SetAside> {
  const { status, until, reason } = sale
  const isReviewed = until !== null && Date.parse(until) > now.getTime()
  if (status === 'disputed' || !isReviewed) return { until: null, reason: 'The payment is disputed' }
  return { until, reason: (as !== 'partner' && reason) || 'Under review' }
}

export const heldBy = ({ status, hold }: Sale): Held => ({
  status,
  until: hold?.until ?? null,
  reason: hold?.reason ?? null,
})

/** Returns the reason that an entry is set aside, which may also be void. */
export function setAside(now: Date, reader: Reader, entry: Entry, sale: Sale | undefined): SetAside {
  if (entry.status === 'void') return voidBecause(reader, sale?.voidReason ?? null)
  return entry.status === 'on-hold' && sale ? holdOf(now, reader, heldBy(sale)) : null
}

export const voidBecause = ({ as }: Reader, reason: string | null) => ({
  until: null,
  reason: (as !== 'partner' && reason) || 'The sale was voided',
})
