import { parseObject, parsePromotionCodes, parseText } from '../parse-values.ts'
import { type PayerFacts, paymentReported, toPayer } from '../provider-objects.ts'
import { createFactsReader, type EventFacts, type EventReading, type Readers, toFacts } from '../resolve-event.ts'
import { createPaddleApi, type PaddleApi } from './api.ts'
import { type PaddleTransaction, readAdjustment, readCustomer, readPaddleTransaction } from './objects.ts'

type PaddleReading = EventReading<PaddleApi>

const adjusted = ({ json, at }: PaddleReading) => toFacts(parseText(json.transaction_id), readAdjustment(json, at))

const readers: Readers<PaddleApi> = {
  'transaction.completed': transactionCompleted,
  'adjustment.created': adjusted,
  'adjustment.updated': adjusted,
  'subscription.created': subscriptionCreated,
}
export const eventTypes = Object.keys(readers)

/**
 * The customer's record is the only source of their e-mail. Keys do not name their account: another seller's key does
 * not find the event's object.
 */
export const readFacts = createFactsReader({
  readers,
  createApi: createPaddleApi,
  objectIn: ({ data }) => parseObject(data),
  needed: true,
  isTheSame(api, type, { id }) {
    const kind = type.startsWith('transaction.') ? 'transactions' : 'subscriptions'
    return api.get(`${kind}/${encodeURIComponent(parseText(id) ?? '')}`)
  },
})

async function transactionCompleted(reading: PaddleReading): Promise<EventFacts> {
  const { json, at } = reading
  const transaction = readPaddleTransaction(json, at, await codesOf(reading))
  const { paid, ...payer } = transaction.data as PaddleTransaction
  const customer = await customerOf(reading)
  const known = customer ? [customer] : []
  if (paid <= 0) return { prospect: toPayer([payer, ...known.map(({ data }) => data as PayerFacts)]) }
  return toFacts(transaction.id, transaction, ...known, paymentReported(at))
}

/** Returns the discount's id, which a transaction contains, and its code, which buyers and owners know. */
async function codesOf({ json, codeCalls }: PaddleReading): Promise<string[]> {
  const id = parseText(json.discount_id)
  const found = id && (await codeCalls.ask((api) => api.get(`discounts/${encodeURIComponent(id)}`)))
  return parsePromotionCodes(id, found ? found.code : null)
}

async function customerOf({ json, at, calls }: PaddleReading) {
  const id = parseText(json.customer_id)
  const found = id && (await calls.ask((api) => api.get(`customers/${encodeURIComponent(id)}`)))
  return found ? readCustomer(found, at) : null
}

/** Reads a trial, which begins before any payment. */
async function subscriptionCreated(reading: PaddleReading): Promise<EventFacts> {
  const customer = await customerOf(reading)
  const { customer_id, custom_data } = reading.json
  const payer = readCustomer({ id: customer_id, custom_data }, reading.at)
  return { prospect: toPayer([payer, ...(customer ? [customer] : [])].map(({ data }) => data as PayerFacts)) }
}
