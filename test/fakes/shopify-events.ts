import { createHmac, randomUUID } from 'node:crypto'
import { decimalAmount } from '../../contract/money.ts'
import type { Fields } from './server.ts'

/** A shop's contents, by id, in the order of creation. */
export type ShopifyStore = {
  orders: Map<number, Fields>
  disputes: Map<number, Fields>
  /** Of each order by its id; its refunds are in the order. */
  payments: Map<number, Fields[]>
}

/** An event as it is delivered; delivering the same one twice is Shopify's duplicate. */
export type ShopifyEvent = { topic: string; id: string; shop: string; at: string; body: Fields }

/** A line of an order: `price` of one, with tax if prices include it. */
export type OrderItem = {
  price: number
  quantity?: number
  discount?: number
  tax?: number
  sku?: string
  title?: string
}

export type OrderFacts = {
  store?: ShopifyStore
  shop?: string
  email?: string | null
  /** The buyer's id; a guest has one as well, but not in older payloads. */
  customer?: number | null
  /** One for all goods if omitted. */
  items?: OrderItem[]
  country?: string
  /** The price of all items without tax, in minor units, like all amounts here. */
  goods: number
  tax?: number
  /** Without its tax, which is in `shippingTax`; `freeShipping` discounts it again. */
  shipping?: number
  shippingTax?: number
  freeShipping?: boolean
  tip?: number
  duties?: number
  /** Whether prices are shown with tax, as in Europe. */
  taxesIncluded?: boolean
  currency?: string
  /** The buyer's currency, and its amount for one unit of the shop's. */
  presentment?: { currency: string; rate: number }
  notes?: Record<string, string>
  landingSite?: string | null
  discountCodes?: readonly string[]
  test?: boolean
  createdAt?: Date
}

type RefundHow = {
  status?: string
  ways?: number[]
  note?: string | null
  lines?: { item: number; subtotal: number; tax?: number }[]
}

let made = 5_000_000_000
const newId = () => ++made

export const emptyShop = (): ShopifyStore => ({ orders: new Map(), disputes: new Map(), payments: new Map() })
const NOWHERE = emptyShop()

