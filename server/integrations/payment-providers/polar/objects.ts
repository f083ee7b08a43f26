import type { SaleLine } from '#contract/sales.ts'
import {
  country,
  currency,
  email,
  jsonIn,
  millis,
  moment,
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
export const changedAt = ({ modified_at, created_at }: ProviderJson) => moment(modified_at) ?? moment(created_at)

/** Parses an event; its id is in a header. */
export function readEvent(body: string, given: unknown): ReceivedEvent {
  const json = object(jsonIn(body))
  const data = object(json.data)
  const [id, type, at] = [text(given), text(json.type), moment(json.timestamp)]
  if (!id || !type || !at || !text(data.id)) throw new PaymentProviderError('invalid', 'This isn’t a Polar event.')
  const account = text(data.organization_id) ?? text(object(data.customer).organization_id)
  return { id, type, at, account, livemode: null, body }
}

/** Reads the payer of an order or a subscription. A checkout's metadata, with its reference, becomes theirs. */
export function payerIn(json: ProviderJson): PayerFacts {
  const customer = object(json.customer)
  const metadata = [json, object(json.subscription), customer].map((one) => object(one.metadata))
  return {
    customer: text(json.customer_id),
    email: email(customer.email),
    name: text(customer.name) ?? text(customer.billing_name),
    country: country(object(json.billing_address ?? customer.billing_address).country),
    references: [...references(...metadata), ...texts(...metadata.map(({ reference_id }) => reference_id))],
    promotionCodes: promotionCodes(object(json.discount).code),
  }
}

/** A negative balance is a debt for an earlier order, which was a payment itself. */
const paidOf = (total: number, balance: number) => Math.max(0, total + Math.min(0, balance))

export function readOrder(json: ProviderJson, at: Date): ProviderObject {
  const [net, tax] = [whole(json.net_amount), whole(json.tax_amount)]
  const items = objectsIn(json.items)
  const data: Order = {
    ...payerIn(json),
    net,
    tax,
    total: net + tax,
    paid: paidOf(net + tax, whole(json.applied_balance_amount)),
    currency: currency(json.currency),
    subscription: text(json.subscription_id),
    at: millis(at, json.created_at),
    description: text(json.description) ?? text(object(json.product).name) ?? text(items[0]?.label),
    lines: items.flatMap((item) => {
      const { id, product_price_id: priceId, label: name } = item
      const [productId, quantity] = [json.product_id, json.units ?? json.seats ?? null]
      return readLine({ id, productId, priceId, name, quantity, amount: whole(item.amount) || null })
    }),
  }
  return providerObject('order', text(json.id), changedAt(json) ?? at, data)
}

const STAGES: Record<string, number> = { succeeded: 1, failed: 2, canceled: 2 }

/** Reads a refund, which a prevented dispute is too. Its amount is net of tax. */
export function readRefund(json: ProviderJson, at: Date): ProviderObject {
  const refund = refundIn(json, at)
  return providerObject('refund', text(json.id), changedAt(json) ?? at, refund, { rank: STAGES[refund.status] ?? 0 })
}

/** Reads a dispute, which may be opened again after its prevention has failed. */
export const readDispute = (json: ProviderJson, at: Date) =>
  providerObject('dispute', text(json.id), changedAt(json) ?? at, refundIn(json, at))

const refundIn = (json: ProviderJson, at: Date): Refund => ({
  amount: whole(json.amount) + whole(json.tax_amount),
  currency: currency(json.currency),
  status: text(json.status) ?? '',
  reason: text(json.reason),
  at: millis(at, json.created_at),
})
