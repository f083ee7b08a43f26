import type { CommissionEntry, EntryStatus } from '#contract/commissions.ts'
import { toProportion } from '#contract/money.ts'
import type { Sale } from '#contract/sales.ts'

/** One partner's share in one layer of a sale: the sum of their entries in one state. */
export type LayerShare = Pick<CommissionEntry, 'partnerId' | 'partnerName' | 'layer' | 'rate' | 'currency'> & {
  amount: number
  /** Null if the entries cancel out. */
  status: EntryStatus | null
  availableAt: string
  /** The entry whose receipt explains the share: the earned one, if it is among them. */
  entryId: string
}

/**
 * Returns the commission of a sale by layer and state, in order of layers: earned less reversed. A reversal in another
 * state than its earning, such as one of money already paid, is its own line; all lines add up to the entries.
 */
export function sumShares(entries: readonly CommissionEntry[]): LayerShare[] {
  const shares = new Map<string, LayerShare>()
  for (const { id, kind, partnerId, partnerName, layer, rate, currency, amount, status, availableAt } of entries) {
    const key = `${layer} ${partnerId} ${status}`
    const before = shares.get(key)
    if (!before)
      shares.set(key, { entryId: id, partnerId, partnerName, layer, rate, currency, amount, status, availableAt })
    else {
      before.amount += amount
      if (kind === 'earned') before.entryId = id
    }
  }
  return [...shares.values()]
    .map((share) => (share.amount === 0 && share.status !== 'void' ? { ...share, status: null } : share))
    .sort((a, b) => (a.layer ?? 0) - (b.layer ?? 0))
}

/** Sums a sale's entries, in the account's currency. */
export const sumCommission = (entries: readonly CommissionEntry[]) =>
  entries.reduce((sum, { amount }) => sum + amount, 0)

/** One partner's loss when `amount` more of the sale is refunded. */
export type Loss = { partnerId: string; partnerName: string; amount: number }

/**
 * Returns each partner's loss when `amount`, gross, is refunded: per earned entry its proportion of all refunds then
 * made, less what was reversed already; rounded like the ledger.
 */
export function computeLosses({ grossAmount, refundedAmount, commissions }: RefundedSale, amount: number): Loss[] {
  if (!grossAmount || refundedAmount === null) return []
  const lost = Math.min(grossAmount, refundedAmount + amount)
  const losses = new Map<string, Loss>()
  for (const earned of commissions.filter(({ kind }) => kind === 'earned')) {
    const { partnerId, partnerName, layer } = earned
    const corrected = sumCommission(
      commissions.filter((one) => one.kind !== 'earned' && one.partnerId === partnerId && one.layer === layer),
    )
    const loss = toProportion(earned.amount, lost, grossAmount) + corrected
    const before = losses.get(partnerId)
    if (before) before.amount += loss
    else losses.set(partnerId, { partnerId, partnerName, amount: loss })
  }
  return [...losses.values()].filter((loss) => loss.amount > 0)
}

type RefundedSale = Pick<Sale, 'grossAmount' | 'refundedAmount' | 'commissions'>
