import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { standInWooCommerce } from '../../../../test/fakes/woocommerce.ts'
import { deliverWoo, type WooEvent, type WooFacts, wooOrder } from '../../../../test/fakes/woocommerce-events.ts'
import { anEmail, expectOk, startApp } from '../../../../test/support/app.ts'
import { aBlueprint, aClick } from '../../../../test/support/leads.ts'
import { createConnectionCalls, workOff } from '../../../../test/support/payment-providers.ts'
import { aShop } from '../../../../test/support/provider-stories.ts'
import { newId } from '../../../platform/database/ids.ts'
import { Applied, ProviderFacts } from '../../../platform/database/shapes.ts'
import { verifyLedger } from '../../../program/stats/verify.ts'
import { reconcileConnection } from '../reconcile.ts'

// Sales from a store's events: signed, delivered, processed, on a real database.

const shop = await standInWooCommerce({ hasSubscriptions: true })
after(() => shop.close())
const app = await startApp({ config: { allowPrivateWebhookTargets: true } })
const { db } = app.services
const SECRET = 'a secret of ours'
const { account, partner, aLead, deliverAndBook, fromFile, inEveryOrder, call } = await aShop<WooEvent>(
  app,
  async (owner) => {
    const credentials = { ...shop.credentials, webhookSecret: SECRET }
    return expectOk(await createConnectionCalls(app, owner, 'woocommerce').connect(credentials)).body
  },
  (url, event) => deliverWoo(url, event, SECRET),
)
const { list } = createConnectionCalls(app, account, 'woocommerce')

const anOrder = (facts: WooFacts) => wooOrder({ store: shop.store, ...facts })
const saleOf = ({ id }: { id: number }) => db.maybe<Record<string, unknown>>`
  select amount as net, tax_amount as tax, gross_amount as gross, refunded_amount as refunded, status, currency,
    matched_by as by, partner_id is not null as credited, subscription_id as subscription, country, description
  from sales where external_id = ${String(id)} and account_id = ${account.id}`
const eventsOf = () => db.many<{ type: string; state: string; error: string | null }>`
  select e.type, e.state, e.error from provider_events e join provider_shops s on s.id = e.shop_id
  where s.account_id = ${account.id} order by e.received_at, e.id`
const commissionOf = async ({ id }: { id: number }) =>
  (
    await db.one<{ sum: number }>`
      select coalesce(sum(e.amount), 0)::bigint as sum from commission_entries e join sales s on s.id = e.sale_id
      where s.external_id = ${String(id)} and s.account_id = ${account.id} and e.layer = 0`
  ).sum
const aDay = 86_400_000
const daysAgo = (days: number) => new Date(app.clock.now().getTime() - days * aDay)

test('an order with tax, shipping and a fee is one sale, in every order of events', async () => {
  await inEveryOrder(
    (email) => {
      const order = anOrder({ email, goods: 10_000, tax: 2100, shipping: 900, fee: 300 })
      return [order.placed(), order.paid(), order.becomes('completed')]
    },
    (sales) =>
      assert.deepEqual(
        sales.map(({ disputed, isTest, ...sale }) => sale),
        [
          {
            ...{ amount: 10_300, taxAmount: 2100, grossAmount: 13_300, refundedAmount: 0, status: 'completed' },
            partnerId: partner.id,
          },
        ],
      ),
    8,
  )
})

test('a refund of a payment that only a file has reaches its sale', async () => {
  const order = anOrder({ goods: 10_000, createdAt: daysAgo(200) })
  order.paid()
  const { event } = order.refund(4000, { at: daysAgo(0) })
  await fromFile({ externalId: String(order.id) }, [event], { refunded: 4000, status: 'partially-refunded' })
})

test('partial refunds, of lines and without, then of everything', async () => {
  await inEveryOrder(
    (email) => {
      const items = [
        { price: 6000, tax: 600 },
        { price: 4000, tax: 400 },
      ]
      const order = anOrder({ email, goods: 10_000, tax: 1000, items })
      return [
        order.paid(),
        order.refund(1100, { lines: [{ item: 0, subtotal: 1000, tax: 100 }] }).event,
        order.refund(900).event,
        order.refund(9000).event,
        order.becomes('refunded'),
      ]
    },
    ([sale]) => assert.deepEqual([sale?.refundedAmount, sale?.status], [11_000, 'refunded']),
    8,
  )
})

