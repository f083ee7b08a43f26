import { fromDecimal } from '#contract/money.ts'
import type { SaleLine } from '#contract/sales.ts'
import { MAX_AMOUNT } from '#contract/values.ts'
import {
  joinedName,
  type ProviderJson,
  parseCountry,
  parseCurrency,
  parseEmail,
  parseJson,
  parseMillis,
  parseObject,
  parseObjects,
  parsePromotionCodes,
  parseReferences,
  parseText,
  parseTime,
} from '../parse-values.ts'
import { readLine } from '../payment-lines.ts'
import { PaymentProviderError, type ProviderObject, type ReceivedEvent } from '../provider.ts'
import { noPayer, type PayerFacts, providerObject, type StoredRefund } from '../provider-objects.ts'

/** A charge invoice; amounts are in our minor units. */
export type Invoice = PayerFacts & {
  total: number
  tax: number
  /** The part of the total that no credit paid. */
  due: number
  currency: string
  subscription: string | null
  description: string | null
  lines: SaleLine[]
}
/** A payment of an invoice, and what became of it. */
export type Transaction = {
  amount: number
  currency: string
  status: string
  /** Milliseconds since 1970. */
  at: number
}
export type Refund = StoredRefund & { status: string }

export const parseId = (value: unknown) => parseText(value, 100)

/** Reads an invoice's number, which may begin with a country; notifications send it as text or as a number. */
export function numberOf(value: unknown): string | null {
  const number = typeof value === 'number' ? String(value) : parseText(value)
  return number !== null && /^[A-Za-z0-9-]{1,50}$/.test(number) ? number : null
}

/** Reads a UUID as Recurly writes it. */
export const parseUuid = (value: unknown): string | null =>
  typeof value === 'string' && /^[0-9a-f]{32}$/i.test(value) ? value : null

/** Reads a notification. Its ID is its object's, which may be named again: that of the event includes the time. */
export function readEvent(body: string): ReceivedEvent {
  const json = parseObject(parseJson(body))
  const { id, object_type, event_type, event_time, site_id } = json
  const [object_id, of, what, at] = [parseId(id), parseId(object_type), parseId(event_type), parseTime(event_time)]
  if (!object_id || !of || !what || !at) throw new PaymentProviderError('invalid', 'This isn’t a Recurly event.')
  return {
    id: `${of}.${what} ${object_id} ${at.toISOString()}`,
    type: `${of}.${what}`,
    at,
    account: parseText(site_id),
    livemode: null,
    body,
  }
}

/**
 * Reads a number of units, whose shortest text has exactly the digits that were sent up to the largest amount; a larger
 * one is none.
 */
function signedAmount(value: unknown, code: string): number {
  const amount = fromDecimal(typeof value === 'number' ? value : parseText(value), code) ?? 0
  return Math.abs(amount) <= MAX_AMOUNT ? amount : 0
}

/** Reads an amount whatever its sign: those of credit invoices are below zero. */
export const parseAmount = (value: unknown, code: string) => Math.abs(signedAmount(value, code))

/** Returns the references among an object's custom fields, a list of names and values. */
const referencesIn = (json: ProviderJson): string[] =>
  parseReferences(Object.fromEntries(parseObjects(json.custom_fields).map(({ name, value }) => [String(name), value])))

/** Reads an account, or what another object shows of it: there it is without its custom fields. */
const payerIn = (account: ProviderJson): PayerFacts => ({
  customer: parseText(account.code),
  email: parseEmail(account.email),
  name: joinedName(account.first_name, account.last_name) ?? parseText(account.company),
  references: referencesIn(account),
})

export const readAccount = (json: ProviderJson, at: Date): ProviderObject =>
  providerObject('account', parseId(json.id), parseTime(json.updated_at) ?? at, payerIn(json))

