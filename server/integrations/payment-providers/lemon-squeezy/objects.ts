import { createHash } from 'node:crypto'
import type { Mark } from '../cumulative-refunds.ts'
import {
  type ProviderJson,
  parseCurrency,
  parseEmail,
  parseInteger,
  parseJson,
  parseMillis,
  parseObject,
  parsePromotionCodes,
  parseReferences,
  parseText,
  parseTime,
} from '../parse-values.ts'
import { lineId } from '../payment-lines.ts'
import { PaymentProviderError, type ProviderObject, type ReceivedEvent } from '../provider.ts'
import { noPayer, type PayerFacts, providerObject } from '../provider-objects.ts'

/** An order, or an invoice of a subscription. */
export type LemonSqueezyBill = PayerFacts & {
  paid: boolean
  total: number
  tax: number
  currency: string
  at: number
  description: string | null
  /** The ordered item; omitted if this bill has none, or was stored before it was read. */
  item?: Item
}
/** A product and its variant; its name is the bill's description. */
export type Item = { id: string; productId: string | null; variantId: string | null; quantity: number | null }
/** `item` is omitted if it was stored before it was read. */
export type Subscription = { product: string | null; item?: Item }

const PAID = ['paid', 'refunded', 'partial_refund']

/** Reads an id, which is a number in some places and text in others. */
export const parseId = (value: unknown): string | null => parseText(typeof value === 'number' ? String(value) : value)

/**
 * Parses an event. It has no id, so identical text is the same event; its name is taken from the body, as the header
 * with it is not signed.
 */
export function readEvent(body: string): ReceivedEvent {
  const { meta, data } = parseObject(parseJson(body))
  const { attributes, id } = parseObject(data)
  const { updated_at, created_at, store_id, test_mode } = parseObject(attributes)
  const type = parseText(parseObject(meta).event_name)
  const at = parseTime(updated_at) ?? parseTime(created_at)
  if (!type || !at || !parseId(id)) throw new PaymentProviderError('invalid', 'This isn’t a Lemon Squeezy event.')
  const isTest = test_mode ?? parseObject(meta).test_mode
  return {
    id: createHash('sha256').update(body).digest('hex'),
    type,
    at,
    body,
    account: parseId(store_id),
    livemode: typeof isTest === 'boolean' ? !isTest : null,
  }
}

/** Key under which the payments of a subscription share facts. */
export const subscriptionGroup = (subscription: string) => `subscriptions/${subscription}`

export const payerIn = (attributes: ProviderJson): PayerFacts => ({
  customer: parseId(attributes.customer_id),
  email: parseEmail(attributes.user_email),
  name: parseText(attributes.user_name),
  references: [],
})

/** Returns a checkout's custom data and entered codes as a source of payer facts with no other values. */
export const carriedIn = (objects: ProviderObject[]): PayerFacts[] =>
  objects.filter(({ kind }) => kind === 'passed' || kind === 'redeemed').map(({ data }) => ({ ...noPayer, ...data }))

/** Reads the item of an order or of a subscription, which name it alike; nothing without a product. */
function itemIn(id: unknown, { product_id, variant_id, quantity }: ProviderJson): { item?: Item } {
  const [productId, variantId] = [lineId(product_id), lineId(variant_id)]
  if (!productId && !variantId) return {}
  return { item: { id: lineId(id) ?? '1', productId, variantId, quantity: parseInteger(quantity) || null } }
}

/** `kind` is Lemon Squeezy's: `orders` or `subscription-invoices`. */
export function readBill(kind: string, json: ProviderJson, at: Date): ProviderObject {
  const attributes = parseObject(json.attributes)
  const item = parseObject(attributes.first_order_item)
  const paid = PAID.includes(String(attributes.status))
  const data: LemonSqueezyBill = {
    ...payerIn(attributes),
    paid,
    total: parseInteger(attributes.total),
    tax: parseInteger(attributes.tax),
    currency: parseCurrency(attributes.currency),
    at: parseMillis(at, attributes.created_at),
    description: parseText(item.product_name),
    ...itemIn(item.id, item),
  }
  const subscription = parseId(attributes.subscription_id)
  const group = subscription && subscriptionGroup(subscription)
  return providerObject(kind, parseId(json.id), at, data, { rank: paid ? 1 : 0, group })
}

/** Returns the total refunded of a bill. Older ones only contain whether it was all. */
export function parseRefundedTotal(json: ProviderJson): number {
  const { refunded_amount, refunded, total } = parseObject(json.attributes)
  return parseInteger(refunded_amount) || (refunded === true ? parseInteger(total) : 0)
}

/** Reads the refunded sum: the order and its first invoice report the same one. */
export function readMark(json: ProviderJson, at: Date): ProviderObject[] {
  const { refunded_at } = parseObject(json.attributes)
  const amount = parseRefundedTotal(json)
  const data: Mark = { amount, at: parseMillis(at, refunded_at) }
  return amount > 0 ? [providerObject('mark', String(amount), at, data)] : []
}

/** Reads custom data, stored separately because later listings do not contain it. */
export function readPassed(customData: unknown, at: Date): ProviderObject[] {
  const passed = parseReferences(customData)
  return passed.length > 0 ? [providerObject('passed', passed.join(' ').slice(0, 200), at, { references: passed })] : []
}

/** Reads the codes entered for an order. */
export function readRedeemed(rows: ProviderJson[], at: Date): ProviderObject[] {
  const codes = parsePromotionCodes(...rows.map(({ attributes }) => parseObject(attributes).discount_code))
  return codes.length > 0 ? [providerObject('redeemed', 'redeemed', at, { promotionCodes: codes })] : []
}

/** Reads a subscription, shared by all of its payments. */
export function readSubscription(json: ProviderJson, at: Date): ProviderObject {
  const attributes = parseObject(json.attributes)
  const { quantity } = parseObject(attributes.first_subscription_item)
  const data: Subscription = {
    product: parseText(attributes.product_name),
    ...itemIn(attributes.order_item_id, { ...attributes, quantity }),
  }
  return providerObject('subscription', parseId(json.id) ?? '', at, data)
}

/** Records with an order that it began a subscription. */
export const readBeginning = (subscription: string, at: Date) =>
  providerObject('beginning', subscription, at, {}, { group: subscriptionGroup(subscription) })
