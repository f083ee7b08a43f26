import { createHmac, randomUUID } from 'node:crypto'
import type { Fields } from './server.ts'

/** Everything a seller has at Paddle, by id: transactions, adjustments, customers, and their events. */
export type PaddleStore = Map<string, Fields>
export type PaddleEvent = {
  event_id: string
  event_type: string
  occurred_at: string
  notification_id: string
  data: Fields
}

/** A new id in Paddle's form: `txn_` and 26 letters and digits; later ids sort after earlier ones. */
export function paddleId(prefix: string): string {
  made += 1
  const place = made.toString(32).padStart(8, '0')
  return `${prefix}_01j${place}${randomUUID().replaceAll('-', '').slice(0, 15)}`
}
let made = 0

/** A line of a transaction; `amount` with tax. */
export type PaddleItem = {
  amount: number
  tax?: number
  name?: string
  price?: string
  product?: string
  quantity?: number
}

type Facts = {
  /** One for everything if omitted. */
  items?: PaddleItem[]
  /** The total, tax included. */
  amount: number
  tax?: number
  /** The part paid by the customer's credit; the rest is charged. */
  credit?: number
  currency?: string
  email?: string | null
  name?: string | null
  /** An earlier customer's id; null: a transaction without one. */
  customer?: string | null
  customData?: Fields | null
  subscription?: string | null
  /** The code entered at the checkout. */
  promotionCode?: string
  origin?: string
  status?: string
  store?: PaddleStore
  at?: Date
}

/** An event around any object, as Paddle sends it; stored for `GET /events`. */
export function paddleEvent(type: string, data: Fields, { store, at = new Date() }: Pick<Facts, 'store' | 'at'> = {}) {
  const event: PaddleEvent = {
    event_id: paddleId('evt'),
    event_type: type,
    occurred_at: at.toISOString(),
    notification_id: paddleId('ntf'),
    data: structuredClone(data),
  }
  store?.set(event.event_id, event)
  return event
}

/** A transaction and its events: its completion, then its refunds and chargebacks. */
export function paddleTransaction(facts: Facts) {
  const { amount, tax = 0, credit = 0, currency = 'usd', store, at = new Date(), subscription = null } = facts
  const customerId = facts.customer === undefined ? paddleId('ctm') : facts.customer
  const code = currency.toUpperCase()
  if (customerId && !store?.has(customerId)) store?.set(customerId, customerOf(customerId, facts, at))
  const discountId = facts.promotionCode ? paddleId('dsc') : null
  if (discountId) store?.set(discountId, { id: discountId, status: 'active', code: facts.promotionCode, type: 'flat' })
  const due = String(amount - credit)
  const totals = { subtotal: String(amount - tax), tax: String(tax), total: String(amount), discount: '0' }
  const lines = (facts.items ?? [{ amount, tax }]).map((item) => {
    const sums = sumsOf(item.amount, item.tax ?? 0)
    return {
      ...{ id: paddleId('txnitm'), price_id: item.price ?? price.id, quantity: item.quantity ?? 1, tax_rate: '0.2' },
      ...{ totals: { ...sums, discount: '0' }, unit_totals: { ...sums, discount: '0' } },
      product: { ...product, ...(item.product && { id: item.product }), ...(item.name && { name: item.name }) },
    }
  })
  const charged = {
    credit: String(credit),
    credit_to_balance: '0',
    balance: '0',
    grand_total: due,
    currency_code: code,
  }
  const transaction: Fields = {
    id: paddleId('txn'),
    items: [{ price: { ...price, unit_price: { amount: String(amount - tax), currency_code: code } }, quantity: 1 }],
    origin: facts.origin ?? (subscription ? 'subscription_recurring' : 'web'),
    status: facts.status ?? 'completed',
    details: {
      totals: { ...totals, ...charged, fee: '100', earnings: String(amount - credit - tax - 100) },
      adjusted_totals: { ...totals, grand_total: due, fee: '100', earnings: '0', currency_code: code },
      payout_totals: { ...totals, ...charged, fee: '100', earnings: '0', currency_code: 'USD' },
      tax_rates_used: [{ tax_rate: '0.2', totals }],
      line_items: lines,
    },
    checkout: { url: 'https://shop.example/pay' },
    payments:
      amount > credit
        ? [
            { ...payment, amount: due, status: 'captured', captured_at: at.toISOString() },
            { ...payment, amount: due, status: 'error', error_code: 'declined', captured_at: null },
          ]
        : [],
    customer_id: customerId,
    ...{ address_id: paddleId('add'), business_id: null, discount_id: discountId, invoice_id: paddleId('inv') },
    ...{ invoice_number: '325-10566', collection_mode: 'automatic', billing_details: null, billing_period: null },
    custom_data: facts.customData ?? null,
    subscription_id: subscription,
    currency_code: code,
    ...{ created_at: at.toISOString(), updated_at: at.toISOString(), billed_at: at.toISOString(), revised_at: null },
  }
  const { id } = transaction
  store?.set(String(id), transaction)
  const around = { ...(store && { store }), at }

  function adjust(
    action: string,
    total: number,
    given: { tax?: number; status?: string; reason?: string; items?: { item: number; amount: number }[] },
  ) {
    const taxed = given.tax ?? Math.round((total * tax) / amount)
    const sums = sumsOf(total, taxed)
    const items = given.items ?? [{ item: 0, amount: total }]
    let adjustment: Fields = {
      ...{
        id: paddleId('adj'),
        action,
        type: total === amount ? 'full' : 'partial',
        status: given.status ?? 'approved',
      },
      ...{ reason: given.reason ?? 'requested by customer', transaction_id: id, subscription_id: subscription },
      ...{ customer_id: customerId, currency_code: code, credit_applied_to_balance: action === 'credit' ? true : null },
      items: items.map(({ item, amount: part }) => ({
        ...{ id: paddleId('adjitm'), item_id: lines[item]!.id, type: 'partial', amount: String(part) },
        totals: sumsOf(part, Math.round((part * tax) / amount)),
      })),
      totals: { ...sums, fee: '5', earnings: String(total - taxed - 5), currency_code: code },
      payout_totals: { ...sums, fee: '5', earnings: '0', currency_code: 'USD' },
      ...{ created_at: at.toISOString(), updated_at: at.toISOString() },
    }
    const tell = (type: string) => {
      store?.set(String(adjustment.id), adjustment)
      return paddleEvent(type, adjustment, around)
    }
    return {
      id: adjustment.id as string,
      created: tell('adjustment.created'),
      /** Sends the adjustment again, with another status. */
      becomes(status: string, later = new Date(at.getTime() + 1000)) {
        adjustment = { ...adjustment, status, updated_at: later.toISOString() }
        store?.set(String(adjustment.id), adjustment)
        return paddleEvent('adjustment.updated', adjustment, { ...around, at: later })
      },
    }
  }

  return {
    transaction,
    lines,
    id: String(id),
    customerId,
    paid: paddleEvent('transaction.paid', { ...transaction, status: 'paid' }, around),
    completed: paddleEvent('transaction.completed', transaction, around),
    adjust: (action: string, total: number, given: Parameters<typeof adjust>[2] = {}) => adjust(action, total, given),
    /** The first event of the subscription that began with it. */
    subscriptionCreated: (trialing = false) =>
      paddleEvent(
        'subscription.created',
        {
          ...{
            id: subscription,
            status: trialing ? 'trialing' : 'active',
            customer_id: customerId,
            currency_code: code,
          },
          ...{ transaction_id: id, custom_data: facts.customData ?? null, created_at: at.toISOString() },
        },
        around,
      ),
    /** The next payment of the same subscription, with the same custom data. */
    renew: (more: Partial<Facts> = {}) =>
      paddleTransaction({ ...facts, customer: customerId, origin: 'subscription_recurring', ...more }),
  }
}

