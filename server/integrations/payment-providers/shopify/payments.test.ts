import assert from 'node:assert/strict'
import { test } from 'node:test'
import { standInShopify } from '../../../../test/fakes/shopify.ts'
import {
  deliverShopify,
  type OrderFacts,
  type ShopifyEvent,
  shopifyOrder,
} from '../../../../test/fakes/shopify-events.ts'
import { anAccount, anEmail, expectOk } from '../../../../test/support/app.ts'
import { aBlueprint, aClick } from '../../../../test/support/leads.ts'
import { createConnectionCalls, startWithProvider, workOff } from '../../../../test/support/payment-providers.ts'
import { aShop } from '../../../../test/support/provider-stories.ts'
import { newId } from '../../../platform/database/ids.ts'
import { reconcileConnection } from '../reconcile.ts'

// Sales from a shop's events: signed, delivered, processed, on a real database.

const shop = await standInShopify()
const app = await startWithProvider('shopify', shop)
const { db } = app.services
const { account, partner, aLead, deliverAndBook, fromFile, inEveryOrder } = await aShop<ShopifyEvent>(
  app,
  async (owner) => expectOk(await createConnectionCalls(app, owner, 'shopify').connect(shop.credentials)).body,
  (url, event) => deliverShopify(url, event, shop.app.clientSecret),
)
const { list } = createConnectionCalls(app, account, 'shopify')

const anOrder = (facts: OrderFacts) => shopifyOrder({ store: shop.store, ...facts })
const saleOf = ({ id }: { id: number }) => db.maybe<Record<string, unknown>>`
  select amount as net, tax_amount as tax, gross_amount as gross, refunded_amount as refunded, status, currency,
    matched_by as by, partner_id is not null as credited
  from sales where external_id = ${String(id)}`

test('an order with tax and shipping is one sale net of both, in every order of events', async () => {
  await inEveryOrder(
    (email) => {
      const order = anOrder({ email, goods: 10_000, tax: 2000, shipping: 900, shippingTax: 100 })
      return [order.paid(), order.cancelled()]
    },
    (sales) =>
      assert.deepEqual(
        sales.map(({ disputed, isTest, ...sale }) => sale),
        [
          {
            ...{ amount: 10_000, taxAmount: 2100, grossAmount: 13_000, refundedAmount: 0, status: 'completed' },
            partnerId: partner.id,
          },
        ],
      ),
    8,
  )
})

test('a refund of a payment that only a file has reaches its sale', async () => {
  const order = anOrder({ goods: 10_000 })
  await fromFile({ externalId: String(order.id) }, [order.refund(4000).created], {
    refunded: 4000,
    status: 'partially-refunded',
  })
})

test('a subscription begins with a free trial and is renewed by orders of the same customer', async () => {
  await inEveryOrder(
    (email) => {
      const trial = anOrder({ email, goods: 0 })
      const { id } = trial.order.customer as { id: number }
      const renewals = [4900, 5000, 5900].map((goods) => anOrder({ email, customer: id, goods, tax: 490 }))
      return [trial.paid(), ...renewals.map((order) => order.paid()), renewals[0]!.refund(5390).created]
    },
    (sales) =>
      assert.deepEqual(sales.map(({ amount, refundedAmount }) => [amount, refundedAmount]).sort(), [
        [4900, 5390],
        [5000, 0],
        [5900, 0],
      ]),
    8,
  )
})

test('partial refunds, then of everything', async () => {
  await inEveryOrder(
    (email) => {
      const order = anOrder({ email, goods: 10_000, tax: 1000 })
      const paid = order.paid()
      const part = order.refund(2500, { note: 'too small' })
      // two payment methods, each refunded separately
      const rest = order.refund(8500, { ways: [8000, 500] })
      return [paid, part.created, rest.created, ...rest.becomes('success'), order.cancelled()]
    },
    ([sale]) => assert.deepEqual([sale?.refundedAmount, sale?.status], [11_000, 'refunded']),
    8,
  )
})

test('a refund that fails later restores the commission', async () => {
  await inEveryOrder(
    (email) => {
      const order = anOrder({ email, goods: 10_000 })
      const paid = order.paid()
      const refund = order.refund(4000, { status: 'pending' })
      return [paid, refund.created, ...refund.becomes('success'), ...refund.becomes('failure')]
    },
    ([sale]) => assert.deepEqual([sale?.refundedAmount, sale?.status], [0, 'completed']),
    8,
  )
})

