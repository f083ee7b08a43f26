import assert from 'node:assert/strict'
import { test } from 'node:test'
import { standInShopify } from '../../../../test/fakes/shopify.ts'
import { deliverShopify, shopifyOrder } from '../../../../test/fakes/shopify-events.ts'
import { anAccount, expectOk } from '../../../../test/support/app.ts'
import { bookHistory, readHistory } from '../../../../test/support/past-sales.ts'
import { createConnectionCalls, startWithProvider } from '../../../../test/support/payment-providers.ts'
import { getProviderAccess } from '../secrets.ts'
import { shopify } from './adapter.ts'

const shop = await standInShopify({ pageSize: 40 })
const app = await startWithProvider('shopify', shop)
const now = app.clock.now()
const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000)

const historySince = (since: Date) =>
  readHistory(shopify, shop.credentials, getProviderAccess(app.services, 'shopify'), since)

test('events since a given time are listed page by page; reading them twice, alongside deliveries, changes nothing', async () => {
  const account = await anAccount(app)
  const made = expectOk(await createConnectionCalls(app, account, 'shopify').connect(shop.credentials)).body
  const at = { store: shop.store, goods: 1000 }
  for (let day = 0; day < 60; day++) {
    const order = shopifyOrder({ ...at, createdAt: daysAgo(day / 6) })
    const paid = order.paid()
    if (day === 3) await deliverShopify(made.webhookUrl, paid, shop.app.clientSecret)
    if (day === 5) order.refund(400)
    if (day === 6) order.dispute(1000).becomes({ status: 'lost' })
  }
  shopifyOrder({ ...at, createdAt: daysAgo(1) })
  const old = shopifyOrder({ ...at, createdAt: daysAgo(50) })
  const paidThen = old.paid()
  await deliverShopify(made.webhookUrl, paidThen, shop.app.clientSecret)
  old.refund(300)
  const unknown = shopifyOrder({ ...at, createdAt: daysAgo(50) })
  unknown.paid()
  // both changed since
  for (const { order } of [old, unknown]) order.updated_at = daysAgo(2).toISOString()

  assert.deepEqual((await historySince(daysAgo(12))).pages, [40, 23, 1])
  const sums = await bookHistory(app, account, made, () => historySince(daysAgo(12)))
  assert.deepEqual(sums, { sales: 61, refunded: 1700, lost: 1 })
})

test('history that Shopify no longer lists, or does not return now, is refused', async () => {
  shop.scopes.delete('read_all_orders')
  await assert.rejects(historySince(daysAgo(61)), { kind: 'invalid', message: /60 days/ })
  await historySince(daysAgo(59))
  for (const failure of [{ status: 429, retryAfter: 2 }, { status: 502, body: '<html>' }, 'reset-before'] as const) {
    shop.fail('GET */orders.json', failure)
    await assert.rejects(historySince(daysAgo(1)), { kind: 'unavailable' })
  }
  shop.scopes.delete('read_shopify_payments_disputes')
  assert.equal((await historySince(daysAgo(1))).pages.length, 1)
})
