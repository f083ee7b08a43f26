import {
  type DeliveryRecord,
  type IncomingAuth,
  type IncomingWebhook,
  type MappedField,
  MOST_LISTED_BYTES,
} from '#contract/incoming-webhooks.ts'
import { violatesConstraint } from '../../platform/database/database-errors.ts'
import { asUuid } from '../../platform/database/ids.ts'
import { inBatches } from '../../platform/database/in-batches.ts'
import { lockKeys } from '../../platform/database/lock-keys.ts'
import { type Database, type Queryable, type Transaction, transaction } from '../../platform/database/pool.ts'
import { type Sql, sql } from '../../platform/database/sql.ts'
import { c, type RowOf, table } from '../../platform/database/table.ts'
import { notFound } from '../../platform/refusal.ts'
import { type Other, type SameId, sameIdIn } from './others-id.ts'
import type { Rule } from './rules.ts'

export const webhookTable = table('incoming_webhooks', {
  id: c.uuid.fixed(),
  accountId: c.uuid.fixed(),
  name: c.text(),
  sender: c.text().null().fixed(),
  target: c.text<IncomingWebhook['target']>(),
  enabled: c.boolean,
  tokenHash: c.bytes.unread(),
  tokenSealed: c.bytes.fixed(),
  auth: c.json<IncomingAuth>(),
  authSealed: c.bytes.null(),
  mapping: c.json<MappedField[]>(),
  partnerMatch: c.json<NonNullable<IncomingWebhook['partnerMatch']>>().null(),
  filters: c.json<IncomingWebhook['filters']>(),
  rules: c.json<Rule[]>().null(),
  dedupePath: c.text().null(),
  allowedIps: c.texts,
  createdBy: c.uuid.null().fixed(),
  changedBy: c.uuid.null(),
  createdAt: c.instant.fixed(),
  updatedAt: c.instant.fixed(),
})

export type IncomingWebhookRow = RowOf<typeof webhookTable>

const stored = webhookTable.from('t')

/** With the time of the last delivery, its payload as JSON, and the counts of the last day's results. */
export type ShownRow = IncomingWebhookRow & {
  lastReceivedAt: string | null
  lastPingAt: string | null
  sameId: SameId | null
  sample: string | null
  processed: number
  ignored: number
  failed: number
}

/** A payload, if small enough for a list. */
const listed = (payload: Sql) => sql`case when octet_length(${payload}) <= ${MOST_LISTED_BYTES} then ${payload} end`

const shownWith = (accountId: string, sample: Sql) => sql`${stored}, ${sample} as sample,
  greatest(t.last_received_at, latest.at) as last_received_at, t.last_ping_at, ${sameIdIn(accountId)} as same_id,
  coalesce(counted.processed, 0) as processed, coalesce(counted.ignored, 0) as ignored, coalesce(counted.failed, 0) as failed`

export const listedColumns = (accountId: string) => shownWith(accountId, listed(sql`sampled.payload`))

/** Webhooks of the account with their deliveries. */
export const shownFrom = (now: Date, accountId: string) => sql`incoming_webhooks t
  left join lateral (
    select max(created_at) as at from incoming_deliveries d
    where d.account_id = ${accountId} and d.webhook_id = t.id) latest on true
  left join lateral (
    select payload from incoming_deliveries d
    where d.account_id = ${accountId} and d.webhook_id = t.id and d.payload is not null
    order by d.created_at desc, d.id desc limit 1) sampled on true
  left join lateral (
    select count(*) filter (where state in ('processed', 'replayed')) as processed,
      count(*) filter (where state = 'ignored') as ignored, count(*) filter (where state = 'failed') as failed
    from incoming_deliveries d
    where d.account_id = ${accountId} and d.webhook_id = t.id
      and d.created_at > ${now}::timestamptz - interval '24 hours') counted on true`

/** A webhook or a delivery, and its account. */
export type Place = Pick<IncomingWebhookRow, 'id' | 'accountId'>