for (const [end, status, refundedAmount] of [
  ['won', 'partially-refunded', 3000],
  ['lost', 'charged-back', 10_000],
  ['accepted', 'charged-back', 10_000],
  ['charge_refunded', 'partially-refunded', 3000],
] as const)
  test(`a dispute that ends ${end} after a partial refund`, async () => {
    await inEveryOrder(
      (email) => {
        const order = anOrder({ email, goods: 10_000 })
        const paid = order.paid()
        const refund = order.refund(3000)
        const dispute = order.dispute(7000, { type: 'inquiry' })
        const chargeback = dispute.becomes({ type: 'chargeback', status: 'under_review' })
        return [paid, refund.created, dispute.created, chargeback, dispute.becomes({ status: end })]
      },
      ([sale]) => assert.deepEqual([sale?.status, sale?.refundedAmount], [status, refundedAmount]),
      5,
    )
  })

test('an inquiry does not hold the commission, an open dispute does', async () => {
  const { email } = await aLead()
  const order = anOrder({ email, goods: 10_000 })
  const dispute = order.dispute(10_000, { type: 'inquiry', status: 'under_review' })
  await deliverAndBook([order.paid(), dispute.created])
  assert.equal((await saleOf(order))?.status, 'completed')
  await deliverAndBook([dispute.becomes({ type: 'chargeback', status: 'needs_response' })])
  assert.equal((await saleOf(order))?.status, 'disputed')
})

test('net amounts of an order: included tax, free shipping, tips, duties', async () => {
  const { email } = await aLead()
  for (const [facts, net, tax, gross] of [
    [{ goods: 10_000, tax: 1900, shipping: 1000, shippingTax: 190, taxesIncluded: true }, 10_000, 2090, 13_090],
    [{ goods: 10_000, tax: 1900, shipping: 1000, freeShipping: true }, 10_000, 1900, 11_900],
    [{ goods: 10_000, tip: 1500 }, 10_000, 0, 11_500],
    [{ goods: 10_000, tax: 100, duties: 700 }, 10_000, 800, 10_800],
    [{ goods: 1, tax: 0 }, 1, 0, 1],
    [{ goods: 5000, tax: 500, currency: 'jpy' }, 5000, 500, 5500],
    [{ goods: 12_345, tax: 5, currency: 'kwd' }, 12_345, 5, 12_350],
  ] as const) {
    const order = anOrder({ email, ...facts })
    await deliverAndBook([order.paid()])
    const sale = await saleOf(order)
    assert.deepEqual([sale?.net, sale?.tax, sale?.gross], [net, tax, gross], JSON.stringify(facts))
  }
})

test('an older format without shipping lines or totals by currency is also read', async () => {
  const { email } = await aLead()
  const order = anOrder({ email, goods: 10_000, tax: 2000, shipping: 1000 })
  const { body, ...event } = order.paid()
  const { shipping_lines, total_price_set, contact_email, processed_at, original_total_duties_set, ...older } = body
  await deliverAndBook([{ ...event, body: older }])
  const sale = await saleOf(order)
  assert.deepEqual([sale?.net, sale?.tax, sale?.gross], [10_000, 2000, 13_000])
})

test("a refund in a currency other than the shop's is the same part of the order", async () => {
  const { email } = await aLead()
  const facts = { email, goods: 10_001, presentment: { currency: 'eur', rate: 0.917 } }
  const order = anOrder(facts)
  const paid = order.paid()
  await deliverAndBook([paid, order.refund(2500).created])
  assert.deepEqual([(await saleOf(order))?.currency, (await saleOf(order))?.refunded], ['usd', 2501])
  const whole = anOrder(facts)
  const dispute = whole.dispute()
  await deliverAndBook([whole.paid(), whole.refund(whole.total).created, dispute.created])
  await deliverAndBook([dispute.becomes({ status: 'won' })])
  assert.deepEqual([(await saleOf(whole))?.refunded, (await saleOf(whole))?.status], [10_001, 'refunded'])
})

test('an order edited after payment is corrected', async () => {
  const { email } = await aLead()
  const order = anOrder({ email, goods: 10_000 })
  const [paid, edited] = [order.paid(), order.edited(500)]
  await deliverAndBook([edited, paid])
  assert.equal((await saleOf(order))?.net, 10_500)
})

