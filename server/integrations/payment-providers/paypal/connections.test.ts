import assert from 'node:assert/strict'
import { test } from 'node:test'
import { standInPaypal } from '../../../../test/fakes/paypal.ts'
import { deliverPaypalEvent, paypalPayment } from '../../../../test/fakes/paypal-events.ts'
import { anAccount, expectOk, type TestAccount, type TestApp } from '../../../../test/support/app.ts'
import { daysAgo, pastImported } from '../../../../test/support/past-sales.ts'
import { assertRefused, workOff } from '../../../../test/support/payment-providers.ts'
import {
  aPaypalConnection,
  connectPaypal,
  deliverPaypalEvents,
  startWithPaypal,
  WEBHOOK_ID,
} from '../../../../test/support/paypal.ts'
import { reconcileConnection } from '../reconcile.ts'
import { paypal as adapter } from './adapter.ts'

const { app, paypal } = await startWithPaypal()
const { db } = app.services

const pathOf = ({ id }: TestAccount) => `/accounts/${id}/payment-providers`
const connectionsOf = async (on: TestApp, account: TestAccount) =>
  expectOk(await on.api('GET', pathOf(account), { token: account.token })).body.items
const change = (account: TestAccount, id: string, body: object) =>
  app.api('PATCH', `${pathOf(account)}/${id}`, { token: account.token, body })
const end = (on: TestApp, account: TestAccount, connectionId: string) =>
  on.api('DELETE', `${pathOf(account)}/disconnect`, { token: account.token, body: { connectionId } })

test('a connection returns its app’s owner, and never its keys', async () => {
  const account = await anAccount(app)
  const { status, body } = await connectPaypal(app, account, { ...paypal.credentials, webhookId: WEBHOOK_ID })
  assert.equal(status, 201)
  assert.deepEqual(
    [body.accountName, body.providerAccountIdentifier, body.defaultCurrency, body.state, body.webhookSecretSet],
    ['Northwind Shop', 'RD465XN5VS364', null, 'connected', true],
  )
  const everything = JSON.stringify([
    body,
    await connectionsOf(app, account),
    await db.many`select * from provider_connections`,
  ])
  assert.ok(!everything.includes(paypal.clientSecret) && !everything.includes(paypal.clientId))
  const [token] = paypal.callsTo('POST /v1/oauth2/token')
  assert.equal(token?.raw, 'grant_type=client_credentials')
})

test('wrong credentials are refused at their field, in PayPal’s words, and nothing is connected', async () => {
  const account = await anAccount(app)
  const wrong = await connectPaypal(app, account, { ...paypal.credentials, clientSecret: 'EWrong' })
  assert.equal(wrong.status, 422)
  assert.equal(wrong.body.error.fields['credentials.clientId'], 'Client Authentication failed')
  const malformed = await connectPaypal(app, account, { clientId: 'a b', clientSecret: '', webhookId: 'WEBHOOK_ID' })
  assert.deepEqual(Object.keys(malformed.body.error.fields), [
    'credentials.clientId',
    'credentials.clientSecret',
    'credentials.webhookId',
  ])
  for (const failure of [{ status: 503 }, { status: 429, retryAfter: 3 }, 'garbage', 'reset-before'] as const) {
    paypal.fail(/token/, failure)
    const away = await connectPaypal(app, account, paypal.credentials)
    assert.deepEqual([away.status, away.body.error.code], [502, 'provider_failed'], JSON.stringify(failure))
  }
  paypal.fail(/userinfo/, { status: 500, body: '<html>Sorry</html>' })
  assert.equal((await connectPaypal(app, account, paypal.credentials)).status, 502)
  assert.deepEqual(await connectionsOf(app, account), [])
})

test('a merchant connects once per account, but to several accounts', async () => {
  const account = await anAccount(app)
  await aPaypalConnection(app, account, paypal)
  const again = await connectPaypal(app, account, paypal.credentials)
  assert.deepEqual([again.status, again.body.error.code], [409, 'duplicate'])
  await aPaypalConnection(app, await anAccount(app), paypal)
})

test('an app that may not identify its merchant still connects, once', async () => {
  const { app: own, paypal: shy } = await startWithPaypal()
  shy.forbid('userinfo')
  const account = await anAccount(own)
  const first = await connectPaypal(own, account, { ...shy.credentials, webhookId: WEBHOOK_ID })
  assert.deepEqual([first.status, first.body.accountName, first.body.providerAccountIdentifier], [201, null, null])
  assert.equal((await connectPaypal(own, account, shy.credentials)).status, 409)
})

