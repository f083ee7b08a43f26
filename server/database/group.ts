import { type Database, isDatabaseAway, type Transaction, transaction } from '../platform/database/pool.ts'

type Waiting<Item, Result> = { item: Item; resolve(result: Result): void; reject(reason: unknown): void }

type Options = {
  /** The most items one commit takes. */
  max: number
}

/**
 * Commits many small effects together: items gather while the last commit runs, and the next group starts at the end
 * of the loop turn. There is no timer, because lingering halves the throughput, and one lane, because a second one
 * splits the groups.
 *
 * `run` answers one result per item, in order; an Error among them refuses that item alone, and whatever `run` wrote
 * for it is committed. The promise of an item settles only after the commit. A group that fails is run again one by
 * one, each in its own transaction, so that one bad row never fails its neighbours; so `run` must have no effect
 * outside the database. While the database is away all fail at once, and none is tried again: a commit that was lost
 * on the way may have happened.
 */
export function createGroup<Item, Result>(
  db: Database,
  run: (tx: Transaction, items: Item[]) => Promise<(Result | Error)[]>,
  { max }: Options,
): (item: Item) => Promise<Result> {
  let waiting: Waiting<Item, Result>[] = []
  let busy = false

  const commit = (group: Waiting<Item, Result>[]) =>
    transaction(db, async (tx) => {
      const items = group.map(({ item }) => item)
      const results = await run(tx, items)
      if (results.length !== items.length) throw new Error(`${items.length} items, but ${results.length} results`)
      return results
    })

  async function commitAndSettle(group: Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await commit(group)
      for (const [index, waiter] of group.entries()) settle(waiter, results[index]!)
    } catch (error) {
      if (group.length === 1 || isDatabaseAway(error)) for (const { reject } of group) reject(error)
      else await commitOneByOne(group)
    }
  }

  async function commitOneByOne(group: Waiting<Item, Result>[]) {
    for (const [index, waiter] of group.entries()) {
      try {
        const [result] = await commit([waiter])
        settle(waiter, result!)
      } catch (error) {
        waiter.reject(error)
        if (!isDatabaseAway(error)) continue
        for (const { reject } of group.slice(index + 1)) reject(error)
        return
      }
    }
  }

  async function next() {
    const group = waiting.slice(0, max)
    waiting = waiting.slice(max)
    await commitAndSettle(group)
    if (waiting.length > 0) setImmediate(next)
    else busy = false
  }

  return (item) =>
    new Promise<Result>((resolve, reject) => {
      waiting.push({ item, resolve, reject })
      if (busy) return
      busy = true
      setImmediate(next)
    })
}

function settle<Result>({ resolve, reject }: Waiting<unknown, Result>, result: Result | Error) {
  if (result instanceof Error) reject(result)
  else resolve(result)
}
