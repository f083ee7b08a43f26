import type { Entry, EntryStatus } from '#contract/commissions.ts'
import { proportion } from '#contract/money.ts'
import type { Sale } from '#contract/sales.ts'

/** What one partner has in one layer of a sale: their entries of one state, added up. */
export type LayerShare = Pick<Entry, 'partnerId' | 'partnerName' | 'layer' | 'rate' | 'currency'> & {
  amount: number
  /** Null where nothing is left. */
  status: EntryStatus | null
  availableAt: string
  /** The entry that tells most of it: what was earned, where that is among them. */
  entryId: string
}

/**
 * The commission of a sale by layer and state, layer by layer: what is earned less what was taken back. A reversal that
 * stands elsewhere than its earning, such as one of money paid already, is a line of its own; all lines add up to the
 * entries.
 */
export function sharesOf(entries: readonly Entry[]): LayerShare[] {
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

/** What a sale's entries add up to, in the account's currency. */
export const commissionOf = (entries: readonly Entry[]) => entries.reduce((sum, { amount }) => sum + amount, 0)

/** What one partner loses of a sale when `amount` more of it is given back. */
export type Loss = { partnerId: string; partnerName: string; amount: number }

/**
 * What everybody loses when `amount`, gross, is refunded: per earned entry its part of all that is then given back, less
 * what was taken already; rounded as the ledger rounds it.
 */
export function lossesOf({ grossAmount, refundedAmount, commissions }: RefundedSale, amount: number): Loss[] {
  if (!grossAmount || refundedAmount === null) return []
  const lost = Math.min(grossAmount, refundedAmount + amount)
  const losses = new Map<string, Loss>()
  for (const earned of commissions.filter(({ kind }) => kind === 'earned')) {
    const { partnerId, partnerName, layer } = earned
    const corrected = commissionOf(
      commissions.filter((one) => one.kind !== 'earned' && one.partnerId === partnerId && one.layer === layer),
    )
    const loss = proportion(earned.amount, lost, grossAmount) + corrected
    const before = losses.get(partnerId)
    if (before) before.amount += loss
    else losses.set(partnerId, { partnerId, partnerName, amount: loss })
  }
  return [...losses.values()].filter((loss) => loss.amount > 0)
}

type RefundedSale = Pick<Sale, 'grossAmount' | 'refundedAmount' | 'commissions'>
