import { createHmac, randomUUID } from 'node:crypto'
import type { Fields } from './server.ts'

/** An organization's objects at Polar, by `list/id`. */
export type PolarStore = Map<string, Fields>
/** An event; its id is sent in a header. */
export type PolarEvent = { id: string; type: string; timestamp: string; data: Fields }

/** An item of an order; `amount` before its discount. */
export type PolarItem = { amount: number; tax?: number; label?: string; price?: string }

export type PolarOrderFacts = {
  email?: string | null
  name?: string
  customer?: string
  /** After discounts, before tax. */
  net: number
  tax?: number
  /** The balance applied to the total: below zero what the customer has to their credit. */
  balance?: number
  /** One for everything if omitted. */
  items?: PolarItem[]
  currency?: string
  country?: string
  metadata?: Fields
  customerMetadata?: Fields
  subscriptionMetadata?: Fields
  subscription?: string | null
  discountCode?: string | null
  billingReason?: string
  status?: string
  organization?: string
  store?: PolarStore
  at?: Date
}

export const POLAR_ORGANIZATION = '1dbfc517-0bbf-4301-9ba8-555ca42b9737'

export const polarEvent = (type: string, data: Fields, at = new Date()): PolarEvent => ({
  ...{ id: randomUUID(), type, timestamp: at.toISOString().replace('Z', '628Z') },
  data: structuredClone(data),
})

let made = 0
/** A time later than all before, for an object that changes. */
const later = (at: Date) => new Date(at.getTime() + ++made)

/** An order and its events: its payment, then refunds and disputes. */
export function polarOrder(facts: PolarOrderFacts) {
  const { net, tax = 0, balance = 0, currency = 'usd', store, at = new Date(), subscription = null } = facts
  const { metadata = {}, discountCode = null, status = 'paid', organization = POLAR_ORGANIZATION } = facts
  const id = randomUUID()
  const stamps = { created_at: at.toISOString(), modified_at: null as string | null }
  const customer = {
    ...{ id: facts.customer ?? randomUUID(), ...stamps, email: facts.email ?? null, email_verified: false },
    ...{ external_id: null, name: facts.name ?? 'Jo Brown', billing_name: null, type: 'individual', tax_id: null },
    ...{ metadata: facts.customerMetadata ?? {}, organization_id: organization, deleted_at: null },
    billing_address: { country: facts.country ?? 'DE', city: 'Köln', line1: 'Am Dom 1', postal_code: '50667' },
  }
  const items = (facts.items ?? [{ amount: net, tax }]).map((item) => ({
    ...{ id: randomUUID(), ...stamps, label: item.label ?? 'Pro', amount: item.amount, tax_amount: item.tax ?? 0 },
    ...{ proration: false, product_price_id: item.price ?? 'price-1' },
  }))
  const subtotal = items.reduce((all, { amount }) => all + amount, 0)
  let order: Fields = {
    ...{ id, ...stamps, status, paid: ['paid', 'refunded', 'partially_refunded'].includes(status) },
    ...{ subtotal_amount: subtotal, discount_amount: subtotal - net, net_amount: net, amount: net, tax_amount: tax },
    ...{ total_amount: net + tax, applied_balance_amount: balance, due_amount: Math.max(0, net + tax + balance) },
    ...{ refunded_amount: 0, refunded_tax_amount: 0, currency, billing_name: null },
    billing_address: customer.billing_address,
    billing_reason: facts.billingReason ?? (subscription ? 'subscription_create' : 'purchase'),
    ...{ invoice_number: `POLAR-${id.slice(0, 4)}`, is_invoice_generated: false, receipt_number: null, seats: null },
    ...{ units: null, customer_id: customer.id, product_id: 'product-1', checkout_id: randomUUID(), user_id: null },
    ...{ discount_id: discountCode && 'discount-1', subscription_id: subscription, metadata, custom_field_data: {} },
    ...{ customer, items, description: 'Pro plan', platform_fee_amount: 0, platform_fee_currency: null },
    product: { id: 'product-1', name: 'Pro', organization_id: organization, metadata: { click_id: 'of the product' } },
    discount: discountCode && {
      id: 'discount-1',
      code: discountCode,
      name: 'Welcome',
      type: 'percentage',
      metadata: {},
    },
    subscription: subscription && {
      ...{ id: subscription, status: 'active', customer_id: customer.id, metadata: facts.subscriptionMetadata ?? {} },
    },
  }
  const keep = (list: string, row: Fields) => store?.set(`${list}/${row.id}`, row)
  keep('orders', order)

  const changed = (list: string, row: Fields, change: Fields, when: Date) => {
    const now = { ...row, ...change, modified_at: when.toISOString() }
    keep(list, now)
    return now
  }
  /** The order after more of it was refunded. */
  function refundOrder(amount: number, taxed: number, when: Date) {
    const refunded = (order.refunded_amount as number) + amount
    const state = refunded >= net + balance ? 'refunded' : refunded > 0 ? 'partially_refunded' : 'paid'
    const sums = { refunded_amount: refunded, refunded_tax_amount: (order.refunded_tax_amount as number) + taxed }
    order = changed('orders', order, { ...sums, status: state }, when)
    return polarEvent('order.refunded', order, when)
  }

  type RefundHow = { tax?: number; status?: string; reason?: string; dispute?: Fields | null; at?: Date }
  function refund(amount: number, how: RefundHow = {}) {
    const { status: begins = 'succeeded', dispute = null, at: when = later(at) } = how
    const taxed = how.tax ?? Math.round((amount * tax) / net)
    let row: Fields = {
      ...{ id: randomUUID(), created_at: when.toISOString(), modified_at: null, status: begins, amount, currency },
      ...{ reason: how.reason ?? 'customer_request', tax_amount: taxed, organization_id: organization, order_id: id },
      ...{ subscription_id: subscription, customer_id: customer.id, revoke_benefits: false, dispute, metadata: {} },
    }
    keep('refunds', row)
    return {
      id: String(row.id),
      created: polarEvent('refund.created', row, when),
      orderRefunded: begins === 'succeeded' ? refundOrder(amount, taxed, when) : null,
      /** Tells the refund again, with another status. */
      becomes(state: string, then = later(when)) {
        row = changed('refunds', row, { status: state }, then)
        return polarEvent('refund.updated', row, then)
      },
    }
  }

  /** A dispute, which Polar only lists. */
  function dispute(amount: number, { tax: taxed = 0, status: begins = 'needs_response', at: when = later(at) } = {}) {
    let row: Fields = {
      ...{ id: randomUUID(), created_at: when.toISOString(), modified_at: null, status: begins, amount, currency },
      ...{ tax_amount: taxed, reason: 'fraudulent', resolved: false, closed: false, past_due: false },
      ...{ evidence_due_by: null, order_id: id, payment_id: randomUUID(), customer, case_id: null },
    }
    keep('disputes', row)
    return {
      row: () => row,
      becomes(state: string, then = later(when)) {
        row = changed('disputes', row, { status: state }, then)
      },
    }
  }

  return {
    id,
    customer: customer.id,
    order: () => order,
    items,
    paid: polarEvent('order.paid', order, at),
    created: polarEvent('order.created', { ...order, status: 'pending', paid: false }, at),
    /** Pays an order that was pending. */
    becomesPaid(when = later(at)) {
      order = changed('orders', order, { status: 'paid', paid: true }, when)
      return polarEvent('order.paid', order, when)
    },
    refund,
    dispute,
    subscriptionCreated: (state = 'trialing') =>
      polarEvent('subscription.created', {
        ...{ id: subscription, ...stamps, status: state, amount: net, currency, customer_id: customer.id, customer },
        ...{ product_id: 'product-1', checkout_id: order.checkout_id, discount: order.discount },
        metadata: facts.subscriptionMetadata ?? {},
      }),
    renew: (more: Partial<PolarOrderFacts> = {}) =>
      polarOrder({ ...facts, customer: customer.id, billingReason: 'subscription_cycle', ...more }),
  }
}

