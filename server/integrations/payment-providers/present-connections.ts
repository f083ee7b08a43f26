import type { ProviderConnection } from '#contract/payment-providers.ts'
import { paymentProviderNames } from '#contract/sales.ts'
import type { ListQuery } from '#contract/values.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import { sql } from '../../platform/database/sql.ts'
import { countInWords, dayInWords } from '../../platform/format-values.ts'
import { containsFilter, listPage } from '../../platform/http/list.ts'
import { dayIn } from '../../platform/time/days.ts'
import type { Watched } from '../../program/dashboard/dashboard.ts'
import { findAdapter } from './registry.ts'

type Row = Omit<ProviderConnection, 'state' | 'stateReason'> & {
  trouble: string | null
  revokedAt: string | null
  silentSince: string | null
  timeZone: string
  endpointTrouble: string | null
  disconnectedAt: string | null
  /** Events of its shop that are not booked yet: for lack of a key, of an exchange rate, or of an answer. */
  waitingForKey: number
  waitingForRate: number
  stuckEvents: number
}

const columns = (
  now: Date,
  accountId: string,
) => sql`t.id, t.account_id, t.created_at, t.provider, t.account_name, t.default_currency,
  t.provider_account_id as provider_account_identifier, t.method, t.livemode, t.webhook_url, t.webhook_secret_set,
  t.trouble, t.revoked_at, t.silent_since, t.endpoint_trouble, t.disconnected_at, t.reconciled_at,
  (select code_rules -> 0 from provider_shops s where s.id = t.shop_id) as code_rule,
  (select code_rules from provider_shops s where s.id = t.shop_id) as code_rules,
  (select time_zone from accounts a where a.id = t.account_id) as time_zone,
  (select max(e.received_at) from provider_events e
    where e.account_id = ${accountId} and e.connection_id = t.id and not e.remembered) as last_event_at,
  (select count(*) from provider_events e
    where e.account_id = ${accountId} and e.connection_id = t.id and not e.remembered
      and e.received_at > ${now}::timestamptz - interval '24 hours') as events_last24h,
  waiting.for_key as waiting_for_key, waiting.for_rate as waiting_for_rate, waiting.stuck as stuck_events`

/** An account's connections with their waiting events, which are shown only with the latest connection of their shop. */
const connections = (accountId: string) => sql`provider_connections t cross join lateral (
  select count(*) filter (where e.waits_for = 'key') as for_key, count(*) filter (where e.waits_for = 'rate') as for_rate,
    count(*) filter (where e.waits_for = 'answer' or (e.state = 'failed' and e.tries >= 5)) as stuck
  from provider_events e
  where e.account_id = ${accountId} and e.shop_id = t.shop_id and e.state in ('failed', 'waiting') and not exists (
    select from provider_connections later
    where later.shop_id = t.shop_id and (later.created_at, later.id) > (t.created_at, t.id))) waiting`

export async function pageOfConnections(db: Queryable, accountId: string, query: ListQuery) {
  const found = await listPage<Row>(db, query, {
    columns: columns(db.now, accountId),
    from: connections(accountId),
    scope: sql`t.account_id = ${accountId}`,
    filters: [
      containsFilter(
        sql`t.provider || ' ' || coalesce(t.account_name, '') || ' ' || coalesce(t.provider_account_id, '')`,
        query.search,
      ),
    ],
  })
  return { ...found, items: found.items.map(present) }
}

/** Returns one connection of the account. */
export const presentConnection = async (db: Queryable, accountId: string, id: string) =>
  present(
    await db.one<Row>`
      select ${columns(db.now, accountId)} from ${connections(accountId)} where t.id = ${id} and t.account_id = ${accountId}`,
  )

/** Returns the number of the install's connections, and those that need attention. */
export async function connectionsInNeed(db: Queryable): Promise<{ count: number; inNeed: ProviderConnection[] }> {
  const accounts = await db.many<{ id: string }>`
    select id from accounts
    where disabled_at is null and id in (select account_id from provider_connections where disconnected_at is null)
    order by id`
  const rows: Row[] = []
  for (const { id } of accounts)
    rows.push(
      ...(await db.many<Row>`
        select ${columns(db.now, id)} from ${connections(id)}
        where t.account_id = ${id} and t.disconnected_at is null order by t.created_at, t.id`),
    )
  return { count: rows.length, inNeed: rows.map(present).filter(({ state }) => state === 'attention') }
}

/** Counts connections in the state `attention`: those with a reason by `reasonOf`. */
async function countUnhealthy(db: Queryable, accountId: string): Promise<number> {
  const { count } = await db.one<{ count: number }>`
    select count(*) as count from ${connections(accountId)}
    where t.account_id = ${accountId} and t.disconnected_at is null
      and (t.trouble is not null or not t.webhook_secret_set or t.endpoint_trouble is not null
        or t.silent_since is not null or waiting.for_key + waiting.for_rate + waiting.stuck > 0)`
  return count
}

