import type { PromotionCodeRule, providerEventStates } from '#contract/payment-providers.ts'
import type { PaymentProvider, RefundLine } from '#contract/sales.ts'
import { asUuid, newId } from '../../platform/database/ids.ts'
import type { Queryable, Transaction } from '../../platform/database/pool.ts'
import { type Sql, sql } from '../../platform/database/sql.ts'
import { c, type RowOf, table } from '../../platform/database/table.ts'
import { type AccountFacts, accountFacts } from '../../program/access/account-facts.ts'
import type { ProviderAccount, ReceivedEvent } from './provider.ts'

/** A connection's secrets are sealed. */
export const connectionTable = table('provider_connections', {
  id: c.uuid,
  accountId: c.uuid,
  /** The provider's account, to which stored facts belong. */
  shopId: c.uuid,
  provider: c.text<PaymentProvider>(),
  method: c.text<'oauth' | 'credentials'>(),
  livemode: c.boolean,
  accountName: c.text().null().unread(),
  defaultCurrency: c.text().null(),
  providerAccountId: c.text().null(),
  /** Part of the address for its events; null if they come to the application's address. */
  hookKey: c.text().null(),
  /** The address as registered at the provider. */
  webhookUrl: c.text(),
  credentialsSealed: c.bytes.null(),
  /** Whether events can be checked. */
  webhookSecretSet: c.boolean,
  endpointId: c.text().null(),
  trouble: c.text().null(),
  endpointTrouble: c.text().null(),
  /** Time of the owner's last consent; only for OAuth. */
  authorizedAt: c.instant.null(),
  /** Time when the provider reported the consent as withdrawn; the credentials are deleted. */
  revokedAt: c.instant.null(),
  refreshAt: c.instant.null().unread(),
  checkedAt: c.instant.null().unread(),
  /** Time of the last event before a pause that is too long. */
  silentSince: c.instant.null(),
  reconciledAt: c.instant.null(),
  disconnectedAt: c.instant.null(),
  createdAt: c.instant,
  updatedAt: c.instant.unread(),
})

export type ConnectionRow = RowOf<typeof connectionTable>

const connectionRow = connectionTable.from('c')

export const connectionById = (db: Queryable, accountId: string, id: string) => db.maybe<ConnectionRow>`
  select ${connectionRow} from provider_connections c where c.id = ${asUuid(id)} and c.account_id = ${accountId}`

export const liveConnection = (db: Queryable, id: string) => db.maybe<ConnectionRow>`
  select ${connectionRow} from provider_connections c where c.id = ${id} and c.disconnected_at is null`

/** Finds the account's oldest active connection: most payments come through it. */
export const firstConnection = (db: Queryable, accountId: string) => db.maybe<ConnectionRow>`
  select ${connectionRow} from provider_connections c
  where c.account_id = ${accountId} and c.disconnected_at is null order by c.created_at, c.id limit 1`

export const lockConnection = (tx: Transaction, id: string) => tx.one<ConnectionRow>`
  select ${connectionRow} from provider_connections c where c.id = ${id} for update`

export type ReceivingRow = ConnectionRow & { accountDisabledAt: string | null }
const receiving = sql`${connectionRow}, a.disabled_at as account_disabled_at
  from provider_connections c join accounts a on a.id = c.account_id`

/** Finds the live connection for events to this address. */
export const connectionsByHookKey = (db: Queryable, provider: string, hookKey: string) => db.many<ReceivingRow>`
  select ${receiving}
  where c.hook_key = ${hookKey} and c.provider = ${provider} and c.disconnected_at is null`

/** Finds the live connections, of all our accounts, to this provider account. */
export const connectionsByProviderAccount = (
  db: Queryable,
  provider: string,
  account: string,
  method: ConnectionRow['method'],
) => db.many<ReceivingRow>`
  select ${receiving}
  where c.provider_account_id = ${account} and c.provider = ${provider} and c.method = ${method} and c.hook_key is null
    and c.disconnected_at is null
  order by c.id`

