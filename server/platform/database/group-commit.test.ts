import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { asDatabaseOwner, freshDatabase } from '../../../test/support/postgres.ts'
import { type Refusal, refusal } from '../refusal.ts'
import { createCommitGroup as createGroupOf, inOneTransaction } from './group-commit.ts'
import { type Transaction, transaction } from './pool.ts'

const db = await freshDatabase()
await asDatabaseOwner(db).run`create table rows (value integer primary key, transaction_id bigint not null)`
await asDatabaseOwner(db).run`create table totals (account text primary key, value integer not null)`

beforeEach(() => db.run`delete from rows`)

const createGroup = <Item, Result>(
  database: typeof db,
  run: Parameters<typeof inOneTransaction<Item, Result>>[1],
  options: Parameters<typeof createGroupOf<Item, Result>>[1],
) => createGroupOf(inOneTransaction(database, run), options)

/** Assigns everything to one account. */
const alone = (max: number) => ({ max, accountOf: () => 'a', patienceMs: 5000 })

const insert = (tx: Transaction, values: number[]) => tx.run`
  insert into rows select value, txid_current() from unnest(${values}::integer[]) value`

async function insertAll(tx: Transaction, values: number[]) {
  await insert(tx, values)
  return values.map((value) => value * 10)
}

const stored = async () =>
  (await db.many<{ value: number }>`select value from rows order by value`).map((row) => row.value)
const commits = async () =>
  (await db.one<{ count: number }>`select count(distinct transaction_id) as count from rows`).count
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

test('items that arrive in one turn of the event loop are one commit, each with its own result', async () => {
  const put = createGroup(db, insertAll, alone(100))
  assert.deepEqual(await Promise.all([put(1), put(2), put(3)]), [10, 20, 30])
  assert.deepEqual(await stored(), [1, 2, 3])
  assert.equal(await commits(), 1)
})

test('the response follows the commit: another connection sees the row at once', async () => {
  const put = createGroup(db, insertAll, alone(100))
  const seen = await Promise.all(
    numbers(50).map(async (value) => {
      await put(value)
      return (await db.maybe`select from rows where value = ${value}`) !== undefined
    }),
  )
  assert.deepEqual(new Set(seen), new Set([true]))
})

test('items collect while a commit runs, at most max to a group, one group at a time', async () => {
  let running = 0
  const sizes: number[] = []
  const put = createGroup(
    db,
    async (tx, values: number[]) => {
      running++
      assert.equal(running, 1)
      sizes.push(values.length)
      await tx.run`select pg_sleep(0.02)`
      const results = await insertAll(tx, values)
      running--
      return results
    },
    alone(40),
  )
  const first = put(0)
  await new Promise((resolve) => setTimeout(resolve, 5))
  const results = await Promise.all([first, ...numbers(100).map(put)])
  assert.deepEqual(results, [0, ...numbers(100).map((value) => value * 10)])
  assert.deepEqual(sizes, [1, 40, 40, 20])
})

test('on a cluster each account commits separately, and one that fails delays no other', async () => {
  const put = createGroup(
    db,
    async (tx, values: number[]) => {
      assert.equal(new Set(values.map((value) => value % 3)).size, 1, 'of one account')
      if (values[0]! % 3 === 0) throw new Error('bad account')
      return insertAll(tx, values)
    },
    { ...alone(100), accountOf: (value: number) => `${value % 3}`, placeOf: async (account) => account },
  )
  const results = await Promise.allSettled(numbers(9).map((value) => put(value)))
  assert.deepEqual(
    results.map((one) => (one.status === 'fulfilled' ? one.value : (one.reason as Error).message)),
    [10, 20, 'bad account', 40, 50, 'bad account', 70, 80, 'bad account'],
  )
  assert.deepEqual(await stored(), [1, 2, 4, 5, 7, 8])
  assert.equal(await commits(), 2)
})

test('parallel callers lose nothing and need far fewer commits than calls', async () => {
  const put = createGroup(db, insertAll, alone(256))
  const callers = numbers(64).map(async (caller) => {
    for (let turn = 0; turn < 40; turn++) await put(caller * 1000 + turn)
  })
  await Promise.all(callers)
  assert.equal((await stored()).length, 64 * 40)
  assert.ok((await commits()) < 64 * 10, `${await commits()} commits`)
})

test('a failing row fails alone', async () => {
  await db.run`insert into rows values (5, 0)`
  const put = createGroup(db, insertAll, alone(100))
  const results = await Promise.allSettled(numbers(9).map(put))
  assert.deepEqual(
    results.map(({ status }) => status),
    numbers(9).map((value) => (value === 5 ? 'rejected' : 'fulfilled')),
  )
  assert.equal((results[4] as PromiseRejectedResult).reason.code, '23505')
  assert.deepEqual(await stored(), numbers(9))
  assert.equal(await put(10), 100)
})

