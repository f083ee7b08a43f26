import assert from 'node:assert/strict'
import { test } from 'node:test'
import { standInLemonSqueezy } from '../../../../test/fakes/lemon-squeezy.ts'
import { deliverLemon, type LemonEvent, lemonEvent, lemonOrder } from '../../../../test/fakes/lemon-squeezy-events.ts'
import { anAccount, anEmail, expectOk, type TestAccount } from '../../../../test/support/app.ts'
import {
  assertRefused,
  assertUnavailable,
  connectProvider,
  startWithProvider,
  workOff,
} from '../../../../test/support/payment-providers.ts'
import { aShop } from '../../../../test/support/provider-stories.ts'

// Lemon Squeezy as it really is: events without ids, refunds as a sum, a subscription's first payment reported twice.

const lemon = await standInLemonSqueezy()
const app = await startWithProvider('lemon-squeezy', lemon, { config: { allowPrivateWebhookTargets: true } })
const { db } = app.services
const { store } = lemon
const SECRET = 'a-secret-that-was-chosen'
const connecting = (owner: TestAccount, more: object = { webhookSecret: SECRET }, shop = lemon, at = app) =>
  connectProvider(at, owner, { provider: 'lemon-squeezy', credentials: { apiKey: shop.key, ...more } })
const paths = (owner: TestAccount) => `/accounts/${owner.id}/payment-providers`

const { account, partner, aLead, salesOf, deliver, deliverAndBook, fromFile, inEveryOrder, connection } =
  await aShop<LemonEvent>(
    app,
    async (owner) => expectOk(await connecting(owner)).body,
    (url, event) => deliverLemon(url, event, SECRET),
  )

// --- connecting

test('connecting checks the key, reads the store, and creates the webhook with our own secret', async () => {
  const owner = await anAccount(app)
  const made = expectOk(await connecting(owner, {})).body
  assert.deepEqual(
    [made.state, made.webhookSecretSet, made.accountName, made.defaultCurrency, made.providerAccountIdentifier],
    ['connected', true, 'Lemon Stand', 'usd', '1'],
  )
  const [webhook] = lemon.webhooks()
  assert.match(webhook!.secret, /^[0-9a-f]{40}$/)
  assert.deepEqual(
    [webhook?.url, webhook?.store, webhook?.test_mode, webhook?.events.includes('order_refunded')],
    [made.webhookUrl, '1', true, true],
  )
  assert.deepEqual(
    (await lemon.send(lemonOrder({ amount: 1000, store }).created)).map(({ status }) => status),
    [200],
  )
  const again = await connecting(owner, {})
  assert.deepEqual([again.status, again.body.error.code], [409, 'duplicate'])
  const { token } = owner
  expectOk(await app.api('DELETE', `${paths(owner)}/disconnect`, { token, body: { connectionId: made.id } }))
  assert.deepEqual(lemon.webhooks(), [])
})

test('a key for several stores requires a choice, and each store is a connection of its own', async () => {
  const stores = [
    { id: 7, name: 'Harbor', currency: 'EUR' },
    { id: 8, name: 'Quay' },
  ]
  const several = await standInLemonSqueezy({ stores, testMode: false })
  const own = await startWithProvider('lemon-squeezy', several)
  const owner = await anAccount(own)
  const open = (more: object) => connecting(owner, { webhookSecret: SECRET, ...more }, several, own)
  const reply = await open({})
  assert.deepEqual(
    [reply.status, reply.body.error.fields],
    [422, { 'credentials.storeId': 'This key can access Harbor (7), Quay (8). Enter the ID of one store.' }],
  )
  const strange = await open({ storeId: '9' })
  assert.match(strange.body.error.fields['credentials.storeId'], /not the store 9/)
  const [harbor, quay] = [expectOk(await open({ storeId: '7' })).body, expectOk(await open({ storeId: '8' })).body]
  assert.deepEqual([harbor.accountName, harbor.defaultCurrency, quay.accountName], ['Harbor', 'eur', 'Quay'])
  const order = lemonOrder({ amount: 1000, storeId: 7, testMode: false })
  assert.equal((await deliverLemon(harbor.webhookUrl, order.created, SECRET)).status, 200)
  assert.equal((await deliverLemon(quay.webhookUrl, order.created, SECRET)).status, 400)
  const test = lemonOrder({ amount: 1000, storeId: 7, testMode: true })
  assert.equal((await deliverLemon(harbor.webhookUrl, test.created, SECRET)).status, 400)
})

test('wrong credentials are refused at their field, in Lemon Squeezy’s words', async () => {
  const owner = await anAccount(app)
  const readRefusal = async (credentials: object) =>
    (await connectProvider(app, owner, { provider: 'lemon-squeezy', credentials })).body.error.fields
  assert.deepEqual(await readRefusal({ apiKey: 'eyJhbGciOiJSUzI1NiJ9.strange.key' }), {
    'credentials.apiKey': 'Unauthenticated.',
  })
  assert.deepEqual(Object.keys(await readRefusal({ apiKey: 'short', storeId: '#1', webhookSecret: 'x'.repeat(41) })), [
    ...['credentials.apiKey', 'credentials.storeId', 'credentials.webhookSecret'],
  ])
})