/** Finds former OAuth connections of a provider's account, for shops without a current connection. */
export const formerConnections = (db: Queryable, provider: string, account: string) => db.many<ReceivingRow>`
  select distinct on (c.shop_id) ${receiving}
  where c.provider_account_id = ${account} and c.provider = ${provider} and c.method = 'oauth'
    and c.authorized_at is not null and not exists (select from provider_connections o where o.shop_id = c.shop_id and o.disconnected_at is null)
  order by c.shop_id, c.created_at desc, c.id desc`

/** Whether another of our accounts relies on the same consent. */
export const sharesConsent = async (db: Queryable, { id, provider, providerAccountId }: ConnectionRow) =>
  (await db.maybe`
    select from provider_connections
    where provider = ${provider} and provider_account_id = ${providerAccountId} and method = 'oauth'
      and id <> ${id} and disconnected_at is null and revoked_at is null limit 1`) !== undefined

/** Finds the connection to call a shop: the event's own while it is active, else its successor. */
export const connectionToAsk = (db: Queryable, shopId: string) => db.maybe<ConnectionRow>`
  select ${connectionRow} from provider_connections c
  where c.shop_id = ${shopId} and c.disconnected_at is null and c.credentials_sealed is not null
  order by c.created_at desc, c.id desc limit 1`

/** Finds connections whose shop has waiting events. */
export const connectionsWaitedFor = (db: Queryable) => db.many<ConnectionRow>`
  select ${connectionRow} from provider_connections c
  where c.disconnected_at is null and c.credentials_sealed is not null
    and c.shop_id in (select shop_id from provider_events where state = 'waiting')
  order by c.id`

export type ShopRow = { id: string; externalId: string | null; livemode: boolean }
type Shop = { accountId: string; provider: PaymentProvider; livemode: boolean; externalId: string | null }

const shopOf = (db: Queryable, { accountId, provider, livemode, externalId }: Shop) => db.maybe<ShopRow>`
  select id, external_id, livemode from provider_shops
  where account_id = ${accountId} and provider = ${provider} and livemode = ${livemode}
    and external_id is not distinct from ${externalId}
  order by created_at, id limit 1`

export const shopById = (db: Queryable, id: string) => db.one<ShopRow>`
  select id, external_id, livemode from provider_shops where id = ${id}`

/** Finds the active connection to a shop, if its key names one. */
export const standingConnection = async (db: Queryable, shop: Shop): Promise<ConnectionRow | undefined> => {
  const known = await shopOf(db, shop)
  return (
    known &&
    db.maybe<ConnectionRow>`
      select ${connectionRow} from provider_connections c where c.shop_id = ${known.id} and c.disconnected_at is null`
  )
}

/** Returns the shop of a key, inserted on first use. */
export async function saveShop(tx: Transaction, shop: Shop): Promise<ShopRow> {
  await tx.run`select pg_advisory_xact_lock(hashtextextended(${`${shop.accountId} ${shop.provider}`}, 6))`
  const known = await shopOf(tx, shop)
  return (
    known ??
    tx.one<ShopRow>`
    insert into provider_shops (id, account_id, provider, livemode, external_id, created_at)
    values (${newId()}, ${shop.accountId}, ${shop.provider}, ${shop.livemode}, ${shop.externalId}, ${tx.now})
    returning id, external_id, livemode`
  )
}

/** Sets the id of a shop whose first key did not name it; false if another has it. */
export const nameShop = async (tx: Transaction, id: string, externalId: string): Promise<boolean> =>
  (await tx.run`
    update provider_shops s set external_id = ${externalId}
    where id = ${id} and not exists (
      select from provider_shops o
      where o.account_id = s.account_id and o.provider = s.provider and o.livemode = s.livemode
        and o.external_id = ${externalId} and o.id <> s.id)`) > 0

/** Updates the provider's account; facts no longer sent stay. */
export const updateProviderAccount = (tx: Transaction, id: string, account: ProviderAccount) => tx.run`
  update provider_connections set account_name = coalesce(${account.accountName}, account_name),
    default_currency = coalesce(${account.defaultCurrency}, default_currency),
    provider_account_id = coalesce(provider_account_id, ${account.providerAccountId}), updated_at = ${tx.now}
  where id = ${id}`