export const shownById = (db: Queryable, { id, accountId }: Place) => db.one<ShownRow>`
  select ${shownWith(accountId, sql`sampled.payload`)} from ${shownFrom(db.now, accountId)}
  where t.id = ${id} and t.account_id = ${accountId}`

export const storePing = (db: Queryable, id: string) => db.run`
  update incoming_webhooks set last_ping_at = greatest(last_ping_at, ${db.now}) where id = ${id}`

export const lockIncomingWebhook = (tx: Transaction, id: string) => tx.maybe<IncomingWebhookRow>`
  select ${stored} from incoming_webhooks t where t.id = ${id} for no key update`

export const incomingWebhookById = (db: Queryable, id: string) => db.maybe<IncomingWebhookRow>`
  select ${stored} from incoming_webhooks t where t.id = ${id}`

/** Finds a webhook by its token, or by the former one on its last day. */
export const webhookByToken = (db: Queryable, hash: Buffer) => db.maybe<
  IncomingWebhookRow & { accountDisabledAt: string | null }
>`
  select ${stored}, a.disabled_at as account_disabled_at
  from incoming_webhooks t join accounts a on a.id = t.account_id
  where t.token_hash = ${hash} or (t.former_token_hash = ${hash} and t.former_token_until > ${db.now})`

export type SavedIncomingWebhook = Pick<
  IncomingWebhookRow,
  | 'id'
  | 'name'
  | 'enabled'
  | 'auth'
  | 'authSealed'
  | 'target'
  | 'mapping'
  | 'partnerMatch'
  | 'filters'
  | 'rules'
  | 'dedupePath'
  | 'allowedIps'
>

type NewToken = { hash: Buffer; sealed: Buffer; changedBy: string | null }

export const replaceToken = (tx: Transaction, id: string, token: NewToken, formerUntil: Date) =>
  tx.run`
  update incoming_webhooks set former_token_hash = token_hash, former_token_until = ${formerUntil},
    token_hash = ${token.hash}, token_sealed = ${token.sealed}, updated_at = ${tx.now}, changed_by = ${token.changedBy}
  where id = ${id}`

export const deleteWebhookRow = (tx: Transaction, id: string) => tx.run`delete from incoming_webhooks where id = ${id}`

export type IncomingDeliveryRow = {
  id: string
  webhookId: string
  state: 'received' | 'processed' | 'ignored' | 'failed' | 'replayed'
  payload: string | null
  payloadBytes: number | null
  reason: string | null
  fields: Record<string, string> | null
  madeType: 'lead' | 'sale' | 'refund' | null
  madeId: string | null
  /** Null before the delivery is processed. */
  records: DeliveryRecord[] | null
  /** Null if there are none. */
  warnings: string[] | null
  /** Null if there are none. */
  othersId: Other[] | null
  createdAt: string
}

const columnsWith = (payload: Sql) => sql`t.id, t.webhook_id, t.state, ${payload} as payload,
  octet_length(t.payload) as payload_bytes, t.reason, t.fields, t.made_type, t.made_id, t.records, t.warnings, t.others_id, t.created_at`
const deliveryColumns = columnsWith(sql`t.payload`)
export const listedDeliveryColumns = columnsWith(listed(sql`t.payload`))

export const findDelivery = (db: Queryable, webhook: Place, id: string) => db.maybe<IncomingDeliveryRow>`
  select ${deliveryColumns} from incoming_deliveries t
  where t.account_id = ${webhook.accountId} and t.webhook_id = ${webhook.id} and t.id = ${asUuid(id)}`

export const lockDelivery = (tx: Transaction, { id, accountId }: Place) => tx.maybe<IncomingDeliveryRow>`
  select ${deliveryColumns} from incoming_deliveries t where t.id = ${id} and t.account_id = ${accountId} for update`

/** Serializes concurrent repetitions of a payload. */
export const lockRepeats = (tx: Transaction, { id, accountId }: Place, key: Buffer) =>
  lockKeys(tx, [{ accountId, name: `incoming ${id} ${key.toString('base64')}` }])