const sumsOf = (total: number, tax: number) => ({
  ...{ subtotal: String(total - tax), tax: String(tax), total: String(total) },
})

const customerOf = (id: string, { email = null, name = 'Jo Brown' }: Facts, at: Date): Fields => ({
  ...{
    id,
    name,
    email,
    locale: 'en',
    status: 'active',
    custom_data: null,
    import_meta: null,
    marketing_consent: false,
  },
  ...{ created_at: at.toISOString(), updated_at: at.toISOString() },
})

const price = {
  ...{
    id: 'pri_01gsz8x8sawmvhz1pv30nge1ke',
    name: 'Monthly',
    description: 'Monthly',
    type: 'standard',
    status: 'active',
  },
  ...{ product_id: 'pro_01gsz4t5hdjse780zja8vvr7jg', tax_mode: 'account_setting', custom_data: null },
  ...{ billing_cycle: { interval: 'month', frequency: 1 }, trial_period: null, unit_price_overrides: [] },
}
const product = {
  ...{ id: 'pro_01gsz4t5hdjse780zja8vvr7jg', name: 'AeroEdit Pro', type: 'standard', status: 'active' },
  ...{
    tax_category: 'standard',
    description: 'For pilots',
    custom_data: { click_id: 'of the product, not of the buyer' },
  },
}
const payment = {
  ...{
    payment_attempt_id: '937640dd-e3dc-40df-a16c-bb75aafd8f71',
    error_code: null,
    created_at: '2024-04-12T10:18:33.579142Z',
  },
  method_details: { type: 'card', card: { type: 'visa', last4: '3184', expiry_month: 1, expiry_year: 2025 } },
}

type Delivery = {
  at?: number
  /** The text to send in place of the event's own. */
  body?: string
  /** All secrets to sign with while one is being replaced; by default only `secret`. */
  secrets?: string[]
  /** The whole header in place of a computed one; null sends none. */
  signature?: string | null
}

/** Posts an event as Paddle does, signed over the raw bytes. */
export async function deliverPaddle(url: string, event: Fields, secret: string, how: Delivery = {}) {
  const { at = Math.floor(Date.now() / 1000), body = JSON.stringify(event), secrets = [secret] } = how
  const mac = (key: string) => createHmac('sha256', key).update(`${at}:${body}`).digest('hex')
  const computed = [`ts=${at}`, ...secrets.map((key) => `h1=${mac(key)}`)].join(';')
  const signature = how.signature === undefined ? computed : how.signature
  const headers = { 'content-type': 'application/json', ...(signature !== null && { 'paddle-signature': signature }) }
  const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual' })
  return { status: response.status, body: await response.text(), signature }
}
