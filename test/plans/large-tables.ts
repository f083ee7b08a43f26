import { fillAccount } from '../../bench/felt-account.ts'
import { newId } from '../../server/platform/database/ids.ts'
import { type Database, transaction } from '../../server/platform/database/pool.ts'
import { sql } from '../../server/platform/database/sql.ts'
import type { Large } from './statement.ts'

const SIZE = { leads: 150_000, partners: 20_000, sales: 150_000, payouts: 15_000 }
/** Rows of each of the tables that only grow. */
const LINES = 60_000

/** Accounts beside the large one: what is planned for any account is planned for one of these. */
const SMALL_ACCOUNTS = 20
const SMALL = { leads: 400, partners: 100, sales: 400, payouts: 20 }

/** A million rows, of which one account has most; answers what its columns name in it. */
export async function fillLargeTables(db: Database): Promise<Large> {
  const accounts = await db.many<{ id: string }>`
    insert into accounts (id, name, public_id, time_zone, created_at, updated_at)
    select uuidv7(), 'Account ' || n, 'pub_' || n, 'UTC', now(), now() from generate_series(0, ${SMALL_ACCOUNTS}::integer) n
    returning id`
  const accountId = accounts[0]!.id
  await fillAccount(db, accountId, SIZE)
  for (const { id } of accounts.slice(1)) await fillAccount(db, id, SMALL)
  const { leadId, saleId, partnerId, payoutId } = await db.one<Record<string, string>>`
    select lead_id, id as sale_id, partner_id,
      (select id from payouts where account_id = ${accountId} and status = 'paid' limit 1) as payout_id
    from sales where account_id = ${accountId} and partner_id in (
      select partner_id from leads where account_id = ${accountId} and partner_id is not null group by 1 order by count(*) desc limit 1) limit 1`
  const [webhookId, connectionId, shopId, userId] = [newId(), newId(), newId(), newId()]
  const times = sql`generate_series(1, ${LINES}::integer) n,
    lateral (select ${db.now}::timestamptz - n * interval '1 minute' as at) a`
  await transaction(db, async (tx) => {
    // nothing these rows name has to be there
    await tx.run`set local session_replication_role = replica`
    await tx.run`set local statement_timeout = 0`
    await tx.run`set local idle_in_transaction_session_timeout = 0`
    await tx.run`
      insert into clicks (id, account_id, partner_id, day, ip_hash, source, at)
      select uuidv7(), ${accountId}, ${partnerId}, at::date, n * 7919::bigint, 'redirect', at from ${times}`
    await tx.run`
      insert into events (id, account_id, at, type, kind, audited, actor_type, actor_id, subject_type, subject_id, data)
      select uuidv7(), ${accountId}, created_at, 'sale.created', 'public', true, 'user', ${userId}, 'sale', id, '{}'
      from sales where account_id = ${accountId}`
    await tx.run`
      insert into outgoing_deliveries (id, account_id, webhook_id, event_id, event, state, code, created_at)
      select uuidv7(), ${accountId}, ${webhookId}, uuidv7(), 'sale.created', 'delivered', 200, at from ${times}`
    await tx.run`
      insert into incoming_deliveries (id, account_id, webhook_id, state, payload, dedupe_key, created_at)
      select uuidv7(), ${accountId}, ${webhookId}, 'ignored', '{}', n::text::bytea, at from ${times}`
    await tx.run`
      insert into push_requests (id, account_id, path, status, rows, failed_rows, created_at)
      select uuidv7(), ${accountId}, '/push/sales', 201, 1, 0, at from ${times}`
    await tx.run`
      insert into provider_events (id, connection_id, shop_id, external_id, type, at, state, received_at)
      select uuidv7(), ${connectionId}, ${shopId}, 'event-' || n, 'payment', at, 'processed', at from ${times}`
    await tx.run`
      insert into provider_objects (shop_id, payment_key, kind, object_id, group_key, rank, at, data)
      select ${shopId}, 'payment-' || n, 'payment', 'payment-' || n, 'group-' || n % 1000, 0, at, '{}' from ${times}`
    await tx.run`
      insert into provider_payments (shop_id, payment_key, sale_id, credited)
      select ${shopId}, 'payment-' || row_number() over (), id, true
      from sales where account_id = ${accountId} limit ${LINES}`
    await tx.run`
      insert into lead_customers (account_id, provider, customer_id, lead_id, created_at)
      select ${accountId}, 'stripe', 'cus-' || external_id, id, created_at
      from leads where account_id = ${accountId} and external_id is not null limit ${LINES}`
    await tx.run`
      insert into lead_submissions (id, account_id, lead_id, source, body, created_at)
      select uuidv7(), ${accountId}, id, 'embed', '{}', created_at from leads where account_id = ${accountId} limit ${LINES}`
    await tx.run`
      insert into mails (id, name, kind, email, state, created_at)
      select uuidv7(), 'mail-' || n, 'partner-news', n || '@mail.example', 'sent', at from ${times}`
    await tx.run`
      insert into mail_news (id, account_id, partner_id, kind, subject_id, occasion, created_at)
      select uuidv7(), ${accountId}, ${partnerId}, 'sale', uuidv7(), 'n' || n, at from ${times}`
    await tx.run`
      insert into idempotency_keys (caller, call, key, body_hash, status, answer_sealed, created_at)
      select 'key ' || n % 10, 'createLead', 'key-' || n, ''::bytea, 201, ''::bytea, at from ${times}`
    await tx.run`
      insert into payout_events (payout_id, at, from_status, to_status, actor)
      select id, created_at, 'approved', 'paid', 'system' from payouts where account_id = ${accountId}`
    await tx.run`
      with made as (
        insert into users (id, email, created_at, updated_at)
        select uuidv7(), email, created_at, created_at from partners where account_id = ${accountId} on conflict do nothing
        returning id, email, created_at)
      insert into user_roles (user_id, type, account_id, partner_id, created_at)
      select m.id, 'partner', ${accountId}, p.id, m.created_at from made m join partners p on p.account_id = ${accountId} and p.email = m.email`
    await tx.run`
      insert into sessions (id, user_id, access_hash, access_expires_at, created_at, last_used_at, expires_at)
      select uuidv7(), id, uuid_send(id), created_at, created_at, created_at, created_at + interval '30 days' from users`
    await tx.run`
      insert into refresh_tokens (hash, session_id, generation, expires_at)
      select uuid_send(id), id, 0, expires_at from sessions on conflict do nothing`
  })
  await db.run`vacuum analyze`
  return {
    ...{ account_id: accountId, partner_id: partnerId!, lead_id: leadId!, sale_id: saleId!, payout_id: payoutId! },
    ...{ webhook_id: webhookId, connection_id: connectionId, shop_id: shopId },
  }
}