/** Finds the first delivery with this key since then. */
export const firstDelivery = (tx: Transaction, webhook: Place, key: Buffer, since: Date) => tx.maybe<{ id: string }>`
  select id from incoming_deliveries
  where account_id = ${webhook.accountId} and webhook_id = ${webhook.id} and dedupe_key = ${key} and created_at > ${since}
  order by created_at, id limit 1`

/** Stores a delivery. Refuses if its webhook was deleted meanwhile. */
export const insertDelivery = (
  tx: Transaction,
  { accountId, id: webhookId }: Place,
  row: { id: string; state: IncomingDeliveryRow['state']; payload: string | null; key: Buffer; reason: string | null },
) =>
  tx.run`
      insert into incoming_deliveries (id, account_id, webhook_id, state, payload, dedupe_key, reason, created_at)
      values (${row.id}, ${accountId}, ${webhookId}, ${row.state}, ${row.payload}, ${row.key}, ${row.reason}, ${tx.now})`.catch(
    (error) => {
      throw violatesConstraint(error, 'incoming_deliveries_webhook_id_fkey') ? notFound() : error
    },
  )

/** Counts a stored payload. Returns the total bytes. */
export const countPayload = (tx: Transaction, { accountId, id: webhookId }: Place, bytes: number) => tx.value<number>`
  insert into incoming_payloads as p (webhook_id, account_id, bytes) values (${webhookId}, ${accountId}, ${bytes})
  on conflict (webhook_id, account_id) do update set bytes = p.bytes + excluded.bytes
  returning bytes`

/** Deletes the oldest processed payloads until enough bytes are free; their deliveries stay. */
export const dropOldestPayloads = async (tx: Transaction, { accountId, id: webhookId }: Place, bytes: number) => {
  const { freed } = await tx.one<{ freed: number }>`
  with oldest as materialized (
    select id, created_at, octet_length(payload) as bytes from incoming_deliveries
    where account_id = ${accountId} and webhook_id = ${webhookId} and payload is not null and state <> 'received'
    order by created_at, id limit 5000 for update skip locked
  ), going as (
    select id, bytes, sum(bytes) over (order by created_at, id) - bytes as before from oldest
  ), gone as (
    update incoming_deliveries d set payload = null, others_id = null from going
    where d.account_id = ${accountId} and d.id = going.id and going.before < ${bytes} returning going.bytes
  )
  select coalesce(sum(bytes), 0)::bigint as freed from gone`
  await tx.run`
    update incoming_payloads set bytes = bytes - ${freed} where account_id = ${accountId} and webhook_id = ${webhookId}`
}

export const lockIncomingWebhooks = (tx: Transaction, accountId: string) => tx.one`
  select id from accounts where id = ${accountId} for no key update`

export const countIncomingWebhooks = async (db: Queryable, accountId: string) =>
  (await db.one<{ count: number }>`select count(*) as count from incoming_webhooks where account_id = ${accountId}`)
    .count

export type SettledDelivery = Pick<
  IncomingDeliveryRow,
  'state' | 'reason' | 'fields' | 'madeType' | 'madeId' | 'records' | 'warnings' | 'othersId'
>

export const settleDelivery = (tx: Transaction, { id, accountId }: Place, row: SettledDelivery) => tx.run`
  update incoming_deliveries set state = ${row.state}, reason = ${row.reason}, fields = ${row.fields && JSON.stringify(row.fields)}::jsonb,
    made_type = ${row.madeType}, made_id = ${row.madeId},
    records = ${row.records && JSON.stringify(row.records)}::jsonb, warnings = ${row.warnings && JSON.stringify(row.warnings)}::jsonb,
    others_id = ${row.othersId && JSON.stringify(row.othersId)}::jsonb
  where id = ${id} and account_id = ${accountId}`

