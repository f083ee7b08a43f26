import { type ProviderJson, parseInteger, parseObject } from '../parse-values.ts'
import { PaymentProviderError, type ProviderAdapter, type ReceivedEvent } from '../provider.ts'
import { createStripeApi, parseRows } from './api.ts'
import { eventTypes } from './gather.ts'
import { parseId, readEvent } from './objects.ts'

const DAY = 86_400
/** Seconds for which events are read (Stripe lists thirty days); older facts are read from the objects. */
const LISTED_FOR = 25 * DAY
/** Seconds to read in advance: an invoice counts when paid, but is listed by its creation. */
const DRAFTED_BEFORE = 40 * DAY

/** Lists for the time before the events, each object as the event that would have reported its current state. */
const lists: {
  path: string
  query?: Record<string, string>
  before?: number
  type: string
  isOne(json: ProviderJson): boolean
  /** A key that may not read them lists none. */
  optional?: boolean
  at(json: ProviderJson): number
}[] = [
  {
    path: 'checkout/sessions',
    query: { status: 'complete' },
    type: 'checkout.session.completed',
    isOne: () => true,
    at: created,
  },
  {
    path: 'invoices',
    query: { status: 'paid' },
    before: DRAFTED_BEFORE,
    type: 'invoice.paid',
    isOne: () => true,
    at: (json) => parseInteger(parseObject(json.status_transitions).paid_at) || created(json),
  },
  {
    path: 'charges',
    type: 'charge.succeeded',
    isOne: ({ status, captured }) => status === 'succeeded' && captured !== false,
    at: created,
  },
  { path: 'refunds', type: 'refund.updated', isOne: () => true, at: created },
  { path: 'credit_notes', type: 'credit_note.updated', isOne: () => true, at: created, optional: true },
  { path: 'disputes', type: 'charge.dispute.updated', isOne: () => true, at: created },
]

/** Returns whether a customer had a paid charge before this time. */
export const paidBefore: NonNullable<ProviderAdapter['paidBefore']> = async (credentials, reach, customer, before) => {
  const seconds = Math.floor(before.getTime() / 1000)
  const charges = await createStripeApi(credentials, reach).list('charges', {
    customer,
    'created[lt]': String(seconds),
  })
  return charges.some(({ status, captured }) => status === 'succeeded' && captured !== false)
}

function created(json: ProviderJson) {
  return parseInteger(json.created)
}

/** `until`: end of the time covered by lists; null if events reach back far enough. */
type Place = { list: string; until: number | null; after: string | null }

const EVENTS = 'events'
const wordsOf = ({ list, until, after }: Place) => [list, until ?? '', after ?? ''].join('|')
function placeOf(cursor: string): Place {
  const [list = '', until, after] = cursor.split('|')
  return { list, until: until ? Number(until) : null, after: after || null }
}

/**
 * Lists Stripe's events, newest first, as delivered: before all else, since Stripe soon deletes them. Older objects
 * follow list by list.
 */
export const readHistory: NonNullable<ProviderAdapter['readHistory']> = async (credentials, reach, from, cursor) => {
  const since = Math.floor(from.getTime() / 1000)
  const listedFrom = Math.floor(reach.now.getTime() / 1000) - LISTED_FOR
  const place = cursor ? placeOf(cursor) : { list: EVENTS, until: since < listedFrom ? listedFrom : null, after: null }
  const { list, until, after } = place
  const listing = lists.find(({ path }) => path === list)
  const request = createStripeApi(credentials, reach).get(list, {
    limit: '100',
    'created[gte]': String(listing ? since - (listing.before ?? 0) : (until ?? since)),
    ...(listing ? { 'created[lt]': String(until), ...listing.query } : typesAsked()),
    ...(after && { starting_after: after }),
  })
  const page = await request.catch((error): ProviderJson => {
    if (listing?.optional && error instanceof PaymentProviderError && error.kind === 'forbidden') return {}
    throw error
  })
  const rows = parseRows(page)
  const last = page.has_more === true ? parseId(rows.at(-1)?.id) : null
  const next = last ? { ...place, after: last } : until === null ? null : listAfter(list, until)
  const events = listing
    ? rows.filter((row) => listing.isOne(row) && listing.at(row) >= since).map((row) => eventFor(listing, row))
    : rows.map((row) => readEvent(JSON.stringify(row)))
  return { events, next: next && wordsOf(next) }
}

/** Reads the charges of a payment, which have its refunds. */
export const readAgain: NonNullable<ProviderAdapter['readAgain']> = (credentials, reach, objects) => {
  const api = createStripeApi(credentials, reach)
  const ids = objects.filter(({ kind }) => kind === 'charge').map(({ id }) => id)
  return Promise.all(
    ids.map(async (id) => {
      const charge = await api.get(`charges/${id}`)
      const at = () => Math.floor(reach.now.getTime() / 1000)
      return eventFor({ path: 'charges again', type: 'charge.refunded', at }, charge)
    }),
  )
}

const typesAsked = () => Object.fromEntries(eventTypes.map((type, index) => [`types[${index}]`, type]))

function listAfter(list: string, until: number): Place | null {
  const path = lists[lists.findIndex(({ path }) => path === list) + 1]?.path
  return path ? { list: path, until, after: null } : null
}

/**
 * Returns an event for a listed object, with an id that depends only on the object and its state, and differs from
 * Stripe's. Some objects have no mode: those listed have the key's.
 */
function eventFor(
  { path, type, at }: Pick<(typeof lists)[number], 'path' | 'type' | 'at'>,
  json: ProviderJson,
): ReceivedEvent {
  const id = [path, json.id, json.status, json.payment_status].filter(Boolean).join(' ')
  const body = JSON.stringify({ id, object: 'event', type, created: at(json), data: { object: json } })
  return { ...readEvent(body), livemode: null }
}
