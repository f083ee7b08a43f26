import type { z } from 'zod'
import type { listIncomingDeliveries as call, IncomingDelivery } from '#contract/incoming-webhooks.ts'
import type { Author } from '../../platform/author.ts'
import type { Queryable, Transaction } from '../../platform/database/pool.ts'
import { sql } from '../../platform/database/sql.ts'
import { listPage, valueFilter } from '../../platform/http/list.ts'
import type { Jobs } from '../../platform/jobs/queue.ts'
import { notFound, refusal } from '../../platform/refusal.ts'
import {
  findDelivery,
  type IncomingDeliveryRow,
  listedDeliveryColumns,
  lockIncomingWebhook,
  openAgain,
  type Place,
} from './queries.ts'
import { incomingQueue } from './queue.ts'

type Query = z.output<typeof call.query & object>

export async function listIncomingDeliveries(db: Queryable, webhook: Place, query: Query) {
  const found = await listPage<IncomingDeliveryRow>(db, query, {
    columns: listedDeliveryColumns,
    from: sql`incoming_deliveries t`,
    scope: sql`t.account_id = ${webhook.accountId} and t.webhook_id = ${webhook.id}`,
    filters: [valueFilter(sql`t.state`, query.state)],
  })
  return { ...found, items: found.items.map(present) }
}

export async function getDelivery(db: Queryable, webhook: Place, id: string): Promise<IncomingDelivery> {
  const delivery = await findDelivery(db, webhook, id)
  if (!delivery) throw notFound()
  return present(delivery)
}

/** Refuses: one that was processed, or whose payload was unreadable or is deleted; a webhook that is off. */
export async function replayDelivery(
  tx: Transaction,
  jobs: Jobs,
  by: Author,
  webhook: Place,
  id: string,
): Promise<IncomingDelivery> {
  await lockWorking(tx, webhook.id)
  const delivery = await findDelivery(tx, webhook, id)
  if (!delivery) throw notFound()
  const opened = await openAgain(tx, webhook, [delivery.id])
  if (opened.length === 0) throw refusal('delivery_not_replayable')
  await jobs.addAll(tx, incomingQueue, [{ deliveryId: delivery.id, accountId: webhook.accountId, replayedBy: by.id }])
  return getDelivery(tx, webhook, id)
}

export async function replayAllFailed(tx: Transaction, jobs: Jobs, by: Author, webhook: Place) {
  await lockWorking(tx, webhook.id)
  const opened = await openAgain(tx, webhook, null)
  await jobs.addAll(
    tx,
    incomingQueue,
    opened.map(({ id }) => ({ deliveryId: id, accountId: webhook.accountId, replayedBy: by.id })),
  )
  return { count: opened.length }
}

async function lockWorking(tx: Transaction, webhookId: string) {
  const webhook = await lockIncomingWebhook(tx, webhookId)
  if (!webhook) throw notFound()
  if (!webhook.enabled) throw refusal('webhook_off')
}

function present(row: IncomingDeliveryRow): IncomingDelivery {
  const { webhookId: _, payload, madeType, madeId, records, warnings, othersId, createdAt, ...shown } = row
  return {
    ...shown,
    payload: payload === null ? null : JSON.parse(payload),
    made: madeType && madeId ? { type: madeType, id: madeId } : null,
    records: records ?? [],
    warnings: warnings ?? [],
    others: (othersId ?? []).map(({ externalId, leadId }) => ({ externalId, leadId })),
    receivedAt: createdAt,
  }
}
