import { fromDecimal } from '#contract/money.ts'
import {
  country,
  currency,
  email,
  millis,
  moment,
  object,
  objectsIn,
  type ProviderJson,
  text,
  texts,
} from '../parse-values.ts'
import type { ProviderObject } from '../provider.ts'
import { noPayer, type PayerFacts, payerOf, providerObject, type StoredRefund } from '../provider-objects.ts'

/** Amounts are in our minor units. */
export type Money = { amount: number; currency: string }
/** A capture, or a sale in version 1 and subscriptions. */
export type Payment = PayerFacts &
  Money & {
    /** Completed, not only pending. */
    taken: boolean
    tax: number
    shipping: number
    /** Milliseconds since 1970. */
    at: number
    subscription: string | null
    description: string | null
  }
/** An approved order: the unit of this payment. */
export type Order = PayerFacts & {
  total: number
  tax: number
  shipping: number
  currency: string
  description: string | null
}
export type Refund = StoredRefund & { status: string }
export type Dispute = StoredRefund & {
  isOver: boolean
  outcome: string
  /** The amount finally refunded to the buyer, if PayPal reports it. */
  refunded: Money | null
  /** One of several payments disputed together. */
  isOneOfSeveral: boolean
}

/** Returns the time of the reported state. */
const changedAt = (json: ProviderJson, at: Date) => moment(json.update_time) ?? at

/** Reads an amount of either version; version 1 has refunds below zero. */
function money(value: unknown): Money {
  const { value: newer, currency_code, total, currency: older } = object(value)
  const code = currency(currency_code ?? older)
  return { amount: Math.abs(fromDecimal(newer ?? total, code) ?? 0), currency: code }
}

const part = (value: unknown, code: string) => {
  const decimal = typeof value === 'object' ? object(value).value : value
  return Math.abs(fromDecimal(decimal, code) ?? 0)
}

/** Returns the id at the end of a link to such an object. */
export const linkedId = (json: ProviderJson, path: RegExp): string | null =>
  objectsIn(json.links)
    .map(({ href }) => path.exec(text(href, 2000) ?? '')?.[1] ?? null)
    .find((id) => id !== null) ?? null

/** Reads a person from an order, subscription, payment or agreement. */
function person(json: ProviderJson): PayerFacts {
  const info = { ...json, ...object(json.payer_info) }
  const parts = object(info.name)
  const name = [parts.given_name ?? info.first_name, parts.surname ?? info.last_name].map((one) => text(one, 200))
  return {
    customer: text(info.payer_id) ?? text(info.account_id),
    email: email(info.email_address) ?? email(info.email),
    name: name.filter((one) => one !== null).join(' ') || text(parts.full_name, 200) || text(info.name, 200),
    country: country(object(info.address).country_code ?? info.country_code),
    references: [],
  }
}

/** Combines the person's facts from several places. */
function personOf(places: unknown[], references: string[]): PayerFacts {
  const { customerId, ...rest } = payerOf(places.map((place) => person(object(place))))
  return { ...rest, customer: customerId, references }
}

const TAKEN = ['completed', 'partially_refunded', 'refunded']
const statusOf = (json: ProviderJson) => (text(json.status) ?? text(json.state) ?? '').toLowerCase()

export function readPayment(json: ProviderJson, at: Date): ProviderObject {
  const { amount, currency: code } = money(json.amount)
  const details = object(object(json.amount).details)
  const subscription = text(json.billing_agreement_id)
  const data: Payment = {
    taken: TAKEN.includes(statusOf(json)),
    amount,
    currency: code,
    tax: part(details.tax, code),
    shipping: part(details.shipping, code),
    at: millis(at, json.update_time, json.create_time),
    subscription,
    description: text(json.description),
    ...noPayer,
    references: texts(json.custom_id, json.custom),
  }
  // of a capture and a subscription's sale for one payment, the sale has more facts
  const rank = data.taken ? (subscription ? 2 : 1) : 0
  return providerObject('payment', text(json.id), at, data, { rank, group: subscription })
}

