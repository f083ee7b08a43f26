import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Queryable } from '../database/pool.ts'
import { failuresAlone } from '../jobs/each-alone.ts'
import type { Limit } from './limits.ts'
import type { Shell } from './shell.ts'

const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]
const LIMIT: Limit = { name: 'metrics', perMinute: 120, by: 'network' }
/** How long the database may take to answer before the rest is shown without it. */
const DATABASE_MS = 2000

type Answered = { method: string; route: string; status: number; seconds: number }
export type CountAnswer = (answered: Answered) => void

type Labels = Record<string, string | number>
type Sample = { labels?: Labels; value: number; suffix?: string }
type Duration = { route: string; method: string; sum: number; count: number; buckets: number[] }
type Counted = { route: string; method: string; status: number; count: number }

/**
 * `GET /metrics` in Prometheus' text form: requests by route, the process, the database pool and the job queues.
 * Labels hold route templates and names from the code only, nothing of any tenant. Answers what counts an answer that
 * did not go through the router.
 */
export function metricsRoutes({ fastify, services: { db, jobs } }: Shell): CountAnswer {
  const requests = new Map<string, Counted>()
  const durations = new Map<string, Duration>()
  const eventLoop = monitorEventLoopDelay({ resolution: 20 })
  eventLoop.enable()
  fastify.addHook('onClose', async () => {
    eventLoop.disable()
  })

  const count: CountAnswer = ({ method, route, status, seconds }) => {
    const counted = getOrMake(requests, `${method} ${route} ${status}`, () => ({ route, method, status, count: 0 }))
    counted.count++
    const duration = getOrMake(durations, `${method} ${route}`, () => newDuration(route, method))
    duration.sum += seconds
    duration.count++
    for (let index = BUCKETS.length - 1; index >= 0 && seconds <= BUCKETS[index]!; index--) duration.buckets[index]!++
  }
  fastify.addHook('onResponse', (request, reply, done) => {
    const { method } = request
    const route = request.is404 ? 'unknown' : (request.routeOptions.url ?? 'unknown')
    count({ method, route, status: reply.statusCode, seconds: reply.elapsedTime / 1000 })
    done()
  })

  fastify.get('/metrics', { config: { policy: 'public', limit: LIMIT } }, async (_, reply) => {
    const [queues, events] = await Promise.all([withinTime(jobs.boss.getQueues()), withinTime(countEvents(db))])
    const page = [
      family(
        'http_requests_total',
        'counter',
        'HTTP responses by route and status.',
        [...requests.values()].map(asCount),
      ),
      family(
        'http_request_duration_seconds',
        'histogram',
        'Time until the response was sent.',
        [...durations.values()].flatMap(asHistogram),
      ),
      ...processFamilies(),
      family('event_loop_lag_seconds', 'gauge', 'Event loop delay since the last scrape.', [
        { labels: { quantile: 0.5 }, value: eventLoop.percentile(50) / 1e9 },
        { labels: { quantile: 0.99 }, value: eventLoop.percentile(99) / 1e9 },
        { labels: { quantile: 1 }, value: eventLoop.max / 1e9 },
      ]),
      family('database_up', 'gauge', 'Whether the database responds.', [{ value: queues ? 1 : 0 }]),
      family('database_connections', 'gauge', 'Connections in the pool by state.', [
        { labels: { state: 'used' }, value: db.pool.totalCount - db.pool.idleCount },
        { labels: { state: 'idle' }, value: db.pool.idleCount },
      ]),
      family('database_connections_max', 'gauge', 'Maximum number of connections in the pool.', [
        { value: db.pool.options.max },
      ]),
      family('database_waiting', 'gauge', 'Requests waiting for a connection.', [{ value: db.pool.waitingCount }]),
      family('jobs', 'gauge', 'Jobs by queue and state, counted every few seconds.', (queues ?? []).flatMap(asJobs)),
      family(
        'account_failures_total',
        'counter',
        'Failures of a scheduled task for a single account.',
        [...failuresAlone].map(([clock, value]) => ({ labels: { clock }, value })),
      ),
      family(
        'events',
        'gauge',
        'Events still to be relayed, and those parked after too many tries.',
        Object.entries(events ?? {}).map(([state, value]) => ({ labels: { state }, value })),
      ),
    ]
    eventLoop.reset()
    return reply.type('text/plain; version=0.0.4; charset=utf-8').send(page.join(''))
  })
  return count
}

