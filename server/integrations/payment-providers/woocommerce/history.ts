import { createHash } from 'node:crypto'
import type { ProviderJson } from '../parse-values.ts'
import type { ProviderAdapter, ReceivedEvent } from '../provider.ts'
import { createWooCommerceApi } from './api.ts'
import { LISTED, REFUNDS, TOPICS } from './gather.ts'
import { ORDER_FIELDS, parseId, parseUtc, type Refunds } from './objects.ts'

/** Reads the body of an event; the same text is the same event, as deliveries of one second share their id. */
export function toEvent(type: string, body: string, json: ProviderJson, now: Date): ReceivedEvent {
  const id = createHash('sha256').update(body).digest('hex')
  return { id, type, at: parseUtc(json.date_modified_gmt) ?? now, account: null, livemode: null, body }
}

/** Lists the orders changed since then by their ids, so that a change meanwhile repeats one rather than skips it. */
export const readHistory: NonNullable<ProviderAdapter['readHistory']> = async (credentials, reach, since, cursor) => {
  const changed = {
    modified_after: since.toISOString().slice(0, 19),
    dates_are_gmt: 'true',
    status: 'any',
    orderby: 'id',
    order: 'asc',
    _fields: ORDER_FIELDS.join(),
  }
  const { rows, next } = await createWooCommerceApi(credentials, reach).page('orders', changed, Number(cursor ?? 1))
  const listed = (row: ProviderJson) => {
    const isNew = (parseUtc(row.date_paid_gmt) ?? new Date(0)) >= since
    return toEvent(isNew ? LISTED : TOPICS[1]!, JSON.stringify(row), row, reach.now)
  }
  return { events: rows.map(listed), next: next === null ? null : String(next) }
}

/** Lists the refunds of an order again, as nothing may have reported that one was removed. */
export const readAgain: NonNullable<ProviderAdapter['readAgain']> = async (credentials, reach, objects) => {
  const order = objects.find(({ kind }) => kind === 'order')?.id
  const known = objects.find(({ kind }) => kind === 'refunds')?.data as Refunds | undefined
  if (!order || !known) return []
  const refunds = await createWooCommerceApi(credentials, reach).all(`orders/${order}/refunds`)
  const left = new Set(refunds.map(({ id }) => parseId(id)))
  if (known.list.every(({ id }) => left.has(id)) && known.list.length === left.size) return []
  const event = toEvent(REFUNDS, JSON.stringify({ order: Number(order), refunds }), {}, reach.now)
  // orders may have the same refunds again
  return [{ ...event, id: `${REFUNDS} ${order} ${reach.now.toISOString()}` }]
}

/** Returns whether a customer placed and paid an order before this time; their first orders are enough to tell. */
export const paidBefore: NonNullable<ProviderAdapter['paidBefore']> = async (credentials, reach, customer, before) => {
  const query = {
    customer,
    before: before.toISOString().slice(0, 19),
    dates_are_gmt: 'true',
    status: 'any',
    orderby: 'date',
    order: 'asc',
    _fields: 'total,date_paid_gmt',
  }
  const { rows } = await createWooCommerceApi(credentials, reach).page('orders', query)
  return rows.some(({ total, date_paid_gmt }) => Number(total) > 0 && (parseUtc(date_paid_gmt) ?? before) < before)
}