test('a removed refund gives back what it took, whether or not the store tells of it', async () => {
  await inEveryOrder(
    (email) => {
      const order = anOrder({ email, goods: 10_000 })
      const paid = order.paid()
      const [one, other] = [order.refund(1000), order.refund(500)]
      const removed = other.removed()
      return [paid, one.event, other.event, removed]
    },
    ([sale]) => assert.deepEqual([sale?.refundedAmount, sale?.status], [1000, 'partially-refunded']),
    8,
  )
})

test('a refund that the store leaves out for a while counts again once it is back', async () => {
  const { email } = await aLead()
  const order = anOrder({ email, goods: 10_000 })
  const [paid, refund] = [order.paid(), order.refund(4000)]
  await deliverAndBook([paid, refund.event])
  const refunds = shop.store.refunds.get(order.id)!
  const listed = refunds.splice(0)
  for (const [left, refunded, commission] of [
    [[], 0, 2000],
    [listed, 4000, 1200],
    [[], 0, 2000],
    [listed, 4000, 1200],
  ] as const) {
    refunds.splice(0, refunds.length, ...left)
    await deliverAndBook([order.becomes('completed')])
    assert.deepEqual([(await saleOf(order))?.refunded, await commissionOf(order)], [refunded, commission])
  }
  assert.deepEqual(await verifyLedger(db), [])
})

for (const [ends, status, refundedAmount] of [
  [['on-hold'], 'disputed', 3000],
  [['on-hold', 'processing'], 'partially-refunded', 3000],
  [['on-hold', 'cancelled'], 'refunded', 10_000],
  [['cancelled'], 'refunded', 10_000],
  [['failed'], 'refunded', 10_000],
  [['cancelled', 'processing'], 'partially-refunded', 3000],
  [['cancelled', 'processing', 'failed'], 'refunded', 10_000],
  [['cancelled', 'cancelled', 'processing', 'on-hold', 'completed', 'cancelled'], 'refunded', 10_000],
  [['pending'], 'disputed', 3000],
  [['trash'], 'partially-refunded', 3000],
  [['shipped-by-bike'], 'partially-refunded', 3000],
] as const)
  test(`a paid order of which a part was refunded, then ${ends.join(', ')}`, async () => {
    await inEveryOrder(
      (email) => {
        const order = anOrder({ email, goods: 10_000 })
        return [order.paid(), order.refund(3000).event, ...ends.map((end) => order.becomes(end))]
      },
      ([sale]) => assert.deepEqual([sale?.status, sale?.refundedAmount], [status, refundedAmount]),
      5,
    )
  })

test('nothing of what the store tells about a person is left once they are erased', async () => {
  const email = anEmail('erased')
  const meta = { referral_code: partner.referralCode, click_id: 'the-click' }
  const order = anOrder({ email, goods: 10_000, meta })
  await deliverAndBook([order.paid(), order.refund(500, { reason: 'Cara changed her mind' }).event])
  const { sales, left } = await db.one<{ sales: string; left: string }>`
    select (select r.reason from refunds r join sales s on s.id = r.sale_id where s.external_id = ${String(order.id)}) as sales,
      jsonb_agg(without_payer(data))::text as left
    from provider_objects where payment_key = ${String(order.id)}`
  assert.equal(sales, 'Cara changed her mind')
  for (const text of ['Cara', 'Lind', email, 'mind', 'the-click', partner.referralCode])
    assert.ok(!left.includes(text), text)
})

test('an edited order corrects its sale, upwards and downwards, also one that was refunded in part', async () => {
  for (const [prices, net] of [
    [[12_000], 12_000],
    [[8000], 8000],
    [[8000, 12_000], 12_000],
  ] as const)
    await inEveryOrder(
      (email) => {
        const order = anOrder({ email, goods: 10_000, tax: 1000, shipping: 500 })
        return [order.paid(), ...prices.map((price) => order.edited(price, price / 10))]
      },
      ([sale]) =>
        assert.deepEqual([sale?.amount, sale?.taxAmount, sale?.grossAmount], [net, net / 10, net + net / 10 + 500]),
      5,
    )
  const { email } = await aLead()
  const order = anOrder({ email, goods: 10_000 })
  await deliverAndBook([order.paid(), order.refund(5000).event])
  assert.equal(await commissionOf(order), 1000)
  await deliverAndBook([order.edited(8000)])
  assert.deepEqual([(await saleOf(order))?.net, await commissionOf(order)], [8000, 600])
  await deliverAndBook([order.edited(0)])
  assert.deepEqual([(await saleOf(order))?.net, await commissionOf(order)], [0, 0])
})