test('without a webhook ID the webhook is created, for every relevant event, and removed on disconnecting', async () => {
  const { app: open, paypal: shop } = await startWithPaypal({ config: { allowPrivateWebhookTargets: true } })
  const account = await anAccount(open)
  const made = expectOk(await connectPaypal(open, account, shop.credentials)).body
  assert.deepEqual([made.webhookSecretSet, made.state], [true, 'connected'])
  const [webhook] = shop.webhooks()
  assert.equal(webhook?.url, made.webhookUrl)
  const names = webhook?.event_types.map(({ name }) => name)
  for (const name of ['PAYMENT.CAPTURE.COMPLETED', 'PAYMENT.SALE.COMPLETED', 'CUSTOMER.DISPUTE.RESOLVED'])
    assert.ok(names?.includes(name), name)
  const { completed } = paypalPayment({ amount: 1000, store: shop.store })
  const deliverTo = (id: string) => deliverPaypalEvent(made.webhookUrl, completed, shop.signer(id))
  assert.equal((await deliverTo(webhook!.id)).status, 200)
  assert.equal((await deliverTo(WEBHOOK_ID)).status, 400)
  await workOff(open)
  assert.equal((await open.services.db.many`select from sales`).length, 1)
  expectOk(await end(open, account, made.id))
  assert.deepEqual(shop.webhooks(), [])
})

test('a webhook whose response was lost is found again; the owner creates one that cannot be created', async () => {
  const { app: open, paypal: shop } = await startWithPaypal({ config: { allowPrivateWebhookTargets: true } })
  const account = await anAccount(open)
  shop.fail('POST /v1/notifications/webhooks', 'reset-after')
  const lost = expectOk(await connectPaypal(open, account, shop.credentials)).body
  assert.deepEqual([lost.webhookSecretSet, lost.state], [false, 'attention'])
  assert.match(lost.stateReason, /PayPal didn’t let us create the endpoint/)
  const replaced = expectOk(
    await open.api('PATCH', `${pathOf(account)}/${lost.id}`, {
      token: account.token,
      body: { credentials: shop.credentials },
    }),
  ).body
  assert.deepEqual([replaced.webhookSecretSet, replaced.state], [true, 'connected'])
  assert.equal(shop.webhooks().length, 1)

  const other = await anAccount(open)
  shop.fail('GET /v1/notifications/webhooks-event-types', { status: 403, body: { message: 'Not for this app.' } })
  const refused = expectOk(await connectPaypal(open, other, shop.credentials)).body
  assert.match(refused.stateReason, /Not for this app\./)
  const byHand = { token: other.token, body: { webhookSecret: WEBHOOK_ID } }
  const set = expectOk(await open.api('PATCH', `${pathOf(other)}/${refused.id}`, byHand)).body
  assert.deepEqual([set.webhookSecretSet, set.state], [true, 'connected'])
})

test('if PayPal lists no event types, those that every account has are subscribed to', async () => {
  const { app: open, paypal: shop } = await startWithPaypal({ config: { allowPrivateWebhookTargets: true } })
  shop.fail('GET /v1/notifications/webhooks-event-types', { status: 404 })
  const account = await anAccount(open)
  assert.equal(expectOk(await connectPaypal(open, account, shop.credentials)).body.state, 'connected')
  assert.equal(shop.webhooks()[0]?.event_types.length, 11)
})

test('a new secret replaces the old one, another merchant’s does not', async () => {
  const { app: own, paypal: shop } = await startWithPaypal()
  const account = await anAccount(own)
  const { id } = await aPaypalConnection(own, account, shop)
  shop.rollSecret()
  const check = async () =>
    expectOk(await own.api('POST', `${pathOf(account)}/${id}/check`, { token: account.token })).body
  const lost = await check()
  assert.equal(lost.state, 'attention')
  assert.match(lost.stateReason, /Client Authentication failed/)
  const replace = (credentials: object) =>
    own.api('PATCH', `${pathOf(account)}/${id}`, { token: account.token, body: { credentials } })
  assert.equal((await replace({ clientSecret: 'EWrong' })).status, 422)
  assert.equal(expectOk(await replace({ clientSecret: shop.clientSecret })).body.state, 'connected')
  shop.sellAs({ payer_id: 'SOMEBODYELSE1', name: 'Southwind' })
  const strange = await replace({ clientSecret: shop.clientSecret })
  assert.deepEqual([strange.status, strange.body.error.code], [409, 'conflict'])
})

