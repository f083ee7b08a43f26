import { fromDecimal, toProportion } from '#contract/money.ts'
import type { RefundLine, SaleLine } from '#contract/sales.ts'
import { netOfTax } from '../net-of-tax.ts'
import {
  joinedName,
  type ProviderJson,
  parseCountry,
  parseCurrency,
  parseEmail,
  parseInteger,
  parseLanding,
  parseMillis,
  parseObject,
  parseObjects,
  parsePromotionCodes,
  parseReferences,
  parseText,
  parseTime,
} from '../parse-values.ts'
import { lineId, readLine } from '../payment-lines.ts'
import type { ProviderObject } from '../provider.ts'
import { type PayerFacts, providerObject, type StoredRefund } from '../provider-objects.ts'

type Money = { amount: number; currency: string }

/** Amounts are minor units of the shop's currency. */
export type Order = PayerFacts & {
  total: number
  /** Without tax, shipping and tip. */
  net: number
  tax: number
  currency: string
  /** The total in the buyer's currency, which refunds use. */
  presented: Money
  /** Milliseconds since 1970. */
  at: number
  description: string | null
  /** Omitted if stored before they were read. */
  lines?: SaleLine[]
}
/** The lines that a refund returns, gross in the shop's currency, and its transactions. */
export type Returned = { lines: RefundLine[]; transactions: string[] }
export type Refund = StoredRefund & { status: 'pending' | 'succeeded' | 'failed' }
export type Dispute = StoredRefund & { status: string }

/** The requested fields of an order. */
export const ORDER_FIELDS = [
  ...['id', 'name', 'email', 'contact_email', 'created_at', 'processed_at', 'updated_at', 'financial_status', 'test'],
  ...['currency', 'total_price', 'total_price_set', 'total_tax', 'taxes_included', 'original_total_duties_set'],
  ...['shipping_lines', 'total_shipping_price_set', 'total_tip_received', 'note_attributes', 'landing_site'],
  ...['discount_codes', 'customer', 'billing_address', 'line_items', 'refunds'],
]

/** Statuses of paid orders, including refunded ones. */
const PAID = ['paid', 'partially_refunded', 'refunded']
export const isPaid = (order: ProviderJson) => PAID.includes(parseText(order.financial_status) ?? '')

export const parseId = (value: unknown): string | null => (parseInteger(value) > 0 ? String(value) : parseText(value))

/** Converts to minor units; null for an invalid amount. */
const minor = (value: unknown, money: string): number | null => {
  const amount = fromDecimal(value, money)
  return amount !== null && amount >= 0 && Number.isSafeInteger(amount) ? amount : null
}

/** Reads the payments among an order's transactions. */
export const paymentsIn = (transactions: unknown): Money[] =>
  parseObjects(transactions)
    .filter(({ kind, status }) => (kind === 'sale' || kind === 'capture') && status === 'success')
    .map((one) => {
      const money = parseCurrency(one.currency)
      return { amount: minor(one.amount, money) ?? 0, currency: money }
    })

/**
 * Reads an order with its refunds. Its total may include what was never paid, such as after an edit, and its
 * `payments`, if given, do not.
 */
export function readOrder(
  json: ProviderJson,
  at: Date,
  payments?: Money[],
): [order: ProviderObject, ...refunds: ProviderObject[]] {
  const shops = parseCurrency(json.currency)
  const amount = (value: unknown) => minor(value, shops) ?? 0
  const inSet = (value: unknown) => amount(parseObject(parseObject(value).shop_money).amount)
  const total = amount(json.total_price)
  const tax = Math.min(total, amount(json.total_tax) + inSet(json.original_total_duties_set))
  const shipping = shippingOf(json, amount) ?? inSet(json.total_shipping_price_set)
  const shown = parseObject(parseObject(json.total_price_set).presentment_money)
  const shownIn = parseCurrency(shown.currency_code) || shops
  const customer = parseObject(json.customer)
  const noted = parseObjects(json.note_attributes).map(({ name, value }) => [String(name), value])
  const refunds = parseObjects(json.refunds).flatMap((refund) => readRefund(refund, at, shops))
  const bill = { total, net: Math.max(0, total - tax - shipping - amount(json.total_tip_received)), tax }
  const presented = { amount: minor(shown.amount, shownIn) ?? total, currency: shownIn }
  const paid = payments ?? (parseText(json.financial_status) === 'refunded' ? refundsAmong(refunds) : [])
  const data: Order = {
    ...paidOf({ ...bill, currency: shops, presented }, paid),
    currency: shops,
    at: parseMillis(at, json.processed_at ?? json.created_at),
    description: parseText(json.name),
    customer: parseId(customer.id),
    email: parseEmail(json.email) ?? parseEmail(json.contact_email) ?? parseEmail(customer.email),
    lines: parseObjects(json.line_items).flatMap((row) => lineIn(row, json.taxes_included === true, shops)),
    country: parseCountry(parseObject(json.billing_address).country_code),
    name: nameIn(customer) ?? nameIn(parseObject(json.billing_address)),
    references: [...parseReferences(Object.fromEntries(noted)), ...parseLanding(json.landing_site)],
    promotionCodes: parsePromotionCodes(...parseObjects(json.discount_codes).map(({ code }) => code)),
  }
  // payments only grow, and of two versions paid alike the one that was paid in full has the net amount
  const rank = 2 * data.total + (data.total === total ? 1 : 0)
  const order = providerObject('order', parseId(json.id) ?? '', parseTime(json.updated_at) ?? at, data, { rank })
  return [order, ...refunds]
}

type Amounts = Pick<Order, 'total' | 'net' | 'tax' | 'currency' | 'presented'>

