import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { standInWooCommerce } from '../../../../test/fakes/woocommerce.ts'
import { wooOrder } from '../../../../test/fakes/woocommerce-events.ts'
import { anAccount, anEmail, aPartner, expectOk, startApp } from '../../../../test/support/app.ts'
import { bookHistory, pastImported, readHistory } from '../../../../test/support/past-sales.ts'
import { createConnectionCalls } from '../../../../test/support/payment-providers.ts'
import { getProviderAccess } from '../secrets.ts'
import { woocommerce } from './adapter.ts'

const app = await startApp({ config: { allowPrivateWebhookTargets: true } })
const now = app.clock.now()
const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000)

async function aStore() {
  const shop = await standInWooCommerce()
  after(() => shop.close())
  const account = await anAccount(app, { defaultCommissionSettings: { layerRates: [20] } })
  const connection = expectOk(await createConnectionCalls(app, account, 'woocommerce').connect(shop.credentials)).body
  const read = (since: Date) =>
    readHistory(woocommerce, shop.credentials, getProviderAccess(app.services, 'woocommerce'), since)
  return { shop, account, connection, read }
}

test('orders changed since a given time are listed page by page; reading them twice, alongside deliveries, changes nothing', async () => {
  const { shop, account, connection, read } = await aStore()
  const facts = { store: shop.store, goods: 1000 }
  for (let place = 0; place < 230; place++) {
    const order = wooOrder({ ...facts, createdAt: daysAgo(place / 30) })
    const paid = order.paid()
    if (place === 3) await shop.send(paid)
    if (place === 5) order.refund(400)
    if (place === 6) order.becomes('cancelled')
    if (place === 7) order.becomes('trash')
  }
  // paid before, changed since
  const old = wooOrder({ ...facts, createdAt: daysAgo(50) })
  old.paid()
  old.refund(300, { at: daysAgo(2) })
  wooOrder({ ...facts, createdAt: daysAgo(1) })

  assert.deepEqual((await read(daysAgo(12))).pages, [50, 50, 50, 50, 31])
  const sums = await bookHistory(app, account, connection, () => read(daysAgo(12)))
  // without the cancelled one, the one in the trash, the old and the unpaid one
  assert.deepEqual(sums, { sales: 228, refunded: 400, lost: 0 })
  for (const { query } of shop.callsTo('GET */orders').filter(({ query }) => query.page))
    assert.deepEqual([query.per_page, query.status, query.dates_are_gmt], ['50', 'any', 'true'])
})

test('past orders of a year are imported with their refunds, and again without effect', async () => {
  const { shop, account, connection } = await aStore()
  const partner = await aPartner(app, account)
  const email = anEmail('past')
  const facts = { store: shop.store, goods: 1000, meta: { referral_code: partner.referralCode }, email }
  const orders = [300, 200, 100, 1].map((days) => wooOrder({ ...facts, createdAt: daysAgo(days) }))
  for (const order of orders) order.paid()
  orders[0]!.refund(400, { at: daysAgo(299) })
  orders[1]!.becomes('cancelled')
  orders[2]!.becomes('completed')
  wooOrder({ ...facts, createdAt: daysAgo(400) }).paid()
  const imported = await pastImported(app, account, connection)
  assert.deepEqual([imported.state, imported.created], ['done', 3])
  const sales = await app.services.db.many`
    select amount, refunded_amount as refunded, partner_id = ${partner.id} as theirs from sales
    where account_id = ${account.id} order by sale_date`
  assert.deepEqual(sales, [
    { amount: 1000, refunded: 400, theirs: true },
    { amount: 1000, refunded: 0, theirs: true },
    { amount: 1000, refunded: 0, theirs: true },
  ])
  const again = await pastImported(app, account, connection)
  assert.deepEqual([again.created, again.skipped], [0, 3])
})

test('a store that does not answer, or not with a list, is no history', async () => {
  const { shop, read } = await aStore()
  for (const failure of [{ status: 429, retryAfter: 2 }, { status: 502, body: '<html>' }, 'reset-before'] as const) {
    shop.fail('GET */orders', failure)
    await assert.rejects(read(daysAgo(1)), { kind: 'unavailable' })
  }
  // a proxy that drops the headers of the pages
  shop.fail('GET */orders', { status: 200, body: [] })
  assert.deepEqual((await read(daysAgo(1))).pages, [0])
})
