import { unknownFields } from '#contract/fields.ts'
import { bothNames } from '#contract/former-names.ts'
import type { AvailableProvider, ConnectionChange, ProviderConnection } from '#contract/payment-providers.ts'
import { type PaymentProvider, paymentProviderNames } from '#contract/sales.ts'
import type { Author } from '../../platform/author.ts'
import type { Config } from '../../platform/config/config.ts'
import { newId } from '../../platform/database/ids.ts'
import { type Database, type Queryable, type Transaction, transaction } from '../../platform/database/pool.ts'
import { newToken } from '../../platform/database/secrets.ts'
import { emitEvent, recordActivity, sendSignal } from '../../platform/events/emit-event.ts'
import type { Jobs } from '../../platform/jobs/queue.ts'
import { notFound, refusal, wrongField } from '../../platform/refusal.ts'
import type { Services } from '../../platform/services.ts'
import { endConnectionImports } from '../imports/track.ts'
import { markConnectionFailing, setEndpointProblem } from './connection-problems.ts'
import { presentConnection, SET_HTTPS } from './present-connections.ts'
import {
  type CredentialField,
  type Credentials,
  PaymentProviderError,
  type ProviderAccess,
  type ProviderAccount,
  type ProviderAdapter,
} from './provider.ts'
import {
  type ConnectionRow,
  connectionById,
  connectionsWaitedFor,
  connectionTable,
  connectionToAsk,
  eraseConnection,
  eventsWaitingForRates,
  lockConnection,
  lockShop,
  moveToShop,
  nameShop,
  openEvents,
  replaceCredentials,
  saveShop,
  setEndpoint,
  setEndpointTrouble,
  setTrouble,
  sharesConsent,
  shopById,
  standingConnection,
  updateProviderAccount,
  waitingEvents,
} from './queries.ts'
import { providerEventQueue } from './queue.ts'
import { renewTokens } from './refresh.ts'
import { adapters, findAdapter } from './registry.ts'
import {
  eventsAddress,
  findOAuth,
  getProviderAccess,
  isByApplication,
  openCredentials,
  sealCredentials,
} from './secrets.ts'
import { providerReachable } from './signals.ts'

/**
 * Returns the providers that can be connected, as declared by their adapters; by OAuth if the operator has configured
 * it.
 */
export const availableProviders = (config: Config): { items: AvailableProvider[] } => ({
  items: adapters.map((adapter) => {
    const { provider, name, methods, fields, signingField, readHistory: history, codes } = adapter
    const { webhookSteps = null, forwardCommand = null } = adapter
    return {
      provider,
      name,
      methods: methods.filter((method) => method !== 'oauth' || findOAuth(adapter, config)),
      ...bothNames('canImportPastSales', history !== undefined),
      fields: fields.map(({ key, label, help, secret, optional = false, createUrl = null }) => ({
        key,
        label,
        help,
        secret,
        optional,
        createUrl,
      })),
      signingField,
      webhookSteps,
      forwardCommand,
      makesCodes: codes?.kind ?? null,
    }
  }),
})

/**
 * Connects a provider with the account's own credentials, after trying its key. Without a signing secret the endpoint
 * is created at the provider, if it supports that. Processes events left waiting by a former connection.
 * Refuses: wrong credentials, in the provider's words; `duplicate` for an account that is already connected;
 * `provider_failed` without a usable answer.
 */
export async function connectProvider(
  services: Services,
  by: Author,
  accountId: string,
  body: { provider: PaymentProvider; credentials: Record<string, string> },
): Promise<ProviderConnection> {
  const { db } = services
  const adapter = findAdapter(body.provider)
  if (!adapter) throw wrongField('provider', 'provider_not_available')
  checkCredentials(adapter, body.credentials, ({ optional = false }) => optional)
  const credentials = entered(body.credentials)
  const account = await tryCredentials(adapter, credentials, getProviderAccess(services, adapter.provider))
  if (await standingConnection(db, shopIdentity(adapter, accountId, account))) throw isDuplicate(adapter, account)
  return saveConnection(services, by, accountId, { adapter, account, credentials, method: 'credentials' })
}

export const shopIdentity = ({ provider }: ProviderAdapter, accountId: string, account: ProviderAccount) => ({
  accountId,
  provider,
  livemode: account.livemode,
  externalId: account.providerAccountId,
})

