import { type ProviderJson, parseObject, parseTime } from '../parse-values.ts'
import type { ProviderAdapter, ReceivedEvent } from '../provider.ts'
import { createLemonSqueezyApi, getStore } from './api.ts'
import { parseRefundedTotal, readEvent } from './objects.ts'

const DAY_MS = 86_400_000
/** Lists are sorted by the time of payment: look back this far for refunds of older ones. */
const LOOK_BACK_MS = 180 * DAY_MS

const NAMES: Record<string, { paid: string; refunded: string }> = {
  orders: { paid: 'order_created', refunded: 'order_refunded' },
  'subscription-invoices': { paid: 'subscription_payment_success', refunded: 'subscription_payment_refunded' },
}

/**
 * Lists orders and then invoices, newest first, as the events that would report them: Lemon Squeezy does not list sent
 * events. A checkout's custom data is not listed.
 */
export const readHistory: NonNullable<ProviderAdapter['readHistory']> = async (credentials, reach, since, cursor) => {
  const path = cursor ?? pathOf('orders', (await getStore(credentials, reach)).id)
  const { rows, next } = await createLemonSqueezyApi(credentials, reach).page(path)
  const [list = ''] = path.split('?')
  const earliest = new Date(since.getTime() - LOOK_BACK_MS)
  const ended = rows.some((row) => madeAt(row) < earliest)
  const following = ended ? null : next
  const store = new URLSearchParams(path.slice(list.length)).get('filter[store_id]') ?? ''
  return {
    events: rows.flatMap((row) => eventsFor(NAMES[list]!, row, since)),
    next: following ?? (list === 'orders' ? pathOf('subscription-invoices', store) : null),
  }
}

const pathOf = (list: string, store: string) =>
  `${list}?${new URLSearchParams({ 'filter[store_id]': store, 'page[size]': '100', 'page[number]': '1' })}`

const madeAt = ({ attributes }: ProviderJson) => parseTime(parseObject(attributes).created_at) ?? new Date(0)

/**
 * Returns a payment made or changed since then, with its refunds; of an older one that was refunded only these. An
 * invoice may be paid days after it was made.
 */
function eventsFor(names: (typeof NAMES)[string], row: ProviderJson, since: Date): ReceivedEvent[] {
  const { updated_at } = parseObject(row.attributes)
  const changed = parseTime(updated_at) ?? madeAt(row)
  if (changed < since && madeAt(row) < since) return []
  return [eventFor(madeAt(row) < since && parseRefundedTotal(row) > 0 ? names.refunded : names.paid, row)]
}

const eventFor = (event_name: string, data: ProviderJson) => readEvent(JSON.stringify({ meta: { event_name }, data }))
