import type { OutgoingWebhook } from '#contract/outgoing-webhooks.ts'
import { asUuid } from '../../platform/database/ids.ts'
import type { Queryable, Transaction } from '../../platform/database/pool.ts'
import { sql } from '../../platform/database/sql.ts'
import { c, type RowOf, table } from '../../platform/database/table.ts'
import { joinEvent } from '../../platform/events/join-event.ts'
import { BANK_DETAILS } from '../../program/activity/list-audit.ts'

/** `failures`: consecutive failed tries. */
export const outgoingWebhookTable = table('outgoing_webhooks', {
  id: c.uuid.fixed(),
  accountId: c.uuid.fixed(),
  name: c.text(),
  url: c.text(),
  format: c.text<OutgoingWebhook['format']>(),
  events: c.textsOf<OutgoingWebhook['events'][number]>(),
  headerNames: c.texts,
  headersSealed: c.bytes.null(),
  secretSealed: c.bytes,
  formerSecretSealed: c.bytes.null(),
  formerSecretUntil: c.instant.null(),
  enabled: c.boolean,
  disabledReason: c.text().null(),
  failures: c.integer,
  lastDeliveryAt: c.instant.null(),
  createdAt: c.instant.fixed(),
  updatedAt: c.instant.fixed(),
})

export type WebhookRow = RowOf<typeof outgoingWebhookTable>
export type Place = Pick<WebhookRow, 'id' | 'accountId'>
export type Sealed = Pick<WebhookRow, 'secretSealed' | 'formerSecretSealed' | 'formerSecretUntil' | 'headersSealed'>

export const webhookColumns = outgoingWebhookTable.from('t')

export const outgoingWebhookById = (db: Queryable, id: string) => db.one<WebhookRow>`
  select ${webhookColumns} from outgoing_webhooks t where t.id = ${id}`

export const lockOutgoingWebhook = (tx: Transaction, id: string) => tx.maybe<WebhookRow>`
  select ${webhookColumns} from outgoing_webhooks t
  where t.id = ${id} and t.deleted_at is null for no key update`

/** Returns webhooks that are on, or were turned off because of failures. */
export const findSubscribedWebhooks = (db: Queryable, accountId: string, most: number) => db.many<WebhookRow>`
  select ${webhookColumns} from outgoing_webhooks t
  where t.account_id = ${accountId} and t.deleted_at is null and (t.enabled or t.disabled_reason is not null)
  order by t.created_at limit ${most}`

/** Returns the accounts with enabled webhooks. */
export const accountsTelling = (db: Queryable) => db.many<{ accountId: string }>`
  select distinct account_id from outgoing_webhooks where enabled and deleted_at is null order by account_id`

/** Locks the account until the transaction ends, so that its webhooks are counted and compared one change at a time. */
export const lockOutgoingWebhooks = (tx: Transaction, accountId: string) => tx.one`
  select id from accounts where id = ${accountId} for no key update`

export type FailingWebhook = Pick<WebhookRow, 'accountId' | 'name' | 'url' | 'failures' | 'disabledReason'>

/** Returns all webhooks of the install that were turned off, or whose last deliveries failed. */
export const failingRows = (db: Queryable) => db.many<FailingWebhook>`
  select t.account_id, t.name, t.url, t.failures, t.disabled_reason
  from outgoing_webhooks t join accounts a on a.id = t.account_id
  where t.deleted_at is null and a.disabled_at is null and (t.disabled_reason is not null or t.enabled and t.failures > 0)
  order by t.created_at, t.id`

export const countAll = (db: Queryable) => db.value<number>`
  select count(*) from outgoing_webhooks where deleted_at is null and enabled`

export const countOutgoingWebhooks = (db: Queryable, accountId: string) => db.value<number>`
  select count(*) from outgoing_webhooks where account_id = ${accountId} and deleted_at is null`

/** Finds another webhook of the account with the same address and events, in any order. */
export const findTwin = (db: Queryable, row: Pick<WebhookRow, 'id' | 'accountId' | 'url' | 'events'>) => db.maybe<{
  id: string
  name: string
}>`
  select id, name from outgoing_webhooks
  where account_id = ${row.accountId} and md5(url) = md5(${row.url}) and url = ${row.url}
    and events @> ${row.events}::text[] and events <@ ${row.events}::text[] and deleted_at is null and id <> ${row.id}`

