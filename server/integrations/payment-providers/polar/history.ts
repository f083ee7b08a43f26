import { type ProviderJson, parseObject, parseText } from '../parse-values.ts'
import { type Credentials, PaymentProviderError, type ProviderAccess, type ReceivedEvent } from '../provider.ts'
import { createPolarApi } from './api.ts'
import { DISPUTE } from './gather.ts'
import { changedAt, readEvent } from './objects.ts'

const DAY_MS = 86_400_000

type List = { event: string; next: string | null; changesForDays: number }
/**
 * The lists in their order, sorted by the time an object was made: each is read back as far as one may still change, as
 * an order that is paid after several tries.
 */
const lists: Record<string, List> = {
  orders: { event: 'order.paid', next: 'refunds', changesForDays: 30 },
  refunds: { event: 'refund.updated', next: 'disputes', changesForDays: 30 },
  disputes: { event: DISPUTE, next: null, changesForDays: 180 },
}

/**
 * Lists what changed since then, as the events that would report it: Polar does not list sent ones. A cursor contains
 * the list and the number of its page. Without the right to read disputes they are left out.
 */
export async function readHistory(
  credentials: Credentials,
  reach: ProviderAccess,
  since: Date,
  cursor: string | null,
): Promise<{ events: ReceivedEvent[]; next: string | null }> {
  const [name = '', page = '1'] = (cursor ?? 'orders').split(' ')
  const { event, next, changesForDays } = lists[name]!
  const { rows, hasMore } = await createPolarApi(credentials, reach)
    .page(`${name}/`, Number(page))
    .catch((error: unknown) => {
      if (name === 'disputes' && error instanceof PaymentProviderError && error.kind === 'forbidden')
        return { rows: [], hasMore: false }
      throw error
    })
  const earliest = since.getTime() - changesForDays * DAY_MS
  const isOver = rows.some(({ created_at }) => Date.parse(String(created_at)) < earliest)
  return {
    events: rows.filter((row) => row.paid !== false).flatMap((row) => eventFor(event, row, since)),
    next: hasMore && !isOver ? `${name} ${Number(page) + 1}` : next,
  }
}

/** Returns the event of an object that changed since then; an unchanged object gives the same event. */
function eventFor(type: string, data: ProviderJson, since: Date): ReceivedEvent[] {
  const timestamp = changedAt(data)
  if (!timestamp || timestamp < since) return []
  const id = `${type} ${parseText(data.id)} ${timestamp.toISOString()}`
  return [readEvent(JSON.stringify({ type, timestamp, data: parseObject(data) }), id)]
}
