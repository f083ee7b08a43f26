import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { deliverStripeEvent, stripeEvent, stripePayment, toSeconds } from '../../../test/fakes/stripe-events.ts'
import {
  acceptInvitation,
  anAccount,
  anEmail,
  expectOk,
  startApp,
  type TestAccount,
} from '../../../test/support/app.ts'
import { daysAgo, pastImported } from '../../../test/support/past-sales.ts'
import {
  aConnection,
  aConsentedConnection,
  connectByConsent,
  deliverAll,
  deliverToPlatform,
  PLATFORM,
  SIGNING_SECRET,
  startWithPlatform,
  workOff,
} from '../../../test/support/payment-providers.ts'
import { asDatabaseOwner } from '../../../test/support/postgres.ts'
import { tokenHash } from '../../platform/database/secrets.ts'
import { retention } from '../../retention.ts'
import { retryWaitingEvents } from './connections.ts'

// Connecting by the provider's consent page: the owner's return, and its results.

const secretKey = randomBytes(32)
const { app, stripe, config } = await startWithPlatform({ config: { secretKey } })
const { db } = app.services
const SHOP = 'acct_1StandInShop'

const callAs =
  ({ id, token }: TestAccount, at = app) =>
  (method: string, path: string, body?: unknown) =>
    at.api(method, `/accounts/${id}/payment-providers${path}`, { token, body })
const finish = (account: TestAccount, { code, state }: Record<'code' | 'state', string>, at = app) =>
  callAs(account, at)('POST', '/connect', { provider: 'stripe', code, state })
const only = async (account: TestAccount) => expectOk(await callAs(account)('GET', '')).body.items[0]
const eventsOf = ({ id }: TestAccount) => db.many`
  select e.external_id as id, e.state, e.error as reason, e.body is not null as kept
  from provider_events e join provider_shops s on s.id = e.shop_id
  where s.account_id = ${id} order by e.received_at, e.id`
const salesOf = async ({ id, token }: TestAccount) =>
  expectOk(await app.api('GET', `/accounts/${id}/sales`, { token })).body.total
const deauthorized = (at = app.clock.now()) =>
  stripeEvent('account.application.deauthorized', { id: PLATFORM.clientId, object: 'application' }, { createdAt: at })
const askedOfStripe = () => stripe.calls.length

test('an owner is sent to Stripe, authorizes there and is connected; calls use the platform’s key', async () => {
  const account = await anAccount(app)
  const call = callAs(account)
  const [offer] = expectOk(await call('GET', '/available')).body.items
  assert.deepEqual([offer.provider, offer.methods], ['stripe', ['oauth', 'credentials']])

  const { url } = expectOk(await call('GET', '/connect-url/stripe')).body
  const parameters = Object.fromEntries(new URL(url).searchParams)
  const { state, ...others } = parameters
  assert.deepEqual(others, {
    response_type: 'code',
    client_id: PLATFORM.clientId,
    scope: 'read_write',
    redirect_uri: `${app.url}/oauth/stripe`,
  })
  assert.ok(url.startsWith(`${stripe.url}/oauth/authorize?`))
  assert.ok(Buffer.from(state!.split('.')[0]!, 'base64url').length >= 32)
  const consents = await db.many<{
    stateHash: Buffer
  }>`select * from provider_consents where account_id = ${account.id}`
  assert.deepEqual(
    consents.map(({ stateHash }) => stateHash),
    [tokenHash(state!)],
  )

  const answer = await connectByConsent(app, account)
  assert.equal(answer.address, `${app.url}/oauth/stripe`)
  const before = askedOfStripe()
  const { status, body } = await finish(account, answer)
  assert.equal(status, 201)
  assert.deepEqual(
    [body.method, body.state, body.providerAccountIdentifier, body.accountName, body.defaultCurrency],
    ['oauth', 'connected', SHOP, 'Northwind Shop', 'usd'],
  )
  assert.deepEqual([body.webhookUrl, body.webhookSecretSet], [`${app.url}/hooks/providers/stripe/platform`, true])
  const calls = stripe.calls.slice(before)
  assert.equal(calls[0]?.path, '/oauth/token')
  for (const { headers, path } of calls) {
    assert.equal(headers.authorization, `Bearer ${PLATFORM.secretKey}`)
    assert.equal(headers['stripe-account'], path.startsWith('/oauth') ? undefined : SHOP)
  }
  const rows = await db.many`select * from provider_connections where account_id = ${account.id}`
  assert.ok(!/sk_test|rt_|whsec/.test(JSON.stringify([rows, body])))
})

