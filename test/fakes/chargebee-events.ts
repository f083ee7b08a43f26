import { randomBytes } from 'node:crypto'
import type { Fields } from './server.ts'

/** A site's objects, by id, in the order of creation. */
export type ChargebeeStore = Record<'transactions' | 'invoices' | 'customers' | 'subscriptions', Map<string, Fields>>

/** An event as it is delivered; delivering the same one twice is Chargebee's duplicate. */
export type ChargebeeEvent = Fields & { id: string; event_type: string; occurred_at: number; content: Fields }

/** A new id in Chargebee's form. */
export const chargebeeId = (prefix: string) => `${prefix}_${randomBytes(12).toString('hex')}`

export const emptySite = (): ChargebeeStore => ({
  ...{ transactions: new Map(), invoices: new Map(), customers: new Map(), subscriptions: new Map() },
})

const seconds = (at: Date) => Math.floor(at.getTime() / 1000)

/** Of two changes within a second the later one has the higher version, as at Chargebee. */
let changes = 0
const changed = (at: Date) => ({ updated_at: seconds(at), resource_version: seconds(at) * 1000 + (++changes % 1000) })

export const chargebeeEvent = (event_type: string, content: Fields, at: Date): ChargebeeEvent =>
  structuredClone({
    ...{ id: chargebeeId('ev'), occurred_at: seconds(at), source: 'scheduled_job', object: 'event', api_version: 'v2' },
    ...{ event_type, content, webhook_status: 'scheduled' },
  })

type Line = { amount: number; tax?: number; name?: string; price?: string; discount?: number }

export type BillFacts = {
  /** The total, tax included, in the units that Chargebee counts. */
  total: number
  tax?: number
  /** The part that the customer's credits pay. */
  credits?: number
  currency?: string
  email?: string
  customer?: string
  /** Null: an invoice without a subscription. */
  subscription?: string | null
  /** Custom fields, such as `cf_click_id`. */
  custom?: Fields
  customerCustom?: Fields
  coupon?: { id: string; code?: string }
  country?: string
  lines?: Line[]
  store?: ChargebeeStore
  at?: Date
}

/** An invoice with its customer and subscription, for `chargebeePayment`. */
export function chargebeeBill(facts: BillFacts) {
  const { total, tax = 0, credits = 0, currency = 'USD', store = emptySite(), at = new Date() } = facts
  const { email = 'nobody@buyer.example', customer: customerId = chargebeeId('cust') } = facts
  const subscriptionId = facts.subscription === undefined ? chargebeeId('sub') : facts.subscription
  const customer = store.customers.get(customerId) ?? {
    ...{ id: customerId, first_name: 'Dan', last_name: 'Rivers', email, object: 'customer', ...facts.customerCustom },
    ...{ created_at: seconds(at), ...changed(at), billing_address: { country: facts.country ?? 'US' } },
  }
  store.customers.set(customerId, customer)
  const subscription = subscriptionId
    ? (store.subscriptions.get(subscriptionId) ?? {
        ...{ id: subscriptionId, customer_id: customerId, status: 'active', object: 'subscription', ...facts.custom },
        ...{ created_at: seconds(at), ...changed(at) },
      })
    : null
  if (subscription) store.subscriptions.set(subscriptionId!, subscription)
  const lines = facts.lines ?? [{ amount: total, tax }]
  const id = chargebeeId('inv')
  const invoice: Fields = {
    ...{ id, customer_id: customerId, ...(subscriptionId && { subscription_id: subscriptionId }), object: 'invoice' },
    ...{ recurring: subscriptionId !== null, status: 'payment_due', price_type: 'tax_exclusive', date: seconds(at) },
    ...{ total, sub_total: total - tax, tax, credits_applied: credits, amount_paid: 0, currency_code: currency },
    line_items: lines.map((line) => ({
      ...{ id: chargebeeId('li'), entity_type: 'plan_item_price', entity_id: line.price ?? 'pro-USD-monthly' },
      ...{ description: line.name ?? 'Pro', quantity: 1, amount: line.amount - (line.tax ?? 0) + (line.discount ?? 0) },
      ...{ discount_amount: line.discount ?? 0, tax_amount: line.tax ?? 0, object: 'line_item' },
    })),
    ...(facts.coupon && {
      discounts: [
        {
          ...{ object: 'discount', entity_type: 'document_level_coupon', amount: 100, description: '10 % off' },
          ...{ entity_id: facts.coupon.id, ...(facts.coupon.code && { coupon_set_code: facts.coupon.code }) },
        },
      ],
    }),
    ...(facts.country && { billing_address: { country: facts.country } }),
    ...{ linked_payments: [], ...changed(at) },
  }
  store.invoices.set(id, invoice)
  const created = chargebeeEvent('subscription_created', { subscription, customer }, at)
  return { id, invoice, customer, subscription, store, currency, customerId, subscriptionId, created }
}
export type ChargebeeBill = ReturnType<typeof chargebeeBill>

type Applied = { bill: ChargebeeBill; amount: number }