export const markWebhookDeleted = (tx: Transaction, id: string) => tx.run`
  update outgoing_webhooks set deleted_at = ${tx.now}, updated_at = ${tx.now} where id = ${id} and deleted_at is null`

/** The fields of a delivery that a try needs. */
export type Sending = {
  id: string
  eventId: string
  event: string
  tries: number
  /** Time of the event; for a test, of the delivery. */
  at: string
  /** JSON as sent; null once the event is deleted. */
  object: string | null
  changes: string | null
  /** Id of the request that caused the event. */
  requestId: string | null
}

export type OutgoingDeliveryRow = Sending & {
  accountId: string
  webhookId: string
  state: 'pending' | 'delivered' | 'retrying' | 'failed'
  nextAt: string | null
  code: number | null
  durationMs: number | null
  answer: string | null
  createdAt: string
}

export const sendingColumns = sql`t.id, t.event_id, t.event, t.tries, coalesce(e.at, t.created_at) as at,
  (e.data -> 'object')::text as object, ((e.data -> 'changes') - ${BANK_DETAILS}::text)::text as changes, e.request_id`

export const deliveryColumns = sql`${sendingColumns}, t.account_id, t.webhook_id, t.state, t.next_at, t.code,
  t.duration_ms, t.answer, t.created_at`

/** Deliveries of the account, each with its event. */
export const deliveriesSql = (accountId: string) => sql`outgoing_deliveries t
  left join lateral ${joinEvent(sql`t.event_id`, accountId)} on true`

export const deliveryById = (db: Queryable, webhook: Place, id: string) => db.maybe<OutgoingDeliveryRow>`
  select ${deliveryColumns} from ${deliveriesSql(webhook.accountId)}
  where t.account_id = ${webhook.accountId} and t.webhook_id = ${webhook.id} and t.id = ${asUuid(id)}`

/** Marks a delivery as due again; call only while the event's object exists. */
export const sendAgain = (tx: Transaction, webhook: Place, id: string) => tx.run`
  update outgoing_deliveries set state = 'pending', next_at = ${tx.now}
  where account_id = ${webhook.accountId} and webhook_id = ${webhook.id} and id = ${id}`

export const sendFailedAgain = (tx: Transaction, { id, accountId }: Place, since: string) => tx.run`
  update outgoing_deliveries d set state = 'pending', next_at = ${tx.now}
  where d.account_id = ${accountId} and d.webhook_id = ${id} and d.created_at >= ${since} and d.state = 'failed'
    and (d.event_id = d.id or exists (
      select from told_events e where e.account_id = ${accountId} and e.id = d.event_id and e.data ? 'object'))`

/** Whether a webhook collects events: also one turned off because of failures, to be sent later. */
const takesEvents = sql`w.deleted_at is null and (w.enabled or w.disabled_reason is not null)`

export type WantedEvents = { id: string; accountId: string; events: string[] }

/** Returns the oldest first. */
export const webhooksTakingEvents = (tx: Transaction, accountIds: string[]) => tx.many<WantedEvents>`
  select w.id, w.account_id, w.events from outgoing_webhooks w
  where w.account_id = any(${accountIds}::uuid[]) and ${takesEvents} order by w.created_at, w.id`

export type NewDelivery = { id: string; accountId: string; webhookId: string; eventId: string; event: string }

/** Inserts deliveries; as failed for a webhook turned off because of failures. Returns how many. */
export const insertDeliveries = (tx: Transaction, deliveries: NewDelivery[]) => tx.run`
  insert into outgoing_deliveries (id, account_id, webhook_id, event_id, event, state, next_at, answer, created_at)
  select d.id, w.account_id, w.id, d.event_id, d.event, case when w.enabled then 'pending' else 'failed' end,
    case when w.enabled then ${tx.now}::timestamptz end, case when not w.enabled then 'The webhook was turned off.' end,
    ${tx.now}
  from unnest(${deliveries.map(({ id }) => id)}::uuid[], ${deliveries.map(({ accountId }) => accountId)}::uuid[],
      ${deliveries.map(({ webhookId }) => webhookId)}::uuid[], ${deliveries.map(({ eventId }) => eventId)}::uuid[],
      ${deliveries.map(({ event }) => event)}::text[]) as d (id, account_id, webhook_id, event_id, event)
    join outgoing_webhooks w on w.account_id = d.account_id and w.id = d.webhook_id
  where ${takesEvents} order by d.id`
