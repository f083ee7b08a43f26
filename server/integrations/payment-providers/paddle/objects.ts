import { currency, email, moment, object, type ProviderJson, references, text } from '../parse-values.ts'
import type { PayerFacts } from '../payer.ts'
import type { ProviderObject } from '../provider.ts'
import { thing } from '../provider-objects.ts'

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
}
export type Customer = PayerFacts

/** Parses Paddle's amounts, texts in the currency's smallest unit. */
export function amountIn(value: unknown): number {
  const amount = typeof value === 'string' && /^-?\d{1,16}$/.test(value) ? Number(value) : 0
  return Number.isSafeInteger(amount) ? amount : 0
}

const millis = (otherwise: Date, ...values: unknown[]) =>
  (values.map(moment).find((at) => at !== null) ?? otherwise).getTime()

const rows = (list: unknown): ProviderJson[] => (Array.isArray(list) ? list.map(object) : [])

export function readPaddleTransaction(json: ProviderJson, at: Date, promotionCodes: string[]): ProviderObject {
  const details = object(json.details)
  const totals = object(details.totals)
  const completed = json.status === 'completed'
  const captured = rows(json.payments).find(({ status }) => status === 'captured')
  const [line] = rows(details.line_items)
  const [item] = rows(json.items)
  const data: PaddleTransaction = {
    completed,
    paid: amountIn(totals.grand_total),
    total: amountIn(totals.total),
    tax: amountIn(totals.tax),
    currency: currency(json.currency_code),
    subscription: text(json.subscription_id),
    at: millis(at, captured?.captured_at, json.billed_at, json.created_at),
    description: text(object(line?.product).name) ?? text(object(item?.price).description),
    customer: text(json.customer_id),
    email: null,
    name: null,
    references: references(json.custom_data),
    promotionCodes,
  }
  return thing('transaction', text(json.id), at, data, { rank: completed ? 1 : 0 })
}

export function readCustomer(json: ProviderJson, at: Date): ProviderObject {
  const data: Customer = {
    customer: text(json.id),
    email: email(json.email),
    name: text(json.name),
    references: references(json.custom_data),
  }
  return thing('customer', text(json.id), at, data)
}

const STAGES: Record<string, number> = { approved: 1, rejected: 2, reversed: 2 }

export function readAdjustment(json: ProviderJson, at: Date): ProviderObject {
  const totals = object(json.totals)
  const status = text(json.status) ?? ''
  const data: Adjustment = {
    action: text(json.action) ?? '',
    status,
    total: amountIn(totals.total),
    subtotal: amountIn(totals.subtotal),
    currency: currency(json.currency_code),
    reason: text(json.reason),
    at: millis(at, json.created_at),
  }
  return thing('adjustment', text(json.id), at, data, { rank: STAGES[status] ?? 0 })
}
