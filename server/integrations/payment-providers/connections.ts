import { unknownFields } from '#contract/fields.ts'
import type { AvailableProvider, Connection, ConnectionChange, NewConnection } from '#contract/payment-providers.ts'
import { type PaymentProvider, paymentProviderNames } from '#contract/sales.ts'
import type { By } from '../../platform/by.ts'
import { newId } from '../../platform/database/ids.ts'
import { type Database, type Queryable, type Transaction, transaction } from '../../platform/database/pool.ts'
import { newToken, type Secrets } from '../../platform/database/secrets.ts'
import { happened, recorded } from '../../platform/events/happened.ts'
import type { Jobs } from '../../platform/jobs/queue.ts'
import { notFound, refusal, wrongField } from '../../platform/refusal.ts'
import type { Services } from '../../platform/services.ts'
import { presentConnection } from './present-connections.ts'
import {
  type CredentialField,
  type Credentials,
  type ProviderAccount,
  type ProviderAdapter,
  ProviderError,
  type Reach,
} from './provider.ts'
import {
  type ConnectionRow,
  connectionById,
  connectionsWaitedFor,
  eraseConnection,
  eventsWaitingForRates,
  forgetEndpointTrouble,
  insertConnection,
  isConnected,
  keepShop,
  lockConnection,
  lockShop,
  nameShop,
  openEvents,
  replaceCredentials,
  setEndpoint,
  setTrouble,
  shopById,
  updateAccount,
  waitingEvents,
} from './queries.ts'
import { providerEventQueue } from './queue.ts'
import { adapterOf, adapters } from './registry.ts'
import { addressOf, openCredentials, reachOf, sealCredentials } from './secrets.ts'
import { noteTrouble } from './trouble.ts'

/** The providers that can be connected, as their adapters declare themselves. */
export const availableProviders = (): { items: AvailableProvider[] } => ({
  items: adapters.map(({ provider, name, methods, fields }) => ({
    provider,
    name,
    methods,
    fields: fields.map(({ key, label, help, secret, optional = false }) => ({ key, label, help, secret, optional })),
  })),
})

/** Refuses always, while no provider is connected by OAuth: `invalid_state`. */
export function connectUrl(provider: PaymentProvider): never {
  const name = paymentProviderNames[provider]
  throw refusal('provider_needs_key', { provider: name })
}

/**
 * Connects a provider with the account's own credentials, once its key has been tried. Without a signing secret the
 * endpoint is made at the provider, where that can be. Events that a former connection left waiting are worked off.
 * Refuses: wrong credentials, in the provider's words; `duplicate` for an account that is connected already;
 * `provider_failed` where no usable answer comes; `invalid_state` for OAuth.
 */
export async function connectProvider(
  services: Services,
  by: By,
  accountId: string,
  body: NewConnection,
): Promise<Connection> {
  const { db } = services
  const adapter = adapterOf(body.provider)
  if (!adapter) throw wrongField('provider', 'provider_not_available')
  if (!body.credentials) connectUrl(body.provider)
  checkCredentials(adapter, body.credentials, ({ optional = false }) => optional)
  const credentials = entered(body.credentials)
  const account = await tryCredentials(adapter, credentials, reachOf(services, adapter.provider))
  const { provider } = adapter
  const named = { accountId, provider, livemode: account.livemode, externalId: account.providerAccountId }
  if (await isConnected(db, named)) throw isDuplicate(adapter, account)

  const row = { id: newId(), accountId, hookKey: hookKeyFor(adapter, account) }
  await transaction(db, async (tx) => {
    const { id: shopId } = await keepShop(tx, named)
    const webhookUrl = addressOf(services.config, provider, row.hookKey)
    const kept = toKeep(services.secrets, adapter, row, credentials)
    const made = await insertConnection(tx, { ...row, ...account, ...kept, shopId, provider, webhookUrl })
    if (!made) throw isDuplicate(adapter, account)
    await happened(tx, by, accountId, 'payment-provider.connected', {
      id: row.id,
      object: await presentConnection(tx, accountId, row.id),
      changes: {
        provider: { old: null, new: provider },
        providerAccountIdentifier: { old: null, new: account.providerAccountId },
      },
    })
    await workOffAgain(tx, services.jobs, shopId)
  })
  if (wantsEndpoint(adapter, credentials)) await makeEndpoint(services, adapter, row, credentials)
  return presentConnection(db, accountId, row.id)
}

