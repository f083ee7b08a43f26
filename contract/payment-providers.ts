import { z } from 'zod'
import { csvEndpoint } from './csv.ts'
import { apiLimit, endpoint, rights } from './endpoint.ts'
import { bothFields } from './former-names.ts'
import { Import } from './imports.ts'
import { PaymentProvider } from './sales.ts'
import {
  Amount,
  anyOf,
  DateOnly,
  EnteredAmount,
  Id,
  Instant,
  listQuery,
  pageSchema,
  plainText,
  Rate,
  requiredText,
} from './values.ts'

export const connectionMethods = ['oauth', 'credentials'] as const
export const connectionStates = ['connected', 'attention', 'disconnected'] as const

export const codeMoments = ['approval', 'asking'] as const
/** The discount of a rule: one of the provider’s coupons, or a percentage or amount. */
export const codeKinds = ['coupon', 'discount'] as const

/** Most rules of a connection. */
const MOST_CODE_RULES = 5

/** Longest promotion code that is made at a provider. */
export const MOST_CODE_LENGTH = 20

/**
 * How a connection makes promotion codes: from a `couponId` of Stripe, or at a shop with `percentOff`, or `amountOff`
 * in minor units of the shop’s currency. `{name}` in the pattern becomes the partner’s first name, `{number}` a number.
 * `groupIds` are the groups whose partners it is for, null for all. The discount of a coupon and the `currency` of an
 * amount are as they were when the rule was saved; older rules lack them.
 */
export const PromotionCodeRule = z
  .object({
    when: z.enum(codeMoments),
    pattern: z.string(),
    couponId: z.string().nullable(),
    percentOff: z.number().nullable(),
    amountOff: Amount.nullable(),
    currency: z.string().nullish(),
    groupIds: z.array(Id).nullish(),
  })
  .meta({ id: 'PromotionCodeRule' })
export type PromotionCodeRule = z.infer<typeof PromotionCodeRule>

const literal = (pattern: string) => pattern.replace(/\{(name|number)\}/g, '')

export const NewCodeRule = z.strictObject({
  when: z.enum(codeMoments),
  pattern: requiredText(40)
    .refine(
      (pattern) => /^[A-Za-z0-9]*$/.test(literal(pattern)) && literal(pattern) !== pattern,
      'Use letters, digits, {name} and {number}, and at least one of the last two',
    )
    .refine(
      (pattern) => literal(pattern).length <= MOST_CODE_LENGTH - 4,
      'Leave room: a code has 20 characters at most',
    ),
  couponId: requiredText(200).nullish(),
  percentOff: Rate.min(0.01, 'Enter a rate above 0').nullish(),
  amountOff: EnteredAmount.nullish(),
  groupIds: z.array(Id).min(1, 'Choose at least one group').max(50, 'Choose at most 50 groups').nullish(),
})
export type NewCodeRule = z.output<typeof NewCodeRule>

/** The rules in their order: the first whose groups have the partner makes the code. `rule` alone is a list of one. */
export const CodeRules = z
  .strictObject({
    rule: NewCodeRule.nullish(),
    rules: z.array(NewCodeRule).max(MOST_CODE_RULES, `Use at most ${MOST_CODE_RULES} rules`).optional(),
  })
  .refine(({ rule, rules }) => (rule === undefined) !== (rules === undefined), {
    path: ['rule'],
    message: 'Send a rule or rules',
  })

/**
 * An account's connection to a payment provider. Its keys are never returned. `reconciledAt`: the last comparison with
 * the provider's records of the last days.
 */
export const ProviderConnection = z
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
    /** The first of `codeRules`; null while it makes no promotion codes. */
    codeRule: PromotionCodeRule.nullable(),
    codeRules: z.array(PromotionCodeRule),
  })
  .meta({ id: 'ProviderConnection' })
export type ProviderConnection = z.infer<typeof ProviderConnection>

/** An adapter's declaration; the connect form is built from `fields`. `canImportPastSales`: its past sales can be imported. */
export const AvailableProvider = z
  .object({
    provider: PaymentProvider,
    name: z.string(),
    methods: z.array(z.enum(connectionMethods)),
    ...bothFields('canImportPastSales', z.boolean()),
    fields: z.array(
      z.object({
        key: z.string(),
        label: z.string(),
        help: z.string().nullable(),
        secret: z.boolean(),
        optional: z.boolean(),
        /** The provider's page that creates this key with the rights it needs; null without one. */
        createUrl: z.string().nullable(),
      }),
    ),
    /** The field with the key that verifies events; `webhookSecret` changes it. */
    signingField: z.string(),
    /** The steps at the provider for a webhook that needs more than its URL; null if it needs none. */
    webhookSteps: z.string().nullable(),
    /** The command that forwards events to the URL after it, for an address on http; null without one. */
    forwardCommand: z.string().nullable(),
    /** Null if it can’t make promotion codes. */
    makesCodes: z.enum(codeKinds).nullable(),
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
  reply: pageSchema(ProviderConnection),
})

export const downloadConnections = csvEndpoint(listConnections, {
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
    credentials: z.record(plainText(100), plainText(10_000)).optional(),
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
  reply: ProviderConnection,
  transaction: 'own',
})

export const ConnectionParams = z.strictObject({ id: Id, connectionId: Id })

/** New credentials of the same account at the provider, and the secret that signs its events; omitted ones stay. */
export const ConnectionChange = z.strictObject({
  webhookSecret: requiredText(500).nullish(),
  credentials: z.record(plainText(100), plainText(10_000)).optional(),
})
export type ConnectionChange = z.infer<typeof ConnectionChange>

export const changeConnection = endpoint('changeConnection', 'PATCH /accounts/:id/payment-providers/:connectionId', {
  summary: 'Replace the credentials after checking the key, or replace the signing secret',
  allow: rights.own,
  limit: apiLimit,
  subject: 'account',
  params: ConnectionParams,
  body: ConnectionChange,
  reply: ProviderConnection,
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
  reply: ProviderConnection,
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
    reply: pageSchema(ProviderEvent),
  },
)

export const downloadProviderEvents = csvEndpoint(listProviderEvents, {
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

/** A coupon of the provider, described as it describes it. */
export const Coupon = z.object({ id: z.string(), name: z.string() }).meta({ id: 'Coupon' })
export type Coupon = z.infer<typeof Coupon>

export const listCoupons = endpoint('listCoupons', 'GET /accounts/:id/payment-providers/:connectionId/coupons', {
  summary: 'List the provider’s coupons from which promotion codes can be made',
  allow: rights.own,
  inPerson: true,
  limit: apiLimit,
  subject: 'account',
  params: ConnectionParams,
  reply: z.object({ items: z.array(Coupon) }),
  transaction: 'own',
})

export const saveCodeRule = endpoint('saveCodeRule', 'PUT /accounts/:id/payment-providers/:connectionId/code-rule', {
  summary:
    'Make promotion codes for partners at the provider, after checking that the key may; null or no rules stop it',
  allow: rights.own,
  limit: apiLimit,
  subject: 'account',
  params: ConnectionParams,
  body: CodeRules,
  reply: ProviderConnection,
  transaction: 'own',
})
