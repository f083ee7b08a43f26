import type { SaleLine } from '#contract/sales.ts'
import {
  type ProviderJson,
  parseCountry,
  parseCurrency,
  parseEmail,
  parseInteger,
  parseJson,
  parseObject,
  parseObjects,
  parsePromotionCodes,
  parseReferences,
  parseText,
  parseTexts,
  timeFromMillis,
} from '../parse-values.ts'
import { readLine } from '../payment-lines.ts'
import { PaymentProviderError, type ProviderObject, type ReceivedEvent } from '../provider.ts'
import { type PayerFacts, providerObject, type StoredRefund } from '../provider-objects.ts'
import { parseRows } from './api.ts'

/** Amounts are Stripe's own; currencies are lower case. */
export type CheckoutSession = PayerFacts & {
  mode: string
  paid: boolean
  intent: string | null
  subscription: string | null
  total: number
  tax: number
  shipping: number
  currency: string
  /** Milliseconds since 1970. */
  at: number
}
export type Charge = PayerFacts & {
  /** Captured, not only authorised. */
  taken: boolean
  amount: number
  /** The part that was authorised but not captured; omitted if stored before it was read. */
  released?: number
  currency: string
  at: number
  description: string | null
  /** The card's fingerprint; omitted if stored before it was read. */
  card?: string | null
}
export type Intent = PayerFacts & { tax: number; shipping: number; description: string | null }
export type Invoice = PayerFacts & {
  total: number
  /** Without tax and shipping. */
  net: number
  tax: number
  /** Also outside of Stripe. */
  paid: number
  currency: string
  subscription: string | null
  at: number
  description: string | null
}
/** The lines of an invoice or a checkout session. */
export type Lines = { lines: SaleLine[] }
/** The part of an invoice that a payment paid. */
export type InvoiceLink = { invoice: string; amount: number }
/** A refund or dispute. `movedMoney`: the refund is in Stripe's balance; omitted if stored before it was read. */
export type Refund = StoredRefund & { status: string; movedMoney?: boolean }
/** The total refunded of a charge at some time. */
export type ChargeMark = { charge: string; amount: number; currency: string; at: number }

/** Parses the envelope of an event. Throws ProviderError for anything else. */
export function readEvent(body: string): ReceivedEvent {
  const { id, type, created, livemode, account } = parseObject(parseJson(body))
  const at = typeof created === 'number' ? timeFromMillis(created * 1000) : null
  if (typeof id !== 'string' || typeof type !== 'string' || !at)
    throw new PaymentProviderError('invalid', 'This isn’t a Stripe event.')
  return { id, type, livemode: livemode === true, account: parseText(account), at, body }
}

const millis = (value: unknown, otherwise: Date) =>
  ((parseInteger(value) > 0 && timeFromMillis(parseInteger(value) * 1000)) || otherwise).getTime()

/** Returns an id, also of an expanded object. */
export const parseId = (value: unknown): string | null =>
  parseText(typeof value === 'string' ? value : parseObject(value).id)

/** Returns discounts' promotion codes: ids, and texts if expanded. */
function codesOf(...discounts: unknown[]): string[] {
  const codes = discounts.map((discount) => parseObject(discount).promotion_code)
  return parsePromotionCodes(...codes.flatMap((code) => [parseId(code), parseObject(code).code]))
}

/** Returns the shipping without its tax, which prices with tax include; `otherwise` if the costs are not reported. */
function shippingIn({ shipping_cost }: ProviderJson, otherwise: unknown = 0): number {
  const { amount_total, amount_tax } = parseObject(shipping_cost)
  return typeof amount_total === 'number'
    ? Math.max(0, parseInteger(amount_total) - parseInteger(amount_tax))
    : parseInteger(otherwise)
}