/** Changes a connection, unless it has ended. */
const change = (tx: Transaction, id: string, set: Sql) => tx.run`
  update provider_connections set ${set} where id = ${id} and disconnected_at is null`

export const setTrouble = (tx: Transaction, id: string, trouble: string | null) =>
  change(tx, id, sql`trouble = ${trouble}, updated_at = ${tx.now}`)

/** Moves a connection; false if the shop is already connected. */
export const moveToShop = async (tx: Transaction, id: string, shopId: string): Promise<boolean> =>
  (await tx.run`
    update provider_connections c set shop_id = s.id, livemode = s.livemode, endpoint_id = null, endpoint_trouble = null,
      silent_since = null, reconciled_at = null, checked_at = ${tx.now}, created_at = ${tx.now}, updated_at = ${tx.now}
    from provider_shops s
    where c.id = ${id} and s.id = ${shopId} and s.account_id = c.account_id and not exists (
      select from provider_connections o where o.shop_id = s.id and o.id <> c.id and o.disconnected_at is null)`) > 0

/** Stores the endpoint created at the provider, or why none was. */
export const setEndpoint = (
  tx: Transaction,
  id: string,
  row: { endpointId: string | null; webhookUrl: string; trouble: string | null },
) => tx.run`
  update provider_connections set endpoint_id = ${row.endpointId}, webhook_url = ${row.webhookUrl},
    endpoint_trouble = ${row.trouble}, updated_at = ${tx.now}
  where id = ${id} and disconnected_at is null`

export const setEndpointTrouble = (tx: Transaction, id: string, trouble: string | null) => tx.run`
  update provider_connections set endpoint_trouble = ${trouble} where id = ${id}`

export const setSilence = (tx: Transaction, id: string, since: string | null) =>
  change(tx, id, sql`silent_since = ${since}`)

export const eraseConnection = (tx: Transaction, id: string) => tx.run`
  update provider_connections set credentials_sealed = null, webhook_secret_set = false, trouble = null,
    endpoint_trouble = null, refresh_at = null, silent_since = null, disconnected_at = ${tx.now}, updated_at = ${tx.now}
  where id = ${id}`

/** Erases the credentials of a consent that the provider reported as withdrawn. */
export const eraseRevoked = (tx: Transaction, id: string) =>
  change(tx, id, sql`credentials_sealed = null, refresh_at = null, revoked_at = ${tx.now}, updated_at = ${tx.now}`)

/** Records that the owner has consented again. */
export const renewConsent = (tx: Transaction, id: string) =>
  change(tx, id, sql`authorized_at = ${tx.now}, revoked_at = null, silent_since = null`)

export const setRefresh = (tx: Transaction, id: string, at: Date | null) => change(tx, id, sql`refresh_at = ${at}`)

const REFRESH_TRIED_AGAIN = sql`interval '5 minutes'`

/** Finds connections whose tokens are due for renewal. */
export const connectionsToRefresh = (db: Queryable) => db.many<{ id: string; connectionId: string }>`
  select account_id as id, id as connection_id from provider_connections
  where refresh_at <= ${db.now} and disconnected_at is null order by refresh_at, id`

/** Claims the renewal of a connection for this process; undefined if another has it, or it is no longer due. */
export const claimRefresh = (db: Queryable, id: string) => db.maybe<ConnectionRow>`
  update provider_connections c set refresh_at = ${db.now}::timestamptz + ${REFRESH_TRIED_AGAIN}
  where c.id = ${id} and c.refresh_at <= ${db.now} and c.disconnected_at is null and c.credentials_sealed is not null
  returning ${connectionRow}`

const dueForCheck = (now: Date) => sql`c.disconnected_at is null and c.credentials_sealed is not null
  and (c.checked_at is null or c.checked_at <= ${now}::timestamptz - interval '1 day')
  and exists (select from accounts a where a.id = c.account_id and a.disabled_at is null)`

/** Finds connections whose key was not tried for a day. */
export const connectionsToCheck = (db: Queryable) => db.many<{ id: string; connectionId: string }>`
  select c.account_id as id, c.id as connection_id from provider_connections c where ${dueForCheck(db.now)} order by c.checked_at nulls first, c.id`

