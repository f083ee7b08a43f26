import { z } from 'zod'
import { csvEndpoint } from './csv.ts'
import { apiLimit, endpoint, rights } from './endpoint.ts'
import {
  anyOf,
  Id,
  IdParams,
  Instant,
  JsonObject,
  listQuery,
  optionalText,
  pageSchema,
  plainText,
  requiredText,
  trimmedText,
} from './values.ts'

export const incomingTargets = ['lead', 'sale', 'refund', 'lead-status'] as const
export const transforms = [
  'none',
  'trim',
  'lowercase',
  'number',
  'cents',
  'date',
  'day-first-date',
  'constant',
] as const

/**
 * Fields of each target, named as in the push calls. `fullName` is split at its first space; `refundedTotal` is all that
 * was refunded of a sale so far, of which the part not yet known is recorded.
 */
export const mappedFields = {
  lead: [
    'firstName',
    'lastName',
    'fullName',
    'email',
    'phone',
    'company',
    'externalId',
    'referralCode',
    'partnerId',
    'clickId',
  ],
  sale: [
    'externalId',
    'email',
    'leadExternalId',
    'leadId',
    'referralCode',
    'promotionCode',
    'amount',
    'grossAmount',
    'currency',
    'taxAmount',
    'shippingAmount',
    'saleDate',
    'subscriptionId',
    'description',
    'country',
    'productId',
    'priceId',
  ],
  refund: ['externalId', 'saleExternalId', 'amount', 'refundedTotal', 'reason'],
  'lead-status': ['leadExternalId', 'email', 'status', 'reason'],
} as const satisfies Record<(typeof incomingTargets)[number], readonly string[]>

const Path = requiredText(500)

/** Most texts of a field that are replaced. */
const MOST_REPLACED = 30

/**
 * The path of a field's value: `contact.email`, `items.0.name`, `fields[label=Email].value`, or a JSON pointer. In a rule
 * for each item of a list it starts at the item, or with `$.` at the payload. A `constant` is its `default`, whatever is
 * sent; otherwise the `default` is used if the path finds nothing. `values` replaces texts, in any letter case, such as
 * another system's stages.
 */
export const MappedField = z
  .strictObject({
    field: requiredText(50),
    path: Path.nullish(),
    transform: z.enum(transforms).default('none'),
    default: optionalText(1000).optional(),
    values: z
      .record(requiredText(200), requiredText(200))
      .refine((values) => Object.keys(values).length <= MOST_REPLACED, `Replace at most ${MOST_REPLACED} values`)
      .nullish(),
  })
  .refine(({ path, transform, default: fallback }) => (transform === 'constant' ? fallback : path), {
    path: ['path'],
    message: 'Enter a path, or a default for a constant',
  })
export type MappedField = z.infer<typeof MappedField>

export const partnerMatches = ['referralCode', 'email', 'id', 'clickId'] as const
export const PartnerMatch = z.strictObject({ by: z.enum(partnerMatches), path: Path })

const HEADER_NAME = /^[\w-]*$/
const headerName = (text: z.ZodString) =>
  text.refine((name) => HEADER_NAME.test(name), 'Use letters, digits and hyphens')

/** The parts of a signed text: the body, and beside it the time, the ID and the URL of the request. */
const PLACES = /\{(body|timestamp|id|url)\}/g

/** The templates of the texts that had names before there were templates. */
const namedTexts = {
  body: '{body}',
  'timestamp-dot-body': '{timestamp}.{body}',
  'timestamp-colon-body': '{timestamp}:{body}',
  'method-url-body-timestamp': 'POST{url}{body}{timestamp}',
} as const

/** Returns a signed text as a template; one that was saved by its name, or before there were others, too. */
export const toTemplate = (signed: string = 'body'): string =>
  Object.hasOwn(namedTexts, signed) ? namedTexts[signed as keyof typeof namedTexts] : signed

/** Whether a signed text contains the time or the ID of the request. */
export const isSigned = (signed: string | undefined, what: 'timestamp' | 'id') =>
  toTemplate(signed).includes(`{${what}}`)

const isTemplate = (signed: string) => {
  const template = toTemplate(signed)
  return template.split('{body}').length === 2 && !/[{}]/.test(template.replace(PLACES, ''))
}

