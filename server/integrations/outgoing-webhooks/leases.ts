import { servesSpread } from '../../platform/database/cluster/spread.ts'
import type { Database } from '../../platform/database/pool.ts'
import { sql } from '../../platform/database/sql.ts'
import { MOST_COUNTED } from '../../platform/metric.ts'
import { isInstallPaused } from '../../program/payouts/reconciliation/reconcile-transfers.ts'
import { deliveriesSql, type Sending, sendingColumns, type WebhookRow, webhookColumns } from './queries.ts'

/** Duration of a turn without renewal, by the database's clock. */
const HELD = sql`interval '12 seconds'`

/**
 * Whether deliveries are sent: not while their webhook or its account is off, and none while payouts of the install are
 * paused.
 */
const isOn = () => sql`t.enabled and t.deleted_at is null and not exists (
  select from accounts a where a.id = t.account_id and a.disabled_at is not null) and not ${isInstallPaused()}`

type Due = { id: string; since: string }

/**
 * Returns the webhooks with due deliveries, and since when each one's oldest is due. One machine finds them one after
 * the other in the index, however many deliveries wait for each; a cluster reads all due ones from each machine.
 */
async function withDueDeliveries(db: Database): Promise<Due[]> {
  if (await servesSpread(db))
    return db.many<Due>`
      select webhook_id as id, min(next_at) as since from outgoing_deliveries where next_at <= ${db.now} group by webhook_id`
  return db.many<Due>`
    with recursive waiting as (
      (select webhook_id, next_at from outgoing_deliveries where next_at is not null order by webhook_id, next_at limit 1)
      union all
      select d.webhook_id, d.next_at from waiting w, lateral (
        select webhook_id, next_at from outgoing_deliveries
        where next_at is not null and webhook_id > w.webhook_id order by webhook_id, next_at limit 1) d
    )
    select webhook_id as id, next_at as since from waiting where next_at <= ${db.now}`
}

/**
 * Takes the turns of up to `most` webhooks with due deliveries and without a holder. A turn of `me` that is not in
 * `underWay` is taken again: it was taken or ended by a statement whose answer was lost.
 */
export async function acquireLeases(db: Database, me: string, underWay: string[], most: number): Promise<WebhookRow[]> {
  const waiting = await withDueDeliveries(db)
  if (waiting.length === 0) return []
  const due = await db.many<WebhookRow & { dueAt: string }>`
    select ${webhookColumns}, clock_timestamp() as due_at from outgoing_webhooks t
    where ${isOn()} and t.id = any(${waiting.map(({ id }) => id)}::uuid[]) and t.id <> all(${underWay}::uuid[])
      and not exists (
        select from outgoing_turns h
        where h.webhook_id = t.id and h.held_by <> ${me} and h.held_until > clock_timestamp())
    order by random() limit ${most}`
  const [first] = due
  if (!first) return []
  const taken = await db.many<{ id: string }>`
    insert into outgoing_turns as h (webhook_id, held_by, held_until)
    select id, ${me}, ${first.dueAt}::timestamptz + ${HELD} from unnest(${due.map(({ id }) => id)}::uuid[]) as due (id) order by id
    on conflict (webhook_id) do update set held_by = excluded.held_by, held_until = excluded.held_until
      where h.held_by = excluded.held_by or excluded.held_until - h.held_until >= ${HELD}
    returning webhook_id as id`
  const ids = new Set(taken.map(({ id }) => id))
  return due.filter(({ id }) => ids.has(id))
}

/** Renews the holder's turns; returns those of the webhooks that it still holds and that are still on. */
export async function renewLeases(db: Database, me: string, webhookIds: string[]): Promise<WebhookRow[]> {
  const kept = await db.many<{ id: string }>`
    update outgoing_turns set held_until = statement_timestamp() + ${HELD}
    where held_by = ${me} and webhook_id = any(${webhookIds}::uuid[])
    returning webhook_id as id`
  return db.many<WebhookRow>`
    select ${webhookColumns} from outgoing_webhooks t
    where t.id = any(${kept.map(({ id }) => id)}::uuid[]) and ${isOn()}`
}

export const releaseLease = (db: Database, me: string, webhookId: string) => db.run`
  delete from outgoing_turns where held_by = ${me} and webhook_id = ${webhookId}`

/** Returns the next due deliveries, except pending ones. */
export const dueDeliveries = (
  db: Database,
  { id: webhookId, accountId }: Pick<WebhookRow, 'id' | 'accountId'>,
  underWay: string[],
  most: number,
) => db.many<Sending>`
  select ${sendingColumns} from ${deliveriesSql(accountId)}
  where t.account_id = ${accountId} and t.webhook_id = ${webhookId} and t.next_at <= ${db.now} and t.id <> all(${underWay}::uuid[])
  order by t.next_at, t.id limit ${most}`

/** Returns the backlog of the whole install's deliveries. */
export async function deliveryBacklog(db: Database) {
  const due = await withDueDeliveries(db)
  return db.one<{ waiting: number; lag: number; turnedOff: number }>`
    select
      (select count(*) from (
        select 1 from outgoing_deliveries where next_at is not null limit ${MOST_COUNTED}) counted) as waiting,
      (select coalesce(extract(epoch from ${db.now}::timestamptz - min(d.since)), 0)
        from outgoing_webhooks t
          join unnest(${due.map(({ id }) => id)}::uuid[], ${due.map(({ since }) => since)}::timestamptz[]) as d (id, since)
          on d.id = t.id
        where ${isOn()}) as lag,
      (select count(*) from outgoing_webhooks
        where not enabled and disabled_reason is not null and deleted_at is null) as turned_off`
}
