import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest, onSendHookHandler } from 'fastify'
import { z } from 'zod'
import { apiLimit, type Endpoint, isReadByKey, type Caller as Role, type TeamRole } from '#contract/endpoint.ts'
import type { Reader } from '#contract/field-readers.ts'
import { unknownFields } from '#contract/fields.ts'
import { type Language, withLanguage } from '#contract/language.ts'
import { refusals } from '#contract/refusals.ts'
import { type Author, apiKeyAuthor, portalAuthor, system, toOrigin, userAuthor } from '../../platform/author.ts'
import { createFairSemaphore, createShares, type InTurn, type Shares } from '../../platform/database/fair-semaphore.ts'
import { createLookUp } from '../../platform/database/look-up.ts'
import { type Database, type Queryable, type Transaction, tooBusy, transaction } from '../../platform/database/pool.ts'
import { type Secrets, tokenHash } from '../../platform/database/secrets.ts'
import { addLanguageHeaders } from '../../platform/http/errors.ts'
import { createIdempotency, type Idempotency, type StoredAnswer } from '../../platform/http/idempotency.ts'
import { createLimits, limitRoutes, type NamedLimit } from '../../platform/http/limits.ts'
import { parseValue, toRefusal } from '../../platform/http/parse.ts'
import { HttpReply } from '../../platform/http/reply.ts'
import { isForeign, type RequestDomain } from '../../platform/http/request-domain.ts'
import type { Shell } from '../../platform/http/shell.ts'
import { namedLanguage } from '../../platform/languages.ts'
import { notFound, refusal } from '../../platform/refusal.ts'
import type { Services } from '../../platform/services.ts'
import { spanOfWork } from '../../platform/work-context.ts'
import {
  type Access,
  accountDisabled,
  identifyCaller,
  lacksFactor,
  type Roles,
  refuseInactive,
  requireRole,
  resolveAccess,
} from './access.ts'
import { type Actor, findActor, isFresh } from './actor.ts'
import { createKeyUse, KEY_PREFIX, type KeyUse, type KnownKey, keysByHash } from './keys-by-hash.ts'
import { disabledInPortal, findPortalSession, PORTAL_PREFIX, type PortalSession } from './portal-session.ts'
import { readAsMarked } from './read-as-marked.ts'
import { type FieldReader, visibleFields } from './visible-fields.ts'

/** Argument of a handler. Writing calls get a transaction that also stores the idempotent answer. */
export type Call<E extends Endpoint, Db> = {
  db: Db
  services: Services
  /** Null for public calls, for calls with their own kind of token, and when an API key reads. */
  actor: Actor
  /** The caller's relation to the object that the path names; null if the endpoint has no subject. */
  access: Access
  /** Author of the changes that the call makes. */
  by: Author
  /** The reader of the answer. */
  reader: FieldReader
  /** A program calls, for the account or for a person. */
  byProgram: boolean
  /** The key that makes the call, or the portal session, if one does. */
  key: KnownKey | undefined
  portal: PortalSession | undefined
  params: z.output<NonNullable<E['params']>>
  query: z.output<NonNullable<E['query']>>
  body: z.output<NonNullable<E['body']>>
  /** The unparsed body. */
  sent: unknown
  /** The raw bearer token, for calls authorized by a link or another key. */
  token: string
  request: RequestFacts
  /** For `group` calls only: the handler stores its answer itself, in the group's transaction. */
  idempotency: Idempotency | undefined
}

export type RequestFacts = {
  id: string
  address: string
  host: string
  /** The account's own host to which the call was sent. */
  ownHost: RequestDomain | undefined
  userAgent: string | null
  authorization: string
  accept: string | undefined
  /** The language of the texts in the answer. */
  language: Language
  /** The language that the caller names; null without one that is spoken here. */
  namedLanguage: Language | null
  /** The language in which the caller wants texts of an owner; null for those as they were written. */
  prefers: Language | null
}