export const layouts = ['single', 'named', 'spaced', 'listed'] as const
export const signingKeys = ['text', 'standard'] as const
type Placed = {
  signed?: string
  timestampHeader?: string | null | undefined
  layout?: (typeof layouts)[number] | undefined
}

/** Returns how a header is laid out; without a layout, a time without a header of its own is named beside the signature. */
export const getLayout = ({ signed, timestampHeader, layout }: Placed): (typeof layouts)[number] =>
  layout ?? (isSigned(signed, 'timestamp') && !timestampHeader ? 'named' : 'single')

/**
 * A signature in a header. `signed` is its input, a template of `{body}`, `{timestamp}`, `{id}` (in the `idHeader`) and
 * `{url}`; `body`, `timestamp-dot-body`, `timestamp-colon-body` and `method-url-body-timestamp` are accepted as well.
 * The time, in seconds or milliseconds, is in the `timestampHeader`, or without one where the `layout` of the signature's
 * header says. Layouts: `single`, a signature; `named`, as in `t=1700000000,v1=…`, where `prefix` marks the signatures;
 * `spaced`, as in `v1,… v1,…`; `listed`, the time and then the signatures, as in `1700000000,…,…`. Any one signature may
 * match. Times more than five minutes off are refused. With the `key` `standard`, the secret is base64, after `whsec_` or
 * not; its text is accepted too.
 */
const HeaderHmac = z
  .strictObject({
    type: z.literal('header-hmac'),
    header: headerName(requiredText(100)),
    algorithm: z.literal('sha256').default('sha256'),
    encoding: z.enum(['hex', 'base64']).default('hex'),
    prefix: optionalText(50).optional(),
    signed: requiredText(200)
      .refine(isTemplate, 'Use {body} once, and beside it {timestamp}, {id}, {url} and other text')
      .default('{body}'),
    layout: z.enum(layouts).optional(),
    timestampHeader: headerName(plainText(100)).nullish(),
    idHeader: headerName(plainText(100)).nullish(),
    key: z.enum(signingKeys).default('text'),
    secret: requiredText(500).optional(),
  })
  .refine(
    ({ prefix, ...auth }) => {
      const layout = getLayout(auth)
      const isBeside = layout === 'listed' || (layout === 'named' && prefix)
      return !isSigned(auth.signed, 'timestamp') || auth.timestampHeader || isBeside
    },
    {
      path: ['timestampHeader'],
      message:
        'Enter the timestamp’s header, or choose a layout that includes it, with a prefix such as v1= if its parts have names',
    },
  )
  .refine(({ signed, idHeader }) => !isSigned(signed, 'id') || idHeader, {
    path: ['idHeader'],
    message: 'Enter the header that has the ID',
  })

export const secretPlaces = ['header', 'field'] as const

/** A secret that the sender sends as it is: in a header, or in a field of the body, which is never stored. */
const SharedSecret = z
  .strictObject({
    type: z.literal('shared-secret'),
    in: z.enum(secretPlaces),
    name: requiredText(100),
    prefix: optionalText(50).optional(),
    secret: requiredText(500).optional(),
  })
  .refine(({ in: place, name }) => place === 'field' || HEADER_NAME.test(name), {
    path: ['name'],
    message: 'Use letters, digits and hyphens',
  })

/** A sender's authentication. Secrets are write-only; one left out of a change stays. */
export const IncomingAuth = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('url-secret') }),
  HeaderHmac,
  SharedSecret,
  z.strictObject({
    type: z.literal('basic'),
    username: requiredText(200),
    password: requiredText(500).optional(),
  }),
])
export type IncomingAuth = z.infer<typeof IncomingAuth>

/** A sender's authentication without the secret. */
const ShownAuth = z.discriminatedUnion('type', [
  z.object({ type: z.literal('url-secret') }),
  z.object({
    type: z.literal('header-hmac'),
    header: z.string(),
    algorithm: z.literal('sha256'),
    encoding: z.enum(['hex', 'base64']),
    prefix: z.string().nullable(),
    signed: z.string(),
    layout: z.enum(layouts),
    timestampHeader: z.string().nullable(),
    idHeader: z.string().nullable(),
    key: z.enum(signingKeys),
  }),
  z.object({
    type: z.literal('shared-secret'),
    in: z.enum(secretPlaces),
    name: z.string(),
    prefix: z.string().nullable(),
  }),
  z.object({ type: z.literal('basic'), username: z.string() }),
])

