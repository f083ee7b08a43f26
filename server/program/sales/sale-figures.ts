import type { Change } from '../stats/count.ts'

/** Fields of a sale that the statistics need. */
export type CountedSale = {
  accountId: string
  leadId: string | null
  partnerId: string | null
  blueprintId: string | null
  linkId: string | null
  accountAmount: number | null
  saleDate: string
  status: string
  givenCommission?: number | null
  promotionCodes: string[] | null
  createdAt: string | Date
}
export type CountedRefund = {
  accountAmount: number
  countedOn: string | null
  restoredAmount: number
  restoredOn: string | null
}
export type CountedEntry = { partnerId: string; layer: number | null; amount: number; day: string }

export const earnedByReferrer = (entries: Pick<CountedEntry, 'layer' | 'amount'>[]) =>
  entries.reduce((sum, { layer, amount }) => (layer === 0 ? sum + amount : sum), 0)

/**
 * Returns everything a sale adds to the statistics (product.md, section 3): its revenue and its referrer's commission
 * on its date, refunds on theirs, every layer's share when earned. A void sale, or one without a lead, adds nothing.
 */
export function toFigures(sale: CountedSale, refunds: CountedRefund[], entries: CountedEntry[]): Change[] {
  const { accountId, leadId, partnerId, blueprintId, linkId, promotionCodes, givenCommission = null } = sale
  if (sale.status === 'void' || !leadId) return []
  const dimensions = { accountId, leadId, partnerId, blueprintId, linkId, promotionCodes, usedAt: usedAt(sale) }
  const own = entries.filter((entry) => entry.partnerId === partnerId)
  const earned = givenCommission === null ? earnedByReferrer(own) : 0
  const changes: Change[] = [{ ...dimensions, day: sale.saleDate, sales: 1, revenue: sale.accountAmount ?? 0, earned }]
  for (const refund of refunds) {
    if (refund.countedOn) changes.push({ ...dimensions, day: refund.countedOn, revenue: -refund.accountAmount })
    if (refund.restoredOn) changes.push({ ...dimensions, day: refund.restoredOn, revenue: refund.restoredAmount })
  }
  for (const entry of entries)
    changes.push({ ...dimensions, partnerId: entry.partnerId, day: entry.day, share: entry.amount })
  return changes
}

const DAY_MS = 86_400_000

/** Returns when a sale's promotion codes were used: when it was recorded, or for an older sale at noon of its day. */
function usedAt({ saleDate, createdAt }: CountedSale): Date {
  const [day, recorded] = [Date.parse(`${saleDate}T00:00:00Z`), new Date(createdAt)]
  return recorded.getTime() < day + 2 * DAY_MS ? recorded : new Date(day + DAY_MS / 2)
}

/** Returns the changes that undo these figures. */
export const negateChanges = (changes: Change[]): Change[] =>
  changes.map((change) => ({
    ...change,
    sales: -(change.sales ?? 0),
    revenue: -(change.revenue ?? 0),
    share: -(change.share ?? 0),
    earned: -(change.earned ?? 0),
  }))
