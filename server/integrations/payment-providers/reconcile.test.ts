import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stripePayment } from '../../../test/fakes/stripe-events.ts'
import { anAccount, anEmail, aPartner, expectOk, turnableClock } from '../../../test/support/app.ts'
import { ledgerDigest } from '../../../test/support/past-sales.ts'
import { aConnection, deliverAll, startWithStripe, workOff } from '../../../test/support/payment-providers.ts'
import { system } from '../../platform/author.ts'
import { verifyLedger } from '../../program/stats/verify.ts'
import { connectProvider, disconnectProvider } from './connections.ts'
import { connectionsToReconcile } from './past-queries.ts'
import { reconcileByNight, reconcileConnection } from './reconcile.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const clock = turnableClock()
const { app, stripe } = await startWithStripe({ clock }, { clock: () => clock.now() })
const { db } = app.services
const { store } = stripe

async function aShop() {
  stripe.calm()
  store.clear()
  const account = await anAccount(app, { defaultCommissionSettings: { layerRates: [20] }, timeZone: 'UTC' })
  const { referralCode: code } = await aPartner(app, account)
  const connection = await aConnection(app, account, stripe)
  await db.run`update provider_connections set disconnected_at = ${clock.now()}, credentials_sealed = null,
    webhook_secret_set = false where id <> ${connection.id} and disconnected_at is null`
  const pay = (amount: number, daysAgo = 0) =>
    stripePayment({
      ...{ amount, reference: code, email: anEmail('night'), store },
      createdAt: new Date(clock.now().getTime() - daysAgo * DAY),
    })
  return { account, connection, pay }
}

const amountsOf = async ({ id }: { id: string }) =>
  (await db.many<{ amount: number }>`select amount from sales where account_id = ${id} order by amount`).map(
    ({ amount }) => amount,
  )

const queued = () => db.many<{ id: string; state: string }>`
  select data->>'connectionId' as id, state::text from pgboss.job where name = 'reconcile' and state < 'completed'`

test('the nightly check finds missed events and changes nothing else', async () => {
  const { account, connection, pay } = await aShop()
  await db.run`update provider_connections set created_at = ${new Date(clock.now().getTime() - DAY)} where id = ${connection.id}`
  pay(99, 1.1)
  pay(100, 0.5)
  const delivered = pay(200)
  const half = pay(300)
  await deliverAll(connection, [delivered.checkoutCompleted, delivered.chargeSucceeded, half.chargeSucceeded])
  await workOff(app)
  const refund = delivered.refund(50, { createdAt: clock.now() })
  assert.ok(refund.refundCreated.id)
  await reconcileConnection(app.services, { connectionId: connection.id })
  assert.deepEqual(await amountsOf(account), [100, 200, 300])
  const digest = await ledgerDigest(app, account)
  assert.match(digest, /"refundedAmount":50/)
  const kept = () =>
    db.one`select count(*) as events, count(body) as texts from provider_events where connection_id = ${connection.id}`
  const events = await kept()
  const callsBefore = stripe.calls.length
  await Promise.all([1, 2].map(() => reconcileConnection(app.services, { connectionId: connection.id })))
  assert.equal(await ledgerDigest(app, account), digest)
  assert.deepEqual(await kept(), events)
  // known payments are not requested again
  assert.ok(stripe.calls.slice(callsBefore).every(({ path }) => !path.includes(delivered.intent.id)))
  // late deliveries of events found at night
  await deliverAll(connection, [half.checkoutCompleted, refund.refundCreated, refund.chargeRefunded])
  await workOff(app)
  assert.equal(await ledgerDigest(app, account), digest)
  const { items } = expectOk(
    await app.api('GET', `/accounts/${account.id}/payment-providers`, { token: account.token }),
  ).body
  assert.ok(Math.abs(Date.parse(items[0].reconciledAt) - clock.now().getTime()) < 60_000)
  assert.deepEqual(await verifyLedger(db), [])
})

test('a payment about which the provider refuses an answer blocks no other one, and is tried again', async () => {
  const { account, connection, pay } = await aShop()
  await db.run`update provider_connections set created_at = ${new Date(clock.now().getTime() - DAY)} where id = ${connection.id}`
  pay(100, 0.5)
  const strange = pay(200, 0.4)
  for (const id of [strange.session.id, strange.checkoutCompleted!.id]) store.delete(id)
  pay(300, 0.3)
  stripe.fail(new RegExp(strange.intent.id), { status: 400, body: { error: { message: 'No.' } } }, 100)
  await reconcileConnection(app.services, { connectionId: connection.id })
  assert.deepEqual(await amountsOf(account), [100, 300])
  stripe.calm()
  await reconcileConnection(app.services, { connectionId: connection.id })
  assert.deepEqual(await amountsOf(account), [100, 200, 300])
})

test('a customer’s missed payments credit their partner, in whichever order they are read', async () => {
  const { account, connection } = await aShop()
  await db.run`update provider_connections set created_at = ${new Date(clock.now().getTime() - DAY)} where id = ${connection.id}`
  const { referralCode: reference } = await aPartner(app, account)
  for (const { hoursAgo, ...facts } of [{ hoursAgo: 9, reference }, { hoursAgo: 5 }, { hoursAgo: 1 }])
    stripePayment({
      ...{ customer: 'cus_Missed', amount: 100, store, ...facts },
      createdAt: new Date(clock.now().getTime() - hoursAgo * HOUR),
    })
  await reconcileConnection(app.services, { connectionId: connection.id })
  const { credited } = await db.one<{ credited: number }>`
    select count(partner_id) as credited from sales where account_id = ${account.id}`
  assert.equal(credited, 3)
})

