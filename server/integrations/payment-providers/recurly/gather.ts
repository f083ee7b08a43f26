import { type ProviderJson, parseObject, parseObjects } from '../parse-values.ts'
import type { ProviderObject } from '../provider.ts'
import { isRelatedRead, type PayerFacts, paymentReported, relatedRead, toPayer } from '../provider-objects.ts'
import { createFactsReader, type EventFacts, type EventReading, type Readers, toFacts } from '../resolve-event.ts'
import { createRecurlyApi, type RecurlyApi } from './api.ts'
import {
  isPayment,
  isTaken,
  numberOf,
  parseId,
  parseUuid,
  readAccount,
  readInvoice,
  readRedemptions,
  readRefund,
  readSubscription,
  readTransaction,
  type Transaction,
} from './objects.ts'

type RecurlyReading = EventReading<RecurlyApi>

const readers: Readers<RecurlyApi> = {
  'charge_invoice.paid': invoicePaid,
  'payment.refunded': transactionChanged,
  // a refund before the payment has settled
  'payment.voided': transactionChanged,
  'subscription.created': subscriptionCreated,
}
export const eventTypes = Object.keys(readers)

/** A notification contains nothing of its object, which is read from Recurly. */
export const readFacts = createFactsReader({
  readers,
  createApi: createRecurlyApi,
  objectIn: (body, type) => (pathOf(body, type) || body.read ? body : null),
  needed: true,
})

/** Returns the path of the object that a notification names; null if it names none. */
function pathOf({ invoice_number, uuid }: ProviderJson, type: string): string | null {
  if (type === 'charge_invoice.paid') return under('invoices/number-', numberOf(invoice_number))
  return under(type === 'subscription.created' ? 'subscriptions/uuid-' : 'transactions/uuid-', parseUuid(uuid))
}

const under = (path: string, name: string | null) => name && `${path}${encodeURIComponent(name)}`

/** Returns the object of a notification; the history has read it already. */
async function objectOf({ json, type, calls }: RecurlyReading): Promise<ProviderJson | null> {
  if (json.read) return parseObject(json.read)
  const path = pathOf(json, type)
  return path ? calls.ask((api) => api.get(path)) : null
}

async function invoicePaid(reading: RecurlyReading): Promise<EventFacts> {
  const { at, stored } = reading
  const json = await objectOf(reading)
  const key = numberOf(json?.number)
  if (!json || !key || json.type === 'credit') return {}
  const invoice = readInvoice(json, at)
  const payments = parseObjects(json.transactions).filter(isPayment)
  const transactions = payments.map((one) => readTransaction(one, at))
  const isPaid = transactions.some(({ data }) => isTaken(data as Transaction))
  const isKnown = isPaid && isRelatedRead(await stored.listByPayment(key))
  const related = isKnown ? [] : await relatedTo(json, reading)
  if (isPaid) return toFacts(key, invoice, ...transactions, ...related, paymentReported(at))
  return { prospect: toPayer([invoice, ...related].map(({ data }) => data as PayerFacts)) }
}

/** Most subscriptions of an invoice that are read for their custom fields. */
const MOST_SUBSCRIPTIONS = 50

/** An invoice has neither the custom fields of its account and its subscriptions nor its coupons. */
async function relatedTo(json: ProviderJson, { at, calls, codeCalls }: RecurlyReading): Promise<ProviderObject[]> {
  const invoice = parseId(json.id)
  const ids = (Array.isArray(json.subscription_ids) ? json.subscription_ids : []).flatMap((id) => parseId(id) ?? [])
  const wanted = ids.slice(0, MOST_SUBSCRIPTIONS).map(encodeURIComponent).join(',')
  const [account, subscriptions, redemptions] = await Promise.all([
    accountOf(json, calls),
    wanted ? calls.ask((api) => api.page(`subscriptions?ids=${wanted}`)) : null,
    invoice && Number(json.discount) > 0
      ? codeCalls.ask((api) => api.page(`invoices/${encodeURIComponent(invoice)}/coupon_redemptions`))
      : null,
  ])
  return [
    ...(account ? [readAccount(account, at)] : []),
    ...(subscriptions?.rows ?? []).map((one) => readSubscription(one, at)),
    ...(invoice && redemptions ? [readRedemptions(redemptions.rows, invoice, at)] : []),
    ...(calls.failure() ? [] : [relatedRead(at)]),
  ]
}

async function accountOf({ account }: ProviderJson, calls: RecurlyReading['calls']): Promise<ProviderJson | null> {
  const path = under('accounts/', parseId(parseObject(account).id))
  return path ? calls.ask((api) => api.get(path)) : null
}

async function transactionChanged(reading: RecurlyReading): Promise<EventFacts> {
  const { at } = reading
  const json = await objectOf(reading)
  if (!json) return {}
  if (json.type === 'refund') return toFacts(await saleRefunded(json, reading), readRefund(json, at))
  return isPayment(json) ? toFacts(numberOf(parseObject(json.invoice).number), readTransaction(json, at)) : {}
}

/**
 * Finds the invoice of the payment that a transaction refunds. One recorded by hand names no payment: then it is the
 * invoice that its own credits.
 */
async function saleRefunded(json: ProviderJson, { calls, stored }: RecurlyReading): Promise<string | null> {
  const original = parseId(json.original_transaction_id)
  if (original) {
    const known = await stored.findPaymentKey('transaction', original)
    if (known) return known
    const payment = await calls.ask((api) => api.get(`transactions/${encodeURIComponent(original)}`))
    return numberOf(parseObject(payment?.invoice).number)
  }
  const credits = under('invoices/', parseId(parseObject(json.invoice).id))
  const related = credits && (await calls.ask((api) => api.page(`${credits}/related_invoices`)))
  return numberOf((related ? related.rows : []).find(({ type }) => type === 'charge')?.number)
}

/** Reads a trial, which begins before any payment. */
async function subscriptionCreated(reading: RecurlyReading): Promise<EventFacts> {
  const { at, calls } = reading
  const json = await objectOf(reading)
  if (!json) return {}
  const account = await accountOf(json, calls)
  const payer = [readSubscription(json, at), ...(account ? [readAccount(account, at)] : [])]
  return { prospect: toPayer(payer.map(({ data }) => data as PayerFacts)) }
}
