import { jsonIn, object, type ProviderJson, promotionCodes, text } from '../parse-values.ts'
import { payerOf } from '../payer.ts'
import type { Credentials, GatheredFacts, ProviderAccess, StoredEvent } from '../provider.ts'
import { type ProviderCalls as AskingOf, createAsking, type EventFacts, gathered } from '../provider-calls.ts'
import { announcement } from '../provider-objects.ts'
import { createPaddleApi, type PaddleApi } from './api.ts'
import {
  type Customer,
  type PaddleTransaction,
  readAdjustment,
  readCustomer,
  readPaddleTransaction,
} from './objects.ts'

type Asking = AskingOf<PaddleApi>
type Reading = { json: ProviderJson; at: Date; asking: Asking; askingForCodes: Asking }

/** Readers by event type. Types not listed move no money. */
const readers: Record<string, (reading: Reading) => Promise<EventFacts>> = {
  'transaction.completed': transactionCompleted,
  'adjustment.created': adjusted,
  'adjustment.updated': adjusted,
  'subscription.created': subscriptionCreated,
}
export const eventTypes = Object.keys(readers)

/** Gathers an event's facts, completed by the customer's record, the only source of their e-mail. */
export async function gather(
  event: StoredEvent,
  credentials: Credentials | null,
  reach: ProviderAccess,
): Promise<GatheredFacts> {
  const api = credentials && createPaddleApi(credentials, reach)
  const json = object(object(jsonIn(event.body)).data)
  const isTheSame = ofWhomTold(event.type, json)
  const asking = createAsking(api, reach, isTheSame)
  const askingForCodes = createAsking(api, reach, isTheSame)
  const told = await readers[event.type]?.({ json, at: event.at, asking, askingForCodes })
  const unread = askingForCodes.failure()
  // without the right to read discounts their ids are used
  const failure = asking.failure() ?? (unread?.kind === 'forbidden' ? null : unread)
  return gathered(told, failure && { error: failure, needed: true })
}

/**
 * Returns a call that verifies the account, since keys do not name it: another seller's key does not find the event's
 * object.
 */
const ofWhomTold = (type: string, { id }: ProviderJson) => {
  const kind = type.startsWith('transaction.') ? 'transactions' : 'subscriptions'
  return (api: PaddleApi) => api.get(`${kind}/${encodeURIComponent(text(id) ?? '')}`)
}

async function transactionCompleted(reading: Reading): Promise<EventFacts> {
  const { json, at } = reading
  const transaction = readPaddleTransaction(json, at, await codesOf(reading))
  const { paid, ...payer } = transaction.data as PaddleTransaction
  const customer = await customerOf(reading)
  const known = customer ? [customer] : []
  if (paid <= 0) return { newcomer: payerOf([payer, ...known.map(({ data }) => data as Customer)]) }
  const objects = [transaction, ...known, announcement(at)]
  return { sightings: [{ key: transaction.id, aliases: [], objects }] }
}

/** Returns the discount's id, which a transaction contains, and its code, which buyers and owners know. */
async function codesOf({ json, askingForCodes }: Reading): Promise<string[]> {
  const id = text(json.discount_id)
  const found = id && (await askingForCodes.ask((api) => api.get(`discounts/${encodeURIComponent(id)}`)))
  return promotionCodes(id, found ? found.code : null)
}

async function customerOf({ json, at, asking }: Reading) {
  const id = text(json.customer_id)
  const found = id && (await asking.ask((api) => api.get(`customers/${encodeURIComponent(id)}`)))
  return found ? readCustomer(found, at) : null
}

async function adjusted({ json, at }: Reading): Promise<EventFacts> {
  const key = text(json.transaction_id)
  return key ? { sightings: [{ key, aliases: [], objects: [readAdjustment(json, at)] }] } : {}
}

/** Reads a trial, which begins before any payment. */
async function subscriptionCreated(reading: Reading): Promise<EventFacts> {
  const customer = await customerOf(reading)
  const { customer_id, custom_data } = reading.json
  const told = readCustomer({ id: customer_id, custom_data }, reading.at)
  return { newcomer: payerOf([told, ...(customer ? [customer] : [])].map(({ data }) => data as Customer)) }
}
