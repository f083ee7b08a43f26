import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { standInSquare } from '../../../../test/fakes/square.ts'
import { deliverSquare, type SquareEvent, squarePayment } from '../../../../test/fakes/square-events.ts'
import { anAccount, expectOk, startApp, waitUntil } from '../../../../test/support/app.ts'
import {
  assertRefused,
  assertUnavailable,
  createConnectionCalls,
  startWithProvider,
} from '../../../../test/support/payment-providers.ts'

// Connecting a seller, and verifying requests to their address.

const seller = await standInSquare()
const config = { allowPrivateWebhookTargets: true, secretKey: randomBytes(32) }
const app = await startWithProvider('square', seller, { config })
const { db } = app.services

const anOwner = async (at = app) => {
  const account = await anAccount(at)
  return { account, ...createConnectionCalls(at, account, 'square') }
}
const listStoredEvents = (connectionId: string) => db.many<{ externalId: string; state: string }>`
  select external_id, state from provider_events where connection_id = ${connectionId} order by received_at, id`

test('a seller is connected by their own token, and the application’s webhook subscription is created', async () => {
  const owner = await anOwner()
  const made = expectOk(await owner.connect(seller.credentials)).body
  assert.deepEqual(
    [made.accountName, made.defaultCurrency, made.providerAccountIdentifier, made.state, made.webhookSecretSet],
    ['Northwind Lamps', 'usd', seller.merchant, 'connected', true],
  )
  const [subscription] = seller.subscriptions.values()
  assert.equal(subscription?.notification_url, made.webhookUrl)
  assert.ok(subscription?.event_types.includes('dispute.state.updated'))
  const everything = JSON.stringify([made, await owner.list(), await db.many`select * from provider_connections`])
  for (const secret of [seller.credentials.accessToken, subscription!.signature_key])
    assert.ok(!everything.includes(secret))
  const answers = await seller.send(squarePayment({ store: seller.store, goods: 1000 }).completed())
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200],
  )
  assert.equal((await owner.disconnect(made.id)).status, 204)
  assert.equal(seller.subscriptions.size, 0)
})

test('a subscription whose response was lost is requested with the same key, and not created twice', async () => {
  const owner = await anOwner()
  seller.fail('POST /v2/webhooks/subscriptions', 'reset-after')
  const made = expectOk(await owner.connect(seller.credentials)).body
  assert.deepEqual([made.state, made.webhookSecretSet], ['attention', false])
  assert.match(made.stateReason, /didn’t let us create the endpoint.*webhook signature key/s)
  expectOk(await owner.change(made.id, { credentials: seller.credentials }))
  const [standing] = await owner.list()
  assert.deepEqual([standing.state, seller.subscriptions.size], ['connected', 1])
  expectOk({ ...(await owner.disconnect(made.id)) })
})

test('wrong credentials are refused with an explanation', async () => {
  const owner = await anOwner()
  const { accessToken, applicationId } = seller.credentials
  for (const [credentials, field, words] of [
    [{ accessToken: 'sk_test_0000000000000000', applicationId }, 'accessToken', /begins with EAAA/],
    [{ accessToken, applicationId: 'sq0csp-secret' }, 'applicationId', /sq0idp-/],
    [{ accessToken, applicationId, signatureKey: 'short' }, 'signatureKey', /signature key/],
    [{ accessToken: `EAAA${'x'.repeat(60)}`, applicationId }, 'accessToken', /could not be authorized/],
    [{ accessToken }, 'applicationId', /sq0idp-/],
  ] as const) {
    const { status, body } = await owner.connect(credentials as Record<string, string>)
    assert.equal(status, 422, JSON.stringify(credentials))
    assert.match(body.error.fields[`credentials.${field}`], words)
  }
  assert.deepEqual(await owner.list(), [])
})

test('a seller connects once per account and mode, and not while Square does not respond', async () => {
  const owner = await anOwner()
  const failures = [{ status: 500 }, { status: 429, retryAfter: 2 }, 'reset-before', 'garbage'] as const
  await assertUnavailable(seller, 'GET /v2/merchants/me', failures, () => owner.connect(seller.credentials))
  const made = expectOk(await owner.connect(seller.credentials)).body
  const again = await owner.connect(seller.credentials)
  assert.deepEqual([again.status, again.body.error.code], [409, 'duplicate'])
  const sandbox = { applicationId: 'sandbox-sq0idb-0000' }
  const moved = await owner.change(made.id, { credentials: sandbox })
  assert.deepEqual([moved.status, moved.body.error.code], [409, 'conflict'])
  expectOk(await owner.disconnect(made.id))
})