type NewTie = {
  adapter: ProviderAdapter
  account: ProviderAccount
  credentials: Credentials
  method: ConnectionRow['method']
  refreshAt?: Date | null
}

/** Saves a connection whose credentials were tried, and subscribes to its events. Refuses: `duplicate`. */
export async function saveConnection(
  services: Services,
  by: Author,
  accountId: string,
  { adapter, account, credentials, method, refreshAt = null }: NewTie,
): Promise<ProviderConnection> {
  const { db } = services
  const { provider } = adapter
  const row = { id: newId(), accountId, method, hookKey: hookKeyFor(adapter, account, method) }
  await transaction(db, async (tx) => {
    const { id: shopId } = await saveShop(tx, shopIdentity(adapter, accountId, account))
    const webhookUrl = eventsAddress(services.config, provider, row.hookKey)
    const kept = toKeep(services, adapter, row, credentials)
    const now = tx.now.toISOString()
    const times = { authorizedAt: method === 'oauth' ? now : null, refreshAt: refreshAt?.toISOString(), checkedAt: now }
    const connection = { ...row, ...account, ...kept, ...times, shopId, provider, webhookUrl }
    if ((await connectionTable.insert(tx, connection, { unlessTaken: true })) === 0) throw isDuplicate(adapter, account)
    await emitEvent(tx, by, accountId, 'payment-provider.connected', {
      id: row.id,
      object: await presentConnection(tx, accountId, row.id),
      changes: {
        provider: { old: null, new: provider },
        providerAccountIdentifier: { old: null, new: account.providerAccountId },
      },
    })
    await workOffAgain(tx, services.jobs, { accountId, shopId })
  })
  if (wantsEndpoint(adapter, credentials)) await makeEndpoint(services, adapter, row, credentials)
  return presentConnection(db, accountId, row.id)
}

/**
 * Returns the key of the connection's own address; none if events come to the application's address, which identifies
 * connections by their account.
 */
function hookKeyFor(
  adapter: ProviderAdapter,
  { providerAccountId }: ProviderAccount,
  method: ConnectionRow['method'],
): string | null {
  if (!adapter.application?.methods.includes(method)) return newToken()
  if (!providerAccountId)
    throw wrongField(method === 'oauth' ? 'code' : atField(adapter), 'provider_account_unknown', {
      provider: adapter.name,
    })
  return null
}

/** Returns the filled fields. */
const entered = (credentials: Record<string, string>): Credentials =>
  Object.fromEntries(Object.entries(credentials).filter(([, value]) => value !== ''))

export const toKeep = (
  services: Services,
  adapter: ProviderAdapter,
  row: Pick<ConnectionRow, 'id' | 'accountId' | 'method' | 'hookKey'>,
  credentials: Credentials,
) => ({
  credentialsSealed: sealCredentials(services.secrets, row, credentials),
  webhookSecretSet: isByApplication(row)
    ? getProviderAccess(services, adapter.provider).application.webhookSecret !== null
    : credentials[adapter.signingField] !== undefined,
})

const atField = ({ fields: [first] }: ProviderAdapter, field = first.key) => `credentials.${field}`

function checkCredentials(
  adapter: ProviderAdapter,
  credentials: Record<string, string>,
  mayBeEmpty: (field: CredentialField) => boolean,
) {
  const strange = Object.keys(credentials).filter((key) => !adapter.fields.some((field) => field.key === key))
  const { fields } = unknownFields(strange.map((key) => `credentials.${key}`))
  for (const field of adapter.fields) {
    const value = credentials[field.key] ?? ''
    if (!(value === '' && mayBeEmpty(field)) && !field.shape.test(value))
      fields[`credentials.${field.key}`] = field.words
  }
  const [first] = Object.values(fields)
  if (first) throw refusal('provider_credentials_malformed', { mistake: first }, { fields })
}

async function tryCredentials(adapter: ProviderAdapter, credentials: Credentials, reach: ProviderAccess) {
  try {
    return await adapter.readAccount(credentials, reach)
  } catch (error) {
    if (!(error instanceof PaymentProviderError)) throw error
    if (error.kind === 'refused' || error.kind === 'forbidden')
      throw wrongField(atField(adapter, error.field), 'provider_credentials_refused', { said: error.message })
    throw providerFailed(adapter, error)
  }
}