export function requestFacts({ id, ip, headers, ownHost }: FastifyRequest): RequestFacts {
  const named = namedLanguage(headers['accept-language'])
  const language = named ?? 'en'
  return {
    id,
    address: ip,
    host: headers.host ?? '',
    ownHost,
    userAgent: headers['user-agent'] ?? null,
    authorization: headers.authorization ?? '',
    accept: headers.accept,
    language,
    namedLanguage: named,
    prefers: headers['accept-language'] ? language : null,
  }
}

type Asked = { params: unknown; query: unknown; body: unknown }

/** A call by a program with a user's own token: under the call's policy, handled by the same code. */
type Reading = (actor: Actor, asked: Asked, from: RequestFacts) => Promise<HttpReply>

declare module 'fastify' {
  interface FastifyRequest {
    /** Set before the body is read, for calls of the contract. */
    caller: Caller
  }
}

/** The application on which rooms register their routes. */
export type App = Shell & {
  /** Finds a valid API key by its hash in base64. */
  keyOf(hash: string): Promise<KnownKey | undefined>
  keyUse: KeyUse
  /** Reading calls by name. */
  readings: Map<string, Reading>
  /** Waits for the account's turn before work that writes for it and occupies a database connection. */
  inTurn: InTurn
  /** Places for large bodies, shared by callers: each is in memory as a whole. */
  largeBodies: Shares
  /** Called with every answer to an account's own systems before it is sent, also of calls registered earlier. */
  onPushAnswer: PushAnswerListener[]
}

type PushAnswerListener = (request: FastifyRequest, reply: FastifyReply, payload: unknown) => void

/** Longest wait of a call for its account's turn, in milliseconds. */
const TURN_MS = 10_000

/** Bytes from which a body is large, and most large bodies at once: a single caller gets half of them. */
export const LARGE_BYTES = 3_000_000
export const MOST_LARGE = 8

export function createAppShell(fastify: FastifyInstance, services: Services): App {
  const limits = createLimits(services.config.rateLimitFactor)
  limitRoutes(fastify, limits)
  fastify.decorateRequest('caller')
  const keyUse = createKeyUse(services)
  fastify.addHook('onClose', () => keyUse.close())
  return {
    fastify,
    services,
    limits,
    endpoints: [],
    keyOf: createLookUp((hashes) => keysByHash(services.db, hashes)),
    keyUse,
    readings: new Map(),
    // the other half of the connections serves reads, clicks, pushed sales and jobs
    inTurn: createFairSemaphore({ places: services.db.pool.options.max / 2, waiting: 1000, patienceMs: TURN_MS }),
    largeBodies: createShares(MOST_LARGE),
    onPushAnswer: [],
  }
}

type Handler<E extends Endpoint> = (
  call: Call<E, E extends { method: 'GET' } ? Queryable : Transaction>,
) => Promise<z.input<NonNullable<E['reply']>> | HttpReply | undefined>

/** Limit of calls with unknown tokens: guesses, and sessions that have ended. */
const STRANGERS: NamedLimit = { name: 'strangers', perMinute: 300, by: 'network' }
/**
 * Limit above which new tokens of a network are no longer looked up; a misconfigured client in the same network stays
 * below it.
 */
const FLOOD: NamedLimit = { ...STRANGERS, perMinute: 3000 }
const bearer = (request: FastifyRequest) =>
  /^Bearer ([\x21-\x7e]{1,512})$/i.exec(request.headers.authorization ?? '')?.[1]

/** Registers an endpoint of the contract: policy, limits, validation, transaction, idempotency and answer shape included. */
export function route<E extends Endpoint>(app: App, endpoint: E, handle: Handler<E>) {
  register(app, endpoint, handle as never)
}

/** Like `route`, for calls that ask a provider first or commit in a group: their handler opens its own transactions. */
export function routeOwn<E extends Endpoint>(
  app: App,
  endpoint: E,
  handle: (call: Call<E, Database>) => Promise<z.input<NonNullable<E['reply']>> | HttpReply | undefined>,
) {
  if (!endpoint.transaction) throw new Error(`${endpoint.name} does not say that it opens its own transactions`)
  register(app, endpoint, handle as never)
}