/** Claims the day's check of a connection for this process; undefined if another has it. */
export const claimCheck = (db: Queryable, id: string) => db.maybe<ConnectionRow>`
  update provider_connections c set checked_at = ${db.now} where c.id = ${id} and ${dueForCheck(db.now)}
  returning ${connectionRow}`

/** Finds connections that get events, without a reported problem. */
export const connectionsHeard = (db: Queryable) => db.many<Heard>`
  select c.account_id as id, c.id as connection_id, c.shop_id from provider_connections c join accounts a on a.id = c.account_id
  where c.disconnected_at is null and c.revoked_at is null and c.trouble is null and c.endpoint_trouble is null
    and c.webhook_secret_set and c.silent_since is null and a.disabled_at is null
  order by c.id`

/** Account, connection and shop. */
type Heard = { id: string; connectionId: string; shopId: string }

/**
 * Returns the last event of a connection that had some on 20 of 30 days and then none: for three days, and for twice the
 * longest pause in these 30 days, so that weekends and quiet shops raise no alarm.
 */
export async function silentSince(db: Queryable, { id, connectionId, shopId }: Heard): Promise<string | undefined> {
  const ofShop = sql`e.account_id = ${id} and e.shop_id = ${shopId} and not e.remembered`
  const silence = await db.maybe<{ since: string }>`
  select heard.last as since
  from provider_connections c join accounts a on a.id = c.account_id
    cross join lateral (select max(e.received_at) as last from provider_events e where ${ofShop}) heard
    cross join lateral (
      select count(distinct (each.received_at at time zone a.time_zone)::date) as days, max(each.pause) as pause
      from (
        select e.received_at, e.received_at - lag(e.received_at) over (order by e.received_at) as pause
        from provider_events e
        where ${ofShop} and e.received_at > heard.last - interval '30 days') each) month
  where c.id = ${connectionId} and month.days >= 20
    and greatest(heard.last, c.created_at, c.authorized_at)
      < ${db.now}::timestamptz - greatest(interval '3 days', 2 * month.pause)`
  return silence?.since
}

type Consent = { stateHash: Buffer; accountId: string; userId: string; provider: PaymentProvider }

export const insertConsent = (
  db: Queryable,
  { stateHash, accountId, userId, provider, forMs }: Consent & { forMs: number },
) => db.run`
  insert into provider_consents (state_hash, account_id, user_id, provider, expires_at)
  values (${stateHash}, ${accountId}, ${userId}, ${provider}, ${new Date(db.now.getTime() + forMs)})`

export const lockConsent = (tx: Transaction, { stateHash, accountId, userId, provider }: Consent) => tx.maybe<{
  isUsed: boolean
  isExpired: boolean
}>`
  select used_at is not null as is_used, expires_at <= ${tx.now} as is_expired from provider_consents
  where state_hash = ${stateHash} and account_id = ${accountId} and user_id = ${userId} and provider = ${provider}
  for update`

export const markConsentUsed = (tx: Transaction, stateHash: Buffer) => tx.run`
  update provider_consents set used_at = ${tx.now} where state_hash = ${stateHash}`

export const replaceCredentials = (
  tx: Transaction,
  id: string,
  { credentialsSealed, webhookSecretSet }: Pick<ConnectionRow, 'credentialsSealed' | 'webhookSecretSet'>,
) => tx.run`
  update provider_connections set credentials_sealed = ${credentialsSealed}, webhook_secret_set = ${webhookSecretSet},
    updated_at = ${tx.now}
  where id = ${id} and disconnected_at is null`

/** Whether an event could not be used when it came, so that only its arrival is stored. */
export const isOnlyArrival = sql`(known.state = 'ignored' and known.error is not null)`

/**
 * Stores an event; undefined if its shop already sent it. With a `reason` only its arrival is recorded: if it comes
 * again when useful, it is stored then.
 */
