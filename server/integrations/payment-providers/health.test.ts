import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { deliverStripeEvent, stripeEvent, toSeconds } from '../../../test/fakes/stripe-events.ts'
import { anAccount, expectOk, startApp, type TestAccount, turnableClock } from '../../../test/support/app.ts'
import { aConnection, SIGNING_SECRET, startWithStripe } from '../../../test/support/payment-providers.ts'
import { retryWaitingEvents } from './connections.ts'
import { watchConnections } from './health.ts'
import { presentConnection } from './present-connections.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const secretKey = randomBytes(32)

/** A separate server, so that the clock finds no other connections. */
async function aWatchedShop({ config = {}, settings = {} } = {}) {
  const clock = turnableClock()
  clock.stop('2026-03-02T12:00:00Z')
  const { app, stripe } = await startWithStripe({ clock, config: { secretKey, ...config } })
  const account = await anAccount(app, settings)
  const turnTo = (at: string | Date) => {
    clock.stop(at)
  }
  return {
    app,
    stripe,
    account,
    turnTo,
    later: (ms: number) => turnTo(new Date(clock.now().getTime() + ms)),
    watch: () => watchConnections(app.services),
    state: async () => {
      const [row] = await app.services.db.many<{ trouble: string; endpoint: string; silent: string }>`
        select trouble, endpoint_trouble as endpoint, silent_since as silent from provider_connections`
      return row!
    },
    told: async () => {
      const events = await app.services.db.many`select from told_events where type = 'payment-provider.unhealthy'`
      return events.length
    },
    hear: ({ webhookUrl }: { webhookUrl: string }) =>
      deliverStripeEvent(webhookUrl, stripeEvent('payout.paid', { id: 'po_1', object: 'payout' }), SIGNING_SECRET, {
        at: toSeconds(clock.now()),
      }).then(({ status, body }) => assert.equal(status, 200, body)),
  }
}

/** Returns the connection as its owner reads it. Not by the API: the turned clock has ended their session. */
async function shown({ app, account }: { app: Awaited<ReturnType<typeof aWatchedShop>>['app']; account: TestAccount }) {
  const [{ id }] = (await app.services.db.many<{ id: string }>`
    select id from provider_connections where account_id = ${account.id}`) as [{ id: string }]
  return presentConnection(app.services.db, account.id, id)
}

test('a refused key is detected within a day even without events, reported once, and cleared when it works again', async () => {
  const shop = await aWatchedShop()
  await aConnection(shop.app, shop.account, shop.stripe)
  const countCalls = () => shop.stripe.callsTo('GET /v1/account').length
  const atFirst = countCalls()
  await shop.watch()
  assert.equal(countCalls(), atFirst, 'it was tried when it was connected')
  shop.stripe.forbid('charges')
  shop.later(23 * HOUR)
  await shop.watch()
  assert.equal((await shop.state()).trouble, null)
  shop.later(HOUR)
  await shop.watch()
  assert.match((await shop.state()).trouble, /required permissions/)
  assert.match((await shown(shop)).stateReason!, /^Stripe no longer accepts the key/)
  for (let day = 0; day < 3; day++) {
    shop.later(DAY)
    await shop.watch()
  }
  assert.equal(await shop.told(), 1)
  shop.stripe.allow('charges')
  shop.later(DAY)
  await shop.watch()
  assert.deepEqual([(await shown(shop)).state, await shop.told()], ['connected', 1])
})

test('two processes check a key once a day; no response changes nothing; disabled accounts are skipped', async () => {
  const shop = await aWatchedShop()
  const { app, stripe } = shop
  const { clock } = app
  await aConnection(app, shop.account, stripe)
  const off = await anAccount(app)
  await aConnection(app, off, stripe)
  expectOk(await app.api('POST', `/accounts/${off.id}/disable`, { token: off.admin, body: { reason: 'unpaid' } }))
  const second = await startApp({ db: app.services.db, clock, config: app.services.config })
  const countCalls = () => stripe.callsTo('GET /v1/account').length
  const before = countCalls()
  shop.later(DAY)
  await Promise.all([watchConnections(app.services), watchConnections(second.services), shop.watch()])
  assert.equal(countCalls(), before + 1)
  shop.later(DAY)
  stripe.fail('GET /v1/account', { status: 503 })
  await shop.watch()
  await shop.watch()
  assert.equal(countCalls(), before + 2)
  assert.equal(await shop.told(), 0)
})

