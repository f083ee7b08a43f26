import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { standInWooCommerce } from '../../../../test/fakes/woocommerce.ts'
import { deliverWoo, pingWoo, wooOrder } from '../../../../test/fakes/woocommerce-events.ts'
import { anAccount, expectOk, startApp } from '../../../../test/support/app.ts'
import {
  assertRefused,
  assertUnavailable,
  createConnectionCalls,
  workOff,
} from '../../../../test/support/payment-providers.ts'
import { watchConnections } from '../health.ts'

// Connecting a store, and verifying requests to its address.

const config = { allowPrivateWebhookTargets: true }
const shop = await standInWooCommerce({ below: '/store' })
after(() => shop.close())
const app = await startApp({ config })
const { db } = app.services

const anOwner = async (at = app) => {
  const account = await anAccount(at)
  return { account, ...createConnectionCalls(at, account, 'woocommerce') }
}
async function another(options: Parameters<typeof standInWooCommerce>[0]) {
  const own = await standInWooCommerce(options)
  after(() => own.close())
  return own
}
const mine = ({ webhookUrl }: { webhookUrl: string }, at = shop) =>
  [...at.webhooks.values()].filter(({ delivery_url }) => delivery_url === webhookUrl)
const listStoredEvents = (connectionId: string) => db.many<{ type: string; state: string }>`
  select type, state from provider_events where connection_id = ${connectionId} order by received_at, id`

test('a key that may write has the webhooks made, whose address is tested, and removed again', async () => {
  const owner = await anOwner()
  const made = expectOk(await owner.connect({ ...shop.credentials, store: `${shop.address}/wp-admin/` })).body
  assert.deepEqual(
    [made.accountName, made.defaultCurrency, made.providerAccountIdentifier, made.livemode],
    [shop.address.replace('http://', ''), 'usd', shop.address, true],
  )
  assert.deepEqual([made.state, made.webhookSecretSet], ['connected', true])
  assert.deepEqual(
    mine(made).map(({ topic, status, pinged }) => [topic, status, pinged]),
    [
      ['order.created', 'active', 200],
      ['order.updated', 'active', 200],
    ],
  )
  const { secret } = mine(made)[0]!
  const everything = JSON.stringify([made, await owner.list(), await db.many`select * from provider_connections`])
  for (const hidden of [secret, shop.keys.consumerSecret, shop.keys.consumerKey])
    assert.ok(!everything.includes(hidden))

  const order = wooOrder({ store: shop.store, goods: 10_000, tax: 1000, shipping: 500 })
  assert.deepEqual(await shop.send(order.placed()), [200])
  assert.deepEqual(await shop.send(order.paid()), [200])
  await workOff(app)
  const sales = expectOk(
    await app.api('GET', `/accounts/${owner.account.id}/sales`, { token: owner.account.token }),
  ).body
  assert.deepEqual([sales.items[0].amount, sales.items[0].grossAmount], [10_000, 11_500])
  assert.equal(
    sales.items[0].providerUrl,
    `${shop.address}/wp-admin/admin.php?page=wc-orders&action=edit&id=${order.id}`,
  )

  assert.equal((await owner.disconnect(made.id)).status, 204)
  assert.deepEqual(mine(made), [])
})

test('with a key that may only read, the secret of the webhooks is entered by hand', async () => {
  const own = await another({ permissions: 'read' })
  const owner = await anOwner()
  const made = expectOk(await owner.connect(own.credentials)).body
  assert.deepEqual([made.state, made.webhookSecretSet], ['attention', false])
  assert.match(
    made.stateReason,
    /does not have write permissions\. Create an endpoint at WooCommerce .* webhook secret/,
  )
  // saving a webhook there tests its address, before there is a secret
  assert.equal(await pingWoo(made.webhookUrl), 200)
  const event = wooOrder({ goods: 1000 }).paid()
  const secret = 'a b&<{~5 ]x'
  assert.equal((await deliverWoo(made.webhookUrl, event, secret)).status, 400)
  assert.match(expectOk(await owner.check(made.id)).body.stateReason, /write permissions/)
  expectOk(await owner.change(made.id, { webhookSecret: secret }))
  assert.equal((await owner.list())[0].state, 'connected')
  assert.equal((await deliverWoo(made.webhookUrl, event, secret)).status, 200)
  assert.equal(expectOk(await owner.check(made.id)).body.state, 'connected')
  // what a person has made there stays
  assert.equal((await owner.disconnect(made.id)).status, 204)
  assert.deepEqual(own.callsTo('DELETE *'), [])
})

