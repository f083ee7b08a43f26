/** Places that accounts share: `take` answers whether there is one for this account, `give` returns it. */
export type Shares = { take(account: string): boolean; give(account: string): void }

/**
 * An account may hold as many places as are free: one alone takes half of them, two take a third each. So however
 * many accounts fill their share, there is always a place for another.
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
