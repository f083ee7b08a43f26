import assert from 'node:assert/strict'
import { test } from 'node:test'
import { standInPolar } from '../../../../test/fakes/polar.ts'
import { deliverPolar, type PolarEvent, type PolarOrderFacts, polarOrder } from '../../../../test/fakes/polar-events.ts'
import { expectOk } from '../../../../test/support/app.ts'
import { listSeeds, randomFrom } from '../../../../test/support/model-test.ts'
import { ledgerDigest, pastImported, readHistory } from '../../../../test/support/past-sales.ts'
import { connectProvider, startWithProvider, workOff } from '../../../../test/support/payment-providers.ts'
import { aShop } from '../../../../test/support/provider-stories.ts'
import { verifyLedger } from '../../../program/stats/verify.ts'
import { reconcileConnection } from '../reconcile.ts'
import { getProviderAccess } from '../secrets.ts'
import { verifyPayments } from '../verify-payments.ts'
import { polar as adapter } from './adapter.ts'

const polar = await standInPolar()
const app = await startWithProvider('polar', polar)
const { db } = app.services
const { store } = polar
const SECRET = 'polar_whs_ovyN6cPrTv56AApvzCaJno08SSmGJmgb'
const credentials = { accessToken: polar.key, webhookSecret: SECRET }
const aPolarShop = () =>
  aShop<PolarEvent>(
    app,
    async (owner) => expectOk(await connectProvider(app, owner, { provider: 'polar', credentials })).body,
    (url, event) => deliverPolar(url, event, SECRET),
  )
type Shop = Awaited<ReturnType<typeof aPolarShop>>

const before = (days: number) => new Date(app.clock.now().getTime() - days * 86_400_000)
const anOrder = (facts: PolarOrderFacts) => polarOrder({ store, ...facts })
const historySince = (since: Date) => readHistory(adapter, credentials, getProviderAccess(app.services, 'polar'), since)

/** Makes a connection so old, so that the night looks back that far. */
const connectedFor = async ({ connection }: Shop, days: number) =>
  db.run`update provider_connections set created_at = ${before(days)} where id = ${connection().id}`
const night = ({ connection }: Shop) => reconcileConnection(app.services, { connectionId: connection().id })

test('orders, refunds and disputes since then are listed page by page, as the events that would report them', async () => {
  store.clear()
  const orders = Array.from({ length: 130 }, (_, index) => anOrder({ net: 1000 + index, at: before(20 - index / 10) }))
  const [first, second] = [orders[0]!, orders[1]!]
  first.refund(400, { at: before(1) })
  second.dispute(1001, { at: before(2) })
  // neither unpaid nor from before
  anOrder({ net: 7, status: 'pending', at: before(3) })
  anOrder({ net: 9, at: before(22) }).refund(9, { at: before(22) })
  const { found, pages } = await historySince(before(21))
  assert.deepEqual(pages, [99, 31, 1, 1])
  const ids = found.map(({ type, body }) => `${type} ${JSON.parse(body).data.id}`)
  assert.deepEqual(
    ids.filter((id) => id.startsWith('order.paid')).sort(),
    orders.map(({ id }) => `order.paid ${id}`).sort(),
  )
  assert.deepEqual(
    found.slice(-2).map(({ type }) => type),
    ['refund.updated', 'dispute.updated'],
  )
  assert.deepEqual((await historySince(before(21))).found, found)
})

test('a list is read no further than its objects may still change', async () => {
  store.clear()
  for (let day = 300; day > 0; day--) anOrder({ net: 1000, at: before(day) })
  const callsBefore = polar.calls.length
  const { found } = await historySince(before(9.5))
  assert.equal(found.length, 9)
  assert.equal(polar.calls.length - callsBefore, 3)
})

test('what was lost is found at night: a late payment, a refund, disputes; a second night changes nothing', async () => {
  store.clear()
  const shop = await aPolarShop()
  await connectedFor(shop, 40)
  const lead = await shop.aLead(undefined, before(50))
  const orderOf = (net: number, facts: Partial<PolarOrderFacts> = {}) =>
    anOrder({ email: lead.email, net, tax: net / 10, at: before(20), ...facts })
  const known = orderOf(1000)
  const missed = orderOf(2000, { at: before(1) })
  const late = orderOf(3000, { status: 'pending' })
  const [lost, won, open, prevented] = [4000, 5000, 6000, 7000].map((net) => orderOf(net)) as [
    ...[typeof known, typeof known, typeof known, typeof known],
  ]
  await shop.deliverAndBook([known, lost, won, open, prevented].map(({ paid }) => paid))
  known.refund(500, { at: before(0.5) })
  late.becomesPaid(before(0.5))
  const about = { status: 'needs_response', at: before(10) }
  lost.dispute(4000, { ...about, tax: 400 }).becomes('lost', before(0.5))
  won.dispute(5000, { ...about, tax: 500 }).becomes('won', before(0.5))
  open.dispute(6000, { tax: 600, at: before(1) })
  prevented.dispute(7000, { ...about, tax: 700 }).becomes('prevented', before(0.5))
  prevented.refund(7000, { reason: 'dispute_prevention', at: before(0.5) })
  await db.run`update provider_connections set reconciled_at = ${before(1)} where id = ${shop.connection().id}`
  await night(shop)
  const sales = async () =>
    (await shop.salesOf(lead.id))
      .map(({ amount, refundedAmount, status }: Record<string, unknown>) => [amount, refundedAmount, status])
      .sort(([a]: number[], [b]: number[]) => a! - b!)
  assert.deepEqual(await sales(), [
    [1000, 550, 'partially-refunded'],
    [2000, 0, 'completed'],
    [3000, 0, 'completed'],
    [4000, 4400, 'charged-back'],
    [5000, 0, 'completed'],
    [6000, 0, 'disputed'],
    [7000, 7700, 'refunded'],
  ])
  const once = await shop.digest(lead.id)
  await night(shop)
  await shop.deliverAndBook([missed.paid, known.paid, late.paid])
  assert.equal(await shop.digest(lead.id), once)
  assert.deepEqual(await verifyLedger(db), [])
})

