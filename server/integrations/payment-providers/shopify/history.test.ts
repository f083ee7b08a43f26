import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anAccount, ok } from '../../../../test/support/app.ts'
import { connectionsOf, startWithProvider, workOff } from '../../../../test/support/payment-providers.ts'
import { standInShopify } from '../../../../test/support/stand-ins/shopify.ts'
import { deliverShopify, shopifyOrder } from '../../../../test/support/stand-ins/shopify-events.ts'
import { newId } from '../../../platform/database/ids.ts'
import { transaction } from '../../../platform/database/pool.ts'
import { insertEvent } from '../queries.ts'
import { reachOf } from '../secrets.ts'
import { shopify } from './adapter.ts'

const shop = await standInShopify({ pageSize: 40 })
const app = await startWithProvider('shopify', shop)
const { db } = app.services
const now = app.clock.now()
const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000)
const reach = () => reachOf(app.services, 'shopify')

async function historySince(since: Date) {
  const pages = []
  let cursor: string | null = null
  do {
    const page: Awaited<ReturnType<NonNullable<typeof shopify.history>>> = await shopify.history!(
      ...([shop.credentials, reach(), since, cursor] as const),
    )
    pages.push(page.events)
    cursor = page.next
  } while (cursor !== null)
  return pages
}

test('what happened since is listed page by page; told twice, and beside deliveries, it changes nothing', async () => {
  const account = await anAccount(app)
  const made = ok(await connectionsOf(app, account, 'shopify').connect(shop.credentials)).body
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

  const pages = await historySince(daysAgo(12))
  assert.deepEqual(
    pages.map(({ length }) => length),
    [40, 23, 1],
  )
  const take = async () => {
    for (const event of (await historySince(daysAgo(12))).flat())
      await transaction(db, (tx) =>
        insertEvent(tx, {
          id: newId(),
          connection: { id: made.id, accountId: account.id, shopId },
          event,
          state: 'received',
        }),
      )
    await workOff(app)
    return db.one`
      select count(*) as sales, sum(refunded_amount)::bigint as refunded, count(*) filter (where status = 'charged-back') as lost
      from sales where account_id = ${account.id}`
  }
  const { shopId } = await db.one<{ shopId: string }>`select shop_id from provider_connections where id = ${made.id}`
  const once = await take()
  assert.deepEqual(once, { sales: 61, refunded: 1700, lost: 1 })
  const { count } = await db.one`select count(*) as count from provider_events`
  assert.deepEqual(await take(), once)
  assert.deepEqual(await db.one`select count(*) as count from provider_events`, { count })
})

test('what Shopify does not list any more, and what it does not answer now, is refused', async () => {
  shop.scopes.delete('read_all_orders')
  await assert.rejects(historySince(daysAgo(61)), { kind: 'invalid', message: /60 days/ })
  await historySince(daysAgo(59))
  for (const failure of [{ status: 429, retryAfter: 2 }, { status: 502, body: '<html>' }, 'reset-before'] as const) {
    shop.fail('GET */orders.json', failure)
    await assert.rejects(historySince(daysAgo(1)), { kind: 'unavailable' })
  }
  shop.scopes.delete('read_shopify_payments_disputes')
  assert.equal((await historySince(daysAgo(1))).length, 1)
})
