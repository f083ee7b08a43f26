import assert from 'node:assert/strict'
import { test } from 'node:test'
import { standInLemonSqueezy } from '../../../../test/fakes/lemon-squeezy.ts'
import { deliverLemon, type LemonEvent, lemonOrder } from '../../../../test/fakes/lemon-squeezy-events.ts'
import { expectOk } from '../../../../test/support/app.ts'
import { readHistory } from '../../../../test/support/past-sales.ts'
import { connectProvider, startWithProvider } from '../../../../test/support/payment-providers.ts'
import { aShop } from '../../../../test/support/provider-stories.ts'
import type { ReceivedEvent } from '../provider.ts'
import { getProviderAccess } from '../secrets.ts'
import { lemonSqueezy } from './adapter.ts'

const stores = [
  { id: 1, name: 'Lemon Stand' },
  { id: 2, name: 'Another' },
]
const lemon = await standInLemonSqueezy({ stores })
const app = await startWithProvider('lemon-squeezy', lemon)
const { store } = lemon
const SECRET = 'a-secret-that-was-chosen'
const credentials = { apiKey: lemon.key, storeId: '1', webhookSecret: SECRET }
const { aLead, digest, salesOf, deliverAndBook } = await aShop<LemonEvent | ReceivedEvent>(
  app,
  async (owner) => expectOk(await connectProvider(app, owner, { provider: 'lemon-squeezy', credentials })).body,
  (url, event) => deliverLemon(url, {}, SECRET, { body: 'body' in event ? event.body : JSON.stringify(event) }),
)

const before = (days: number) => new Date(app.clock.now().getTime() - days * 86_400_000)

const historySince = (since: Date) =>
  readHistory(lemonSqueezy, credentials, getProviderAccess(app.services, 'lemon-squeezy'), since)

test('a store’s sales since a given time are listed page by page at our own base address, with refunds of earlier sales', async () => {
  store.clear()
  for (let index = 0; index < 130; index++) lemonOrder({ amount: 1000, store, at: before(30 + index / 10) })
  lemonOrder({ amount: 1000, store, at: before(1), storeId: 2 })
  const old = lemonOrder({ amount: 1000, store, at: before(100) })
  old.refunded(400, before(2))
  lemonOrder({ amount: 1000, store, at: before(110) }).refunded(400, before(105))
  const subscription = old.subscribe()
  subscription.renewal(700, 0, before(5))
  subscription.renewal(700, 0, before(60))
  const { found, pages } = await historySince(before(50))
  assert.deepEqual(pages, [100, 31, 1])
  const count = (type: string) => found.filter((event) => event.type === type).length
  assert.deepEqual(
    [count('order_created'), count('order_refunded'), count('subscription_payment_success')],
    [130, 1, 1],
  )
})

test('an invoice made before then and paid since, after failed tries, is listed as paid', async () => {
  store.clear()
  const subscription = lemonOrder({ amount: 1000, store, at: before(40) }).subscribe()
  subscription.renewal(700, 0, before(10))
  const late = [...store.entries()].find(([, { attributes }]) => (attributes as { total?: number }).total === 700)!
  const attributes = { ...(late[1].attributes as object), updated_at: before(1).toISOString() }
  store.set(late[0], { ...late[1], attributes })
  const { found } = await historySince(before(3))
  assert.deepEqual(
    found.map(({ type }) => type),
    ['subscription_payment_success'],
  )
})

test('reading stops at the age where refunds are no longer looked for', async () => {
  store.clear()
  for (let index = 0; index < 300; index++) lemonOrder({ amount: 1000, store, at: before(200 + index) })
  const callsBefore = lemon.callsTo('GET /v1/orders').length
  await historySince(before(30))
  assert.equal(lemon.callsTo('GET /v1/orders').length - callsBefore, 1)
})

test('history read twice and alongside deliveries changes nothing', async () => {
  store.clear()
  const lead = await aLead(undefined, before(4))
  const facts = { email: lead.email, store, at: before(3), customData: { lead_id: lead.id } }
  const order = lemonOrder({ ...facts, amount: 12_000, tax: 2000 })
  const subscription = order.subscribe()
  const [first, renewal] = [subscription.initial(), subscription.renewal(6000)]
  order.refunded(2000)
  renewal.refunded(6000)
  const { found } = await historySince(before(10))
  await deliverAndBook(found)
  const once = await digest(lead.id)
  assert.deepEqual(
    (await salesOf(lead.id)).map(({ amount, refundedAmount }: Record<string, unknown>) => [amount, refundedAmount]),
    [
      [6000, 6000],
      [10_000, 2000],
    ],
  )
  const again = await historySince(before(10))
  assert.deepEqual(again.found, found)
  await deliverAndBook([...again.found, first.paid, order.created, subscription.created, renewal.paid, ...found])
  assert.equal(await digest(lead.id), once)
})

test('history is unavailable while Lemon Squeezy is down', async () => {
  for (const failure of [{ status: 429, retryAfter: 30 }, { status: 500 }, 'garbage'] as const) {
    lemon.fail('GET /v1/orders', failure)
    await assert.rejects(historySince(before(1)), { kind: 'unavailable' })
  }
})