type Delivery = {
  at?: number
  /** The text to send in place of the event’s own. */
  body?: string
  /** The id to send in place of the event’s own; null sends none. */
  id?: string | null
  /** All secrets to sign with while one is being replaced; by default only `secret`. */
  secrets?: string[]
  /** The whole header in place of a computed one; null sends none. */
  signature?: string | null
}

/** The key of a secret: newer ones are base64 after `whsec_`; the text of others is the key. */
const keyOf = (secret: string) =>
  secret.startsWith('whsec_') ? Buffer.from(secret.slice('whsec_'.length), 'base64') : Buffer.from(secret)

/** Posts an event as Polar does, signed by Standard Webhooks over the raw bytes. */
export async function deliverPolar(url: string, event: PolarEvent, secret: string | Buffer, how: Delivery = {}) {
  const { id: own, ...told } = event
  const { at = Math.floor(Date.now() / 1000), body = JSON.stringify(told), id = own } = how
  const secrets = how.secrets ?? [secret]
  const keys = secrets.map((one) => (typeof one === 'string' ? keyOf(one) : one))
  const macs = keys.map((key) => createHmac('sha256', key).update(`${id}.${at}.${body}`).digest('base64'))
  const computed = macs.map((mac) => `v1,${mac}`).join(' ')
  const signature = how.signature === undefined ? computed : how.signature
  const headers = {
    ...{ 'content-type': 'application/json', 'user-agent': 'polar.sh webhooks', 'webhook-timestamp': String(at) },
    ...(id !== null && { 'webhook-id': id }),
    ...(signature !== null && { 'webhook-signature': signature }),
  }
  const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual' })
  return { status: response.status, body: await response.text(), signature }
}
