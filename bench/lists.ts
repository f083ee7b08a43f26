import { transaction } from '../server/platform/database/pool.ts'
import type { BenchAccount, BenchEnvironment } from './environment.ts'
import type { Outcome } from './load.ts'
import { buildGetRequest } from './reading.ts'
import { formatMs, interleaveRounds, type Line, medianBy, type Scale, toMedian, toRatio } from './rounds.ts'
import { startLoad } from './start-load.ts'
import { makeFeltAccount } from './ui-latency-account.ts'

/** A page anywhere takes at most twice as long as the first. */
const DEPTH_GOAL = 0.5
const SEARCH_GOAL = 40

type List = { what: string; path: (accountId: string) => string; table: string; by: string; sort: string }
const lists: List[] = [
  {
    what: 'leads',
    path: (id) => `accounts/${id}/leads`,
    table: 'leads',
    by: 't.created_at',
    sort: '-createdAt',
  },
  { what: 'sales', path: (id) => `accounts/${id}/sales`, table: 'sales', by: 't.created_at', sort: '-createdAt' },
  {
    what: 'partners',
    path: (id) => `accounts/${id}/partners`,
    table: 'partners',
    by: 't.created_at',
    sort: '-createdAt',
  },
]

/** The search text that finds lead `n`. */
const searches: Record<string, (n: number) => string> = {
  name: () => 'quinn zimmer',
  'e-mail': (n) => `zimmer${n}@mail`,
  phone: (n) => `+1 415 ${String(n).padStart(7, '0')}`,
  'external id': (n) => `cus-${n}`,
}

/** Pages of long lists compared with their first page, and searches compared with a scan of all rows. */
export async function measureLists(ground: BenchEnvironment, scale: Scale): Promise<Line[]> {
  const leads = scale.leads * 10
  const account = await makeFeltAccount(ground, {
    leads,
    sales: leads,
    partners: leads / 20,
    payouts: leads / 10,
  })
  const load = startLoad(200)
  const read = (path: string) => {
    const request = buildGetRequest(path, account.token)
    return load.ask({ port: ground.port, connections: 1, ms: scale.roundMs / 2, request })
  }
  try {
    const lines: Line[] = []
    for (const list of lists) lines.push(await measureDepth(ground, account, { ...list, rounds: scale.rounds, read }))
    for (const [what, text] of Object.entries(searches))
      lines.push(
        await measureSearch(ground, account, { what, text: text(leads / 2), rounds: scale.rounds, leads, read }),
      )
    return lines
  } finally {
    load.end()
  }
}

type Reading = { rounds: number; read(path: string): Promise<Outcome> }

async function measureDepth(
  ground: BenchEnvironment,
  { id }: BenchAccount,
  { what, path, table, by, sort, rounds, read }: List & Reading,
): Promise<Line> {
  const { db, watch } = ground
  const { rows } = await db.pool.query(`select count(*)::int as count from ${table} where account_id = $1`, [id])
  const count: number = rows[0].count
  const at = async (part: number) => {
    const from = `from ${table} t where account_id = $1 order by ${by} desc, t.id desc`
    const { rows } = await db.pool.query(`select (${by})::text as value, t.id ${from} offset $2 limit 1`, [
      id,
      Math.floor((count - 30) * part),
    ])
    // clients cannot build a cursor, but walking to the middle would take ten thousand pages
    const cursor = Buffer.from(JSON.stringify([sort, rows[0].value, rows[0].id])).toString('base64url')
    return `${path(id)}?sort=${sort}&cursor=${cursor}`
  }
  const [middle, last] = [await at(0.5), await at(1)]
  const outcomes = await interleaveRounds(watch, rounds, {
    first: () => read(`${path(id)}?sort=${sort}`),
    middle: () => read(middle),
    last: () => read(last),
  })
  const [first, deep] = [outcomes.first, outcomes.middle.map((one, at) => slower(one, outcomes.last[at]!))].map((all) =>
    all.map((round) => round.median),
  ) as [number[], number[]]
  const p99 = Math.max(...[outcomes.middle, outcomes.last].map((all) => medianBy(all, (round) => round.p99)))
  return {
    what: `list of ${count.toLocaleString('en-US')} ${what}, the middle or the last page`,
    ours: formatMs(toMedian(deep)),
    floor: formatMs(toMedian(first)),
    ...toRatio(first, deep),
    goal: DEPTH_GOAL,
    also: `p99 ${formatMs(p99)} (limit 10 ms); the floor is its first page`,
  }
}

const slower = (one: Outcome, other: Outcome) => (one.median > other.median ? one : other)

async function measureSearch(
  { db, watch }: BenchEnvironment,
  { id }: BenchAccount,
  { what, text, rounds, leads, read }: Reading & { what: string; text: string; leads: number },
): Promise<Line> {
  const scan = () =>
    transaction(db, async (tx) => {
      for (const way of ['indexscan', 'bitmapscan', 'indexonlyscan'])
        await tx.client.query(`set local enable_${way} = off`)
      await tx.client.query('set local max_parallel_workers_per_gather = 0')
      const startedAt = performance.now()
      await tx.run`
        select t.id from leads t
        where t.account_id = ${id} and lower(concat_ws(' ', first_name, last_name, email, company, external_id, phone))
          like ${`%${text.toLowerCase()}%`}
        order by t.created_at desc, t.id desc limit 26`
      return performance.now() - startedAt
    })
  const outcomes = await interleaveRounds(watch, rounds, {
    scan,
    ours: () => read(`accounts/${id}/leads?search=${encodeURIComponent(text)}`),
  } as Record<'scan' | 'ours', () => Promise<number | Outcome>>)
  const [floor, ours] = [outcomes.scan as number[], outcomes.ours as Outcome[]]
  const medians = ours.map((round) => round.median)
  return {
    what: `search of ${leads.toLocaleString('en-US')} leads, ${what}`,
    ours: formatMs(toMedian(medians)),
    floor: formatMs(toMedian(floor)),
    ...toRatio(floor, medians),
    goal: SEARCH_GOAL,
    also: `p99 ${formatMs(medianBy(ours, (round) => round.p99))} (limit 25 ms)`,
  }
}
