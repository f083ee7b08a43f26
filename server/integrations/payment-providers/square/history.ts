import { type ProviderJson, parseObject, parseObjects, parseText, parseTime } from '../parse-values.ts'
import type { Credentials, ProviderAccess, ProviderAdapter, ReceivedEvent } from '../provider.ts'
import { createSquareApi, type SquareApi } from './api.ts'
import { UNDER_WAY_MS } from './gather.ts'
import { isCompleted, parseId } from './objects.ts'

type History = NonNullable<ProviderAdapter['readHistory']>
type Page = Awaited<ReturnType<History>>

const STATES =
  'INQUIRY_EVIDENCE_REQUIRED,INQUIRY_PROCESSING,INQUIRY_CLOSED,EVIDENCE_REQUIRED,PROCESSING,WON,LOST,ACCEPTED'

/**
 * Lists payments, one location after the other, as Square lists those of only one; then refunds, then disputes, which
 * can only be listed as a whole. A cursor contains the list, Square's own cursor if any, and the location.
 */
export async function readHistory(
  credentials: Credentials,
  reach: ProviderAccess,
  since: Date,
  cursor: string | null,
): Promise<Page> {
  const api = createSquareApi(credentials, reach)
  const [list = 'payments', page = '', location = ''] = cursor?.split(' ') ?? []
  const changed = {
    updated_at_begin_time: since.toISOString(),
    sort_field: 'UPDATED_AT',
    sort_order: 'ASC',
    limit: '100',
  }
  const paging = { cursor: page || undefined }
  if (list === 'payments') {
    const at = location || (await locationAfter(api, null))
    if (!at) return { events: [], next: 'refunds' }
    const { rows, next } = await api.page('payments', { ...changed, ...paging, location_id: at })
    const events = rows.filter((payment) => isCompleted(payment) && completedAt(payment) >= since)
    if (next) return { events: events.map(asPayment), next: `payments ${next} ${at}` }
    const following = await locationAfter(api, at)
    return { events: events.map(asPayment), next: following ? `payments  ${following}` : 'refunds' }
  }
  if (list === 'refunds') {
    const { rows, next } = await api.page('refunds', { ...changed, ...paging })
    return { events: rows.map(asRefund), next: next ? `refunds ${next}` : 'disputes' }
  }
  const { rows, next } = await api.page('disputes', { ...paging, states: STATES })
  const events = rows.filter((dispute) => (parseTime(dispute.updated_at) ?? since) >= since)
  return { events: events.map(asDispute), next: next && `disputes ${next}` }
}

async function locationAfter(api: SquareApi, id: string | null): Promise<string | null> {
  const ids = parseObjects((await api.get('locations')).locations).flatMap((location) => parseId(location.id) ?? [])
  return ids.sort().find((other) => id === null || other > id) ?? null
}

/**
 * Returns the time of completion, which only a card's payment names: of any other, the last change while it may still
 * have been under way. Later, `updated_at` would change by a refund alone, which is listed separately.
 */
function completedAt(payment: ProviderJson): Date {
  const { captured_at } = parseObject(parseObject(payment.card_details).card_payment_timeline)
  const made = parseTime(payment.created_at) ?? new Date(0)
  const changed = parseTime(payment.updated_at) ?? made
  return parseTime(captured_at) ?? (changed.getTime() - made.getTime() < UNDER_WAY_MS ? changed : made)
}

/** List endpoints return no event ids, so one is derived from the object and its state. */
const listed = (type: string, of: string, json: ProviderJson): ReceivedEvent => {
  const at = parseTime(json.updated_at) ?? parseTime(json.created_at) ?? new Date(0)
  const state = parseText(json.state) ?? parseText(json.status)
  return {
    id: `${type} ${parseId(json.id) ?? parseId(json.dispute_id)} ${state} ${at.toISOString()}`,
    type,
    at,
    account: null,
    livemode: null,
    body: JSON.stringify({ type, data: { object: { [of]: json } } }),
  }
}
const asPayment = (json: ProviderJson) => listed('payment.created', 'payment', json)
const asRefund = (json: ProviderJson) => listed('refund.updated', 'refund', json)
const asDispute = (json: ProviderJson) => listed('dispute.state.updated', 'dispute', json)