export const insertEvent = (
  tx: Transaction,
  row: {
    id: string
    connection: Pick<ConnectionRow, 'id' | 'accountId' | 'shopId'>
    event: ReceivedEvent
    state: 'received' | 'ignored'
    reason?: string
  },
) => tx.maybe<{ id: string }>`
  insert into provider_events as known (id, account_id, connection_id, shop_id, external_id, type, at, body, state, error,
    received_at)
  values (${row.id}, ${row.connection.accountId}, ${row.connection.id}, ${row.connection.shopId}, ${row.event.id},
    ${row.event.type}, ${row.event.at}, ${row.reason === undefined ? row.event.body : null}, ${row.state}, ${row.reason ?? null}, ${tx.now})
  on conflict (shop_id, external_id, account_id) do update
    set connection_id = excluded.connection_id, body = excluded.body, state = excluded.state, error = null,
      received_at = excluded.received_at
    where ${isOnlyArrival} and excluded.error is null
  returning id`

export type EventRow = {
  id: string
  connectionId: string
  shopId: string
  accountId: string
  provider: PaymentProvider
  externalId: string
  type: string
  at: string
  /** The provider's account, if its shop names one. */
  providerAccountId: string | null
  livemode: boolean
  body: string
  tries: number
  waitsFor: WaitsFor | null
}

/** An event as shown to its owner; `reason` is why it is not booked. */
export type EventLine = Pick<EventRow, 'id' | 'externalId' | 'type' | 'at'> & {
  receivedAt: string
  state: (typeof providerEventStates)[number]
  reason: string | null
  saleId: string | null
}
export const eventLineColumns = sql`t.id, t.external_id, t.type, t.at, t.received_at, t.state, t.error as reason, t.sale_id`

/** A shop and its account. */
type ShopKey = Pick<ConnectionRow, 'accountId' | 'shopId'>

export const eventOfShop = (db: Queryable, { accountId, shopId }: ShopKey, id: string) => db.maybe<EventLine>`
  select ${eventLineColumns} from provider_events t
  where t.id = ${asUuid(id)} and t.account_id = ${accountId} and t.shop_id = ${shopId}`

/** Finds an event that is not processed yet. */
export const eventToProcess = (db: Queryable, accountId: string, id: string) => db.maybe<EventRow>`
  select e.id, e.connection_id, e.shop_id, s.account_id, s.provider, e.external_id, e.type, e.at,
    s.external_id as provider_account_id, s.livemode, e.body, e.tries, e.waits_for
  from provider_events e join provider_shops s on s.id = e.shop_id
  where e.id = ${id} and e.account_id = ${accountId} and e.state in ('received', 'failed', 'waiting')
    and e.body is not null`

type EventKey = Pick<EventRow, 'id' | 'accountId'>

export const finishEvent = (db: Queryable, { id, accountId }: EventKey, saleId: string | null) => db.run`
  update provider_events set state = 'processed', waits_for = null, error = null, tries = tries + 1,
    sale_id = coalesce(${saleId}, sale_id), processed_at = ${db.now}
  where id = ${id} and account_id = ${accountId}`

export const failEvent = (db: Queryable, { id, accountId }: EventKey, error: string, saleId: string | null) => db.run`
  update provider_events set state = 'failed', waits_for = null, error = ${error}, tries = tries + 1,
    sale_id = coalesce(${saleId}, sale_id)
  where id = ${id} and account_id = ${accountId}`

export const lockShop = (tx: Transaction, id: string) => tx.run`
  select from provider_shops where id = ${id} for update`

/**
 * The condition an event waits for: a key that the provider accepts, its answer after a long time, or an exchange rate.
 */
export type WaitsFor = 'key' | 'answer' | 'rate'

export const postponeEvent = (
  db: Queryable,
  { id, accountId }: EventKey,
  { waitsFor, reason, saleId }: { waitsFor: WaitsFor; reason: string; saleId: string | null },
) => db.run`
  update provider_events set state = 'waiting', waits_for = ${waitsFor}, error = ${reason}, tries = tries + 1,
    sale_id = coalesce(${saleId}, sale_id)
  where id = ${id} and account_id = ${accountId}`

/** Finds unprocessed events of a shop, in order of arrival. */
export const openEvents = (tx: Transaction, { accountId, shopId }: ShopKey) => tx.many<EventKey>`
  select id, account_id from provider_events
  where account_id = ${accountId} and shop_id = ${shopId} and state in ('failed', 'waiting') order by received_at, id`

