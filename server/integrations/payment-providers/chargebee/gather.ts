import { type ProviderJson, parseObject, parseObjects } from '../parse-values.ts'
import type { PaymentFacts, ProviderObject } from '../provider.ts'
import { type PayerFacts, paymentReported, providerObject, toPayer } from '../provider-objects.ts'
import { createFactsReader, type EventFacts, type EventReading, type Readers } from '../resolve-event.ts'
import { type ChargebeeApi, createChargebeeApi } from './api.ts'
import {
  type ChargebeeInvoice,
  type ChargebeeTransaction,
  isPaid,
  type Part,
  parseGroupKey,
  parseId,
  paymentReturnedBy,
  readCustomer,
  readInvoice,
  readReturned,
  readSubscription,
  readTransaction,
  toGroupKey,
  toPaymentKey,
} from './objects.ts'

type ChargebeeReading = EventReading<ChargebeeApi>

const readers: Readers<ChargebeeApi> = {
  payment_succeeded: transactionRead,
  payment_refunded: transactionRead,
  subscription_created: subscriptionCreated,
}
export const eventTypes = Object.keys(readers)

/** An event has its transaction, and often the invoice and its payer; what it lacks is asked for once. */
export const readFacts = createFactsReader({
  readers,
  createApi: createChargebeeApi,
  objectIn: ({ content }) => parseObject(content),
  needed: true,
})

async function transactionRead(reading: ChargebeeReading): Promise<EventFacts> {
  const transaction = parseObject(reading.json.transaction)
  const { type, id } = transaction
  if (!parseId(id)) return {}
  if (type === 'payment') return paymentRead(reading, transaction, 'payment')
  return type === 'refund' || type === 'payment_reversal' ? returnRead(reading, transaction) : {}
}

/** Reads a payment, of which each invoice's part is a sale: reported if it is the event's own, and the money came. */
async function paymentRead(
  reading: ChargebeeReading,
  json: ProviderJson,
  source: 'payment' | 'refund',
): Promise<Required<Pick<EventFacts, 'shared' | 'payments'>> & EventFacts> {
  const { at, stored } = reading
  const transaction = readTransaction(json, at)
  const group = toGroupKey(transaction.id)
  const kept = await stored.listByPayment(group)
  const known = kept.find(({ kind }) => kind === 'transaction')
  const facts = transaction.data as ChargebeeTransaction
  const isReported = source === 'payment' && isPaid(facts)
  const parts: PaymentFacts[] = []
  // a failure matters only if the payment succeeded before
  if (source === 'payment' && !isReported)
    return { shared: known ? [{ group, objects: [transaction] }] : [], payments: parts }
  // a reversed payment is taken off its invoices: it's known which these were
  if (facts.reversal && facts.parts.length === 0 && known) transaction.data.parts = known.data.parts
  const reversal = await reversalOf(reading, facts, kept)
  const find = finderOf(reading)
  for (const part of facts.parts) {
    const key = toPaymentKey(transaction.id, part.invoice)
    const before = await stored.listByPayment(key)
    const objects = await partRead(reading, find, { ...part, transaction: transaction.id, known: before })
    if (objects.length === 0) continue
    // it keeps the name by which it was first told
    if (before.length === 0 && facts.parts.length === 1) objects.push(providerObject('name', transaction.id, at, {}))
    parts.push({ key, objects: [...objects, ...(isReported ? [paymentReported(at)] : [])] })
  }
  const { customer } = reading.json
  const isFree = isReported && facts.amount === 0
  return {
    shared: [{ group, objects: [transaction, ...reversal] }],
    payments: parts,
    prospect: isFree ? prospectIn(reading, parseObject(customer)) : null,
  }
}

