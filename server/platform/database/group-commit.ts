import type { Span } from '../span.ts'
import { doneForAll, runWithoutCause, spanOfWork } from '../work-context.ts'
import { createFairSemaphore, createShares } from './fair-semaphore.ts'
import { type Database, heldByLock, isDatabaseAway, type Transaction, tooBusy, transaction } from './pool.ts'

type Options<Item> = {
  /** Most items per commit. */
  max: number
  /** Returns an item's account. */
  accountOf(item: Item): string
  /** Milliseconds an item waits for a lock before it is refused. */
  patienceMs: number
  /** Most waiting and running items, shared by the accounts. */
  places?: number
  /** Returns the place of an account's rows: only accounts in the same one commit together. */
  placeOf?: (account: string) => Promise<string>
}

type Waiter<Item, Result> = {
  item: Item
  account: string
  span: Span | undefined
  /** Time at which its patience ends. */
  until: number
  resolve(result: Result): void
  reject(reason: unknown): void
}

type Commit<Item, Result> = (items: Item[], lockTimeoutMs: number) => Promise<(Result | Error)[]>

/**
 * Commits a group by one transaction around `run`, which returns one result per item; writes for an item that it
 * refuses are committed too.
 */
export const inOneTransaction =
  <Item, Result>(
    db: Database,
    run: (tx: Transaction, items: Item[]) => Promise<(Result | Error)[]>,
  ): Commit<Item, Result> =>
  (items, lockTimeoutMs) =>
    transaction(
      db,
      async (tx) => {
        const results = await run(tx, items)
        if (results.length !== items.length) throw new Error(`${items.length} items, but ${results.length} results`)
        return results
      },
      { lockTimeoutMs, keepsPlans: true },
    )

/** Milliseconds that a group of several accounts waits for a lock. Less than PostgreSQL's deadlock_timeout. */
const MOMENT_MS = 100
/** Like MOMENT_MS, for the halves of a group that had to wait: the lock is probably still taken. */
const BLINK_MS = 25
/** Separated accounts tried concurrently, each on a connection. */
const LANES_APART = 2
/** Places that commit concurrently, likewise. */
const LANES_SPREAD = 8

/**
 * Commits many small effects together: items are collected during the last commit, and the next group starts at the end
 * of the loop turn. There is no timer, because lingering halves the throughput, and one lane, because a second one
 * splits the groups. A group takes items from every waiting account, so that many of one leave room for others.
 * `commit` writes a group, waiting for locks no longer than the given time, and returns one result per item, in order,
 * once that is committed; an Error among them refuses only that item. It may be run again with the same items after a
 * failure, so it must have no effect outside the database. A group that fails, or waits too long for a lock, is halved
 * by accounts until the affected account is known. That account is separated: its items run in their own lane, in
 * order, until none is left. There they wait for locks until their patience ends, and a failed group is run one by one,
 * so that a bad item never fails its neighbours. While the database is unavailable all fail at once, without a retry: a
 * commit whose answer was lost may have happened. Refuses: `unavailable` if the account's places are taken, or its
 * patience ends.
 */