/** An order and its events: paid, refunded in parts, disputed. Every change advances its `updated_at`. */
export function shopifyOrder(facts: OrderFacts) {
  const { store = NOWHERE, shop = 'northwind.myshopify.com', createdAt = new Date(), currency = 'usd' } = facts
  const { goods, tax = 0, shipping = 0, shippingTax = 0, tip = 0, duties = 0, taxesIncluded = false } = facts
  const { email = null, customer = newId(), presentment = { currency, rate: 1 } } = facts
  const id = newId()
  const shippingTaken = facts.freeShipping ? 0 : shipping + shippingTax
  const total = goods + tax + shippingTaken + tip + duties
  let changes = 0
  const now = () => new Date(createdAt.getTime() + changes++ * 1000).toISOString()

  const amount = (minor: number) => decimalAmount(minor, currency)
  const shown = (minor: number) => decimalAmount(Math.round(minor * presentment.rate), presentment.currency)
  const inBoth = (minor: number) => ({
    shop_money: { amount: amount(minor), currency_code: currency.toUpperCase() },
    presentment_money: { amount: shown(minor), currency_code: presentment.currency.toUpperCase() },
  })
  const shippingShown = taxesIncluded ? shipping + shippingTax : shipping
  const order: Fields & { refunds: Fields[]; line_items: { id: number }[] } = {
    ...{ id, name: `#${id}`, order_number: id, created_at: now(), processed_at: createdAt.toISOString() },
    ...{ updated_at: createdAt.toISOString(), cancelled_at: null, test: facts.test ?? false, source_name: 'web' },
    ...{ email: email ?? '', contact_email: email, financial_status: 'pending', fulfillment_status: null },
    ...{ currency: currency.toUpperCase(), presentment_currency: presentment.currency.toUpperCase() },
    ...{ total_price: amount(total), total_price_set: inBoth(total), taxes_included: taxesIncluded },
    ...{ current_total_price: amount(total), subtotal_price: amount(goods), total_discounts: '0.00' },
    total_tax: amount(tax + (facts.freeShipping ? 0 : shippingTax)),
    total_shipping_price_set: inBoth(shippingShown),
    total_tip_received: amount(tip),
    original_total_duties_set: duties ? inBoth(duties) : null,
    shipping_lines:
      shipping === 0
        ? []
        : [
            {
              ...{ id: newId(), title: 'Standard', code: 'STD', source: 'shopify', price: amount(shippingShown) },
              discounted_price: amount(shippingShown),
              discount_allocations: facts.freeShipping ? [{ amount: amount(shippingShown) }] : [],
              tax_lines:
                shippingTax && !facts.freeShipping ? [{ price: amount(shippingTax), rate: 0.19, title: 'VAT' }] : [],
            },
          ],
    line_items: (facts.items ?? [{ price: taxesIncluded ? goods + tax : goods, tax }]).map(
      ({ price, quantity = 1, discount = 0, tax: taxed = 0, sku = 'LMP', title = 'Lamp' }) => ({
        ...{ id: newId(), product_id: newId(), variant_id: newId(), sku, title, name: title, quantity },
        ...{ price: amount(price), total_discount: '0.00' },
        discount_allocations: discount ? [{ amount: amount(discount), discount_application_index: 0 }] : [],
        tax_lines: taxed ? [{ price: amount(taxed), rate: 0.19, title: 'VAT' }] : [],
      }),
    ),
    note_attributes: Object.entries(facts.notes ?? {}).map(([name, value]) => ({ name, value })),
    landing_site: facts.landingSite ?? '/',
    referring_site: '',
    discount_codes: (facts.discountCodes ?? []).map((code) => ({ code, amount: '1.00', type: 'fixed_amount' })),
    customer: customer && {
      id: customer,
      email,
      first_name: 'Cara',
      last_name: 'Lind',
      default_address: { city: 'Bern' },
    },
    billing_address: { first_name: 'Cara', last_name: 'Lind', city: 'Bern', country_code: facts.country ?? 'CH' },
    refunds: [],
  }
  store.orders.set(id, order)
  const payments: Fields[] = []
  store.payments.set(id, payments)

  const tell = (topic: string, body: Fields): ShopifyEvent => ({
    ...{ topic, id: randomUUID(), shop, at: String(body.updated_at ?? body.created_at ?? createdAt.toISOString()) },
    body: structuredClone(body),
  })
  /** Changes the order, and returns an event with it. */
  const changed = (topic: string, change: Fields) => tell(topic, Object.assign(order, change, { updated_at: now() }))

  let due = total
  /** Charges the amount due. */
  const charge = () => {
    const currency = presentment.currency.toUpperCase()
    const id = newId()
    if (due > 0) payments.push({ id, kind: 'sale', status: 'success', amount: shown(due), currency })
    due = 0
  }
  const totalOf = (minor: number) => ({ total_price: amount(minor), total_price_set: inBoth(minor) })

  return {
    id,
    order,
    total,
    paid() {
      charge()
      return changed('orders/paid', { financial_status: 'paid' })
    },
    cancelled: () => changed('orders/cancelled', { cancelled_at: createdAt.toISOString(), cancel_reason: 'customer' }),
    /** An edit after the payment: the buyer has paid this much more for goods. */
    edited(more: number) {
      due += more
      charge()
      return changed('orders/paid', { ...totalOf(total + more), financial_status: 'paid' })
    },
    /** An edit that the buyer has not paid yet. */
    extended(more: number) {
      due += more
      return changed('orders/updated', { ...totalOf(total + more), financial_status: 'partially_paid' })
    },
    /** An exchange of goods for others of this price: the total has both, and the buyer pays nothing. */
    exchanged(price: number) {
      const at = now()
      order.refunds.push({ id: newId(), order_id: id, created_at: at, transactions: [], refund_line_items: [] })
      return changed('orders/updated', totalOf(total + price))
    },
    /**
     * Refunds `part`, in the buyer's currency; through several means of payment with `ways`. `lines`: of `line_items`,
     * by place, in the shop's currency.
     */
    refund(part: number, { status = 'success', ways = [part], note = null, lines = [] }: RefundHow = {}) {
      const at = now()
      const transactions = ways.map((way) => ({
        ...{ id: newId(), order_id: id, kind: 'refund', gateway: 'shopify_payments', status, parent_id: newId() },
        ...{ amount: shown(way), currency: presentment.currency.toUpperCase(), test: facts.test ?? false },
        ...{ created_at: at, processed_at: at },
      }))
      const refund_line_items = lines.map(({ item, subtotal, tax: taxed = 0 }) => ({
        ...{ id: newId(), line_item_id: order.line_items[item]!.id, quantity: 1, restock_type: 'no_restock' },
        ...{ subtotal: amount(subtotal), subtotal_set: inBoth(subtotal) },
        ...{ total_tax: amount(taxed), total_tax_set: inBoth(taxed) },
      }))
      const refund = {
        id: newId(),
        order_id: id,
        created_at: at,
        processed_at: at,
        note,
        transactions,
        refund_line_items,
      }
      order.refunds.push(refund)
      const given = order.refunds.flatMap(({ transactions }) => transactions as { amount: string; status: string }[])
      const back = given.reduce((sum, one) => sum + (one.status === 'success' ? Number(one.amount) : 0), 0)
      const full = back >= Number(shown(total))
      Object.assign(order, { financial_status: full ? 'refunded' : 'partially_refunded', updated_at: now() })
      return {
        refund,
        created: tell('refunds/create', refund),
        /** Sent once a means of payment has reached its final state. */
        becomes(end: 'success' | 'failure' | 'error') {
          for (const transaction of transactions) transaction.status = end
          Object.assign(order, { updated_at: now() })
          return transactions.map((transaction) => tell('order_transactions/create', transaction))
        },
      }
    },
    /** The buyer's bank disputes `part`; an inquiry moves no money yet. */
    dispute(part = total, { type = 'chargeback', status = 'needs_response' } = {}) {
      const dispute: Fields = {
        ...{
          id: newId(),
          order_id: id,
          type,
          status,
          amount: shown(part),
          currency: presentment.currency.toUpperCase(),
        },
        ...{ reason: 'fraudulent', network_reason_code: '4837', initiated_at: now(), finalized_on: null },
        ...{ evidence_due_by: createdAt.toISOString(), evidence_sent_on: null },
      }
      store.disputes.set(Number(dispute.id), dispute)
      return {
        dispute,
        created: tell('disputes/create', dispute),
        becomes: (change: Fields) => tell('disputes/update', Object.assign(dispute, change)),
      }
    },
  }
}

type How = {
  /** Other bytes than the event's JSON. */
  body?: string
  /** The whole signature in place of a computed one; `null` sends none. */
  signature?: string | null
  headers?: Record<string, string | null>
}

/** Posts an event as Shopify does, signed over the raw bytes; a wrong `secret` is a forged one. */
export async function deliverShopify(url: string, event: ShopifyEvent, secret: string, how: How = {}) {
  const body = how.body ?? JSON.stringify(event.body)
  const computed = createHmac('sha256', secret).update(body).digest('base64')
  const headers: Record<string, string | null> = {
    'content-type': 'application/json',
    'x-shopify-topic': event.topic,
    'x-shopify-hmac-sha256': how.signature === undefined ? computed : how.signature,
    'x-shopify-shop-domain': event.shop,
    'x-shopify-api-version': '2026-01',
    'x-shopify-webhook-id': randomUUID(),
    'x-shopify-event-id': event.id,
    'x-shopify-triggered-at': event.at,
    ...how.headers,
  }
  const sent = Object.entries(headers).filter((header): header is [string, string] => header[1] !== null)
  const response = await fetch(url, { method: 'POST', headers: Object.fromEntries(sent), body, redirect: 'manual' })
  return { status: response.status, body: await response.text(), signature: computed }
}
