import { fillAccount } from '../../bench/ui-latency-account.ts'
import { newId } from '../../server/platform/database/ids.ts'
import { type Database, transaction } from '../../server/platform/database/pool.ts'
import { sql } from '../../server/platform/database/sql.ts'
import type { Large } from './statement.ts'

const SIZE = { leads: 150_000, partners: 20_000, sales: 150_000, payouts: 15_000 }
/** Rows in each of the tables that only grow. */
const LINES = 60_000

/** Number of webhooks, connections and shops each. */
const SENDERS = 20

/** Accounts besides the large one: a plan for any account is a plan for one of these. */
const SMALL_ACCOUNTS = 20
const SMALL = { leads: 400, partners: 100, sales: 400, payouts: 20 }

/** A million rows, most of them in one account; returns that account's ids by column. */
export async function fillLargeTables(db: Database): Promise<Large> {
  const accounts = await db.many<{ id: string }>`
    insert into accounts (id, name, public_id, time_zone, created_at, updated_at)
    select uuidv7(), 'Account ' || n, 'pub_' || n, 'UTC', now(), now() from generate_series(0, ${SMALL_ACCOUNTS}::integer) n
    returning id`
  const accountId = accounts[0]!.id
  await fillAccount(db, accountId, SIZE)
  for (const { id } of accounts.slice(1)) await fillAccount(db, id, SMALL)
  const { leadId, saleId, partnerId, blueprintId, payoutId } = await db.one<Record<string, string>>`
    select lead_id, id as sale_id, partner_id, blueprint_id,
      (select id from payouts where account_id = ${accountId} and status = 'paid' limit 1) as payout_id
    from sales where account_id = ${accountId} and partner_id in (
      select partner_id from leads where account_id = ${accountId} and partner_id is not null group by 1 order by count(*) desc limit 1)
      and blueprint_id is not null limit 1`
  const [webhooks, shops] = [0, 1].map(() => Array.from({ length: SENDERS }, newId)) as [string[], string[]]
  const [webhookId, shopId] = [webhooks[0]!, shops[0]!]
  const now = db.now
  const shopOfLine = sql`(${shops}::uuid[])[case n % 2 when 0 then 1 else 1 + n % ${SENDERS} end]`
  // half of them are in the large account, from half of the webhooks and one shop
  const lines = sql`generate_series(1, ${LINES}::integer) n, lateral (
    select ${now}::timestamptz - n * interval '1 minute' as at, n % 499 = 9 as rare,
      (${accounts.map(({ id }) => id)}::uuid[])[case n % 2 when 0 then 1 else 2 + n % ${SMALL_ACCOUNTS} end] as account_id,
      (${webhooks}::uuid[])[1 + n % ${SENDERS}] as webhook_id, ${shopOfLine} as shop_id) a`
  await transaction(db, async (tx) => {
    // referenced rows need not exist
    await tx.run`set local session_replication_role = replica`
    await tx.run`set local statement_timeout = 0`
    await tx.run`set local idle_in_transaction_session_timeout = 0`
    await tx.run`
      insert into clicks (id, account_id, partner_id, day, ip_hash, source, at)
      select uuidv7(at - ${now}::timestamptz), account_id, ${partnerId}, at::date, n * 7919::bigint, 'redirect', at from ${lines}`
    await tx.run`
      insert into passing_events (id, account_id, at, type, kind, audited, actor_type, subject_type, subject_id, data)
      select uuidv7(created_at - ${now}::timestamptz), account_id, created_at, 'sale.created', 'public', false, 'api-key', 'sale', id, '{}' from sales`
    await tx.run`
      insert into events (id, account_id, at, type, kind, audited, actor_type, actor_id, subject_type, subject_id, data)
      select uuidv7(at - ${now}::timestamptz), account_id, at, 'lead.updated', 'public', true, 'user', webhook_id, 'lead', uuidv7(), '{}' from ${lines}`
    // a relay that has fallen behind, and events that it gave up before
    await tx.run`
      insert into event_relays (event_id, account_id, parked_at)
      select id, account_id, case when row_number() over (order by at) <= 100 then at end from passing_events order by at`
    await tx.run`
      insert into outgoing_webhooks (id, account_id, name, url, events, secret_sealed, enabled, created_at, updated_at)
      select distinct webhook_id, account_id, webhook_id, 'https://' || webhook_id || '.example', array['sale.created'], ''::bytea,
        true, ${now}::timestamptz, ${now}::timestamptz from ${lines}`
    await tx.run`
      insert into outgoing_deliveries (id, account_id, webhook_id, event_id, event, state, code, next_at, created_at)
      select uuidv7(), account_id, webhook_id, uuidv7(), 'sale.created',
        case when not rare then 'delivered' when n % 3 = 0 then 'failed' else 'retrying' end, case when not rare then 200 end,
        case when rare and n % 3 > 0 then at end, at from ${lines}`
    await tx.run`
      insert into incoming_deliveries (id, account_id, webhook_id, state, payload, dedupe_key, made_type, made_id, created_at)
      select uuidv7(), account_id, webhook_id, case when rare then 'failed' when n % 3 = 0 then 'ignored' else 'processed' end,
        case when n < ${LINES} / 2 then '{}' end, n::text::bytea,
        case when not rare and n % 3 > 0 then 'lead' end, case when not rare and n % 3 > 0 then uuidv7() end, at from ${lines}`
    await tx.run`
      insert into push_requests (id, account_id, path, status, rows, failed_rows, created_at)
      select uuidv7(), case n % 600 when 0 then ${accountId} else md5((n % 600)::text)::uuid end, '/push/sales', case when rare then 422 else 201 end, 1, 0, at from ${lines}`
    await tx.run`
      insert into provider_events (id, account_id, connection_id, shop_id, external_id, type, at, state, waits_for, body, received_at)
      select uuidv7(), account_id, shop_id, shop_id, 'event-' || n, 'payment', at,
        case when not rare then 'processed' when n % 3 = 0 then 'waiting' else 'failed' end, case when rare and n % 3 = 0 then 'rate' end,
        case when n < ${LINES} / 2 then '{}' end, at from ${lines}`
    await tx.run`
      insert into provider_objects (account_id, shop_id, payment_key, kind, object_id, group_key, rank, at, data)
      select account_id, shop_id, 'payment-' || n, 'payment', 'payment-' || n, 'group-' || n / 50, 0, at, '{}' from ${lines}`
    await tx.run`
      insert into provider_payments (account_id, shop_id, payment_key, sale_id, credited)
      select ${accountId}, ${shopOfLine}, 'payment-' || n, id, true
      from (select id, row_number() over () as n from sales where account_id = ${accountId} limit ${LINES}) s`
    await tx.run`
      insert into shop_customers (account_id, shop_id, customer_id, lead_id, created_at)
      select l.account_id, h.id, 'cus-' || l.external_id, l.id, l.created_at
      from leads l join (select account_id, min(id::text)::uuid as id from provider_shops group by 1) h using (account_id)
      where l.external_id is not null`
    await tx.run`
      insert into lead_submissions (id, account_id, lead_id, source, body, created_at)
      select uuidv7(), account_id, id, 'embed', '{}', created_at from leads
      where created_at > ${now}::timestamptz - interval '90 days'`
    await tx.run`
      insert into mails (id, name, kind, email, state, created_at)
      select uuidv7(), 'mail-' || n, 'partner-news', n || '@mail.example', case when rare then 'failed' else 'sent' end, at from ${lines}`
    await tx.run`
      insert into mail_news (id, account_id, partner_id, kind, subject_id, occasion, mail_id, mailed_at, created_at)
      select uuidv7(), account_id, uuidv7(), 'sale', uuidv7(), 'n' || n, case when not rare then uuidv7() end,
        case when not rare then at end, at from ${lines}`
    await tx.run`
      insert into idempotency_keys (caller, call, key, body_hash, status, answer_sealed, created_at)
      select 'key ' || n % 100, 'createLead', 'key-' || n, ''::bytea, 201, ''::bytea,
        ${now}::timestamptz - n * interval '1 second' from ${lines}`
    await tx.run`
      with made as (
        insert into users (id, email, created_at, updated_at)
        select uuidv7(), email, created_at, created_at from partners where account_id = ${accountId} on conflict do nothing
        returning id, email, created_at)
      insert into user_roles (user_id, type, account_id, partner_id, created_at)
      select m.id, 'partner', ${accountId}, p.id, m.created_at from made m join partners p on p.account_id = ${accountId} and p.email = m.email`
    await tx.run`
      with made as (
        insert into users (id, email, created_at, updated_at)
        select id, id || '@owners.example', created_at, created_at from accounts returning id, created_at)
      insert into user_roles (user_id, type, account_id, created_at)
      select id, 'account-owner', id, created_at from made union all select id, 'admin', null, created_at from made`
    await tx.run`update payouts set approved_by = (select user_id from user_roles where type = 'admin' limit 1)`
    await tx.run`
      insert into sessions (id, user_id, access_hash, access_expires_at, created_at, last_used_at, expires_at)
      select uuidv7(), id, uuid_send(id), created_at, created_at, created_at, created_at + interval '30 days' from users`
    await tx.run`
      insert into refresh_tokens (hash, session_id, generation, expires_at)
      select uuid_send(id), id, 0, expires_at from sessions on conflict do nothing`
  })
  await db.run`vacuum`
  await transaction(db, async (tx) => {
    await tx.run`set local statement_timeout = 0`
    // a target high enough to sample every row of most tables: plans are the same in each run
    await tx.run`set local default_statistics_target = 500`
    await tx.run`analyze`
  })
  return {
    ...{ account_id: accountId, partner_id: partnerId!, lead_id: leadId!, sale_id: saleId!, payout_id: payoutId! },
    ...{ blueprint_id: blueprintId! },
    ...{ actor_id: webhookId, webhook_id: webhookId, connection_id: shopId, shop_id: shopId },
  }
}