test('events arrive at the platform’s one address, and each books a sale in its own account', async () => {
  const account = await anAccount(app)
  await aConsentedConnection(app, account)
  const { checkoutCompleted, chargeSucceeded } = stripePayment({ amount: 5000, store: stripe.store })
  assert.equal((await deliverToPlatform(app, checkoutCompleted!)).status, 200)
  assert.equal((await deliverToPlatform(app, checkoutCompleted!)).status, 200)
  assert.equal((await deliverToPlatform(app, chargeSucceeded!)).status, 200)
  await workOff(app)
  assert.equal(await salesOf(account), 1)
  const before = await eventsOf(account)
  const { chargeSucceeded: another } = stripePayment({ amount: 700 })
  const refused = [
    await deliverStripeEvent(
      `${app.url}/hooks/providers/stripe/platform`,
      { ...another!, account: SHOP },
      SIGNING_SECRET,
    ),
    await deliverStripeEvent(`${app.url}/hooks/providers/stripe/platform`, { ...another!, account: SHOP }, ''),
    await deliverToPlatform(app, another!, { at: toSeconds(app.clock.now()) - 301 }),
    await deliverToPlatform(app, another!, { signature: null }),
    await deliverToPlatform(app, another!, { body: 'not json' }),
    await deliverToPlatform(app, { ...another!, id: 'evt_\u0000' }),
    await deliverToPlatform(app, { ...another!, type: 'x'.repeat(501) }),
  ]
  assert.deepEqual(
    refused.map(({ status }) => status),
    refused.map(() => 400),
  )
  const answers = [
    await deliverStripeEvent(`${app.url}/hooks/providers/stripe/platform`, another!, PLATFORM.webhookSecret),
    await deliverToPlatform(app, another!, { account: 'acct_1Nobody' }),
  ]
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200],
  )
  assert.deepEqual(await eventsOf(account), before)
})

test('a platform receives both modes: an event of the other mode is logged with the reason', async () => {
  const account = await anAccount(app)
  await aConsentedConnection(app, account)
  const { chargeSucceeded } = stripePayment({ amount: 700 })
  assert.equal((await deliverToPlatform(app, { ...chargeSucceeded!, livemode: true })).status, 200)
  const reason = 'This is a live mode event, but the connection uses test mode.'
  assert.deepEqual(await eventsOf(account), [{ id: chargeSucceeded!.id, state: 'ignored', reason, kept: false }])
})

test('the callback works once, within ten minutes, for the user who started it', async () => {
  const account = await anAccount(app)
  const other = await anAccount(app)
  const refusal = async (reply: ReturnType<typeof finish>) => {
    const { status, body } = await reply
    return [status, body.error.reason, Object.keys(body.error.fields)]
  }
  const answer = await connectByConsent(app, account)
  const unknown = [422, 'consent_unknown', ['state']]
  assert.deepEqual(await refusal(finish(account, { ...answer, state: 'made-up' })), unknown)
  assert.deepEqual(await refusal(finish(account, { ...answer, state: answer.state.slice(1) })), unknown)
  // another owner: first in their own account, then with a state that names it
  assert.deepEqual(await refusal(finish(other, answer)), unknown)
  const renamed = answer.state.replace(account.id, other.id)
  assert.deepEqual(await refusal(finish(other, { ...answer, state: renamed })), unknown)
  // another user who owns the account by now
  const owner = { email: anEmail('next'), firstName: 'Nia', lastName: 'Next' }
  const { body: next } = expectOk(
    await app.api('PUT', `/accounts/${account.id}/owner`, { token: account.admin, body: owner }),
  )
  const { token } = await acceptInvitation(app, next.ownerInvitation?.url ?? next.url)
  assert.deepEqual(await refusal(finish({ ...account, token }, answer)), unknown)
  const mine = { ...account, token }

  const late = await connectByConsent(app, mine)
  app.clock.advance(10 * 60_000)
  assert.deepEqual(await refusal(finish(mine, late)), [422, 'consent_expired', ['state']])
  const fresh = await connectByConsent(app, mine)
  assert.equal((await finish(mine, fresh)).status, 201)
  assert.deepEqual(await refusal(finish(mine, fresh)), [422, 'consent_used', ['state']])
  const { items } = (await callAs(mine)('GET', '')).body
  assert.equal(items.length, 1)
  await callAs(mine)('DELETE', '/disconnect', { connectionId: items[0].id })
  app.clock.advance(86_400_000 + 11 * 60_000)
  await retention.providerConsents(app.services)
  const left = await db.many`select from provider_consents where account_id = ${account.id}`
  assert.equal(left.length, 0)
  app.clock.set(new Date())
})

