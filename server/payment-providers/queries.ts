import type { PaymentProvider } from '#contract/sales.ts'
import { asUuid } from '../database/ids.ts'
import type { Queryable, Transaction } from '../database/pool.ts'
import { sql } from '../database/sql.ts'
import { type AccountFacts, accountFacts } from '../http/access.ts'
import type { ProviderAccount, ProviderEvent, ProviderObject } from './provider.ts'

/** A connection as the server works with it; its secrets are sealed. */
export type ConnectionRow = {
  id: string
  accountId: string
  provider: PaymentProvider
  livemode: boolean
  keySealed: Buffer | null
  webhookSecretSealed: Buffer | null
  endpointId: string | null
  trouble: string | null
  disconnectedAt: string | null
}

const connectionRow = sql`c.id, c.account_id, c.provider, c.livemode, c.key_sealed, c.webhook_secret_sealed, c.endpoint_id,
  c.trouble, c.disconnected_at`

export const connectionById = (db: Queryable, accountId: string, id: string) => db.maybe<ConnectionRow>`
  select ${connectionRow} from provider_connections c where c.id = ${asUuid(id)} and c.account_id = ${accountId}`

export const lockConnection = (tx: Transaction, id: string) => tx.one<ConnectionRow>`
  select ${connectionRow} from provider_connections c where c.id = ${id} for update`

/** The live connection that events to this address belong to. */
export const connectionByHookKey = (db: Queryable, provider: string, hookKey: string) => db.maybe<
  ConnectionRow & { accountDisabledAt: string | null }
>`
  select ${connectionRow}, a.disabled_at as account_disabled_at
  from provider_connections c join accounts a on a.id = c.account_id
  where c.hook_key = ${hookKey} and c.provider = ${provider} and c.disconnected_at is null`

export const isConnected = async (
  db: Queryable,
  accountId: string,
  provider: string,
  providerAccountId: string | null,
): Promise<boolean> =>
  providerAccountId !== null &&
  (await db.maybe`
    select from provider_connections
    where account_id = ${accountId} and provider = ${provider} and provider_account_id = ${providerAccountId}
      and disconnected_at is null`) !== undefined

type NewConnection = ProviderAccount & {
  id: string
  accountId: string
  provider: PaymentProvider
  hookKey: string
  keySealed: Buffer
  webhookSecretSealed: Buffer | null
}

/** Undefined where the provider's account is connected already. */
export const insertConnection = (tx: Transaction, row: NewConnection) => tx.maybe<{ id: string }>`
  insert into provider_connections (id, account_id, provider, method, account_name, default_currency, provider_account_id,
    livemode, hook_key, key_sealed, webhook_secret_sealed, created_at, updated_at)
  values (${row.id}, ${row.accountId}, ${row.provider}, 'credentials', ${row.accountName}, ${row.defaultCurrency},
    ${row.providerAccountId}, ${row.livemode}, ${row.hookKey}, ${row.keySealed}, ${row.webhookSecretSealed}, ${tx.now},
    ${tx.now})
  on conflict (account_id, provider, provider_account_id) where disconnected_at is null do nothing
  returning id`

/** What is known of the provider's account now; what is no longer told stays. */
export const updateAccount = (tx: Transaction, id: string, account: ProviderAccount) => tx.run`
  update provider_connections set account_name = coalesce(${account.accountName}, account_name),
    default_currency = coalesce(${account.defaultCurrency}, default_currency), updated_at = ${tx.now}
  where id = ${id}`

export const setTrouble = (tx: Transaction, id: string, trouble: string | null) => tx.run`
  update provider_connections set trouble = ${trouble}, updated_at = ${tx.now}
  where id = ${id} and disconnected_at is null`

export const setEndpoint = (
  tx: Transaction,
  id: string,
  {
    endpointId,
    secretSealed,
    trouble,
  }: { endpointId: string | null; secretSealed: Buffer | null; trouble: string | null },
) => tx.run`
  update provider_connections set endpoint_id = ${endpointId}, webhook_secret_sealed = ${secretSealed},
    endpoint_trouble = ${trouble}, updated_at = ${tx.now}
  where id = ${id} and disconnected_at is null`

export const eraseConnection = (tx: Transaction, id: string) => tx.run`
  update provider_connections set key_sealed = null, webhook_secret_sealed = null, trouble = null, endpoint_trouble = null,
    disconnected_at = ${tx.now}, updated_at = ${tx.now}
  where id = ${id}`

/** Keeps an event; undefined where it is known already. */
export const insertEvent = (
  tx: Transaction,
  row: { id: string; connectionId: string; event: ProviderEvent; body: string; state: 'received' | 'ignored' },
) => tx.maybe<{ id: string }>`
  insert into provider_events (id, connection_id, external_id, type, at, body, state, received_at)
  values (${row.id}, ${row.connectionId}, ${row.event.id}, ${row.event.type}, ${row.event.at}, ${row.body}, ${row.state},
    ${tx.now})
  on conflict (connection_id, external_id) do nothing
  returning id`

export type EventRow = { id: string; connectionId: string; accountId: string; body: string; tries: number }

/** An event that is not worked off yet. */
export const eventToProcess = (db: Queryable, id: string) => db.maybe<EventRow>`
  select e.id, e.connection_id, c.account_id, e.body, e.tries
  from provider_events e join provider_connections c on c.id = e.connection_id
  where e.id = ${id} and e.state in ('received', 'failed') and e.body is not null`