const ShownField = z.object({
  field: z.string(),
  path: z.string().nullable(),
  transform: z.enum(transforms),
  default: z.string().nullable(),
  values: z.record(z.string(), z.string()).nullable(),
})

/** Ignores deliveries with another value at `path`. */
export const IncomingFilter = z.strictObject({ path: Path, equals: plainText(500) })

export const conditionOps = ['is', 'is-not', 'exists', 'missing'] as const

/**
 * A condition of a rule, on the value at `path`: `is` one of the `values`, `is-not` any of them, `exists`, or is
 * `missing`, as null, empty texts, lists and objects are. Letter case and outer spaces don't count. `equals` alone is
 * `is` with one value.
 */
export const IncomingCondition = z.union([
  z
    .strictObject({
      path: Path,
      op: z.enum(conditionOps),
      values: z.array(plainText(500)).max(50, 'Use at most 50 values').default([]),
    })
    .refine(({ op, values }) => values.length > 0 || op === 'exists' || op === 'missing', {
      path: ['values'],
      message: 'Enter at least one value',
    }),
  IncomingFilter,
])
export type IncomingCondition = z.infer<typeof IncomingCondition>

const ShownCondition = z.object({ path: z.string(), op: z.enum(conditionOps), values: z.array(z.string()) })

const networks = [z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()]

/** A sender's IPv4 or IPv6 address, or a network in CIDR notation. */
export const AllowedIp = trimmedText(
  43,
  'Enter an IP address such as 203.0.113.7, or a range such as 203.0.113.0/24',
).refine(
  (value) => networks.some((network) => network.safeParse(value).success),
  'Enter an IP address such as 203.0.113.7, or a range such as 203.0.113.0/24',
)

/** Returns the header that tells duplicates, as in `header:webhook-id`; undefined for a path of the payload. */
export const headerInPath = (dedupePath: string | null) => /^header:([\w-]+)$/.exec(dedupePath ?? '')?.[1]

const Count = z.object({ processed: z.int(), ignored: z.int(), failed: z.int() })
/** Any JSON, shown as received but without apparent secrets. */
const Payload = z.unknown()

const Mapping = z.array(MappedField).max(50, 'Map at most 50 fields')

/**
 * One kind of record that deliveries make. It applies if all of `when` hold; with `each`, a path to a list or `$` for a
 * payload that is one, to each of its items in order, at most 200.
 */
export const IncomingRule = z.strictObject({
  name: requiredText(40),
  target: z.enum(incomingTargets),
  each: Path.nullable().default(null),
  when: z.array(IncomingCondition).max(10, 'Use at most 10 conditions').default([]),
  mapping: Mapping.default([]),
  partnerMatch: PartnerMatch.nullable().default(null),
})
export type IncomingRule = z.infer<typeof IncomingRule>

const ShownMatch = z.object({ by: z.enum(partnerMatches), path: z.string() }).nullable()

const ShownRule = z.object({
  name: z.string(),
  target: z.enum(incomingTargets),
  each: z.string().nullable(),
  when: z.array(ShownCondition),
  mapping: z.array(ShownField),
  partnerMatch: ShownMatch,
})

/** A whole number that may be an amount of either unit: 49 is 49.00, or 0.49. */
const UnitQuestion = z.object({ field: z.string(), path: z.string(), value: z.string() })

const Guess = z.object({ field: z.string(), path: z.string(), transform: z.enum(transforms) })

/** Maximum bytes of a payload's JSON in a list: a page of whole payloads could reach 25 MB. */
export const MOST_LISTED_BYTES = 4000

/**
 * An address that accepts leads, sales, refunds and lead statuses from another system, by its `rules`; `target`, `mapping`,
 * `partnerMatch` and `filters` are those of the first. API keys do not get its `url`.
 * `capturing`: there is no mapping yet, so deliveries are stored as samples. `counts` cover the last 24 hours.
 * `guesses` are likely paths of the first rule's fields in the latest sample, `guessesByRule` those of each in order; amounts whose unit
 * is a question are in `questionsByRule` instead. `allowedIps` are the addresses and networks deliveries are
 * accepted from; any if empty. `dedupePath` is the path of a value that tells duplicates, or a header such as
 * `header:webhook-id`. `lastPingAt`: when a sender last tested the URL, which delivers nothing.
 * `attention`: deliveries name an external ID (`value`) with different emails, so it is no ID of one person. In a list a `sample` of more than 4,000 bytes is null and has no `guesses`.
 */
