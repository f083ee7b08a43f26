import type { Import } from '#contract/imports.ts'
import type { Queryable, Transaction } from '../../platform/database/pool.ts'
import { sql } from '../../platform/database/sql.ts'
import type { Payer, ReceivedEvent } from './provider.ts'
import { isOnlyArrival, type WaitsFor } from './queries.ts'

/** Returns those of these events of a shop that are already stored, with more than their arrival. */
export const storedEvents = async (db: Queryable, { accountId, shopId }: Shop, ids: string[]): Promise<Set<string>> => {
  const rows = await db.many<{ id: string }>`
    select external_id as id from provider_events known
    where account_id = ${accountId} and shop_id = ${shopId} and external_id = any(${ids}::text[])
      and not ${isOnlyArrival}`
  return new Set(rows.map(({ id }) => id))
}

type Shop = { accountId: string; shopId: string }

type PastEvent = {
  id: string
  connection: { id: string; accountId: string; shopId: string }
  event: ReceivedEvent
  saleId: string | null
  /** Null once booked: its body is no longer needed. */
  open:
    | { state: 'waiting'; waitsFor: WaitsFor; reason: string }
    | { state: 'failed'; waitsFor: null; reason: string }
    | null
}

/** Stores a processed past event, or one with the condition it waits for. */
export const insertPastEvent = (tx: Transaction, { id, connection, event, saleId, open }: PastEvent) => tx.run`
  insert into provider_events as known (id, account_id, connection_id, shop_id, external_id, type, at, body, state, waits_for, error, tries,
    remembered, received_at, processed_at, sale_id)
  values (${id}, ${connection.accountId}, ${connection.id}, ${connection.shopId}, ${event.id}, ${event.type}, ${event.at},
    ${open ? event.body : null}, ${open?.state ?? 'processed'}, ${open?.waitsFor ?? null}, ${open?.reason ?? null}, 1,
    true, ${tx.now}, ${open ? null : tx.now}, ${saleId})
  on conflict (shop_id, external_id, account_id) do update
    set connection_id = excluded.connection_id, body = excluded.body, state = excluded.state,
      waits_for = excluded.waits_for, error = excluded.error, tries = excluded.tries, remembered = true,
      received_at = excluded.received_at, processed_at = excluded.processed_at, sale_id = excluded.sale_id
    where ${isOnlyArrival}`

export type ImportPayment = {
  accountId: string
  importId: string
  key: string
  outcome: 'created' | 'known' | 'newcomer'
  amount: number
  currency: string
  credited: boolean
} & Pick<Payer, 'customerId' | 'email'>

/** Records a payment of an import, with its first outcome; its lead may be found later. */
export const savePayment = (tx: Transaction, row: ImportPayment) => tx.run`
  insert into import_payments as known (account_id, import_id, payment_key, outcome, amount, currency, credited,
    customer_id, email)
  values (${row.accountId}, ${row.importId}, ${row.key}, ${row.outcome}, ${row.amount}, ${row.currency}, ${row.credited}, ${row.customerId},
    ${row.email})
  on conflict (import_id, payment_key, account_id) do update
    set amount = excluded.amount, credited = known.credited or excluded.credited, customer_id = excluded.customer_id,
      email = excluded.email`

type ImportKey = { id: string; accountId: string }
type Sums = Pick<Import, 'created' | 'skipped' | 'unattributed' | 'totals'>

/** The counts of an import so far. */
export const importSums = (db: Queryable, { id, accountId }: ImportKey) => db.one<Sums>`
  select coalesce(sum(count) filter (where outcome = 'created'), 0)::int as created,
    coalesce(sum(count) filter (where outcome = 'known'), 0)::int as skipped,
    coalesce(sum(lost) filter (where outcome = 'created'), 0)::int as unattributed,
    coalesce(jsonb_agg(jsonb_build_object('currency', currency, 'count', count, 'amount', amount) order by currency)
      filter (where outcome = 'created'), '[]') as totals
  from (
    select outcome, currency, count(*) as count, count(*) filter (where not credited) as lost, sum(amount) as amount
    from import_payments where import_id = ${id} and account_id = ${accountId} group by outcome, currency) by_currency`

