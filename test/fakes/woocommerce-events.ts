import { createHash, createHmac } from 'node:crypto'
import { decimalAmount } from '../../contract/money.ts'
import type { Fields } from './server.ts'

/** A store's contents, by id, in the order of creation. Refunds are listed by their orders. */
export type WooStore = {
  orders: Map<number, Fields>
  refunds: Map<number, Fields[]>
  subscriptions: Map<number, Fields[]>
}

/** An event as it is delivered to the webhooks of its topic. */
export type WooEvent = { topic: string; body: Fields }

/** A line of an order: `price` of all of it, without tax, after coupons. */
export type WooItem = {
  price: number
  tax?: number
  quantity?: number
  product?: number
  variation?: number
  sku?: string
}

export type WooFacts = {
  store?: WooStore
  id?: number
  email?: string | null
  /** The buyer's id; 0 for a guest. */
  customer?: number
  /** One for all goods if omitted. */
  items?: WooItem[]
  country?: string
  /** The price of all items without tax, in minor units, like all amounts here. */
  goods: number
  tax?: number
  shipping?: number
  /** Without tax. */
  fee?: number
  currency?: string
  /** The order's free fields. */
  meta?: Record<string, unknown>
  coupons?: readonly string[]
  /** When it was placed, which is when it was paid unless `paid` says otherwise. */
  createdAt?: Date
}

/** How a refund is made: `lines` by place, with their parts without and of tax. */
type RefundHow = { reason?: string; lines?: { item: number; subtotal: number; tax?: number }[]; at?: Date }

let made = 7000
const newId = () => ++made

export const emptyWooStore = (): WooStore => ({ orders: new Map(), refunds: new Map(), subscriptions: new Map() })

/** Writes a time in UTC without saying so, in whole seconds. */
const gmt = (at: Date) => at.toISOString().slice(0, 19)
/** The store's own clock is eight hours behind. */
const local = (at: Date) => gmt(new Date(at.getTime() - 8 * 3_600_000))
const times = (name: string, at: Date | null) => ({ [name]: at && local(at), [`${name}_gmt`]: at && gmt(at) })