export const providerFailed = ({ name, provider }: ProviderAdapter, error: PaymentProviderError) =>
  refusal('provider_away', { provider: name }, { details: { provider, message: error.message } })

export const isDuplicate = ({ name, provider }: ProviderAdapter, { providerAccountId }: ProviderAccount) =>
  refusal(
    'provider_account_connected',
    { provider: name },
    { details: { provider, providerAccountIdentifier: providerAccountId } },
  )

/** Whether the signing secret is entered with the credentials, so that we manage the endpoint in any case. */
const alwaysManagesEndpoint = ({ makeEndpoint, fields, signingField }: ProviderAdapter) =>
  makeEndpoint !== undefined && fields.some(({ key, optional }) => key === signingField && !optional)

const wantsEndpoint = (adapter: ProviderAdapter, credentials: Credentials) =>
  alwaysManagesEndpoint(adapter) || !credentials[adapter.signingField]

/** Subscribes to the events of a connection, if the provider supports that; its answer contains the signing secret. */
async function makeEndpoint(
  services: Services,
  adapter: ProviderAdapter,
  { id, hookKey }: Pick<ConnectionRow, 'id' | 'hookKey'>,
  credentials: Credentials,
) {
  const { db } = services
  if (!adapter.makeEndpoint || hookKey === null) return
  const webhookUrl = eventsAddress(services.config, adapter.provider, hookKey)
  const made = await requestEndpoint(services, adapter, adapter.makeEndpoint, { url: webhookUrl, credentials })
  await transaction(db, async (tx) => {
    const connection = await lockConnection(tx, id)
    const { endpointId, disconnectedAt } = connection
    // the next check will find whether the earlier endpoint still exists
    if (disconnectedAt || ('trouble' in made && made.passes && endpointId)) return
    if ('trouble' in made) return void (await setEndpoint(tx, id, { endpointId, webhookUrl, trouble: made.trouble }))
    if (!alwaysManagesEndpoint(adapter)) {
      const signing = { ...openCredentials(services.secrets, connection), [adapter.signingField]: made.secret }
      await replaceCredentials(tx, id, toKeep(services, adapter, connection, signing))
    }
    await setEndpoint(tx, id, { endpointId: made.id, webhookUrl, trouble: null })
  })
}

async function requestEndpoint(
  services: Services,
  { name, provider }: ProviderAdapter,
  make: NonNullable<ProviderAdapter['makeEndpoint']>,
  { url, credentials }: { url: string; credentials: Credentials },
) {
  if (!url.startsWith('https://') && !services.config.allowPrivateWebhookTargets)
    return {
      trouble: `${name} sends events to https addresses only. ${SET_HTTPS}`,
      passes: false,
    }
  try {
    return await make(credentials, url, getProviderAccess(services, provider))
  } catch (error) {
    if (!(error instanceof PaymentProviderError)) throw error
    return {
      trouble: `${name} didn’t let us create the endpoint: ${error.message}`,
      passes: error.kind === 'unavailable',
    }
  }
}

async function getConnection(db: Queryable, accountId: string, id: string): Promise<ConnectionRow> {
  const connection = await connectionById(db, accountId, id)
  if (!connection) throw notFound()
  return connection
}

/** Returns a connection of the account that has not ended. Refuses: `not_found`, `connection_ended`. */
export async function getLiveConnection(db: Queryable, accountId: string, id: string): Promise<ConnectionRow> {
  const connection = await getConnection(db, accountId, id)
  refuseDisconnected(connection)
  return connection
}

const refuseDisconnected = ({ disconnectedAt }: ConnectionRow) => {
  if (disconnectedAt) throw refusal('connection_ended')
}

/** Refuses a connection by OAuth: it has no keys here, and the operator's application signs its events. */
const refuseKeyless = ({ method, provider }: ConnectionRow) => {
  if (method === 'oauth') throw refusal('connection_by_consent', { provider: paymentProviderNames[provider] })
}