export const finishEvent = (db: Queryable, id: string) => db.run`
  update provider_events set state = 'processed', error = null, tries = tries + 1, processed_at = ${db.now} where id = ${id}`

export const failEvent = (db: Queryable, id: string, error: string) => db.run`
  update provider_events set state = 'failed', error = ${error}, tries = tries + 1 where id = ${id}`

export const failedEvents = (tx: Transaction, connectionId: string) => tx.many<{ id: string }>`
  select id from provider_events where connection_id = ${connectionId} and state = 'failed' order by received_at limit 1000`

/** The text of events is needed for a while only. */
export const forgetBodies = (db: Queryable) => db.run`
  update provider_events set body = null
  where body is not null and state in ('processed', 'ignored') and received_at < ${db.now}::timestamptz - interval '30 days'`

export const accountById = (db: Queryable, id: string) => db.one<AccountFacts>`
  select ${accountFacts} from accounts a where a.id = ${id}`

/** Waits until nobody else works on any of these, until the transaction ends. */
export const lockKeys = (tx: Transaction, connectionId: string, keys: string[]) => tx.run`
  select pg_advisory_xact_lock(hashtextextended(key, 5)) from unnest(${[...new Set(keys)]
    .map((key) => `${connectionId} ${key}`)
    .sort()}::text[]) as key`

type ObjectRow = Omit<ProviderObject, 'at'> & { at: string }
const objectColumns = sql`kind, object_id as id, group_key as "group", rank, at, data`
const toObject = (row: ObjectRow): ProviderObject => ({ ...row, at: new Date(row.at) })

/** What is kept of a payment, and what it shares with others. */
export async function objectsOf(db: Queryable, connectionId: string, key: string): Promise<ProviderObject[]> {
  const rows = await db.many<ObjectRow>`
    select ${objectColumns} from provider_objects
    where connection_id = ${connectionId} and (payment_key = ${key} or payment_key in (
      select group_key from provider_objects
      where connection_id = ${connectionId} and payment_key = ${key} and group_key is not null))`
  return rows.map(toObject)
}

/** Under which payment a thing is kept. */
export const keyOfObject = (db: Queryable, connectionId: string, kind: string, id: string) => db.maybe<{ key: string }>`
  select payment_key as key from provider_objects
  where connection_id = ${connectionId} and kind = ${kind} and object_id = ${id} order by payment_key limit 1`

export const paymentsOfGroup = (db: Queryable, connectionId: string, group: string) => db.many<{ key: string }>`
  select distinct payment_key as key from provider_objects
  where connection_id = ${connectionId} and group_key = ${group} order by 1`

/** Keeps sightings, each unless a later stage or a newer sighting of the same thing is there. */
export const upsertObjects = (tx: Transaction, connectionId: string, key: string, objects: ProviderObject[]) => tx.run`
  insert into provider_objects as known (connection_id, payment_key, kind, object_id, group_key, rank, at, data)
  select ${connectionId}, ${key}, kind, id, group_key, rank, at, data
  from unnest(${objects.map(({ kind }) => kind)}::text[], ${objects.map(({ id }) => id)}::text[],
    ${objects.map(({ group }) => group ?? null)}::text[], ${objects.map(({ rank }) => rank)}::bigint[],
    ${objects.map(({ at }) => at)}::timestamptz[], ${objects.map(({ data }) => JSON.stringify(data))}::jsonb[])
    as seen (kind, id, group_key, rank, at, data)
  on conflict (connection_id, payment_key, kind, object_id) do update
    set group_key = excluded.group_key, rank = excluded.rank, at = excluded.at, data = excluded.data
    where (excluded.rank, excluded.at) >= (known.rank, known.at)`

export async function takeObjects(tx: Transaction, connectionId: string, keys: string[]): Promise<ProviderObject[]> {
  const rows = await tx.many<ObjectRow>`
    delete from provider_objects where connection_id = ${connectionId} and payment_key = any(${keys}::text[])
    returning ${objectColumns}`
  return rows.map(toObject)
}

export const renamePayment = (tx: Transaction, connectionId: string, from: string[], to: string) => tx.run`
  update provider_payments set payment_key = ${to}
  where connection_id = ${connectionId} and payment_key = (
      select min(payment_key) from provider_payments
      where connection_id = ${connectionId} and payment_key = any(${from}::text[]))
    and not exists (select from provider_payments where connection_id = ${connectionId} and payment_key = ${to})`

export type Applied = Record<string, { status: string; amount: number }>
export type BookedPayment = { saleId: string; credited: boolean; applied: Applied }

export const bookedPayment = (tx: Transaction, connectionId: string, key: string) => tx.maybe<BookedPayment>`
  select sale_id, credited, applied from provider_payments
  where connection_id = ${connectionId} and payment_key = ${key}`

export const saveBooked = (tx: Transaction, connectionId: string, key: string, booked: BookedPayment) => tx.run`
  insert into provider_payments (connection_id, payment_key, sale_id, credited, applied)
  values (${connectionId}, ${key}, ${booked.saleId}, ${booked.credited}, ${JSON.stringify(booked.applied)}::jsonb)
  on conflict (connection_id, payment_key) do update set credited = excluded.credited, applied = excluded.applied`
