import { minorDigits } from '#contract/money.ts'
import type { SaleLine } from '#contract/sales.ts'
import {
  joinedName,
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
  timeFromMillis,
} from '../parse-values.ts'
import { readLine } from '../payment-lines.ts'
import { PaymentProviderError, type ProviderObject, type ReceivedEvent } from '../provider.ts'
import { noPayer, type PayerFacts, providerObject, type StoredRefund } from '../provider-objects.ts'

/** The part of a payment or of a refund that is an invoice's. */
export type Part = { invoice: string; amount: number }

/** A transaction of the type `payment`, shared by the payments of its invoices. */
export type ChargebeeTransaction = {
  status: string
  amount: number
  currency: string
  parts: Part[]
  /** Its reversal, which is a transaction too and tells what became of it. */
  reversal: string | null
  /** Milliseconds since 1970. */
  at: number
}

/** A transaction of the type `refund` or `payment_reversal`, and the invoices that its credit notes name. */
export type Returned = StoredRefund & { status: string; parts: Part[] }

/** An invoice as a payment sees it: `before` was applied to it by earlier payments. */
export type ChargebeeInvoice = PayerFacts & {
  total: number
  tax: number
  before: number
  subscription: string | null
  description: string | null
  lines: SaleLine[]
}

const MS = 1000

/** Returns an object's id; a longer one is none of Chargebee's. */
export const parseId = (value: unknown): string | null =>
  parseText(value, 101)?.length === 101 ? null : parseText(value)

const secondsIn = (value: unknown): Date | null => timeFromMillis(parseInteger(value) * MS || Number.NaN)

/**
 * Parses an amount. Chargebee counts hundredths of every currency with decimals, also of those that have three, and
 * whole units of the others.
 */
const amountIn = (value: unknown, of: string): number =>
  parseInteger(Math.max(0, parseInteger(value)) * (minorDigits(of) === 3 ? 10 : 1))

/** Parses an event as sent by Chargebee. It names neither its site nor the mode: both are the address's. */
export function readEvent(body: string): ReceivedEvent {
  const { id, event_type, occurred_at, api_version, content } = parseObject(parseJson(body))
  const [own, type, at] = [parseText(id), parseText(event_type), secondsIn(occurred_at)]
  if (!own || !type || !at || typeof content !== 'object' || content === null)
    throw new PaymentProviderError('invalid', 'This isn’t a Chargebee event.')
  if (typeof api_version === 'string' && api_version.toLowerCase() !== 'v2')
    throw new PaymentProviderError('invalid', 'Choose the API version V2 for this webhook in Chargebee.')
  return { id: own, type, at, account: null, livemode: null, body }
}

/** Returns the time of an object's last change. */
export const changedAt = ({ resource_version, updated_at }: ProviderJson, otherwise: Date): Date =>
  timeFromMillis(parseInteger(resource_version) || Number.NaN) ?? secondsIn(updated_at) ?? otherwise

/** Whether the money came; a reversal is reported as one, of a payment that did. */
export const isPaid = ({ status, reversal }: ChargebeeTransaction) =>
  status === 'success' || (reversal !== null && status !== DELETED)

const GROUP = 'transactions/'

/** Key of what the payments of a transaction share. */
export const toGroupKey = (transaction: string) => `${GROUP}${transaction}`

/** Returns the transaction of such a key. */
export const parseGroupKey = (group: string) => group.slice(GROUP.length)

const DELETED = 'deleted'

/** Returns the status; a payment or refund that was recorded by hand may be deleted. */
const statusOf = ({ deleted, status }: ProviderJson) => (deleted === true ? DELETED : (parseText(status) ?? ''))

/** Key of a transaction's payment of an invoice. */
export const toPaymentKey = (transaction: string, invoice: string) => `${transaction}:${invoice}`

export function readTransaction(json: ProviderJson, at: Date): ProviderObject {
  const paidIn = parseCurrency(json.currency_code)
  const data: ChargebeeTransaction = {
    status: statusOf(json),
    amount: amountIn(json.amount, paidIn),
    currency: paidIn,
    parts: partsIn(json.linked_invoices, 'invoice_id', paidIn),
    reversal: parseId(json.reversal_transaction_id),
    at: (secondsIn(json.date) ?? at).getTime(),
  }
  return providerObject('transaction', parseId(json.id), changedAt(json, at), data)
}

function partsIn(list: unknown, named: string, of: string): Part[] {
  const parts = new Map<string, number>()
  for (const row of parseObjects(list)) {
    const invoice = parseId(row[named])
    const amount = amountIn(row.applied_amount, of)
    if (invoice && amount > 0) parts.set(invoice, (parts.get(invoice) ?? 0) + amount)
  }
  return [...parts].map(([invoice, amount]) => ({ invoice, amount }))
}