test('after an outage the check goes back to the last success; older history is left alone', async () => {
  const { account, connection, pay } = await aShop()
  clock.advance(DAY)
  await reconcileConnection(app.services, { connectionId: connection.id })
  clock.advance(12 * DAY)
  pay(500, 11)
  pay(600, 1)
  stripe.fail(/^GET \/v1\/events/, { status: 503, body: 'away' })
  await assert.rejects(reconcileConnection(app.services, { connectionId: connection.id }))
  assert.deepEqual(await amountsOf(account), [])
  await reconcileConnection(app.services, { connectionId: connection.id })
  assert.deepEqual(await amountsOf(account), [500, 600])
  pay(700, 6)
  await reconcileConnection(app.services, { connectionId: connection.id })
  assert.deepEqual(await amountsOf(account), [500, 600])
})

test('the check after a reconnection finds what happened to known payments in between', async () => {
  const { account, connection, pay } = await aShop()
  clock.advance(DAY)
  const known = pay(300)
  await reconcileConnection(app.services, { connectionId: connection.id })
  await disconnectProvider(app.services, system, account.id, connection.id)
  clock.advance(2 * DAY)
  known.refund(100, { createdAt: clock.now() })
  pay(400)
  clock.advance(6 * DAY)
  const credentials = { restrictedKey: stripe.key, webhookSecret: 'whsec_of_the_next_connection' }
  const { id } = await connectProvider(app.services, system, account.id, { provider: 'stripe', credentials })
  clock.advance(DAY)
  await reconcileConnection(app.services, { connectionId: id })
  assert.match(await ledgerDigest(app, account), /"refundedAmount":100/)
  assert.deepEqual(await amountsOf(account), [300], 'other payments are left to an import')
})

test('each connection is checked once a night, and retried hourly until it succeeds', async () => {
  const { connection } = await aShop()
  const due = async () => {
    await Promise.all([reconcileByNight(app.services), reconcileByNight(app.services)])
    return (await queued()).map(({ id }) => id)
  }
  const forget = () => db.run`delete from pgboss.job where name = 'reconcile'`
  assert.deepEqual(await due(), [])
  clock.advance(DAY)
  assert.deepEqual(await due(), [connection.id])
  assert.deepEqual(await due(), [connection.id], 'one job at a time')
  await forget()
  clock.advance(HOUR)
  assert.deepEqual(await due(), [connection.id], 'the night has failed')
  await forget()
  await reconcileConnection(app.services, { connectionId: connection.id })
  assert.deepEqual(await due(), [])
  clock.advance(DAY)
  assert.deepEqual(await due(), [connection.id])
  await forget()
  await disconnectProvider(app.services, system, await accountOf(connection.id), connection.id)
  assert.deepEqual(await due(), [])
  await reconcileConnection(app.services, { connectionId: connection.id })
})

const accountOf = async (id: string) =>
  (await db.one<{ id: string }>`select account_id as id from provider_connections where id = ${id}`).id

test('connections are spread over the night of their accounts', async () => {
  const { account, connection } = await aShop()
  await db.run`
    insert into provider_shops (id, account_id, provider, livemode, external_id, created_at)
    select gen_random_uuid(), account_id, provider, livemode, 'acct_' || n, created_at
    from provider_shops, generate_series(1, 100) n where account_id = ${account.id}`
  await db.run`
    insert into provider_connections (id, account_id, shop_id, provider, method, livemode, hook_key, webhook_url,
      credentials_sealed, webhook_secret_set, created_at, updated_at)
    select gen_random_uuid(), c.account_id, s.id, c.provider, c.method, c.livemode, 'key-' || s.id, c.webhook_url,
      c.credentials_sealed, c.webhook_secret_set, c.created_at, c.updated_at
    from provider_connections c join provider_shops s on s.account_id = c.account_id and s.id <> c.shop_id
    where c.id = ${connection.id}`
  const hoursIn = async (timeZone: string, day: string) => {
    await db.run`update accounts set time_zone = ${timeZone} where id = ${account.id}`
    await db.run`update provider_connections set reconciled_at = ${`${day}T12:00:00Z`} where account_id = ${account.id}`
    const seen = new Set<string>()
    const hours = new Map<string, number>()
    for (let half = 1; half <= 50; half++) {
      clock.set(new Date(Date.parse(`${day}T12:00:00Z`) + half * 0.5 * HOUR))
      const format = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', hourCycle: 'h23' })
      for (const { id } of await connectionsToReconcile(db, { first: 1, hours: 5 }))
        if (!seen.has(id)) {
          seen.add(id)
          const hour = format.format(clock.now())
          hours.set(hour, (hours.get(hour) ?? 0) + 1)
        }
    }
    return hours
  }
  for (const zone of ['America/New_York', 'Asia/Kolkata', 'Pacific/Kiritimati']) {
    const hours = await hoursIn(zone, '2026-03-20')
    assert.deepEqual([...hours.keys()].sort(), ['01', '02', '03', '04', '05'], zone)
    assert.ok(Math.min(...hours.values()) > 5)
  }
  // the clocks of this night skip an hour
  assert.deepEqual([...(await hoursIn('Europe/Berlin', '2026-03-28')).keys()].sort(), ['01', '03', '04', '05'])
})