function register(app: App, endpoint: Endpoint, handle: (call: Call<Endpoint, never>) => Promise<unknown>) {
  if (!endpoint.allow?.length) throw new Error(`${endpoint.name} declares no policy`)
  if (!endpoint.limit) throw new Error(`${endpoint.name} declares no limit`)
  const limit: NamedLimit = { name: endpoint.name, ...endpoint.limit }
  if (endpoint.subject && !endpoint.path.includes('/:id')) throw new Error(`${endpoint.name} has a subject but no :id`)
  const { fastify, services } = app
  const { config, db } = services
  const writing = endpoint.method !== 'GET'
  app.endpoints.push(endpoint)

  /** Runs a call for a caller who has passed its policy. */
  async function carryOut(caller: Caller, access: Access, asked: Asked, from: RequestFacts, keyed?: Idempotency) {
    if (access) spanOfWork()?.note({ 'tributary.account_id': access.account.id })
    const teamRole = access?.teamRole
    if (teamRole) requireFields(endpoint, caller.key ? 'partners' : teamRole, asked.body)
    const query = endpoint.query ? parseValue(endpoint.query, asked.query, 'query') : {}
    const body = endpoint.body ? parseValue(endpoint.body, asked.body ?? {}, 'body') : refuseBody(asked.body)
    if (teamRole && endpoint.allowOf && !endpoint.allowOf({ query, body } as never).includes(teamRole))
      throw refusal('role_not_allowed')
    const reader = readerOf(endpoint, access, caller)
    const call = {
      services,
      actor: caller.actor,
      access: access?.partnerId && !endpoint.produces ? { ...access, language: from.language } : access,
      by: byCaller(caller, from),
      reader,
      byProgram: caller.isProgram === true,
      key: caller.key,
      portal: caller.portal,
      params: asked.params,
      query,
      body,
      sent: asked.body,
      token: caller.token ?? '',
      request: from,
      idempotency: endpoint.transaction === 'group' ? keyed : undefined,
    }
    const run = async (db: Queryable) => {
      const result = await handle({ ...call, db } as never)
      const answer = withLanguage(from.language, () => toAnswer(endpoint, reader, result))
      await refuseInactive(db, endpoint, access, { lock: true })
      return answer
    }

    const work = () => {
      if (!writing) return readAsMarked(services, endpoint, access?.account.id, run)
      if (endpoint.transaction === 'group') return run(db)
      return endpoint.transaction === 'own' ? runOwn(db, keyed, run) : runInTransaction(db, keyed, run)
    }
    // a call without its own transaction uses no connection while it waits
    const holds = writing && (endpoint.transaction === undefined || (endpoint.transaction === 'group' && keyed))
    return access && holds ? app.inTurn(access.account.id, work) : work()
  }

  fastify.route({
    method: endpoint.method,
    url: `/api/v1${endpoint.path}`,
    bodyLimit: endpoint.maxBytes ?? 256_000,
    config: { policy: endpoint.allow, limit, countsItself: true, maxValues: endpoint.maxValues },
    // before the body is read: a refused call's body is never parsed
    async onRequest(request, reply) {
      if (endpoint.fromAnyPage)
        reply.header('access-control-allow-origin', '*').header('cross-origin-resource-policy', 'cross-origin')
      request.caller = await identify(app, endpoint, limit, request, reply)
      if (isLarge(endpoint, request)) holdLarge(app, request, reply)
    },
    ...(endpoint.allow.includes('push') && { onSend: showAnswer(app) }),
    async handler(request, reply) {
      const { caller } = request
      const params = parseParams(endpoint.params, request.params)
      const keyedAs = (as?: Role) =>
        writing && caller.name ? idempotencyOf(services.secrets, endpoint, request, caller.name, as) : undefined
      const access = await accessOf(services, endpoint, caller, params).catch(async (refusal) => {
        const first = keyedAs()
        const gone = first && (await transaction(db, (tx) => first.begin(tx)))
        // deleted by this very call: its answer has no body, so it reveals nothing to a caller who has lost access
        // since
        if (gone?.status === 204) return replayReply(gone)
        throw refusal
      })
      if (access instanceof HttpReply) return send(reply, access)
      if (limit.by === 'subject') app.limits.check(reply, limit, access!.subjectId)
      if (limit.by === 'account') app.limits.check(reply, limit, access!.account.id)
      const { query, body } = request
      const from = requestFacts(request)
      addLanguageHeaders(reply, from.language)
      return send(
        reply,
        await carryOut(
          caller,
          access,
          { params, query, body },
          from,
          keyedAs(access ? identifyCaller(access) : undefined),
        ),
      )
    },
  })
  if (!writing || endpoint.writesNothing)
    app.readings.set(endpoint.name, async (actor, asked, from) => {
      const caller: Caller = { actor, roles: actor, isProgram: true }
      requireRole(endpoint, actor)
      const params = parseParams(endpoint.params, asked.params)
      return carryOut(caller, await accessOf(services, endpoint, caller, params), { ...asked, params }, from)
    })
  if (config.logLevel === 'trace') services.log.trace({ endpoint: endpoint.name }, 'registered')
}

