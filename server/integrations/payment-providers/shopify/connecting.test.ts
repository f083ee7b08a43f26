import assert from 'node:assert/strict'
import { test } from 'node:test'
import { standInShopify } from '../../../../test/fakes/shopify.ts'
import { deliverShopify, shopifyOrder } from '../../../../test/fakes/shopify-events.ts'
import { anAccount, expectOk, type TestAccount, waitUntil } from '../../../../test/support/app.ts'
import {
  assertRefused,
  assertUnavailable,
  createConnectionCalls,
  startWithProvider,
  workOff,
} from '../../../../test/support/payment-providers.ts'

// Connecting a shop, and verifying requests to its address.

const shop = await standInShopify()
const app = await startWithProvider('shopify', shop, { config: { allowPrivateWebhookTargets: true } })
const { db } = app.services

const anOwner = async (at = app) => {
  const account = await anAccount(at)
  return { account, ...createConnectionCalls(at, account, 'shopify') }
}
const attentionOf = async ({ id, token }: TestAccount) => {
  const { body } = expectOk(await app.api('GET', `/accounts/${id}/dashboard/2026-01-01..2026-01-31`, { token }))
  return body.attention.map(({ kind }: { kind: string }) => kind)
}
const listStoredEvents = (connectionId: string) => db.many<{ externalId: string; type: string; state: string }>`
  select external_id, type, state from provider_events where connection_id = ${connectionId} order by received_at, id`

test('a Dev Dashboard app is connected by client ID and secret, and its webhooks are created', async () => {
  const owner = await anOwner()
  const made = expectOk(await owner.connect(shop.credentials)).body
  assert.deepEqual(
    [made.accountName, made.defaultCurrency, made.providerAccountIdentifier, made.state, made.webhookSecretSet],
    ['Northwind Lamps', 'usd', shop.domain, 'connected', true],
  )
  const webhooks = [...shop.webhooks.values()].filter(({ address }) => address === made.webhookUrl)
  assert.deepEqual(webhooks.map(({ topic }) => topic).sort(), [
    ...['app/uninstalled', 'disputes/create', 'disputes/update', 'order_transactions/create', 'orders/cancelled'],
    ...['orders/paid', 'refunds/create'],
  ])
  const everything = JSON.stringify([made, await owner.list(), await db.many`select * from provider_connections`])
  for (const secret of [shop.app.clientSecret, shop.app.clientId]) assert.ok(!everything.includes(secret))

  // Shopify's payloads, limited to the requested fields, are sufficient
  const order = shopifyOrder({ store: shop.store, goods: 10_000, tax: 1000, shipping: 500 })
  assert.deepEqual(await sent(order.paid()), [200])
  await workOff(app)
  const sales = expectOk(
    await app.api('GET', `/accounts/${owner.account.id}/sales`, { token: owner.account.token }),
  ).body
  assert.deepEqual([sales.items[0].amount, sales.items[0].grossAmount], [10_000, 11_500])

  assert.equal((await owner.disconnect(made.id)).status, 204)
  assert.deepEqual([...shop.webhooks.values()], [])
})
const sent = async (event: Parameters<typeof shop.send>[0]) => (await shop.send(event)).map(({ status }) => status)

test('a development shop that becomes a real one goes live by a check, with its webhooks', async () => {
  const own = await standInShopify({ plan: 'partner_test', domain: 'northwind-dev.myshopify.com' })
  const there = await startWithProvider('shopify', own, { config: { allowPrivateWebhookTargets: true } })
  const owner = await anOwner(there)
  const made = expectOk(await owner.connect(own.credentials)).body
  own.shop.plan_name = 'basic'
  const live = expectOk(await owner.check(made.id)).body
  assert.deepEqual([made.livemode, live.livemode, live.state], [false, true, 'connected'])
  assert.equal(live.webhookUrl, made.webhookUrl)
  assert.ok([...own.webhooks.values()].some(({ address }) => address === made.webhookUrl))
})

test('an older app is connected by its token; without permission, disputes are left out', async () => {
  const own = await standInShopify({ scopes: ['write_orders'] })
  const there = await startWithProvider('shopify', own, { config: { allowPrivateWebhookTargets: true } })
  const owner = await anOwner(there)
  const made = expectOk(await owner.connect({ ...own.olderCredentials, shop: 'NorthWind.MyShopify.com' })).body
  assert.equal(made.state, 'connected')
  assert.deepEqual(
    [...own.webhooks.values()].filter(({ topic }) => topic.startsWith('disputes/')),
    [],
  )
  own.rollToken()
  const refused = expectOk(await owner.check(made.id)).body
  assert.match(refused.stateReason, /Invalid API key or access token/)
  expectOk(await owner.change(made.id, { credentials: { accessToken: own.app.accessToken } }))
  assert.equal((await owner.list())[0].state, 'connected')
})