test('an edit that the buyer has not paid yet changes nothing until it is paid', async () => {
  const { email } = await aLead()
  const order = anOrder({ email, goods: 10_000 })
  const [paid, edited] = [order.paid(), order.edited(500)]
  const owed = { ...edited, topic: 'orders/updated', body: { ...edited.body, financial_status: 'partially_paid' } }
  await deliverAndBook([paid, owed])
  assert.equal((await saleOf(order))?.net, 10_000)
  await deliverAndBook([order.paid()])
  assert.equal((await saleOf(order))?.net, 10_500)
})

test('an edit that was never paid leaves nothing once all that was paid is refunded', async () => {
  const { email } = await aLead()
  for (const presentment of [undefined, { currency: 'eur', rate: 0.917 }]) {
    const facts = { email, goods: 10_000, tax: 1000, ...(presentment && { presentment }) }
    for (const seen of [true, false]) {
      const order = anOrder(facts)
      const paid = order.paid()
      order.extended(5000)
      const { created } = order.refund(11_000)
      Object.assign(order.order, { financial_status: 'refunded' })
      const cancelled = order.cancelled()
      // one that is imported later is only seen in its last state
      await deliverAndBook(seen ? [paid, created, cancelled] : [{ ...cancelled, topic: 'orders/paid' }])
      const sale = await saleOf(order)
      assert.deepEqual([sale?.gross, sale?.refunded, sale?.status], [11_000, 11_000, 'refunded'])
    }
  }
})

test('an edit that was never paid counts neither after a part of the order is refunded', async () => {
  const { email } = await aLead()
  for (const presentment of [undefined, { currency: 'eur', rate: 0.9 }]) {
    const facts = { email, goods: 10_000, tax: 1000, ...(presentment && { presentment }) }
    for (const seen of [true, false]) {
      const order = anOrder(facts)
      const paid = order.paid()
      order.extended(5000)
      const { created } = order.refund(2000)
      const cancelled = order.cancelled()
      await deliverAndBook(seen ? [paid, created, cancelled] : [{ ...cancelled, topic: 'orders/paid' }])
      const sale = await saleOf(order)
      assert.deepEqual([sale?.gross, sale?.refunded, sale?.status], [11_000, 2000, 'partially-refunded'])
      if (seen) assert.deepEqual([sale?.net, sale?.tax], [10_000, 1000])
    }
  }
})

test('goods exchanged for others without a payment add nothing to the sale', async () => {
  const { email } = await aLead()
  for (const seen of [true, false]) {
    const order = anOrder({ email, goods: 10_000 })
    const paid = order.paid()
    const exchanged = order.exchanged(10_000)
    await deliverAndBook(seen ? [paid, exchanged] : [{ ...exchanged, topic: 'orders/paid' }])
    assert.equal((await saleOf(order))?.gross, 10_000)
  }
})

test('an exchange that arrives before its payment leaves the net amount as it was paid', async () => {
  const { email } = await aLead()
  const order = anOrder({ email, goods: 10_000, tax: 2000 })
  const [paid, exchanged] = [order.paid(), order.exchanged(5000)]
  await deliverAndBook([exchanged])
  await deliverAndBook([paid])
  const sale = await saleOf(order)
  assert.deepEqual([sale?.net, sale?.tax, sale?.gross], [10_000, 2000, 12_000])
})

test('an order’s partner comes from the cart, the link to the shop, the customer or the e-mail', async () => {
  const blueprintId = await aBlueprint(db, account.id)
  const click = await aClick(db, account.id, { partnerId: partner.id, blueprintId })
  const landed = await aClick(db, account.id, { partnerId: partner.id, blueprintId })
  const lead = await aLead()
  const customer = 77_001
  await db.run`
    insert into promotion_codes (id, account_id, partner_id, code, created_at)
    values (${newId()}, ${account.id}, ${partner.id}, 'SPRING20', ${db.now})`
  for (const [by, facts] of [
    ['click', { notes: { click_id: click } }],
    ['lead-id', { notes: { lead_id: lead.id, gift: 'yes\nplease 🎁' } }],
    ['code', { notes: { referral_code: partner.referralCode }, customer }],
    ['click', { landingSite: `/products/lamp?ref=x&click=${landed}` }],
    ['code', { landingSite: `/products/lamp?utm_source=letter&REF=${partner.referralCode})`, email: anEmail() }],
    [null, { landingSite: '/ref?utm_source=letter&click=4', email: anEmail(), customer: null }],
    ['customer', { customer, email: null }],
    ['coupon', { email: anEmail('coded'), discountCodes: ['nobodys', 'spring20'] }],
    ['email', { email: lead.email }],
    [null, { email: anEmail('nobody'), landingSite: '//[', notes: { referral_code: 'nobodys' } }],
    [null, { email: null, customer: null }],
  ] as const) {
    const order = anOrder({ goods: 1000, ...facts })
    await deliverAndBook([order.paid()])
    const sale = await saleOf(order)
    assert.deepEqual([sale?.by, sale?.credited], [by, by !== null], JSON.stringify(facts))
  }
})