/** Returns the transaction that a refund or reversal is of. */
export const paymentReturnedBy = ({ refunded_txn_id, reference_transaction_id, linked_payments }: ProviderJson) =>
  parseId(refunded_txn_id) ?? parseId(reference_transaction_id) ?? parseId(parseObjects(linked_payments)[0]?.id)

export function readReturned(json: ProviderJson, at: Date): ProviderObject {
  const of = parseCurrency(json.currency_code)
  const [note] = parseObjects(json.linked_credit_notes)
  const data: Returned = {
    amount: amountIn(json.amount, of),
    currency: of,
    status: statusOf(json),
    reason: parseText(note?.cn_reason_code) ?? parseText(note?.cn_create_reason_code),
    at: (secondsIn(json.date) ?? at).getTime(),
    parts: partsIn(json.linked_credit_notes, 'cn_reference_invoice_id', of),
  }
  const kind = json.type === 'payment_reversal' ? 'reversal' : 'refund'
  return providerObject(kind, parseId(json.id), changedAt(json, at), data)
}

/** Reads an invoice for one of the transactions that pay it, which applied this amount. */
export function readInvoice(
  json: ProviderJson,
  at: Date,
  { transaction, amount }: { transaction: string; amount: number },
): ProviderObject {
  const of = parseCurrency(json.currency_code)
  const { line_items, discounts, billing_address } = json
  const rows = parseObjects(line_items)
  const isInclusive = json.price_type === 'tax_inclusive'
  const data: ChargebeeInvoice = {
    ...noPayer,
    total: amountIn(json.total, of),
    tax: amountIn(json.tax, of),
    before: appliedBefore(json, transaction) ?? Math.max(0, amountIn(json.amount_paid, of) - amount),
    subscription: parseId(json.subscription_id),
    description: parseText(rows[0]?.description),
    customer: parseId(json.customer_id),
    country: parseCountry(parseObject(billing_address).country),
    promotionCodes: parseObjects(discounts)
      .filter(({ entity_type }) => /coupon/.test(String(entity_type)))
      .flatMap(({ coupon_set_code, entity_id }) => parsePromotionCodes(coupon_set_code, entity_id)),
    lines: rows.flatMap((row) => {
      const isPrice = /item_price$/.test(String(row.entity_type))
      const off = amountIn(row.discount_amount, of) + (isInclusive ? amountIn(row.tax_amount, of) : 0)
      return readLine({
        id: row.id,
        name: row.description,
        quantity: row.quantity,
        amount: amountIn(row.amount, of) - off,
        ...(isPrice ? { priceId: row.entity_id } : { productId: row.entity_id }),
      })
    }),
  }
  return providerObject('invoice', parseId(json.id), changedAt(json, at), data, { group: toGroupKey(transaction) })
}

/**
 * Returns what was applied to an invoice before a transaction, so that the last one takes what rounding left; null if the
 * invoice does not list its payments.
 */
function appliedBefore({ linked_payments, currency_code }: ProviderJson, transaction: string): number | null {
  const paid = parseObjects(linked_payments)
    .filter(({ txn_id, txn_status }) => txn_id === transaction || txn_status === 'success')
    .toSorted((one, other) => parseInteger(one.applied_at) - parseInteger(other.applied_at))
  if (paid.length === 0) return null
  const place = paid.findIndex(({ txn_id }) => txn_id === transaction)
  const earlier = place < 0 ? paid : paid.slice(0, place)
  return earlier.reduce((sum, { applied_amount }) => sum + amountIn(applied_amount, parseCurrency(currency_code)), 0)
}

export function readCustomer(json: ProviderJson, at: Date): ProviderObject {
  const data: PayerFacts = {
    customer: parseId(json.id),
    email: parseEmail(json.email),
    name: joinedName(json.first_name, json.last_name) ?? parseText(json.company),
    country: parseCountry(parseObject(json.billing_address).country),
    references: customReferences(json),
  }
  return providerObject('customer', parseId(json.id), changedAt(json, at), data)
}

export function readSubscription(json: ProviderJson, at: Date): ProviderObject {
  const data: PayerFacts = { ...noPayer, references: customReferences(json) }
  return providerObject('subscription', parseId(json.id), changedAt(json, at), data)
}

const customReferences = ({ cf_click_id, cf_lead_id, cf_referral_code }: ProviderJson) =>
  parseReferences({ click_id: cf_click_id, lead_id: cf_lead_id, referral_code: cf_referral_code })
