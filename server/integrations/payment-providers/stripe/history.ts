import type { ProviderAdapter, ProviderEvent } from '../provider.ts'
import { type Json, object, whole } from '../reading.ts'
import { createStripeApi, rowsOf } from './api.ts'
import { readEvent } from './event.ts'
import { eventTypes } from './gather.ts'
import { idOf } from './objects.ts'

const DAY = 86_400
/** Stripe lists events for thirty days; what is older than this is read from the things themselves. */
const TOLD_FOR = 25 * DAY
/** An invoice counts from when it is paid, and is listed by when it was drafted. */
const DRAFTED_BEFORE = 40 * DAY

/** Things by which the past beyond the events is told, each as the event that would have told of it as it is now. */
const lists: {
  path: string
  query?: Record<string, string>
  before?: number
  type: string
  isOne(json: Json): boolean
  at(json: Json): number
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
    at: (json) => whole(object(json.status_transitions).paid_at) || created(json),
  },
  {
    path: 'charges',
    type: 'charge.succeeded',
    isOne: ({ status, captured }) => status === 'succeeded' && captured !== false,
    at: created,
  },
  { path: 'refunds', type: 'refund.updated', isOne: () => true, at: created },
  { path: 'disputes', type: 'charge.dispute.updated', isOne: () => true, at: created },
]

function created(json: Json) {
  return whole(json.created)
}

/** `until`: what was made before it is read from the lists; null where the events reach back far enough. */
type Place = { list: string; until: number | null; after: string | null }

const EVENTS = 'events'
const wordsOf = ({ list, until, after }: Place) => [list, until ?? '', after ?? ''].join('|')
function placeOf(cursor: string): Place {
  const [list = '', until, after] = cursor.split('|')
  return { list, until: until ? Number(until) : null, after: after || null }
}

/**
 * Stripe's events, newest first, as they were delivered: at first, since Stripe soon deletes them. Older objects follow list
 * by list.
 */
export const history: NonNullable<ProviderAdapter['history']> = async (credentials, reach, from, cursor) => {
  const since = Math.floor(from.getTime() / 1000)
  const told = Math.floor(reach.now.getTime() / 1000) - TOLD_FOR
  const place = cursor ? placeOf(cursor) : { list: EVENTS, until: since < told ? told : null, after: null }
  const { list, until, after } = place
  const thing = lists.find(({ path }) => path === list)
  const page = await createStripeApi(credentials, reach).get(list, {
    limit: '100',
    'created[gte]': String(thing ? since - (thing.before ?? 0) : (until ?? since)),
    ...(thing ? { 'created[lt]': String(until), ...thing.query } : typesAsked()),
    ...(after && { starting_after: after }),
  })
  const rows = rowsOf(page)
  const last = page.has_more === true ? idOf(rows.at(-1)?.id) : null
  const next = last ? { ...place, after: last } : until === null ? null : listAfter(list, until)
  const events = thing
    ? rows.filter((row) => thing.isOne(row) && thing.at(row) >= since).map((row) => asTold(thing, row))
    : rows.map((row) => readEvent(JSON.stringify(row)))
  return { events, next: next && wordsOf(next) }
}

const typesAsked = () => Object.fromEntries(eventTypes.map((type, index) => [`types[${index}]`, type]))

function listAfter(list: string, until: number): Place | null {
  const path = lists[lists.findIndex(({ path }) => path === list) + 1]?.path
  return path ? { list: path, until, after: null } : null
}

/**
 * An event's id depends on the thing and its state alone, whenever it is read; none that Stripe delivers has such an id. Some
 * things do not have a mode: those a key lists are of its own.
 */
function asTold({ path, type, at }: (typeof lists)[number], json: Json): ProviderEvent {
  const id = [path, json.id, json.status, json.payment_status].filter(Boolean).join(' ')
  const body = JSON.stringify({ id, object: 'event', type, created: at(json), data: { object: json } })
  return { ...readEvent(body), livemode: null }
}
