import type { SaleLine } from '#contract/sales.ts'
import {
  joinedName,
  type ProviderJson,
  parseCountry,
  parseCurrency,
  parseEmail,
  parseInteger,
  parseMillis,
  parseObject,
  parseObjects,
  parseReferences,
  parseText,
  parseTexts,
  parseTime,
} from '../parse-values.ts'
import { readLine } from '../payment-lines.ts'
import type { ProviderObject } from '../provider.ts'
import { noPayer, type PayerFacts, providerObject, type StoredRefund } from '../provider-objects.ts'

/** Amounts are minor units, the same as Square's. */
export type Payment = PayerFacts & {
  isCompleted: boolean
  /** Without the tip. */
  amount: number
  /** The buyer's payment. */
  total: number
  currency: string
  order: string | null
  /** Milliseconds since 1970. */
  at: number
  description: string | null
  /** The card's fingerprint; omitted if stored before it was read. */
  card?: string | null
}
/** An order, possibly paid by several payments; without tips. */
export type Order = PayerFacts & {
  total: number
  tax: number
  shipping: number
  /** Omitted if stored before they were read. */
  lines?: SaleLine[]
}
export type Invoice = PayerFacts & { subscription: string | null; description: string | null }
/** A refund or dispute. */
export type Refund = StoredRefund & { status: string }

export const parseId = (value: unknown) => parseText(value, 200)

const amountOf = (money: unknown) => Math.max(0, parseInteger(parseObject(money).amount))

export const isCompleted = ({ status }: ProviderJson) => status === 'COMPLETED'

export function readPayment(json: ProviderJson, at: Date): ProviderObject {
  const amount = amountOf(json.amount_money)
  const card = parseObject(parseObject(json.card_details).card)
  const data: Payment = {
    isCompleted: isCompleted(json),
    amount,
    total: Math.max(amount, amountOf(json.total_money)),
    currency: parseCurrency(parseObject(json.amount_money).currency),
    order: parseId(json.order_id),
    at: parseMillis(at, json.created_at),
    description: parseText(json.note),
    card: parseText(card.fingerprint),
    customer: parseId(json.customer_id),
    email: parseEmail(json.buyer_email_address),
    name: parseText(card.cardholder_name),
    country: parseCountry(parseObject(json.billing_address).country),
    references: parseTexts(json.reference_id),
  }
  return providerObject('payment', parseId(json.id) ?? '', parseTime(json.updated_at) ?? at, data, {
    rank: data.isCompleted ? 1 : 0,
  })
}

/**
 * Reads an order. Square has no field for shipping: service charges count as shipping if the order is shipped or
 * delivered.
 */
export function readOrder(json: ProviderJson, at: Date): ProviderObject {
  const isSent = parseObjects(json.fulfillments).some(({ type }) => type === 'SHIPMENT' || type === 'DELIVERY')
  const charge = (one: ProviderJson) => Math.max(0, amountOf(one.total_money) - amountOf(one.total_tax_money))
  const data: Order = {
    ...noPayer,
    total: Math.max(0, amountOf(json.total_money) - amountOf(json.total_tip_money)),
    tax: amountOf(json.total_tax_money),
    shipping: isSent ? parseObjects(json.service_charges).reduce((all, one) => all + charge(one), 0) : 0,
    lines: parseObjects(json.line_items).flatMap((row) =>
      readLine({
        id: row.uid,
        productId: row.catalog_object_id,
        name: row.name,
        quantity: row.quantity,
        amount: row.total_money ? amountOf(row.total_money) - amountOf(row.total_tax_money) : null,
      }),
    ),
    customer: parseId(json.customer_id),
    references: [...parseTexts(json.reference_id), ...parseReferences(json.metadata)],
  }
  return providerObject('order', parseId(json.id), at, data)
}

export function readCustomer(json: ProviderJson, at: Date): ProviderObject {
  const id = parseId(json.id) ?? ''
  const data: PayerFacts = {
    customer: id,
    email: parseEmail(json.email_address),
    name: joinedName(json.given_name, json.family_name) ?? parseText(json.company_name),
    references: parseTexts(json.reference_id),
  }
  return providerObject('customer', id, at, data)
}

/** Reads an invoice: every bill of a subscription is one, paid through its order. */
export function readInvoice(json: ProviderJson, at: Date): ProviderObject {
  const recipient = parseObject(json.primary_recipient)
  const data: Invoice = {
    subscription: parseId(json.subscription_id),
    description: parseText(json.title),
    customer: parseId(recipient.customer_id),
    email: parseEmail(recipient.email_address),
    name: joinedName(recipient.given_name, recipient.family_name),
    references: [],
  }
  return providerObject('invoice', parseId(json.id) ?? '', parseTime(json.updated_at) ?? at, data)
}

const refundIn = (json: ProviderJson, status: unknown, at: Date): Refund => ({
  amount: amountOf(json.amount_money),
  currency: parseCurrency(parseObject(json.amount_money).currency),
  status: parseText(status) ?? '',
  reason: parseText(json.reason),
  at: parseMillis(at, json.created_at),
})

const REFUND_STAGES: Record<string, number> = { COMPLETED: 1, REJECTED: 2, FAILED: 2 }

export function readRefund(json: ProviderJson, at: Date): ProviderObject {
  const refund = refundIn(json, json.status, at)
  return providerObject('refund', parseId(json.id), at, refund, { rank: REFUND_STAGES[refund.status] ?? 0 })
}

const DISPUTE_ENDS = ['WON', 'LOST', 'ACCEPTED']

/** Reads a dispute. An inquiry (`INQUIRY_…`) moves no money; it may become a dispute. */
export function readDispute(json: ProviderJson, at: Date): ProviderObject {
  const dispute = refundIn(json, json.state, at)
  const { status } = dispute
  const rank = DISPUTE_ENDS.includes(status) ? 2 : status.startsWith('INQUIRY_') ? 0 : 1
  return providerObject('dispute', parseId(json.id) ?? parseId(json.dispute_id), at, dispute, { rank })
}
