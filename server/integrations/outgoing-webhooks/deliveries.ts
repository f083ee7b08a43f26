import type { z } from 'zod'
import {
  ALL_EVENTS,
  type listOutgoingDeliveries as call,
  type OutgoingDelivery,
  TEST_EVENT,
} from '#contract/outgoing-webhooks.ts'
import { newId } from '../../platform/database/ids.ts'
import type { Queryable, Transaction } from '../../platform/database/pool.ts'
import { sql } from '../../platform/database/sql.ts'
import type { Listener } from '../../platform/events/relay.ts'
import { listPage, valueFilter } from '../../platform/http/list.ts'
import { notFound, refusal } from '../../platform/refusal.ts'
import { buildBody, isKept, type Shape } from './body.ts'
import {
  deliveriesSql,
  deliveryById,
  deliveryColumns,
  insertDeliveries,
  lockOutgoingWebhook,
  type OutgoingDeliveryRow,
  outgoingWebhookById,
  type Place,
  sendAgain,
  sendFailedAgain,
  webhooksTakingEvents,
} from './queries.ts'
import { DELIVERIES } from './wake.ts'
import { MOST_OUTGOING_WEBHOOKS } from './webhooks.ts'

type Query = z.output<typeof call.query & object>

/** Adds deliveries of events for every webhook of their account that subscribes to them. */
export const webhookListener: Listener = async (tx, events) => {
  const newEvents = events.flatMap(({ id, accountId, type, kind }) =>
    kind === 'public' && accountId ? { eventId: id, accountId, event: type } : [],
  )
  if (newEvents.length === 0) return
  const webhooks = await webhooksTakingEvents(tx, [...new Set(newEvents.map(({ accountId }) => accountId))])
  const deliveries = newEvents.flatMap((one) =>
    webhooks
      .filter(
        ({ accountId, events }) =>
          accountId === one.accountId && (events[0] === ALL_EVENTS || events.includes(one.event)),
      )
      .slice(0, MOST_OUTGOING_WEBHOOKS)
      .map(({ id }) => ({ ...one, id: newId(), webhookId: id })),
  )
  if (deliveries.length > 0 && (await insertDeliveries(tx, deliveries)) > 0) wakeCouriers(tx)
}

type Origin = Pick<Shape, 'origin'>

export async function listOutgoingDeliveries(db: Queryable, { origin }: Origin, webhook: Place, query: Query) {
  const { format } = await outgoingWebhookById(db, webhook.id)
  const found = await listPage<OutgoingDeliveryRow>(db, query, {
    columns: deliveryColumns,
    from: deliveriesSql(webhook.accountId),
    scope: sql`t.account_id = ${webhook.accountId} and t.webhook_id = ${webhook.id}`,
    filters: [
      valueFilter(sql`t.state`, query.state),
      valueFilter(sql`t.event`, query.event),
      query.since ? sql`t.created_at >= ${query.since}` : undefined,
    ],
  })
  return { ...found, items: found.items.map((row) => present(row, { format, origin })) }
}

/** Sends a test. Refuses: a webhook that is turned off. */
export async function sendTestDelivery(
  tx: Transaction,
  { origin }: Origin,
  webhookId: string,
): Promise<OutgoingDelivery> {
  const webhook = await lockWorking(tx, webhookId)
  const id = newId()
  await insertDeliveries(tx, [{ id, accountId: webhook.accountId, webhookId, eventId: id, event: TEST_EVENT }])
  wakeCouriers(tx)
  return presentDelivery(tx, webhook, { format: webhook.format, origin }, id)
}

/** Sends a delivery again at once, in whatever state. Refuses: a deleted event, a webhook that is turned off. */
export async function resendDelivery(
  tx: Transaction,
  { origin }: Origin,
  webhookId: string,
  id: string,
): Promise<OutgoingDelivery> {
  const webhook = await lockWorking(tx, webhookId)
  const delivery = await deliveryById(tx, webhook, id)
  if (!delivery) throw notFound()
  if (!isKept(delivery)) throw refusal('event_no_longer_kept')
  await sendAgain(tx, webhook, delivery.id)
  wakeCouriers(tx)
  return presentDelivery(tx, webhook, { format: webhook.format, origin }, delivery.id)
}

/**
 * Sends all deliveries again that failed since then and whose event still exists. Refuses: a webhook that is turned
 * off.
 */
export async function resendFailedSince(tx: Transaction, webhookId: string, since: string) {
  const count = await sendFailedAgain(tx, await lockWorking(tx, webhookId), since)
  if (count > 0) wakeCouriers(tx)
  return { count }
}

async function lockWorking(tx: Transaction, webhookId: string) {
  const webhook = await lockOutgoingWebhook(tx, webhookId)
  if (!webhook) throw notFound()
  if (!webhook.enabled) throw refusal('webhook_off')
  return webhook
}

const wakeCouriers = (tx: Transaction) => tx.afterCommit(() => tx.database.notify(DELIVERIES))

const presentDelivery = async (db: Queryable, webhook: Place, shape: Shape, id: string) =>
  present((await deliveryById(db, webhook, id))!, shape)

function present(row: OutgoingDeliveryRow, shape: Shape): OutgoingDelivery {
  const { id, eventId, event, state, code, durationMs, createdAt } = row
  return {
    id,
    eventId,
    event,
    state,
    code,
    durationMs,
    createdAt,
    attempts: row.tries,
    nextAttemptAt: row.nextAt,
    requestBody: buildBody(row, shape),
    responseBody: row.answer,
  }
}