/** Stores that a delivery names no other person any more. */
export const clearOtherPerson = (tx: Transaction, { id, accountId }: Place, warnings: string[]) => tx.run`
  update incoming_deliveries set others_id = null,
    warnings = ${warnings.length > 0 ? JSON.stringify(warnings) : null}::jsonb
  where id = ${id} and account_id = ${accountId}`

/** Resets deliveries to received. Returns their ids. */
export const openAgain = (tx: Transaction, webhook: Place, ids: string[] | null) => tx.many<{ id: string }>`
  update incoming_deliveries set state = 'received', reason = 'Replayed', fields = null, records = null, warnings = null, others_id = null,
    made_type = null, made_id = null
  where account_id = ${webhook.accountId} and webhook_id = ${webhook.id} and payload is not null
    and state in ('failed', 'ignored')
    and (id = any(${ids ?? []}::uuid[]) or (${ids === null} and state = 'failed'))
  returning id`

/**
 * Deletes the oldest that came before then, and stores the time of the last one with their webhooks. Returns how many.
 */
export const deleteDeliveriesBefore = async (tx: Transaction, before: Date, limit: number) => {
  const last = await tx.many<{ accountId: string; webhookId: string; at: string; bytes: number; count: number }>`
    with gone as (
      delete from incoming_deliveries where id = any(array(
        select id from incoming_deliveries where created_at < ${before} order by created_at limit ${limit}))
      returning account_id, webhook_id, created_at, octet_length(payload) as bytes
    )
    select account_id, webhook_id, max(created_at) as at, coalesce(sum(bytes), 0)::bigint as bytes, count(*) as count
    from gone group by account_id, webhook_id`
  if (last.length === 0) return 0
  // separately: webhooks are on every machine, deliveries with their accounts
  const webhookIds = last.map(({ webhookId }) => webhookId)
  await tx.run`
    update incoming_webhooks w set last_received_at = greatest(w.last_received_at, last.at)
    from unnest(${webhookIds}::uuid[], ${last.map(({ at }) => at)}::timestamptz[]) as last (webhook_id, at)
    where w.id = last.webhook_id`
  await tx.run`
    update incoming_payloads p set bytes = greatest(0, p.bytes - last.bytes)
    from unnest(${last.map(({ accountId }) => accountId)}::uuid[], ${webhookIds}::uuid[],
      ${last.map(({ bytes }) => bytes)}::bigint[]) as last (account_id, webhook_id, bytes)
    where p.account_id = last.account_id and p.webhook_id = last.webhook_id`
  return last.reduce((sum, { count }) => sum + count, 0)
}

/** Empties payloads of processed deliveries that came before then; the deliveries stay. Returns how many. */
const emptyPayloads = async (tx: Transaction, { accountId, id: webhookId }: Place, before: Date, limit: number) => {
  const { count, bytes } = await tx.one<{ count: number; bytes: number }>`
    with old as materialized (
      select id, octet_length(payload) as bytes from incoming_deliveries
      where account_id = ${accountId} and webhook_id = ${webhookId} and payload is not null
        and state in ('processed', 'ignored', 'replayed') and created_at < ${before}
      order by created_at, id limit ${limit} for update skip locked
    ), emptied as (
      update incoming_deliveries set payload = null, fields = null, warnings = null, others_id = null
      where account_id = ${accountId} and id = any(array(select id from old))
    )
    select count(*) as count, coalesce(sum(bytes), 0)::bigint as bytes from old`
  if (count > 0)
    await tx.run`
      update incoming_payloads set bytes = greatest(0, bytes - ${bytes}::bigint)
      where account_id = ${accountId} and webhook_id = ${webhookId}`
  return count
}

/** Empties payloads of an account’s processed deliveries that came before then. */
export async function emptyPayloadsBefore(db: Database, accountId: string, before: Date): Promise<void> {
  const webhooks = await db.many<{ id: string }>`
    select id from incoming_webhooks where account_id = ${accountId} order by id`
  for (const { id } of webhooks)
    await inBatches(2000, (limit) => transaction(db, (tx) => emptyPayloads(tx, { accountId, id }, before, limit)))
}
