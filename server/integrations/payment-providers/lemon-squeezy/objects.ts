import type { Who } from '../payer.ts'
import type { ProviderObject } from '../provider.ts'
import { currency, email, type Json, moment, object, promotionCodes, references, text, whole } from '../reading.ts'
import { thing } from '../things.ts'

/** An order, or an invoice of a subscription. */
export type Bill = Who & {
  paid: boolean
  total: number
  tax: number
  currency: string
  at: number
  description: string | null
}
/** The total given back of a bill at some moment. */
export type Mark = { amount: number; at: number }
export type Subscription = { product: string | null }

const PAID = ['paid', 'refunded', 'partial_refund']

/** Ids are numbers in some places and text in others. */
export const idOf = (value: unknown): string | null => text(typeof value === 'number' ? String(value) : value)

/** The key under which the payments of a subscription share things. */
export const groupOf = (subscription: string) => `subscriptions/${subscription}`

export const payerIn = (attributes: Json): Who => ({
  customer: idOf(attributes.customer_id),
  email: email(attributes.user_email),
  name: text(attributes.user_name),
  references: [],
})

/** Data passed along by a checkout and the codes entered there, as a teller that knows nothing else of the payer. */
export const carriedIn = (objects: ProviderObject[]): Who[] =>
  objects
    .filter(({ kind }) => kind === 'passed' || kind === 'redeemed')
    .map(({ data }) => ({ customer: null, email: null, name: null, references: [], ...data }))

/** `kind` is what Lemon Squeezy calls it: `orders` or `subscription-invoices`. */
export function readBill(kind: string, json: Json, at: Date): ProviderObject {
  const attributes = object(json.attributes)
  const item = object(attributes.first_order_item)
  const paid = PAID.includes(String(attributes.status))
  const data: Bill = {
    ...payerIn(attributes),
    paid,
    total: whole(attributes.total),
    tax: whole(attributes.tax),
    currency: currency(attributes.currency),
    at: (moment(attributes.created_at) ?? at).getTime(),
    description: text(item.product_name),
  }
  const subscription = idOf(attributes.subscription_id)
  const group = subscription && groupOf(subscription)
  return thing(kind, idOf(json.id), at, data, { rank: paid ? 1 : 0, group })
}

/** The total given back of a bill. Older ones only say that all of it was. */
export function refundedOf(json: Json): number {
  const { refunded_amount, refunded, total } = object(json.attributes)
  return whole(refunded_amount) || (refunded === true ? whole(total) : 0)
}

/** The sum that was given back: the order and its first invoice tell the same one. */
export function readMark(json: Json, at: Date): ProviderObject[] {
  const { refunded_at } = object(json.attributes)
  const amount = refundedOf(json)
  const data: Mark = { amount, at: (moment(refunded_at) ?? at).getTime() }
  return amount > 0 ? [thing('mark', String(amount), at, data)] : []
}

/** Kept by itself, because what is listed later does not repeat it. */
export function readPassed(customData: unknown, at: Date): ProviderObject[] {
  const passed = references(customData)
  return passed.length > 0 ? [thing('passed', passed.join(' ').slice(0, 200), at, { references: passed })] : []
}

/** The codes that were entered for an order. */
export function readRedeemed(rows: Json[], at: Date): ProviderObject[] {
  const codes = promotionCodes(...rows.map(({ attributes }) => object(attributes).discount_code))
  return codes.length > 0 ? [thing('redeemed', 'redeemed', at, { promotionCodes: codes })] : []
}

/** A subscription, for all of its payments. */
export function readSubscription(json: Json, at: Date): ProviderObject {
  const { product_name } = object(json.attributes)
  return thing('subscription', idOf(json.id) ?? '', at, { product: text(product_name) } satisfies Subscription)
}

/** That an order began a subscription, kept with the order. */
export const readBeginning = (subscription: string, at: Date) =>
  thing('beginning', subscription, at, {}, { group: groupOf(subscription) })
