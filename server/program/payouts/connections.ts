import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../../platform/config/config.ts'
import type { Database, Queryable, Transaction } from '../../platform/database/pool.ts'
import { sql } from '../../platform/database/sql.ts'
import { OutboundError } from '../../platform/http/outbound.ts'
import type { Services } from '../../platform/services.ts'
import { methodSecretPlace } from './method-secrets.ts'
import { type Api, type Connection, ProviderError } from './methods/method.ts'
import { type ApiMethod, connecting } from './methods/registry.ts'

// The accounts' connections to the providers of payouts: Wise's, with its profiles, in its own table, that of any other
// method with its settings.

/** A connection as stored; `subscriptionIds` are in the order of the kinds of events. */
export type StoredConnection = Connection & { tokenSealed: Buffer | null; subscriptionIds: string[] }

export const notConnected: StoredConnection = {
  tokenSealed: null,
  tokenHint: null,
  profile: null,
  profiles: [],
  subscriptionIds: [],
}

export const findConnection = async (db: Queryable, accountId: string): Promise<StoredConnection> =>
  (await db.maybe<StoredConnection>`
    select token_sealed, token_hint, profile, profiles, subscription_ids from wise_accounts
    where account_id = ${accountId}`) ?? notConnected

/** Settings of another method: its sealed credentials, and what it pays from. */
type Kept = { settingsSealed: Buffer; paidFrom: string | null }

const findKept = (db: Queryable, accountId: string, method: string) => db.maybe<Kept>`
  select settings_sealed, paid_from from method_secrets where account_id = ${accountId} and method = ${method}`

/** The provider's account that payouts of this method leave from now. */
export const findPayingProfile = async (db: Queryable, accountId: string, method: string) =>
  method === connecting.name
    ? ((await findConnection(db, accountId)).profile?.id ?? null)
    : ((await findKept(db, accountId, method))?.paidFrom ?? null)

/** The accounts with a connection of this method. */
export async function listConnectedAccounts(db: Queryable, method: string): Promise<string[]> {
  const accounts = await db.many<{ id: string }>`
    ${
      method === connecting.name
        ? sql`select account_id as id from wise_accounts where token_sealed is not null`
        : sql`select account_id as id from method_secrets where method = ${method} and paid_from is not null`
    }`
  return accounts.map(({ id }) => id)
}

/** Saves all but the subscriptions, which are saved as they are made. */
export const saveConnection = (
  tx: Transaction,
  accountId: string,
  { tokenSealed, tokenHint, profile, profiles }: StoredConnection,
) => tx.run`
  insert into wise_accounts as w (account_id, token_sealed, token_hint, profile, profiles, updated_at)
  values (${accountId}, ${tokenSealed}, ${tokenHint}, nullif(${JSON.stringify(profile)}::jsonb, 'null'::jsonb),
    ${JSON.stringify(profiles)}::jsonb, ${tx.now})
  on conflict (account_id) do update set token_sealed = excluded.token_sealed, token_hint = excluded.token_hint,
    profile = excluded.profile, profiles = excluded.profiles, updated_at = excluded.updated_at`

export const saveSubscriptions = (db: Queryable, accountId: string, ids: string[]) => db.run`
  update wise_accounts set subscription_ids = ${ids}::text[] where account_id = ${accountId}`

/**
 * Sealing context of the token, named after the table that first stored it, since older tokens open only with that
 * name.
 */
export const tokenPlace = (accountId: string) => `payout_accounts|wise_token_sealed|${accountId}|${accountId}`

/** The key that verifies the provider's events, if the operator set one. */
export const eventsKey = ({ wise }: Config) => wise.webhookKey

/** Services for calling a provider, also outside of a job, such as from a command. */
export type Asking = Pick<Services, 'db' | 'config' | 'log' | 'outbound' | 'secrets'>

/** The address of each method's provider. */
const addresses: Record<string, (config: Config) => Pick<Api, 'apiUrl' | 'apiVersion'>> = {
  wise: ({ wise }) => wise,
  paypal: ({ providers }) => ({ apiUrl: providers.paypal.apiUrl ?? 'https://api-m.paypal.com', apiVersion: '' }),
}

/** Access by the credentials that gave it, as a digest: each process signs in for itself. */
const accesses = new Map<string, { access: string; until: number }>()

const accessOf = (apiUrl: string, token: string, now: () => number): Api['access'] => {
  const key = createHash('sha256').update(`${apiUrl} ${token}`).digest('base64')
  return {
    get() {
      const kept = accesses.get(key)
      return kept && kept.until > now() ? kept.access : null
    },
    keep: (access, seconds) => void accesses.set(key, { access, until: now() + seconds * 1000 }),
  }
}

/** Returns a method's calls with these credentials; `timeoutMs` limits each of them. */
export const apiWith = (
  { db, config, outbound, log }: Pick<Asking, 'db' | 'config' | 'outbound' | 'log'>,
  method: string,
  token: string,
  timeoutMs?: () => number,
): Api => {
  const { apiUrl, apiVersion } = addresses[method]!(config)
  return {
    apiUrl,
    apiVersion,
    token,
    access: accessOf(apiUrl, token, () => db.now.getTime()),
    send: (url, request) =>
      outbound.provider(url, { ...request, ...(timeoutMs && { timeoutMs: timeoutMs() }) }).catch((error: unknown) => {
        if (error instanceof OutboundError) return { unreachable: error.message }
        throw error
      }),
    note: (call, message) => log.info(call, message),
  }
}