/** Returns created sales without a partner whose payer is a partner's lead by now, after `after`. */
export const salesToCredit = (
  db: Queryable,
  { id, accountId }: ImportKey,
  { after, limit }: { after: string; limit: number },
) => db.many<{ key: string }>`
  select p.payment_key as key
  from import_payments p join imports i on i.account_id = p.account_id and i.id = p.import_id join provider_connections c on c.id = i.connection_id
  where p.import_id = ${id} and p.account_id = ${accountId} and p.outcome = 'created' and not p.credited and p.payment_key > ${after} and (
    exists (select from shop_customers k join leads l on l.account_id = k.account_id and l.id = k.lead_id
      where k.account_id = ${accountId} and k.shop_id = c.shop_id and k.customer_id = p.customer_id
        and l.partner_id is not null)
    or exists (select from leads l
      where l.account_id = ${accountId} and l.email = p.email and l.partner_id is not null))
  order by p.payment_key limit ${limit}`

const creditedOf = ({ id, accountId }: ImportKey) =>
  sql`import_payments where import_id = ${id} and account_id = ${accountId} and credited`

/** Credits sales of a dry run whose customer or e-mail is credited elsewhere in it; returns how many. */
export const creditSales = (tx: Transaction, key: ImportKey) => tx.run`
  update import_payments set credited = true
  where import_id = ${key.id} and account_id = ${key.accountId} and outcome = 'created' and not credited and (
    customer_id in (select customer_id from ${creditedOf(key)}) or email in (select email from ${creditedOf(key)}))`

export const deletePayments = (db: Queryable, { id, accountId }: ImportKey) => db.run`
  delete from import_payments where import_id = ${id} and account_id = ${accountId}`

export const deleteObjects = (db: Queryable, { id, accountId }: ImportKey) => db.run`
  delete from import_objects where import_id = ${id} and account_id = ${accountId}`

type Night = { first: number; hours: number }

/**
 * Returns live connections due for their nightly check: since the last one, or their creation, the hour has come in
 * their account's time zone.
 */
export const connectionsToReconcile = (db: Queryable, { first, hours }: Night) => db.many<{ id: string }>`
  select c.id
  from provider_connections c join accounts a on a.id = c.account_id
    cross join lateral (
      select make_interval(hours => ${first}::int + abs(hashtext(c.id::text)::bigint % ${hours})::int) as hour) own
    cross join lateral (
      select date_trunc('day', (${db.now}::timestamptz at time zone a.time_zone) - own.hour) + own.hour as begun) night
  where c.disconnected_at is null and c.credentials_sealed is not null and a.disabled_at is null
    and coalesce(c.reconciled_at, c.created_at) < night.begun at time zone a.time_zone
  order by c.id`

/** Returns when the last of the shop's former connections ended; null without one. */
export const formerEnd = (
  db: Queryable,
  { id, accountId, shopId }: { id: string; accountId: string; shopId: string },
) =>
  db.value<string | null>`
    select max(disconnected_at) from provider_connections
    where account_id = ${accountId} and shop_id = ${shopId} and id <> ${id}`

/** Returns payments of a shop whose facts are to be read once more, with their stored objects. */
export const paymentsToReadAgain = (db: Queryable, { accountId, shopId }: Shop, limit: number) => db.many<{
  key: string
  objects: { kind: string; id: string; data: Record<string, unknown> }[]
}>`
  select payment_key as key, (
    select jsonb_agg(jsonb_build_object('kind', kind, 'id', object_id, 'data', data)) from provider_objects o
    where o.account_id = p.account_id and o.shop_id = p.shop_id and o.payment_key = p.payment_key) as objects
  from provider_payments p
  where account_id = ${accountId} and shop_id = ${shopId} and read_again order by payment_key limit ${limit}`

/** Marks the payments of a shop with a refund since then to be read again. */
export const setRefundedToReadAgain = (db: Queryable, { accountId, shopId }: Shop, since: Date) => db.run`
  update provider_payments p set read_again = true
  where p.account_id = ${accountId} and p.shop_id = ${shopId} and p.sale_id in (
    select r.sale_id from refunds r
    where r.account_id = ${accountId} and r.counted_on >= ${since}::timestamptz::date and r.kind = 'refund'
      and r.status = 'succeeded' and r.external_id is not null)`

export const setReadAgain = (db: Queryable, { accountId, shopId }: Shop, keys: string[]) => db.run`
  update provider_payments set read_again = false
  where account_id = ${accountId} and shop_id = ${shopId} and payment_key = any(${keys}::text[])`

export const setReconciled = (tx: Transaction, id: string, at: Date) => tx.run`
  update provider_connections set reconciled_at = greatest(reconciled_at, ${at}) where id = ${id}`
