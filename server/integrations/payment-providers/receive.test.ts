import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { deliverStripeEvent, stripeEvent, stripePayment, toSeconds } from '../../../test/fakes/stripe-events.ts'
import { anAccount, expectOk, startApp, waitUntil } from '../../../test/support/app.ts'
import { aGenericConnection, genericPayment, SECRET, sendCustomEvent } from '../../../test/support/generic.ts'
import {
  aConnection,
  aConsentedConnection,
  assertRefused,
  deliverAll,
  deliverToPlatform,
  SIGNING_SECRET,
  startWithPlatform,
  startWithStripe,
  workOff,
} from '../../../test/support/payment-providers.ts'

const { app, stripe } = await startWithStripe()
const account = await anAccount(app)
const connection = await aConnection(app, account, stripe)
const url = connection.webhookUrl
const events = () => app.services.db.many<{ externalId: string; state: string }>`
  select external_id, state from provider_events order by received_at, id`

test('forged, altered, old and future events are refused and leave nothing', async () => {
  const { checkoutCompleted: event } = stripePayment({ amount: 1000, store: stripe.store })
  const now = toSeconds(app.clock.now())
  const body = JSON.stringify(event)
  const altered = body.replace('1000', '9000')
  const { signature } = await deliverStripeEvent(`${app.url}/hooks/providers/stripe/nobody`, event, SIGNING_SECRET, {
    body,
  })
  const tries = [
    await deliverStripeEvent(url, event, 'whsec_another'),
    await deliverStripeEvent(url, event, SIGNING_SECRET, { body: altered, signature }),
    await deliverStripeEvent(url, event, SIGNING_SECRET, { body: `${body}\n`, signature }),
    await deliverStripeEvent(url, event, SIGNING_SECRET, { at: now - 301 }),
    await deliverStripeEvent(url, event, SIGNING_SECRET, { at: now + 330 }),
    await deliverStripeEvent(url, event, SIGNING_SECRET, { signature: null }),
    await deliverStripeEvent(url, event, SIGNING_SECRET, { signature: 't=1,v1=zz' }),
    await deliverStripeEvent(url, event, SIGNING_SECRET, { body: 'not json' }),
    ...(await Promise.all(
      // in 33658, 1653, and in a year that no date has
      [1e12, -1e10, 1e21].map((created) => deliverStripeEvent(url, { ...event, created }, SIGNING_SECRET)),
    )),
    await deliverStripeEvent(url, { ...event, livemode: true }, SIGNING_SECRET),
    await deliverStripeEvent(url, { ...event, account: 'acct_1Another' }, SIGNING_SECRET),
  ]
  assertRefused(tries)
  assert.equal(
    (await deliverStripeEvent(`${app.url}/hooks/providers/stripe/nobody`, event, SIGNING_SECRET)).status,
    404,
  )
  assert.equal((await deliverStripeEvent(url.replace('stripe', 'paddle'), event, SIGNING_SECRET)).status, 404)
  const big = { ...event, padding: 'x'.repeat(260_000) }
  assert.equal((await deliverStripeEvent(url, big, SIGNING_SECRET)).status, 413)
  assert.deepEqual(await events(), [])
})

test('a repeat is accepted and stored once; either secret signs during replacement; irrelevant events are ignored', async () => {
  const { checkoutCompleted: event } = stripePayment({ amount: 1000, store: stripe.store })
  const ignored = stripeEvent('payout.paid', { id: 'po_1', object: 'payout' })
  await deliverAll(connection, [event, event])
  const both = await deliverStripeEvent(url, event, '', { secrets: ['whsec_former', SIGNING_SECRET] })
  assert.equal(both.status, 200)
  await deliverAll(connection, [ignored])
  assert.deepEqual(await events(), [
    { externalId: event.id, state: 'received' },
    { externalId: ignored.id, state: 'ignored' },
  ])
  const jobs = await (await app.services.jobs.boss()).findJobs('provider-event')
  assert.equal(jobs.length, 1)
  const { items } = expectOk(
    await app.api('GET', `/accounts/${account.id}/payment-providers`, { token: account.token }),
  ).body
  assert.equal(items[0].eventsLast24h, 2)
  assert.ok(items[0].lastEventAt)
})

test('a failing event is retried, its error is stored, and nothing is lost', async () => {
  await workOff(app)
  const { chargeSucceeded } = stripePayment({ amount: 4200, email: 'late@buyer.example', store: stripe.store })
  await deliverAll(connection, [chargeSucceeded])
  stripe.fail(/sessions/, { status: 500 })
  await assert.rejects(workOff(app))
  const state = () => app.services.db.one`
    select state, error, tries from provider_events where external_id = ${chargeSucceeded.id}`
  assert.deepEqual(await state(), { state: 'failed', error: 'Stripe answered 500.', tries: 1 })
  await workOff(app)
  assert.deepEqual(await state(), { state: 'processed', error: null, tries: 2 })
  const sale = await app.services.db.many`select from sales where payer_email = 'late@buyer.example'`
  assert.equal(sale.length, 1)
})

test('an event that fails unexpectedly doesn’t show owners what the database said', async () => {
  const { chargeSucceeded } = stripePayment({ amount: Number.MAX_SAFE_INTEGER, store: stripe.store })
  await deliverAll(connection, [chargeSucceeded])
  await assert.rejects(workOff(app), /violates check constraint/)
  const path = `/accounts/${account.id}/payment-providers/${connection.id}/events?state=failed`
  const { items } = expectOk(await app.api('GET', path, { token: account.token })).body
  assert.deepEqual(
    items.map(({ reason }: { reason: string }) => reason),
    ['This failed unexpectedly. Ask the administrator of this server to check its log.'],
  )
  await app.services.db.run`delete from provider_events where external_id = ${chargeSucceeded.id}`
})

