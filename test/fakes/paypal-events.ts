import { createSign, type KeyObject, randomBytes, randomUUID } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { Fields } from './server.ts'

/** The replies to `GET`, by path, such as `/v2/checkout/orders/5O190127TN364715T`. */
export type PaypalStore = Map<string, Fields>

/** An event as it is delivered and listed. */
export type PaypalEvent = Fields & { id: string; event_type: string; create_time: string; resource: Fields }

type Circumstances = {
  /** The store for objects and events, which the stand-in then serves too. */
  store?: PaypalStore
  createdAt?: Date
}
type Buyer = { email?: string | null; name?: [string, string]; payer?: string | null; country?: string }
type Amounts = {
  /** The buyer's total, tax and shipping included, in minor units of ours. */
  amount: number
  tax?: number
  shipping?: number
  /** Upper case, as at PayPal. */
  currency?: string
}
export type OrderFacts = Circumstances & Buyer & Amounts & { custom?: string; description?: string; older?: boolean }

const LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZ0123456789'
/** An id in PayPal's usual form: 17 capital letters and digits. */
export const paypalId = () => [...randomBytes(17)].map((byte) => LETTERS[byte % LETTERS.length]).join('')

/** Currencies that PayPal writes without decimals, contrary to ISO 4217; our amounts have ISO's digits. */
const WHOLE: Record<string, number> = { JPY: 0, HUF: 2, TWD: 2 }
function decimal(amount: number, currency: string): string {
  const digits = WHOLE[currency] ?? 2
  const text = String(amount).padStart(digits + 1, '0')
  if (currency in WHOLE) return text.slice(0, text.length - digits)
  return `${text.slice(0, -2)}.${text.slice(-2)}`
}
const money = (amount: number, currency: string) => ({ currency_code: currency, value: decimal(amount, currency) })
const olderMoney = (amount: number, currency: string, details?: Fields) => ({
  total: amount < 0 ? `-${decimal(-amount, currency)}` : decimal(amount, currency),
  currency,
  ...(details && { details }),
})

export const wholeSeconds = (at: Date) => at.toISOString().replace(/\.\d+Z$/, 'Z')
const API = 'https://api.paypal.com'
const link = (rel: string, path: string) => ({ href: `${API}${path}`, rel, method: 'GET' })

/** An event around any object; stored for the list of events. */
export function paypalEvent(
  event_type: string,
  resource: Fields,
  { store, createdAt = new Date() }: Circumstances = {},
): PaypalEvent {
  const id = `WH-${paypalId()}-${paypalId()}`
  const event = {
    ...{
      id,
      event_version: '1.0',
      create_time: createdAt.toISOString(),
      resource_type: 'any',
      resource_version: '2.0',
    },
    ...{ event_type, summary: 'As PayPal sums it up', resource: structuredClone(resource) },
    links: [link('self', `/v1/notifications/webhooks-events/${id}`)],
  }
  store?.set(`/v1/notifications/webhooks-events/${id}`, event)
  return event
}

