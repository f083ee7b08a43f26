import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { standInLemonSqueezy } from '../../../test/fakes/lemon-squeezy.ts'
import { lemonOrder } from '../../../test/fakes/lemon-squeezy-events.ts'
import { paddleTransaction } from '../../../test/fakes/paddle-events.ts'
import { standInPaypal } from '../../../test/fakes/paypal.ts'
import { paypalPayment } from '../../../test/fakes/paypal-events.ts'
import { shopifyOrder } from '../../../test/fakes/shopify-events.ts'
import { standInSquare } from '../../../test/fakes/square.ts'
import { squarePayment } from '../../../test/fakes/square-events.ts'
import { fakeStripe } from '../../../test/fakes/stripe.ts'
import { OLDER, stripeInvoice, stripePayment } from '../../../test/fakes/stripe-events.ts'
import { genericPayment } from '../../../test/support/generic.ts'
import { createOutbound } from '../../platform/http/outbound.ts'
import { generic } from './generic/adapter.ts'
import { lemonSqueezy } from './lemon-squeezy/adapter.ts'
import { paddle } from './paddle/adapter.ts'
import { paypal } from './paypal/adapter.ts'
import type { Credentials, ProviderAdapter, ProviderObject, ProviderPayment } from './provider.ts'
import { fillInFacts } from './resolve-event.ts'
import { shopify } from './shopify/adapter.ts'
import { square } from './square/adapter.ts'
import { stripe } from './stripe/adapter.ts'

// The lines and the country of payments, as each provider reports them.

const outbound = createOutbound({ allowPrivate: true })
after(() => outbound.close())

type Event = { type: string; body: object }
type Where = { credentials: Credentials; url: string } | null

/** Returns the payment shown by these events, in this order, and whether a call went without an answer. */
async function paymentFrom(adapter: ProviderAdapter, events: Event[], where: Where = null) {
  const application = { clientId: null, secretKey: null, webhookSecret: null }
  const reach = { apiUrl: where?.url ?? null, application, outbound, now: new Date() }
  const stored = new Map<string, ProviderObject & { key: string }>()
  const keys: string[] = []
  let lacking = fillInFacts({}, null).lacking
  const listByPayment = async (key: string) => {
    const own = [...stored.values()].filter((one) => one.key === key)
    const groups = own.map(({ group }) => group)
    return [...own, ...[...stored.values()].filter((one) => groups.includes(one.key))]
  }
  for (const [place, { type, body }] of events.entries()) {
    const at = new Date(Date.now() + place * 1000)
    const event = { id: `event-${place}`, type, at, account: null, body: JSON.stringify(body) }
    const facts = await adapter.readFacts(event, where?.credentials ?? null, reach, {
      listByPayment,
      findPaymentKey: async () => null,
    })
    lacking ??= facts.lacking
    const keyed = [...facts.shared.map(({ group: key, objects }) => ({ key, objects })), ...facts.payments]
    for (const { key, objects } of keyed)
      for (const object of objects) {
        const name = `${key} ${object.kind} ${object.id}`
        if ((stored.get(name)?.rank ?? 0) <= object.rank) stored.set(name, { ...object, key })
      }
    keys.push(...facts.payments.map(({ key }) => key))
  }
  const payment = keys.length > 0 ? adapter.toPayment(keys.at(-1)!, await listByPayment(keys.at(-1)!)) : null
  return { payment, lacking }
}

const linesOf = (payment: ProviderPayment | null) =>
  payment?.lines?.map(({ productId, priceId, name, quantity, amount }) => [productId, priceId, name, quantity, amount])

// --- Stripe

const stripeShop = await fakeStripe()
after(() => stripeShop.close())
const atStripe = { credentials: { restrictedKey: stripeShop.key }, url: stripeShop.url }
const stripeEvents = (...events: { type: string }[]) => events.map((body) => ({ type: body.type, body }))

for (const apiVersion of [undefined, OLDER])
  test(`Stripe: lines of an invoice less discount and included tax${apiVersion ? ', in the older shape' : ''}`, async () => {
    const { invoicePaid } = stripeInvoice({
      ...{ store: stripeShop.store, amount: 12_380, tax: 1900, country: 'DE', ...(apiVersion && { apiVersion }) },
      items: [
        { product: 'prod_pro', price: 'price_year', name: 'Pro', amount: 11_900, tax: 1900, inclusive: true },
        { product: 'prod_seat', price: 'price_seat', name: 'Seat', quantity: 3, amount: 900, discount: 90 },
        { product: 'prod_old', price: 'price_old', name: 'Unused time', amount: -330 },
      ],
    })
    const { payment } = await paymentFrom(stripe, stripeEvents(invoicePaid), atStripe)
    assert.deepEqual(linesOf(payment), [
      ['prod_pro', 'price_year', 'Pro', 1, 10_000],
      ['prod_seat', 'price_seat', 'Seat', 3, 810],
      ['prod_old', 'price_old', 'Unused time', 1, -330],
    ])
    assert.equal(payment?.country, 'DE')
  })