test('forged and altered events leave nothing; a repeat is stored once, an irrelevant event as ignored', async () => {
  const account = await anAccount(app)
  const connection = await aPaypalConnection(app, account, paypal)
  const events = () =>
    db.many`select external_id as id, state from provider_events where connection_id = ${connection.id} order by received_at, id`
  const payment = paypalPayment({ amount: 1000, store: paypal.store })
  const { completed } = payment
  const signer = paypal.signer(WEBHOOK_ID)
  const tries = [
    await deliverPaypalEvent(connection.webhookUrl, completed, paypal.signer('8PT597110X687430L')),
    await deliverPaypalEvent(connection.webhookUrl, completed, signer, { body: `${JSON.stringify(completed)} ` }),
    await deliverPaypalEvent(
      connection.webhookUrl,
      completed,
      paypal.signer(WEBHOOK_ID, 'https://shop.example/CERT-1'),
    ),
    await deliverPaypalEvent(connection.webhookUrl, completed, paypal.signer(WEBHOOK_ID, 'expired')),
    await deliverPaypalEvent(connection.webhookUrl, completed, signer, {
      headers: { 'paypal-transmission-sig': null },
    }),
    await deliverPaypalEvent(connection.webhookUrl, 'not json', signer),
    await deliverPaypalEvent(connection.webhookUrl, '{}', signer),
  ]
  assertRefused(tries)
  const away = await deliverPaypalEvent(connection.webhookUrl, completed, paypal.signer(WEBHOOK_ID, 'none-there'))
  assert.equal(away.status, 502)
  assert.deepEqual(await events(), [])
  await deliverPaypalEvents(paypal, connection, [completed, completed, payment.pending])
  assert.deepEqual(await events(), [
    { id: completed.id, state: 'received' },
    { id: payment.pending.id, state: 'ignored' },
  ])
})

test('an address that PayPal cannot reach is reported as such', async () => {
  const account = await anAccount(app)
  const local = expectOk(await connectPaypal(app, account, paypal.credentials)).body
  assert.match(local.stateReason, /https/)
  assert.equal((await change(account, local.id, { webhookSecret: 'WEBHOOK_ID' })).status, 422)
  assert.equal(expectOk(await change(account, local.id, { webhookSecret: WEBHOOK_ID })).body.state, 'connected')
})

test('without a configured address PayPal is live, not the sandbox', async () => {
  const shop = await standInPaypal()
  const { outbound, clock } = app.services
  const application = { clientId: null, secretKey: null, webhookSecret: null }
  const through = {
    ...outbound,
    provider: (url: string, request?: object) => outbound.provider(url.replace(/^https:\/\/[^/]+/, shop.url), request),
  }
  const modeAt = async (apiUrl: string | null) =>
    (await adapter.readAccount(shop.credentials, { apiUrl, application, outbound: through, now: clock.now() })).livemode
  assert.equal(await modeAt(null), true)
  assert.equal(await modeAt('https://api-m.sandbox.paypal.com'), false)
  await shop.close()
})

test('after more than PayPal’s thirty days without a check, the next one books what PayPal still lists', async () => {
  const account = await anAccount(app)
  const { id } = await aPaypalConnection(app, account, paypal)
  const before = (days: number) => new Date(Date.now() - days * 86_400_000)
  await db.run`
    update provider_connections set created_at = ${before(90)}, reconciled_at = ${before(40)} where id = ${id}`
  const missed = paypalPayment({ amount: 1234, store: paypal.store, createdAt: before(20) })
  await reconcileConnection(app.services, { connectionId: id })
  const sales = await db.many`select external_id from sales where account_id = ${account.id} and amount = 1234`
  assert.deepEqual(sales, [{ externalId: missed.capture.id }])
  const [{ reconciledAt }] = await connectionsOf(app, account)
  assert.ok(Date.parse(reconciledAt) > before(1).getTime())
})

test('an app that may name its account later keeps its sales when it is connected again', async () => {
  const { app: own, paypal: shop } = await startWithPaypal()
  const account = await anAccount(own)
  shop.forbid('/identity/')
  const first = await aPaypalConnection(own, account, shop)
  const payment = paypalPayment({ amount: 1000, store: shop.store })
  await deliverPaypalEvents(shop, first, [payment.completed])
  await workOff(own)
  shop.allow('/identity/')
  const named = await own.api('POST', `${pathOf(account)}/${first.id}/check`, { token: account.token })
  assert.equal(expectOk(named).body.providerAccountIdentifier, 'RD465XN5VS364')
  expectOk(await end(own, account, first.id))
  const again = await aPaypalConnection(own, account, shop)
  const { created, skipped } = await pastImported(own, account, again, { from: daysAgo(own, 2) })
  assert.deepEqual([created, skipped], [0, 1])
  const sales = await own.services.db.many`select from sales where account_id = ${account.id}`
  assert.equal(sales.length, 1)
})