test('net amounts of an order in currencies of other decimals, with coupons inside', async () => {
  const { email } = await aLead()
  for (const [facts, net, tax, gross] of [
    [{ goods: 1, tax: 0 }, 1, 0, 1],
    [{ goods: 5000, tax: 500, shipping: 100, currency: 'jpy' }, 5000, 500, 5600],
    [{ goods: 12_345, tax: 5, currency: 'kwd' }, 12_345, 5, 12_350],
    [{ goods: 1000, fee: 200, coupons: ['spring'] }, 1200, 0, 1200],
  ] as const) {
    const order = anOrder({ email, ...facts })
    await deliverAndBook([order.paid()])
    const sale = await saleOf(order)
    assert.deepEqual([sale?.net, sale?.tax, sale?.gross], [net, tax, gross], JSON.stringify(facts))
  }
})

test('a sale has the lines, the country and the number of its order, and a refund its lines', async () => {
  const { email } = await aLead()
  const items = [
    { price: 600, tax: 45, quantity: 2, product: 93 },
    { price: 1200, tax: 90, product: 22, variation: 23, sku: 'LAMP-3' },
  ]
  const order = anOrder({ email, goods: 1800, tax: 135, shipping: 1000, items, country: 'US' })
  Object.assign(order.order.line_items[1]!, { name: 'Lamp &ndash; Black &amp; White &#8217;24 &copy;' })
  await deliverAndBook([order.paid()])
  const { event } = order.refund(1290, { lines: [{ item: 1, subtotal: 1200, tax: 90 }] })
  await deliverAndBook([event])
  const ids = order.order.line_items.map(({ id }) => String(id))
  const { lines, country, description } = await db.one<Record<string, unknown>>`
    select lines, country, description from sales where external_id = ${String(order.id)}`
  const named = { name: 'Linen notebook' }
  assert.deepEqual(lines, [
    { ...named, id: ids[0], productId: '93', priceId: null, sku: null, quantity: 2, amount: 600 },
    {
      name: 'Lamp – Black & White ’24 &copy;',
      id: ids[1],
      productId: '22',
      priceId: '23',
      sku: 'LAMP-3',
      quantity: 1,
      amount: 1200,
    },
  ])
  assert.deepEqual([country, description], ['US', `#${order.id}`])
  const refund = await db.one<{ lines: unknown; amount: number }>`
    select r.lines, r.amount from refunds r join sales s on s.id = r.sale_id where s.external_id = ${String(order.id)}`
  assert.deepEqual(refund, { lines: [{ id: ids[1], amount: 1290 }], amount: 1290 })
})

test('an order’s partner comes from its fields, the link to the store, the customer, a coupon or the email', async () => {
  const blueprintId = await aBlueprint(db, account.id)
  const click = await aClick(db, account.id, { partnerId: partner.id, blueprintId })
  const landed = await aClick(db, account.id, { partnerId: partner.id, blueprintId })
  const lead = await aLead()
  const customer = 77
  await db.run`
    insert into promotion_codes (id, account_id, partner_id, code, created_at)
    values (${newId()}, ${account.id}, ${partner.id}, 'SPRING20', ${db.now})`
  const entry = (url: unknown) => ({ meta: { _wc_order_attribution_session_entry: url } })
  for (const [by, facts] of [
    ['click', { meta: { click_id: click } }],
    ['lead-id', { meta: { lead_id: lead.id, gift: { wrapped: true } } }],
    ['code', { meta: { referral_code: partner.referralCode }, customer }],
    ['click', entry(`https://shop.example/lamps?ref=x&click=${landed}`)],
    ['customer', { customer }],
    // all guests are customer 0
    [null, { customer: 0, email: anEmail('guest') }],
    ['coupon', { email: anEmail('coded'), coupons: ['nobodys', 'spring20'] }],
    ['email', { email: lead.email }],
    [null, { email: anEmail('nobody'), ...entry('//['), customer: -1 }],
    [null, { email: anEmail('nobody'), ...entry(17) }],
    [null, { email: null }],
  ] as const) {
    const order = anOrder({ goods: 1000, ...facts })
    await deliverAndBook([order.paid()])
    const sale = await saleOf(order)
    assert.deepEqual([sale?.by, sale?.credited], [by, by !== null], JSON.stringify(facts))
  }
})

