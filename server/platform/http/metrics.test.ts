import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import Fastify from 'fastify'
import { pino } from 'pino'
import { freshDatabase } from '../../../test/support/postgres.ts'
import { mailQueue } from '../../integrations/mail/queue.ts'
import type { App } from '../../program/access/route.ts'
import { payOutQueue } from '../../program/payouts/queue.ts'
import { NIL } from '../database/ids.ts'
import { openDatabase, transaction } from '../database/pool.ts'
import { createJobs } from '../jobs/queue.ts'
import { answerErrors } from './errors.ts'
import { metricsRoutes } from './metrics.ts'

const log = pino({ level: 'silent' })
const db = await freshDatabase()
const jobs = createJobs(db.url, log)
after(() => jobs.stop({ graceful: false }))

function aServer() {
  const fastify = Fastify()
  after(() => fastify.close())
  answerErrors(fastify, { appUrl: 'http://localhost' })
  metricsRoutes({ fastify, services: { db } } as unknown as App, [])
  fastify.get('/api/v1/partners/:id', async (request, reply) => {
    if ((request.params as { id: string }).id === 'slow') await new Promise((done) => setTimeout(done, 30))
    if ((request.params as { id: string }).id === 'gone') reply.code(404)
    return {}
  })
  const read = async () => {
    const { body, headers } = await fastify.inject('/metrics')
    return { text: body, headers, value: (series: string) => parse(body).get(series) }
  }
  return { fastify, read }
}

/** Parses series and values, line by line like Prometheus; throws at an invalid line. */
function parse(text: string) {
  const series = new Map<string, number>()
  for (const line of text.trimEnd().split('\n')) {
    if (line === '') continue
    if (/^# (HELP [a-z_]+ \S.*|TYPE [a-z_]+ (counter|gauge|histogram|summary))$/.test(line)) continue
    const [, name, value] = /^([a-z_]+(?:\{(?:[a-z]+="(?:[^"\\\n]|\\["\\n])*",?)+\})?) (-?[\d.e+-]+)$/.exec(line) ?? []
    assert.ok(name && Number.isFinite(Number(value)), line)
    assert.ok(!series.has(name), `twice: ${name}`)
    series.set(name, Number(value))
  }
  return series
}

test('requests are counted and timed by route template, with no id, query or unknown path in a label', async () => {
  const { fastify, read } = aServer()
  for (const id of ['canary-1', 'canary-2', 'slow', 'gone']) await fastify.inject(`/api/v1/partners/${id}?q=canary-3`)
  await fastify.inject('/canary-4"\\')
  const { text, headers, value } = await read()
  assert.equal(headers['content-type'], 'text/plain; version=0.0.4; charset=utf-8')
  const route = 'route="/api/v1/partners/:id",method="GET"'
  assert.equal(value(`tributary_http_requests_total{${route},status="200"}`), 3)
  assert.equal(value(`tributary_http_requests_total{${route},status="404"}`), 1)
  assert.equal(value('tributary_http_requests_total{route="unknown",method="GET",status="404"}'), 1)
  const bucket = (le: string) => value(`tributary_http_request_duration_seconds_bucket{${route},le="${le}"}`)
  assert.ok(bucket('0.025')! <= 3, 'the slow one is in no fast bucket')
  assert.deepEqual([bucket('10'), bucket('+Inf')], [4, 4])
  assert.equal(value(`tributary_http_request_duration_seconds_count{${route}}`), 4)
  assert.ok(value(`tributary_http_request_duration_seconds_sum{${route}}`)! >= 0.03)
  assert.ok(!text.includes('canary'))
})

test('the metrics include the process, the event loop and the pool', async () => {
  const { read } = aServer()
  const before = Date.now()
  await new Promise((done) => setTimeout(done, 40))
  while (Date.now() - before < 150);
  await new Promise((done) => setTimeout(done, 40))
  const client = await db.pool.connect()
  try {
    const { value, text } = await read()
    const types = new Map([...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name, type]) => [name, type]))
    for (const [, name] of text.matchAll(/^(\w+)\{[^}]*quantile=/gm)) assert.equal(types.get(name), 'summary', name)
    assert.ok(value('tributary_process_resident_memory_bytes')! > 10_000_000)
    assert.ok(value('tributary_process_cpu_seconds_total')! > 0)
    assert.ok(value('tributary_event_loop_lag_seconds{quantile="1"}')! > 0.08)
    assert.equal(value('tributary_database_connections{state="used"}'), 1)
    assert.equal(value('tributary_database_connections_max'), 10)
    assert.equal(value('tributary_database_waiting'), 0, 'the page does not count itself')
    assert.equal(value('tributary_database_up'), 1)
  } finally {
    client.release()
  }
})