test('an error as a result refuses its item only, without a second run', async () => {
  let runs = 0
  const put = createGroup(
    db,
    async (tx, values: number[]) => {
      runs++
      const good = values.filter((value) => value !== 2)
      await insert(tx, good)
      return values.map((value) => (value === 2 ? refusal('lead_exists') : value))
    },
    alone(100),
  )
  const results = await Promise.allSettled([put(1), put(2), put(3)])
  assert.deepEqual(
    results.map((result) => (result.status === 'fulfilled' ? result.value : result.reason.code)),
    [1, 'duplicate', 3],
  )
  assert.deepEqual(await stored(), [1, 3])
  assert.equal(runs, 1)
})

test('a wrong number of results commits nothing', async () => {
  const put = createGroup(
    db,
    async (tx, values: number[]) => {
      await insert(tx, values)
      return []
    },
    alone(100),
  )
  const results = await Promise.allSettled([put(1), put(2)])
  assert.deepEqual(
    results.map(({ status }) => status),
    ['rejected', 'rejected'],
  )
  assert.deepEqual(await stored(), [])
})

test('a connection lost midway fails the whole group, without a second run; the next one works', async () => {
  let runs = 0
  const put = createGroup(
    db,
    async (tx, values: number[]) => {
      runs++
      if (runs === 1) await tx.run`select pg_terminate_backend(pg_backend_pid())`
      return insertAll(tx, values)
    },
    alone(100),
  )
  const results = await Promise.allSettled([put(1), put(2), put(3)])
  assert.deepEqual(
    results.map(({ status }) => status),
    ['rejected', 'rejected', 'rejected'],
  )
  assert.equal(runs, 1)
  assert.deepEqual(await stored(), [])
  assert.equal(await put(4), 40)
})

test('a deadlock is invisible to callers: the group runs again', async () => {
  let runs = 0
  const put = createGroup(
    db,
    async (tx, values: number[]) => {
      runs++
      const results = await insertAll(tx, values)
      if (runs === 1) await tx.run`do $$ begin raise exception using errcode = '40P01'; end $$`
      return results
    },
    alone(100),
  )
  assert.deepEqual(await Promise.all([put(1), put(2)]), [10, 20])
  assert.equal(runs, 2)
})