test('wrong credentials are refused with an explanation', async () => {
  const owner = await anOwner()
  const { shop: domain, clientId, clientSecret } = shop.credentials
  for (const [credentials, field, words] of [
    [{ ...shop.credentials, shop: 'northwind.example' }, 'shop', /northwind\.myshopify\.com/],
    [{ ...shop.credentials, shop: 'evil.example/x.myshopify.com' }, 'shop', /northwind\.myshopify\.com/],
    [{ ...shop.credentials, shop: '127.0.0.1#.myshopify.com' }, 'shop', /northwind\.myshopify\.com/],
    [{ ...shop.credentials, shop: 'northwind.myshopify.com\nx' }, 'shop', /northwind\.myshopify\.com/],
    [{ shop: domain, clientId }, 'clientSecret', /client secret/],
    [{ shop: domain, clientSecret, accessToken: 'shpss_00000000' }, 'accessToken', /shpat_/],
    [{ shop: domain, clientSecret }, 'shop', /client ID, or an Admin API access token/],
    [{ shop: domain, clientSecret, clientId: 'f'.repeat(32) }, 'shop', /could not be found/],
    [{ ...shop.olderCredentials, accessToken: 'shpat_ofSomebodyElse' }, 'shop', /Invalid API key or access token/],
  ] as const) {
    const { status, body } = await owner.connect(credentials as Record<string, string>)
    assert.equal(status, 422, JSON.stringify(credentials))
    assert.match(body.error.fields[`credentials.${field}`], words)
  }
  shop.scopes.delete('read_orders')
  const { body } = await owner.connect(shop.credentials)
  shop.scopes.add('read_orders')
  assert.match(body.error.fields['credentials.shop'], /read_orders scope/)
  assert.deepEqual(await owner.list(), [])
})

test('a shop connects once per account, and not while Shopify does not respond', async () => {
  const owner = await anOwner()
  const failures = [{ status: 500 }, { status: 429, retryAfter: 2 }, 'reset-before', 'garbage'] as const
  await assertUnavailable(shop, 'GET */shop.json', failures, () => owner.connect(shop.credentials))
  shop.fail('POST /admin/oauth/access_token', { status: 503 })
  assert.equal((await owner.connect(shop.credentials)).status, 502)
  assert.deepEqual(await owner.list(), [])
  expectOk(await owner.connect(shop.credentials))
  const again = await owner.connect(shop.olderCredentials)
  assert.deepEqual([again.status, again.body.error.code], [409, 'duplicate'])
})

test('webhooks that could not be created, or that Shopify removed, are created by the next check', async () => {
  const owner = await anOwner()
  // the response is lost, but the webhook exists
  shop.fail('POST */webhooks.json', 'reset-after')
  const made = expectOk(await owner.connect(shop.credentials)).body
  assert.equal(made.state, 'attention')
  assert.match(made.stateReason, /didn’t let us create the endpoint: .*\. No events arrive until this is solved/)
  const mine = () => [...shop.webhooks.values()].filter(({ address }) => address === made.webhookUrl)
  assert.equal(mine().length, 1)
  assert.deepEqual(await attentionOf(owner.account), ['unhealthy-provider'])
  assert.equal(expectOk(await owner.check(made.id)).body.state, 'connected')
  assert.equal(mine().length, 7)
  assert.deepEqual(await attentionOf(owner.account), [])
  const [lost] = mine()
  shop.webhooks.delete(lost!.id)
  expectOk(await owner.check(made.id))
  assert.equal(mine().length, 7)
  // one of an earlier release, which sends fewer fields
  const earlier = mine().find(({ topic }) => topic === 'orders/paid')!
  const { id, fields } = earlier
  earlier.fields = fields.filter((field) => field !== 'line_items')
  expectOk(await owner.check(made.id))
  assert.deepEqual(
    mine().filter(({ topic }) => topic === 'orders/paid'),
    [{ ...earlier, id, fields }],
  )
  shop.fail('GET */webhooks.json', { status: 503 })
  assert.equal(expectOk(await owner.check(made.id)).body.state, 'connected')
  assert.equal((await owner.disconnect(made.id)).status, 204)
  assert.deepEqual(mine(), [])
})