export const IncomingWebhook = z
  .object({
    id: Id,
    accountId: Id,
    name: z.string(),
    sender: z.string().nullable(),
    target: z.enum(incomingTargets),
    url: z.string().nullable(),
    state: z.enum(['capturing', 'active', 'disabled']),
    enabled: z.boolean(),
    auth: ShownAuth,
    rules: z.array(ShownRule),
    mapping: z.array(ShownField),
    partnerMatch: ShownMatch,
    filters: z.array(z.object({ path: z.string(), equals: z.string() })),
    dedupePath: z.string().nullable(),
    allowedIps: z.array(z.string()),
    sample: Payload,
    guesses: z.array(Guess),
    guessesByRule: z.array(z.array(Guess)),
    questionsByRule: z.array(z.array(UnitQuestion)),
    lastReceivedAt: Instant.nullable(),
    lastPingAt: Instant.nullable(),
    attention: z.object({ reason: z.literal('same-id'), value: z.string(), since: Instant }).nullable(),
    counts: Count,
    createdAt: Instant,
    updatedAt: Instant,
  })
  .meta({ id: 'IncomingWebhook' })
export type IncomingWebhook = z.infer<typeof IncomingWebhook>

function haveOwnNames(rules: { name: string }[]) {
  return new Set(rules.map(({ name }) => name.toLowerCase())).size === rules.length
}

/** A rule's parts outside `rules` are those of the first one. */
const FIRST_RULE = ['target', 'mapping', 'partnerMatch', 'filters'] as const
const isGivenOnce = (given: { [part in 'rules' | (typeof FIRST_RULE)[number]]?: unknown }) =>
  given.rules === undefined || FIRST_RULE.every((part) => given[part] === undefined)
const ONCE = { path: ['rules'], message: 'Enter either rules, or the parts of the only one' }

/**
 * A known sender. `steps` are sentences that say what to do there, `open` the fields that depend on the owner's own form,
 * and `alternatives` rules for other uses.
 */
export const IncomingSender = z
  .object({
    sender: z.string(),
    name: z.string(),
    targets: z.array(z.enum(incomingTargets)),
    auth: ShownAuth,
    steps: z.array(z.string()),
    open: z.array(z.string()),
    alternatives: z.array(ShownRule),
  })
  .meta({ id: 'IncomingSender' })
export type IncomingSender = z.infer<typeof IncomingSender>

const changeable = {
  name: requiredText(40),
  auth: IncomingAuth,
  rules: z.array(IncomingRule).max(10, 'Use at most 10 rules').refine(haveOwnNames, 'Give each rule a name of its own'),
  mapping: Mapping,
  partnerMatch: PartnerMatch.nullable(),
  filters: z.array(IncomingFilter).max(10, 'Use at most 10 filters'),
  dedupePath: Path.nullable(),
  allowedIps: z.array(AllowedIp).max(50, 'Use at most 50 addresses'),
  enabled: z.boolean(),
}
/** The secret alone, where the sender says how it is used. */
const SecretAlone = z.strictObject({ secret: requiredText(500).optional() })

/**
 * A webhook to create. `sender` is a known one, from `GET …/incoming-webhooks/senders`, whose rules, Duplicate Key and
 * proof are copied; what is sent beside it is used instead.
 */
export const NewIncomingWebhook = z
  .strictObject({
    ...changeable,
    sender: requiredText(50).nullish(),
    rules: changeable.rules.optional(),
    target: z.enum(incomingTargets).optional(),
    auth: z.union([IncomingAuth, SecretAlone]).optional(),
    mapping: changeable.mapping.optional(),
    partnerMatch: changeable.partnerMatch.optional(),
    filters: changeable.filters.optional(),
    dedupePath: changeable.dedupePath.optional(),
    allowedIps: changeable.allowedIps.default([]),
    enabled: changeable.enabled.default(true),
  })
  .refine(isGivenOnce, ONCE)
  .refine(({ sender, rules, target }) => sender || rules || target, {
    path: ['target'],
    message: 'Enter a target, rules or a sender',
  })
  .refine(({ sender, auth }) => !auth || 'type' in auth || sender, {
    path: ['auth', 'type'],
    message: 'Enter how the sender proves itself',
  })