describe('accounts that share a group', () => {
  type Item = { account: string; value: number }
  const accounts = ['a', 'b', 'c', 'd', 'e', 'f']

  beforeEach(async () => {
    await db.run`delete from totals`
    await db.run`insert into totals select account, 0 from unnest(${accounts}::text[]) account`
  })

  /** Inserts like the product: updates each account's total, in the order of their names. */
  async function insertAndCount(tx: Transaction, items: Item[]) {
    await insert(
      tx,
      items.map(({ value }) => value),
    )
    await tx.run`
      with held as (
        select account from totals where account = any(${items.map(({ account }) => account)}::text[])
        order by account for update
      )
      update totals t set value = t.value + 1 from held where t.account = held.account`
    return items.map(({ value }) => value)
  }

  let value = 0
  beforeEach(() => {
    value = 0
  })

  function aGroup(options: { max?: number; patienceMs?: number; places?: number } = {}) {
    const group = createGroup<Item, number>(db, insertAndCount, {
      ...{ max: 100, patienceMs: 5000, ...options },
      accountOf: ({ account }) => account,
    })
    return (account: string) => group({ account, value: ++value })
  }

  /** Locks the total rows of these accounts, like another session, until released. */
  async function lock(...held: string[]) {
    const [locked, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const holding = transaction(db, async (tx) => {
      await tx.run`select from totals where account = any(${held}::text[]) for update`
      locked.resolve()
      await end.promise
    })
    await locked.promise
    return async () => {
      end.resolve()
      await holding
    }
  }

  /** Returns the sorted durations of calls made one after the other for this time. */
  async function timesOf(work: () => Promise<unknown>, forMs: number) {
    const times: number[] = []
    for (const until = performance.now() + forMs; performance.now() < until; await sleep(5)) {
      const startedAt = performance.now()
      await work()
      times.push(performance.now() - startedAt)
    }
    return times.sort((one, other) => one - other)
  }

  /** Returns upper bounds for the durations of undisturbed calls, on a machine that may be busy. */
  async function unhurried(put: (account: string) => Promise<unknown>) {
    const times = await timesOf(() => put('quiet'), 500)
    return { most: 250 + 5 * times.at(-1)!, half: 50 + 3 * times[Math.floor(times.length / 2)]! }
  }

  const codeOf = (result: PromiseSettledResult<number>) =>
    result.status === 'fulfilled' ? 'kept' : (result.reason as Refusal | { code: string }).code
  const refusedByLock = (result: PromiseSettledResult<number>) => ['unavailable', '55P03'].includes(codeOf(result))

  test('a lock on one account delays no other', async () => {
    const put = aGroup()
    const fair = await unhurried(put)
    const letGo = await lock('a')
    const held = [put('a'), put('a')]
    const [times] = await Promise.all([
      timesOf(() => put('b'), 1200),
      timesOf(async () => {
        held.push(put('a'))
        await sleep(50)
      }, 1000),
    ])
    assert.ok(times.at(-1)! < fair.most, `the slowest took ${times.at(-1)} ms`)
    assert.ok(times[Math.floor(times.length / 2)]! < fair.half, `half took ${times[Math.floor(times.length / 2)]} ms`)
    await letGo()
    await Promise.all(held)
    assert.deepEqual(await stored(), numbers(value))
  })

  test('with more accounts locked than lanes, others pass, and none waits beyond its timeout', async () => {
    const put = aGroup({ patienceMs: 800 })
    const fair = await unhurried(put)
    const letGo = await lock('a', 'b', 'c', 'd', 'e')
    const startedAt = performance.now()
    const ends: number[] = []
    const held = ['a', 'b', 'c', 'd', 'e'].flatMap((account) => [put(account), put(account)])
    for (const one of held) one.catch(() => ends.push(performance.now() - startedAt))
    const times = await timesOf(() => put('f'), 1500)
    assert.ok(times.at(-1)! < 250 + fair.most, `the slowest took ${times.at(-1)} ms`)
    assert.ok(times[Math.floor(times.length / 2)]! < fair.half)
    const results = await Promise.allSettled(held)
    assert.ok(results.every(refusedByLock), JSON.stringify(results))
    assert.ok(Math.max(...ends) < 1050 + fair.most, `the last was refused after ${Math.max(...ends)} ms`)
    await letGo()
    assert.equal((await stored()).length, value - held.length)
  })

  test('a row that waited too long is refused and not written; later rows of the account are', async () => {
    const put = aGroup({ patienceMs: 300 })
    const letGo = await lock('a')
    const [result] = await Promise.allSettled([put('a')])
    assert.ok(refusedByLock(result!))
    await letGo()
    await Promise.all([put('a'), put('b'), put('a')])
    assert.deepEqual(await stored(), [2, 3, 4])
    const { count } = await db.one<{ count: number }>`select value as count from totals where account = 'a'`
    assert.equal(count, 1)
  })

  test('an account’s rows stay in order of arrival, even after it was deferred', async () => {
    const put = aGroup({ max: 3 })
    const letGo = await lock('a')
    const order: number[] = []
    const held = numbers(20).map(async () => order.push(await put('a')))
    await sleep(300)
    held.push(...numbers(5).map(async () => order.push(await put('a'))))
    await letGo()
    await Promise.all(held)
    assert.deepEqual(order, numbers(25))
    const { sorted } = await db.one<{ sorted: boolean }>`
      select bool_and(coalesce(transaction_id >= before, true)) as sorted
      from (select transaction_id, lag(transaction_id) over (order by value) as before from rows) r`
    assert.ok(sorted)
  })

  test('an account with many rows leaves room for others in every group', async () => {
    const put = aGroup({ max: 20 })
    let done = 0
    const many = numbers(1000).map(async () => {
      await put('a')
      done++
    })
    await sleep(1)
    const before = done
    await put('b')
    const first = done - before
    await Promise.all(many)
    assert.ok(first < 200, `${first} of another account went first`)
  })

  test('a failing row costs other accounts a few commits, not one each', async () => {
    await db.run`insert into totals select 'x' || n, 0 from generate_series(1, 64) n`
    await db.run`insert into rows values (40, 0)`
    const put = aGroup()
    const results = await Promise.allSettled(numbers(64).map((number) => put(`x${number}`)))
    assert.deepEqual(
      results.map(codeOf),
      numbers(64).map((number) => (number === 40 ? '23505' : 'kept')),
    )
    assert.ok((await commits()) < 16, `${await commits()} commits`)
  })

  test('a full queue refuses at once, and one account never fills it for the others', async () => {
    const put = aGroup({ places: 12, patienceMs: 5000 })
    const letGo = await lock('a', 'b')
    const refusedAtOnce: Refusal[] = []
    const send = async (account: string) => {
      const results = Promise.allSettled(
        numbers(20).map(() => put(account).catch((error) => Promise.reject(refusedAtOnce.push(error)))),
      )
      await sleep(20)
      const count = refusedAtOnce.splice(0).map(({ code, retryAfter }) => `${code}, again after ${retryAfter}`)
      return { kept: async () => (await results).filter(({ status }) => status === 'fulfilled').length, count }
    }
    const [first, second, third] = [await send('a'), await send('b'), await send('c')]
    assert.deepEqual(
      [first, second, third].map(({ count }) => count),
      [14, 17, 18].map((count) => Array(count).fill('unavailable, again after 1')),
    )
    assert.equal(await third.kept(), 2)
    await letGo()
    assert.deepEqual([await first.kept(), await second.kept()], [6, 3])
    assert.equal((await stored()).length, 6 + 3 + 2)
    await Promise.all(numbers(6).map(() => put('a')))
  })

  test('two processes update the same accounts in any order without losing or refusing anything', async () => {
    const [one, other] = [aGroup({ max: 7 }), aGroup({ max: 5 })]
    await Promise.all(numbers(200).flatMap((n) => [one(accounts[n % 6]!), other(accounts[(n * 5) % 6]!)]))
    assert.deepEqual(await stored(), numbers(400))
  })
})