/** An order with its captures: all at once, or in `parts`, one event each. */
export function paypalOrder(facts: OrderFacts & { parts?: number[]; guest?: boolean; authorized?: boolean }) {
  const { store, createdAt = new Date(), amount, tax = 0, shipping = 0, currency = 'USD', custom } = facts
  const { email = null, name = ['Ada', 'Buyer'], payer = paypalId().slice(0, 13), guest = false } = facts
  const id = paypalId()
  const authorization = facts.authorized ? paypalId() : null
  const address = facts.country && { address: { country_code: facts.country } }
  const person = { name: { given_name: name[0], surname: name[1] }, email_address: email, payer_id: payer, ...address }
  const captures = (facts.parts ?? [amount]).map((part) => ({
    ...{ id: paypalId(), status: 'COMPLETED', amount: money(part, currency), final_capture: true },
    ...(custom !== undefined && { custom_id: custom }),
    seller_receivable_breakdown: { gross_amount: money(part, currency) },
    create_time: wholeSeconds(createdAt),
    update_time: wholeSeconds(createdAt),
  }))
  const order = {
    ...{ id, intent: authorization ? 'AUTHORIZE' : 'CAPTURE', status: 'COMPLETED' },
    ...(guest
      ? { payment_source: { card: { name: name.join(' '), brand: 'VISA', last_digits: '7704' } } }
      : { payer: person, payment_source: { paypal: { ...person, account_id: payer } } }),
    purchase_units: [
      {
        reference_id: 'default',
        ...(facts.description && { description: facts.description }),
        ...(custom !== undefined && { custom_id: custom }),
        amount: {
          ...money(amount, currency),
          breakdown: {
            item_total: money(amount - tax - shipping, currency),
            shipping: money(shipping, currency),
            tax_total: money(tax, currency),
          },
        },
        payments: { captures },
      },
    ],
  }
  store?.set(`/v2/checkout/orders/${id}`, order)
  const above = authorization
    ? link('up', `/v2/payments/authorizations/${authorization}`)
    : link('up', `/v2/checkout/orders/${id}`)
  if (authorization)
    store?.set(`/v2/payments/authorizations/${authorization}`, {
      ...{ id: authorization, status: 'CAPTURED', links: [link('up', `/v2/checkout/orders/${id}`)] },
      supplementary_data: { related_ids: { order_id: id } },
    })
  return {
    order,
    payer,
    captures: captures.map((capture) => {
      const whole = {
        ...capture,
        ...(!facts.older && { supplementary_data: { related_ids: { order_id: id } } }),
        links: [link('self', `/v2/payments/captures/${capture.id}`), above],
      }
      return {
        capture: whole,
        completed: paypalEvent('PAYMENT.CAPTURE.COMPLETED', whole, facts),
        pending: paypalEvent('PAYMENT.CAPTURE.PENDING', { ...whole, status: 'PENDING' }, facts),
        ...createRefunds(facts, capture.id, currency),
      }
    }),
  }
}

/** One order, captured at once. */
export function paypalPayment(facts: Parameters<typeof paypalOrder>[0]) {
  const { captures, ...ordered } = paypalOrder(facts)
  return { ...ordered, ...captures[0]! }
}

type RefundHow = { status?: string; at?: Date }
type DisputeHow = { at?: Date; currency?: string; stage?: string }

function createRefunds({ store }: Circumstances, capture: string, currency: string) {
  const refundOf = (amount: number, { status = 'COMPLETED', at = new Date() }: RefundHow) => {
    const id = paypalId()
    const refund = {
      ...{ id, status, amount: money(amount, currency), note_to_payer: 'Sorry' },
      ...{ create_time: wholeSeconds(at), update_time: wholeSeconds(at) },
      links: [link('self', `/v2/payments/refunds/${id}`), link('up', `/v2/payments/captures/${capture}`)],
    }
    store?.set(`/v2/payments/refunds/${id}`, refund)
    return refund
  }
  return {
    /** Refunds `amount`; `becomes` moves a pending refund to its final state. */
    refund(amount: number, how: RefundHow = {}) {
      const refund = refundOf(amount, how)
      return {
        refund,
        refunded: paypalEvent('PAYMENT.CAPTURE.REFUNDED', refund, { store, createdAt: how.at }),
        becomes(status: 'COMPLETED' | 'FAILED' | 'CANCELLED', at = new Date()) {
          const changed = { ...refund, status, update_time: wholeSeconds(at) }
          return paypalEvent(`PAYMENT.REFUND.${status}`, changed, { store, createdAt: at })
        },
      }
    },
    /** A reversal of `amount` by PayPal. */
    reversed: (amount: number, at?: Date) =>
      paypalEvent('PAYMENT.CAPTURE.REVERSED', refundOf(amount, at ? { at } : {}), { store, createdAt: at }),
    dispute: (amount: number, how: DisputeHow = {}) =>
      paypalDispute({ store }, [capture], amount, { currency, ...how }),
  }
}

