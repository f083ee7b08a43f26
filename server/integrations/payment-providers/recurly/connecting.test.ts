import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { standInRecurly } from '../../../../test/fakes/recurly.ts'
import { deliverRecurly, recurlyInvoice, SITE } from '../../../../test/fakes/recurly-events.ts'
import { anAccount, expectOk } from '../../../../test/support/app.ts'
import {
  assertRefused,
  assertUnavailable,
  createConnectionCalls,
  startWithProvider,
  workOff,
} from '../../../../test/support/payment-providers.ts'
import { PaymentProviderError } from '../provider.ts'
import { getProviderAccess } from '../secrets.ts'
import { createRecurlyApi } from './api.ts'

// Connecting a site, and verifying what is sent to its URL.

const site = await standInRecurly()
const app = await startWithProvider('recurly', site, { config: { secretKey: randomBytes(32) } })
const { db } = app.services
const { store } = site
const SECRET = 'whs-of-this-endpoint-0001'

const anOwner = async () => {
  const account = await anAccount(app)
  return { account, ...createConnectionCalls(app, account, 'recurly') }
}
const listStoredEvents = (connectionId: string) => db.many<{ type: string; state: string }>`
  select type, state from provider_events where connection_id = ${connectionId} order by received_at, id`

test('a site is connected by its private key; its endpoint’s secret key is entered once that exists', async () => {
  const owner = await anOwner()
  const made = expectOk(await owner.connect({ privateKey: site.key })).body
  assert.deepEqual(
    [made.accountName, made.defaultCurrency, made.providerAccountIdentifier, made.livemode, made.webhookSecretSet],
    ['northwind', 'usd', SITE, true, false],
  )
  assert.match(
    made.stateReason,
    /^Create an endpoint at Recurly for the URL shown here and enter its webhook secret key/,
  )
  const { paid } = recurlyInvoice({ store, amount: 1000 })
  assert.equal((await deliverRecurly(made.webhookUrl, paid, SECRET)).status, 400)
  expectOk(await owner.change(made.id, { webhookSecret: SECRET }))
  const [shown] = await owner.list()
  assert.deepEqual([shown.state, shown.webhookSecretSet], ['connected', true])
  assert.equal((await deliverRecurly(made.webhookUrl, paid, SECRET)).status, 200)
  const everything = JSON.stringify([made, await owner.list(), await db.many`select * from provider_connections`])
  for (const secret of [site.key, SECRET]) assert.ok(!everything.includes(secret))
  const again = await owner.connect({ privateKey: site.key })
  assert.deepEqual([again.status, again.body.error.code], [409, 'duplicate'])
  assert.equal((await owner.disconnect(made.id)).status, 204)
})

test('wrong credentials are refused with an explanation, and without an answer nothing is connected', async () => {
  const owner = await anOwner()
  for (const [credentials, field, words] of [
    [{ privateKey: 'short' }, 'privateKey', /private API key as Recurly shows it/],
    [{ privateKey: site.key, region: 'Mars' }, 'region', /Enter US or EU/],
    [{ privateKey: site.key, webhookSecret: 'a b' }, 'webhookSecret', /secret key that Recurly shows/],
    [{ privateKey: 'f'.repeat(32) }, 'privateKey', /The API key is not valid for this site/],
  ] as const) {
    const { status, body } = await owner.connect(credentials)
    assert.equal(status, 422, JSON.stringify(credentials))
    assert.match(body.error.fields[`credentials.${field}`], words)
  }
  site.forbid('invoices')
  const forbidden = await owner.connect({ privateKey: site.key })
  site.allow('invoices')
  assert.match(forbidden.body.error.fields['credentials.privateKey'], /may not read invoices/)
  const failures = [{ status: 500 }, { status: 503, body: '<html>' }, 'reset-before', 'garbage'] as const
  await assertUnavailable(site, /GET \/sites/, failures, () => owner.connect({ privateKey: site.key }))
  site.limit(0)
  const limited = await owner.connect({ privateKey: site.key })
  site.limit()
  assert.deepEqual([limited.status, limited.body.error.code], [502, 'provider_failed'])
  assert.match(JSON.stringify(limited.body.error), /too many API requests/)
  assert.deepEqual(await owner.list(), [])
})