/** The key of an address of its own; none where events come to the application's, which knows them by their account. */
function hookKeyFor(adapter: ProviderAdapter, { providerAccountId }: ProviderAccount): string | null {
  if (!adapter.application?.methods.includes('credentials')) return newToken()
  if (!providerAccountId)
    throw wrongField(atFirstField(adapter), 'provider_account_unknown', { provider: adapter.name })
  return null
}

/** What is not empty. */
const entered = (credentials: Record<string, string>): Credentials =>
  Object.fromEntries(Object.entries(credentials).filter(([, value]) => value !== ''))

const toKeep = (
  secrets: Secrets,
  adapter: ProviderAdapter,
  row: Pick<ConnectionRow, 'id' | 'accountId'>,
  credentials: Credentials,
) => ({
  credentialsSealed: sealCredentials(secrets, row, credentials),
  webhookSecretSet: credentials[adapter.signingField] !== undefined,
})

const atFirstField = ({ fields: [first] }: ProviderAdapter) => `credentials.${first.key}`

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

async function tryCredentials(adapter: ProviderAdapter, credentials: Credentials, reach: Reach) {
  try {
    return await adapter.readAccount(credentials, reach)
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    if (error.kind === 'refused' || error.kind === 'forbidden')
      throw wrongField(atFirstField(adapter), 'provider_credentials_refused', { said: error.message })
    throw providerFailed(adapter, error)
  }
}

const providerFailed = ({ name, provider }: ProviderAdapter, error: ProviderError) =>
  refusal('provider_away', { provider: name }, { details: { provider, message: error.message } })

const isDuplicate = ({ name, provider }: ProviderAdapter, { providerAccountId }: ProviderAccount) =>
  refusal(
    'provider_account_connected',
    { provider: name },
    { details: { provider, providerAccountIdentifier: providerAccountId } },
  )

/** What signs the events comes with the credentials, so that the endpoint is ours to keep whatever was entered. */
const keepsEndpoint = ({ makeEndpoint, fields, signingField }: ProviderAdapter) =>
  makeEndpoint !== undefined && fields.some(({ key, optional }) => key === signingField && !optional)

const wantsEndpoint = (adapter: ProviderAdapter, credentials: Credentials) =>
  keepsEndpoint(adapter) || !credentials[adapter.signingField]

/** Has the provider send the events of a connection, where it can be told to; they are signed by what it answers. */
async function makeEndpoint(
  services: Services,
  adapter: ProviderAdapter,
  { id, hookKey }: Pick<ConnectionRow, 'id' | 'hookKey'>,
  credentials: Credentials,
) {
  const { db } = services
  if (!adapter.makeEndpoint || hookKey === null) return
  const webhookUrl = addressOf(services.config, adapter.provider, hookKey)
  const made = await askForEndpoint(services, adapter, adapter.makeEndpoint, { url: webhookUrl, credentials })
  await transaction(db, async (tx) => {
    const connection = await lockConnection(tx, id)
    const { endpointId, disconnectedAt } = connection
    // whether what was made before is still there will be seen at the next look
    if (disconnectedAt || ('trouble' in made && made.passes && endpointId)) return
    if ('trouble' in made) return void (await setEndpoint(tx, id, { endpointId, webhookUrl, trouble: made.trouble }))
    if (!keepsEndpoint(adapter)) {
      const signing = { ...openCredentials(services.secrets, connection), [adapter.signingField]: made.secret }
      await replaceCredentials(tx, id, toKeep(services.secrets, adapter, connection, signing))
    }
    await setEndpoint(tx, id, { endpointId: made.id, webhookUrl, trouble: null })
  })
}

