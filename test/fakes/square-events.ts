import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import type { Fields } from './server.ts'

/** A seller's objects, by id, in the order of creation. */
export type SquareStore = Record<
  'payments' | 'refunds' | 'disputes' | 'orders' | 'customers' | 'invoices',
  Map<string, Fields>
>

/** An event as it is delivered; delivering the same one twice is Square's duplicate. */
export type SquareEvent = Fields & { merchant_id: string; type: string; event_id: string; created_at: string }

export type SquarePaymentFacts = {
  store?: SquareStore
  merchant?: string
  location?: string
  /** The buyer's input; with `profile`, only their profile has it. */
  email?: string | null
  customer?: string | null
  profile?: boolean
  /** One for all goods if omitted; `amount` with tax. */
  items?: { amount: number; tax?: number; name?: string; catalog?: string; quantity?: string }[]
  country?: string
  /** The card's fingerprint. */
  card?: string
  /** The price of all items without tax, in minor units, like all amounts here. */
  goods: number
  tax?: number
  shipping?: number
  tip?: number
  /** The part of the order that this payment covers, without tip; by default all of it. */
  pays?: number
  /** Paid through an invoice of this subscription, or of none. */
  invoice?: { subscription: string | null }
  /** `SQUARE_POS`, `INVOICES` and the like. */
  product?: string
  /** An order that another payment covers too. */
  order?: string
  currency?: string
  reference?: string | null
  orderReference?: string
  metadata?: Record<string, string>
  /** `null`: a payment without an order. */
  withOrder?: boolean
  createdAt?: Date
}

export const squareId = (length = 22) =>
  randomBytes(length).toString('base64url').replace(/[-_]/g, 'X').slice(0, length)

export const emptySeller = (): SquareStore => ({
  ...{ payments: new Map(), refunds: new Map(), disputes: new Map(), orders: new Map(), customers: new Map() },
  invoices: new Map(),
})
const NOWHERE = emptySeller()