/** An order and its events. Every change advances its `date_modified` by a second, but for a removed refund. */
export function wooOrder(facts: WooFacts) {
  const { store = emptyWooStore(), id = newId(), createdAt = new Date(), currency = 'usd', email = null } = facts
  const { goods, tax = 0, shipping = 0, fee = 0, customer = 0, items = [{ price: goods, tax }] } = facts
  const amount = (minor: number) => decimalAmount(minor, currency)
  let changes = 0
  const refunds: Fields[] = []
  const order: Fields & { line_items: Fields[]; meta_data: Fields[] } = {
    ...{ id, parent_id: 0, status: 'pending', currency: currency.toUpperCase(), version: '9.4.0', number: String(id) },
    ...{ prices_include_tax: false, discount_total: '0.00', discount_tax: '0.00', shipping_tax: '0.00' },
    ...{ total: amount(goods + tax + shipping + fee), total_tax: amount(tax), shipping_total: amount(shipping) },
    ...{ customer_id: customer, order_key: `wc_order_${id}`, created_via: 'checkout', payment_method: 'bacs' },
    billing: {
      ...{ first_name: 'Cara', last_name: 'Lind', company: '', country: facts.country ?? 'CH' },
      ...{ email: email ?? '', phone: '' },
    },
    meta_data: Object.entries({ is_vat_exempt: 'no', ...facts.meta }).map(([key, value]) => ({
      ...{ id: newId(), key, value },
    })),
    line_items: items.map(({ price, tax: taxed = 0, quantity = 1, product = 93, variation = 0, sku = '' }) => ({
      ...{ id: newId(), name: 'Linen notebook', product_id: product, variation_id: variation, quantity, sku },
      ...{ subtotal: amount(price), subtotal_tax: amount(taxed), total: amount(price), total_tax: amount(taxed) },
      ...{ price: price / quantity, meta_data: [] },
    })),
    ...{ tax_lines: [], shipping_lines: [], fee_lines: fee ? [{ id: newId(), total: amount(fee) }] : [] },
    coupon_lines: (facts.coupons ?? []).map((code) => ({ id: newId(), code, discount: '1.00', discount_tax: '0.00' })),
    refunds: [],
    ...times('date_created', createdAt),
    ...times('date_modified', createdAt),
    ...times('date_paid', null),
    ...times('date_completed', null),
  }
  store.orders.set(id, order)
  store.refunds.set(id, refunds)

  const tell = (topic = 'order.updated'): WooEvent => ({ topic, body: structuredClone(order) })
  const nextSecond = () => new Date(createdAt.getTime() + ++changes * 1000)
  /** Changes the order, and returns the event that tells of it. */
  const changed = (change: Fields, at = nextSecond()) => {
    Object.assign(order, change, times('date_modified', at))
    return tell()
  }
  const listRefunds = () => refunds.map(({ id: own, reason, amount: sum }) => ({ id: own, reason, total: `-${sum}` }))

  return {
    id,
    order,
    placed: () => tell('order.created'),
    paid: (at = createdAt) => changed({ status: 'processing', ...times('date_paid', at) }),
    becomes: (status: string) => changed({ status }),
    /** An edit: the goods now cost this, and their tax. */
    edited(price: number, taxed = 0) {
      const [line] = order.line_items
      Object.assign(line!, { subtotal: amount(price), total: amount(price), total_tax: amount(taxed) })
      return changed({ total: amount(price + taxed + shipping + fee), total_tax: amount(taxed) })
    },
    refund(part: number, { reason = '', lines = [], at = nextSecond() }: RefundHow = {}) {
      const refund = {
        ...{ id: newId(), amount: amount(part), reason, refunded_by: 1, refunded_payment: false, meta_data: [] },
        ...times('date_created', at),
        line_items: lines.map(({ item, subtotal, tax: taxed = 0 }) => ({
          ...{ id: newId(), product_id: order.line_items[item]!.product_id, quantity: -1 },
          ...{ total: `-${amount(subtotal)}`, total_tax: `-${amount(taxed)}` },
          meta_data: [{ id: newId(), key: '_refunded_item_id', value: String(order.line_items[item]!.id) }],
        })),
      }
      refunds.unshift(refund)
      const event = changed({ refunds: listRefunds() }, at)
      return {
        event,
        /** Removes the refund, without a change of the order's time; older stores report nothing. */
        removed() {
          refunds.splice(refunds.indexOf(refund), 1)
          order.refunds = listRefunds()
          return tell()
        },
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

/** Posts an event as WooCommerce does, signed over the raw bytes; a wrong `secret` is a forged one. */
export async function deliverWoo(url: string, event: WooEvent, secret: string, how: How = {}) {
  const body = how.body ?? JSON.stringify(event.body)
  const computed = createHmac('sha256', secret).update(body).digest('base64')
  const [resource, done] = event.topic.split('.')
  const headers: Record<string, string | null> = {
    'content-type': 'application/json',
    'user-agent': 'WooCommerce/9.4.0 Hookshot (WordPress/6.7)',
    'x-wc-webhook-source': 'https://shop.example/',
    'x-wc-webhook-topic': event.topic,
    'x-wc-webhook-resource': resource!,
    'x-wc-webhook-event': done ?? '',
    'x-wc-webhook-signature': how.signature === undefined ? computed : how.signature,
    'x-wc-webhook-id': '12',
    // equal for all deliveries of a webhook in the same second
    'x-wc-webhook-delivery-id': createHash('md5')
      .update(String(Math.floor(Date.now() / 1000)))
      .digest('hex'),
    ...how.headers,
  }
  const sent = Object.entries(headers).filter((header): header is [string, string] => header[1] !== null)
  const response = await fetch(url, { method: 'POST', headers: Object.fromEntries(sent), body, redirect: 'manual' })
  return { status: response.status, body: await response.text(), signature: computed }
}

/** Posts the unsigned test that WooCommerce sends to an address when its webhook is made or saved; returns the status. */
export async function pingWoo(url: string, webhookId: number | string = 12): Promise<number> {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  return (await fetch(url, { method: 'POST', headers, body: `webhook_id=${webhookId}` })).status
}
