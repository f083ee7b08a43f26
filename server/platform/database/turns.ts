import { tooBusy } from './pool.ts'
import { createShares } from './shares.ts'

type Options = {
  /** How much work runs at once, shared by the accounts. */
  places: number
  /** How much waits for it at most, shared likewise. */
  waiting: number
  patienceMs: number
}

/** Runs work of an account once there is a place for it. */
export type InTurn = <T>(account: string, work: () => Promise<T>) => Promise<T>

/**
 * Keeps one account from taking all database connections: each may use its share of `places`, and what is more waits
 * its turn, in the order it came.
 * Refuses: `unavailable` where as much waits already, or its patience ends.
 */
export function createTurns({ places, waiting, patienceMs }: Options): InTurn {
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
    const timer = setTimeout(() => {
      const left = line.get(account)!.filter((one) => one !== begin)
      if (left.length > 0) line.set(account, left)
      else line.delete(account)
      queued.give(account)
      reject(tooBusy())
    }, patienceMs)
    const others = line.get(account)
    if (others) others.push(begin)
    else line.set(account, [begin])
    return promise
  }

  function letNextBegin() {
    for (const [account, waiters] of line) {
      if (!running.take(account)) continue
      waiters.shift()!()
      // whoever has more waiting stands behind the others
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
