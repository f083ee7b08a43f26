import { unknownFields } from '#contract/fields.ts'
import type { AvailableProvider, Connection, ConnectionChange, NewConnection } from '#contract/payment-providers.ts'
import { type PaymentProvider, paymentProviderNames } from '#contract/sales.ts'
import { audit, type By } from '../../platform/audit.ts'
import { newId } from '../../platform/database/ids.ts'
import { type Database, type Queryable, type Transaction, transaction } from '../../platform/database/pool.ts'
import { newToken } from '../../platform/database/secrets.ts'
import { announce } from '../../jobs/outbox.ts'
import { notFound, Refusal, wrongField } from '../../platform/refusal.ts'
import type { Services } from '../../platform/services.ts'
import { hookUrl, presentConnection } from './present-connections.ts'
import { type CredentialField, type ProviderAccount, type ProviderAdapter, ProviderError } from './provider.ts'
import {
  type ConnectionRow,
  connectionById,
  connectionsWaitedFor,
  eraseConnection,
  eventsWaitingForRates,
  insertConnection,
  isConnected,
  keepShop,
  lockConnection,
  lockShop,
  nameShop,
  openEvents,
  replaceKey,
  setEndpoint,
  setTrouble,
  shopById,
  updateAccount,
  waitingEvents,
} from './queries.ts'
import { adapterOf, availableAdapters } from './registry.ts'
import { openKey, reachOf, sealKey, sealWebhookSecret } from '../../payment-providers/secrets.ts'
import { noteTrouble } from './trouble.ts'

/** The providers that can be connected, as their adapters declare themselves. */
export const availableProviders = (): { items: AvailableProvider[] } => ({
  items: availableAdapters().map(({ provider, name, methods, fields }) => ({
    provider,
    name,
    methods,
    fields: fields.map(({ key, label, help, secret, optional = false }) => ({ key, label, help, secret, optional })),
  })),
})

/** Refuses always, while no provider is connected by OAuth: `invalid_state`. */
export function connectUrl(provider: PaymentProvider): never {
  const name = paymentProviderNames[provider]
  throw new Refusal(
    'invalid_state',
    `This installation has no credentials of a platform at ${name}. Connect with a key instead.`,
  )
}

/**
 * Connects a provider with the account's own credentials, once its key has been tried. Without a signing secret the
 * endpoint is made at the provider, where that can be. Events that a former connection left waiting are worked off.
 * Refuses: wrong credentials, in the provider's words; `duplicate` for an account that is connected already;
 * `provider_failed` where no usable answer comes; `invalid_state` for OAuth.
 */
export async function connectProvider(
  db: Database,
  services: Services,
  by: By,
  accountId: string,
  body: NewConnection,
): Promise<Connection> {
  const adapter = adapterOf(body.provider)
  if (!adapter) throw wrongField('provider', 'This provider cannot be connected yet')
  if (!body.credentials) connectUrl(body.provider)
  const { key, webhookSecret } = readCredentials(adapter, body.credentials)
  const account = await tryKey(services, adapter, key)
  const { provider } = adapter
  const named = { accountId, provider, livemode: account.livemode, externalId: account.providerAccountId }
  if (await isConnected(db, named)) throw isDuplicate(adapter, account)

  const row = { id: newId(), accountId }
  const hookKey = newToken()
  await transaction(db, async (tx) => {
    const webhookSecretSealed = webhookSecret ? sealWebhookSecret(services, row, webhookSecret) : null
    const keySealed = sealKey(services, row, key)
    const { id: shopId } = await keepShop(tx, named)
    const fields = { ...row, ...account, shopId, provider, hookKey, keySealed, webhookSecretSealed }
    const made = await insertConnection(tx, fields)
    if (!made) throw isDuplicate(adapter, account)
    const subject = { type: 'payment-provider', id: row.id }
    await audit(tx, by, accountId, 'payment-provider.connected', subject, {
      provider: { old: null, new: provider },
      providerAccountIdentifier: { old: null, new: account.providerAccountId },
    })
    await announce(tx, accountId, 'payment-provider.connected', { connectionId: row.id, provider })
    await workOffAgain(tx, services, shopId)
  })
  if (!webhookSecret) await makeEndpoint(db, services, adapter, { ...row, hookKey, key })
  return presentConnection(db, services, accountId, row.id)
}

function readCredentials(adapter: ProviderAdapter, credentials: Record<string, string>) {
  checkCredentials(adapter, credentials, ({ optional = false }) => optional)
  return { key: credentials[adapter.keyField]!, webhookSecret: credentials[adapter.webhookSecretField] || null }
}

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
  if (first) throw new Refusal('validation_failed', first, { fields })
}

async function tryKey(services: Services, adapter: ProviderAdapter, key: string): Promise<ProviderAccount> {
  try {
    return await adapter.readAccount(key, reachOf(services, adapter.provider))
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    if (error.kind === 'refused' || error.kind === 'forbidden')
      throw wrongField(`credentials.${adapter.keyField}`, error.message)
    throw providerFailed(adapter, error)
  }
}

