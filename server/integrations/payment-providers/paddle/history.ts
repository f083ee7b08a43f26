import { type ProviderJson, parseObject, parseText, parseTime } from '../parse-values.ts'
import type { ProviderAdapter, ReceivedEvent } from '../provider.ts'
import { createPaddleApi } from './api.ts'
import { eventTypes } from './gather.ts'
import { readEvent } from './objects.ts'

const DAY_MS = 86_400_000
/**
 * Period for which Paddle lists its events, in milliseconds; less one day, so that no page expires while it is read.
 */
const LISTED_FOR_MS = 89 * DAY_MS

/**
 * Lists Paddle's events, newest first, as delivered. Older ones are not listed, so the transactions and then the
 * adjustments themselves are read, as the events that would report them.
 */
export const readHistory: NonNullable<ProviderAdapter['readHistory']> = async (credentials, reach, since, cursor) => {
  const isListed = reach.now.getTime() - since.getTime() <= LISTED_FOR_MS
  const path = cursor ?? (isListed ? EVENTS : transactionsSince(since))
  const { rows, next } = await createPaddleApi(credentials, reach).page(path)
  const list = path.split('?')[0]
  if (list === 'events') {
    const events = rows.map((row) => readEvent(JSON.stringify(row)))
    const ended = events.length > 0 && events.every(({ at }) => at < since)
    return {
      events: events.filter(({ type, at }) => at >= since && eventTypes.includes(type)),
      next: ended ? null : next,
    }
  }
  const isTransactions = list === 'transactions'
  const type = isTransactions ? 'transaction.completed' : 'adjustment.updated'
  const events = rows.map((row) => eventFor(type, row)).filter(({ at }) => at >= since)
  return { events, next: next ?? (isTransactions ? ADJUSTMENTS : null) }
}

const EVENTS = 'events?order_by=id[DESC]&per_page=50'
const ADJUSTMENTS = 'adjustments?status=approved,reversed&order_by=id[ASC]&per_page=50'

/** Returns whether a customer had a transaction above zero before this time. */
export const paidBefore: NonNullable<ProviderAdapter['paidBefore']> = async (credentials, reach, customer, before) => {
  const path = `transactions?customer_id=${encodeURIComponent(customer)}&status=completed&created_at[LT]=${before.toISOString()}&per_page=30`
  const { rows } = await createPaddleApi(credentials, reach).page(path)
  return rows.some(({ details }) => Number(parseObject(parseObject(details).totals).total) > 0)
}

const transactionsSince = (since: Date) =>
  `transactions?status=completed&updated_at[GTE]=${since.toISOString()}&order_by=id[ASC]&per_page=30`

/** Returns the event that would report an object's current state; an unchanged object gives the same event. */
function eventFor(event_type: string, data: ProviderJson): ReceivedEvent {
  const occurred_at = parseTime(data.updated_at)?.toISOString()
  return readEvent(JSON.stringify({ event_id: `${parseText(data.id)} ${occurred_at}`, event_type, occurred_at, data }))
}