test('the nightly check finds an order that was paid long after it was placed', async () => {
  const now = app.clock.now().getTime()
  const daysAgo = (days: number) => new Date(now - days * 86_400_000)
  const { id, createdAt } = (await db.maybe<{ id: string; createdAt: string }>`
    select id, created_at from provider_connections where account_id = ${account.id} and disconnected_at is null`)!
  const connectedAt = (at: Date | string) => db.run`
    update provider_connections set created_at = ${at}, reconciled_at = ${daysAgo(1)} where id = ${id}`
  await connectedAt(daysAgo(20))
  // paid by bank transfer, while webhooks did not arrive; the other was placed before the connection
  const [late, before] = [10, 25].map((days) => anOrder({ goods: 1000, createdAt: daysAgo(days) }))
  for (const order of [late!, before!]) {
    order.paid()
    order.order.updated_at = daysAgo(1).toISOString()
  }
  await reconcileConnection(app.services, { connectionId: id })
  assert.equal((await saleOf(late!))?.gross, 1000)
  assert.equal(await saleOf(before!), undefined)
  await connectedAt(createdAt)
})

test('an order that is unpaid, worth nothing or only named by a refund is not a sale', async () => {
  const { email } = await aLead()
  const pending = anOrder({ email, goods: 1000 })
  const unpaid = { ...pending.paid(), body: { ...pending.order, financial_status: 'partially_paid' } }
  const free = anOrder({ email, goods: 0 })
  const before = anOrder({ email, goods: 1000 })
  before.paid()
  const malformed = anOrder({ email, goods: 1000 })
  const odd = {
    ...malformed.paid(),
    body: { ...malformed.order, total_price: '-10.00', currency: 17, refunds: 'none' },
  }
  await deliverAndBook([unpaid, free.paid(), before.refund(500).created, before.cancelled(), odd])
  for (const order of [pending, free, before, malformed]) assert.equal(await saleOf(order), undefined)
})

test('test orders count only in a development shop', async () => {
  const { email } = await aLead()
  const pretended = anOrder({ email, goods: 1000, test: true })
  await deliverAndBook([pretended.paid()])
  assert.equal(await saleOf(pretended), undefined)

  const development = await standInShopify({ plan: 'partner_test', domain: 'northwind-dev.myshopify.com' })
  const own = await startWithProvider('shopify', development)
  const owner = await anAccount(own)
  const there = expectOk(await createConnectionCalls(own, owner, 'shopify').connect(development.credentials)).body
  const order = anOrder({ goods: 1000, test: true, shop: development.domain })
  development.fail('GET *shop.json', { status: 500 })
  expectOk({
    ...(await deliverShopify(there.webhookUrl, order.paid(), development.app.clientSecret)),
    headers: new Headers(),
  })
  await assert.rejects(workOff(own), { kind: 'unavailable' })
  await workOff(own)
  const { items } = expectOk(await own.api('GET', `/accounts/${owner.id}/sales`, { token: owner.token })).body
  assert.deepEqual(
    items.map(({ amount, livemode }: { amount: number; livemode: boolean }) => [amount, livemode]),
    [[1000, false]],
  )
})

test('an uninstalled app is reported', async () => {
  const at = new Date().toISOString()
  await deliverAndBook([{ topic: 'app/uninstalled', id: 'gone', shop: shop.domain, at, body: { id: shop.shop.id } }])
  const [standing] = await list()
  assert.equal(standing.state, 'attention')
  assert.match(standing.stateReason, /uninstalled from the shop/)
})