const providerFailed = ({ name, provider }: ProviderAdapter, error: ProviderError) =>
  new Refusal('provider_failed', `${name} could not be asked just now. Please try again.`, {
    details: { provider, message: error.message },
  })

const isDuplicate = ({ name, provider }: ProviderAdapter, { providerAccountId }: ProviderAccount) =>
  new Refusal('duplicate', `This ${name} account is connected already.`, {
    details: { provider, providerAccountIdentifier: providerAccountId },
  })

async function makeEndpoint(
  db: Database,
  services: Services,
  adapter: ProviderAdapter,
  { id, accountId, hookKey, key }: { id: string; accountId: string; hookKey: string; key: string },
) {
  const url = hookUrl(services, adapter.provider, hookKey)
  const made = await askForEndpoint(services, adapter, key, url)
  await transaction(db, (tx) =>
    'trouble' in made
      ? setEndpoint(tx, id, { endpointId: null, secretSealed: null, trouble: made.trouble })
      : setEndpoint(tx, id, {
          endpointId: made.id,
          secretSealed: sealWebhookSecret(services, { id, accountId }, made.secret),
          trouble: null,
        }),
  )
}

async function askForEndpoint(services: Services, adapter: ProviderAdapter, key: string, url: string) {
  const { name } = adapter
  if (!url.startsWith('https://') && !services.config.allowPrivateWebhookTargets)
    return { trouble: `${name} sends events to https addresses only, and this server's address is not one.` }
  try {
    return await adapter.makeEndpoint(key, url, reachOf(services, adapter.provider))
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    return { trouble: `${name} did not let us make the endpoint: ${error.message}` }
  }
}

async function getConnection(db: Queryable, accountId: string, id: string): Promise<ConnectionRow> {
  const connection = await connectionById(db, accountId, id)
  if (!connection) throw notFound()
  return connection
}

const refuseDisconnected = ({ disconnectedAt }: ConnectionRow) => {
  if (disconnectedAt)
    throw new Refusal('invalid_state', 'This connection has ended. Connect the provider again to make a new one.')
}

/**
 * Replaces the key, once it has been tried, and sets or empties the secret that signs the events; what is left out or
 * empty stays. A new key takes the trouble away, and events that could not be booked are tried again.
 * Refuses: `invalid_state` once disconnected; wrong credentials on their fields, in the provider's words; `conflict` for
 * the key of another account at the provider, or of its other mode; `provider_failed` where no usable answer comes.
 */
export async function changeConnection(
  db: Database,
  services: Services,
  by: By,
  accountId: string,
  id: string,
  change: ConnectionChange,
): Promise<Connection> {
  const known = await getConnection(db, accountId, id)
  refuseDisconnected(known)
  const adapter = adapterOf(known.provider)!
  const { key, webhookSecret } = readChange(adapter, change)
  const account = key === null ? null : await tryKey(services, adapter, key)
  if (account) await refuseOtherShop(db, adapter, known, account)
  const connection = await transaction(db, async (tx) => {
    const locked = await lockConnection(tx, known.id)
    refuseDisconnected(locked)
    if (key !== null && account) await takeKey(tx, services, by, locked, { key, account })
    if (webhookSecret !== undefined) await takeSecret(tx, services, by, locked, webhookSecret)
    return locked
  })
  if (key !== null && webhookSecret === undefined && connection.webhookSecretSealed === null)
    await makeEndpoint(db, services, adapter, { ...connection, key })
  return presentConnection(db, services, accountId, id)
}

/** `webhookSecret` undefined: stays; null: is emptied. */
function readChange(adapter: ProviderAdapter, { credentials = {}, webhookSecret }: ConnectionChange) {
  checkCredentials(adapter, credentials, () => true)
  const shape = adapter.fields.find(({ key }) => key === adapter.webhookSecretField)
  if (webhookSecret && shape && !shape.shape.test(webhookSecret)) throw wrongField('webhookSecret', shape.words)
  return {
    key: credentials[adapter.keyField] || null,
    webhookSecret: credentials[adapter.webhookSecretField] || webhookSecret,
  }
}

async function refuseOtherShop(db: Database, adapter: ProviderAdapter, known: ConnectionRow, account: ProviderAccount) {
  const { name, keyField } = adapter
  const shop = await shopById(db, known.shopId)
  const { providerAccountId, livemode } = account
  if (shop.externalId && !providerAccountId)
    throw wrongField(
      `credentials.${keyField}`,
      `This key does not tell which ${name} account it is of. Let it read the account, or disconnect and connect again`,
    )
  if (shop.livemode !== livemode)
    throw otherShop(`This key is of ${name}'s ${livemode ? 'live' : 'test'} mode, the connection of the other one.`)
  if (shop.externalId && shop.externalId !== providerAccountId)
    throw otherShop(`This key belongs to another ${name} account, ${providerAccountId}.`)
}

