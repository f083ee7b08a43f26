import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anAccount, expectOk, type TestAccount } from '../../../test/support/app.ts'
import { aConnection, SIGNING_SECRET, startWithStripe } from '../../../test/support/payment-providers.ts'
import { adapters } from './registry.ts'

const { app, stripe } = await startWithStripe()
let account: TestAccount

const at = (path: string) => `/accounts/${account.id}/payment-providers${path}`
const call = (method: string, path: string, body?: unknown) => app.api(method, at(path), { token: account.token, body })
const connect = (credentials: Record<string, string>, provider = 'stripe') =>
  call('POST', '/connect', { provider, credentials })

test('a connection returns Stripe’s details, and never its keys', async () => {
  account = await anAccount(app)
  const { status, body } = await connect({ restrictedKey: stripe.key, webhookSecret: SIGNING_SECRET })
  assert.equal(status, 201)
  assert.equal(body.accountName, 'Northwind Shop')
  assert.equal(body.defaultCurrency, 'usd')
  assert.equal(body.providerAccountIdentifier, stripe.account.id)
  assert.equal(body.state, 'connected')
  assert.equal(body.webhookSecretSet, true)
  assert.match(body.webhookUrl, new RegExp(`^${app.url}/hooks/providers/stripe/[\\w-]{43}$`))
  const list = expectOk(await call('GET', '')).body
  assert.deepEqual(list.items, [body])
  const everything = JSON.stringify([body, list])
  assert.ok(!everything.includes(stripe.key) && !everything.includes(SIGNING_SECRET))
  const rows = await app.services.db.many`select * from provider_connections`
  assert.ok(!JSON.stringify(rows).includes(stripe.key))
})

test('a Stripe account connects once per account, but to several accounts', async () => {
  account = await anAccount(app)
  await aConnection(app, account, stripe)
  const again = await connect({ restrictedKey: stripe.key, webhookSecret: SIGNING_SECRET })
  assert.deepEqual([again.status, again.body.error.code], [409, 'duplicate'])
  account = await anAccount(app)
  assert.equal((await connect({ restrictedKey: stripe.key, webhookSecret: SIGNING_SECRET })).status, 201)
})

test('wrong keys are refused at their field, in Stripe’s words', async () => {
  account = await anAccount(app)
  const unknown = await connect({ restrictedKey: 'rk_test_somethingElse0001' })
  assert.equal(unknown.status, 422)
  assert.match(unknown.body.error.fields['credentials.restrictedKey'], /^Invalid API Key provided/)
  const full = await connect({ restrictedKey: 'sk_test_somethingElse0001' })
  assert.match(full.body.error.fields['credentials.restrictedKey'], /rk_live_/)
  const strange = await connect({ restrictedKey: stripe.key, password: 'x' })
  assert.deepEqual(Object.keys(strange.body.error.fields), ['credentials.password'])
  assert.equal((await connect({})).status, 422)
  assert.equal((await connect({ restrictedKey: stripe.key }, 'generic')).status, 422)
  assert.equal((await call('GET', '')).body.total, 0)
})

test('a key that may not read payments is refused, one that may not read the account is accepted', async () => {
  const { app: own, stripe: other } = await startWithStripe({}, { account: { id: 'acct_1Shy' } })
  const owner = await anAccount(own)
  const body = { provider: 'stripe', credentials: { restrictedKey: other.key, webhookSecret: SIGNING_SECRET } }
  const connectHere = () =>
    own.api('POST', `/accounts/${owner.id}/payment-providers/connect`, { token: owner.token, body })
  other.forbid('account', 'invoices')
  const refused = await connectHere()
  assert.equal(refused.status, 422)
  assert.match(refused.body.error.fields['credentials.restrictedKey'], /does not have the required permissions/)
  other.allow('invoices')
  const taken = await connectHere()
  assert.equal(taken.status, 201)
  assert.deepEqual(
    [taken.body.providerAccountIdentifier, taken.body.accountName, taken.body.defaultCurrency],
    ['acct_1Shy', null, null],
  )
})

test('nothing is connected while Stripe does not respond', async () => {
  account = await anAccount(app)
  stripe.fail('GET /v1/account', { status: 500 })
  const { status, body } = await connect({ restrictedKey: stripe.key })
  assert.deepEqual([status, body.error.code], [502, 'provider_failed'])
  assert.equal((await call('GET', '')).body.total, 0)
})

test('without a signing secret the endpoint is created at Stripe, if it accepts the address', async () => {
  account = await anAccount(app)
  const local = (await connect({ restrictedKey: stripe.key })).body
  assert.deepEqual([local.webhookSecretSet, local.state], [false, 'attention'])
  assert.match(local.stateReason, /https/)
  const set = expectOk(await call('PATCH', `/${local.id}`, { webhookSecret: SIGNING_SECRET })).body
  assert.deepEqual([set.webhookSecretSet, set.state, set.stateReason], [true, 'connected', null])
  assert.equal((await call('PATCH', `/${local.id}`, { webhookSecret: 'not a secret' })).status, 422)

  const { app: open, stripe: other } = await startWithStripe({ config: { allowPrivateWebhookTargets: true } })
  const owner = await anAccount(open)
  const body = { provider: 'stripe', credentials: { restrictedKey: other.key } }
  const paths = `/accounts/${owner.id}/payment-providers`
  const made = expectOk(await open.api('POST', `${paths}/connect`, { token: owner.token, body })).body
  assert.deepEqual([made.webhookSecretSet, made.state], [true, 'connected'])
  const [endpoint] = other.endpoints()
  assert.equal(endpoint?.url, made.webhookUrl)
  assert.ok(endpoint?.enabled_events.includes('invoice_payment.paid'))
  expectOk(await open.api('DELETE', `${paths}/disconnect`, { token: owner.token, body: { connectionId: made.id } }))
  assert.equal(other.endpoints().length, 0)
})