test('without the scope to read disputes the night reads the rest', async () => {
  store.clear()
  const shop = await aPolarShop()
  const lead = await shop.aLead()
  anOrder({ email: lead.email, net: 1000 }).dispute(1000)
  polar.forbid('disputes:read')
  await night(shop)
  polar.allow('disputes:read')
  const [sale] = await shop.salesOf(lead.id)
  assert.deepEqual([sale.amount, sale.status], [1000, 'completed'])
  const { reconciled } = await db.one`
    select reconciled_at is not null as reconciled from provider_connections where id = ${shop.connection().id}`
  assert.equal(reconciled, true)
})

test('past sales are imported with their refunds, once', async () => {
  store.clear()
  const shop = await aPolarShop()
  const lead = await shop.aLead(undefined, before(300))
  const orders = Array.from({ length: 110 }, (_, index) =>
    anOrder({ email: lead.email, net: 1000 + index, at: before(200 - index) }),
  )
  orders[0]!.refund(1000)
  const { state, created } = await pastImported(app, shop.account, shop.connection())
  assert.deepEqual([state, created], ['done', 110])
  const once = await ledgerDigest(app, shop.account)
  assert.match(once, /"refundedAmount":1000/)
  await pastImported(app, shop.account, shop.connection())
  await shop.deliverAndBook(orders.slice(0, 3).map(({ paid }) => paid))
  assert.equal(await ledgerDigest(app, shop.account), once)
})

test('history is unavailable while Polar is down', async () => {
  for (const failure of [{ status: 429, retryAfter: 30 }, { status: 500 }, 'garbage', 'reset-after'] as const) {
    polar.fail('GET /v1/orders/', failure)
    await assert.rejects(historySince(before(1)), { kind: 'unavailable' })
  }
})

/** Orders, renewals, refunds and what becomes of them, of the last two days. */
function life(random: ReturnType<typeof randomFrom>, email: string): (PolarEvent | null)[] {
  const events: (PolarEvent | null)[] = []
  for (let n = random.between(2, 4); n > 0; n--) {
    const net = random.between(100, 90_000)
    const at = before(random.between(1, 40) / 24)
    const subscription = random.chance(40) ? `sub-${email}-${n}` : null
    const first = anOrder({ email, net, tax: random.between(0, net), subscription, at })
    events.push(first.paid, ...(subscription ? [first.subscriptionCreated('active')] : []))
    const orders = subscription ? [first, first.renew({ net: random.between(100, 9000) })] : [first]
    for (const order of orders) {
      if (order !== first) events.push(order.paid)
      const part = Number(order.order().net_amount)
      if (random.chance(40)) {
        const refund = order.refund(random.between(1, part), { status: random.pick(['pending', 'succeeded']) })
        events.push(refund.created, refund.orderRefunded)
        if (random.chance(50)) events.push(refund.becomes(random.pick(['succeeded', 'failed', 'canceled'])))
      }
    }
  }
  return events
}

test('random lives of which some events are lost end after the night as if each had arrived once', async () => {
  for (const seed of listSeeds(1)) {
    const random = randomFrom(seed)
    store.clear()
    const shop = await aPolarShop()
    await connectedFor(shop, 3)
    const model = await aPolarShop()
    const { email } = await shop.aLead(undefined, before(4))
    await model.aLead(email, before(4))
    const lifeEvents = life(random, email).filter((event) => event !== null)
    await model.deliverAndBook(lifeEvents)
    const expected = await ledgerDigest(app, model.account)
    await shop.deliver(random.shuffled(lifeEvents).slice(0, random.below(lifeEvents.length + 1)))
    await workOff(app, { atOnce: random.chance(50) })
    await night(shop)
    assert.equal(await ledgerDigest(app, shop.account), expected, `seed ${seed}`)
    await shop.deliver(random.shuffled(lifeEvents))
    await workOff(app, { atOnce: true })
    await night(shop)
    assert.equal(await ledgerDigest(app, shop.account), expected, `seed ${seed}`)
  }
  assert.deepEqual(await verifyLedger(db), [])
  assert.deepEqual((await verifyPayments(db)).differences, [])
})