const showAnswer =
  ({ onPushAnswer }: App): onSendHookHandler =>
  (request, reply, payload, done) => {
    for (const look of onPushAnswer) look(request, reply, payload)
    done(null, payload)
  }

async function runInTransaction(
  db: Database,
  keyed: Idempotency | undefined,
  run: (tx: Transaction) => Promise<HttpReply>,
): Promise<HttpReply> {
  return transaction(db, async (tx) => {
    const known = await keyed?.begin(tx)
    if (known) return replayReply(known)
    const answer = await run(tx)
    await keyed?.finish(tx, answer)
    return answer
  })
}

async function runOwn(db: Database, keyed: Idempotency | undefined, run: (db: Database) => Promise<HttpReply>) {
  if (!keyed) return run(db)
  const known = await transaction(db, (tx) => keyed.reserve(tx))
  if (known) return replayReply(known)
  try {
    const answer = await run(db)
    await transaction(db, (tx) => keyed.finish(tx, answer))
    return answer
  } catch (error) {
    await transaction(db, (tx) => keyed.release(tx))
    throw error
  }
}

export const replayReply = ({ status, body, headers }: StoredAnswer) =>
  new HttpReply(status, body, { ...headers, 'idempotency-replayed': 'true' })

type Caller = {
  /** Null: a public call, a link's bearer or an API key. */
  actor: Actor | null
  /** Roles of the signed-in person, or of the owner whose key reads. */
  roles?: Roles
  access?: Access
  token?: string
  name?: string
  key?: KnownKey
  portal?: PortalSession
  /** True for a program acting for a person, who has not shared their secrets with it. */
  isProgram?: boolean
}

/**
 * Identifies the caller: by session, by an account's API key, by a portal session, or by a token that the handler itself
 * reads. Calls count by token only if it is known; unknown tokens count by network.
 */