/** A payment of one invoice or of several, its events, and what is done with it later. */
export function chargebeePayment(
  applied: [Applied, ...Applied[]],
  { at = new Date(), excess = 0, status = 'success' }: { at?: Date; excess?: number; status?: string } = {},
) {
  const [{ bill: first }] = applied
  const { store } = first
  const id = chargebeeId('txn')
  const amount = applied.reduce((sum, one) => sum + one.amount, excess)
  const links = applied.map(({ bill, amount: applied_amount }) => ({
    ...{ invoice_id: bill.id, applied_amount, applied_at: seconds(at), invoice_date: seconds(at) },
    ...{ invoice_total: bill.invoice.total, invoice_status: 'paid' },
  }))
  const common = { currency_code: first.currency, customer_id: first.customerId, object: 'transaction' }
  const keep = (transaction: Fields): Fields => {
    store.transactions.set(String(transaction.id), transaction)
    return transaction
  }
  let transaction = keep({
    ...{ id, ...common, subscription_id: first.subscriptionId, type: 'payment', payment_method: 'card' },
    ...{ amount, amount_unused: excess, status, date: seconds(at), linked_invoices: links, linked_refunds: [] },
    ...changed(at),
  })
  for (const { bill, amount: applied_amount } of applied) {
    const payment = { txn_id: id, applied_amount, applied_at: seconds(at), txn_status: status, txn_amount: amount }
    const { linked_payments, amount_paid } = bill.invoice as { linked_payments: Fields[]; amount_paid: number }
    bill.invoice = {
      ...{ ...bill.invoice, linked_payments: [...linked_payments, payment], amount_paid: amount_paid + applied_amount },
      ...changed(at),
    }
    store.invoices.set(bill.id, bill.invoice)
  }
  const around = () => ({ customer: first.customer, subscription: first.subscription, invoice: first.invoice })
  const change = (fields: Fields, when: Date) => {
    transaction = keep({ ...transaction, ...fields, ...changed(when) })
  }
  const soon = () => new Date(at.getTime() + 1000 * (++changes % 600))

  /** Gives back, by a credit note of `of` or, with null, without one. */
  function refund(
    returned: number,
    { of = first as ChargebeeBill | null, when = soon(), status: end = 'success', method = 'card' } = {},
  ) {
    const note = of && {
      ...{
        id: chargebeeId('cn'),
        reference_invoice_id: of.id,
        type: 'refundable',
        total: returned,
        status: 'refunded',
      },
      ...{ amount_refunded: returned, currency_code: first.currency, object: 'credit_note' },
    }
    const refundId = chargebeeId('txn')
    const write = (state: string, moment: Date) =>
      keep({
        ...{ id: refundId, ...common, type: 'refund', payment_method: method, amount: returned, status: state },
        ...{ date: seconds(when), refunded_txn_id: id, linked_payments: [{ id, amount, status: 'success' }] },
        linked_credit_notes: note
          ? [{ cn_id: note.id, applied_amount: returned, cn_reason_code: 'waiver', cn_reference_invoice_id: of.id }]
          : [],
        ...changed(moment),
      })
    const event = (one: Fields, moment: Date) =>
      chargebeeEvent('payment_refunded', { ...around(), transaction: one, ...(note && { credit_note: note }) }, moment)
    const refunded = write(end, when)
    change({ linked_refunds: [{ txn_id: refundId, txn_status: end, txn_amount: returned }] }, when)
    return {
      ...{ id: refundId, refunded: event(refunded, when) },
      noted: chargebeeEvent('credit_note_created', { credit_note: note, customer: first.customer }, when),
      becomes: (state: string, later = soon()) => event(write(state, later), later),
    }
  }

  /** Takes a payment back, as a bank does after it had succeeded; no event tells it. */
  function reverse(when = soon(), { isUnlinked = false, isNamed = true } = {}) {
    const reversalId = chargebeeId('txn')
    const write = (state: string, moment: Date) =>
      keep({
        ...{
          id: reversalId,
          ...common,
          type: 'payment_reversal',
          payment_method: 'direct_debit',
          amount,
          status: state,
        },
        ...{ date: seconds(when), ...(isNamed && { reference_transaction_id: id }), ...changed(moment) },
      })
    write('success', when)
    const off = isUnlinked ? { linked_invoices: [] } : {}
    change({ status: 'late_failure', reversal_transaction_id: reversalId, ...off }, when)
    return { id: reversalId, becomes: (state: string, later = soon()) => void write(state, later) }
  }

  return {
    ...{ id, amount, change, refund, reverse },
    succeeded: chargebeeEvent('payment_succeeded', { ...around(), transaction }, at),
  }
}

type Delivery = { body?: string; username?: string; authorization?: string | null }

/** Posts an event as Chargebee does, with basic authentication. */
export async function deliverChargebee(url: string, event: object, password: string, how: Delivery = {}) {
  const { body = JSON.stringify(event), username = 'tributary' } = how
  const computed = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
  const authorization = how.authorization === undefined ? computed : how.authorization
  const headers = { 'content-type': 'application/json;charset=UTF-8', ...(authorization !== null && { authorization }) }
  const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual' })
  return { status: response.status, body: await response.text() }
}
