import type { SaleLine } from '#contract/sales.ts'
import {
  type ProviderJson,
  parseCountry,
  parseCurrency,
  parseEmail,
  parseInteger,
  parseJson,
  parseMillis,
  parseObject,
  parseObjects,
  parsePromotionCodes,
  parseReferences,
  parseText,
  parseTexts,
  parseTime,
} from '../parse-values.ts'
import { readLine } from '../payment-lines.ts'
import { PaymentProviderError, type ProviderObject, type ReceivedEvent } from '../provider.ts'
import { type PayerFacts, providerObject, type StoredRefund } from '../provider-objects.ts'

/** Amounts are as Stripe counts them: Polar charges through it. */
export type Order = PayerFacts & {
  /** The part that was charged: the total less the customer's credit. */
  paid: number
  total: number
  net: number
  tax: number
  currency: string
  subscription: string | null
  /** Milliseconds since 1970. */
  at: number
  description: string | null
  /** The items before the discount. */
  lines: SaleLine[]
}
/** A refund or dispute. */
export type Refund = StoredRefund & { status: string }

/** The time of an object's state, whenever it is told. */
export const changedAt = ({ modified_at, created_at }: ProviderJson) => parseTime(modified_at) ?? parseTime(created_at)

/** Parses an event; its id is in a header. */
export function readEvent(body: string, given: unknown): ReceivedEvent {
  const json = parseObject(parseJson(body))
  const data = parseObject(json.data)
  const [id, type, at] = [parseText(given), parseText(json.type), parseTime(json.timestamp)]
  if (!id || !type || !at || !parseText(data.id)) throw new PaymentProviderError('invalid', 'This isn’t a Polar event.')
  const account = parseText(data.organization_id) ?? parseText(parseObject(data.customer).organization_id)
  return { id, type, at, account, livemode: null, body }
}

/** Reads the payer of an order or a subscription. A checkout's metadata, with its reference, becomes theirs. */
export function payerIn(json: ProviderJson): PayerFacts {
  const customer = parseObject(json.customer)
  const metadata = [json, parseObject(json.subscription), customer].map((one) => parseObject(one.metadata))
  return {
    customer: parseText(json.customer_id),
    email: parseEmail(customer.email),
    name: parseText(customer.name) ?? parseText(customer.billing_name),
    country: parseCountry(parseObject(json.billing_address ?? customer.billing_address).country),
    references: [...parseReferences(...metadata), ...parseTexts(...metadata.map(({ reference_id }) => reference_id))],
    promotionCodes: parsePromotionCodes(parseObject(json.discount).code),
  }
}

/** A negative balance is a debt for an earlier order, which was a payment itself. */
const paidOf = (total: number, balance: number) => Math.max(0, total + Math.min(0, balance))

export function readOrder(json: ProviderJson, at: Date): ProviderObject {
  const [net, tax] = [parseInteger(json.net_amount), parseInteger(json.tax_amount)]
  const items = parseObjects(json.items)
  const data: Order = {
    ...payerIn(json),
    net,
    tax,
    total: net + tax,
    paid: paidOf(net + tax, parseInteger(json.applied_balance_amount)),
    currency: parseCurrency(json.currency),
    subscription: parseText(json.subscription_id),
    at: parseMillis(at, json.created_at),
    description: parseText(json.description) ?? parseText(parseObject(json.product).name) ?? parseText(items[0]?.label),
    lines: items.flatMap((item) => {
      const { id, product_price_id: priceId, label: name } = item
      const [productId, quantity] = [json.product_id, json.units ?? json.seats ?? null]
      return readLine({ id, productId, priceId, name, quantity, amount: parseInteger(item.amount) || null })
    }),
  }
  return providerObject('order', parseText(json.id), changedAt(json) ?? at, data)
}

const STAGES: Record<string, number> = { succeeded: 1, failed: 2, canceled: 2 }

/** Reads a refund, which a prevented dispute is too. Its amount is net of tax. */
export function readRefund(json: ProviderJson, at: Date): ProviderObject {
  const refund = refundIn(json, at)
  return providerObject('refund', parseText(json.id), changedAt(json) ?? at, refund, {
    rank: STAGES[refund.status] ?? 0,
  })
}

/** Reads a dispute, which may be opened again after its prevention has failed. */
export const readDispute = (json: ProviderJson, at: Date) =>
  providerObject('dispute', parseText(json.id), changedAt(json) ?? at, refundIn(json, at))

const refundIn = (json: ProviderJson, at: Date): Refund => ({
  amount: parseInteger(json.amount) + parseInteger(json.tax_amount),
  currency: parseCurrency(json.currency),
  status: parseText(json.status) ?? '',
  reason: parseText(json.reason),
  at: parseMillis(at, json.created_at),
})
