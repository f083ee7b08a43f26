import { z } from 'zod'
import { csvOf } from './csv.ts'
import { apiLimit, endpoint, rights } from './endpoint.ts'
import { Import } from './imports.ts'
import { PaymentProvider } from './sales.ts'
import { anyOf, DateOnly, Id, Instant, listOf, listQuery, requiredText, text } from './values.ts'

export const connectionMethods = ['oauth', 'credentials'] as const
export const connectionStates = ['connected', 'attention', 'disconnected'] as const

/**
 * An account's connection to a payment provider. Its keys are never returned. `reconciledAt`: the last comparison with
 * the provider's records of the last days.
 */
export const Connection = z
  .object({
    id: Id,
    accountId: Id,
    createdAt: Instant,
    provider: PaymentProvider,
    accountName: z.string().nullable(),
    defaultCurrency: z.string().nullable(),
    providerAccountIdentifier: z.string().nullable(),
    method: z.enum(connectionMethods),
    /** False in the provider's test mode. A live key of the same account switches it to live mode. */
    livemode: z.boolean(),
    state: z.enum(connectionStates),
    stateReason: z.string().nullable(),
    webhookUrl: z.string().nullable(),
    webhookSecretSet: z.boolean(),
    lastEventAt: Instant.nullable(),
    eventsLast24h: z.int(),
    reconciledAt: Instant.nullable(),
  })
  .meta({ id: 'Connection' })
export type Connection = z.infer<typeof Connection>

/** An adapter's declaration; the connect form is built from `fields`. `remembers`: its past sales can be imported. */
export const AvailableProvider = z
  .object({
    provider: PaymentProvider,
    name: z.string(),
    methods: z.array(z.enum(connectionMethods)),
    remembers: z.boolean(),
    fields: z.array(
      z.object({
        key: z.string(),
        label: z.string(),
        help: z.string().nullable(),
        secret: z.boolean(),
        optional: z.boolean(),
      }),
    ),
    /** The field with the key that verifies events; `webhookSecret` changes it. */
    signingField: z.string(),
  })
  .meta({ id: 'AvailableProvider' })
export type AvailableProvider = z.infer<typeof AvailableProvider>

export const listConnections = endpoint('listConnections', 'GET /accounts/:id/payment-providers', {
  summary: 'List the connections to payment providers',
  allow: rights.read,
  limit: apiLimit,
  fromReplica: true,
  subject: 'account',
  query: listQuery({}),
  reply: listOf(Connection),
})

export const downloadConnections = csvOf(listConnections, {
  summary: 'Download all connections to payment providers',
  file: 'payment-providers',
})

export const listAvailableProviders = endpoint(
  'listAvailableProviders',
  'GET /accounts/:id/payment-providers/available',
  {
    summary: 'List the available providers and the credentials each requires',
    allow: rights.read,
    limit: apiLimit,
    subject: 'account',
    reply: z.object({ items: z.array(AvailableProvider) }),
  },
)

export const getConnectUrl = endpoint('getConnectUrl', 'GET /accounts/:id/payment-providers/connect-url/:provider', {
  summary: 'Start a connection that the owner authorizes on the provider’s site; returns the URL to open',
  allow: rights.own,
  inPerson: true,
  limit: apiLimit,
  subject: 'account',
  params: z.strictObject({ id: Id, provider: PaymentProvider }),
  reply: z.object({ url: z.string() }),
})

/**
 * By OAuth with `code` and `state`, or with the provider's credentials: for Stripe `{restrictedKey, webhookSecret?}`.
 */
export const NewConnection = z
  .strictObject({
    provider: PaymentProvider,
    code: requiredText(4000).optional(),
    state: requiredText(500).optional(),
    credentials: z.record(text(100), text(10_000)).optional(),
  })
  .refine(({ code, state, credentials }) => (credentials ? !code && !state : code && state), {
    path: ['credentials'],
    message: 'Send either code and state, or credentials',
  })
export type NewConnection = z.infer<typeof NewConnection>