const countEvents = (db: Queryable) =>
  db.one<{ waiting: number; parked: number }>`
    select count(*) filter (where parked_at is null) as waiting, count(parked_at) as parked from event_relays`

const newDuration = (route: string, method: string): Duration => ({
  route,
  method,
  sum: 0,
  count: 0,
  buckets: BUCKETS.map(() => 0),
})

const asCount = ({ count, ...labels }: Counted): Sample => ({ labels, value: count })

const asHistogram = ({ route, method, sum, count, buckets }: Duration): Sample[] => [
  ...BUCKETS.map((le, index) => ({ suffix: '_bucket', labels: { route, method, le }, value: buckets[index]! })),
  { suffix: '_bucket', labels: { route, method, le: '+Inf' }, value: count },
  { suffix: '_sum', labels: { route, method }, value: sum },
  { suffix: '_count', labels: { route, method }, value: count },
]

type QueueCounts = { name: string; deferredCount: number; readyCount: number; activeCount: number; failedCount: number }
const asJobs = ({ name, deferredCount, readyCount, activeCount, failedCount }: QueueCounts): Sample[] =>
  Object.entries({ deferred: deferredCount, ready: readyCount, active: activeCount, failed: failedCount }).map(
    ([state, value]) => ({ labels: { queue: name, state }, value }),
  )

function processFamilies() {
  const { rss, heapUsed, external } = process.memoryUsage()
  const { user, system } = process.cpuUsage()
  return [
    family('process_resident_memory_bytes', 'gauge', 'Resident memory.', [{ value: rss }]),
    family('process_heap_bytes', 'gauge', 'JavaScript heap in use.', [{ value: heapUsed }]),
    family('process_external_memory_bytes', 'gauge', 'Memory held outside the JavaScript heap, such as buffers.', [
      { value: external },
    ]),
    family('process_cpu_seconds_total', 'counter', 'CPU time used.', [{ value: (user + system) / 1e6 }]),
    family('process_uptime_seconds', 'gauge', 'Time since the start.', [{ value: process.uptime() }]),
  ]
}

function family(name: string, type: 'counter' | 'gauge' | 'histogram', help: string, samples: Sample[]) {
  const lines = samples.map(({ labels = {}, value, suffix = '' }) => {
    const pairs = Object.entries(labels).map(([label, text]) => `${label}="${quoted(String(text))}"`)
    return `tributary_${name}${suffix}${pairs.length ? `{${pairs.join(',')}}` : ''} ${Number.isFinite(value) ? value : 0}\n`
  })
  return `# HELP tributary_${name} ${help}\n# TYPE tributary_${name} ${type}\n${lines.join('')}`
}

const quoted = (text: string) => text.replace(/\\/g, '\\\\').replace(/"/g, '\\"').replace(/\n/g, '\\n')

function getOrMake<T>(map: Map<string, T>, key: string, make: () => T): T {
  let known = map.get(key)
  if (!known) {
    known = make()
    map.set(key, known)
  }
  return known
}

/** The answer, or null where the database is away or slow. */
async function withinTime<T>(answer: Promise<T>): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<null>((done) => {
    timer = setTimeout(() => done(null), DATABASE_MS)
  })
  try {
    return await Promise.race([answer, late])
  } catch {
    return null
  } finally {
    clearTimeout(timer)
  }
}