const otherShop = (what: string) => new Refusal('conflict', `${what} To change over, disconnect and connect again.`)

async function takeKey(
  tx: Transaction,
  services: Services,
  by: By,
  connection: ConnectionRow,
  { key, account }: { key: string; account: ProviderAccount },
) {
  const { id, accountId, shopId } = connection
  await lockShop(tx, shopId)
  const { providerAccountId } = account
  if (providerAccountId && !(await nameShop(tx, shopId, providerAccountId)))
    throw otherShop('This account was connected by itself before.')
  await replaceKey(tx, id, sealKey(services, connection, key))
  await updateAccount(tx, id, account)
  await workOffAgain(tx, services, shopId)
  await audit(tx, by, accountId, 'payment-provider.credentials-replaced', { type: 'payment-provider', id })
}

async function takeSecret(
  tx: Transaction,
  services: Services,
  by: By,
  connection: ConnectionRow,
  secret: string | null,
) {
  const { id, accountId, endpointId } = connection
  const secretSealed = secret === null ? null : sealWebhookSecret(services, connection, secret)
  await setEndpoint(tx, id, { endpointId, secretSealed, trouble: null })
  await audit(tx, by, accountId, 'payment-provider.webhook-secret-changed', { type: 'payment-provider', id })
}

/** Gives the queue what could not be booked, once it can be asked for. */
async function workOffAgain(tx: Transaction, services: Services, shopId: string) {
  await lockShop(tx, shopId)
  await services.jobs.addAll(tx, 'provider-event', jobsOf(await openEvents(tx, shopId)))
}

const jobsOf = (events: { id: string }[]) => events.map(({ id }) => ({ eventId: id }))

/**
 * Asks the provider whether the key still holds; where it does, events that could not be booked are tried again.
 * Refuses: `invalid_state` once disconnected, `provider_failed` where no usable answer comes.
 */
export async function checkConnection(
  db: Database,
  services: Services,
  accountId: string,
  id: string,
): Promise<Connection> {
  const connection = await getConnection(db, accountId, id)
  refuseDisconnected(connection)
  const adapter = adapterOf(connection.provider)!
  try {
    await check(db, services, connection, openEvents)
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    throw providerFailed(adapter, error)
  }
  return presentConnection(db, services, accountId, id)
}

/** Tries the key; where it holds, `events` are given to the queue. Throws ProviderError where no usable answer comes. */
async function check(db: Database, services: Services, connection: ConnectionRow, events: typeof openEvents) {
  const { id, shopId, provider } = connection
  try {
    const account = await adapterOf(provider)!.readAccount(openKey(services, connection)!, reachOf(services, provider))
    await transaction(db, async (tx) => {
      await lockShop(tx, shopId)
      await updateAccount(tx, id, account)
      await setTrouble(tx, id, null)
      await services.jobs.addAll(tx, 'provider-event', jobsOf(await events(tx, shopId)))
    })
  } catch (error) {
    if (!(error instanceof ProviderError) || (error.kind !== 'refused' && error.kind !== 'forbidden')) throw error
    await noteTrouble(services, id, error.message)
  }
}

/** Looks every hour whether what events wait for is there: the key holds again, the provider answers, a rate is known. */
export async function retryWaitingEvents(services: Services): Promise<void> {
  const { db, log } = services
  await transaction(db, async (tx) =>
    services.jobs.addAll(tx, 'provider-event', jobsOf(await eventsWaitingForRates(tx))),
  )
  for (const connection of await connectionsWaitedFor(db))
    await check(db, services, connection, waitingEvents).catch((error: Error) =>
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
  db: Database,
  services: Services,
  by: By,
  accountId: string,
  connectionId: string,
): Promise<void> {
  const known = await connectionById(db, accountId, connectionId)
  if (!known) throw wrongField('connectionId', 'There is no such connection')
  const ended = await transaction(db, async (tx) => {
    const connection = await lockConnection(tx, known.id)
    if (connection.disconnectedAt) return null
    await eraseConnection(tx, connection.id)
    const { provider } = connection
    await audit(tx, by, accountId, 'payment-provider.disconnected', { type: 'payment-provider', id: connection.id })
    await announce(tx, accountId, 'payment-provider.disconnected', { connectionId: connection.id, provider })
    return connection
  })
  if (ended) await removeEndpoint(services, ended)
}

async function removeEndpoint(services: Services, connection: ConnectionRow) {
  const { endpointId, provider } = connection
  const key = openKey(services, connection)
  if (!endpointId || !key) return
  try {
    await adapterOf(provider)?.removeEndpoint(key, endpointId, reachOf(services, provider))
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    services.log.info({ connectionId: connection.id, reason: error.message }, 'the endpoint at the provider stays')
  }
}