test('jobs are counted by queue and state', async () => {
  const { read } = aServer()
  const queued = 'tributary_jobs{queue="pay-out",state="ready"}'
  assert.equal((await read()).value(queued), 0)
  await transaction(db, (tx) => jobs.add(tx, payOutQueue, { payoutId: 'canary' }))
  for (const until = Date.now() + 15_000; (await read()).value(queued) !== 1; ) {
    assert.ok(Date.now() < until, 'the job was never counted')
    await new Promise((done) => setTimeout(done, 200))
    await (await jobs.boss()).supervise()
  }
  const { text, value } = await read()
  assert.equal(value('tributary_jobs{queue="parked",state="ready"}'), 0)
  assert.ok(!text.includes('canary'))
})

test('each queue’s longest wait of a runnable job is exposed', async () => {
  const { read } = aServer()
  const lag = 'tributary_queue_lag_seconds{queue="mail"}'
  assert.equal((await read()).value(lag), 0)
  await transaction(db, async (tx) => {
    await jobs.add(tx, mailQueue, { kind: 'weekly-summary', id: 'later' }, { startAfter: 3600 })
    await jobs.add(tx, mailQueue, { kind: 'weekly-summary', id: 'waits' })
  })
  await db.run`
    update pgboss.job set start_after = now() - interval '90 seconds' where data ->> 'id' = 'waits'`
  const seconds = (await read()).value(lag)!
  assert.ok(seconds >= 90 && seconds < 120, String(seconds))
})

test('events that need a person are counted', async () => {
  const { read } = aServer()
  assert.equal((await read()).value('tributary_events{state="parked"}'), 0)
  await db.run`
    with told as (
      insert into passing_events (id, account_id, at, type, kind, audited, actor_type, data)
      values (gen_random_uuid(), ${NIL}, now(), 'test.noticed', 'internal', false, 'system', '{}') returning id, account_id)
    insert into event_relays (event_id, account_id, parked_at) select id, account_id, now() from told`
  const { value } = await read()
  assert.equal(value('tributary_events{state="parked"}'), 1)
  assert.equal(value('tributary_event_lag_seconds'), 0, 'whoever waits for a person is not late')
})

test('the age of the oldest event not yet relayed is exposed', async () => {
  const { read } = aServer()
  await db.run`
    with told as (
      insert into passing_events (id, account_id, at, type, kind, audited, actor_type, data)
      values (gen_random_uuid(), ${NIL}, now() - interval '70 seconds', 'test.noticed', 'internal', false, 'system', '{}')
      returning id, account_id)
    insert into event_relays (event_id, account_id) select id, account_id from told`
  const { value } = await read()
  assert.equal(value('tributary_events{state="waiting"}'), 1)
  const seconds = value('tributary_event_lag_seconds')!
  assert.ok(seconds >= 70 && seconds < 100, String(seconds))
})

test('while the database is down the other metrics are still exposed', async () => {
  const fastify = Fastify()
  after(() => fastify.close())
  const url = 'postgres://127.0.0.1:9/none'
  const away = openDatabase({ url, log })
  metricsRoutes({ fastify, services: { db: away } } as unknown as App, [])
  const { statusCode, body } = await fastify.inject('/metrics')
  assert.equal(statusCode, 200)
  assert.equal(parse(body).get('tributary_database_up'), 0)
  assert.ok(
    !/^tributary_(events|event_lag_seconds|queue_lag_seconds|jobs)\b/m.test(body),
    'nothing is said of what cannot be known',
  )
  assert.ok(parse(body).get('tributary_process_uptime_seconds')! > 0)
})
