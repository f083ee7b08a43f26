import { z } from 'zod'
import { apiLimit, endpoint } from './endpoint.ts'
import { Id, IdParams, Instant, JsonObject, listOf, listQuery, optionalName } from './values.ts'

/** `accountName` is the account's display name. */
export const Role = z
  .discriminatedUnion('type', [
    z.object({ type: z.literal('admin') }),
    z.object({ type: z.literal('account-owner'), accountId: Id, accountName: z.string() }),
    z.object({ type: z.literal('partner'), partnerId: Id, accountId: Id, accountName: z.string() }),
  ])
  .meta({ id: 'Role' })
export type Role = z.infer<typeof Role>

export const User = z
  .object({
    id: Id,
    email: z.string(),
    firstName: z.string().nullable(),
    lastName: z.string().nullable(),
    roles: z.array(Role),
    createdAt: Instant,
    updatedAt: Instant,
  })
  .meta({ id: 'User' })
export type User = z.infer<typeof User>

/** The callers themselves: only they read their preferences; `environment` is the kind of install they are signed in to. */
export const Me = User.extend({
  preferences: z.record(z.string(), z.unknown()),
  environment: z.enum(['local', 'staging', 'production']),
}).meta({ id: 'Me' })
export type Me = z.infer<typeof Me>

/** Most bytes of a user's preferences, all keys together. */
export const MOST_PREFERENCES = 16_384

/** Each key of `preferences` is set by itself and what is not named stays; null takes a key away. */
export const MeChange = z.strictObject({
  firstName: optionalName(100).optional(),
  lastName: optionalName(100).optional(),
  preferences: JsonObject(MOST_PREFERENCES).optional(),
})
export type MeChange = z.infer<typeof MeChange>

export const UserSession = z
  .object({
    id: Id,
    createdAt: Instant,
    lastUsedAt: Instant,
    userAgent: z.string().nullable(),
    address: z.string().nullable(),
    current: z.boolean(),
  })
  .meta({ id: 'UserSession' })
export type UserSession = z.infer<typeof UserSession>

export const getMe = endpoint({
  name: 'getMe',
  method: 'GET',
  path: '/users/me',
  summary: 'Retrieve the signed-in user with all their roles',
  allow: ['user'],
  limit: apiLimit,
  reply: Me,
})

export const changeMe = endpoint({
  name: 'changeMe',
  method: 'PATCH',
  path: '/users/me',
  summary: 'Update the name, and preferences key by key',
  allow: ['user'],
  limit: apiLimit,
  maxValues: 10_000,
  body: MeChange,
  reply: Me,
})

export const listMySessions = endpoint({
  name: 'listMySessions',
  method: 'GET',
  path: '/users/me/sessions',
  summary: 'List the sessions in which the user is signed in',
  allow: ['user'],
  limit: apiLimit,
  query: listQuery({}),
  reply: listOf(UserSession),
})

export const endOtherSessions = endpoint({
  name: 'endOtherSessions',
  method: 'DELETE',
  path: '/users/me/sessions',
  summary: 'Sign out of every other session',
  allow: ['user'],
  limit: apiLimit,
  status: 204,
})

export const endSession = endpoint({
  name: 'endSession',
  method: 'DELETE',
  path: '/users/me/sessions/:id',
  summary: 'End one session',
  allow: ['user'],
  limit: apiLimit,
  params: IdParams,
  status: 204,
})
