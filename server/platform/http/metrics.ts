import type { Counter, Gauge } from 'prom-client'
import { poolMeasures } from '../database/pool-measures.ts'
import { replicaMeasures } from '../database/replica/replica-measures.ts'
import { eventMeasures } from '../events/event-measures.ts'
import { jobMeasures } from '../jobs/job-measures.ts'
import { lazyValue } from '../lazy-value.ts'
import { defineGauge, type Metric, type Sample } from '../metric.ts'
import { withTimeout } from '../with-timeout.ts'
import { type AnswerCounting, type AnswerTimes, BOUNDS, createAnswerTimes } from './answer-times.ts'
import type { NamedLimit } from './limits.ts'
import { processMeasures } from './process-measures.ts'
import type { Shell } from './shell.ts'

const LIMIT: NamedLimit = { name: 'metrics', perMinute: 120, by: 'network' }
const PREFIX = 'tributary_'
/** Milliseconds until the rest is shown without the database. */
const DATABASE_MS = 2000

/**
 * `GET /metrics` in Prometheus' text format: requests by route, the process, the database pool, jobs and events, and
 * the rooms' own. Labels are route templates and names from the code, without any tenant's data. Returns the counting
 * of answers that bypass the router.
 */
export function metricsRoutes({ fastify, services: { db, replica } }: Shell, ofRooms: Metric[]): AnswerCounting {
  const answers = createAnswerTimes()
  fastify.addHook('onResponse', (request, reply, done) => {
    const { method } = request
    const route = request.is404 ? 'unknown' : (request.routeOptions.url ?? 'unknown')
    answers.counting({ method, route, status: reply.statusCode })(reply.elapsedTime / 1000)
    done()
  })
  const measures = [
    requestsOf(answers),
    ...processMeasures(fastify),
    // read before the page's own queries, which would be counted as waiting
    ...poolMeasures(db),
    defineGauge('database_up', 'Whether the database responds.', async () =>
      (await ifKnown(() => db.one`select 1`)) ? 1 : 0,
    ),
    ...(replica ? replicaMeasures(replica) : []),
    ...jobMeasures(db),
    ...eventMeasures(db),
    ...ofRooms,
  ]
  // on first use: fifty milliseconds of work
  const page = lazyValue(() => createPage(answers, measures))
  fastify.get('/metrics', { config: { policy: 'public', limit: LIMIT } }, async (_, reply) => {
    const { contentType, metrics } = await page()
    return reply.type(contentType).send(await metrics())
  })
  return answers.counting
}

async function createPage(answers: AnswerTimes, measures: Metric[]) {
  const { Counter, Gauge, Registry } = await import('prom-client')
  const registry = new Registry()
  /** Quantiles that were measured elsewhere: their type is that of a summary, which alone may have this label. */
  class Quantiles extends Gauge {
    readonly type = 'summary'
  }
  const kinds = { counter: Counter, gauge: Gauge, summary: Quantiles }
  for (const { name, type, help, labels: labelNames = [], read } of measures)
    new kinds[type]({
      name: `${PREFIX}${name}`,
      help,
      labelNames,
      registers: [registry],
      async collect() {
        show(this, await ifKnown(read))
      },
    })
  return {
    contentType: registry.contentType,
    metrics: async () => `${await registry.metrics()}\n${answerTimes(answers)}`,
  }
}

/** Omits unknown values: a zero would look healthy. */
function show(metric: Counter | Gauge, samples: Sample[] | null) {
  metric.reset()
  if (!samples) return metric.remove({})
  for (const { labels = {}, value } of samples) metric.inc(labels, value)
}

const requestsOf = ({ counted }: AnswerTimes): Metric => ({
  name: 'http_requests_total',
  type: 'counter',
  help: 'HTTP responses by route and status.',
  labels: ['route', 'method', 'status'],
  read: () => counted().map(({ count, ...labels }) => ({ labels, value: count })),
})

/**
 * Handwritten: on a page with every route these are almost all lines, and the library takes ten times as long. Labels
 * come from the code and need no escaping.
 */
function answerTimes({ times }: AnswerTimes) {
  const name = `${PREFIX}http_request_duration_seconds`
  const lines = [`# HELP ${name} Time until the response was sent.`, `# TYPE ${name} histogram`]
  for (const { route, method, sum, count, buckets } of times()) {
    const labels = `route="${route}",method="${method}"`
    for (const [index, le] of BOUNDS.entries()) lines.push(`${name}_bucket{${labels},le="${le}"} ${buckets[index]}`)
    lines.push(`${name}_bucket{${labels},le="+Inf"} ${count}`)
    lines.push(`${name}_sum{${labels}} ${sum}`, `${name}_count{${labels}} ${count}`)
  }
  return `${lines.join('\n')}\n`
}

/** Returns the answer, or null if the database is unavailable or slow. */
async function ifKnown<T>(ask: () => T | Promise<T>): Promise<T | null> {
  try {
    return await withTimeout(DATABASE_MS, ask(), () => null)
  } catch {
    return null
  }
}