async function askForEndpoint(
  services: Services,
  { name, provider }: ProviderAdapter,
  make: NonNullable<ProviderAdapter['makeEndpoint']>,
  { url, credentials }: { url: string; credentials: Credentials },
) {
  if (!url.startsWith('https://') && !services.config.allowPrivateWebhookTargets)
    return {
      trouble: `${name} sends events to https addresses only, and this server's address is not one.`,
      passes: false,
    }
  try {
    return await make(credentials, url, reachOf(services, provider))
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    return {
      trouble: `${name} didn't let us create the endpoint: ${error.message}`,
      passes: error.kind === 'unavailable',
    }
  }
}

async function getConnection(db: Queryable, accountId: string, id: string): Promise<ConnectionRow> {
  const connection = await connectionById(db, accountId, id)
  if (!connection) throw notFound()
  return connection
}

const refuseDisconnected = ({ disconnectedAt }: ConnectionRow) => {
  if (disconnectedAt) throw refusal('connection_ended')
}

/**
 * Replaces credentials, once they have been tried, and sets or empties what the events are checked with; what is left
 * out or empty stays. New ones take the trouble away, and events that could not be booked are tried again.
 * Refuses: `invalid_state` once disconnected; wrong credentials on their fields, in the provider's words; `conflict` for
 * those of another account at the provider, or of its other mode; `provider_failed` where no usable answer comes.
 */
export async function changeConnection(
  services: Services,
  by: By,
  accountId: string,
  id: string,
  body: ConnectionChange,
): Promise<Connection> {
  const { db } = services
  const known = await getConnection(db, accountId, id)
  refuseDisconnected(known)
  const adapter = adapterOf(known.provider)!
  const change = readChange(adapter, body)
  const changesSigning = adapter.signingField in change
  const tries = Object.keys(change).some((field) => field !== adapter.signingField)
  const after = (row: ConnectionRow) => changed(openCredentials(services.secrets, row)!, change)
  const account = tries ? await tryCredentials(adapter, after(known), reachOf(services, adapter.provider)) : null
  if (account) await refuseOtherShop(db, adapter, known, account)
  const { connection, credentials } = await transaction(db, async (tx) => {
    const connection = await lockConnection(tx, known.id)
    refuseDisconnected(connection)
    const credentials = after(connection)
    await replaceCredentials(tx, known.id, toKeep(services.secrets, adapter, connection, credentials))
    if (account) await takeAccount(tx, services.jobs, by, connection, account)
    if (changesSigning) {
      await forgetEndpointTrouble(tx, known.id)
      await recorded(tx, by, accountId, 'payment-provider.webhook-secret-changed', { id: known.id })
    }
    return { connection, credentials }
  })
  if (account && (!changesSigning || keepsEndpoint(adapter)) && wantsEndpoint(adapter, credentials))
    await makeEndpoint(services, adapter, connection, credentials)
  return presentConnection(db, accountId, id)
}

/** The fields that change; null empties the one that events are checked with, which must be one that may be missing. */
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

async function refuseOtherShop(db: Database, adapter: ProviderAdapter, known: ConnectionRow, account: ProviderAccount) {
  const { name } = adapter
  const shop = await shopById(db, known.shopId)
  const { providerAccountId, livemode } = account
  if (shop.externalId && !providerAccountId)
    throw wrongField(atFirstField(adapter), 'provider_key_account_unknown', { provider: name })
  if (shop.livemode !== livemode)
    throw refusal(livemode ? 'live_key_for_test_connection' : 'test_key_for_live_connection', { provider: name })
  if (shop.externalId && shop.externalId !== providerAccountId)
    throw refusal('key_of_other_account', { provider: name, account: providerAccountId! })
}