/** A payment and its events: authorised, completed, refunded, disputed. */
export function squarePayment(facts: SquarePaymentFacts) {
  const { store = NOWHERE, merchant = 'MLStandIn0001', location = 'LMAIN', createdAt = new Date() } = facts
  const { goods, tax = 0, shipping = 0, tip = 0, currency = 'usd', customer = null, email = null } = facts
  const id = squareId()
  const due = goods + tax + shipping
  const amount = facts.pays ?? due
  const money = (minor: number) => ({ amount: minor, currency: currency.toUpperCase() })
  let changes = 0
  const now = () => new Date(createdAt.getTime() + changes++ * 1000).toISOString()
  const order = facts.withOrder === false ? null : (facts.order ?? squareId())
  if (order && !facts.order)
    store.orders.set(order, {
      ...{ id: order, location_id: location, state: 'COMPLETED', created_at: createdAt.toISOString() },
      ...{ total_money: money(due + tip), total_tax_money: money(tax), total_tip_money: money(tip) },
      ...{ total_discount_money: money(0), total_service_charge_money: money(shipping) },
      line_items: (facts.items ?? [{ amount: goods + tax, tax }]).map((item) => ({
        ...{ uid: squareId(), catalog_object_id: item.catalog ?? squareId(24), name: item.name ?? 'Lamp' },
        ...{ quantity: item.quantity ?? '1', total_money: money(item.amount), total_tax_money: money(item.tax ?? 0) },
      })),
      ...(facts.orderReference && { reference_id: facts.orderReference }),
      ...(facts.metadata && { metadata: facts.metadata }),
      ...(shipping > 0 && {
        fulfillments: [{ uid: squareId(), type: 'SHIPMENT', state: 'PROPOSED' }],
        service_charges: [
          {
            uid: squareId(),
            name: 'Shipping',
            type: 'CUSTOM',
            total_money: money(shipping),
            total_tax_money: money(0),
          },
        ],
      }),
    })
  if (customer)
    store.customers.set(customer, {
      ...{ id: customer, given_name: 'Amelia', family_name: 'Stone', email_address: email?.toUpperCase() ?? null },
    })
  if (facts.invoice) {
    const recipient = { customer_id: customer, given_name: 'Amelia', family_name: 'Stone', email_address: email }
    store.invoices.set(id, {
      ...{ id: `inv:0-${id}`, order_id: order, location_id: location, status: 'PAID', title: 'Lamp of the month' },
      ...{ primary_recipient: recipient, updated_at: createdAt.toISOString() },
      ...(facts.invoice.subscription && { subscription_id: facts.invoice.subscription }),
    })
  }
  const payment: Fields = {
    ...{ id, location_id: location, status: 'APPROVED', source_type: 'CARD', created_at: createdAt.toISOString() },
    ...{ amount_money: money(amount), total_money: money(amount + tip), approved_money: money(amount + tip) },
    ...(tip > 0 && { tip_money: money(tip) }),
    ...(order && { order_id: order }),
    ...(facts.product && { application_details: { square_product: facts.product } }),
    ...(customer && { customer_id: customer }),
    ...(facts.country && { billing_address: { country: facts.country } }),
    ...(email && !facts.profile && { buyer_email_address: email }),
    ...(facts.reference && { reference_id: facts.reference }),
    ...{ updated_at: createdAt.toISOString(), receipt_number: id.slice(0, 4), version_token: squareId(40) },
    card_details: {
      ...{ status: 'AUTHORIZED', entry_method: 'KEYED' },
      card: { card_brand: 'VISA', last_4: '1111', ...(facts.card && { fingerprint: facts.card }) },
      card_payment_timeline: { authorized_at: createdAt.toISOString() },
    },
  }
  store.payments.set(id, payment)

  const tell = (type: string, of: string, object: Fields): SquareEvent => ({
    ...{ merchant_id: merchant, location_id: location, type, event_id: randomUUID() },
    created_at: String(object.updated_at),
    data: { type: of, id: object.id, object: { [of]: structuredClone(object) } },
  })
  const changed = (change: Fields) =>
    tell('payment.updated', 'payment', Object.assign(payment, change, { updated_at: now() }))
  let given = 0

  return {
    id,
    order,
    payment,
    total: amount + tip,
    created: tell('payment.created', 'payment', payment),
    completed(at = createdAt) {
      const timeline = { authorized_at: createdAt.toISOString(), captured_at: at.toISOString() }
      const card = { ...(payment.card_details as Fields), status: 'CAPTURED', card_payment_timeline: timeline }
      return changed({ status: 'COMPLETED', card_details: card })
    },
    canceled: () => changed({ status: 'CANCELED' }),
    /** Square's fee, which is sent some days later. */
    feeTold: () => changed({ processing_fee: [{ amount_money: money(59), type: 'INITIAL' }] }),
    /** Refunds `part`; the payment is updated too. */
    refund(part: number, { status = 'PENDING', reason = 'Returned goods' } = {}) {
      const at = now()
      const refund: Fields = {
        ...{ id: `${id}_${squareId()}`, payment_id: id, order_id: squareId(), location_id: location, reason, status },
        ...{ amount_money: money(part), created_at: at, updated_at: at },
      }
      store.refunds.set(String(refund.id), refund)
      const created = tell('refund.created', 'refund', refund)
      return {
        refund,
        created,
        becomes(end: 'COMPLETED' | 'REJECTED' | 'FAILED') {
          given += end === 'COMPLETED' ? part : 0
          const updated = tell('refund.updated', 'refund', Object.assign(refund, { status: end, updated_at: now() }))
          return [updated, ...(end === 'COMPLETED' ? [changed({ refunded_money: money(given) })] : [])]
        },
      }
    },
    dispute(part = amount + tip, { state = 'EVIDENCE_REQUIRED' } = {}) {
      const at = now()
      const dispute: Fields = {
        ...{ id: squareId(20), amount_money: money(part), reason: 'NOT_RECEIVED', state, card_brand: 'VISA' },
        ...{ disputed_payment: { payment_id: id }, created_at: at, updated_at: at, version: 1 },
      }
      store.disputes.set(String(dispute.id), dispute)
      return {
        created: tell('dispute.created', 'dispute', dispute),
        /** Sent under the event's present name and, to older subscriptions, under the former one. */
        becomes(next: string) {
          const updated = tell(
            'dispute.state.updated',
            'dispute',
            Object.assign(dispute, { state: next, updated_at: now() }),
          )
          return [updated, { ...updated, type: 'dispute.state.changed' }]
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
  /** The address that the subscription was made for, if it differs from that of the delivery. */
  registered?: string
}

/** Posts an event as Square does, signed over the registered address and the raw bytes. */
export async function deliverSquare(url: string, event: Fields, key: string, how: How = {}) {
  const { body = JSON.stringify(event), registered = url } = how
  const computed = createHmac('sha256', key).update(registered).update(body).digest('base64')
  const signature = how.signature === undefined ? computed : how.signature
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'square-environment': 'Production',
      ...(signature !== null && { 'x-square-hmacsha256-signature': signature }),
    },
    body,
    redirect: 'manual',
  })
  return { status: response.status, body: await response.text(), signature: computed }
}
