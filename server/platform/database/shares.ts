/** Places shared by accounts: `take` returns whether this account gets one, `give` returns it. */
export type Shares = { take(account: string): boolean; give(account: string): void }

/**
 * Creates shares: an account may have as many places as are free: a single one gets half of them, two get a third each.
 * So there is always a place for another account.
 */
export function createShares(places: number): Shares {
  const held = new Map<string, number>()
  let free = places
  return {
    take(account) {
      const own = held.get(account) ?? 0
      if (own >= free) return false
      held.set(account, own + 1)
      free--
      return true
    },
    give(account) {
      const own = held.get(account)!
      if (own === 1) held.delete(account)
      else held.set(account, own - 1)
      free++
    },
  }
}