test('Stripe: an invoice of more than ten lines is read to its end', async () => {
  const items = Array.from({ length: 130 }, (_, at) => ({ product: `prod_${at}`, amount: 100 }))
  const { invoicePaid } = stripeInvoice({ store: stripeShop.store, amount: 13_000, items })
  const { payment } = await paymentFrom(stripe, stripeEvents(invoicePaid), atStripe)
  assert.deepEqual(
    payment?.lines?.map(({ productId }) => productId),
    items.map(({ product }) => product),
  )
})

test('Stripe: line items of a checkout, in a currency without decimals', async () => {
  const { checkoutCompleted, chargeSucceeded } = stripePayment({
    ...{ store: stripeShop.store, amount: 5400, tax: 400, currency: 'jpy', country: 'JP' },
    items: [
      { product: 'prod_lamp', price: 'price_lamp', name: 'Lamp', amount: 4000, discount: 500, tax: 280 },
      { product: 'prod_bulb', price: 'price_bulb', name: 'Bulb', quantity: 2, amount: 1620, tax: 120, inclusive: true },
    ],
  })
  for (const events of [
    [checkoutCompleted],
    [chargeSucceeded, checkoutCompleted],
    [checkoutCompleted, chargeSucceeded],
  ]) {
    const { payment } = await paymentFrom(stripe, stripeEvents(...events), atStripe)
    assert.deepEqual(linesOf(payment), [
      ['prod_lamp', 'price_lamp', 'Lamp', 1, 3500],
      ['prod_bulb', 'price_bulb', 'Bulb', 2, 1500],
    ])
    assert.equal(payment?.country, 'JP')
  }
})

test('Stripe: a payment is booked without lines that are not answered, and has them with its next event', async () => {
  const { checkoutCompleted, chargeSucceeded } = stripePayment({ store: stripeShop.store, amount: 5000 })
  stripeShop.fail(/line_items/, { status: 500 }, 2)
  const without = await paymentFrom(stripe, stripeEvents(checkoutCompleted), atStripe)
  assert.deepEqual([without.payment?.amount, without.payment?.lines, without.lacking], [5000, null, null])
  stripeShop.calm()
  stripeShop.forbid('line_items')
  const forbidden = await paymentFrom(stripe, stripeEvents(checkoutCompleted), atStripe)
  assert.deepEqual([forbidden.payment?.lines, forbidden.lacking], [null, null])
  stripeShop.allow('line_items')
  const { payment } = await paymentFrom(stripe, stripeEvents(checkoutCompleted, chargeSucceeded), atStripe)
  assert.equal(payment?.lines?.[0]?.amount, 5000)
})

// --- Shopify

const shopifyEvents = (...events: { topic: string; body: object }[]) =>
  events.map(({ topic: type, body }) => ({ type, body }))

test('Shopify: lines less their discounts, with and without included tax', async () => {
  const items = [
    { price: 1190, quantity: 2, discount: 190, tax: 353, sku: 'TEE-M', title: 'T-shirt' },
    { price: 5000, tax: 798, sku: '', title: 'Lamp' },
  ]
  for (const [taxesIncluded, amounts] of [
    [true, [2380 - 190 - 353, 5000 - 798]],
    [false, [2380 - 190, 5000]],
  ] as const) {
    const order = shopifyOrder({ goods: 7190, items, taxesIncluded, country: 'NL' })
    const { payment } = await paymentFrom(shopify, shopifyEvents(order.paid()))
    assert.deepEqual(
      payment?.lines?.map(({ sku, name, quantity, amount }) => [sku, name, quantity, amount]),
      [
        ['TEE-M', 'T-shirt', 2, amounts[0]],
        [null, 'Lamp', 1, amounts[1]],
      ],
    )
    assert.match(payment?.lines?.[0]?.productId ?? '', /^\d+$/)
    assert.match(payment?.lines?.[0]?.priceId ?? '', /^\d+$/)
    assert.equal(payment?.country, 'NL')
  }
})

test('Shopify: a refund names its lines with tax, in the shop’s currency and split over its payment methods', async () => {
  const items = [{ price: 3000 }, { price: 2000 }]
  for (const presentment of [undefined, { currency: 'cad', rate: 1.5 }]) {
    const order = shopifyOrder({ goods: 5000, tax: 950, items, ...(presentment && { presentment }) })
    const paid = order.paid()
    const refund = order.refund(2500, { ways: [2000, 500], lines: [{ item: 1, subtotal: 2000, tax: 380 }] })
    const [first] = order.order.line_items
    const id = String(order.order.line_items[1]!.id)
    for (const events of [
      [paid, refund.created],
      [refund.created, paid],
      [paid, refund.created, ...refund.becomes('success')],
      [paid, { topic: 'orders/updated', body: structuredClone(order.order) }],
    ]) {
      const { payment } = await paymentFrom(shopify, shopifyEvents(...events))
      assert.notEqual(String(first?.id), id)
      assert.deepEqual(
        payment?.refunds.map(({ amount, lines }) => [amount, lines]),
        [
          [2000, [{ id, amount: 1904 }]],
          [500, [{ id, amount: 476 }]],
        ],
      )
    }
  }
})

// --- Paddle