test('the owner creates an endpoint that Stripe refuses to create', async () => {
  const { app: open, stripe: other } = await startWithStripe({ config: { allowPrivateWebhookTargets: true } })
  const owner = await anAccount(open)
  other.forbid('webhook_endpoints')
  const body = { provider: 'stripe', credentials: { restrictedKey: other.key } }
  const paths = `/accounts/${owner.id}/payment-providers`
  const made = expectOk(await open.api('POST', `${paths}/connect`, { token: owner.token, body })).body
  assert.deepEqual([made.webhookSecretSet, made.state], [false, 'attention'])
  assert.match(made.stateReason, /required permissions.*signing secret/s)
})

test('an http address is not sent to Stripe, and the owner is told to configure another', async () => {
  account = await anAccount(app)
  const { stateReason } = expectOk(await connect({ restrictedKey: stripe.key })).body
  assert.match(stateReason, /Set APP_URL to an https address\./)
  const { items } = expectOk(
    await app.api('GET', `/accounts/${account.id}/payment-providers/available`, { token: account.token }),
  ).body
  const [offer] = items.filter(({ provider }: { provider: string }) => provider === 'stripe')
  assert.equal(offer.forwardCommand, 'stripe listen --forward-to')
  const create = new URL(offer.fields[0].createUrl)
  assert.equal(create.origin + create.pathname, 'https://dashboard.stripe.com/apikeys/create')
  const rights = create.searchParams.getAll('permissions[]')
  for (const right of ['rak_charge_read', 'rak_event_read', 'rak_webhook_write'])
    assert.ok(rights.includes(right), right)
  assert.equal(new Set(rights).size, 11)
  assert.doesNotMatch(stateReason, /Create an endpoint/)
})

test('a check reports that the key lost its permissions, and that it has them again', async () => {
  const { app: own, stripe: other } = await startWithStripe()
  const owner = await anAccount(own)
  const { id } = await aConnection(own, owner, other)
  const check = () => own.api('POST', `/accounts/${owner.id}/payment-providers/${id}/check`, { token: owner.token })
  other.forbid('charges')
  const lost = expectOk(await check()).body
  assert.equal(lost.state, 'attention')
  assert.match(lost.stateReason, /required permissions/)
  const events = await own.services.db.many`select from told_events where type = 'payment-provider.unhealthy'`
  assert.equal(events.length, 1)
  other.allow('charges')
  assert.equal(expectOk(await check()).body.state, 'connected')
  other.fail('GET /v1/charges', { status: 503 })
  assert.equal((await check()).status, 502)
  assert.equal(expectOk(await check()).body.state, 'connected')
})

test('disconnecting deletes the secrets and keeps the history; reconnecting creates a new connection', async () => {
  account = await anAccount(app)
  const first = await aConnection(app, account, stripe)
  assert.equal((await call('DELETE', '/disconnect', { connectionId: first.id })).status, 204)
  assert.equal((await call('DELETE', '/disconnect', { connectionId: first.id })).status, 204)
  const [row] = await app.services.db.many`
    select credentials_sealed, webhook_secret_set from provider_connections where id = ${first.id}`
  assert.deepEqual(row, { credentialsSealed: null, webhookSecretSet: false })
  assert.equal((await call('POST', `/${first.id}/check`)).body.error.code, 'invalid_state')
  assert.equal((await call('PATCH', `/${first.id}`, { webhookSecret: SIGNING_SECRET })).status, 409)
  const second = await aConnection(app, account, stripe)
  assert.notEqual(second.id, first.id)
  const { items } = expectOk(await call('GET', '')).body
  assert.deepEqual(
    items.map(({ state, webhookUrl }: { state: string; webhookUrl: string | null }) => [state, webhookUrl !== null]),
    [
      ['connected', true],
      ['disconnected', false],
    ],
  )
})

test("another account's connection does not exist", async () => {
  account = await anAccount(app)
  const { id } = await aConnection(app, account, stripe)
  account = await anAccount(app)
  assert.equal((await call('POST', `/${id}/check`)).status, 404)
  assert.equal((await call('PATCH', `/${id}`, {})).status, 404)
  const foreign = await call('DELETE', '/disconnect', { connectionId: id })
  const unknown = await call('DELETE', '/disconnect', { connectionId: 'nothing' })
  assert.deepEqual([foreign.status, foreign.body.error.fields], [422, unknown.body.error.fields])
})

test('available providers are listed with their fields, without a platform to connect through', async () => {
  account = await anAccount(app)
  const { items } = expectOk(await call('GET', '/available')).body
  assert.deepEqual(
    items.map(({ provider, methods }: { provider: string; methods: string[] }) => [provider, methods]),
    adapters.map(({ provider }) => [provider, ['credentials']]),
  )
  for (const { fields } of items)
    for (const { key, label, help } of fields) assert.ok(key && label && (help === null || /[.]$/.test(help)), key)
  assert.equal((await call('GET', '/connect-url/stripe')).body.error.code, 'invalid_state')
  const byCode = await call('POST', '/connect', { provider: 'stripe', code: 'ac_1', state: 'x' })
  assert.equal(byCode.body.error.code, 'invalid_state')
})