export function readSession(json: ProviderJson, at: Date, completedAt: Date | null): ProviderObject {
  const details = parseObject(json.customer_details)
  const totals = parseObject(json.total_details)
  const breakdown = arrayOf(parseObject(totals.breakdown).discounts)
  const paid = json.payment_status === 'paid'
  const data: CheckoutSession = {
    mode: parseText(json.mode) ?? '',
    paid,
    intent: parseId(json.payment_intent),
    subscription: parseId(json.subscription),
    total: parseInteger(json.amount_total),
    tax: parseInteger(totals.amount_tax),
    shipping: shippingIn(json, totals.amount_shipping),
    currency: parseCurrency(json.currency),
    at: completedAt ? completedAt.getTime() : millis(json.created, at),
    customer: parseId(json.customer),
    email: parseEmail(details.email) ?? parseEmail(json.customer_email),
    name: parseText(details.name),
    country: parseCountry(parseObject(details.address).country),
    references: [...parseTexts(json.client_reference_id), ...parseReferences(json.metadata)],
    promotionCodes: codesOf(...arrayOf(json.discounts), ...breakdown.map((row) => parseObject(row).discount)),
  }
  return providerObject('session', parseId(json.id), at, data, { rank: paid ? 1 : 0 })
}

export function readCharge(json: ProviderJson, at: Date): ProviderObject {
  const billing = parseObject(json.billing_details)
  const taken = json.status === 'succeeded' && json.captured !== false
  const { card, card_present } = parseObject(json.payment_method_details)
  const amount = parseInteger(json.amount_captured ?? json.amount)
  const data: Charge = {
    taken,
    amount,
    released: taken ? Math.max(0, parseInteger(json.amount) - amount) : 0,
    currency: parseCurrency(json.currency),
    at: millis(json.created, at),
    description: parseText(json.description),
    card: parseText(parseObject(card ?? card_present).fingerprint),
    customer: parseId(json.customer),
    email: parseEmail(billing.email) ?? parseEmail(json.receipt_email),
    name: parseText(billing.name),
    country: parseCountry(parseObject(billing.address).country),
    references: parseReferences(json.metadata),
  }
  // captured amounts only grow, so of two sightings in one second the larger is the later
  return providerObject('charge', parseId(json.id), at, data, { rank: taken ? 1 + data.amount : 0 })
}

export function readIntent(json: ProviderJson, at: Date): ProviderObject {
  const details = parseObject(json.amount_details)
  const data: Intent = {
    tax: parseInteger(parseObject(details.tax).total_tax_amount),
    shipping: parseInteger(parseObject(details.shipping).amount),
    description: parseText(json.description),
    customer: parseId(json.customer),
    email: parseEmail(json.receipt_email),
    name: null,
    references: parseReferences(json.metadata),
  }
  return providerObject('intent', parseId(json.id), at, data)
}

export function readCustomer(json: ProviderJson, at: Date): ProviderObject {
  const data: PayerFacts = {
    customer: parseId(json.id),
    email: parseEmail(json.email),
    name: parseText(json.name),
    references: parseReferences(json.metadata),
  }
  return providerObject('customer', parseId(json.id), at, data)
}

const arrayOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

const sum = (rows: unknown) => parseObjects(rows).reduce((all, { amount }) => all + parseInteger(amount), 0)

/** Reads both forms: from 2025-03-31 on the subscription is in `parent` and taxes in `total_taxes`. */
export function readInvoice(json: ProviderJson, at: Date): ProviderObject {
  const parent = parseObject(parseObject(json.parent).subscription_details)
  const older = parseObject(json.subscription_details)
  const subscription = parseId(parent.subscription) ?? parseId(json.subscription)
  const tax = sum(json.total_taxes) || sum(json.total_tax_amounts) || parseInteger(json.tax)
  const total = parseInteger(json.total)
  const excluding = typeof json.total_excluding_tax === 'number' ? json.total_excluding_tax : total - tax
  const shipping = shippingIn(json)
  const data: Invoice = {
    total,
    net: Math.max(0, excluding - shipping),
    tax,
    paid: parseInteger(json.amount_paid) || (json.paid_out_of_band === true ? total : 0),
    currency: parseCurrency(json.currency),
    subscription,
    at: millis(parseObject(json.status_transitions).paid_at, at),
    description: parseText(parseRows(json.lines)[0]?.description) ?? parseText(json.description),
    customer: parseId(json.customer),
    email: parseEmail(json.customer_email),
    name: parseText(json.customer_name),
    country: parseCountry(parseObject(json.customer_address).country),
    references: parseReferences(parent.metadata, older.metadata, json.metadata),
    promotionCodes: codesOf(json.discount, ...arrayOf(json.discounts)),
  }
  return providerObject('invoice', parseId(json.id), at, data, { group: subscription })
}