test('the owner is warned about an address that Shopify would not call', async () => {
  const own = await standInShopify()
  const owner = await anOwner(await startWithProvider('shopify', own))
  const made = expectOk(await owner.connect(own.credentials)).body
  assert.deepEqual([made.state, made.webhookSecretSet], ['attention', true])
  assert.match(made.stateReason, /https addresses only\. Set APP_URL to an https address\./)
})

test('forged, altered and foreign events are refused and leave nothing', async () => {
  const owner = await anOwner()
  const { id, webhookUrl } = expectOk(await owner.connect(shop.credentials)).body
  const event = shopifyOrder({ goods: 1000 }).paid()
  const secret = shop.app.clientSecret
  const body = JSON.stringify(event.body)
  const signature = (await deliverShopify(`${app.url}/hooks/providers/shopify/nobody`, event, secret)).signature
  const tries = [
    await deliverShopify(webhookUrl, event, 'shpss_another'),
    await deliverShopify(webhookUrl, event, ''),
    await deliverShopify(webhookUrl, event, secret, { body: body.replace('10.00', '90.00'), signature }),
    await deliverShopify(webhookUrl, event, secret, { body: `${body}\n`, signature }),
    await deliverShopify(webhookUrl, event, secret, { signature: null }),
    await deliverShopify(webhookUrl, event, secret, { signature: signature.slice(0, -4) }),
    await deliverShopify(webhookUrl, event, secret, { signature: Buffer.from(signature, 'base64').toString('hex') }),
    await deliverShopify(webhookUrl, event, secret, { body: 'not json' }),
    await deliverShopify(webhookUrl, event, secret, { body: '' }),
    await deliverShopify(webhookUrl, event, secret, { headers: { 'x-shopify-topic': null } }),
    await deliverShopify(webhookUrl, event, secret, {
      headers: { 'x-shopify-event-id': null, 'x-shopify-webhook-id': null },
    }),
    await deliverShopify(webhookUrl, { ...event, shop: 'another.myshopify.com' }, secret),
  ]
  assertRefused(tries)
  assert.equal((await deliverShopify(`${app.url}/hooks/providers/shopify/nobody`, event, secret)).status, 404)
  assert.equal((await deliverShopify(`${app.url}/hooks/providers/shopify/platform`, event, secret)).status, 404)
  const big = { ...event, body: { ...event.body, padding: 'x'.repeat(260_000) } }
  assert.equal((await deliverShopify(webhookUrl, big, secret)).status, 413)
  assert.deepEqual(await listStoredEvents(id), [])
})

test('an event is stored once by its ID, also by the older header; other topics are stored as ignored', async () => {
  const owner = await anOwner()
  const { id, webhookUrl } = expectOk(await owner.connect(shop.credentials)).body
  const event = shopifyOrder({ goods: 1000 }).paid()
  const secret = shop.app.clientSecret
  const older = {
    headers: { 'x-shopify-event-id': null, 'x-shopify-webhook-id': 'b1', 'x-shopify-triggered-at': null },
  }
  for (const [told, how] of [
    [event, {}],
    [event, {}],
    [event, older],
    [event, older],
    [{ ...event, topic: 'orders/create' }, {}],
  ] as const)
    assert.equal((await deliverShopify(webhookUrl, told, secret, how)).status, 200)
  assert.deepEqual(await listStoredEvents(id), [
    { externalId: `${event.id} orders/paid`, type: 'orders/paid', state: 'received' },
    { externalId: 'b1 orders/paid', type: 'orders/paid', state: 'received' },
    { externalId: `${event.id} orders/create`, type: 'orders/create', state: 'ignored' },
  ])
})

test('events that arrived while the app was uninstalled are still booked, without asking for a key', async () => {
  const own = await standInShopify()
  const working = await startWithProvider('shopify', own, { worker: true })
  const owner = await anOwner(working)
  const { webhookUrl } = expectOk(await owner.connect(own.credentials)).body
  own.uninstall()
  await deliverShopify(webhookUrl, shopifyOrder({ goods: 1000 }).paid(), own.app.clientSecret)
  const { id, token } = owner.account
  const sale = await waitUntil(
    async () => expectOk(await working.api('GET', `/accounts/${id}/sales`, { token })).body.items[0],
  )
  assert.equal(sale.amount, 1000)
})