test('forged, altered and foreign events are refused, and so is one signed for another address', async () => {
  const owner = await anOwner()
  const key = 'signs-all-that-is-told'
  const { id, webhookUrl: url } = expectOk(await owner.connect({ ...seller.credentials, signatureKey: key })).body
  const event = squarePayment({ goods: 1000 }).completed()
  const body = JSON.stringify(event)
  const nobody = await deliverSquare(`${app.url}/hooks/providers/square/nobody`, event, key, { registered: url })
  assert.equal(nobody.status, 404)
  const { signature } = nobody
  const tries = [
    await deliverSquare(url, event, 'another-signature-key'),
    await deliverSquare(url, event, ''),
    await deliverSquare(url, event, key, { registered: `${url}/` }),
    await deliverSquare(url, event, key, { registered: url.replace('http://', 'https://') }),
    await deliverSquare(url, event, key, { registered: '' }),
    await deliverSquare(url, event, key, { body: body.replace('1000', '9000'), signature }),
    await deliverSquare(url, event, key, { body: `${body}\n`, signature }),
    await deliverSquare(url, event, key, { signature: null }),
    await deliverSquare(url, event, key, { body: 'not json' }),
    await deliverSquare(url, event, key, { body: '{"type":"payment.updated"}' }),
    await deliverSquare(url, { ...event, merchant_id: 'MLAnother' }, key),
  ]
  assertRefused(tries)
  assert.equal((await deliverSquare(url, { ...event, padding: 'x'.repeat(260_000) }, key)).status, 413)
  assert.deepEqual(await listStoredEvents(id), [])
  // the first, unaltered
  assert.equal((await deliverSquare(url, event, key)).status, 200)
  expectOk(await owner.disconnect(id))
})

test('a server with a new address still accepts events signed for the registered one', async () => {
  const owner = await anOwner()
  const key = 'signs-all-that-is-told'
  const { id, webhookUrl } = expectOk(await owner.connect({ ...seller.credentials, signatureKey: key })).body
  const moved = await startApp({ db, config: { ...config, appUrl: 'https://elsewhere.example' } })
  const there = webhookUrl.replace(app.url, moved.url)
  const event = squarePayment({ goods: 1000 }).completed()
  assert.equal((await deliverSquare(there, event, key)).status, 400)
  assert.equal((await deliverSquare(there, event, key, { registered: webhookUrl })).status, 200)
  assert.equal((await listStoredEvents(id)).length, 1)
  expectOk(await owner.disconnect(id))
})

test('an event is stored once by its ID and type; others are stored as ignored', async () => {
  const owner = await anOwner()
  const key = 'signs-all-that-is-told'
  const { id, webhookUrl } = expectOk(await owner.connect({ ...seller.credentials, signatureKey: key })).body
  const payment = squarePayment({ goods: 1000 })
  const event = payment.completed()
  const ignored = { ...event, type: 'order.updated' }
  for (const delivered of [event, event, ignored, ignored])
    assert.equal((await deliverSquare(webhookUrl, delivered, key)).status, 200)
  assert.deepEqual(await listStoredEvents(id), [
    { externalId: `${event.event_id} payment.updated`, state: 'received' },
    { externalId: `${event.event_id} order.updated`, state: 'ignored' },
  ])
  expectOk(await owner.disconnect(id))
})

/** As Square publishes it, with the fields that a payment by card has. */
const published = (merchant_id: string): SquareEvent => ({
  merchant_id,
  type: 'payment.updated',
  event_id: '6a8f5f28-54a1-4eb0-a98a-3111513fd4fc',
  created_at: '2020-02-06T21:27:34.308Z',
  data: {
    type: 'payment',
    id: 'hYy9pRFVxpDsO1FB05SunFWUe9JZY',
    object: {
      payment: {
        amount_money: { amount: 100, currency: 'USD' },
        approved_money: { amount: 100, currency: 'USD' },
        card_details: {
          card: { bin: '540988', card_brand: 'MASTERCARD', exp_month: 11, exp_year: 2022, last_4: '9029' },
          card_payment_timeline: {
            authorized_at: '2020-01-22T21:16:51.198Z',
            captured_at: '2020-01-22T21:19:00.832Z',
          },
          entry_method: 'KEYED',
          status: 'CAPTURED',
        },
        created_at: '2020-01-22T21:16:51.086Z',
        delay_action: 'CANCEL',
        delay_duration: 'PT168H',
        id: 'hYy9pRFVxpDsO1FB05SunFWUe9JZY',
        location_id: 'S8GWD5R9QB376',
        receipt_number: 'hYy9',
        source_type: 'CARD',
        status: 'COMPLETED',
        total_money: { amount: 100, currency: 'USD' },
        updated_at: '2020-01-22T21:19:00.831Z',
      },
    },
  },
})

test('an event from years ago is booked on its own day', async () => {
  const other = await standInSquare({ merchant: '6SSW7HV8K2ST5' })
  const working = await startWithProvider('square', other, { worker: true })
  const account = await anAccount(working)
  const key = 'signs-all-that-is-told'
  const connection = await createConnectionCalls(working, account, 'square').connect({
    ...other.credentials,
    signatureKey: key,
  })
  const { webhookUrl } = expectOk(connection).body
  assert.equal((await deliverSquare(webhookUrl, published(other.merchant), key)).status, 200)
  const path = `/accounts/${account.id}/sales`
  const sale = await waitUntil(
    async () => expectOk(await working.api('GET', path, { token: account.token })).body.items[0],
  )
  assert.deepEqual(
    [sale.amount, sale.currency, sale.saleDate, sale.externalId, sale.livemode],
    [100, 'usd', '2020-01-22', 'hYy9pRFVxpDsO1FB05SunFWUe9JZY', true],
  )
})