test('a free order makes a lead of its buyer, and is no sale until it costs something', async () => {
  const email = anEmail('trial')
  const order = anOrder({ email, goods: 0, customer: 901, meta: { referral_code: partner.referralCode } })
  await deliverAndBook([order.paid()])
  assert.equal(await saleOf(order), undefined)
  const { items } = expectOk(await call('GET', `/accounts/${account.id}/leads?search=${email}`)).body
  assert.deepEqual([items.length, items[0].partnerId], [1, partner.id])
  const next = anOrder({ email: null, goods: 4900, customer: 901 })
  await deliverAndBook([next.paid(), order.edited(100)])
  assert.deepEqual([(await saleOf(next))?.by, (await saleOf(order))?.net], ['customer', 100])
})

test('a customer who paid before their referral earns nobody anything; one who only began to order does', async () => {
  for (const [customer, begin, status] of [
    [601, (order: ReturnType<typeof anOrder>) => order.paid(), 'rejected'],
    [602, (order: ReturnType<typeof anOrder>) => order.becomes('failed'), 'won'],
    [603, null, 'won'],
  ] as const) {
    const { id, email } = await aLead()
    if (begin) begin(anOrder({ email, goods: 1000, customer, createdAt: daysAgo(400) }))
    const order = anOrder({ email, goods: 1000, customer })
    shop.fail((call) => call.query.customer === String(customer), { status: 500 })
    await assert.rejects(deliverAndBook([order.paid()]), { kind: 'unavailable' })
    await workOff(app)
    assert.equal((await db.one<{ status: string }>`select status from leads where id = ${id}`).status, status)
  }
})

test('a first order and its renewals are one subscription', async () => {
  const { email } = await aLead()
  const first = anOrder({ email, goods: 5000 })
  shop.store.subscriptions.set(first.id, [{ id: 5001, parent_id: first.id, status: 'active' }])
  const renewal = anOrder({ email, goods: 5000, meta: { _subscription_renewal: '5001' } })
  const other = anOrder({ email, goods: 5000 })
  const countCalls = () => shop.callsTo('GET */subscriptions').length
  const before = countCalls()
  await deliverAndBook([first.paid(), first.becomes('completed'), renewal.paid(), other.paid()])
  for (const [order, subscription] of [
    [first, '5001'],
    [renewal, '5001'],
    [other, null],
  ] as const)
    assert.equal((await saleOf(order))?.subscription, subscription)
  // once for the first and the other
  assert.equal(countCalls() - before, 2)
})

test('an order that is unpaid, or was paid long before its change, is no sale', async () => {
  const { email } = await aLead()
  const unpaid = ['pending', 'on-hold', 'failed', 'cancelled', 'checkout-draft'].map((status) => {
    const order = anOrder({ email, goods: 1000 })
    return { order, event: order.becomes(status) }
  })
  const old = anOrder({ email, goods: 1000, createdAt: daysAgo(40) })
  old.paid()
  const { event } = old.refund(500, { at: daysAgo(0) })
  const ended = anOrder({ email, goods: 1000 })
  ended.paid()
  await deliverAndBook([...unpaid.map((one) => one.event), event, ended.becomes('cancelled')])
  for (const order of [...unpaid.map((one) => one.order), old, ended]) assert.equal(await saleOf(order), undefined)
  // paid by bank transfer, long after it was placed
  const late = anOrder({ email, goods: 1000, createdAt: daysAgo(40) })
  const paid = late.paid(daysAgo(0))
  paid.body.date_modified_gmt = paid.body.date_paid_gmt
  await deliverAndBook([paid])
  assert.equal((await saleOf(late))?.net, 1000)
})

test('an order that can’t be read fails in words, and the others go on', async () => {
  const { email } = await aLead()
  const before = (await eventsOf()).length
  const buildEvent = (change: object) => {
    const event = anOrder({ email, goods: 1000 }).paid()
    Object.assign(event.body, change)
    return event
  }
  const strange: [object, RegExp | null][] = [
    [{ total: '1'.repeat(30) }, /^Order \d+ has a total of 1{30}, which can’t be read\.$/],
    [{ total: '-5.00' }, /has a total of -5\.00, which/],
    [{ total: '9999999999999.00' }, /has a total of 9999999999999\.00/],
    [{ total: { much: true } }, /has a total of {"much":true}/],
    [{ total_tax: 'much' }, /has a total_tax of much/],
    [{ shipping_total: [] }, /has a shipping_total of \[\]/],
    [{ currency: 17 }, /has a currency of 17/],
    [{ id: Number('1'.repeat(30)) }, /^WooCommerce sent no order\.$/],
    [
      { id: 0, code: 'woocommerce_rest_cannot_view', message: 'Sorry, you cannot view this resource.' },
      /^Sorry, you cannot/,
    ],
    [{ billing: 'none', line_items: 'none', coupon_lines: 3, meta_data: [[null]], refunds: {} }, null],
    [{ date_paid_gmt: 'yesterday' }, null],
    [{ date_modified_gmt: null }, null],
  ]
  for (const [change, words] of strange) {
    const booking = deliverAndBook([buildEvent(change)])
    if (words) await assert.rejects(booking, { kind: 'invalid' })
    else await booking
    const event = (await eventsOf()).at(-1)!
    assert.deepEqual(
      [event.state, words ? words.test(event.error!) : event.error],
      words ? ['failed', true] : ['processed', null],
    )
    await db.run`delete from provider_events where state = 'failed'`
  }
  assert.equal((await eventsOf()).length, before + 3)
})

