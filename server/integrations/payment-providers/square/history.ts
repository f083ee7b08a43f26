import { moment, object, objectsIn, type ProviderJson, text } from '../parse-values.ts'
import type { Credentials, ProviderAccess, ProviderAdapter, ReceivedEvent } from '../provider.ts'
import { createSquareApi, type SquareApi } from './api.ts'
import { UNDER_WAY_MS } from './gather.ts'
import { idOf, isCompleted } from './objects.ts'

type History = NonNullable<ProviderAdapter['history']>
type Page = Awaited<ReturnType<History>>

const STATES =
  'INQUIRY_EVIDENCE_REQUIRED,INQUIRY_PROCESSING,INQUIRY_CLOSED,EVIDENCE_REQUIRED,PROCESSING,WON,LOST,ACCEPTED'

/**
 * Lists payments, one location after the other, as Square lists those of only one; then refunds, then disputes, which
 * can only be listed as a whole. A cursor contains the list, Square's own cursor if any, and the location.
 */
export async function history(
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
  const asked = { cursor: page || undefined }
  if (list === 'payments') {
    const at = location || (await locationAfter(api, null))
    if (!at) return { events: [], next: 'refunds' }
    const { rows, next } = await api.page('payments', { ...changed, ...asked, location_id: at })
    const events = rows.filter((payment) => isCompleted(payment) && completedAt(payment) >= since)
    if (next) return { events: events.map(asPayment), next: `payments ${next} ${at}` }
    const following = await locationAfter(api, at)
    return { events: events.map(asPayment), next: following ? `payments  ${following}` : 'refunds' }
  }
  if (list === 'refunds') {
    const { rows, next } = await api.page('refunds', { ...changed, ...asked })
    return { events: rows.map(asRefund), next: next ? `refunds ${next}` : 'disputes' }
  }
  const { rows, next } = await api.page('disputes', { ...asked, states: STATES })
  const events = rows.filter((dispute) => (moment(dispute.updated_at) ?? since) >= since)
  return { events: events.map(asDispute), next: next && `disputes ${next}` }
}

async function locationAfter(api: SquareApi, id: string | null): Promise<string | null> {
  const ids = objectsIn((await api.get('locations')).locations).flatMap((location) => idOf(location.id) ?? [])
  return ids.sort().find((other) => id === null || other > id) ?? null
}

/**
 * Returns the time of completion, which only a card's payment names: of any other, the last change while it may still
 * have been under way. Later, `updated_at` would change by a refund alone, which is listed separately.
 */
function completedAt(payment: ProviderJson): Date {
  const { captured_at } = object(object(payment.card_details).card_payment_timeline)
  const made = moment(payment.created_at) ?? new Date(0)
  const changed = moment(payment.updated_at) ?? made
  return moment(captured_at) ?? (changed.getTime() - made.getTime() < UNDER_WAY_MS ? changed : made)
}

/** List endpoints return no event ids, so one is derived from the object and its state. */
const listed = (type: string, of: string, json: ProviderJson): ReceivedEvent => {
  const at = moment(json.updated_at) ?? moment(json.created_at) ?? new Date(0)
  const state = text(json.state) ?? text(json.status)
  return {
    id: `${type} ${idOf(json.id) ?? idOf(json.dispute_id)} ${state} ${at.toISOString()}`,
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
