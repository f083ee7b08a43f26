import { unknownFields } from '#contract/fields.ts'
import type { AvailableProvider, Connection, NewConnection } from '#contract/payment-providers.ts'
import type { PaymentProvider } from '#contract/sales.ts'
import { audit, type By } from '../audit.ts'
import { newId } from '../database/ids.ts'
import { type Database, type Queryable, type Transaction, transaction } from '../database/pool.ts'
import { newToken } from '../database/secrets.ts'
import { announce } from '../jobs/outbox.ts'
import { notFound, Refusal, wrongField } from '../refusal.ts'
import type { Services } from '../services.ts'
import { hookUrl, presentConnection } from './present-connections.ts'
import { type ProviderAccount, type ProviderAdapter, ProviderError } from './provider.ts'
import {
  type ConnectionRow,
  connectionById,
  eraseConnection,
  failedEvents,
  insertConnection,
  isConnected,
  lockConnection,
  setEndpoint,
  setTrouble,
  updateAccount,
} from './queries.ts'
import { adapterOf, availableAdapters } from './registry.ts'
import { openKey, reachOf, sealKey, sealWebhookSecret } from './secrets.ts'
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
  const name = adapterOf(provider)?.name ?? provider
  throw new Refusal(
    'invalid_state',
    `This installation has no credentials of a platform at ${name}. Connect with a key instead.`,
  )
}

/**
 * Connects a provider with the account's own credentials, once its key has been tried. Without a signing secret the
 * endpoint is made at the provider, where that can be.
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
  if (await isConnected(db, accountId, adapter.provider, account.providerAccountId)) throw isDuplicate(adapter, account)

  const row = { id: newId(), accountId }
  const hookKey = newToken()
  await transaction(db, async (tx) => {
    const webhookSecretSealed = webhookSecret ? sealWebhookSecret(services, row, webhookSecret) : null
    const keySealed = sealKey(services, row, key)
    const { provider } = adapter
    const made = await insertConnection(tx, { ...row, ...account, provider, hookKey, keySealed, webhookSecretSealed })
    if (!made) throw isDuplicate(adapter, account)
    const subject = { type: 'payment-provider', id: row.id }
    await audit(tx, by, accountId, 'payment-provider.connected', subject, {
      provider: { old: null, new: provider },
      providerAccountIdentifier: { old: null, new: account.providerAccountId },
    })
    await announce(tx, accountId, 'payment-provider.connected', { connectionId: row.id, provider })
  })
  if (!webhookSecret) await makeEndpoint(db, services, adapter, { ...row, hookKey, key })
  return presentConnection(db, services, accountId, row.id)
}

function readCredentials(adapter: ProviderAdapter, credentials: Record<string, string>) {
  const strange = Object.keys(credentials).filter((key) => !adapter.fields.some((field) => field.key === key))
  const { fields } = unknownFields(strange.map((key) => `credentials.${key}`))
  for (const { key, shape, words, optional } of adapter.fields) {
    const value = credentials[key] ?? ''
    if (!(value === '' && optional) && !shape.test(value)) fields[`credentials.${key}`] = words
  }
  const [first] = Object.values(fields)
  if (first) throw new Refusal('validation_failed', first, { fields })
  return { key: credentials[adapter.keyField]!, webhookSecret: credentials[adapter.webhookSecretField] || null }
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

/** Sets or empties the secret that signs the events. Refuses: `invalid_state` once disconnected. */
export async function changeConnection(
  tx: Transaction,
  services: Services,
  by: By,
  accountId: string,
  id: string,
  { webhookSecret }: { webhookSecret?: string | null | undefined },
): Promise<Connection> {
  await getConnection(tx, accountId, id)
  const connection = await lockConnection(tx, id)
  refuseDisconnected(connection)
  if (webhookSecret !== undefined) {
    const adapter = adapterOf(connection.provider)
    const field = adapter?.fields.find(({ key }) => key === adapter.webhookSecretField)
    if (webhookSecret !== null && field && !field.shape.test(webhookSecret))
      throw wrongField('webhookSecret', field.words)
    await setEndpoint(tx, connection.id, {
      endpointId: connection.endpointId,
      secretSealed: webhookSecret === null ? null : sealWebhookSecret(services, connection, webhookSecret),
      trouble: null,
    })
    const subject = { type: 'payment-provider', id: connection.id }
    await audit(tx, by, accountId, 'payment-provider.webhook-secret-changed', subject)
  }
  return presentConnection(tx, services, accountId, id)
}

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
    const account = await adapter.readAccount(openKey(services, connection)!, reachOf(services, connection.provider))
    await transaction(db, async (tx) => {
      await updateAccount(tx, connection.id, account)
      await setTrouble(tx, connection.id, null)
      for (const { id } of await failedEvents(tx, connection.id))
        await services.jobs.add(tx, 'provider-event', { eventId: id })
    })
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    if (error.kind !== 'refused' && error.kind !== 'forbidden') throw providerFailed(adapter, error)
    await noteTrouble(services, connection.id, error.message)
  }
  return presentConnection(db, services, accountId, id)
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