test('a refund waits until the store tells its lines, and of a deleted order nothing changes', async () => {
  const { email } = await aLead()
  const order = anOrder({ email, goods: 10_000 })
  await deliverAndBook([order.paid()])
  const { event } = order.refund(4000)
  shop.fail('GET */refunds', { status: 503 })
  await assert.rejects(deliverAndBook([event]), { kind: 'unavailable' })
  assert.equal((await saleOf(order))?.refunded, 0)
  await workOff(app)
  assert.equal((await saleOf(order))?.refunded, 4000)
  shop.store.orders.delete(order.id)
  await deliverAndBook([{ ...event, body: { ...event.body, status: 'completed', refunds: [] } }])
  assert.equal((await saleOf(order))?.refunded, 4000)
  const other = anOrder({ email, goods: 10_000 })
  const paid = other.paid()
  const [last] = [other.refund(3000).event, shop.store.orders.delete(other.id)]
  await deliverAndBook([paid, last])
  assert.equal((await saleOf(other))?.refunded, 3000)
})

test('all that is kept of the payments can be moved to another server', async () => {
  const objects = await db.many<{ data: unknown }>`select data from provider_objects where account_id = ${account.id}`
  const payments = await db.many<{ applied: unknown }>`
    select applied from provider_payments where account_id = ${account.id}`
  for (const { data } of objects) ProviderFacts.parse(data)
  for (const { applied } of payments) Applied.parse(applied)
})

test('the night finds orders that no webhook told of, and refunds that were removed', async () => {
  const { id } = (await list())[0]
  const createdAt = (
    await db.one<{ createdAt: string }>`
    select created_at from provider_connections where id = ${id}`
  ).createdAt
  await db.run`update provider_connections set created_at = ${daysAgo(60)}, reconciled_at = ${daysAgo(1)} where id = ${id}`
  const { email } = await aLead(undefined, daysAgo(70))
  const missed = anOrder({ email, goods: 1000, createdAt: daysAgo(2) })
  missed.paid()
  const before = anOrder({ email, goods: 1000, createdAt: daysAgo(65) })
  before.paid()
  Object.assign(before.order, { date_modified_gmt: daysAgo(1).toISOString().slice(0, 19) })
  // changed last before the days of the night
  const refunded = anOrder({ email, goods: 10_000, createdAt: daysAgo(30) })
  const paid = refunded.paid()
  const [one, other] = [refunded.refund(1000, { at: daysAgo(20) }), refunded.refund(500, { at: daysAgo(20) })]
  await deliverAndBook([paid, other.event])
  assert.deepEqual([(await saleOf(refunded))?.refunded, await commissionOf(refunded)], [1500, 1700])
  other.removed()
  const night = () => reconcileConnection(app.services, { connectionId: id })
  await night()
  assert.equal((await saleOf(missed))?.net, 1000)
  assert.equal(await saleOf(before), undefined)
  assert.deepEqual([(await saleOf(refunded))?.refunded, await commissionOf(refunded)], [1000, 1800])
  const events = (await eventsOf()).length
  await night()
  assert.equal((await eventsOf()).length, events)
  // the same refunds as the night has seen before
  const again = refunded.refund(700, { at: daysAgo(20) })
  await deliverAndBook([again.event])
  assert.equal((await saleOf(refunded))?.refunded, 1700)
  again.removed()
  await night()
  assert.equal((await saleOf(refunded))?.refunded, 1000)
  one.removed()
  await night()
  assert.deepEqual([(await saleOf(refunded))?.status, await commissionOf(refunded)], ['completed', 2000])
  await db.run`update provider_connections set created_at = ${createdAt} where id = ${id}`
})
