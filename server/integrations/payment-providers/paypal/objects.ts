import { fromDecimal } from '#contract/money.ts'
import {
  type ProviderJson,
  parseCountry,
  parseCurrency,
  parseEmail,
  parseMillis,
  parseObject,
  parseObjects,
  parseText,
  parseTexts,
  parseTime,
} from '../parse-values.ts'
import type { ProviderObject } from '../provider.ts'
import { noPayer, type PayerFacts, providerObject, type StoredRefund, toPayer } from '../provider-objects.ts'

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
const changedAt = (json: ProviderJson, at: Date) => parseTime(json.update_time) ?? at

/** Reads an amount of either version; version 1 has refunds below zero. */
function money(value: unknown): Money {
  const { value: newer, currency_code, total, currency: older } = parseObject(value)
  const code = parseCurrency(currency_code ?? older)
  return { amount: Math.abs(fromDecimal(newer ?? total, code) ?? 0), currency: code }
}

const part = (value: unknown, code: string) => {
  const decimal = typeof value === 'object' ? parseObject(value).value : value
  return Math.abs(fromDecimal(decimal, code) ?? 0)
}

/** Returns the id at the end of a link to such an object. */
export const linkedId = (json: ProviderJson, path: RegExp): string | null =>
  parseObjects(json.links)
    .map(({ href }) => path.exec(parseText(href, 2000) ?? '')?.[1] ?? null)
    .find((id) => id !== null) ?? null

/** Reads a person from an order, subscription, payment or agreement. */
function person(json: ProviderJson): PayerFacts {
  const info = { ...json, ...parseObject(json.payer_info) }
  const parts = parseObject(info.name)
  const name = [parts.given_name ?? info.first_name, parts.surname ?? info.last_name].map((one) => parseText(one, 200))
  return {
    customer: parseText(info.payer_id) ?? parseText(info.account_id),
    email: parseEmail(info.email_address) ?? parseEmail(info.email),
    name: name.filter((one) => one !== null).join(' ') || parseText(parts.full_name, 200) || parseText(info.name, 200),
    country: parseCountry(parseObject(info.address).country_code ?? info.country_code),
    references: [],
  }
}

/** Combines the person's facts from several places. */
function personOf(places: unknown[], references: string[]): PayerFacts {
  const { customerId, ...rest } = toPayer(places.map((place) => person(parseObject(place))))
  return { ...rest, customer: customerId, references }
}

const TAKEN = ['completed', 'partially_refunded', 'refunded']
const statusOf = (json: ProviderJson) => (parseText(json.status) ?? parseText(json.state) ?? '').toLowerCase()

export function readPayment(json: ProviderJson, at: Date): ProviderObject {
  const { amount, currency: code } = money(json.amount)
  const details = parseObject(parseObject(json.amount).details)
  const subscription = parseText(json.billing_agreement_id)
  const data: Payment = {
    taken: TAKEN.includes(statusOf(json)),
    amount,
    currency: code,
    tax: part(details.tax, code),
    shipping: part(details.shipping, code),
    at: parseMillis(at, json.update_time, json.create_time),
    subscription,
    description: parseText(json.description),
    ...noPayer,
    references: parseTexts(json.custom_id, json.custom),
  }
  // of a capture and a subscription's sale for one payment, the sale has more facts
  const rank = data.taken ? (subscription ? 2 : 1) : 0
  return providerObject('payment', parseText(json.id), at, data, { rank, group: subscription })
}

/** Reads the unit of an order that a capture belongs to; null if that is unknown. */
export function readOrder(json: ProviderJson, capture: string, at: Date): ProviderObject | null {
  const units = parseObjects(json.purchase_units)
  const holds = (unit: ProviderJson) =>
    parseObjects(parseObject(unit.payments).captures).some(({ id }) => id === capture)
  const unit = units.find(holds) ?? (units.length === 1 ? units[0] : undefined)
  if (!unit) return null
  const total = money(unit.amount)
  const breakdown = parseObject(parseObject(unit.amount).breakdown)
  const of = (name: string) => part(breakdown[name], total.currency)
  const data: Order = {
    total: total.amount,
    tax: of('tax_total'),
    shipping: Math.max(0, of('shipping') - of('shipping_discount')),
    currency: total.currency,
    description: parseText(unit.description) ?? parseText(parseObjects(unit.items)[0]?.name),
    ...personOf([json.payer, ...Object.values(parseObject(json.payment_source))], parseTexts(unit.custom_id)),
  }
  return providerObject('order', capture, at, data)
}

/** Reads a payment of version 1, around its sale. */
export function readOlderPayment(json: ProviderJson, sale: string, at: Date): ProviderObject {
  const transaction = parseObjects(json.transactions)[0] ?? {}
  const { amount, currency: code } = money(transaction.amount)
  const details = parseObject(parseObject(transaction.amount).details)
  const data: Order = {
    total: amount,
    tax: part(details.tax, code),
    shipping: part(details.shipping, code),
    currency: code,
    description: parseText(transaction.description),
    ...personOf([json.payer], parseTexts(transaction.custom)),
  }
  return providerObject('order', sale, at, data)
}

/** Reads a subscription, or an agreement of version 1. It is incomplete before the buyer's approval. */
export function readSubscription(json: ProviderJson, at: Date): ProviderObject {
  const data: PayerFacts = personOf([json.subscriber, json.payer], parseTexts(json.custom_id))
  return providerObject('subscription', parseText(json.id), at, data, { rank: data.customer ? 1 : 0 })
}

const STAGES: Record<string, number> = { pending: 0, failed: 2, cancelled: 2, canceled: 2 }

/** `reversal`: taken back by PayPal itself. */
export function readRefund(kind: 'refund' | 'reversal', json: ProviderJson, at: Date): ProviderObject {
  const status = statusOf(json) || 'completed'
  const data: Refund = {
    ...money(json.amount),
    status,
    reason: parseText(json.note_to_payer) ?? parseText(json.reason) ?? parseText(json.reason_code),
    at: parseMillis(at, json.create_time),
  }
  return providerObject(kind, parseText(json.id) ?? '', changedAt(json, at), data, { rank: STAGES[status] ?? 1 })
}

/** Reads a dispute, by the payments it concerns. */
export function readDispute(json: ProviderJson, at: Date): { key: string; object: ProviderObject }[] {
  const id = parseText(json.dispute_id) ?? ''
  const contested = parseObjects(json.disputed_transactions).flatMap((one) => {
    const key = parseText(one.seller_transaction_id)
    return key ? [{ key, gross: one.gross_amount }] : []
  })
  const outcome = parseObject(json.dispute_outcome)
  const isOneOfSeveral = contested.length > 1
  const isOver = statusOf(json) === 'resolved'
  return contested.map(({ key, gross }) => {
    const data: Dispute = {
      ...money(isOneOfSeveral && gross ? gross : json.dispute_amount),
      isOver,
      outcome: parseText(outcome.outcome_code) ?? '',
      refunded: outcome.amount_refunded && !isOneOfSeveral ? money(outcome.amount_refunded) : null,
      isOneOfSeveral,
      reason: parseText(json.reason),
      at: parseMillis(at, json.create_time),
    }
    return { key, object: providerObject('dispute', id, changedAt(json, at), data, { rank: isOver ? 1 : 0 }) }
  })
}