export const unhealthyProviders: Watched = {
  kind: 'unhealthy-provider',
  link: '/integrations/payment-providers',
  inWords: (count) => `${countInWords(count, 'payment provider')} with a problem`,
  count: countUnhealthy,
}

function present(row: Row): ProviderConnection {
  const { trouble, revokedAt, silentSince, timeZone, endpointTrouble, disconnectedAt, ...others } = row
  const { waitingForKey, waitingForRate, stuckEvents, ...shown } = others
  const reason = disconnectedAt ? reasonEnded(row) : reasonOf(row)
  return {
    ...shown,
    state: disconnectedAt ? 'disconnected' : reason ? 'attention' : 'connected',
    stateReason: reason,
    webhookUrl: disconnectedAt ? null : row.webhookUrl,
  }
}

const counted = (count: number, what: string) => (count === 1 ? `One event ${what}s` : `${count} events ${what}`)

/** Returns the remaining work of an ended connection, in words. */
function reasonEnded({ provider, waitingForKey }: Row): string | null {
  if (waitingForKey === 0) return null
  return `${counted(waitingForKey, 'wait')} for a key. Connect ${paymentProviderNames[provider]} again to process ${them(waitingForKey)}.`
}

const them = (count: number) => (count === 1 ? 'it' : 'them')

function reasonOf(row: Row): string | null {
  const { trouble, waitingForKey, waitingForRate, stuckEvents, silentSince, method } = row
  const again = method === 'oauth' ? 'connect it again' : 'replace the credentials'
  if (trouble) return reasonUnwelcome(row, trouble)
  const unheard = reasonUnheard(row)
  if (unheard) return unheard
  if (waitingForKey > 0) return `${counted(waitingForKey, 'wait')} for a key. Check now or ${again}.`
  if (waitingForRate > 0)
    return `${counted(waitingForRate, 'wait')} for an exchange rate. Enter one to process ${them(waitingForRate)}.`
  if (stuckEvents === 1)
    return 'One event couldn’t be processed yet. It’s retried automatically and when you check the connection.'
  if (stuckEvents > 1)
    return `${stuckEvents} events couldn’t be processed yet. They’re retried automatically and when you check the connection.`
  return silentSince ? reasonSilent(row, silentSince) : null
}

/** Returns why the provider refuses access, in words. */
function reasonUnwelcome({ provider, method, revokedAt, waitingForKey }: Row, trouble: string): string {
  const name = paymentProviderNames[provider]
  if (method === 'oauth') {
    const why = revokedAt ? ended(trouble) : `${name} no longer accepts this connection: ${ended(trouble)}`
    return `${why} Connect ${name} again to go on recording sales.${waitingForKey > 0 ? ` ${counted(waitingForKey, 'wait')} for that.` : ''}`
  }
  const waiting =
    waitingForKey > 0 &&
    ` ${counted(waitingForKey, 'wait')} for a key. Replace the credentials to book ${them(waitingForKey)}.`
  return `${name} no longer accepts the key: ${ended(trouble)}${waiting || ''}`
}

/** Advice for an address to which a provider sends nothing, for any creator of the endpoint. */
export const SET_HTTPS = 'Set APP_URL to an https address.'

/** Returns why events don't arrive, or can't be checked, in words. */
function reasonUnheard({ provider, method, webhookSecretSet, endpointTrouble }: Row): string | null {
  const name = paymentProviderNames[provider]
  if (!webhookSecretSet && method === 'oauth')
    return `This server can’t check events from ${name}. Ask its operator to set the webhook secret of its ${name} platform.`
  if (!webhookSecretSet && endpointTrouble?.endsWith(SET_HTTPS))
    return `${ended(endpointTrouble)} No events arrive until then. Replace the credentials to try again.`
  if (!webhookSecretSet)
    return `${endpointTrouble ? `${endpointTrouble} ` : ''}Create an endpoint at ${name} for the URL shown here and enter its ${signingName(provider)}.`
  return endpointTrouble && `${ended(endpointTrouble)} No events arrive until this is solved. Check now to try again.`
}

const reasonSilent = ({ provider, timeZone }: Row, since: string) => {
  const name = paymentProviderNames[provider]
  const day = dayInWords(dayIn(timeZone, new Date(since)))
  return `No events have come from ${name} since ${day}, and before that they came almost every day. If you still sell there, check at ${name} that the webhook endpoint is turned on and whether its deliveries fail.`
}

/** Returns the field's name within a sentence: `webhook signing secret`, `webhook ID`. */
function signingName(provider: string): string {
  const adapter = findAdapter(provider)
  const label = adapter?.fields.find(({ key }) => key === adapter.signingField)?.label ?? 'signing secret'
  return label.replace(/\b[A-Z](?=[a-z])/g, (letter) => letter.toLowerCase())
}

const ended = (sentence: string) => (/[.!?]$/.test(sentence) ? sentence : `${sentence}.`)
