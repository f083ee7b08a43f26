import { fromDecimal } from '#contract/money.ts'
import type { RefundLine, SaleLine } from '#contract/sales.ts'
import { MAX_AMOUNT } from '#contract/values.ts'
import {
  joinedName,
  type ProviderJson,
  parseCountry,
  parseCurrency,
  parseEmail,
  parseInteger,
  parseLanding,
  parseObject,
  parseObjects,
  parsePromotionCodes,
  parseReferences,
  parseText,
  parseTime,
} from '../parse-values.ts'
import { lineId, readLine } from '../payment-lines.ts'
import { PaymentProviderError, type ProviderObject } from '../provider.ts'
import { type PayerFacts, providerObject, type StoredRefund } from '../provider-objects.ts'

/** `unpaid` orders were never paid; of paid ones, `waiting` are on hold again and `ended` cancelled or failed. */
type Standing = 'unpaid' | 'waiting' | 'paid' | 'ended'

/** Amounts are minor units of the order's currency. */
export type Order = PayerFacts & {
  standing: Standing
  total: number
  /** Without tax and shipping; fees and coupons are part of it. */
  net: number
  tax: number
  currency: string
  /** Milliseconds since 1970: when it was paid, and when it changed. */
  at: number
  changedAt: number
  description: string | null
  /** The subscription that it renews. */
  subscription: string | null
  lines: SaleLine[]
}
/**
 * The refunds of an order at some time; a refund that is removed later is no longer among them. Reasons are by their
 * ids, null once the buyer is erased.
 */
export type Refunds = { list: Refund[]; lines: Returned[]; reason: Record<string, string> | null }
type Refund = Omit<StoredRefund, 'reason'> & { id: string }
/** A line that a refund gives back, with its tax. */
type Returned = RefundLine & { refund: string }
/** The subscription that an order began. */
export type Begun = { subscription: string }

/** The requested fields of an order. */
export const ORDER_FIELDS = [
  ...['id', 'number', 'status', 'currency', 'total', 'total_tax', 'shipping_total', 'customer_id', 'billing'],
  ...['date_created_gmt', 'date_modified_gmt', 'date_paid_gmt', 'line_items', 'coupon_lines', 'refunds', 'meta_data'],
]

export const parseId = (value: unknown): string | null => (parseInteger(value) > 0 ? String(value) : null)

/** Parses a time in UTC, which WooCommerce writes without saying so. */
export const parseUtc = (value: unknown): Date | null => (typeof value === 'string' ? parseTime(`${value}Z`) : null)

/** Statuses that are not the buyer's: an order that is being written, or was deleted. */
const GONE = ['checkout-draft', 'auto-draft', 'draft', 'trash']
export const isGone = ({ status }: ProviderJson) => GONE.includes(parseText(status) ?? '')

/** The standing of an order that was paid once, by its status; a shop's own statuses are paid ones. */
const STANDINGS: Record<string, Standing> = {
  pending: 'waiting',
  'on-hold': 'waiting',
  failed: 'ended',
  cancelled: 'ended',
}
/** Times of changes are whole seconds: within one, an order gets on in this sequence. */
const SEQUENCE: Standing[] = ['unpaid', 'waiting', 'paid', 'ended']

const standingOf = ({ status, date_paid_gmt }: ProviderJson): Standing =>
  parseUtc(date_paid_gmt) ? (STANDINGS[parseText(status) ?? ''] ?? 'paid') : 'unpaid'

/** Reads an amount of an order. Throws ProviderError, in words, if it is none. */
function amountIn(json: ProviderJson, field: 'total' | 'total_tax' | 'shipping_total', money: string): number {
  const amount = fromDecimal(json[field] ?? '0', money)
  if (amount !== null && amount >= 0 && amount <= MAX_AMOUNT) return amount
  throw unreadable(json, `${field} of ${shown(json[field])}`)
}

const unreadable = (json: ProviderJson, what: string) =>
  new PaymentProviderError('invalid', `Order ${shown(json.id)} has a ${what}, which can’t be read.`)

const shown = (value: unknown) => parseText(typeof value === 'string' ? value : JSON.stringify(value), 50) ?? '“”'