test('of two processes with the same callback one accepts it, and the code is exchanged once', async () => {
  const account = await anAccount(app)
  const second = await startApp({ db, config: { ...config, secretKey, appUrl: app.url } })
  const answer = await connectByConsent(app, account)
  const exchanged = stripe.callsTo('POST /oauth/token').length
  const replies = await Promise.all([
    finish(account, answer),
    finish(account, answer, second),
    finish(account, answer),
    finish(account, answer, second),
  ])
  assert.deepEqual(replies.map(({ status }) => status).sort(), [201, 422, 422, 422])
  assert.equal(stripe.callsTo('POST /oauth/token').length, exchanged + 1)
  assert.equal((await callAs(account)('GET', '')).body.total, 1)
})

test('a lost response is requested again under the same key, and returned once more', async () => {
  const account = await anAccount(app)
  const { code, state } = await connectByConsent(app, account)
  const call = () =>
    app.api('POST', `/accounts/${account.id}/payment-providers/connect`, {
      token: account.token,
      body: { provider: 'stripe', code, state },
      headers: { 'idempotency-key': 'once' },
    })
  const first = expectOk(await call())
  const again = expectOk(await call())
  assert.equal(again.body.id, first.body.id)
})

test('a failure at Stripe leaves nothing behind, and the owner can start again', async () => {
  const account = await anAccount(app)
  const refused = await finish(account, { ...(await connectByConsent(app, account)), code: 'ac_made_up' })
  assert.deepEqual([refused.status, refused.body.error.reason], [422, 'consent_refused'])
  assert.match(refused.body.error.fields.code, /^Stripe refused the connection: Authorization code does not exist/)
  for (const [where, failure] of [
    ['POST /oauth/token', { status: 503 }],
    ['POST /oauth/token', 'reset-before'],
    ['POST /oauth/token', 'reset-after'],
    ['POST /oauth/token', 'garbage'],
    ['GET /v1/charges', { status: 500 }],
  ] as const) {
    stripe.fail(where, failure)
    const answer = await connectByConsent(app, account)
    const away = await finish(account, answer)
    assert.deepEqual([away.status, away.body.error.code], [502, 'provider_failed'])
    assert.equal((await finish(account, answer)).body.error.reason, 'consent_used')
  }
  stripe.fail('POST /oauth/token', { status: 200, body: { livemode: false } })
  assert.equal((await finish(account, await connectByConsent(app, account))).status, 502)
  stripe.fail('POST /oauth/token', { status: 401, body: { error: 'invalid_client', error_description: 'Invalid key' } })
  assert.equal((await finish(account, await connectByConsent(app, account))).body.error.reason, 'consent_refused')
  assert.equal((await callAs(account)('GET', '')).body.total, 0)
  expectOk(await finish(account, await connectByConsent(app, account)))
})

test('a process killed between exchange and commit has connected nothing; starting again connects', async () => {
  const account = await anAccount(app)
  const owning = asDatabaseOwner(db)
  await owning.run`
    create function planted() returns trigger language plpgsql as 'begin raise exception ''planted''; end'`
  await owning.run`create trigger planted before insert on provider_connections for each row execute function planted()`
  app.services.log.level = 'silent'
  const lost = await finish(account, await connectByConsent(app, account))
  app.services.log.level = 'error'
  await owning.run`drop trigger planted on provider_connections`
  assert.equal(lost.status, 500)
  assert.equal((await callAs(account)('GET', '')).body.total, 0)
  assert.equal((await finish(account, await connectByConsent(app, account))).body.state, 'connected')
})

test('a connected Stripe account cannot be connected again to the same account by any method, but can to another', async () => {
  const account = await anAccount(app)
  await aConsentedConnection(app, account)
  const again = await finish(account, await connectByConsent(app, account))
  assert.deepEqual([again.status, again.body.error.code], [409, 'duplicate'])
  const credentials = { restrictedKey: stripe.key, webhookSecret: SIGNING_SECRET }
  const byKey = await callAs(account)('POST', '/connect', { provider: 'stripe', credentials })
  assert.equal(byKey.status, 409)
  const keyed = await anAccount(app)
  await aConnection(app, keyed, stripe)
  assert.equal((await finish(keyed, await connectByConsent(app, keyed))).status, 409)
  assert.equal((await aConsentedConnection(app, await anAccount(app))).state, 'connected')
})