async function identify(
  app: App,
  endpoint: Endpoint,
  limit: NamedLimit,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Caller> {
  const { limits } = app
  const { allow } = endpoint
  const token = bearer(request)
  if (limit.by === 'network') limits.check(reply, limit, request.ip)
  const { overall } = endpoint.limit
  if (overall) limits.check(reply, { name: `${limit.name}-all`, perMinute: overall, by: 'everyone' }, 'all')
  if (endpoint.onlyAtAppUrl && request.ownHost) throw onlyAtAppUrl(app)
  if (allow.includes('public')) return { actor: null, token }

  let why = unauthenticated()
  // a stranger to the subject, who may not make the call, is counted too
  const byToken = limit.by === 'subject' || limit.by === 'account' ? apiLimit : limit
  const caller = await countByToken(app, byToken, request, reply, async (token, hash) => {
    if (!token.startsWith(PORTAL_PREFIX)) return findCaller(app, endpoint, request, token, hash)
    const found = await findPortalSession(app.services.db, token)
    if (found && isForeign(request.ownHost, found.accountId)) return undefined
    if (found?.isOpen) return callerInPortal(found, token)
    const { db, config } = app.services
    if (found) why = found.isDisabled ? await disabledInPortal(db, config) : refusal('portal_ended')
    return undefined
  })
  if (!caller) {
    if (token && allow.includes('link')) return { actor: null, token }
    throw why
  }
  if (limit.by === 'user') limits.check(reply, limit, caller.name!)
  if (caller.portal && !endpoint.inPortal) throw refusal('not_in_portal')
  if (caller.key) requireRight(endpoint, caller.key)
  if (caller.access?.account.disabledAt) throw accountDisabled()
  if (endpoint.onlyAtAppUrl && caller.actor?.onlyAccountId) throw onlyAtAppUrl(app)
  if (caller.roles) requireRole(openTo(endpoint, caller), caller.roles)
  if (endpoint.freshProof && caller.actor && !isFresh(caller.actor, app.services.db.now))
    throw refusal('password_first')
  return caller
}

/** Whether the body is large by its announced size, or may be. */
const isLarge = ({ maxBytes = 0 }: Endpoint, { headers }: FastifyRequest) =>
  Math.min(maxBytes, Number(headers['content-length'] ?? maxBytes)) >= LARGE_BYTES

/** Takes a place for a large body until the call is over. Refuses: `unavailable` if the caller's places are taken. */
function holdLarge({ largeBodies }: App, { raw, caller: { name = '' } }: FastifyRequest, reply: FastifyReply) {
  if (raw.destroyed || !largeBodies.take(name)) throw tooBusy()
  reply.raw.once('close', () => largeBodies.give(name))
}

/** Counts the call by its token if `find` returns a match, else by its network. Returns the match. */
export async function countByToken<Found>(
  { limits }: App,
  limit: NamedLimit,
  request: FastifyRequest,
  reply: FastifyReply,
  find: (token: string, hash: string) => Promise<Found | undefined>,
): Promise<Found | undefined> {
  const token = bearer(request)
  const hash = token ? tokenHash(token).toString('base64') : ''
  const isCounted = limit.by === 'token' && limits.counts(limit, hash)
  if (isCounted) limits.check(reply, limit, hash)
  else limits.refuseSpent(reply, FLOOD, request.ip)
  const found = token ? await find(token, hash) : undefined
  if (!found) limits.check(reply, STRANGERS, request.ip)
  else if (limit.by === 'token' && !isCounted) limits.check(reply, limit, hash)
  return found
}

/** Returns the token's owner, if they may make such calls at all. */
async function findCaller(
  app: App,
  { allow }: Endpoint,
  request: FastifyRequest,
  token: string,
  hash: string,
): Promise<Caller | undefined> {
  // calls open to a link's bearer check any token that is not a session's themselves
  const isKey = allow.includes('push') || (token.startsWith(KEY_PREFIX) && !allow.includes('link'))
  const key = isKey ? await app.keyOf(hash) : undefined
  if (key) return isForeign(request.ownHost, key.account.id) ? undefined : callerByKey(app, allow, token, key)
  if (allow.includes('push')) return undefined
  const actor = await findActor(app.services.db, token, request.ownHost?.accountId)
  const from = toOrigin({ address: request.ip, id: request.id })
  // what a session of one account may repeat is never the answer to another session of the person
  const within = actor?.onlyAccountId ? `@${actor.onlyAccountId}` : ''
  return actor && { actor: { ...actor, from }, roles: actor, token, name: `user:${actor.userId}${within}` }
}

const onlyAtAppUrl = ({ services: { config } }: App) => refusal('only_at_app_url', { url: config.appUrl })

/** Returns the caller in a portal session: a member of the partner who is no user. */
const callerInPortal = (portal: PortalSession, token: string): Caller => ({
  actor: null,
  portal,
  token,
  name: `portal:${portal.id}`,
  roles: {
    isAdmin: false,
    teamRoles: {},
    partnerRoles: { [portal.partnerId]: 'member' },
    partnerAccountIds: [portal.accountId],
  },
})

/**
 * Returns the call as it is open to this caller: in a portal to the partner's members, not to partners above; to a key
 * also what only its right allows, as if the owner called.
 */
function openTo(endpoint: Endpoint, { key, portal }: Caller): Endpoint {
  if (portal) return { ...endpoint, allow: ['partner-member'] }
  return key && rightNamedBy(endpoint) ? { ...endpoint, allow: [...endpoint.allow, 'owner'] } : endpoint
}

/** Rights of API keys that their calls name, and the refusal of other keys. */
const namedRights = {
  partners: 'api_key_may_not_manage_partners',
  payouts: 'api_key_may_not_mark_paid',
  rewards: 'api_key_may_not_acknowledge',
} as const

const rightNamedBy = ({ allow }: Endpoint) =>
  (['partners', 'payouts', 'rewards'] as const).find((right) => allow.includes(right))

/** Returns the caller for an account's own systems: pushing, or reading as its owner. */
function callerByKey({ keyUse }: App, allow: Endpoint['allow'], token: string, key: KnownKey): Caller {
  keyUse.note(key)
  const { id, account } = key
  const caller = { actor: null, token, name: `api-key:${id}`, key, isProgram: true }
  if (!allow.includes('push'))
    return {
      ...caller,
      roles: { isAdmin: false, teamRoles: { [account.id]: 'owner' }, partnerRoles: {}, partnerAccountIds: [] },
    }
  return { ...caller, access: { as: 'push', account, subjectId: account.id, partnerId: null } }
}

function requireRight(endpoint: Endpoint, { rights }: KnownKey) {
  const { method, allow } = endpoint
  if (allow.includes('push')) {
    if (!rights.includes('push')) throw refusal('api_key_may_not_push')
    return
  }
  const named = rightNamedBy(endpoint)
  if (named) {
    if (rights.includes(named)) return
    if (method !== 'GET') throw refusal(namedRights[named])
  }
  if (method !== 'GET') throw refusal('api_key_may_not_write')
  if (!isReadByKey(endpoint)) throw refusal('api_key_may_not_call')
  if (!rights.includes('read')) throw refusal('api_key_may_not_read')
}

/** Refuses: `field_not_yours` or `field_not_for_keys`, with the fields of the body that this caller may not write. */
function requireFields({ writable, body: schema }: Endpoint, caller: TeamRole | 'partners', body: unknown) {
  const own = writable?.[caller]
  const known = schema instanceof z.ZodObject ? Object.keys(schema.shape) : []
  const others = own ? known.filter((field) => field in ((body ?? {}) as object) && !own.includes(field)) : []
  if (others.length === 0) return
  const reason = caller === 'partners' ? 'field_not_for_keys' : 'field_not_yours'
  const [, sentence] = refusals[reason]
  throw refusal(reason, { fields: Object.fromEntries(others.map((field) => [field, sentence])) })
}

function byCaller({ actor, key, portal }: Caller, from: RequestFacts): Author {
  if (portal) return portalAuthor(portal.keyId, from)
  return key ? apiKeyAuthor(key.id, from) : actor ? userAuthor(actor) : system
}

const unauthenticated = () => refusal('sign_in_first')

async function accessOf({ db, config }: Services, endpoint: Endpoint, caller: Caller, params: unknown) {
  if (caller.access) return caller.access
  const { actor } = caller
  const requireFactor = (access: Access | null) => {
    if (!actor || !lacksFactor(config.requireSecondFactor, endpoint, actor, access)) return access
    if (!endpoint.whileFactorMissing) throw refusal('second_factor_missing')
    return access && { ...access, factorMissing: true as const }
  }
  if (!endpoint.subject) return requireFactor(null) as never
  const { id = '' } = params as { id?: string }
  const access = requireFactor(await resolveAccess(db, openTo(endpoint, caller), caller.roles!, id))!
  await refuseInactive(db, endpoint, access)
  if (caller.portal) return { ...access, inPortal: true as const }
  return caller.key ? { ...access, byKey: true as const } : access
}

/** Includes the role: a response is shaped for one role, so another role of the same caller must not get it. */
function idempotencyOf(
  secrets: Secrets,
  endpoint: Endpoint,
  request: FastifyRequest,
  caller: string,
  as: Role | undefined,
) {
  const key = request.headers['idempotency-key']
  if (key === undefined || endpoint.path.startsWith('/auth/')) return undefined
  if (typeof key !== 'string' || !/^[\x20-\x7e]{1,255}$/.test(key)) throw refusal('idempotency_key_invalid')
  const role = endpoint.reply && endpoint.allow.length > 1 ? as : undefined
  return createIdempotency(secrets, caller, `${request.method} ${request.url.split('?')[0]}`, key, request.body, role)
}

/** Parses the path's parameters; a malformed id gets the same 404 as an unknown one. */
function parseParams(schema: z.ZodType | undefined, value: unknown) {
  if (!schema) return {}
  const result = schema.safeParse(value)
  if (result.success) return result.data
  throw notFound()
}

function refuseBody(body: unknown) {
  if (body == null || (typeof body === 'object' && Object.keys(body).length === 0)) return undefined
  if (Array.isArray(body) || typeof body !== 'object') throw refusal('body_not_accepted')
  throw toRefusal({ ...unknownFields(Object.keys(body)), whole: 'This call doesn’t accept a body' })
}

/**
 * Returns the reader; if the path names no object, the call's policy decides. Programs read as the person they act for,
 * without secrets, and so does a session that lacks a required second factor.
 */
function readerOf({ allow }: Endpoint, access: Access | null, { isProgram: byProgram = false }: Caller): FieldReader {
  const isProgram = byProgram || access?.factorMissing
  const ofAdmins = allow.every((caller) => caller === 'admin')
  const as = access ? access.as : ofAdmins ? 'admin' : null
  const partnerId = access?.partnerId ?? null
  if (as === 'owner') return { as: readerInTeam(access?.teamRole, Boolean(isProgram)), partnerId }
  if (as === 'push' || (isProgram && as === 'admin')) return { as: 'key', partnerId }
  if (access?.inPortal) return { as: 'portal', partnerId }
  if (access?.partnerRole === 'member') return { as: 'partner-member', partnerId }
  return { as, partnerId }
}

/**
 * A program reads nothing that would give it more rights; finance reads like a program, and so does a viewer, without
 * bank details.
 */
function readerInTeam(role: TeamRole | undefined, isProgram: boolean): Reader {
  if (role === 'owner') return isProgram ? 'key' : 'owner'
  if (role === 'manager') return isProgram ? 'viewer' : 'manager'
  return role === 'viewer' ? 'viewer' : 'key'
}

/** Shapes the answer by the endpoint's schema and its reader; unnamed fields are dropped. */
function toAnswer(endpoint: Endpoint, reader: FieldReader, result: unknown): HttpReply {
  const usual = endpoint.status ?? (endpoint.reply ? 200 : 204)
  if (result instanceof HttpReply)
    return new HttpReply(result.status, shape(endpoint, reader, result.body), result.headers)
  return new HttpReply(usual, shape(endpoint, reader, result))
}

/** Streams (files) pass unchanged: their writer shapes them. */
const shape = ({ reply }: Endpoint, reader: FieldReader, body: unknown) =>
  reply && body !== undefined && !(body instanceof Readable) ? visibleFields(reply, reply.parse(body), reader) : body

function send(reply: FastifyReply, { status, body, headers }: HttpReply) {
  reply.code(status).headers(headers)
  if (body === undefined || body === null || body instanceof Readable) return reply.send(body ?? undefined)
  return reply.type('application/json; charset=utf-8').send(JSON.stringify(body))
}
