import type { z } from 'zod'
import type { listProviderEvents as call, ProviderEvent } from '#contract/payment-providers.ts'
import type { Queryable, Transaction } from '../../platform/database/pool.ts'
import { sql } from '../../platform/database/sql.ts'
import { listPage, valueFilter } from '../../platform/http/list.ts'
import type { Jobs } from '../../platform/jobs/queue.ts'
import { notFound, refusal } from '../../platform/refusal.ts'
import { connectionById, type EventLine, eventLineColumns, eventOfShop } from './queries.ts'
import { providerEventQueue } from './queue.ts'

type Query = z.output<typeof call.query & object>

/** Lists the provider's events for the account of a connection, whichever connection received them. */
export async function listProviderEvents(db: Queryable, accountId: string, connectionId: string, query: Query) {
  const { shopId } = await getShop(db, accountId, connectionId)
  const found = await listPage<EventLine>(db, query, {
    columns: eventLineColumns,
    from: sql`(select e.*, e.received_at as created_at from provider_events e) t`,
    scope: sql`t.account_id = ${accountId} and t.shop_id = ${shopId}`,
    filters: [valueFilter(sql`t.state`, query.state)],
  })
  return { ...found, items: found.items.map(present) }
}

/** Queues an event again. Refuses: one that is done, or already queued. */
export async function retryEvent(
  tx: Transaction,
  jobs: Jobs,
  accountId: string,
  { connectionId, eventId }: { connectionId: string; eventId: string },
): Promise<ProviderEvent> {
  const event = await eventOfShop(tx, await getShop(tx, accountId, connectionId), eventId)
  if (!event) throw notFound()
  if (event.state !== 'failed' && event.state !== 'waiting') throw refusal('event_not_retriable')
  await jobs.add(tx, providerEventQueue, { eventId: event.id, accountId })
  return present(event)
}

async function getShop(db: Queryable, accountId: string, connectionId: string) {
  const connection = await connectionById(db, accountId, connectionId)
  if (!connection) throw notFound()
  return connection
}

const present = ({ reason, ...event }: EventLine): ProviderEvent => ({
  ...event,
  reason: event.state === 'ignored' ? (reason ?? 'Events of this type don’t move money.') : reason,
})
