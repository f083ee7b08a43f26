import { tooBusy } from './pool.ts'
import { createShares } from './shares.ts'

type Options = {
  /** Concurrent work, shared by the accounts. */
  places: number
  /** Most waiting work, shared likewise. */
  waiting: number
  patienceMs: number
}

/** Runs an account's work once there is a place for it. */
export type InTurn = <T>(account: string, work: () => Promise<T>) => Promise<T>

/**
 * Prevents an account from using all database connections: each may use its share of `places`, further work waits in
 * order.
 * Refuses: `unavailable` if too much is waiting, or its patience ends.
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
