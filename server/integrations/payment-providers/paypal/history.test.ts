import assert from 'node:assert/strict'
import { test } from 'node:test'
import { standInPaypal } from '../../../../test/fakes/paypal.ts'
import { paypalEvent, paypalId, paypalPayment } from '../../../../test/fakes/paypal-events.ts'
import { accessTo, readHistory } from '../../../../test/support/past-sales.ts'
import { paypal } from './adapter.ts'

const shop = await standInPaypal()
const now = new Date()
const access = accessTo(shop, now)
const before = (days: number) => new Date(now.getTime() - days * 86_400_000)

const historySince = (since: Date) => readHistory(paypal, shop.credentials, access, since)

test('PayPal’s events since a given time are listed in full, each as delivered', async () => {
  const events = Array.from({ length: 120 }, (_, index) => {
    const { capture } = paypalPayment({ amount: 1000 })
    return paypalEvent('PAYMENT.CAPTURE.COMPLETED', capture, { store: shop.store, createdAt: before(index / 10) })
  })
  paypalPayment({ amount: 1000, store: shop.store, createdAt: before(14) })
  paypalEvent('CHECKOUT.ORDER.COMPLETED', { id: paypalId() }, { store: shop.store, createdAt: before(1) })

  const { found, pages } = await historySince(before(13))
  assert.deepEqual(pages, [49, 50, 21])
  assert.deepEqual(found.map(({ id }) => id).sort(), events.map(({ id }) => id).sort())
  const [one] = events
  const listed = found.find(({ id }) => id === one!.id)
  assert.deepEqual([listed?.type, listed?.at.toISOString()], [one!.event_type, one!.create_time])
  assert.deepEqual(JSON.parse(listed!.body), one)
})

test('a list without a response is requested again; history older than PayPal’s is refused', async () => {
  for (const failure of [{ status: 429, retryAfter: 3 }, { status: 500 }, 'garbage', 'reset-before'] as const) {
    shop.fail(/webhooks-events/, failure)
    await assert.rejects(historySince(before(1)), { kind: 'unavailable' })
  }
  await assert.rejects(historySince(before(31)), { kind: 'invalid', message: /last 30 days/ })
})

test('a list that repeats its page ends', async () => {
  const links = (query: string) => [
    { rel: 'next', href: `https://api.paypal.com/v1/notifications/webhooks-events${query}` },
  ]
  const page = (query: string) => ({
    status: 200,
    body: { events: [paypalEvent('PAYMENT.CAPTURE.COMPLETED', {})], links: links(query) },
  })
  for (const queries of [[''], ['?start_index=50', '?start_index=50']]) {
    for (const query of queries) shop.fail(/webhooks-events/, page(query))
    assert.deepEqual(
      (await historySince(before(1))).pages,
      queries.map(() => 1),
    )
  }
})