export function readSubscription(json: ProviderJson, at: Date): ProviderObject {
  const payer = payerIn(parseObject(json.account))
  const data: PayerFacts = {
    ...payer,
    references: [...referencesIn(json), ...payer.references],
    promotionCodes: codesIn(parseObjects(json.coupon_redemptions)),
  }
  return providerObject('subscription', parseId(json.id), parseTime(json.updated_at) ?? at, data)
}

/** Reads the coupons of an invoice. */
export const readRedemptions = (rows: ProviderJson[], invoice: string, at: Date): ProviderObject =>
  providerObject('redemptions', invoice, at, { ...noPayer, promotionCodes: codesIn(rows) })

const codesIn = (redemptions: ProviderJson[]) =>
  parsePromotionCodes(...redemptions.map(({ coupon }) => parseObject(coupon).code))

export function readInvoice(json: ProviderJson, at: Date): ProviderObject {
  const code = parseCurrency(json.currency)
  const rows = parseObjects(json.line_items)
  const total = parseAmount(json.total, code)
  const credits = parseObjects(json.credit_payments).filter(
    ({ action, voided_at }) => action === 'payment' && !voided_at,
  )
  const payer = payerIn(parseObject(json.account))
  const data: Invoice = {
    total,
    due: credits.reduce((rest, { amount }) => rest - parseAmount(amount, code), total),
    tax: parseAmount(json.tax, code),
    currency: code,
    subscription: Array.isArray(json.subscription_ids) ? parseId(json.subscription_ids[0]) : null,
    description: parseText(rows[0]?.description),
    // some of the lines would not add up to the invoice
    lines: json.has_more_line_items === true ? [] : rows.flatMap((row) => lineIn(row, code)),
    ...payer,
    country: parseCountry(parseObject(json.address).country),
    references: [...referencesIn(json), ...rows.flatMap(referencesIn), ...payer.references],
  }
  return providerObject('invoice', parseId(json.id), parseTime(json.updated_at) ?? at, data)
}

/** Reads a line. Its own total is described in two ways; its parts are clear. */
function lineIn(row: ProviderJson, code: string): SaleLine[] {
  const [subtotal, discount, tax] = [row.subtotal, row.discount, row.tax].map((value) => signedAmount(value, code))
  return readLine({
    id: row.id,
    productId: row.item_code ?? row.plan_code,
    sku: row.external_sku,
    name: row.description,
    priceId: row.add_on_code,
    quantity: row.quantity,
    amount: subtotal! - discount! - (row.tax_inclusive === true ? tax! : 0),
  })
}

const PAYMENTS = ['purchase', 'capture']

/** Whether a transaction takes money: others verify a card or hold an amount. */
export const isPayment = ({ type }: ProviderJson) => PAYMENTS.includes(String(type))

/** States after which nothing but a later one follows; a state not listed is still under way. */
const STAGES: Record<string, number> = { success: 1, chargeback: 2, void: 2, declined: 2, error: 2 }

export function readTransaction(json: ProviderJson, at: Date): ProviderObject {
  const code = parseCurrency(json.currency)
  const status = parseText(json.status) ?? ''
  const data: Transaction = {
    amount: parseAmount(json.amount, code),
    currency: code,
    status,
    at: parseMillis(at, json.collected_at, json.created_at),
  }
  return providerObject('transaction', parseId(json.id), changedAt(json) ?? at, data, { rank: STAGES[status] ?? 0 })
}

/** States of a payment whose money was taken, whatever became of it. */
const TAKEN = ['success', 'chargeback', 'void']

export const isTaken = ({ status, amount }: Transaction) => TAKEN.includes(status) && amount > 0

export const changedAt = (json: ProviderJson) =>
  parseTime(json.updated_at) ?? parseTime(json.collected_at) ?? parseTime(json.created_at)

/** Reads the transaction that gives money back. */
export function readRefund(json: ProviderJson, at: Date): ProviderObject {
  const { rank, data, ...transaction } = readTransaction(json, at)
  const refund: Refund = { ...(data as Transaction), reason: null }
  return { ...transaction, kind: 'refund', rank, data: refund }
}