test('the daily check finds an endpoint deleted or disabled at Stripe, and reports it once', async () => {
  const shop = await aWatchedShop({ config: { allowPrivateWebhookTargets: true } })
  const { app, account, stripe } = shop
  const body = { provider: 'stripe', credentials: { restrictedKey: stripe.key } }
  expectOk(await app.api('POST', `/accounts/${account.id}/payment-providers/connect`, { token: account.token, body }))
  const [endpoint] = stripe.endpoints()
  const kept = stripe.store.get(endpoint!.id)!
  shop.later(DAY)
  await shop.watch()
  assert.equal((await shown(shop)).state, 'connected')
  stripe.store.set(kept.id, { ...kept, status: 'disabled' })
  for (let day = 0; day < 2; day++) {
    shop.later(DAY)
    await shop.watch()
  }
  const { state, stateReason } = await shown(shop)
  assert.deepEqual([state, await shop.told()], ['attention', 1])
  assert.match(stateReason!, /^The webhook endpoint is turned off at Stripe\. Turn it on there/)
  stripe.store.delete(kept.id)
  shop.later(DAY)
  await shop.watch()
  assert.match((await shown(shop)).stateReason!, /^The webhook endpoint no longer exists at Stripe\./)
  stripe.store.set(kept.id, kept)
  stripe.forbid('webhook_endpoints')
  shop.later(DAY)
  await shop.watch()
  assert.equal((await shown(shop)).state, 'attention', 'what cannot be seen is as it was')
  stripe.allow('webhook_endpoints')
  shop.later(DAY)
  await shop.watch()
  assert.deepEqual([(await shown(shop)).state, await shop.told()], ['connected', 1])
})

test('a shop with daily sales that falls silent is reported after three days, once, until the next event', async () => {
  const shop = await aWatchedShop()
  const connection = await aConnection(shop.app, shop.account, shop.stripe)
  for (let day = 0; day < 25; day++) {
    shop.later(DAY)
    await shop.hear(connection)
  }
  shop.later(3 * DAY - HOUR)
  await shop.watch()
  assert.equal((await shop.state()).silent, null)
  shop.later(HOUR + 1000)
  await shop.watch()
  await shop.watch()
  const { state, stateReason } = await shown(shop)
  assert.deepEqual([state, await shop.told()], ['attention', 1])
  assert.equal(
    stateReason,
    'No events have come from Stripe since Mar 27, 2026, and before that they came almost every day. If you still sell there, check at Stripe that the webhook endpoint is turned on and whether its deliveries fail.',
  )
  await retryWaitingEvents(shop.app.services)
  assert.equal((await shown(shop)).state, 'attention')
  await shop.hear(connection)
  assert.equal((await shown(shop)).state, 'connected')
  await shop.watch()
  assert.deepEqual([(await shown(shop)).state, await shop.told()], ['connected', 1])
})

test('weekends, quiet shops and new ones raise no alarm', async () => {
  const weekdays = await aWatchedShop()
  const connection = await aConnection(weekdays.app, weekdays.account, weekdays.stripe)
  const start = Date.parse('2026-03-02T12:00:00Z')
  for (let day = 0; day < 40; day++) {
    weekdays.turnTo(new Date(start + day * DAY))
    if (![0, 6].includes(weekdays.app.clock.now().getUTCDay())) await weekdays.hear(connection)
  }
  // Friday, April 10; a long weekend is over on Tuesday
  weekdays.turnTo('2026-04-14T11:00:00Z')
  await weekdays.watch()
  assert.equal((await weekdays.state()).silent, null)
  weekdays.turnTo('2026-04-16T12:00:01Z')
  await weekdays.watch()
  assert.notEqual((await weekdays.state()).silent, null)

  const quiet = await aWatchedShop()
  const seldom = await aConnection(quiet.app, quiet.account, quiet.stripe)
  for (let day = 0; day < 19; day++) {
    quiet.later(DAY)
    await quiet.hear(seldom)
  }
  quiet.later(30 * DAY)
  await quiet.watch()
  assert.equal((await quiet.state()).silent, null)
})