test('a server that drops the header with the key is asked with the key in the query, once a call', async () => {
  const own = await another({ dropsHeader: true })
  const owner = await anOwner()
  const made = expectOk(await owner.connect(own.credentials)).body
  assert.equal(made.state, 'connected')
  const calls = own.callsTo('GET */orders')
  assert.deepEqual(
    calls.map(({ query, headers }) => [query.consumer_key !== undefined, headers.authorization !== undefined]),
    [
      [false, true],
      [true, false],
    ],
  )
  assert.equal(own.callsTo('GET */data/currencies/current').length, 1)
  const wrong = await owner.connect({ ...own.credentials, consumerSecret: 'cs_00000000' })
  assert.match(wrong.body.error.fields['credentials.store'], /Consumer secret is invalid/)
})

test('wrong credentials are refused with an explanation', async () => {
  const owner = await anOwner()
  const { consumerKey, consumerSecret } = shop.keys
  const { credentials } = shop
  const long = 'x'.repeat(1_000_000)
  for (const [given, field, words] of [
    [{ ...credentials, store: 'shop.example' }, 'store', /begins with https:\/\//],
    [{ ...credentials, store: `https://${long}.example` }, 'store', /begins with https:\/\//],
    [{ ...credentials, store: 'https://user:pass@shop.example' }, 'store', /user name and password/],
    [{ ...credentials, store: 'https://169.254.169.254' }, 'store', /not allowed/],
    [{ ...credentials, store: 'https://shop.internal' }, 'store', /public internet/],
    [{ ...credentials, store: shop.url }, 'store', /There is no WooCommerce at this address/],
    [{ ...credentials, consumerKey: consumerSecret }, 'consumerKey', /begins with ck_/],
    [{ ...credentials, consumerKey: `ck_${long}` }, 'consumerKey', /begins with ck_/],
    [{ ...credentials, consumerSecret: consumerKey }, 'consumerSecret', /begins with cs_/],
    [{ ...credentials, webhookSecret: 'two\nlines' }, 'webhookSecret', /on one line/],
    [{ ...credentials, webhookSecret: long }, 'webhookSecret', /200 characters/],
    [{ store: shop.address, consumerKey }, 'consumerSecret', /begins with cs_/],
    [{ ...credentials, consumerKey: `ck_${'0'.repeat(30)}` }, 'store', /Sorry, you cannot list resources/],
    [{ ...credentials, consumerSecret: `cs_${'0'.repeat(30)}` }, 'store', /Consumer secret is invalid/],
  ] as const) {
    const { status, body } = await owner.connect(given as Record<string, string>)
    if (status === 413) continue
    assert.equal(status, 422, JSON.stringify(given).slice(0, 200))
    assert.match(body.error.fields[`credentials.${field}`], words)
  }
  const moved = { status: 301, headers: { location: 'https://www.shop.example/wp-json/wc/v3/orders' } }
  shop.fail('GET */orders', moved)
  const { body } = await owner.connect(credentials)
  assert.match(body.error.fields['credentials.store'], /leads on to https:\/\/www\.shop\.example\. Enter that address/)
  assert.deepEqual(await owner.list(), [])
})

test('a store on http, or in the private network, is refused where that is not allowed', async () => {
  const owner = await anOwner(await startApp())
  for (const [store, words] of [
    [shop.address, /^Enter an address that begins with https:\/\/\.$/],
    ['http://shop.example', /^Enter an address that begins with https:\/\/\.$/],
    ['https://127.0.0.1', /host name instead of an IP address/],
    ['https://shop.example:8080', /port 443 or 8443/],
    ['https://intranet', /full host name/],
  ] as const) {
    const { status, body } = await owner.connect({ ...shop.credentials, store })
    assert.equal(status, 422, store)
    assert.match(body.error.fields['credentials.store'], words)
  }
})

test('a store connects once per account, and not while it does not respond', async () => {
  const owner = await anOwner()
  const failures = [{ status: 500 }, { status: 429, retryAfter: 2 }, 'reset-before', 'garbage'] as const
  await assertUnavailable(shop, 'GET */orders', failures, () => owner.connect(shop.credentials))
  assert.deepEqual(await owner.list(), [])
  // a shop manager who may not read settings
  shop.fail('GET */data/currencies/current', { status: 403, body: { message: 'Sorry' } })
  const made = expectOk(await owner.connect(shop.credentials)).body
  assert.deepEqual([made.defaultCurrency, made.state], [null, 'connected'])
  const again = await owner.connect({ ...shop.credentials, store: `${shop.address}/` })
  assert.deepEqual([again.status, again.body.error.code], [409, 'duplicate'])
})

test('webhooks that could not be made are made by Check now, and each only once', async () => {
  const own = await another({})
  const owner = await anOwner()
  // the work is done and its answer lost
  own.fail('POST */webhooks', 'reset-after')
  const made = expectOk(await owner.connect(own.credentials)).body
  assert.deepEqual([made.state, made.webhookSecretSet, mine(made, own).length], ['attention', false, 1])
  assert.equal(expectOk(await owner.check(made.id)).body.state, 'connected')
  assert.equal(mine(made, own).length, 2)
  const order = wooOrder({ goods: 1000 })
  assert.deepEqual(await own.send(order.placed()), [200])
  assert.deepEqual(await own.send(order.paid()), [200])
})

test('a webhook that WooCommerce turned off is reported, and turned on by Check now', async () => {
  const owner = await anOwner()
  const made = expectOk(await owner.connect(shop.credentials)).body
  const [, updated] = mine(made)
  const { secret } = updated!
  const event = wooOrder({ goods: 1000 }).paid()
  for (let times = 0; times < 6; times++) {
    updated!.delivery_url = `${app.url}/nothing/here`
    await shop.send(event)
    updated!.delivery_url = made.webhookUrl
  }
  assert.equal(updated!.status, 'disabled')
  // by day, only told
  await db.run`update provider_connections set checked_at = null where id = ${made.id}`
  await watchConnections(app.services)
  const [told] = await owner.list()
  assert.equal(told.state, 'attention')
  assert.match(told.stateReason, /turned off a webhook for orders, as it does after several deliveries have failed\. /)
  assert.equal(updated!.status, 'disabled')
  assert.equal(expectOk(await owner.check(made.id)).body.state, 'connected')
  assert.deepEqual([updated!.status, updated!.secret], ['active', secret])
  for (const [change, words] of [
    [() => Object.assign(updated!, { status: 'paused' }), /paused/],
    [() => shop.webhooks.delete(updated!.id), /deleted/],
  ] as const) {
    change()
    await db.run`update provider_connections set checked_at = null where id = ${made.id}`
    await watchConnections(app.services)
    assert.match((await owner.list())[0].stateReason, words)
    assert.equal(expectOk(await owner.check(made.id)).body.state, 'connected')
    assert.deepEqual(
      mine(made).map(({ status, secret: known }) => [status, known]),
      [
        ['active', secret],
        ['active', secret],
      ],
    )
  }
})

test('the unsigned test of an address is answered with exactly 200 there alone, and stores nothing', async () => {
  const owner = await anOwner()
  const { id, webhookUrl } = expectOk(await owner.connect(shop.credentials)).body
  assert.deepEqual([await pingWoo(webhookUrl), await pingWoo(webhookUrl)], [200, 200])
  assert.equal(await pingWoo(`${app.url}/hooks/providers/woocommerce/nobody`), 404)
  assert.equal(await pingWoo(`${app.url}/hooks/providers/woocommerce/platform`), 404)
  for (const more of ['1&a=b', '1'.repeat(30), '', 'x']) assert.equal(await pingWoo(webhookUrl, more), 400)
  assert.deepEqual(await listStoredEvents(id), [])
})

test('forged and altered events are refused and leave nothing', async () => {
  const owner = await anOwner()
  const made = expectOk(await owner.connect(shop.credentials)).body
  const { id, webhookUrl } = made
  const { secret } = mine(made)[0]!
  const event = wooOrder({ goods: 1000 }).paid()
  const body = JSON.stringify(event.body)
  const { signature } = await deliverWoo(`${app.url}/hooks/providers/woocommerce/nobody`, event, secret)
  assertRefused([
    await deliverWoo(webhookUrl, event, 'another'),
    await deliverWoo(webhookUrl, event, '', { body }),
    await deliverWoo(webhookUrl, event, secret, { body: body.replace('10.00', '90.00'), signature }),
    await deliverWoo(webhookUrl, event, secret, { body: `${body}\n`, signature }),
    await deliverWoo(webhookUrl, event, secret, { signature: null }),
    await deliverWoo(webhookUrl, event, secret, { signature: signature.slice(0, -4) }),
    await deliverWoo(webhookUrl, event, secret, { signature: Buffer.from(signature, 'base64').toString('hex') }),
    await deliverWoo(webhookUrl, event, secret, { body: 'not json' }),
    await deliverWoo(webhookUrl, event, secret, { body: '' }),
    await deliverWoo(webhookUrl, event, secret, { headers: { 'x-wc-webhook-topic': null } }),
    await deliverWoo(webhookUrl, { ...event, topic: 'order' }, secret),
    await deliverWoo(webhookUrl, { ...event, topic: 'refunds' }, secret),
  ])
  assert.equal((await deliverWoo(`${app.url}/hooks/providers/woocommerce/nobody`, event, secret)).status, 404)
  assert.equal((await deliverWoo(`${app.url}/hooks/providers/woocommerce/platform`, event, secret)).status, 404)
  const big = { ...event, body: { ...event.body, padding: 'x'.repeat(1_000_000) } }
  assert.equal((await deliverWoo(webhookUrl, big, secret)).status, 413)
  assert.deepEqual(await listStoredEvents(id), [])
})

test('orders of the same second are all stored, each once; other topics are stored as ignored', async () => {
  const owner = await anOwner()
  const made = expectOk(await owner.connect(shop.credentials)).body
  const { secret } = mine(made)[0]!
  const [one, other] = [wooOrder({ goods: 1000 }).paid(), wooOrder({ goods: 2000 }).paid()]
  for (const event of [one, other, one, { topic: 'order.deleted', body: { id: one.body.id } }])
    assert.equal((await deliverWoo(made.webhookUrl, event, secret)).status, 200)
  assert.deepEqual(await listStoredEvents(made.id), [
    { type: 'order.updated', state: 'received' },
    { type: 'order.updated', state: 'received' },
    { type: 'order.deleted', state: 'ignored' },
  ])
})

test('a key that the store no longer accepts is reported, and a new one goes on', async () => {
  const own = await another({})
  const owner = await anOwner()
  const made = expectOk(await owner.connect(own.credentials)).body
  own.rollKey()
  const refused = expectOk(await owner.check(made.id)).body
  assert.match(refused.stateReason, /no longer accepts the key: Sorry, you cannot list resources/)
  expectOk(await owner.change(made.id, { credentials: own.keys }))
  assert.equal((await owner.list())[0].state, 'connected')
  const foreign = await owner.change(made.id, { credentials: shop.credentials })
  assert.equal(foreign.status, 409)
})