test('events that keep failing are reported, and a check retries them', async () => {
  const owner = await anAccount(app)
  const own = await aConnection(app, owner, stripe)
  const { chargeSucceeded } = stripePayment({ amount: 4300, store: stripe.store })
  await deliverAll(own, [chargeSucceeded])
  stripe.fail(/sessions/, { status: 500 }, 5)
  for (let turn = 0; turn < 5; turn++) await assert.rejects(workOff(app))
  const path = `/accounts/${owner.id}/payment-providers`
  const { items } = expectOk(await app.api('GET', path, { token: owner.token })).body
  assert.deepEqual([items[0].state, /^One event/.test(items[0].stateReason)], ['attention', true])
  const before = (await (await app.services.jobs.boss()).findJobs('provider-event')).length
  expectOk(await app.api('POST', `${path}/${own.id}/check`, { token: owner.token }))
  assert.equal((await (await app.services.jobs.boss()).findJobs('provider-event')).length, before + 1)
  await workOff(app)
  const after = expectOk(await app.api('GET', path, { token: owner.token })).body
  assert.equal(after.items[0].state, 'connected')
})

test('a disabled account stores its events for thirty days, then refuses them', async () => {
  const off = await anAccount(app)
  const own = await aConnection(app, off, stripe)
  expectOk(await app.api('POST', `/accounts/${off.id}/disable`, { token: off.admin, body: { reason: 'unpaid' } }))
  await deliverAll(own, [stripePayment({ amount: 1000 }).checkoutCompleted])
  app.clock.advance(30 * 86_400_000 + 1000)
  const at = toSeconds(app.clock.now())
  const late = await deliverStripeEvent(
    own.webhookUrl,
    stripePayment({ amount: 1000 }).checkoutCompleted,
    SIGNING_SECRET,
    { at },
  )
  assert.equal(late.status, 403)
  app.clock.set(new Date())
})

test('after disconnecting the address is gone, and earlier events are still booked', async () => {
  const owner = await anAccount(app)
  const own = await aConnection(app, owner, stripe)
  const { checkoutCompleted } = stripePayment({ amount: 1000, email: 'before@buyer.example' })
  await deliverAll(own, [checkoutCompleted])
  const path = `/accounts/${owner.id}/payment-providers/disconnect`
  await app.api('DELETE', path, { token: owner.token, body: { connectionId: own.id } })
  const again = await deliverStripeEvent(
    own.webhookUrl,
    stripePayment({ amount: 1000 }).checkoutCompleted,
    SIGNING_SECRET,
  )
  assert.equal(again.status, 404)
  await workOff(app)
  const { total } = expectOk(await app.api('GET', `/accounts/${owner.id}/sales`, { token: owner.token })).body
  assert.equal(total, 1)
})

test('signed events are accepted in any number, unsigned ones are limited by network', async () => {
  const secretKey = randomBytes(32)
  const { app: free, stripe: shop, config } = await startWithPlatform({ config: { secretKey } })
  const owner = await anAccount(free)
  const own = await aConnection(free, owner, shop)
  const generic = await aGenericConnection(free, owner)
  await aConsentedConnection(free, await anAccount(free))
  const few = { ...config, secretKey, rateLimitFactor: 0.05, trustProxy: ['127.0.0.1'] }
  const limited = await startApp({ db: free.services.db, config: few })
  const here = ({ webhookUrl }: { webhookUrl: string }) => limited.url + new URL(webhookUrl).pathname
  const from = (address: string) => ({ headers: { 'x-forwarded-for': address } })
  const tell = async (signed: boolean, address = '198.51.100.7') => {
    const { checkoutCompleted: event } = stripePayment({ amount: 1000 })
    const customEvent = genericPayment().paid
    const secret = signed ? SECRET : 'another'
    const answers = [
      await deliverStripeEvent(here(own), event, signed ? SIGNING_SECRET : 'whsec_another', from(address)),
      await sendCustomEvent(here(generic), customEvent, { secret, ...from(address) }),
      await deliverToPlatform(limited, event, signed ? from(address) : { ...from(address), signature: null }),
    ]
    return answers.map(({ status }) => status)
  }
  const all = (status: number) => [status, status, status]
  for (let turn = 0; turn < 20; turn++) assert.deepEqual(await tell(true), all(200))
  for (let turn = 0; turn < 6; turn++) assert.deepEqual(await tell(false), all(400))
  assert.deepEqual(await tell(false), all(429))
  assert.deepEqual(await tell(true), all(200))
  assert.deepEqual(await tell(false, '203.0.113.9'), all(400))
  const deep = '['.repeat(100)
  assert.equal(
    (await deliverStripeEvent(here(own), stripePayment({ amount: 1 }).checkoutCompleted, '', { body: deep })).status,
    400,
  )

  // further requests from there to this address are no longer read
  for (let turn = 8; turn <= 60; turn++) assert.deepEqual(await tell(false), all(429))
  assert.deepEqual(await tell(true), all(429))
  assert.deepEqual(await tell(true, '203.0.113.9'), all(200))
})

test('the worker books incoming events on its own', async () => {
  const { app: working, stripe: shop } = await startWithStripe({ worker: true })
  const owner = await anAccount(working)
  const own = await aConnection(working, owner, shop)
  await deliverAll(own, [stripePayment({ amount: 1000, store: shop.store }).checkoutCompleted])
  const sales = () => working.api('GET', `/accounts/${owner.id}/sales`, { token: owner.token })
  const sale = await waitUntil(async () => expectOk(await sales()).body.items[0])
  assert.equal(sale.amount, 1000)
})
