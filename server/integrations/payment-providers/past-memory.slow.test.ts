import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { startServer } from '../../../test/fakes/server.ts'
import { anAccount, aPartner, expectOk, startApp } from '../../../test/support/app.ts'
import { requestPastSales, runImportJob } from '../../../test/support/past-sales.ts'
import { parseInteger, parseJson, parseObject, parseText } from './parse-values.ts'
import type { ProviderAdapter, ReceivedEvent } from './provider.ts'
import { callProvider } from './provider-calls.ts'
import { toPayer } from './provider-objects.ts'
import { adapters } from './registry.ts'

// PAST_PAYMENTS=100000 measures a long past; the usual run is as long as memory needs to be seen to grow.
const PAYMENTS = Number(process.env.PAST_PAYMENTS ?? 1000)
const A_PAGE = 100
const PAGES = PAYMENTS / A_PAGE
/** Bytes that a process may use more at the end than after a fifth of the pages. */
const MOST_GROWTH = 12_000_000

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void
function held() {
  collect()
  return process.memoryUsage().heapUsed
}

const now = Math.floor(Date.now() / 1000)
/** A provider with a history of many pages of payments, each with some irrelevant text. */
const remembering = await startServer(({ path, query }) => {
  if (path === '/account') return { status: 200, body: { id: 'long-ago' } }
  const page = Number(query.page)
  const rows = Array.from({ length: A_PAGE }, (_, n) => ({
    id: `payment-${page * A_PAGE + n}`,
    amount: 1000 + n,
    at: now - page * 600 - n,
    note: 'x'.repeat(2000),
  }))
  return { status: 200, body: { rows, next: page + 1 < PAGES ? String(page + 1) : null } }
})
const app = await startApp()
const { db } = app.services

const adapter = (code: string): ProviderAdapter => ({
  provider: 'generic',
  name: 'Long ago',
  methods: ['credentials'],
  fields: [{ key: 'key', label: 'Key', help: null, secret: true, shape: /^\w+$/, words: 'Enter the key' }],
  signingField: 'key',
  eventTypes: ['payment'],
  readAccount: async () => ({
    ...{ providerAccountId: 'long-ago', accountName: null, defaultCurrency: 'usd', livemode: true },
  }),
  receive: async () => null,
  async readFacts({ at, body }) {
    const json = parseObject(parseJson(body))
    const data = { amount: parseInteger(json.amount), at: at.getTime() }
    const key = parseText(json.id) ?? ''
    return {
      payments: [{ key, objects: [{ kind: 'payment', id: key, rank: 0, at, data }] }],
      ...{ shared: [], prospect: null, revoked: null, lacking: null },
    }
  },
  toPayment(key, [payment]) {
    const { amount, at } = (payment?.data ?? {}) as { amount: number; at: number }
    if (!payment) return null
    const who = { customer: null, email: null, name: null, references: amount % 2 ? [code] : [] }
    return {
      ...toPayer([who]),
      ...{ externalId: key, amount, taxAmount: 0, grossAmount: amount, currency: 'usd', at: new Date(at) },
      ...{ description: null, subscriptionId: null, lines: null, refunds: [] },
    }
  },
  toRefunds: () => [],
  async readHistory(_credentials, { outbound }, _since, cursor) {
    const page = await callProvider(outbound, 'Long ago', `${remembering.url}/past?page=${cursor ?? 0}`, {}, () => null)
    const events = (page.rows as { id: string; at: number }[]).map(
      (row): ReceivedEvent => ({
        ...{ id: `told ${row.id}`, type: 'payment', at: new Date(row.at * 1000), account: null, livemode: null },
        body: JSON.stringify(row),
      }),
    )
    return { events, next: parseText(page.next) }
  },
})

test(`${PAYMENTS} payments are imported with steady memory`, async (t) => {
  const account = await anAccount(app, { timeZone: 'UTC' })
  const { referralCode } = await aPartner(app, account)
  const known = adapter(referralCode)
  const place = adapters.findIndex(({ provider }) => provider === known.provider)
  const [own] = adapters.splice(place, 1, known)
  after(async () => {
    adapters.splice(place, 1, own!)
    await remembering.close()
  })
  const connection = expectOk(
    await app.api('POST', `/accounts/${account.id}/payment-providers/connect`, {
      token: account.token,
      body: { provider: 'generic', credentials: { key: 'key' } },
    }),
  ).body
  const { id } = expectOk(await requestPastSales(app, account, connection)).body
  const read = () =>
    db.one<{ state: string; done: number; created: number; unattributed: number }>`
      select state, done, created, unattributed from imports where id = ${id}`
  let early: number | null = null
  const begun = performance.now()
  for (let row = await read(); row.state !== 'done'; row = await read()) {
    assert.ok(row.state === 'waiting' || row.state === 'running', row.state)
    if (early === null && row.done >= PAYMENTS / 5) early = held()
    await runImportJob(app, id)
    remembering.calls.length = 0
  }
  const grown = held() - early!
  const { rss } = process.memoryUsage()
  const seconds = (performance.now() - begun) / 1000
  const mb = (bytes: number) => Math.round(bytes / 1e5) / 10
  t.diagnostic(
    `${Math.round(seconds)} s; held after a fifth ${mb(early!)} MB, at the end ${mb(early! + grown)} MB; process ${mb(rss)} MB`,
  )
  assert.deepEqual(await read(), { state: 'done', done: PAYMENTS, created: PAYMENTS, unattributed: PAYMENTS / 2 })
  assert.ok(grown < MOST_GROWTH, `grew by ${mb(grown)} MB`)
})