/**
 * Replaces credentials after trying them, and sets or empties the one that checks events; omitted or empty fields stay.
 * New ones clear the trouble, and events that could not be booked are retried. A live key of an account connected in
 * test mode moves the connection to live mode.
 * Refuses: `invalid_state` once disconnected, or for OAuth; wrong credentials on their fields, in the provider's words;
 * `conflict` for those of another account at the provider, or of test mode if live mode is connected; `provider_failed`
 * without a usable answer.
 */
export async function changeConnection(
  services: Services,
  by: Author,
  accountId: string,
  id: string,
  body: ConnectionChange,
): Promise<ProviderConnection> {
  const { db } = services
  const known = await getConnection(db, accountId, id)
  refuseDisconnected(known)
  refuseKeyless(known)
  const adapter = findAdapter(known.provider)!
  const change = readChange(adapter, body)
  const changesSigning = adapter.signingField in change
  const tries = Object.keys(change).some((field) => field !== adapter.signingField)
  const after = (row: ConnectionRow) => changed(openCredentials(services.secrets, row)!, change)
  const account = tries
    ? await tryCredentials(adapter, after(known), getProviderAccess(services, adapter.provider))
    : null
  const goesLive = account !== null && (await opensLive(db, adapter, known, account))
  const { connection, credentials } = await transaction(db, async (tx) => {
    const locked = await lockConnection(tx, known.id)
    refuseDisconnected(locked)
    const connection = goesLive && !locked.livemode ? await switchToLive(tx, adapter, locked, account) : locked
    if (!connection) throw isDuplicate(adapter, account!)
    const credentials = goesLive ? withoutEndpoint(adapter, after(locked), change) : after(locked)
    await replaceCredentials(tx, known.id, toKeep(services, adapter, connection, credentials))
    if (account) await applyCredentials(tx, services.jobs, by, connection, account)
    if (changesSigning) {
      await setEndpointTrouble(tx, known.id, null)
      await recordActivity(tx, by, accountId, 'payment-provider.webhook-secret-changed', { id: known.id })
    }
    return { connection, credentials }
  })
  if (goesLive) await revokeAtProvider(services, known)
  if (account && (!changesSigning || alwaysManagesEndpoint(adapter)) && wantsEndpoint(adapter, credentials))
    await makeEndpoint(services, adapter, connection, credentials)
  return presentConnection(db, accountId, id)
}

/** Returns the changed fields; null empties the one that checks events, which must be optional. */
function readChange(
  adapter: ProviderAdapter,
  { credentials = {}, webhookSecret }: ConnectionChange,
): Record<string, string | null> {
  checkCredentials(adapter, credentials, () => true)
  const { signingField } = adapter
  const signing = adapter.fields.find(({ key }) => key === signingField)!
  const wrong = webhookSecret ? !signing.shape.test(webhookSecret) : webhookSecret === null && !signing.optional
  if (wrong) throw wrongField('webhookSecret', 'provider_credentials_malformed', { mistake: signing.words })
  return { ...(webhookSecret !== undefined && { [signingField]: webhookSecret }), ...entered(credentials) }
}

const changed = (credentials: Credentials, change: Record<string, string | null>): Credentials =>
  Object.fromEntries(
    Object.entries({ ...credentials, ...change }).filter((field): field is [string, string] => field[1] !== null),
  )

/** Drops the signing secret of a test-mode endpoint, which signs no live-mode events. */
function withoutEndpoint(
  { fields, signingField }: ProviderAdapter,
  credentials: Credentials,
  change: object,
): Credentials {
  const stays = signingField in change || !fields.some(({ key, optional }) => key === signingField && optional)
  return stays ? credentials : changed(credentials, { [signingField]: null })
}

/** Whether the key is a live-mode key of the account connected in test mode. Refuses one of another shop. */
async function opensLive(db: Database, adapter: ProviderAdapter, known: ConnectionRow, account: ProviderAccount) {
  const { name } = adapter
  const shop = await shopById(db, known.shopId)
  const { providerAccountId, livemode } = account
  if (shop.externalId && !providerAccountId)
    throw wrongField(atField(adapter), 'provider_key_account_unknown', { provider: name })
  if (shop.livemode && !livemode) throw refusal('test_key_for_live_connection', { provider: name })
  if (shop.externalId && shop.externalId !== providerAccountId)
    throw refusal('key_of_other_account', { provider: name, account: providerAccountId! })
  return livemode && !shop.livemode
}