/** The credentials of a connection are new, and are those of `account`. */
async function takeAccount(
  tx: Transaction,
  jobs: Jobs,
  by: By,
  { id, accountId, shopId }: ConnectionRow,
  account: ProviderAccount,
) {
  await lockShop(tx, shopId)
  const { providerAccountId } = account
  if (providerAccountId && !(await nameShop(tx, shopId, providerAccountId))) throw refusal('account_connected_before')
  await setTrouble(tx, id, null)
  await updateAccount(tx, id, account)
  await workOffAgain(tx, jobs, shopId)
  await recorded(tx, by, accountId, 'payment-provider.credentials-replaced', { id })
}

/** Gives the queue what could not be booked, once it can be asked for. */
async function workOffAgain(tx: Transaction, jobs: Jobs, shopId: string) {
  await lockShop(tx, shopId)
  await jobs.addAll(tx, providerEventQueue, jobsOf(await openEvents(tx, shopId)))
}

const jobsOf = (events: { id: string }[]) => events.map(({ id }) => ({ eventId: id }))

/**
 * Asks the provider whether the key still holds; where it does, events that could not be booked are tried again.
 * Refuses: `invalid_state` once disconnected, `provider_failed` where no usable answer comes.
 */
export async function checkConnection(services: Services, accountId: string, id: string): Promise<Connection> {
  const { db } = services
  const connection = await getConnection(db, accountId, id)
  refuseDisconnected(connection)
  const adapter = adapterOf(connection.provider)!
  try {
    await check(services, connection, openEvents)
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    throw providerFailed(adapter, error)
  }
  return presentConnection(db, accountId, id)
}

/**
 * Tries the key; where it holds, `events` are given to the queue, and an endpoint that is ours to keep is looked after.
 * Throws ProviderError where no usable answer comes.
 */
async function check(services: Services, connection: ConnectionRow, events: typeof openEvents) {
  const { db, secrets, jobs } = services
  const { id, shopId, provider } = connection
  try {
    const credentials = openCredentials(secrets, connection)!
    const adapter = adapterOf(provider)!
    const account = await adapter.readAccount(credentials, reachOf(services, provider))
    await transaction(db, async (tx) => {
      await lockShop(tx, shopId)
      await updateAccount(tx, id, account)
      await setTrouble(tx, id, null)
      await jobs.addAll(tx, providerEventQueue, jobsOf(await events(tx, shopId)))
    })
    if (keepsEndpoint(adapter)) await makeEndpoint(services, adapter, connection, credentials)
  } catch (error) {
    if (!(error instanceof ProviderError) || (error.kind !== 'refused' && error.kind !== 'forbidden')) throw error
    await noteTrouble(db, id, error.message)
  }
}

/** Looks every hour whether what events wait for is there: the key holds again, the provider answers, a rate is known. */
export async function retryWaitingEvents(services: Services): Promise<void> {
  const { db, log } = services
  await transaction(db, async (tx) =>
    services.jobs.addAll(tx, providerEventQueue, jobsOf(await eventsWaitingForRates(tx))),
  )
  for (const connection of await connectionsWaitedFor(db))
    await check(services, connection, waitingEvents).catch((error: Error) =>
      log.info(
        { connectionId: connection.id, reason: error.message },
        'a provider that events wait for does not answer',
      ),
    )
}

/**
 * Ends a connection: its secrets are erased, its history stays, and the endpoint we made is removed at the provider
 * where it lets us. Ending it again changes nothing.
 */
export async function disconnectProvider(
  services: Services,
  by: By,
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
    await happened(tx, by, accountId, 'payment-provider.disconnected', {
      id: connection.id,
      object: await presentConnection(tx, accountId, connection.id),
    })
    return connection
  })
  if (ended) await takeBack(services, ended)
}

async function takeBack(services: Services, connection: ConnectionRow) {
  const { id, endpointId, provider } = connection
  const credentials = openCredentials(services.secrets, connection)
  if (!credentials) return
  try {
    await adapterOf(provider)?.disconnect?.(credentials, endpointId, reachOf(services, provider))
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    services.log.info(
      { connectionId: id, reason: error.message },
      'what was created at the provider could not be removed and stays there',
    )
  }
}