export const connectProvider = endpoint('connectProvider', 'POST /accounts/:id/payment-providers/connect', {
  summary: 'Connect a provider after checking its key',
  allow: rights.own,
  limit: apiLimit,
  subject: 'account',
  body: NewConnection,
  status: 201,
  reply: Connection,
  transaction: 'own',
})

export const ConnectionParams = z.strictObject({ id: Id, connectionId: Id })

/** New credentials of the same account at the provider, and the secret that signs its events; omitted ones stay. */
export const ConnectionChange = z.strictObject({
  webhookSecret: requiredText(500).nullish(),
  credentials: z.record(text(100), text(10_000)).optional(),
})
export type ConnectionChange = z.infer<typeof ConnectionChange>

export const changeConnection = endpoint('changeConnection', 'PATCH /accounts/:id/payment-providers/:connectionId', {
  summary: 'Replace the credentials after checking the key, or replace the signing secret',
  allow: rights.own,
  limit: apiLimit,
  subject: 'account',
  params: ConnectionParams,
  body: ConnectionChange,
  reply: Connection,
  transaction: 'own',
})

export const disconnectProvider = endpoint('disconnectProvider', 'DELETE /accounts/:id/payment-providers/disconnect', {
  summary: 'Disconnect a provider; its history remains',
  allow: rights.own,
  limit: apiLimit,
  subject: 'account',
  body: z.strictObject({ connectionId: Id }),
  status: 204,
  transaction: 'own',
})

export const checkConnection = endpoint('checkConnection', 'POST /accounts/:id/payment-providers/:connectionId/check', {
  summary: 'Check with the provider that the connection works',
  allow: rights.earn,
  limit: apiLimit,
  subject: 'account',
  params: ConnectionParams,
  reply: Connection,
  transaction: 'own',
})

export const providerEventStates = ['received', 'processed', 'ignored', 'failed', 'waiting'] as const

/**
 * A provider's event about the connected account, received through any connection. `externalId` and `type` are the
 * provider's; `at` is its time of the event. `saleId` is the sale it booked or changed.
 */
export const ProviderEvent = z
  .object({
    id: Id,
    externalId: z.string(),
    type: z.string(),
    at: Instant,
    receivedAt: Instant,
    state: z.enum(providerEventStates),
    reason: z.string().nullable(),
    saleId: Id.nullable(),
  })
  .meta({ id: 'ProviderEvent' })
export type ProviderEvent = z.infer<typeof ProviderEvent>

export const listProviderEvents = endpoint(
  'listProviderEvents',
  'GET /accounts/:id/payment-providers/:connectionId/events',
  {
    summary: 'List the events received from a provider and their results',
    allow: rights.read,
    limit: apiLimit,
    fromReplica: true,
    subject: 'account',
    params: ConnectionParams,
    query: listQuery({ state: anyOf(providerEventStates) }),
    reply: listOf(ProviderEvent),
  },
)

export const downloadProviderEvents = csvOf(listProviderEvents, {
  summary: 'Download the events received from a provider',
  file: 'provider-events',
})

export const retryProviderEvent = endpoint(
  'retryProviderEvent',
  'POST /accounts/:id/payment-providers/:connectionId/events/:eventId/retries',
  {
    summary: 'Retry a failed or waiting event',
    allow: rights.earn,
    limit: apiLimit,
    subject: 'account',
    params: z.strictObject({ id: Id, connectionId: Id, eventId: Id }),
    status: 202,
    reply: ProviderEvent,
  },
)

/** The days of the sales, in the account's time zone. */
export const NewPastImport = z
  .strictObject({ from: DateOnly, to: DateOnly, dryRun: z.boolean() })
  .refine(({ from, to }) => from <= to, { path: ['to'], message: 'Enter a day after the first one' })
export type NewPastImport = z.infer<typeof NewPastImport>

export const importPastSales = endpoint(
  'importPastSales',
  'POST /accounts/:id/payment-providers/:connectionId/imports',
  {
    summary: 'Import past sales from a provider; a dry run only reports what would be created',
    allow: rights.earn,
    limit: { perMinute: 10, by: 'token' },
    subject: 'account',
    params: ConnectionParams,
    body: NewPastImport,
    status: 202,
    reply: Import,
  },
)
