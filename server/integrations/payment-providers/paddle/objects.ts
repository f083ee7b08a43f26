import type { RefundLine, SaleLine } from '#contract/sales.ts'
import {
  type ProviderJson,
  parseCurrency,
  parseEmail,
  parseJson,
  parseMillis,
  parseObject,
  parseObjects,
  parseReferences,
  parseText,
  parseTime,
} from '../parse-values.ts'
import { lineId, readLine } from '../payment-lines.ts'
import { PaymentProviderError, type ProviderObject, type ReceivedEvent } from '../provider.ts'
import { noPayer, type PayerFacts, providerObject } from '../provider-objects.ts'

export type PaddleTransaction = PayerFacts & {
  completed: boolean
  /** The charged amount: the total less the customer's credit. */
  paid: number
  total: number
  tax: number
  currency: string
  subscription: string | null
  /** Milliseconds since 1970. */
  at: number
  description: string | null
  /** Omitted if stored before they were read. */
  lines?: SaleLine[]
}
export type Adjustment = {
  action: string
  status: string
  total: number
  /** Without tax; 0 if only the tax is refunded. */
  subtotal: number
  currency: string
  reason: string | null
  at: number
  /** Omitted if stored before they were read. */
  lines?: RefundLine[]
}

/** Parses Paddle's amounts, texts in the currency's smallest unit. */
export function amountIn(value: unknown): number {
  const amount = typeof value === 'string' && /^-?\d{1,16}$/.test(value) ? Number(value) : 0
  return Number.isSafeInteger(amount) ? amount : 0
}

/**
 * Parses an event as sent and listed by Paddle. It contains neither seller nor mode: both have addresses of their own.
 */
export function readEvent(body: string): ReceivedEvent {
  const { event_id, event_type, occurred_at } = parseObject(parseJson(body))
  const [id, type, at] = [parseText(event_id), parseText(event_type), parseTime(occurred_at)]
  if (!id || !type || !at) throw new PaymentProviderError('invalid', 'This isn’t a Paddle event.')
  return { id, type, at, account: null, livemode: null, body }
}

export function readPaddleTransaction(json: ProviderJson, at: Date, promotionCodes: string[]): ProviderObject {
  const details = parseObject(json.details)
  const totals = parseObject(details.totals)
  const completed = json.status === 'completed'
  const captured = parseObjects(json.payments).find(({ status }) => status === 'captured')
  const rows = parseObjects(details.line_items)
  const [item] = parseObjects(json.items)
  const data: PaddleTransaction = {
    completed,
    paid: amountIn(totals.grand_total),
    total: amountIn(totals.total),
    tax: amountIn(totals.tax),
    currency: parseCurrency(json.currency_code),
    subscription: parseText(json.subscription_id),
    at: parseMillis(at, captured?.captured_at, json.billed_at, json.created_at),
    description: parseText(parseObject(rows[0]?.product).name) ?? parseText(parseObject(item?.price).description),
    lines: rows.flatMap((row) => {
      const { total, tax } = parseObject(row.totals)
      const { id: productId, name } = parseObject(row.product)
      const amount = amountIn(total) - amountIn(tax)
      return readLine({ id: row.id, productId, priceId: row.price_id, name, quantity: row.quantity, amount })
    }),
    ...noPayer,
    customer: parseText(json.customer_id),
    references: parseReferences(json.custom_data),
    promotionCodes,
  }
  return providerObject('transaction', parseText(json.id), at, data, { rank: completed ? 1 : 0 })
}

export function readCustomer(json: ProviderJson, at: Date): ProviderObject {
  const data: PayerFacts = {
    customer: parseText(json.id),
    email: parseEmail(json.email),
    name: parseText(json.name),
    references: parseReferences(json.custom_data),
  }
  return providerObject('customer', parseText(json.id), at, data)
}

const STAGES: Record<string, number> = { approved: 1, rejected: 2, reversed: 2 }

export function readAdjustment(json: ProviderJson, at: Date): ProviderObject {
  const totals = parseObject(json.totals)
  const status = parseText(json.status) ?? ''
  const data: Adjustment = {
    action: parseText(json.action) ?? '',
    status,
    total: amountIn(totals.total),
    subtotal: amountIn(totals.subtotal),
    currency: parseCurrency(json.currency_code),
    reason: parseText(json.reason),
    at: parseMillis(at, json.created_at),
    lines: parseObjects(json.items).flatMap((item) => {
      const id = lineId(item.item_id)
      const amount = amountIn(parseObject(item.totals).total)
      return id && amount > 0 ? [{ id, amount }] : []
    }),
  }
  return providerObject('adjustment', parseText(json.id), at, data, { rank: STAGES[status] ?? 0 })
}