/** Reads the lines of an invoice; both forms, as their price and their taxes differ. */
export function readInvoiceLines(invoice: string | null, rows: ProviderJson[], at: Date): ProviderObject {
  const lines = rows.flatMap((row) => {
    const { price, product } = parseObject(parseObject(row.pricing).price_details)
    const older = parseObject(row.price)
    const inclusive = [...parseObjects(row.taxes), ...parseObjects(row.tax_amounts)].filter(
      (tax) => tax.tax_behavior === 'inclusive' || tax.inclusive === true,
    )
    return readLine({
      id: row.id,
      name: row.description,
      quantity: row.quantity,
      productId: parseId(product) ?? parseId(older.product),
      priceId: parseId(price) ?? parseId(older.id),
      amount: typeof row.amount === 'number' ? row.amount - sum(row.discount_amounts) - sum(inclusive) : null,
    })
  })
  return providerObject('lines', invoice, at, { lines } satisfies Lines)
}

/** Reads the line items of a checkout session. */
export function readSessionLines(session: string | null, rows: ProviderJson[], at: Date): ProviderObject {
  const lines = rows.flatMap((row) => {
    const { id: priceId, product } = parseObject(row.price)
    const amount = typeof row.amount_total === 'number' ? row.amount_total - parseInteger(row.amount_tax) : null
    return readLine({
      id: row.id,
      name: row.description,
      quantity: row.quantity,
      productId: parseId(product),
      priceId,
      amount,
    })
  })
  return providerObject('lines', session, at, { lines } satisfies Lines)
}

export const readLink = (invoice: string, amount: unknown, at: Date) =>
  providerObject('link', invoice, at, { invoice, amount: parseInteger(amount) } satisfies InvoiceLink)

/** Another name of a payment: of its charge, invoice or session. */
export const readName = (id: string, at: Date) => providerObject('name', id, at, {})

const refundIn = (json: ProviderJson, at: Date, otherwise: string): Refund => ({
  amount: parseInteger(json.amount),
  currency: parseCurrency(json.currency),
  status: parseText(json.status) ?? otherwise,
  reason: parseText(json.reason),
  at: millis(json.created, at),
})

/** Reads what a credit note gives back outside of Stripe; its other parts are refunds, told themselves, or no money. */
export function readCreditNote(json: ProviderJson, at: Date): ProviderObject {
  const isVoid = json.status === 'void'
  const status = isVoid ? 'canceled' : 'succeeded'
  const recorded = parseObjects(json.refunds).filter(({ type }) => type === 'payment_record_refund')
  const amount = recorded.reduce((all, refund) => all + parseInteger(refund.amount_refunded), 0)
  const outside = amount + parseInteger(json.out_of_band_amount)
  const note: Refund = { ...refundIn({ ...json, amount: outside }, at, ''), status }
  return providerObject('credit-note', parseId(json.id), at, note, { rank: isVoid ? 1 : 0 })
}

const REFUND_STAGES: Record<string, number> = { succeeded: 1, failed: 2, canceled: 2 }

export function readRefund(json: ProviderJson, at: Date): ProviderObject {
  const refund = { ...refundIn(json, at, 'succeeded'), movedMoney: parseId(json.balance_transaction) !== null }
  return providerObject('refund', parseId(json.id), at, refund, { rank: REFUND_STAGES[refund.status] ?? 0 })
}

/** Final states, whatever is reported later. An inquiry (`warning_…`) moves no money. */
const DISPUTE_ENDS = ['won', 'lost', 'prevented', 'charge_refunded']

export function readDispute(json: ProviderJson, at: Date): ProviderObject {
  const dispute = refundIn(json, at, '')
  const { status } = dispute
  const rank = DISPUTE_ENDS.includes(status) ? 2 : status.startsWith('warning_') ? 0 : 1
  return providerObject('dispute', parseId(json.id), at, dispute, { rank })
}

/** Reads the refunded sum of a charge; it only replaces refunds that are not known individually. */
export function readChargeMark(json: ProviderJson, at: Date): ProviderObject[] {
  const charge = parseId(json.id) ?? ''
  const amount = parseInteger(json.amount_refunded)
  const data: ChargeMark = { charge, amount, currency: parseCurrency(json.currency), at: at.getTime() }
  return amount > 0 ? [providerObject('mark', `${charge}:${amount}`, at, data)] : []
}
