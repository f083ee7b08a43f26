import type { Connection } from '#contract/payment-providers.ts'
import type { Queryable } from '../database/pool.ts'
import { sql } from '../database/sql.ts'
import { containing, page } from '../http/list.ts'
import type { Services } from '../services.ts'
import { adapterOf } from './registry.ts'

type Row = Omit<Connection, 'state' | 'stateReason' | 'webhookUrl'> & {
  hookKey: string
  trouble: string | null
  endpointTrouble: string | null
  disconnectedAt: string | null
  stuckEvents: number
}

const stuckEvents = sql`
  (select count(*) from provider_events e where e.connection_id = t.id and e.state = 'failed' and e.tries >= 5)`

const columns = (now: Date) => sql`t.id, t.account_id, t.created_at, t.provider, t.account_name, t.default_currency,
  t.provider_account_id as provider_account_identifier, t.method, t.hook_key, t.trouble, t.endpoint_trouble,
  t.disconnected_at, t.webhook_secret_sealed is not null as webhook_secret_set,
  (select max(e.received_at) from provider_events e where e.connection_id = t.id) as last_event_at,
  (select count(*) from provider_events e
    where e.connection_id = t.id and e.received_at > ${now}::timestamptz - interval '24 hours') as events_last24h,
  ${stuckEvents} as stuck_events`

type Query = { limit: number; cursor?: string | undefined; search?: string | undefined; sort: string }

export async function pageOfConnections(db: Queryable, services: Services, accountId: string, query: Query) {
  const found = await page<Row>(db, query, {
    columns: columns(db.now),
    from: sql`provider_connections t`,
    scope: sql`t.account_id = ${accountId}`,
    filters: [
      containing(
        sql`t.provider || ' ' || coalesce(t.account_name, '') || ' ' || coalesce(t.provider_account_id, '')`,
        query.search,
      ),
    ],
  })
  return { ...found, items: found.items.map((row) => present(services, row)) }
}

/** One connection of the account. */
export const presentConnection = async (db: Queryable, services: Services, accountId: string, id: string) =>
  present(
    services,
    await db.one<Row>`
      select ${columns(db.now)} from provider_connections t where t.id = ${id} and t.account_id = ${accountId}`,
  )

/** How many connections are in the state `attention`: those for which `reasonOf` has words. */
export async function countUnhealthy(db: Queryable, accountId: string): Promise<number> {
  const { count } = await db.one<{ count: number }>`
    select count(*) as count from provider_connections t
    where t.account_id = ${accountId} and t.disconnected_at is null
      and (t.trouble is not null or t.webhook_secret_sealed is null or ${stuckEvents} > 0)`
  return count
}

/** Where a connection's events go. */
export const hookUrl = ({ config }: Services, provider: string, hookKey: string) =>
  `${config.appUrl}/hooks/providers/${provider}/${hookKey}`

function present(services: Services, row: Row): Connection {
  const { hookKey, trouble, endpointTrouble, disconnectedAt, stuckEvents, ...shown } = row
  const stateReason = disconnectedAt ? null : reasonOf(row)
  return {
    ...shown,
    state: disconnectedAt ? 'disconnected' : stateReason ? 'attention' : 'connected',
    stateReason,
    webhookUrl: disconnectedAt ? null : hookUrl(services, row.provider, hookKey),
  }
}

function reasonOf({ provider, trouble, endpointTrouble, webhookSecretSet, stuckEvents }: Row): string | null {
  const name = adapterOf(provider)?.name ?? provider
  if (trouble) return `${name} does not accept the key any more: ${trouble}`
  if (!webhookSecretSet)
    return `${endpointTrouble ? `${endpointTrouble} ` : ''}Make an endpoint at ${name} for the address shown here and enter its signing secret.`
  if (stuckEvents === 1) return 'One event could not be booked yet. It is tried again by itself, and by a check.'
  return stuckEvents > 1
    ? `${stuckEvents} events could not be booked yet. They are tried again by themselves, and by a check.`
    : null
}