/** A case about some payments. */
export function paypalDispute(
  { store }: Circumstances,
  payments: string[],
  amount: number,
  { at = new Date(), currency = 'USD', stage = 'INQUIRY', each }: DisputeHow & { each?: number[] } = {},
) {
  const id = `PP-D-${paypalId().slice(0, 6)}`
  const opened = {
    dispute_id: id,
    create_time: at.toISOString(),
    update_time: at.toISOString(),
    disputed_transactions: payments.map((seller_transaction_id, place) => ({
      ...{ seller_transaction_id, seller: { merchant_id: 'RD465XN5VS364' }, items: [] },
      ...(each && { gross_amount: money(each[place] ?? 0, currency) }),
    })),
    ...{ reason: 'MERCHANDISE_OR_SERVICE_NOT_RECEIVED', status: 'OPEN', dispute_life_cycle_stage: stage },
    dispute_amount: money(amount, currency),
    dispute_channel: 'INTERNAL',
    links: [link('self', `/v1/customer/disputes/${id}`)],
  }
  store?.set(`/v1/customer/disputes/${id}`, opened)
  const later = (minutes: number) => new Date(at.getTime() + minutes * 60_000)
  return {
    id,
    created: paypalEvent('CUSTOMER.DISPUTE.CREATED', opened, { store, createdAt: at }),
    updated: paypalEvent(
      'CUSTOMER.DISPUTE.UPDATED',
      {
        ...opened,
        status: 'UNDER_REVIEW',
        dispute_life_cycle_stage: 'CHARGEBACK',
        update_time: later(1).toISOString(),
      },
      { store, createdAt: later(1) },
    ),
    /** `refunded`: the buyer's refund in the end, if PayPal reports it. */
    resolved(outcome_code: string, how: { refunded?: number; at?: Date } = {}) {
      const { refunded, at: over = later(2) } = how
      const dispute_outcome = {
        outcome_code,
        ...(refunded !== undefined && { amount_refunded: money(refunded, currency) }),
      }
      const resolved = { ...opened, status: 'RESOLVED', dispute_outcome, update_time: over.toISOString() }
      return paypalEvent('CUSTOMER.DISPUTE.RESOLVED', resolved, { store, createdAt: over })
    },
  }
}

/** A subscription; each `bill` is a sale in the shape of version 1, which PayPal still uses for subscriptions. */
export function paypalSubscription(
  facts: Circumstances & Buyer & { custom?: string; currency?: string; agreement?: boolean },
) {
  const { store, email = null, name = ['Ada', 'Buyer'], payer = paypalId().slice(0, 13), custom } = facts
  const { currency = 'USD' } = facts
  const id = `I-${paypalId().slice(0, 12)}`
  const subscription = {
    ...{
      id,
      plan_id: 'P-5ML4271244454362WXNWU5NQ',
      status: 'ACTIVE',
      ...(custom !== undefined && { custom_id: custom }),
    },
    subscriber: { name: { given_name: name[0], surname: name[1] }, email_address: email, payer_id: payer },
  }
  const agreement = {
    ...{ id, state: 'Active', description: 'An agreement' },
    payer: { payer_info: { email, first_name: name[0], last_name: name[1], payer_id: payer } },
  }
  if (facts.agreement) store?.set(`/v1/payments/billing-agreements/${id}`, agreement)
  else store?.set(`/v1/billing/subscriptions/${id}`, subscription)
  return {
    id,
    payer,
    created: paypalEvent(
      'BILLING.SUBSCRIPTION.CREATED',
      { id, status: 'APPROVAL_PENDING', ...(custom !== undefined && { custom_id: custom }) },
      facts,
    ),
    activated: paypalEvent('BILLING.SUBSCRIPTION.ACTIVATED', subscription, facts),
    bill: (amounts: Amounts & { at?: Date }) =>
      olderSale({ ...facts, ...amounts, currency }, { billing_agreement_id: id }),
  }
}