test('nothing is connected while Lemon Squeezy returns no usable response', async () => {
  const owner = await anAccount(app)
  const html = { status: 200, body: '<!doctype html>' }
  const failures = [{ status: 500 }, { status: 429, retryAfter: 60 }, html, 'reset-before'] as const
  await assertUnavailable(lemon, /stores/, failures, () => connecting(owner))
})

// --- signatures

test('an event not signed by Lemon Squeezy is refused and leaves nothing; the same text is the same event', async () => {
  const owner = await anAccount(app)
  const { webhookUrl: url } = expectOk(await connecting(owner)).body
  const { created: event } = lemonOrder({ amount: 1000 })
  const body = JSON.stringify(event)
  const { signature } = await deliverLemon(`${app.url}/hooks/providers/lemon-squeezy/nobody`, event, SECRET)
  const tries = [
    await deliverLemon(url, event, 'another-secret'),
    await deliverLemon(url, event, SECRET, { body: body.replace('1000', '9000'), signature }),
    await deliverLemon(url, event, SECRET, { body: `${body}\n`, signature }),
    await deliverLemon(url, event, SECRET, { signature: null }),
    await deliverLemon(url, event, SECRET, { signature: '' }),
    await deliverLemon(url, event, SECRET, { signature: signature!.slice(2) }),
    await deliverLemon(url, event, SECRET, { body: 'not json' }),
    await deliverLemon(url, event, SECRET, { body: '[]' }),
    await deliverLemon(url, { ...event, meta: {} }, SECRET),
    await deliverLemon(url, lemonOrder({ amount: 1000, storeId: 2 }).created, SECRET),
    await deliverLemon(url, lemonOrder({ amount: 1000, testMode: false }).created, SECRET),
  ]
  assertRefused(tries)
  const kept = () => db.many<{ type: string; state: string }>`
    select e.type, e.state from provider_events e join provider_shops s on s.id = e.shop_id
    where s.account_id = ${owner.id} order by e.received_at, e.id`
  assert.deepEqual(await kept(), [])
  // the header is not signed
  const renamed = { headers: { 'x-event-name': 'order_refunded' } }
  assert.equal((await deliverLemon(url, event, SECRET, renamed)).status, 200)
  assert.equal((await deliverLemon(url, event, SECRET)).status, 200)
  assert.equal((await deliverLemon(url, lemonEvent('license_key_created', event.data), SECRET)).status, 200)
  assert.deepEqual(await kept(), [
    { type: 'order_created', state: 'received' },
    { type: 'license_key_created', state: 'ignored' },
  ])
})

// --- stories

test('an order with tax, refunded in two parts and then in full, ends the same in every order', async () => {
  await inEveryOrder(
    (email) => {
      const order = lemonOrder({ email, amount: 11_900, tax: 1900, store })
      return [order.created, order.refunded(3000), order.refunded(5000), order.refunded(11_900)]
    },
    ([sale, ...others]) => {
      assert.deepEqual(others, [])
      assert.deepEqual([sale?.amount, sale?.taxAmount, sale?.grossAmount], [10_000, 1900, 11_900])
      assert.deepEqual([sale?.refundedAmount, sale?.status], [11_900, 'refunded'])
    },
  )
})

test('a refund of a payment that only a file has reaches its sale', async () => {
  const email = anEmail('buyer')
  const order = lemonOrder({ amount: 10_000, email, store })
  await fromFile({ externalId: order.id, email }, [order.refunded(4000)], {
    refunded: 4000,
    status: 'partially-refunded',
  })
})

test('the first payment of a subscription is one sale, whichever events report it and its refund', async () => {
  await inEveryOrder(
    (email) => {
      const order = lemonOrder({ email, amount: 12_000, tax: 2000, store })
      const subscription = order.subscribe()
      const first = subscription.initial()
      const renewal = subscription.renewal(6000, 1000)
      return [
        ...[order.created, subscription.created, first.paid, renewal.paid],
        ...[order.refunded(3000), first.refunded(3000), renewal.refunded(6000)],
      ]
    },
    (sales) =>
      assert.deepEqual(
        sales.map(({ amount, refundedAmount, status }) => [amount, refundedAmount, status]),
        [
          [5000, 6000, 'refunded'],
          [10_000, 3000, 'partially-refunded'],
        ],
      ),
  )
})

test('a trial is not a sale; the payment after it is, whether called initial or a renewal', async () => {
  await inEveryOrder(
    (email) => {
      const order = lemonOrder({ email, amount: 0, store })
      const subscription = order.subscribe({ trial: true })
      const [first, second] = [subscription.initial(9000), subscription.renewal(7000)]
      return [order.created, subscription.created, first.paid, second.paid]
    },
    (sales) =>
      assert.deepEqual(
        sales.map(({ amount }) => amount),
        [7000, 9000],
      ),
    15,
  )
})

// --- one by one

