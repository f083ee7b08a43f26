import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, test } from 'node:test'
import { standInCollector } from '../../../test/fakes/collector.ts'
import { fakeReceiver } from '../../../test/fakes/receiver.ts'
import { anAccount, anEmail, aPartner, expectOk, startApp, waitUntil } from '../../../test/support/app.ts'
import { createTestDatabase } from '../../../test/support/postgres.ts'
import { startProduct } from '../../../test/support/running.ts'
import { scratchFolder } from '../../../test/support/scratch.ts'
import { createLogger } from '../http/logger.ts'
import { createTracer } from './tracer.ts'

const lines: Record<string, unknown>[] = []
const log = createLogger({ logLevel: 'info', appEnv: 'local' }, { write: (line) => lines.push(JSON.parse(line)) })

async function tracedApp({ share = 1 } = {}) {
  const collector = await standInCollector()
  const tracer = createTracer({ endpoint: collector.url, headers: { 'api-key': 'canary-key' }, share }, log)
  after(async () => {
    await tracer.close()
    await collector.close()
  })
  const app = await startApp({ tracer, log, worker: true, config: { allowPrivateWebhookTargets: true } })
  const account = await anAccount(app)
  const { body } = expectOk(await app.api('PUT', `/accounts/${account.id}/api-key`, { token: account.token }))
  const { referralCode } = await aPartner(app, account)
  const push = (headers = {}) =>
    app.api('POST', '/push/sales', {
      token: body.apiKey,
      headers,
      body: { externalId: anEmail('inv'), email: anEmail('canary'), referralCode, amount: 50_00 },
    })
  return { app, account, collector, tracer, push }
}

test('a pushed sale is one trace with its statements, linked from the deliveries and jobs that follow', async () => {
  const receiver = await fakeReceiver()
  after(() => receiver.close())
  const { app, account, collector, push } = await tracedApp()
  const webhook = { name: 'CRM', url: `${receiver.url}/canary-path?canary=query`, events: ['sale.created'] }
  expectOk(await app.api('POST', `/accounts/${account.id}/outgoing-webhooks`, { token: account.token, body: webhook }))
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
  const now = app.clock.now
  app.clock.now = () => {
    log.info('asked for the time')
    return now()
  }
  const { headers, status } = await push({ traceparent })
  assert.equal(status, 201)
  const traceId = headers.get('x-request-id')!.replaceAll('-', '')
  const spans = await waitUntil(() => {
    const all = collector.spans()
    const isWhole = all.some((span) => span.name === 'webhook delivery') && all.some((span) => span.traceId === traceId)
    return isWhole ? all : undefined
  })

  const logged = lines.filter(
    ({ msg, requestId }) => msg === 'asked for the time' && requestId === headers.get('x-request-id'),
  )
  assert.ok(logged.length > 0 && logged.every((line) => line.traceId === traceId), 'the log names the trace')

  const own = spans.filter((span) => span.traceId === traceId)
  const request = own.find(({ parentSpanId }) => !parentSpanId)!
  assert.equal(request.name, 'POST /api/v1/push/sales')
  assert.equal(request.facts['http.response.status_code'], '201')
  assert.equal(request.facts['tributary.account_id'], account.id)
  assert.deepEqual(
    request.links.map(({ traceId, spanId }) => `00-${traceId}-${spanId}-01`),
    [traceparent],
    'a caller’s own trace is linked to, and is not joined',
  )
  const ids = new Set(own.map(({ spanId }) => spanId))
  assert.ok(
    own.every((span) => span === request || ids.has(span.parentSpanId!)),
    'no part is lost',
  )
  const statements = own.map(({ facts }) => facts['db.query.text'] ?? '')
  assert.ok(
    statements.some((text) => text.includes('insert into sales')),
    statements.join('\n'),
  )
  assert.ok(statements.includes('commit'))

  const delivery = spans.find(({ name }) => name === 'webhook delivery')!
  assert.deepEqual([delivery.links[0]?.traceId, delivery.links[0]?.spanId], [traceId, request.spanId])
  const requestSpan = spans.find(({ parentSpanId }) => parentSpanId === delivery.spanId)!
  assert.deepEqual([requestSpan.name, requestSpan.facts['http.response.status_code']], ['POST 127.0.0.1', '200'])
  assert.ok(!JSON.stringify(spans).includes('canary'), 'what people typed, queries and keys stay here')
  assert.equal(collector.resources()[0]?.['service.name'], 'tributary')
  assert.equal(receiver.deliveries[0]?.headers.traceparent, undefined, 'nothing is passed on')
})

test('a job is a trace by its ID, linked to the request that queued it', async () => {
  const { app, account, collector } = await tracedApp()
  const body = { name: 'CRM', target: 'lead', auth: { type: 'url-secret' } }
  const path = `/accounts/${account.id}/incoming-webhooks`
  const { body: webhook } = expectOk(await app.api('POST', path, { token: account.token, body }))
  const { pathname } = new URL(webhook.url)
  const { headers } = await app.api('POST', pathname, { body: { email: 'canary@customer.example' } })
  const traceId = headers.get('x-request-id')!.replaceAll('-', '')
  const job = await waitUntil(() => collector.spans().find(({ name }) => name === 'job incoming-delivery'))
  assert.equal(job.links[0]?.traceId, traceId)
  assert.equal(job.traceId, job.facts['tributary.job_id']!.replaceAll('-', ''))
  const parts = () => collector.spans().filter(({ parentSpanId }) => parentSpanId === job.spanId)
  await waitUntil(() => parts().length > 0 || undefined)
})