/** A payment of version 1, with its sale. */
export function olderPayment(facts: OrderFacts) {
  const { store, email = null, name = ['Ada', 'Buyer'], payer = paypalId().slice(0, 13), custom, amount } = facts
  const { currency = 'USD', tax = 0, shipping = 0 } = facts
  const id = `PAY-${paypalId()}`
  const details = { tax: decimal(tax, currency), shipping: decimal(shipping, currency) }
  store?.set(`/v1/payments/payment/${id}`, {
    ...{ id, intent: 'sale', state: 'approved' },
    payer: { payer_info: { email, first_name: name[0], last_name: name[1], payer_id: payer } },
    transactions: [
      {
        amount: olderMoney(amount, currency, details),
        ...(facts.description && { description: facts.description }),
        ...(custom !== undefined && { custom }),
      },
    ],
  })
  return { id, payer, ...olderSale({ ...facts, currency }, { parent_payment: id }) }
}

function olderSale(
  { store, amount, tax, shipping, currency = 'USD', ...facts }: OrderFacts & { at?: Date },
  more: Fields,
) {
  const id = paypalId()
  const at = facts.at ?? facts.createdAt ?? new Date()
  const details =
    tax === undefined
      ? undefined
      : {
          subtotal: decimal(amount - tax - (shipping ?? 0), currency),
          tax: decimal(tax, currency),
          shipping: decimal(shipping ?? 0, currency),
        }
  const sale = {
    ...{ id, state: 'completed', payment_mode: 'INSTANT_TRANSFER', ...more },
    amount: olderMoney(amount, currency, details),
    ...{ create_time: wholeSeconds(at), update_time: wholeSeconds(at) },
    links: [
      link('self', `/v1/payments/sale/${id}`),
      { ...link('refund', `/v1/payments/sale/${id}/refund`), method: 'POST' },
    ],
  }
  const backed = (part: number, names: boolean) => {
    const refund = {
      id: paypalId(),
      state: 'completed',
      amount: olderMoney(-part, currency),
      create_time: wholeSeconds(at),
    }
    const named = { ...refund, sale_id: id, links: [link('sale', `/v1/payments/sale/${id}`)] }
    store?.set(`/v1/payments/refund/${refund.id}`, named)
    return names ? named : { ...refund, links: [link('self', `/v1/payments/refund/${refund.id}`)] }
  }
  return {
    sale,
    completed: paypalEvent('PAYMENT.SALE.COMPLETED', sale, { store, createdAt: at }),
    refunded: (part: number) => paypalEvent('PAYMENT.SALE.REFUNDED', backed(part, true), { store }),
    /** Lacks the sale's id, which only a read of the refund returns. */
    reversed: (part: number) => paypalEvent('PAYMENT.SALE.REVERSED', backed(part, false), { store }),
    dispute: (part: number, how: DisputeHow = {}) => paypalDispute({ store }, [id], part, { currency, ...how }),
  }
}

export type Signer = { webhookId: string; key: KeyObject; certificateUrl: string }
export type DeliveryHow = {
  /** Other bytes than those signed. */
  body?: string
  headers?: Record<string, string | null>
}

/** Posts an event signed over its raw bytes as PayPal signs them. */
export async function deliverPaypalEvent(
  url: string,
  event: Fields | string,
  signer: Signer,
  { body, headers }: DeliveryHow = {},
) {
  const signed = typeof event === 'string' ? event : JSON.stringify(event)
  const id = randomUUID()
  const time = wholeSeconds(new Date())
  const text = `${id}|${time}|${signer.webhookId}|${crc32(signed)}`
  const given = {
    'content-type': 'application/json',
    'paypal-transmission-id': id,
    'paypal-transmission-time': time,
    'paypal-transmission-sig': createSign('RSA-SHA256').update(text).sign(signer.key, 'base64'),
    'paypal-cert-url': signer.certificateUrl,
    'paypal-auth-algo': 'SHA256withRSA',
    'paypal-auth-version': 'v2',
    ...headers,
  }
  const sent = Object.fromEntries(
    Object.entries(given).filter((header): header is [string, string] => header[1] !== null),
  )
  const response = await fetch(url, { method: 'POST', headers: sent, body: body ?? signed })
  return { status: response.status, body: await response.text() }
}