/** Reads the unit of an order that a capture belongs to; null if that is unknown. */
export function readOrder(json: ProviderJson, capture: string, at: Date): ProviderObject | null {
  const units = objectsIn(json.purchase_units)
  const holds = (unit: ProviderJson) => objectsIn(object(unit.payments).captures).some(({ id }) => id === capture)
  const unit = units.find(holds) ?? (units.length === 1 ? units[0] : undefined)
  if (!unit) return null
  const total = money(unit.amount)
  const breakdown = object(object(unit.amount).breakdown)
  const of = (name: string) => part(breakdown[name], total.currency)
  const data: Order = {
    total: total.amount,
    tax: of('tax_total'),
    shipping: Math.max(0, of('shipping') - of('shipping_discount')),
    currency: total.currency,
    description: text(unit.description) ?? text(objectsIn(unit.items)[0]?.name),
    ...personOf([json.payer, ...Object.values(object(json.payment_source))], texts(unit.custom_id)),
  }
  return providerObject('order', capture, at, data)
}

/** Reads a payment of version 1, around its sale. */
export function readOlderPayment(json: ProviderJson, sale: string, at: Date): ProviderObject {
  const transaction = objectsIn(json.transactions)[0] ?? {}
  const { amount, currency: code } = money(transaction.amount)
  const details = object(object(transaction.amount).details)
  const data: Order = {
    total: amount,
    tax: part(details.tax, code),
    shipping: part(details.shipping, code),
    currency: code,
    description: text(transaction.description),
    ...personOf([json.payer], texts(transaction.custom)),
  }
  return providerObject('order', sale, at, data)
}

/** Reads a subscription, or an agreement of version 1. It is incomplete before the buyer's approval. */
export function readSubscription(json: ProviderJson, at: Date): ProviderObject {
  const data: PayerFacts = personOf([json.subscriber, json.payer], texts(json.custom_id))
  return providerObject('subscription', text(json.id), at, data, { rank: data.customer ? 1 : 0 })
}

const STAGES: Record<string, number> = { pending: 0, failed: 2, cancelled: 2, canceled: 2 }

/** `reversal`: taken back by PayPal itself. */
export function readRefund(kind: 'refund' | 'reversal', json: ProviderJson, at: Date): ProviderObject {
  const status = statusOf(json) || 'completed'
  const data: Refund = {
    ...money(json.amount),
    status,
    reason: text(json.note_to_payer) ?? text(json.reason) ?? text(json.reason_code),
    at: millis(at, json.create_time),
  }
  return providerObject(kind, text(json.id) ?? '', changedAt(json, at), data, { rank: STAGES[status] ?? 1 })
}

/** Reads a dispute, by the payments it concerns. */
export function readDispute(json: ProviderJson, at: Date): { key: string; object: ProviderObject }[] {
  const id = text(json.dispute_id) ?? ''
  const contested = objectsIn(json.disputed_transactions).flatMap((one) => {
    const key = text(one.seller_transaction_id)
    return key ? [{ key, gross: one.gross_amount }] : []
  })
  const outcome = object(json.dispute_outcome)
  const isOneOfSeveral = contested.length > 1
  const isOver = statusOf(json) === 'resolved'
  return contested.map(({ key, gross }) => {
    const data: Dispute = {
      ...money(isOneOfSeveral && gross ? gross : json.dispute_amount),
      isOver,
      outcome: text(outcome.outcome_code) ?? '',
      refunded: outcome.amount_refunded && !isOneOfSeveral ? money(outcome.amount_refunded) : null,
      isOneOfSeveral,
      reason: text(json.reason),
      at: millis(at, json.create_time),
    }
    return { key, object: providerObject('dispute', id, changedAt(json, at), data, { rank: isOver ? 1 : 0 }) }
  })
}
