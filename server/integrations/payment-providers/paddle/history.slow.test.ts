import assert from 'node:assert/strict'
import { test } from 'node:test'
import { standInPaddle } from '../../../../test/fakes/paddle.ts'
import {
  deliverPaddle,
  type PaddleEvent,
  paddleEvent,
  paddleTransaction,
} from '../../../../test/fakes/paddle-events.ts'
import { expectOk } from '../../../../test/support/app.ts'
import { readHistory } from '../../../../test/support/past-sales.ts'
import { connectProvider, startWithProvider } from '../../../../test/support/payment-providers.ts'
import { aShop } from '../../../../test/support/provider-stories.ts'
import type { ReceivedEvent } from '../provider.ts'
import { getProviderAccess } from '../secrets.ts'
import { paddle as adapter } from './adapter.ts'

const paddle = await standInPaddle()
const app = await startWithProvider('paddle', paddle)
const { store } = paddle
const SECRET = 'pdl_ntfset_01connected_Connected0000000000000001'
const credentials = { apiKey: paddle.key, webhookSecret: SECRET }
const { aLead, digest, deliverAndBook } = await aShop<PaddleEvent | ReceivedEvent>(
  app,
  async (owner) => expectOk(await connectProvider(app, owner, { provider: 'paddle', credentials })).body,
  (url, event) => deliverPaddle(url, {}, SECRET, { body: 'body' in event ? event.body : JSON.stringify(event) }),
)

const before = (days: number) => new Date(app.clock.now().getTime() - days * 86_400_000)

const historySince = (since: Date) =>
  readHistory(adapter, credentials, getProviderAccess(app.services, 'paddle'), since)

test('Paddle’s events since a given time are listed in full, each as delivered, page by page at our own base address', async () => {
  store.clear()
  const events = Array.from({ length: 60 }, (_, index) => {
    const at = before(80 - index)
    const { transaction } = paddleTransaction({ amount: 1000, at })
    return paddleEvent('transaction.completed', transaction, { store, at })
  })
  paddleEvent('customer.updated', { id: 'ctm_1' }, { store, at: before(1) })
  const { found, pages } = await historySince(before(75.5))
  assert.deepEqual(pages, [49, 6])
  const expected = events.slice(5).map(({ event_id }) => event_id)
  assert.deepEqual(found.map(({ id }) => id).sort(), expected.sort())
  const one = found.find(({ id }) => id === events[30]!.event_id)!
  assert.deepEqual([one.type, one.at.toISOString()], ['transaction.completed', events[30]!.occurred_at])
  assert.deepEqual(JSON.parse(one.body), events[30])
})

test('reading stops once all further events are older', async () => {
  store.clear()
  for (let day = 200; day > 0; day--) paddleEvent('customer.updated', {}, { store, at: before(day) })
  const callsBefore = paddle.calls.length
  await historySince(before(10))
  assert.equal(paddle.calls.length - callsBefore, 2)
})

test('history older than Paddle’s events is read from the objects, and reading it twice changes nothing', async () => {
  store.clear()
  const lead = await aLead(undefined, before(202))
  const at = before(200)
  const payments = Array.from({ length: 35 }, (_, index) =>
    paddleTransaction({ email: lead.email, amount: 1000 + index, store, at: new Date(at.getTime() + index) }),
  )
  paddleTransaction({ email: lead.email, amount: 7, status: 'billed', store, at })
  paddleTransaction({ email: lead.email, amount: 9, store, at: before(300) })
  payments[0]!.adjust('refund', 400)
  payments[1]!.adjust('refund', 500, { status: 'pending_approval' })
  const { found, pages } = await historySince(before(201))
  assert.deepEqual(pages, [30, 5, 1])
  await deliverAndBook(found)
  const once = await digest(lead.id)
  const { sales } = JSON.parse(once)
  assert.equal(sales.length, 35)
  assert.deepEqual([sales[0].refundedAmount, sales[1].refundedAmount], [400, 0])

  const again = await historySince(before(201))
  assert.deepEqual(again.found, found)
  await deliverAndBook(again.found)
  await deliverAndBook(payments.slice(0, 3).map(({ completed }) => completed))
  assert.equal(await digest(lead.id), once)
})

test('history is unavailable while Paddle is down', async () => {
  for (const failure of [{ status: 429, retryAfter: 30 }, { status: 500 }, 'garbage'] as const) {
    paddle.fail('GET /events', failure)
    await assert.rejects(historySince(before(1)), { kind: 'unavailable' })
  }
})