export function createCommitGroup<Item, Result>(
  commit: Commit<Item, Result>,
  { max, accountOf, patienceMs, places = 10_000, placeOf }: Options<Item>,
): (item: Item) => Promise<Result> {
  type Waiting = Waiter<Item, Result>
  type LaneApart = { account: string; waiting: Waiting[]; isBusy: boolean }

  const shares = createShares(places)
  const waiting = new Map<string, Waiting[]>()
  let isBusy = false
  const apart = new Map<string, LaneApart>()
  const inTurn = createFairSemaphore({ places: LANES_APART })

  function answer({ account, resolve, reject }: Waiting, result: Result | Error) {
    shares.give(account)
    if (result instanceof Error) reject(result)
    else resolve(result)
  }

  /** Returns a function that settles their results. */
  async function commitOnce(group: Waiting[], lockTimeoutMs: number): Promise<() => void> {
    const items = group.map(({ item }) => item)
    const spans = group.map(({ span }) => span)
    const results = await doneForAll(spans, 'commit of a group', () => commit(items, lockTimeoutMs))
    return () => {
      for (const [index, waiter] of group.entries()) answer(waiter, results[index]!)
    }
  }
  const commitAndSettle = async (group: Waiting[], lockTimeoutMs: number) => (await commitOnce(group, lockTimeoutMs))()

  const refuse = (group: Waiting[], error: unknown) => {
    for (const waiter of group) answer(waiter, error as Error)
  }

  async function next() {
    const [first = [], ...others] = await byPlace(take())
    const tell = others.length > 0 ? await commitEach([first, ...others]) : await commitTogether(first)
    if (waiting.size > 0) setImmediate(next)
    else isBusy = false
    // after the next group is sent, so that the database works while these are settled
    if (tell) setImmediate(tell)
  }

  /** Takes the items of the next group by account, the same number from each if it has that many. */
  function take(): Waiting[][] {
    const parts = new Map<string, Waiting[]>()
    for (let room = max; room > 0 && waiting.size > 0; ) {
      const share = Math.ceil(room / waiting.size)
      for (const [account, all] of waiting) {
        const taken = all.splice(0, Math.min(share, room))
        room -= taken.length
        parts.set(account, [...(parts.get(account) ?? []), ...taken])
        // an account with more items goes to the end of the line
        waiting.delete(account)
        if (all.length > 0) waiting.set(account, all)
        if (room === 0) break
      }
    }
    // sorted for halving, so that small accounts do not wait for large ones
    return [...parts.values()].sort((one, other) => one.length - other.length)
  }

  /** Returns the parts of each place; of one if the places can't be read, since the commit tells why. */
  async function byPlace(parts: Waiting[][]): Promise<Waiting[][][]> {
    if (!placeOf) return [parts]
    const found = await Promise.all(parts.map(([first]) => placeOf(first!.account))).catch(() => [])
    return [...Map.groupBy(parts.keys(), (at) => found[at]).values()].map((at) => at.map((index) => parts[index]!))
  }

  /** Returns the function that settles a completely committed group; parts of any other settle separately. */
  async function commitTogether(parts: Waiting[][], lockTimeoutMs = MOMENT_MS): Promise<(() => void) | undefined> {
    try {
      return await commitOnce(parts.flat(), lockTimeoutMs)
    } catch (error) {
      if (isDatabaseAway(error)) refuse(parts.flat(), error)
      else if (parts.length === 1) stepAside(parts[0]!)
      else {
        const middle = parts.length >> 1
        for (const half of [parts.slice(0, middle), parts.slice(middle)]) (await commitTogether(half, BLINK_MS))?.()
      }
      return undefined
    }
  }

  /** Commits the parts of each place in a transaction; every place settles separately. */
  async function commitEach(groups: Waiting[][][]): Promise<undefined> {
    const left = groups[Symbol.iterator]()
    const lanes = Array.from({ length: LANES_SPREAD }, async () => {
      for (const parts of left) (await commitTogether(parts))?.()
    })
    await Promise.all(lanes)
  }

  function stepAside(part: Waiting[]) {
    const { account } = part[0]!
    const lane: LaneApart = { account, waiting: [], isBusy: false }
    apart.set(account, lane)
    for (const waiter of [...part, ...(waiting.get(account) ?? [])]) waitApart(lane, waiter)
    waiting.delete(account)
  }

  function waitApart(lane: LaneApart, waiter: Waiting) {
    lane.waiting.push(waiter)
    setTimeout(() => {
      const place = lane.waiting.indexOf(waiter)
      if (place >= 0) refuse(lane.waiting.splice(place, 1), tooBusy())
    }, waiter.until - performance.now()).unref()
    if (lane.isBusy) return
    lane.isBusy = true
    runWithoutCause(() => setImmediate(runApart, lane))
  }

  async function runApart(lane: LaneApart) {
    let gotThrough = false
    while (lane.waiting.length > 0)
      gotThrough = await inTurn(lane.account, () => commitApart(lane, lane.waiting.splice(0, max)))
    lane.isBusy = false
    if (gotThrough) apart.delete(lane.account)
  }

  /** Returns false if a lock was in the way; its items wait on while they have time left. */
  async function commitApart(lane: LaneApart, group: Waiting[]): Promise<boolean> {
    if (group.length === 0) return false
    const lockTimeoutMs = patienceMs / 4
    const wait = (rest: Waiting[], error: unknown) => {
      const now = performance.now()
      refuse(
        rest.filter(({ until }) => until <= now),
        error,
      )
      lane.waiting.unshift(...rest.filter(({ until }) => until > now))
      return false
    }
    try {
      await commitAndSettle(group, lockTimeoutMs)
      return true
    } catch (error) {
      if (heldByLock(error)) return wait(group, error)
      if (group.length === 1 || isDatabaseAway(error)) {
        refuse(group, error)
        return true
      }
    }
    for (const [index, waiter] of group.entries()) {
      try {
        await commitAndSettle([waiter], lockTimeoutMs)
      } catch (error) {
        if (heldByLock(error)) return wait(group.slice(index), error)
        const isAway = isDatabaseAway(error)
        refuse(isAway ? group.slice(index) : [waiter], error)
        if (isAway) return true
      }
    }
    return true
  }

  return (item) => {
    const account = accountOf(item)
    if (!shares.take(account)) return Promise.reject(tooBusy())
    return new Promise<Result>((resolve, reject) => {
      const until = performance.now() + patienceMs
      const waiter = { item, account, span: spanOfWork(), until, resolve, reject }
      const lane = apart.get(account)
      if (lane) return waitApart(lane, waiter)
      const others = waiting.get(account)
      if (others) others.push(waiter)
      else waiting.set(account, [waiter])
      if (isBusy) return
      isBusy = true
      runWithoutCause(() => setImmediate(next))
    })
  }
}
