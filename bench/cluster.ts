import { randomBytes } from 'node:crypto'
import { pino } from 'pino'
import { spreadTables } from '../server/platform/database/cluster/spread.ts'
import { type Database, openDatabase, transaction } from '../server/platform/database/pool.ts'
import { type Cluster, findCitus, startCluster } from '../test/support/cluster.ts'
import type { Cost } from './cost.ts'
import { type BenchEnvironment, startGround } from './environment.ts'
import { type Asked, buildStep, count, formatShort, measureStep, toTargets, µs } from './growth.ts'
import { checkLedger } from './ledger.ts'
import { aTemplate, type OneOfMany } from './many-accounts.ts'
import { type Line, medianBy, type Scale, toRatio } from './rounds.ts'

const REQUESTS: Asked[] = ['redirect', 'pushed sale', 'dashboard']
/** Numbers of accounts that are called, in turn. */
const SIZES = [1, 10, 1000]
/** Numbers of workers that hold the accounts. */
const WORKERS = [1, 2, 4]
const MOST_WORKERS = 4
/** Part of the requests of `growth`. */
const PART = 0.125
const MOST_ROUNDS = 3
/** Processor time on one PostgreSQL, as a share of that on a cluster. */
const GOAL = 1 / 1.3

type Measured = Awaited<ReturnType<typeof measureStep>>
type Shape = { workers: number; size: number; figures: Measured }

/**
 * The cost of calls on one PostgreSQL and on clusters: an install with 1,000 accounts is spread to one worker, and moved
 * to two and four. All machines are this one, so the figures are processor time and statements sent to workers.
 */
export async function measureCluster({ watch }: BenchEnvironment, scale: Scale): Promise<Line[]> {
  const binaries = findCitus()
  if (!binaries) throw new Error('Citus is not installed')
  const ends: (() => Promise<void>)[] = []
  const settings = {
    shared_preload_libraries: 'citus,pg_stat_statements',
    'citus.shard_count': '16',
    autovacuum: 'off',
  }
  try {
    const cluster = await startCluster({ binaries, workers: MOST_WORKERS, settings, ends: (end) => ends.push(end) })
    const servers = [cluster.coordinator, ...cluster.workers].map(({ url }) => open(url))
    ends.unshift(async () => {
      for (const server of servers) await server.close()
    })
    const [coordinator, ...workers] = servers as [Database, ...Database[]]
    // Citus sends both to the workers
    await coordinator.run`create schema bench`
    await coordinator.run`create extension pg_stat_statements schema bench`
    const on = { url: cluster.url, secretKey: randomBytes(32).toString('base64') }
    const rounds = Math.min(scale.rounds, MOST_ROUNDS)
    const shapes: Shape[] = []
    const measure = async (ground: BenchEnvironment, accounts: OneOfMany[], number: number) => {
      for (const size of SIZES) {
        process.stdout.write(`  ${count(size)} accounts, ${number} workers\n`)
        const step = buildStep(ground, size, toTargets(accounts.slice(0, size)))
        const how = { rounds, part: PART, requests: REQUESTS, workers: workers.slice(0, number) }
        shapes.push({ workers: number, size, figures: await measureStep(ground, step, how) })
        await watch.look()
      }
    }

    let accounts: OneOfMany[] = []
    await onGround(watch, on, async (ground) => {
      accounts = await (await aTemplate(ground)).grow(Math.max(...SIZES))
      await measure(ground, accounts, 0)
    })
    await fillWorkers(coordinator, cluster, WORKERS[0]!)
    await transaction(coordinator, (tx) => spreadTables(tx))
    await onGround(watch, on, async (ground) => {
      for (const number of WORKERS) {
        await fillWorkers(coordinator, cluster, number)
        await coordinator.run`select rebalance_table_shards(shard_transfer_mode => 'block_writes')`
        await measure(ground, accounts, number)
      }
      await checkLedger(ground)
    })
    return REQUESTS.flatMap((request) => linesOf(request, shapes))
  } finally {
    for (const end of ends) await end()
  }
}

const open = (url: string) => openDatabase({ url, log: pino({ level: 'silent' }), max: 2, patience: 100 })

async function onGround(
  watch: BenchEnvironment['watch'],
  on: { url: string; secretKey: string },
  work: (ground: BenchEnvironment) => Promise<void>,
) {
  const ground = await startGround(watch, { on })
  try {
    await work(ground)
  } finally {
    await ground.stop()
  }
}

/** Lets so many workers hold shards. */
async function fillWorkers(coordinator: Database, { workers }: Cluster, number: number) {
  for (const [at, { url }] of workers.entries()) {
    const { hostname, port } = new URL(url)
    await coordinator.run`select citus_set_node_property(${hostname}, ${Number(port)}, 'shouldhaveshards', ${at < number})`
  }
}

function linesOf(request: Asked, shapes: Shape[]): Line[] {
  return shapes
    .filter(({ workers }) => workers > 0)
    .map(({ workers, size, figures }) => {
      const alone = shapes.find((shape) => shape.workers === 0 && shape.size === size)!
      const [ours, floor] = [figures, alone.figures].map((of) => of[request].map(({ cost }) => cost)) as [
        Cost[],
        Cost[],
      ]
      const busiest = (cost: Cost) => Math.max(...cost.workers.map(({ postgres }) => postgres)) / (ofWorkers(cost) || 1)
      const sent = (cost: Cost) => cost.workers.reduce((sum, { statements }) => sum + statements, 0)
      const workerTime = ({ workers }: Cost) => {
        const most = Math.max(...workers.map(({ statements }) => statements))
        return workers.filter(({ statements }) => statements > most * LEAST).length
      }
      return {
        what: `${request}, ${count(size)} accounts, ${workers} workers`,
        ours: µs(medianBy(ours, whole)),
        floor: µs(medianBy(floor, whole)),
        ...toRatio(floor.map(whole), ours.map(whole)),
        goal: GOAL,
        also: [
          `coordinator ${µs(medianBy(ours, ({ postgres }) => postgres))}`,
          `workers ${µs(medianBy(ours, ofWorkers))}, the busiest ${Math.round(medianBy(ours, busiest) * 100)} %`,
          `statements to workers ${formatShort(medianBy(ours, sent))}`,
          ...(size === 1 ? [`workers asked ${medianBy(ours, workerTime)}`] : []),
          `Node ${µs(medianBy(ours, ({ node }) => node))}, on one PostgreSQL ${µs(medianBy(floor, ({ node }) => node))}`,
        ].join('; '),
      }
    })
}

/** Part of the statements to the worker that got most, below which another was only asked by background work. */
const LEAST = 0.25

const ofWorkers = ({ workers }: Cost) => workers.reduce((sum, { postgres }) => sum + postgres, 0)
const whole = (cost: Cost) => cost.postgres + ofWorkers(cost)