/** Returns the calls of Wise with a connection's stored token; null without one. */
export const buildApi = (
  services: Asking,
  accountId: string,
  { tokenSealed }: Pick<StoredConnection, 'tokenSealed'>,
  timeoutMs?: () => number,
): Api | null =>
  tokenSealed &&
  apiWith(services, connecting.name, services.secrets.open(tokenSealed, tokenPlace(accountId)), timeoutMs)

/** An account's calls of a method, and what it pays from now. */
export type Open = { api: Api; profileId: string | null }

/** Opens the account's connection of a method; null without one. */
export async function openConnection(
  services: Asking,
  accountId: string,
  method: string,
  timeoutMs?: () => number,
): Promise<Open | null> {
  if (method !== connecting.name) {
    const kept = await findKept(services.db, accountId, method)
    if (!kept?.paidFrom) return null
    const token = services.secrets.open(kept.settingsSealed, methodSecretPlace(method, accountId))
    return { api: apiWith(services, method, token, timeoutMs), profileId: kept.paidFrom }
  }
  const connection = await findConnection(services.db, accountId)
  const api = buildApi(services, accountId, connection, timeoutMs)
  return api && { api, profileId: connection.profile?.id ?? null }
}

/** Waits for the account's turn at a provider with a rate limit on payments; all processes share the turns. */
export async function waitForTurn(db: Database, accountId: string, { name, provider }: ApiMethod) {
  const every = 1 / provider.numbers!.perSecond
  const turn = await db.maybe<{ seconds: number }>`
    update method_secrets
    set next_call_at = greatest(next_call_at, statement_timestamp()) + make_interval(secs => ${every})
    where account_id = ${accountId} and method = ${name}
    returning extract(epoch from next_call_at - statement_timestamp())::float - ${every}::float as seconds`
  if (turn && turn.seconds > 0) await sleep(turn.seconds * 1000)
}

/** `unauthorized` ends with any accepted call, `forbidden` with a payment or new settings. */
type Trouble = { kind: NonNullable<ProviderError['noAccess']>; message: string }

/**
 * Records that the provider rejects the account's calls of this method: its automatic payouts pause until that ends.
 * Wise's stay in their original column.
 */
export async function noteMethodTrouble(db: Queryable, accountId: string, method: string, { kind, message }: Trouble) {
  if (method !== connecting.name)
    return void (await db.run`
      update method_secrets set trouble = ${message}, trouble_kind = ${kind}, updated_at = ${db.now}
      where account_id = ${accountId} and method = ${method}`)
  await db.run`
    update payout_accounts set trouble = ${message}, trouble_kind = ${kind}, trouble_with = ${method},
      updated_at = ${db.now}
    where account_id = ${accountId}`
}

/** Records that the provider accepted a call. `proof` decides which trouble that ends. */
export async function clearTrouble(db: Queryable, accountId: string, method: string, proof: 'any-call' | 'payment') {
  const ends = sql`(trouble_kind = 'unauthorized' or ${proof === 'payment'})`
  if (method !== connecting.name)
    return void (await db.run`
      update method_secrets set trouble = null, trouble_kind = null, updated_at = ${db.now}
      where account_id = ${accountId} and method = ${method} and ${ends}`)
  await db.run`
    update payout_accounts set trouble = null, trouble_kind = null, trouble_with = null, updated_at = ${db.now}
    where account_id = ${accountId} and trouble_with = ${method} and ${ends}`
}

/** The connections of enabled accounts whose credentials were rejected, which may have been temporary. */
export const listRejectedConnections = (db: Queryable) => db.many<{ id: string; method: string }>`
  select a.id, pa.trouble_with as method from payout_accounts pa join accounts a on a.id = pa.account_id
  where pa.trouble_kind = 'unauthorized' and a.disabled_at is null
  union all
  select a.id, s.method from method_secrets s join accounts a on a.id = s.account_id
  where s.trouble_kind = 'unauthorized' and a.disabled_at is null`

export type Unread = { accountId: string; reason: string }

/** `away`: the reason the provider could not be reached; otherwise `refused` lists the rejected accounts. */
type Tried = { total: number; away: string | null; refused: Unread[] }

/** Tries the credentials of each connected account that is not disabled; stops if the provider itself is unavailable. */
export async function tryTokens(services: Asking, { name, provider }: ApiMethod): Promise<Tried> {
  const { db } = services
  const accounts = await db.many<{ id: string }>`
    select id from accounts where id = any(${await listConnectedAccounts(db, name)}::uuid[]) and disabled_at is null order by id`
  const refused: Unread[] = []
  for (const { id: accountId } of accounts) {
    try {
      const connection = await openConnection(services, accountId, name)
      if (connection) await provider.profiles(connection.api)
    } catch (error) {
      if (error instanceof ProviderError && error.kind === 'unknown')
        return { total: accounts.length, away: error.message, refused }
      const reason = error instanceof ProviderError ? error.message : 'The credentials cannot be decrypted.'
      refused.push({ accountId, reason })
    }
  }
  return { total: accounts.length, away: null, refused }
}