export const waitingEvents = (tx: Transaction, { accountId, shopId }: ShopKey) => tx.many<EventKey>`
  select id, account_id from provider_events
  where account_id = ${accountId} and shop_id = ${shopId} and state = 'waiting' order by received_at, id`

/** Finds events of any shop that wait only for an exchange rate. */
export const eventsWaitingForRates = (tx: Transaction) => tx.many<EventKey>`
  select id, account_id from provider_events
  where state = 'waiting' and waits_for = 'rate' order by received_at, id`

export const accountFactsById = (db: Queryable, id: string) => db.one<AccountFacts>`
  select ${accountFacts} from accounts a where a.id = ${id}`

/** Locks these keys until the transaction ends; waits for other holders. */
export const lockObjectKeys = (tx: Transaction, shopId: string, keys: string[]) => tx.run`
  select pg_advisory_xact_lock(hashtextextended(key, 5)) from unnest(${[...new Set(keys)]
    .map((key) => `${shopId} ${key}`)
    .sort()}::text[]) as key`

export function renamePayment(tx: Transaction, accountId: string, shopId: string, from: string[], to: string) {
  const ofShop = sql`account_id = ${accountId} and shop_id = ${shopId}`
  return tx.run`
    update provider_payments set payment_key = ${to}
    where ${ofShop} and payment_key = (
        select min(payment_key) from provider_payments where ${ofShop} and payment_key = any(${from}::text[]))
      and not exists (select from provider_payments where ${ofShop} and payment_key = ${to})`
}

/**
 * `amount` and `lines` in the sale's currency; `told`: the reported amount, if in another currency. `untold`: canceled
 * since the provider no longer told of it.
 */
export type Applied = Record<
  string,
  { status: string; amount: number; lines?: RefundLine[]; told?: string; untold?: true }
>
export type BookedPayment = {
  saleId: string
  attributed: boolean
  /** The sale first came from another source. */
  adopted: boolean
  /** The sale has its card. */
  hasCard: boolean
  applied: Applied
}

export const bookedPayment = (
  tx: Transaction,
  accountId: string,
  shopId: string,
  key: string,
) => tx.maybe<BookedPayment>`
  select p.sale_id, p.credited as attributed, s.told_by_shop_id is not null as adopted,
    s.card_hash is not null as has_card, p.applied
  from provider_payments p join sales s on s.account_id = p.account_id and s.id = p.sale_id
  where p.account_id = ${accountId} and p.shop_id = ${shopId} and p.payment_key = ${key}`

/** Finds the first sale of these payments, by their keys or shared groups. */
export const saleOfAny = async (db: Queryable, accountId: string, shopId: string, keys: string[], groups: string[]) => {
  const found = await db.maybe<{ saleId: string }>`
    select sale_id from provider_payments
    where account_id = ${accountId} and shop_id = ${shopId} and payment_key = any(${keys}::text[] || array(
      select payment_key from provider_objects
      where account_id = ${accountId} and shop_id = ${shopId} and group_key = any(${groups}::text[])))
    order by sale_id limit 1`
  return found?.saleId ?? null
}

export const saveBooked = (
  tx: Transaction,
  accountId: string,
  shopId: string,
  key: string,
  booked: BookedPayment,
) => tx.run`
  insert into provider_payments (account_id, shop_id, payment_key, sale_id, credited, applied)
  values (${accountId}, ${shopId}, ${key}, ${booked.saleId}, ${booked.attributed},
    ${JSON.stringify(booked.applied)}::jsonb)
  on conflict (shop_id, payment_key, account_id) do update set credited = excluded.credited, applied = excluded.applied`

export const setCodeRules = (tx: Transaction, shopId: string, rules: PromotionCodeRule[]) => tx.run`
  update provider_shops set code_rules = ${JSON.stringify(rules)}::jsonb,
    code_rule = ${rules[0] ? JSON.stringify(rules[0]) : null}::jsonb where id = ${shopId}`

/** Counts the account's groups among these ids. */
export const countGroups = (db: Queryable, accountId: string, ids: string[]) => db.value<number>`
  select count(*) from groups where account_id = ${accountId} and id = any(${ids}::uuid[]) and deleted_at is null`
