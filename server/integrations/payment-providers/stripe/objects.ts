import type { SaleLine } from '#contract/sales.ts'
import {
  country,
  currency,
  email,
  jsonIn,
  momentAt,
  object,
  objectsIn,
  type ProviderJson,
  promotionCodes,
  references,
  text,
  texts,
  whole,
} from '../parse-values.ts'
import { readLine } from '../payment-lines.ts'
import { PaymentProviderError, type ProviderObject, type ReceivedEvent } from '../provider.ts'
import { type PayerFacts, providerObject, type StoredRefund } from '../provider-objects.ts'
import { rowsOf } from './api.ts'

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
  paid: number
  /** The part not paid through Stripe. */
  offStripe: number
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
  const { id, type, created, livemode, account } = object(jsonIn(body))
  const at = typeof created === 'number' ? momentAt(created * 1000) : null
  if (typeof id !== 'string' || typeof type !== 'string' || !at)
    throw new PaymentProviderError('invalid', 'This isn’t a Stripe event.')
  return { id, type, livemode: livemode === true, account: text(account), at, body }
}

const millis = (value: unknown, otherwise: Date) =>
  ((whole(value) > 0 && momentAt(whole(value) * 1000)) || otherwise).getTime()

/** Returns an id, also of an expanded object. */
export const idOf = (value: unknown): string | null => text(typeof value === 'string' ? value : object(value).id)

/** Returns discounts' promotion codes: ids, and texts if expanded. */
function codesOf(...discounts: unknown[]): string[] {
  const codes = discounts.map((discount) => object(discount).promotion_code)
  return promotionCodes(...codes.flatMap((code) => [idOf(code), object(code).code]))
}

/** Returns the shipping without its tax, which prices with tax include; `otherwise` if the costs are not reported. */
function shippingIn({ shipping_cost }: ProviderJson, otherwise: unknown = 0): number {
  const { amount_total, amount_tax } = object(shipping_cost)
  return typeof amount_total === 'number' ? Math.max(0, whole(amount_total) - whole(amount_tax)) : whole(otherwise)
}

export function readSession(json: ProviderJson, at: Date, completedAt: Date | null): ProviderObject {
  const details = object(json.customer_details)
  const totals = object(json.total_details)
  const breakdown = arrayOf(object(totals.breakdown).discounts)
  const paid = json.payment_status === 'paid'
  const data: CheckoutSession = {
    mode: text(json.mode) ?? '',
    paid,
    intent: idOf(json.payment_intent),
    subscription: idOf(json.subscription),
    total: whole(json.amount_total),
    tax: whole(totals.amount_tax),
    shipping: shippingIn(json, totals.amount_shipping),
    currency: currency(json.currency),
    at: completedAt ? completedAt.getTime() : millis(json.created, at),
    customer: idOf(json.customer),
    email: email(details.email) ?? email(json.customer_email),
    name: text(details.name),
    country: country(object(details.address).country),
    references: [...texts(json.client_reference_id), ...references(json.metadata)],
    promotionCodes: codesOf(...arrayOf(json.discounts), ...breakdown.map((row) => object(row).discount)),
  }
  return providerObject('session', idOf(json.id), at, data, { rank: paid ? 1 : 0 })
}

export function readCharge(json: ProviderJson, at: Date): ProviderObject {
  const billing = object(json.billing_details)
  const taken = json.status === 'succeeded' && json.captured !== false
  const { card, card_present } = object(json.payment_method_details)
  const amount = whole(json.amount_captured ?? json.amount)
  const data: Charge = {
    taken,
    amount,
    released: taken ? Math.max(0, whole(json.amount) - amount) : 0,
    currency: currency(json.currency),
    at: millis(json.created, at),
    description: text(json.description),
    card: text(object(card ?? card_present).fingerprint),
    customer: idOf(json.customer),
    email: email(billing.email) ?? email(json.receipt_email),
    name: text(billing.name),
    country: country(object(billing.address).country),
    references: references(json.metadata),
  }
  // captured amounts only grow, so of two sightings in one second the larger is the later
  return providerObject('charge', idOf(json.id), at, data, { rank: taken ? 1 + data.amount : 0 })
}

export function readIntent(json: ProviderJson, at: Date): ProviderObject {
  const details = object(json.amount_details)
  const data: Intent = {
    tax: whole(object(details.tax).total_tax_amount),
    shipping: whole(object(details.shipping).amount),
    description: text(json.description),
    customer: idOf(json.customer),
    email: email(json.receipt_email),
    name: null,
    references: references(json.metadata),
  }
  return providerObject('intent', idOf(json.id), at, data)
}

export function readCustomer(json: ProviderJson, at: Date): ProviderObject {
  const data: PayerFacts = {
    customer: idOf(json.id),
    email: email(json.email),
    name: text(json.name),
    references: references(json.metadata),
  }
  return providerObject('customer', idOf(json.id), at, data)
}

const arrayOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

const sum = (rows: unknown) => objectsIn(rows).reduce((all, { amount }) => all + whole(amount), 0)