/** Reads an order. Throws ProviderError if an amount, or its currency, can't be read. */
export function readOrder(json: ProviderJson, at: Date): ProviderObject & { data: Order } {
  const money = parseCurrency(json.currency)
  if (!/^[a-z]{3}$/.test(money)) throw unreadable(json, `currency of ${shown(json.currency)}`)
  const amount = (field: Parameters<typeof amountIn>[1]) => amountIn(json, field, money)
  const total = amount('total')
  const tax = Math.min(total, amount('total_tax'))
  const billing = parseObject(json.billing)
  const meta = parseMetadata(json)
  const standing = standingOf(json)
  const data: Order = {
    standing,
    total,
    tax,
    currency: money,
    net: Math.max(0, total - tax - amount('shipping_total')),
    at: (parseUtc(json.date_paid_gmt) ?? at).getTime(),
    changedAt: at.getTime(),
    description: numbered(json),
    subscription: subscriptionIn(meta),
    lines: parseObjects(json.line_items).flatMap((row) => lineIn(row, money)),
    customer: parseId(json.customer_id),
    email: parseEmail(billing.email),
    name: joinedName(billing.first_name, billing.last_name) ?? parseText(billing.company),
    country: parseCountry(billing.country),
    references: [...parseReferences(meta), ...parseLanding(meta._wc_order_attribution_session_entry)],
    promotionCodes: parsePromotionCodes(...parseObjects(json.coupon_lines).map(({ code }) => code)),
  }
  const stage = new Date(at.getTime() + SEQUENCE.indexOf(standing))
  return { ...providerObject('order', parseId(json.id), stage, data), data }
}

const numbered = ({ number, id }: ProviderJson) => {
  const own = parseText(number, 100) ?? parseId(id)
  return own && `#${own}`
}

/** Returns the free fields of an object by their names. */
export const parseMetadata = ({ meta_data }: ProviderJson): ProviderJson =>
  Object.fromEntries(parseObjects(meta_data).map(({ key, value }) => [String(key), value]))

/** Reads an id that WordPress keeps as text. */
const linked = (value: unknown) => parseText(typeof value === 'number' ? String(value) : value, 100)

const subscriptionIn = (meta: ProviderJson) => linked(meta._subscription_renewal)

/** Returns a line of an order, less its coupons; its price is without tax. */
const lineIn = (row: ProviderJson, money: string): SaleLine[] =>
  readLine({
    id: row.id,
    productId: parseId(row.product_id),
    priceId: parseId(row.variation_id),
    sku: row.sku,
    name: decoded(row.name),
    quantity: row.quantity,
    amount: fromDecimal(row.total, money),
  })

const CHARACTERS: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', ndash: '–', mdash: '—', nbsp: ' ' }

/** Returns a name as it is read: WordPress stores names of products as HTML. */
const decoded = (name: unknown) =>
  parseText(name)?.replace(/&(?:#(\d{2,5})|([a-z]{2,5}));/g, (whole, code, word) =>
    code ? String.fromCharCode(Number(code)) : (CHARACTERS[word] ?? whole),
  )

/** Reads the refunds of an order as listed by themselves, or, without their time and lines, in the order. */
export function readRefunds(order: string, rows: ProviderJson[], money: string, at: Date): ProviderObject {
  const all = rows.flatMap((row) => readRefund(row, money, at))
  const data: Refunds = {
    list: all.map(({ refund }) => refund),
    lines: all.flatMap(({ lines }) => lines),
    reason: Object.fromEntries(all.flatMap(({ refund, reason }) => (reason ? [[refund.id, reason]] : []))),
  }
  return providerObject('refunds', order, at, data)
}

function readRefund(row: ProviderJson, money: string, at: Date) {
  const id = parseId(row.id)
  // an order lists them below zero
  const amount = Math.abs(fromDecimal(row.amount ?? row.total, money) ?? 0)
  if (!id || amount === 0) return []
  const made = parseUtc(row.date_created_gmt) ?? at
  return [
    {
      refund: { id, amount, currency: money, at: made.getTime() },
      lines: parseObjects(row.line_items).flatMap((line) => returnedIn(line, id, money)),
      reason: parseText(row.reason),
    },
  ]
}

function returnedIn(row: ProviderJson, refund: string, money: string): Returned[] {
  const id = lineId(linked(parseMetadata(row)._refunded_item_id))
  const part = (value: unknown) => Math.abs(fromDecimal(value, money) ?? 0)
  const amount = part(row.total) + part(row.total_tax)
  return id && amount > 0 ? [{ refund, id, amount }] : []
}
