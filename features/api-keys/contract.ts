import { z } from 'zod'
import { csvEndpoint } from '#contract/csv.ts'
import { apiLimit, endpoint, rights } from '#contract/endpoint.ts'
import type { Refusals } from '#contract/feature-parts.ts'
import { owner, ownerAlone, readableBy } from '#contract/field-readers.ts'
import { EnteredInstant, eachField, Id, Instant, listQuery, pageSchema, requiredText } from '#contract/values.ts'

export const apiKeyRights = ['push', 'read', 'partners', 'payouts', 'rewards'] as const
export const ApiKeyRight = z.enum(apiKeyRights)
export type ApiKeyRight = z.infer<typeof ApiKeyRight>

/** Most keys per account, including replaced keys that still work. */
export const MOST_KEYS = 20

/** Name of the key stored in the account's own `apiKey`; no other key can have it. */
export const PUSH_DATA = 'Push data'

/**
 * A key for the account's own systems. `push` allows the push calls, `read` every GET of the account that its owner may
 * make, without secrets, `partners` the calls that name it: partners with their names, codes and invitations, never what
 * they earn or are paid, `payouts` the call that names it: approved payouts are marked as paid, and nothing
 * else, `rewards` those that list what customers are given and acknowledge it.
 * `lastUsedAt` is exact to the minute. `replacedBy` is the key's successor: this one works until
 * `expiresAt`. `createdBy`, the person who created or last rotated the key, is returned to owners only; null if unknown.
 */
export const ApiKey = z
  .object({
    id: Id,
    name: z.string(),
    rights: z.array(ApiKeyRight),
    lastFour: z.string(),
    lastUsedAt: Instant.nullable(),
    createdAt: Instant,
    expiresAt: Instant.nullable(),
    replacedBy: Id.nullable(),
    createdBy: z.object({ userId: Id, name: z.string() }).nullable(),
  })
  .meta({ id: 'ApiKey' })
export type ApiKey = z.infer<typeof ApiKey>

/** `key` is returned only here. */
export const ApiKeyWithKey = ApiKey.extend({ key: z.string() }).meta({ id: 'ApiKeyWithKey' })

export const readers = [
  readableBy(ApiKey, {
    id: owner,
    name: owner,
    rights: owner,
    lastFour: owner,
    lastUsedAt: owner,
    createdAt: owner,
    expiresAt: owner,
    replacedBy: owner,
    createdBy: ownerAlone,
  }),
  readableBy(ApiKeyWithKey, eachField(ApiKeyWithKey.shape, ownerAlone)),
]

export const NewApiKey = z.strictObject({
  name: requiredText(40),
  rights: z
    .array(ApiKeyRight)
    .min(1, 'Choose at least one right')
    .transform((rights) => apiKeyRights.filter((right) => rights.includes(right))),
  expiresAt: EnteredInstant.nullish(),
})
export type NewApiKey = z.infer<typeof NewApiKey>

const KeyParams = z.strictObject({ id: Id, keyId: Id })

export const listApiKeys = endpoint('listApiKeys', 'GET /accounts/:id/api-keys', {
  summary: 'List the account’s API keys',
  allow: rights.read,
  limit: apiLimit,
  subject: 'account',
  query: listQuery({}, ['name']),
  reply: pageSchema(ApiKey),
})

export const downloadApiKeys = csvEndpoint(listApiKeys, {
  summary: 'Download all API keys, without the keys themselves',
  file: 'api-keys',
})

export const createApiKey = endpoint('createApiKey', 'POST /accounts/:id/api-keys', {
  summary: 'Create an API key; only this response contains it',
  allow: rights.own,
  freshProof: true,
  limit: apiLimit,
  subject: 'account',
  body: NewApiKey,
  status: 201,
  reply: ApiKeyWithKey,
})

export const rotateApiKey = endpoint('rotateApiKey', 'POST /accounts/:id/api-keys/:keyId/rotations', {
  summary: 'Replace an API key with a new one of the same name and rights; the old one works for 24 more hours',
  allow: rights.own,
  freshProof: true,
  limit: apiLimit,
  subject: 'account',
  params: KeyParams,
  status: 201,
  reply: ApiKeyWithKey,
})

export const deleteApiKey = endpoint('deleteApiKey', 'DELETE /accounts/:id/api-keys/:keyId', {
  summary: 'Delete an API key; it stops working immediately',
  allow: rights.own,
  limit: apiLimit,
  subject: 'account',
  params: KeyParams,
  status: 204,
})

export const refusals = {
  api_key_name_taken: ['duplicate', 'Another API key already has this name.'],
  too_many_api_keys: ['invalid_state', 'An account can have at most {{max}} API keys. Delete one first.'],
  api_key_expired: ['invalid_state', 'This API key has expired. Create a new one.'],
  api_key_replaced: ['invalid_state', 'This API key has already been replaced. Rotate the new one.'],
} as const satisfies Refusals

/** Its actions in the activity, each with its kind of object. */
export const recordedEvents = {
  'api-key.created': 'api-key',
  'api-key.rotated': 'api-key',
  'api-key.narrowed': 'api-key',
  'api-key.deleted': 'api-key',
} as const

/** In the reference its calls follow those of this group. */
export const listedAfter = 'rehearsals'