test('pushes committed together link to the one whose trace contains the commit', async () => {
  const { collector, push } = await tracedApp()
  const replies = await Promise.all(Array.from({ length: 20 }, () => push()))
  const traces = new Set(replies.map(({ headers }) => headers.get('x-request-id')!.replaceAll('-', '')))
  const spans = await waitUntil(() => {
    const roots = collector.spans().filter((span) => traces.has(span.traceId) && !span.parentSpanId)
    return roots.length === traces.size ? collector.spans().filter((span) => traces.has(span.traceId)) : undefined
  })
  const groups = new Set(spans.filter(({ name }) => name === 'commit of a group').map(({ spanId }) => spanId))
  assert.ok(groups.size < replies.length, `${groups.size} commits`)
  for (const root of spans.filter(({ parentSpanId }) => !parentSpanId)) {
    const reached = [...root.links, ...spans.filter(({ parentSpanId }) => parentSpanId === root.spanId)]
    assert.ok(reached.some(({ spanId }) => groups.has(spanId)))
  }
})

test('unknown routes are named so, failures by kind, and health checks leave no trace', async () => {
  const { app, account, collector } = await tracedApp()
  await app.api('POST', '/api/v1/canary-path?canary=1', { body: { canary: 1 } })
  await app.api('GET', '/health/ready')
  const webhook = { name: 'CRM', url: 'http://127.0.0.1:9/canary', events: ['lead.created'] }
  expectOk(await app.api('POST', `/accounts/${account.id}/outgoing-webhooks`, { token: account.token, body: webhook }))
  const lead = { email: anEmail('canary') }
  expectOk(await app.api('POST', `/accounts/${account.id}/leads`, { token: account.token, body: lead }))
  const named = (name: string) => waitUntil(() => collector.spans().find((span) => span.name === name))
  assert.equal((await named('POST unknown')).facts['http.response.status_code'], '404')
  const requestSpan = await named('POST 127.0.0.1')
  assert.deepEqual([requestSpan.status.code, requestSpan.facts['error.type']], [2, 'OutboundError'])
  assert.ok(!JSON.stringify(collector.spans()).includes('canary'))
  assert.ok(!collector.spans().some(({ name }) => name.includes('health')))
})

test('traces excluded by the sampler are not kept, but their IDs are still logged', async () => {
  const { app, collector, tracer } = await tracedApp({ share: 0 })
  await app.api('GET', '/users/me')
  await tracer.close()
  assert.deepEqual(collector.spans(), [])
})

test('a hanging collector costs nothing, and delays a stop by at most two seconds', async () => {
  const collector = await standInCollector()
  const database = await createTestDatabase()
  after(async () => {
    await collector.close()
    await database.drop()
  })
  collector.fail(() => true, 'hang-before', 1000)
  const running = await startProduct(await scratchFolder(), {
    DATABASE_URL: database.url,
    LOG_LEVEL: 'warn',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_HEADERS: 'api-key=canary-key',
    OTEL_SERVICE_NAME: 'partners',
  })
  for (let turn = 0; turn < 50; turn++) assert.equal((await running.api('GET', '/users/me')).status, 401)
  const [call] = await collector.waitForCalls('POST /v1/traces')
  assert.equal(call!.headers['api-key'], 'canary-key')
  assert.equal(collector.resources()[0]?.['service.name'], 'partners')
  const stoppedAt = performance.now()
  running.product.child.kill('SIGTERM')
  const [code] = await once(running.product.child, 'exit')
  assert.equal(code, 0, running.product.said.err)
  assert.ok(performance.now() - stoppedAt < 15_000)
  assert.doesNotMatch(running.product.said.err, /unhandled|canary-key/i)
})

test('spans that a collector has not accepted within two seconds of closing are dropped', async () => {
  const collector = await standInCollector()
  after(() => collector.close())
  collector.fail(() => true, 'hang-before', 1000)
  const tracer = createTracer({ endpoint: collector.url, headers: {}, share: 1 }, log)
  tracer.job(crypto.randomUUID(), 'job test', {}, []).end()
  const startedAt = performance.now()
  await tracer.close()
  const took = performance.now() - startedAt
  assert.ok(took > 1500 && took < 3500, `${took} ms`)
})

test('an unreachable collector is reported once, and later spans are delivered', async () => {
  const collector = await standInCollector()
  collector.fail(() => true, { status: 400 }, 1)
  const tracer = createTracer({ endpoint: collector.url, headers: {}, share: 1 }, log)
  after(async () => {
    await tracer.close()
    await collector.close()
  })
  const before = lines.length
  const trace = () => tracer.job(crypto.randomUUID(), 'job test', {}, ['nonsense']).end()
  const findLine = (words: string) =>
    waitUntil(() => lines.slice(before).find(({ msg }) => String(msg).startsWith(words)))
  trace()
  await findLine('traces cannot be handed over')
  trace()
  await findLine('traces are handed over again')
})