/**
 * Moves a connection from test mode to the live shop of the same account, like a new connection. The test-mode data
 * stays with its shop. Returns null if the live shop is connected.
 */
async function switchToLive(
  tx: Transaction,
  adapter: ProviderAdapter,
  connection: ConnectionRow,
  account: ProviderAccount,
): Promise<ConnectionRow | null> {
  const { id, accountId } = connection
  const { id: shopId } = await saveShop(tx, shopIdentity(adapter, accountId, account))
  if (!(await moveToShop(tx, id, shopId))) return null
  await endConnectionImports(tx, connection, `${adapter.name} was switched to live mode.`)
  return lockConnection(tx, id)
}

/** Applies new credentials of a connection, which belong to `account`. */
export async function applyCredentials(
  tx: Transaction,
  jobs: Jobs,
  by: Author,
  connection: ConnectionRow,
  account: ProviderAccount,
) {
  const { id, accountId, shopId } = connection
  await lockShop(tx, shopId)
  const { providerAccountId } = account
  if (providerAccountId && !(await nameShop(tx, shopId, providerAccountId))) throw refusal('account_connected_before')
  await setTrouble(tx, id, null)
  await updateProviderAccount(tx, id, account)
  await workOffAgain(tx, jobs, connection)
  await recordActivity(tx, by, accountId, 'payment-provider.credentials-replaced', { id })
}

/** Queues events that could not be booked without an answer of the provider, and lets others that wait for it go on. */
async function workOffAgain(tx: Transaction, jobs: Jobs, shop: Pick<ConnectionRow, 'accountId' | 'shopId'>) {
  await lockShop(tx, shop.shopId)
  await jobs.addAll(tx, providerEventQueue, jobsOf(await openEvents(tx, shop)))
  await sendSignal(tx, shop.accountId, providerReachable, { shopId: shop.shopId })
}

const jobsOf = (events: { id: string; accountId: string }[]) =>
  events.map(({ id, accountId }) => ({ eventId: id, accountId }))

export type ConnectionToAsk = ConnectionRow
export const findConnectionToAsk = connectionToAsk

/**
 * Tries the key at the provider; if it is accepted, events that could not be booked are retried.
 * Refuses: `invalid_state` once disconnected, `provider_failed` without a usable answer.
 */
export async function checkConnection(services: Services, accountId: string, id: string): Promise<ProviderConnection> {
  const { db } = services
  const connection = await getConnection(db, accountId, id)
  refuseDisconnected(connection)
  const adapter = findAdapter(connection.provider)!
  try {
    await tryConnection(services, connection, openEvents)
  } catch (error) {
    if (!(error instanceof PaymentProviderError)) throw error
    throw providerFailed(adapter, error)
  }
  if (adapter.remakesEndpoint) await remakeEndpoint(services, adapter, await getConnection(db, accountId, id))
  return presentConnection(db, accountId, id)
}

/** Makes the endpoint that could not be made when the provider was connected, or mends the one that has a fault. */
async function remakeEndpoint(services: Services, adapter: ProviderAdapter, connection: ConnectionRow) {
  const credentials = openCredentials(services.secrets, connection)
  const { trouble, webhookSecretSet, endpointId, endpointTrouble } = connection
  if (!credentials || trouble !== null) return
  if (webhookSecretSet ? endpointId !== null && endpointTrouble !== null : wantsEndpoint(adapter, credentials))
    await makeEndpoint(services, adapter, connection, credentials)
}

/**
 * Tries the key; if it is accepted, queues `events`, and checks the endpoint we created, or searches for one that we do
 * not manage. The connection goes live with its account. A revoked consent is not tried. Throws ProviderError without a
 * usable answer.
 */
