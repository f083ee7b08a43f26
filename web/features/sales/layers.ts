import type { Entry, EntryStatus } from '#contract/sales.ts'

/** What one partner has in one layer of a sale: his entries of one state, added up. */
export type LayerShare = Pick<Entry, 'partnerId' | 'partnerName' | 'layer' | 'rate' | 'currency'> & {
  amount: number
  /** Null where nothing is left. */
  status: EntryStatus | null
  availableAt: string
}

/**
 * The commission of a sale by layer and state, layer by layer: what is earned less what was taken back. A reversal that
 * stands elsewhere than its earning, such as one of money paid already, is a line of its own; all lines add up to the
 * entries.
 */
export function sharesOf(entries: readonly Entry[]): LayerShare[] {
  const shares = new Map<string, LayerShare>()
  for (const { partnerId, partnerName, layer, rate, currency, amount, status, availableAt } of entries) {
    const key = `${layer} ${partnerId} ${status}`
    const before = shares.get(key)
    if (before) before.amount += amount
    else shares.set(key, { partnerId, partnerName, layer, rate, currency, amount, status, availableAt })
  }
  return [...shares.values()]
    .map((share) => (share.amount === 0 && share.status !== 'void' ? { ...share, status: null } : share))
    .sort((a, b) => (a.layer ?? 0) - (b.layer ?? 0))
}

/** What a sale's entries add up to, in the account's currency. */
export const commissionOf = (entries: readonly Entry[]) => entries.reduce((sum, { amount }) => sum + amount, 0)