const refundsAmong = (objects: ProviderObject[]): Money[] =>
  objects
    .flatMap(({ kind, data }) => (kind === 'refund' ? [data as Refund] : []))
    .filter(({ status }) => status !== 'failed')

/**
 * Returns the part of an order that was paid by these payments, the whole if there are none. Of a refunded order they
 * are its refunds.
 */
function paidOf({ total, net, tax, currency: shops, presented }: Amounts, payments: Money[]) {
  const paid = payments.reduce((all, { amount, currency: money }) => {
    if (money === presented.currency) return all + amount
    return money === shops && total > 0 ? all + toProportion(amount, presented.amount, total) : all
  }, 0)
  if (paid === 0 || paid >= presented.amount) return { total, net, tax, presented }
  const gross = toProportion(total, paid, presented.amount)
  return { total: gross, ...netOfTax(gross, { total, net, tax }), presented: { ...presented, amount: paid } }
}

const nameIn = ({ first_name, last_name }: ProviderJson) => joinedName(first_name, last_name)

/** Returns a line of an order less its discounts, and less its tax if prices include it; nothing for a price of none. */
function lineIn(row: ProviderJson, isTaxed: boolean, shops: string): SaleLine[] {
  const price = minor(row.price, shops)
  const sum = (rows: unknown, field: string) =>
    parseObjects(rows).reduce((all, one) => all + (minor(one[field], shops) ?? 0), 0)
  const taken = sum(row.discount_allocations, 'amount') + (isTaxed ? sum(row.tax_lines, 'price') : 0)
  return readLine({
    id: row.id,
    productId: row.product_id,
    priceId: row.variant_id,
    sku: row.sku,
    name: row.name ?? row.title,
    quantity: row.quantity,
    amount: price === null ? null : price * parseInteger(row.quantity) - taken,
  })
}

/** Returns the sum of the shipping lines without tax, which is part of the order's own; null if there are none. */
function shippingOf(json: ProviderJson, amount: (value: unknown) => number): number | null {
  const lines = parseObjects(json.shipping_lines).filter(({ is_removed }) => is_removed !== true)
  if (lines.length === 0) return null
  const sum = (rows: unknown, field: string) => parseObjects(rows).reduce((all, row) => all + amount(row[field]), 0)
  const net = (line: ProviderJson) => {
    const given = sum(line.discount_allocations, 'amount')
    const price = given > 0 ? amount(line.price) - given : amount(line.discounted_price ?? line.price)
    return Math.max(0, price - (json.taxes_included === true ? sum(line.tax_lines, 'price') : 0))
  }
  return lines.reduce((all, line) => all + net(line), 0)
}

/**
 * Reads a refund as one transaction per payment method, each with its own result, and the lines it returns. `shops` is
 * the shop's currency; without it, that of the lines.
 */
export function readRefund(json: ProviderJson, at: Date, shops = currencyOfLines(json)): ProviderObject[] {
  const reason = parseText(json.note)
  const refunds = parseObjects(json.transactions).flatMap((one) => readShopifyTransaction(one, at, { reason }))
  const lines = parseObjects(json.refund_line_items).flatMap((row) => {
    const [subtotal, tax] = [minor(row.subtotal, shops), minor(row.total_tax, shops)]
    const id = lineId(row.line_item_id)
    return id && subtotal && shops ? [{ id, amount: subtotal + (tax ?? 0) }] : []
  })
  if (lines.length === 0) return refunds
  const data: Returned = { lines, transactions: refunds.map(({ id }) => id) }
  return [...refunds, providerObject('returned', parseId(json.id), at, data)]
}

/** Returns the shop's currency, as a refund without its order names it only in its lines. */
const currencyOfLines = (json: ProviderJson) =>
  parseCurrency(
    parseObject(parseObject(parseObjects(json.refund_line_items)[0]?.subtotal_set).shop_money).currency_code,
  )

const STATUS: Record<string, Refund['status']> = { success: 'succeeded', failure: 'failed', error: 'failed' }
const STAGE = { pending: 0, succeeded: 2, failed: 4 }

/** Reads a transaction; nothing unless it is a refund. `refund` has the refund's own facts, which take precedence. */
export function readShopifyTransaction(
  json: ProviderJson,
  at: Date,
  refund?: { reason: string | null },
): ProviderObject[] {
  const id = parseId(json.id)
  if (!id || json.kind !== 'refund') return []
  const money = parseCurrency(json.currency)
  const status = STATUS[parseText(json.status) ?? ''] ?? 'pending'
  const data: Refund = {
    amount: minor(json.amount, money) ?? 0,
    currency: money,
    status,
    reason: refund?.reason ?? null,
    at: parseMillis(at, json.processed_at ?? json.created_at),
  }
  return [providerObject('refund', id, at, data, { rank: STAGE[status] + (refund ? 1 : 0) })]
}

const DISPUTE_ENDS = ['won', 'lost', 'accepted', 'charge_refunded', 'prevented']

/** Reads a dispute. An inquiry moves no money; it may become a chargeback. */
export function readDispute(json: ProviderJson, at: Date): ProviderObject[] {
  const id = parseId(json.id)
  if (!id) return []
  const money = parseCurrency(json.currency)
  const status = json.type === 'inquiry' ? 'inquiry' : (parseText(json.status) ?? '')
  const data: Dispute = {
    amount: minor(json.amount, money) ?? 0,
    currency: money,
    status,
    reason: parseText(json.reason),
    at: parseMillis(at, json.initiated_at),
  }
  return [
    providerObject('dispute', id, at, data, { rank: DISPUTE_ENDS.includes(status) ? 2 : status === 'inquiry' ? 0 : 1 }),
  ]
}