test('an OAuth connection has no keys to replace, and API keys cannot start one', async () => {
  const account = await anAccount(app)
  const { id } = await aConsentedConnection(app, account)
  for (const body of [{ webhookSecret: SIGNING_SECRET }, { credentials: { restrictedKey: stripe.key } }]) {
    const { status, body: answer } = await callAs(account)('PATCH', `/${id}`, body)
    assert.deepEqual([status, answer.error.reason], [409, 'connection_by_consent'])
  }
  const body = { name: 'Reader', rights: ['read'] }
  const { key } = expectOk(
    await app.api('POST', `/accounts/${account.id}/api-keys`, { token: account.token, body }),
  ).body
  const reading = callAs({ ...account, token: key })
  assert.equal((await reading('GET', '/connect-url/stripe')).status, 403)
  assert.equal((await reading('GET', '/available')).status, 200)
})

test('revoking access at Stripe needs attention, is reported once and stops all calls; reauthorizing books waiting events', async () => {
  const account = await anAccount(app)
  const { id } = await aConsentedConnection(app, account)
  const check = () => callAs(account)('POST', `/${id}/check`)
  const allowedAt = app.clock.now()
  app.clock.advance(5000)
  const event = deauthorized()
  for (const each of [event, event, deauthorized()]) assert.equal((await deliverToPlatform(app, each)).status, 200)
  const { chargeSucceeded } = stripePayment({ amount: 900, store: stripe.store })
  await deliverToPlatform(app, chargeSucceeded!)
  const before = askedOfStripe()
  await workOff(app)
  await retryWaitingEvents(app.services)
  const checked = expectOk(await check()).body
  assert.deepEqual([checked.state, askedOfStripe()], ['attention', before])
  assert.equal(
    checked.stateReason,
    'The connection was ended at Stripe. Connect Stripe again to go on recording sales. One event waits for that.',
  )
  const events = await db.many`
    select from told_events where type = 'payment-provider.unhealthy' and account_id = ${account.id}`
  assert.equal(events.length, 1)
  const [row] = await db.many`select credentials_sealed from provider_connections where id = ${id}`
  assert.deepEqual(row, { credentialsSealed: null })

  app.clock.advance(60_000)
  const renewed = expectOk(await finish(account, await connectByConsent(app, account))).body
  assert.deepEqual([renewed.id, renewed.state], [id, 'attention'])
  await workOff(app)
  assert.equal((await only(account)).state, 'connected')
  assert.equal(await salesOf(account), 1)
  // reported late, about the former consent
  await deliverToPlatform(app, deauthorized(new Date(allowedAt.getTime() + 6000)), { at: toSeconds(app.clock.now()) })
  await workOff(app)
  assert.equal((await only(account)).state, 'connected')
  app.clock.set(new Date())
})

test('a check detects access revoked without notice, and the owner can authorize again', async () => {
  const account = await anAccount(app)
  const { id } = await aConsentedConnection(app, account)
  stripe.withdraw()
  const lost = expectOk(await callAs(account)('POST', `/${id}/check`)).body
  assert.equal(lost.state, 'attention')
  assert.match(lost.stateReason, /no longer accepts this connection: .*revoked\. Connect Stripe again/)
  assert.equal(expectOk(await finish(account, await connectByConsent(app, account))).body.state, 'connected')
})

/** Ends the connections of earlier tests: other accounts with this connection rely on it too. */
async function endAll() {
  for (const { id, accountId } of await db.many<{ id: string; accountId: string }>`
    select id, account_id from provider_connections where disconnected_at is null and method = 'oauth'`)
    await db.run`
      update provider_connections set disconnected_at = ${db.now}, credentials_sealed = null
      where id = ${id} and account_id = ${accountId}`
}

test('disconnecting revokes access unless another account needs it; later events are logged and may be sent again', async () => {
  await endAll()
  const [account, other] = [await anAccount(app), await anAccount(app)]
  const connected = new Map<TestAccount, string>()
  for (const each of [account, other]) connected.set(each, (await aConsentedConnection(app, each)).id)
  const disconnect = (each: TestAccount) => callAs(each)('DELETE', '/disconnect', { connectionId: connected.get(each) })
  const given = () => stripe.callsTo('POST /oauth/deauthorize')
  const before = given().length
  assert.equal((await disconnect(account)).status, 204)
  assert.equal(given().length, before)
  assert.equal(expectOk(await callAs(other)('POST', `/${connected.get(other)}/check`)).body.state, 'connected')
  assert.equal((await disconnect(other)).status, 204)
  assert.deepEqual(given().at(-1)?.body, { client_id: PLATFORM.clientId, stripe_user_id: SHOP })
  assert.equal(given().length, before + 1)

  const { chargeSucceeded } = stripePayment({ amount: 900, store: stripe.store })
  assert.equal((await deliverToPlatform(app, chargeSucceeded!)).status, 200)
  assert.equal((await deliverToPlatform(app, chargeSucceeded!)).status, 200)
  const reason = 'Received after the connection had ended.'
  const line = { id: chargeSucceeded!.id, state: 'ignored', reason, kept: false }
  assert.deepEqual([await eventsOf(account), await eventsOf(other)], [[line], [line]])
  await aConsentedConnection(app, account)
  assert.equal((await deliverToPlatform(app, chargeSucceeded!)).status, 200)
  await workOff(app)
  assert.deepEqual(await eventsOf(account), [{ ...line, state: 'processed', reason: null, kept: true }])
  assert.deepEqual([await salesOf(account), await salesOf(other)], [1, 0])
})