test('custom data names the partner of a payment, and a subscription passes it on', async () => {
  // as the script hands it over until the click is counted
  const customData = { click_id: partner.referralCode, user_id: 17, nothing: null }
  const order = lemonOrder({ email: anEmail('coded'), amount: 10_000, customData, store })
  const subscription = order.subscribe()
  const bare = subscription.renewal(5000)
  delete bare.paid.meta.custom_data
  await deliverAndBook([subscription.created, bare.paid, order.created])
  const sold = await db.many`
    select external_id, partner_id, matched_by, subscription_id, customer_id, description from sales
    where subscription_id = ${`subscriptions/${subscription.id}`} order by amount`
  const own = {
    ...{ partnerId: partner.id, matchedBy: 'code', subscriptionId: `subscriptions/${subscription.id}` },
    customerId: String(order.customer),
  }
  assert.deepEqual(sold, [
    { externalId: `subscription-invoices/${bare.id}`, ...own, description: 'Subscription One' },
    { externalId: `orders/${order.id}`, ...own, description: 'Product One' },
  ])
})

test('a promotion code names the partner of an order', async () => {
  const body = { code: 'LEMON-25' }
  expectOk(await app.api('POST', `/partners/${partner.id}/promotion-codes`, { token: account.token, body }))
  const order = lemonOrder({ email: anEmail('code'), amount: 10_000, promotionCode: 'lemon-25', store })
  await deliver([order.created])
  lemon.fail(/redemptions/, { status: 500 })
  await assert.rejects(workOff(app))
  await workOff(app)
  const sold = await db.many`select partner_id, matched_by from sales where external_id = ${`orders/${order.id}`}`
  assert.deepEqual(sold, [{ partnerId: partner.id, matchedBy: 'coupon' }])
})

test('a trial creates the lead before any payment', async () => {
  const email = anEmail('trying')
  const customData = { referral_code: partner.referralCode }
  const order = lemonOrder({ email, name: 'Zoë\n𝒜nder 😀', amount: 0, customData, store })
  await deliverAndBook([order.created])
  const lead = await db.one`select first_name, last_name, partner_id from leads where email = ${email}`
  assert.deepEqual(lead, { firstName: 'Zoë 𝒜nder', lastName: '😀', partnerId: partner.id })
})

test('a refund of a payment before the connection creates no sale, nor does an unpaid order', async () => {
  const lead = await aLead()
  const order = lemonOrder({ email: lead.email, amount: 10_000, store })
  const pending = lemonOrder({ email: lead.email, amount: 5000, store })
  pending.created.data.attributes.status = 'pending'
  const fraudulent = lemonOrder({ email: lead.email, amount: 5000, store })
  fraudulent.created.data.attributes.status = 'fraudulent'
  await deliverAndBook([order.refunded(4000), pending.created, fraudulent.created])
  assert.deepEqual(await salesOf(lead.id), [])
})

test('an order in the older format, which only says that it was refunded, is refunded in full', async () => {
  const lead = await aLead()
  const order = lemonOrder({ email: lead.email, amount: 10_000, store })
  const refunded = order.refunded(10_000)
  for (const { data, meta } of [order.created, refunded]) {
    delete data.attributes.refunded_amount
    delete meta.test_mode
  }
  await deliverAndBook([order.created, refunded])
  const [sale] = await salesOf(lead.id)
  assert.deepEqual([sale.refundedAmount, sale.status], [10_000, 'refunded'])
})

test('a first invoice whose subscription is gone is left to its order', async () => {
  const lead = await aLead()
  const order = lemonOrder({ email: lead.email, amount: 10_000, store })
  const subscription = order.subscribe()
  store.delete(`subscriptions/${subscription.id}`)
  await deliverAndBook([subscription.initial().paid, order.created])
  const sales = await salesOf(lead.id)
  assert.deepEqual(
    sales.map(({ externalId }: { externalId: string }) => externalId),
    [`orders/${order.id}`],
  )
})

test('a payment waits while Lemon Squeezy does not say what its order started', async () => {
  const lead = await aLead()
  const order = lemonOrder({ email: lead.email, amount: 10_000, store })
  await deliver([order.created])
  for (const failure of [{ status: 429, retryAfter: 60 }, { status: 500 }, 'garbage', 'reset-after'] as const) {
    lemon.fail(/subscriptions/, failure)
    await assert.rejects(workOff(app))
    assert.deepEqual(await salesOf(lead.id), [])
  }
  await workOff(app)
  assert.equal((await salesOf(lead.id)).length, 1)
})

test('payments wait for a new key when theirs was rotated', async () => {
  const lead = await aLead()
  lemon.rollKey()
  await deliverAndBook([lemonOrder({ email: lead.email, amount: 10_000, store }).created])
  assert.deepEqual(await salesOf(lead.id), [])
  const { token } = account
  const [shown] = expectOk(await app.api('GET', paths(account), { token })).body.items
  assert.match(shown.stateReason, /Lemon Squeezy no longer accepts the key: Unauthenticated/)
  expectOk(
    await app.api('PATCH', `${paths(account)}/${connection().id}`, {
      token,
      body: { credentials: { apiKey: lemon.key } },
    }),
  )
  await workOff(app)
  assert.equal((await salesOf(lead.id)).length, 1)
})
