import { createHmac, randomUUID } from 'node:crypto'
import type { Fields } from './server.ts'

/** A thing in the form of JSON:API. */
export type LemonThing = { type: string; id: string; attributes: Fields }
/** Everything a store has, by `type/id`. */
export type LemonStore = Map<string, LemonThing>
export type LemonEvent = { meta: Fields; data: LemonThing }

type Facts = {
  /** The total, tax included. */
  amount: number
  tax?: number
  currency?: string
  email?: string
  name?: string
  customer?: number
  customData?: Fields | null
  /** The code entered at the checkout. */
  promotionCode?: string
  storeId?: number
  store?: LemonStore
  at?: Date
  testMode?: boolean
}

const PRODUCT = { product_id: 71, variant_id: 82, variant_name: 'Default', quantity: 1 }

let made = 1000
const nextId = () => ++made

export const lemonEvent = (
  event_name: string,
  { type, id, attributes }: LemonThing,
  customData: Fields | null = null,
) =>
  structuredClone({
    meta: {
      ...{ test_mode: attributes.test_mode, event_name, webhook_id: randomUUID() },
      ...(customData && { custom_data: customData }),
    },
    data: { type, id, attributes, relationships: { store: { links: {} } }, links: { self: `/v1/${type}/${id}` } },
  }) as LemonEvent

const stamped = (at: Date) => ({
  ...{ created_at: at.toISOString().replace('Z', '000Z'), updated_at: at.toISOString().replace('Z', '000Z') },
})

/** An order of a single product or of a subscription, and its events. */
export function lemonOrder(facts: Facts) {
  const { amount, tax = 0, currency = 'USD', store, at = new Date(), customData = null } = facts
  const { storeId = 1, testMode = true, email = 'nobody@buyer.example', name = 'Dan R' } = facts
  const customer = facts.customer ?? nextId()
  const keep = <T extends LemonThing>(thing: T) => {
    store?.set(`${thing.type}/${thing.id}`, thing)
    return thing
  }
  const common = { store_id: storeId, customer_id: customer, user_name: name, user_email: email, test_mode: testMode }
  const sums = (total: number, taxed: number, when = at) => ({
    ...{ currency, currency_rate: '1.00000000', subtotal: total - taxed, discount_total: 0, tax: taxed, total },
    ...{ subtotal_usd: total - taxed, discount_total_usd: 0, tax_usd: taxed, total_usd: total, tax_inclusive: false },
    ...{ refunded: false, refunded_at: null, refunded_amount: 0, ...stamped(when) },
    ...{ total_formatted: `$${total / 100}`, status: 'paid', status_formatted: 'Paid' },
  })
  const id = String(nextId())
  const item = nextId()
  const order = keep({
    ...{ type: 'orders', id },
    attributes: {
      ...{ ...common, ...sums(amount, tax), identifier: randomUUID(), order_number: made, setup_fee: 0 },
      discount_total: facts.promotionCode ? 100 : 0,
      first_order_item: { id: item, order_id: Number(id), ...PRODUCT, product_name: 'Product One', price: amount },
      urls: { receipt: 'https://shop.example/receipt' },
    },
  })

  if (facts.promotionCode)
    keep({
      ...{ type: 'discount-redemptions', id: String(nextId()) },
      attributes: { order_id: Number(id), discount_code: facts.promotionCode, discount_amount: 100, ...stamped(at) },
    })

  /** The bill after a refund of `sum` in all. */
  const givenBack = (bill: LemonThing, sum: number, when: Date): LemonThing => {
    const isAll = sum >= (bill.attributes.total as number)
    const status = isAll ? 'refunded' : 'partial_refund'
    const { updated_at } = stamped(when)
    const more = { refunded_amount: sum, refunded: isAll, refunded_at: isAll ? updated_at : null, status, updated_at }
    return keep({ ...bill, attributes: { ...bill.attributes, ...more } })
  }
  const later = () => new Date(at.getTime() + ++made)

  function subscribe({ trial = false } = {}) {
    const subscriptionId = nextId()
    const subscription = keep({
      ...{ type: 'subscriptions', id: String(subscriptionId) },
      attributes: {
        ...{ ...common, order_id: Number(id), order_item_id: item, ...PRODUCT, product_name: 'Subscription One' },
        first_subscription_item: { id: nextId(), subscription_id: subscriptionId, price_id: 1, quantity: 2 },
        ...{ status: trial ? 'on_trial' : 'active', ...stamped(at) },
      },
    })
    function invoice(billing_reason: string, total: number, taxed = 0, when = at) {
      const bill = keep({
        ...{ type: 'subscription-invoices', id: String(nextId()) },
        attributes: { ...common, subscription_id: subscriptionId, billing_reason, ...sums(total, taxed, when) },
      })
      return {
        id: bill.id,
        paid: lemonEvent('subscription_payment_success', bill, customData),
        refunded: (sum: number) =>
          lemonEvent('subscription_payment_refunded', givenBack(bill, sum, later()), customData),
      }
    }
    return {
      id: subscription.id,
      created: lemonEvent('subscription_created', subscription, customData),
      initial: (total = amount, taxed = tax) => invoice('initial', total, taxed),
      renewal: (total: number, taxed = 0, when?: Date) => invoice('renewal', total, taxed, when),
    }
  }

  return {
    id,
    item,
    customer,
    created: lemonEvent('order_created', order, customData),
    refunded: (sum: number, when = later()) => lemonEvent('order_refunded', givenBack(order, sum, when), customData),
    subscribe,
  }
}

type Delivery = { body?: string; signature?: string | null; headers?: Record<string, string> }

/** Posts an event as Lemon Squeezy does, signed over the raw bytes. */
export async function deliverLemon(url: string, event: object, secret: string, how: Delivery = {}) {
  const { body = JSON.stringify(event) } = how
  const computed = createHmac('sha256', secret).update(body).digest('hex')
  const signature = how.signature === undefined ? computed : how.signature
  const headers = {
    ...{ 'content-type': 'application/json', 'x-event-name': String((event as Partial<LemonEvent>).meta?.event_name) },
    ...(signature !== null && { 'x-signature': signature }),
    ...how.headers,
  }
  const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual' })
  return { status: response.status, body: await response.text(), signature }
}