test('events that came while disconnected are booked by an import of past sales', async () => {
  await endAll()
  const account = await anAccount(app)
  const { id: connectionId } = await aConsentedConnection(app, account)
  stripe.fail(/deauthorize/, { status: 500 })
  assert.equal((await callAs(account)('DELETE', '/disconnect', { connectionId })).status, 204)
  stripe.store.clear()
  const { checkoutCompleted, chargeSucceeded } = stripePayment({ amount: 900, store: stripe.store })
  for (const event of [checkoutCompleted, chargeSucceeded])
    assert.equal((await deliverToPlatform(app, event!)).status, 200)
  const again = await aConsentedConnection(app, account)
  for (const counts of [
    [1, 0],
    [0, 1],
  ]) {
    const { created, skipped } = await pastImported(app, account, again, { from: daysAgo(app, 2) })
    assert.deepEqual([created, skipped, await salesOf(account)], [...counts, 1])
  }
  assert.deepEqual(
    (await eventsOf(account)).filter(({ state }) => state !== 'processed'),
    [],
  )
})

test('disconnecting succeeds even if Stripe fails to revoke access', async () => {
  const account = await anAccount(app)
  const { id } = await aConsentedConnection(app, account)
  await db.run`update provider_connections set disconnected_at = ${db.now}, credentials_sealed = null
    where disconnected_at is null and method = 'oauth' and id <> ${id}`
  stripe.fail('POST /oauth/deauthorize', { status: 500 })
  assert.equal((await callAs(account)('DELETE', '/disconnect', { connectionId: id })).status, 204)
  assert.equal((await only(account)).state, 'disconnected')
})

test('without its endpoint’s secret the platform trusts nothing, and says who has to act', async () => {
  const { app: own } = await startWithPlatform()
  const bare = await startApp({
    db: own.services.db,
    config: {
      ...own.services.config,
      providers: {
        ...own.services.config.providers,
        stripe: { ...own.services.config.providers.stripe, webhookSecret: null },
      },
    },
  })
  const account = await anAccount(bare)
  const made = await aConsentedConnection(bare, account)
  assert.deepEqual([made.state, made.webhookSecretSet], ['attention', false])
  assert.match(made.stateReason, /^This server can’t check events from Stripe/)
  const { chargeSucceeded } = stripePayment({ amount: 900 })
  for (const secret of [PLATFORM.webhookSecret, ''])
    assert.equal(
      (
        await deliverStripeEvent(
          `${bare.url}/hooks/providers/stripe/platform`,
          { ...chargeSucceeded!, account: SHOP },
          secret,
        )
      ).status,
      400,
    )
})

test('a server without a Stripe platform offers keys only, and accepts no events at its address', async () => {
  const { providers } = app.services.config
  for (const stripe of [
    { ...providers.stripe, secretKey: null },
    { ...providers.stripe, clientId: null },
  ]) {
    const bare = await startApp({ config: { providers: { ...providers, stripe } } })
    const account = await anAccount(bare)
    const call = callAs(account, bare)
    assert.deepEqual(expectOk(await call('GET', '/available')).body.items[0].methods, ['credentials'])
    assert.equal((await call('GET', '/connect-url/stripe')).body.error.code, 'invalid_state')
    const byCode = await call('POST', '/connect', { provider: 'stripe', code: 'ac_1', state: 'x' })
    assert.equal(byCode.body.error.code, 'invalid_state')
    const { chargeSucceeded } = stripePayment({ amount: 900 })
    assert.equal((await deliverToPlatform(bare, chargeSucceeded!)).status, 404)
  }
})

test('an account connected by a key receives events only at its own address', async () => {
  const account = await anAccount(app)
  const connection = await aConnection(app, account, stripe)
  const { chargeSucceeded } = stripePayment({ amount: 900, store: stripe.store })
  await deliverToPlatform(app, chargeSucceeded!)
  assert.deepEqual(await eventsOf(account), [])
  await deliverAll(connection, [chargeSucceeded])
  assert.equal((await eventsOf(account)).length, 1)
})