test('Paddle: lines net of tax, and those of an adjustment with it', async () => {
  const transaction = paddleTransaction({
    ...{ amount: 3570, tax: 570, customer: null },
    items: [
      { amount: 2380, tax: 380, name: 'Pro', price: 'pri_pro', product: 'pro_pro', quantity: 2 },
      { amount: 1190, tax: 190, name: 'Add-on', price: 'pri_add', product: 'pro_add' },
    ],
  })
  const adjusted = transaction.adjust('refund', 1190, { items: [{ item: 1, amount: 1190 }] })
  const dispute = transaction.adjust('chargeback', 2380, { items: [{ item: 0, amount: 2380 }] })
  const events = [transaction.completed, adjusted.created, dispute.created]
  const { payment } = await paymentFrom(
    paddle,
    events.map((body) => ({ type: body.event_type, body })),
  )
  assert.deepEqual(linesOf(payment), [
    ['pro_pro', 'pri_pro', 'Pro', 2, 2000],
    ['pro_add', 'pri_add', 'Add-on', 1, 1000],
  ])
  assert.deepEqual(
    payment?.refunds.map(({ kind, lines }) => [kind, lines]),
    [
      ['refund', [{ id: transaction.lines[1]!.id, amount: 1190 }]],
      ['dispute', undefined],
    ],
  )
  assert.equal(payment?.country, null)
})

// --- Lemon Squeezy

const lemon = await standInLemonSqueezy()
after(() => lemon.close())

test('Lemon Squeezy: the item of an order, and of the subscription of a later invoice', async () => {
  const order = lemonOrder({ amount: 1190, tax: 190, store: lemon.store })
  const subscription = order.subscribe()
  const at = { credentials: { apiKey: lemon.key }, url: lemon.url }
  const events = (...bodies: { meta: { event_name?: unknown } }[]) =>
    bodies.map((body) => ({ type: String(body.meta.event_name), body }))
  const first = await paymentFrom(lemonSqueezy, events(order.created), at)
  assert.deepEqual(linesOf(first.payment), [['71', '82', 'Product One', 1, 1000]])
  assert.equal(first.payment?.lines?.[0]?.id, String(order.item))
  const renewal = subscription.renewal(2380, 380).paid
  for (const reported of [[renewal], [subscription.created, renewal]]) {
    const { payment } = await paymentFrom(lemonSqueezy, events(...reported), at)
    assert.deepEqual(linesOf(payment), [['71', '82', 'Subscription One', 2, 2000]])
  }
  lemon.fail(/subscriptions/, { status: 500 })
  const without = await paymentFrom(lemonSqueezy, events(renewal), at)
  assert.deepEqual([without.payment?.amount, without.payment?.lines, without.lacking], [2000, null, null])
})

// --- Square, PayPal and our own format

test('Square: lines of the order net of tax', async () => {
  const seller = await standInSquare()
  after(() => seller.close())
  const paid = squarePayment({
    ...{ store: seller.store, goods: 5000, tax: 500, country: 'AU' },
    items: [
      { amount: 3300, tax: 300, name: 'Lamp', catalog: 'VARIATION1', quantity: '1' },
      { amount: 2200, tax: 200, name: 'Cable', catalog: 'VARIATION2', quantity: '2.5' },
    ],
  }).completed()
  const at = { credentials: seller.credentials, url: seller.url }
  const { payment } = await paymentFrom(square, [{ type: paid.type, body: paid }], at)
  assert.deepEqual(linesOf(payment), [
    ['VARIATION1', null, 'Lamp', 1, 3000],
    ['VARIATION2', null, 'Cable', 2.5, 2000],
  ])
  assert.equal(payment?.country, 'AU')
})

test('PayPal: a country, no lines', async () => {
  const seller = await standInPaypal()
  after(() => seller.close())
  const { completed } = paypalPayment({ store: seller.store, amount: 5000, country: 'FR' })
  const at = { credentials: seller.credentials, url: seller.url }
  const { payment } = await paymentFrom(paypal, [{ type: completed.event_type, body: completed }], at)
  assert.deepEqual([payment?.lines, payment?.country], [null, 'FR'])
})

test('own format: lines, a country, and lines of a refund', async () => {
  const lines = [
    { productId: 'pro', amount: 7000 },
    { id: 'x', sku: 'S-1', quantity: 2, amount: 1000 },
  ]
  const sale = genericPayment({ amount: 8000, country: 'de', lines })
  const refund = sale.refund(undefined, { lines: [{ id: '1', amount: 700 }] })
  const { payment } = await paymentFrom(
    generic,
    [sale.paid, refund.told].map((body) => ({ type: body.type, body })),
  )
  assert.deepEqual(
    payment?.lines?.map(({ id, productId, sku, quantity, amount }) => [id, productId, sku, quantity, amount]),
    [
      ['1', 'pro', null, null, 7000],
      ['x', null, 'S-1', 2, 1000],
    ],
  )
  assert.deepEqual([payment?.country, payment?.refunds[0]?.amount], ['DE', 700])
  assert.deepEqual(payment?.refunds[0]?.lines, [{ id: '1', amount: 700 }])
})
