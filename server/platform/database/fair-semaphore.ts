import { tooBusy } from './pool.ts'

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

type Options = {
  /** Concurrent work, shared by the accounts. */
  places: number
  /** Most waiting work, shared likewise. */
  waiting?: number
  patienceMs?: number
}

/** Runs an account's work once there is a place for it. */
export type InTurn = <T>(account: string, work: () => Promise<T>) => Promise<T>

/**
 * Prevents an account from using all database connections: each may use its share of `places`, further work waits in
 * order.
 * Refuses: `unavailable` if too much is waiting, or its patience ends.
 */
export function createFairSemaphore({ places, waiting = Infinity, patienceMs }: Options): InTurn {
  const running = createShares(places)
  const queued = createShares(waiting)
  const line = new Map<string, (() => void)[]>()

  function wait(account: string): Promise<void> {
    if (!queued.take(account)) return Promise.reject(tooBusy())
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const begin = () => {
      clearTimeout(timer)
      queued.give(account)
      resolve()
    }
    const giveUp = () => {
      const left = line.get(account)!.filter((one) => one !== begin)
      if (left.length > 0) line.set(account, left)
      else line.delete(account)
      queued.give(account)
      reject(tooBusy())
    }
    const timer = patienceMs === undefined ? undefined : setTimeout(giveUp, patienceMs)
    const others = line.get(account)
    if (others) others.push(begin)
    else line.set(account, [begin])
    return promise
  }

  function letNextBegin() {
    for (const [account, waiters] of line) {
      if (!running.take(account)) continue
      waiters.shift()!()
      // an account with more waiting work goes to the end of the line
      line.delete(account)
      if (waiters.length > 0) line.set(account, waiters)
    }
  }

  return async (account, work) => {
    if (line.has(account) || !running.take(account)) await wait(account)
    try {
      return await work()
    } finally {
      running.give(account)
      letNextBegin()
    }
  }
}