export async function tryConnection(services: Services, known: ConnectionRow, events: typeof openEvents) {
  const { db, secrets, jobs } = services
  const { id, accountId, provider, endpointId } = known
  await renewTokens(services, id)
  const connection = await getConnection(db, accountId, id)
  const credentials = openCredentials(secrets, connection)
  if (!credentials) return
  const adapter = findAdapter(provider)!
  const reach = getProviderAccess(services, provider)
  try {
    const account = await adapter.readAccount(credentials, reach)
    const endpointTrouble = endpointId ? await troubleOfEndpoint(adapter, credentials, endpointId, reach) : undefined
    await transaction(db, async (tx) => {
      const locked = await lockConnection(tx, id)
      if (!locked.credentialsSealed?.equals(connection.credentialsSealed!)) return
      const isLive = account.livemode && !locked.livemode && account.providerAccountId === locked.providerAccountId
      const now = (isLive && (await switchToLive(tx, adapter, locked, account))) || locked
      const { shopId } = now
      await lockShop(tx, shopId)
      await updateProviderAccount(tx, id, account)
      // so that a later connection of the account finds its shop
      const { externalId } = await shopById(tx, shopId)
      if (externalId === null && account.providerAccountId) await nameShop(tx, shopId, account.providerAccountId)
      await setTrouble(tx, id, null)
      if (isByApplication(now)) await replaceCredentials(tx, id, toKeep(services, adapter, now, credentials))
      if (endpointTrouble !== undefined) await setEndpointProblem(tx, now, endpointTrouble)
      await jobs.addAll(tx, providerEventQueue, jobsOf(await events(tx, now)))
    })
    if (alwaysManagesEndpoint(adapter)) await makeEndpoint(services, adapter, connection, credentials)
  } catch (error) {
    if (!(error instanceof PaymentProviderError) || (error.kind !== 'refused' && error.kind !== 'forbidden'))
      throw error
    await markConnectionFailing(db, id, error.message)
  }
}

/** Returns undefined if the provider does not show it to us. */
async function troubleOfEndpoint(
  adapter: ProviderAdapter,
  credentials: Credentials,
  id: string,
  reach: ProviderAccess,
) {
  try {
    return await adapter.endpointTrouble?.(credentials, id, reach)
  } catch (error) {
    if (error instanceof PaymentProviderError) return undefined
    throw error
  }
}

/** Retries waiting events hourly, whose key, answer or rate may be available now. */
export async function retryWaitingEvents(services: Services): Promise<void> {
  const { db, log } = services
  await transaction(db, async (tx) =>
    services.jobs.addAll(tx, providerEventQueue, jobsOf(await eventsWaitingForRates(tx))),
  )
  for (const connection of await connectionsWaitedFor(db))
    await tryConnection(services, connection, waitingEvents).catch((error: Error) =>
      log.info(
        { connectionId: connection.id, reason: error.message },
        'a provider that events wait for does not answer',
      ),
    )
}

/**
 * Ends a connection: its secrets are erased, its history stays, and if the provider supports it the endpoint we created
 * is removed there and our access revoked. Ending it again changes nothing.
 */
export async function disconnectProvider(
  services: Services,
  by: Author,
  accountId: string,
  connectionId: string,
): Promise<void> {
  const { db } = services
  const known = await connectionById(db, accountId, connectionId)
  if (!known) throw wrongField('connectionId', 'unknown_connection')
  const ended = await transaction(db, async (tx) => {
    const connection = await lockConnection(tx, known.id)
    if (connection.disconnectedAt) return null
    await eraseConnection(tx, connection.id)
    await endConnectionImports(tx, connection, `${paymentProviderNames[connection.provider]} was disconnected.`)
    await emitEvent(tx, by, accountId, 'payment-provider.disconnected', {
      id: connection.id,
      object: await presentConnection(tx, accountId, connection.id),
    })
    return connection
  })
  if (ended) await revokeAtProvider(services, ended)
}

async function revokeAtProvider(services: Services, connection: ConnectionRow) {
  const { id, endpointId, provider, method } = connection
  const credentials = openCredentials(services.secrets, connection)
  const adapter = findAdapter(provider)
  if (!credentials || !adapter) return
  const reach = getProviderAccess(services, provider)
  try {
    await adapter.disconnect?.(credentials, endpointId, reach)
    if (method === 'oauth' && !(await sharesConsent(services.db, connection)))
      await adapter.oauth?.revoke(credentials, reach)
  } catch (error) {
    if (!(error instanceof PaymentProviderError)) throw error
    services.log.info(
      { connectionId: id, reason: error.message },
      'what was created at the provider could not be removed and stays there',
    )
  }
}