export type NewIncomingWebhook = z.infer<typeof NewIncomingWebhook>
export const IncomingWebhookChange = z.strictObject(changeable).partial().refine(isGivenOnce, ONCE)
export type IncomingWebhookChange = z.infer<typeof IncomingWebhookChange>

export const incomingStates = ['received', 'processed', 'ignored', 'failed', 'replayed'] as const

const recordTypes = ['lead', 'sale', 'refund'] as const
const made = z.object({ type: z.enum(recordTypes), id: Id })

export const recordStates = ['created', 'repeated', 'skipped', 'failed'] as const

/**
 * A record of a delivery, in order: made by the rule of this name, already known, skipped as there is nothing to record,
 * or failed. `reason` explains the last two.
 */
export const DeliveryRecord = z.object({
  rule: z.string(),
  type: z.enum(recordTypes),
  id: Id.nullable(),
  state: z.enum(recordStates),
  reason: z.string().nullable(),
})
export type DeliveryRecord = z.infer<typeof DeliveryRecord>

/**
 * One delivery. `reason` explains in words why it was ignored or failed, `fields` lists the mistake per field; `records`
 * are its results, `made` is the first that there is, and `warnings` are sentences about facts in it that contradict those known, `others` the leads
 * whose external ID it names with another email, which decided. Payloads are stored for 30 days, per webhook at most the latest 100 MB; in a list one of more than
 * 4,000 bytes is null. `payloadBytes` is its length, null if there is none.
 */
export const IncomingDelivery = z
  .object({
    id: Id,
    state: z.enum(incomingStates),
    payload: Payload,
    payloadBytes: z.int().nullable(),
    reason: z.string().nullable(),
    fields: z.record(z.string(), z.string()).nullable(),
    made: made.nullable(),
    records: z.array(DeliveryRecord),
    warnings: z.array(z.string()),
    others: z.array(z.object({ externalId: z.string(), leadId: Id })),
    receivedAt: Instant,
  })
  .meta({ id: 'IncomingDelivery' })
export type IncomingDelivery = z.infer<typeof IncomingDelivery>

/**
 * The result a delivery would have; nothing is stored. `values` are the fields as read by the first rule that applies, or
 * else by the first of all, and `made` is the first record.
 */
export const IncomingRehearsal = z
  .object({
    state: z.enum(['processed', 'ignored', 'failed']),
    reason: z.string().nullable(),
    fields: z.record(z.string(), z.string()).nullable(),
    values: z.record(z.string(), z.unknown()),
    made: z.object({ type: z.enum(recordTypes), created: z.boolean(), object: z.unknown() }).nullable(),
    records: z.array(DeliveryRecord.omit({ id: true }).extend({ object: z.unknown() })),
    warnings: z.array(z.string()),
  })
  .meta({ id: 'IncomingRehearsal' })
export type IncomingRehearsal = z.infer<typeof IncomingRehearsal>

const ofHook = { limit: apiLimit, subject: 'incoming-webhook', params: IdParams } as const
const ofAccount = { limit: apiLimit, subject: 'account', params: IdParams } as const

export const listIncomingWebhooks = endpoint('listIncomingWebhooks', 'GET /accounts/:id/incoming-webhooks', {
  ...ofAccount,
  allow: rights.read,
  summary: 'List an account’s incoming webhooks',
  fromReplica: true,
  query: listQuery({}, ['name']),
  reply: pageSchema(IncomingWebhook),
})

export const downloadIncomingWebhooks = csvEndpoint(listIncomingWebhooks, {
  summary: 'Download an account’s incoming webhooks, without their URLs',
  file: 'incoming-webhooks',
  fields: [
    ...['id', 'name', 'sender', 'target', 'state', 'enabled', 'lastReceivedAt'],
    ...['countsProcessed', 'countsIgnored', 'countsFailed', 'createdAt', 'updatedAt'],
  ],
})