test('a key reads the hosts of its site’s region, with the version that we read', async () => {
  const requests: { url: string; headers: Record<string, string> }[] = []
  const reach = getProviderAccess(app.services, 'recurly')
  const outbound = {
    ...reach.outbound,
    provider: async (url: string, request: { headers?: Record<string, string> }) => {
      requests.push({ url, headers: request.headers ?? {} })
      return { status: 200, headers: {}, text: '{}' }
    },
  } as typeof reach.outbound
  for (const region of ['', 'us', 'EU'])
    await createRecurlyApi({ privateKey: 'abc', region }, { ...reach, apiUrl: null, outbound }).get('sites')
  const [us, eu] = ['https://v3.recurly.com/sites', 'https://v3.eu.recurly.com/sites']
  assert.deepEqual(
    requests.map(({ url }) => url),
    [us, us, eu],
  )
  assert.deepEqual(requests[0]?.headers, {
    authorization: `Basic ${Buffer.from('abc:').toString('base64')}`,
    accept: 'application/vnd.recurly.v2021-02-25+json',
  })
  await assert.rejects(
    createRecurlyApi({ privateKey: site.key }, reach).get('invoices/number-999999'),
    (error) => error instanceof PaymentProviderError && error.kind === 'missing',
  )
})

test('a site that is not in production mode connects test mode, and goes live with its site, by a check or a person', async () => {
  const owner = await anOwner()
  const credentials = { privateKey: site.key, webhookSecret: SECRET }
  const sales = () => db.many`
    select h.livemode, s.amount from sales s join provider_shops h on h.id = s.shop_id
    where s.account_id = ${owner.account.id} order by s.amount`
  for (const mode of ['development', 'sandbox'] as const) {
    site.setMode(mode)
    const made = expectOk(await owner.connect(credentials)).body
    assert.equal(made.livemode, false)
    assert.equal(expectOk(await owner.check(made.id)).body.livemode, false)
    const tested = recurlyInvoice({ store, amount: 1000 })
    assert.equal((await deliverRecurly(made.webhookUrl, tested.paid, SECRET)).status, 200)
    await workOff(app)
    site.setMode('production')
    const live = expectOk(
      mode === 'sandbox'
        ? await owner.check(made.id)
        : await owner.change(made.id, { credentials, webhookSecret: SECRET }),
    ).body
    assert.deepEqual([live.livemode, live.state, live.webhookUrl], [true, 'connected', made.webhookUrl])
    const paid = recurlyInvoice({ store, amount: 2000 })
    assert.equal((await deliverRecurly(made.webhookUrl, paid.paid, SECRET)).status, 200)
    await workOff(app)
    expectOk(await owner.disconnect(made.id))
  }
  const [test, real] = [
    { livemode: false, amount: 1000 },
    { livemode: true, amount: 2000 },
  ]
  assert.deepEqual(await sales(), [test, test, real, real])
})

test('forged, altered, late and foreign notifications are refused, and so is what is none', async () => {
  const owner = await anOwner()
  const { id, webhookUrl: url } = expectOk(await owner.connect({ privateKey: site.key, webhookSecret: SECRET })).body
  const { paid } = recurlyInvoice({ store, amount: 1000 })
  const body = JSON.stringify(paid)
  const now = app.clock.now().getTime()
  const nobody = await deliverRecurly(`${app.url}/hooks/providers/recurly/nobody`, paid, SECRET, { at: now })
  assert.equal(nobody.status, 404)
  const { signature } = nobody
  const tries = [
    await deliverRecurly(url, paid, 'another'),
    await deliverRecurly(url, paid, ''),
    await deliverRecurly(url, paid, SECRET, { body: body.replace('paid', 'void'), signature }),
    await deliverRecurly(url, paid, SECRET, { body: `${body}\n`, signature }),
    await deliverRecurly(url, paid, SECRET, { at: now - 301_000 }),
    await deliverRecurly(url, paid, SECRET, { at: now + 330_000 }),
    await deliverRecurly(url, paid, SECRET, { signature: null }),
    await deliverRecurly(url, paid, SECRET, { signature: '' }),
    await deliverRecurly(url, paid, SECRET, { signature: String(now) }),
    await deliverRecurly(url, paid, SECRET, { signature: `${now},` }),
    await deliverRecurly(url, paid, SECRET, { signature: signature!.replace(/^\d+/, (time) => `${Number(time) + 1}`) }),
    await deliverRecurly(url, paid, SECRET, { signature: signature!.split(',').reverse().join(',') }),
    await deliverRecurly(url, paid, SECRET, {
      signature: signature!.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
    }),
    await deliverRecurly(url, paid, SECRET, { body: 'not json' }),
    await deliverRecurly(url, paid, SECRET, { body: '[]' }),
    await deliverRecurly(url, paid, SECRET, { body: '{"event_type":"paid"}' }),
    await deliverRecurly(url, { ...paid, event_time: 'lately' }, SECRET),
    await deliverRecurly(url, { ...paid, site_id: 'another' }, SECRET),
  ]
  assertRefused(tries)
  const whole = await deliverRecurly(url, { ...paid, padding: 'x'.repeat(1_000_000) }, SECRET)
  assert.equal(whole.status, 413)
  assert.deepEqual(await listStoredEvents(id), [])
  // both keys sign for a day once the secret key was regenerated
  for (const secrets of [
    [SECRET, 'the next one'],
    ['the one before', SECRET],
  ])
    assert.equal((await deliverRecurly(url, paid, '', { secrets })).status, 200)
  assert.equal((await deliverRecurly(url, paid, SECRET)).status, 200)
  assert.equal((await deliverRecurly(url, { ...paid, event_type: 'created' }, SECRET)).status, 200)
  assert.deepEqual(await listStoredEvents(id), [
    { type: 'charge_invoice.paid', state: 'received' },
    { type: 'charge_invoice.created', state: 'ignored' },
  ])
  expectOk(await owner.disconnect(id))
})