/** Reads both forms: from 2025-03-31 on the subscription is in `parent` and taxes in `total_taxes`. */
export function readInvoice(json: ProviderJson, at: Date): ProviderObject {
  const parent = object(object(json.parent).subscription_details)
  const older = object(json.subscription_details)
  const subscription = idOf(parent.subscription) ?? idOf(json.subscription)
  const tax = sum(json.total_taxes) || sum(json.total_tax_amounts) || whole(json.tax)
  const total = whole(json.total)
  const excluding = typeof json.total_excluding_tax === 'number' ? json.total_excluding_tax : total - tax
  const shipping = shippingIn(json)
  const paid = whole(json.amount_paid)
  const data: Invoice = {
    total,
    net: Math.max(0, excluding - shipping),
    tax,
    paid,
    offStripe: whole(json.amount_paid_off_stripe) || (json.paid_out_of_band === true ? paid || total : 0),
    currency: currency(json.currency),
    subscription,
    at: millis(object(json.status_transitions).paid_at, at),
    description: text(rowsOf(json.lines)[0]?.description) ?? text(json.description),
    customer: idOf(json.customer),
    email: email(json.customer_email),
    name: text(json.customer_name),
    country: country(object(json.customer_address).country),
    references: references(parent.metadata, older.metadata, json.metadata),
    promotionCodes: codesOf(json.discount, ...arrayOf(json.discounts)),
  }
  return providerObject('invoice', idOf(json.id), at, data, { group: subscription })
}

/** Reads the lines of an invoice; both forms, as their price and their taxes differ. */
export function readInvoiceLines(invoice: string | null, rows: ProviderJson[], at: Date): ProviderObject {
  const lines = rows.flatMap((row) => {
    const { price, product } = object(object(row.pricing).price_details)
    const older = object(row.price)
    const inclusive = [...objectsIn(row.taxes), ...objectsIn(row.tax_amounts)].filter(
      (tax) => tax.tax_behavior === 'inclusive' || tax.inclusive === true,
    )
    return readLine({
      id: row.id,
      name: row.description,
      quantity: row.quantity,
      productId: idOf(product) ?? idOf(older.product),
      priceId: idOf(price) ?? idOf(older.id),
      amount: typeof row.amount === 'number' ? row.amount - sum(row.discount_amounts) - sum(inclusive) : null,
    })
  })
  return providerObject('lines', invoice, at, { lines } satisfies Lines)
}

/** Reads the line items of a checkout session. */
export function readSessionLines(session: string | null, rows: ProviderJson[], at: Date): ProviderObject {
  const lines = rows.flatMap((row) => {
    const { id: priceId, product } = object(row.price)
    const amount = typeof row.amount_total === 'number' ? row.amount_total - whole(row.amount_tax) : null
    return readLine({
      id: row.id,
      name: row.description,
      quantity: row.quantity,
      productId: idOf(product),
      priceId,
      amount,
    })
  })
  return providerObject('lines', session, at, { lines } satisfies Lines)
}

export const readLink = (invoice: string, amount: unknown, at: Date) =>
  providerObject('link', invoice, at, { invoice, amount: whole(amount) } satisfies InvoiceLink)

/** Another name of a payment: of its charge, invoice or session. */
export const readName = (id: string, at: Date) => providerObject('name', id, at, {})

const refundIn = (json: ProviderJson, at: Date, otherwise: string): Refund => ({
  amount: whole(json.amount),
  currency: currency(json.currency),
  status: text(json.status) ?? otherwise,
  reason: text(json.reason),
  at: millis(json.created, at),
})

/** Reads what a credit note gives back outside of Stripe; its other parts are refunds, told themselves, or no money. */
export function readCreditNote(json: ProviderJson, at: Date): ProviderObject {
  const isVoid = json.status === 'void'
  const status = isVoid ? 'canceled' : 'succeeded'
  const note: Refund = { ...refundIn({ ...json, amount: json.out_of_band_amount }, at, ''), status }
  return providerObject('credit-note', idOf(json.id), at, note, { rank: isVoid ? 1 : 0 })
}

const REFUND_STAGES: Record<string, number> = { succeeded: 1, failed: 2, canceled: 2 }

export function readRefund(json: ProviderJson, at: Date): ProviderObject {
  const refund = { ...refundIn(json, at, 'succeeded'), movedMoney: idOf(json.balance_transaction) !== null }
  return providerObject('refund', idOf(json.id), at, refund, { rank: REFUND_STAGES[refund.status] ?? 0 })
}

/** Final states, whatever is reported later. An inquiry (`warning_…`) moves no money. */
const DISPUTE_ENDS = ['won', 'lost', 'prevented', 'charge_refunded']

export function readDispute(json: ProviderJson, at: Date): ProviderObject {
  const dispute = refundIn(json, at, '')
  const { status } = dispute
  const rank = DISPUTE_ENDS.includes(status) ? 2 : status.startsWith('warning_') ? 0 : 1
  return providerObject('dispute', idOf(json.id), at, dispute, { rank })
}

/** Reads the refunded sum of a charge; it only replaces refunds that are not known individually. */
export function readChargeMark(json: ProviderJson, at: Date): ProviderObject[] {
  const charge = idOf(json.id) ?? ''
  const amount = whole(json.amount_refunded)
  const data: ChargeMark = { charge, amount, currency: currency(json.currency), at: at.getTime() }
  return amount > 0 ? [providerObject('mark', `${charge}:${amount}`, at, data)] : []
}