/** Reads the reversal that a payment names, unless it is known: it may not name the payment itself. */
async function reversalOf(
  { at, calls }: ChargebeeReading,
  { reversal: id }: ChargebeeTransaction,
  kept: ProviderObject[],
) {
  if (!id || kept.some((one) => one.kind === 'reversal' && one.id === id)) return []
  const json = await calls.ask((api) => api.read('transaction', id))
  return json?.type === 'payment_reversal' ? [readReturned(json, at)] : []
}

type Wanted = Part & { transaction: string; known: ProviderObject[] }
type Find = ReturnType<typeof finderOf>

/** Returns an invoice with its payer as far as they are told or not known yet; nothing if there is no such invoice. */
async function partRead(
  { at }: ChargebeeReading,
  find: Find,
  { transaction, amount, invoice: id, known }: Wanted,
): Promise<ProviderObject[]> {
  const knows = (kind: string) => known.some((one) => one.kind === kind)
  const json = find.inEvent('invoice', id) ?? (knows('invoice') ? null : await find.atProvider('invoice', id))
  const invoice = json ? readInvoice(json, at, { transaction, amount }) : known.find(({ kind }) => kind === 'invoice')
  if (!invoice) return []
  const { customer, subscription } = invoice.data as ChargebeeInvoice
  const payer = async (name: 'customer' | 'subscription', of: string | null) =>
    of === null ? null : (find.inEvent(name, of) ?? (knows(name) ? null : await find.atProvider(name, of)))
  const [person, contract] = [await payer('customer', customer), await payer('subscription', subscription)]
  return [invoice, ...(person ? [readCustomer(person, at)] : []), ...(contract ? [readSubscription(contract, at)] : [])]
}

/** Finds objects in an event, whose content may list several, or else at Chargebee, each once. */
function finderOf({ json, calls }: ChargebeeReading) {
  type Name = 'invoice' | 'customer' | 'subscription'
  const requests = new Map<string, Promise<ProviderJson | null>>()
  return {
    inEvent: (name: Name, id: string): ProviderJson | null =>
      [parseObject(json[name]), ...parseObjects(json[`${name}s`])].find((one) => one.id === id) ?? null,
    atProvider(name: Name, id: string): Promise<ProviderJson | null> {
      const question = `${name} ${id}`
      const answer = requests.get(question) ?? calls.ask((api) => api.read(name, id))
      requests.set(question, answer)
      return answer
    },
  }
}

/**
 * Reads a refund or a reversal, which payments share that are of the same transaction. One that is not known is asked
 * for, so that a sale from another source may be found by its name.
 */
async function returnRead(reading: ChargebeeReading, json: ProviderJson): Promise<EventFacts> {
  const { at, calls, stored } = reading
  const returned = readReturned(json, at)
  const of = paymentReturnedBy(json)
  const group = of ? toGroupKey(of) : await stored.findPaymentKey(returned.kind, returned.id)
  if (!group) return {}
  const isKnown = (await stored.listByPayment(group)).some(({ kind }) => kind === 'transaction')
  const paidBy = parseGroupKey(group)
  const original = isKnown ? null : await calls.ask((api) => api.read('transaction', paidBy))
  const paid =
    original?.type === 'payment' && original.id === paidBy ? await paymentRead(reading, original, 'refund') : null
  return {
    shared: [{ group, objects: [...(paid?.shared[0]?.objects ?? []), returned] }],
    payments: paid?.payments ?? [],
  }
}

/** Reads a subscription's beginning, which may be a trial without any payment. */
async function subscriptionCreated(reading: ChargebeeReading): Promise<EventFacts> {
  const { json } = reading
  const id = parseId(parseObject(json.subscription).customer_id)
  const find = finderOf(reading)
  const customer = id ? (find.inEvent('customer', id) ?? (await find.atProvider('customer', id))) : null
  return { prospect: prospectIn(reading, customer ?? {}) }
}

const prospectIn = ({ json, at }: ChargebeeReading, customer: ProviderJson) =>
  toPayer(
    [readSubscription(parseObject(json.subscription), at), readCustomer(customer, at)].map(
      ({ data }) => data as PayerFacts,
    ),
  )