test('a notification that names nothing readable or nothing there changes nothing', async () => {
  const owner = await anOwner()
  const { id, webhookUrl: url } = expectOk(await owner.connect({ privateKey: site.key, webhookSecret: SECRET })).body
  const { paid, refund, subscribed } = recurlyInvoice({ store, amount: 1000 })
  const { refunded } = refund(400)
  const long = '9'.repeat(30)
  const odd = [
    { ...paid, id: 'e1', invoice_number: long },
    { ...paid, id: 'e2', invoice_number: { number: 1 } },
    { ...paid, id: 'e3', invoice_number: '../sites' },
    { ...paid, id: 'e4', invoice_number: null },
    { ...refunded, id: 'e5', uuid: long },
    { ...refunded, id: 'e6', uuid: 'f'.repeat(32) },
    { ...subscribed, id: 'e7', uuid: 17 },
  ]
  for (const event of odd) assert.equal((await deliverRecurly(url, event, SECRET)).status, 200)
  const number = JSON.stringify({ ...paid, id: 'e8', invoice_number: 0 }).replace(
    /"invoice_number":0/,
    `"invoice_number":${long}`,
  )
  assert.equal((await deliverRecurly(url, paid, SECRET, { body: number })).status, 200)
  await workOff(app)
  assert.deepEqual(
    (await listStoredEvents(id)).map(({ state }) => state),
    Array.from({ length: odd.length + 1 }, () => 'processed'),
  )
  assert.deepEqual(await db.many`select from sales where account_id = ${owner.account.id}`, [])
  assert.deepEqual(await db.many`select from provider_objects where account_id = ${owner.account.id}`, [])
  expectOk(await owner.disconnect(id))
})

/** As Recurly publishes them: an invoice is named by a number there. */
const published = [
  {
    id: 'ra8fzs41jdxd',
    object_type: 'charge_invoice',
    site_id: 'qc326l1hl8k9',
    event_type: 'created',
    event_time: '2022-07-26T22:03:39Z',
    invoice_number: 1031,
  },
  {
    id: 'rafhoo0hbzff',
    object_type: 'payment',
    site_id: 'qc326l1hl8k9',
    event_type: 'refunded',
    event_time: '2022-07-27T21:45:37Z',
    uuid: '63b06a9098839d7b45a18443b6b395a0',
  },
  {
    id: 'ra8foq26o2dt',
    object_type: 'subscription',
    site_id: 'qc326l1hl8k9',
    event_type: 'created',
    event_time: '2022-07-26T22:01:56Z',
    uuid: '63ab531e1d5b1d47eaf1ef44eeb853c3',
  },
]

test('published notifications are taken, and an invoice that they name by a number is read', async () => {
  const other = await standInRecurly({ site: 'qc326l1hl8k9' })
  const there = await startWithProvider('recurly', other)
  const account = await anAccount(there)
  const { body } = expectOk(
    await createConnectionCalls(there, account, 'recurly').connect({ privateKey: other.key, webhookSecret: SECRET }),
  )
  const { invoice } = recurlyInvoice({ store: other.store, amount: 1000 })
  invoice.number = '1031'
  const paid = { ...published[0], event_type: 'paid' }
  for (const event of [...published, paid])
    assert.equal((await deliverRecurly(body.webhookUrl, event, SECRET)).status, 200)
  await workOff(there)
  const sold = await there.services.db.many`
    select external_id as number, amount from sales where account_id = ${account.id}`
  assert.deepEqual(sold, [{ number: '1031', amount: 1000 }])
})
