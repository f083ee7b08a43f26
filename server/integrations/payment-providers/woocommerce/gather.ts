import { parseObjects, parseText } from '../parse-values.ts'
import { PaymentProviderError, type ProviderObject } from '../provider.ts'
import { isRelatedRead, paymentReported, providerObject, relatedRead, toPayer } from '../provider-objects.ts'
import { createFactsReader, type EventFacts, type EventReading, type Readers, toFacts } from '../resolve-event.ts'
import { createWooCommerceApi, type WooCommerceApi } from './api.ts'
import { type Begun, isGone, type Order, parseId, type Refunds, readOrder, readRefunds } from './objects.ts'

type WooReading = EventReading<WooCommerceApi>

/** The topics subscribed to: a refund updates its order. */
export const TOPICS = ['order.created', 'order.updated']
/** An order that was listed, and paid since the time asked for. No topic is named so, as only bodies are signed. */
export const LISTED = 'order'
/** The refunds of an order, listed again. */
export const REFUNDS = 'refunds'

const readers: Readers<WooCommerceApi> = {
  ...Object.fromEntries(TOPICS.map((topic) => [topic, orderRead])),
  [LISTED]: orderRead,
  [REFUNDS]: refundsRead,
}
export const eventTypes = Object.keys(readers)

export const readFacts = createFactsReader({
  readers,
  createApi: createWooCommerceApi,
  objectIn: (body) => body,
  needed: true,
})

/**
 * Longest time between a payment and an order's change that reports it, in milliseconds: a later change must not make a
 * sale of an order that was paid before the connection.
 */
const REPORTED_FOR_MS = 3 * 86_400_000

async function orderRead(reading: WooReading): Promise<EventFacts> {
  const { json, at, type, stored } = reading
  const id = parseId(json.id)
  if (!id) throw new PaymentProviderError('invalid', parseText(json.message) ?? 'WooCommerce sent no order.')
  if (isGone(json)) return {}
  const known = await stored.listByPayment(id)
  const order = readOrder(json, at)
  const { standing, total, ...payer } = order.data
  const reports = standing === 'paid' && (type === LISTED || at.getTime() - payer.at < REPORTED_FOR_MS)
  const more = reports ? await begunBy(reading, order, known) : []
  const refunds = await refundsOf(reading, order, known)
  return {
    ...toFacts(id, order, ...refunds, ...more, ...(reports ? [paymentReported(at)] : [])),
    prospect: reports && total === 0 ? toPayer([payer]) : null,
  }
}

async function refundsRead({ json, at, stored }: WooReading): Promise<EventFacts> {
  const id = parseId(json.order)
  const order = orderAmong(id ? await stored.listByPayment(id) : [])
  return id && order ? toFacts(id, readRefunds(id, parseObjects(json.refunds), order.currency, at)) : {}
}

const orderAmong = (objects: ProviderObject[]) =>
  objects.find(({ kind }) => kind === 'order')?.data as Order | undefined

/**
 * Asks for the refunds of an order that has or had some: the order names neither their lines nor their time, and not
 * every removed one is reported.
 */
async function refundsOf(
  { json, at, now, calls }: WooReading,
  { id, data }: ReturnType<typeof readOrder>,
  known: ProviderObject[],
) {
  const before = known.find(({ kind }) => kind === 'refunds')?.data as Refunds | undefined
  const reportedRefunds = parseObjects(json.refunds)
  if (reportedRefunds.length === 0 && !before?.list.length) return []
  const rows = await calls.ask((api) => api.all(`orders/${id}/refunds`))
  if (rows) return [readRefunds(id, rows, data.currency, now)]
  // of a deleted order nothing changes
  return before ? [] : [readRefunds(id, reportedRefunds, data.currency, at)]
}

/** Asks once for the subscription that an order began; only renewals name theirs. */
async function begunBy(
  { at, lineCalls }: WooReading,
  { id, data }: ReturnType<typeof readOrder>,
  known: ProviderObject[],
) {
  if (data.subscription || isRelatedRead(known)) return []
  const rows = await lineCalls.ask((api) => api.page(`orders/${id}/subscriptions`))
  if (!rows) return lineCalls.failure() ? [] : [relatedRead(at)]
  const subscription = parseId(rows.rows[0]?.id)
  const begun = subscription ? [providerObject('begun', id, at, { subscription } satisfies Begun)] : []
  return [...begun, relatedRead(at)]
}