export const listIncomingSenders = endpoint('listIncomingSenders', 'GET /accounts/:id/incoming-webhooks/senders', {
  ...ofAccount,
  allow: rights.read,
  summary: 'List the senders that are known, with what to do there',
  reply: z.object({ items: z.array(IncomingSender) }),
})

export const createIncomingWebhook = endpoint('createIncomingWebhook', 'POST /accounts/:id/incoming-webhooks', {
  ...ofAccount,
  allow: rights.earn,
  summary: 'Create an incoming webhook; without a mapping it captures samples',
  body: NewIncomingWebhook,
  status: 201,
  reply: IncomingWebhook,
})

export const getIncomingWebhook = endpoint('getIncomingWebhook', 'GET /incoming-webhooks/:id', {
  ...ofHook,
  allow: rights.read,
  summary: 'Retrieve an incoming webhook with its latest sample',
  reply: IncomingWebhook,
})

export const changeIncomingWebhook = endpoint('changeIncomingWebhook', 'PUT /incoming-webhooks/:id', {
  ...ofHook,
  allow: rights.earn,
  summary: 'Update an incoming webhook',
  body: IncomingWebhookChange,
  reply: IncomingWebhook,
})

export const deleteIncomingWebhook = endpoint('deleteIncomingWebhook', 'DELETE /incoming-webhooks/:id', {
  ...ofHook,
  allow: rights.earn,
  summary: 'Delete an incoming webhook; the leads, sales and refunds it created remain',
  status: 204,
})

export const rotateIncomingUrl = endpoint('rotateIncomingUrl', 'POST /incoming-webhooks/:id/secret', {
  ...ofHook,
  allow: rights.earn,
  summary: 'Replace the URL; the old one works for 24 more hours',
  reply: IncomingWebhook,
})

export const testIncomingWebhook = endpoint('testIncomingWebhook', 'POST /incoming-webhooks/:id/test', {
  ...ofHook,
  allow: rights.earn,
  summary: 'Preview the result of a payload; nothing is saved',
  body: z.strictObject({
    payload: z.union([JsonObject(256_000), z.array(z.unknown()).max(1000)]),
    rules: changeable.rules.optional(),
    mapping: changeable.mapping.optional(),
    partnerMatch: changeable.partnerMatch.optional(),
  }),
  maxBytes: 300_000,
  maxValues: 5000,
  reply: IncomingRehearsal,
})

export const listIncomingDeliveries = endpoint('listIncomingDeliveries', 'GET /incoming-webhooks/:id/deliveries', {
  ...ofHook,
  allow: rights.read,
  summary: 'List the deliveries of an incoming webhook',
  fromReplica: true,
  query: listQuery({ state: anyOf(incomingStates) }),
  reply: pageSchema(IncomingDelivery),
})

export const downloadIncomingDeliveries = csvEndpoint(listIncomingDeliveries, {
  summary: 'Download the deliveries of an incoming webhook, without payloads',
  file: 'deliveries',
})

const DeliveryParams = z.strictObject({ id: Id, deliveryId: Id })

export const getIncomingDelivery = endpoint(
  'getIncomingDelivery',
  'GET /incoming-webhooks/:id/deliveries/:deliveryId',
  {
    ...ofHook,
    allow: rights.read,
    summary: 'Retrieve a delivery with its full payload',
    params: DeliveryParams,
    reply: IncomingDelivery,
  },
)

export const replayDelivery = endpoint('replayDelivery', 'POST /incoming-webhooks/:id/deliveries/:deliveryId/replays', {
  ...ofHook,
  allow: rights.earn,
  summary: 'Retry a failed or ignored delivery',
  params: DeliveryParams,
  status: 202,
  reply: IncomingDelivery,
})

export const confirmSamePerson = endpoint(
  'confirmSamePerson',
  'POST /incoming-webhooks/:id/deliveries/:deliveryId/same-person',
  {
    ...ofHook,
    allow: rights.earn,
    summary: 'Say that a delivery is of the person whose external ID it names, who gets its email and its sale',
    params: DeliveryParams,
    status: 202,
    reply: IncomingDelivery,
  },
)

export const replayFailedDeliveries = endpoint('replayFailedDeliveries', 'POST /incoming-webhooks/:id/replays', {
  ...ofHook,
  allow: rights.earn,
  summary: 'Retry all failed deliveries',
  status: 202,
  reply: z.object({ count: z.int() }),
})
