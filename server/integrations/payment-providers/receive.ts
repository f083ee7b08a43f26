import type { FastifyReply, FastifyRequest } from 'fastify'
import type { RefusalReason } from '#contract/refusals.ts'
import { newId } from '../../platform/database/ids.ts'
import { type Database, transaction } from '../../platform/database/pool.ts'
import { checkShape, MAX_EVENT_VALUES } from '../../platform/http/body-shape.ts'
import { type NamedLimit, toNetwork, UNKNOWN } from '../../platform/http/limits.ts'
import { readBytes } from '../../platform/http/raw-body.ts'
import { notFound, Refusal, refusal } from '../../platform/refusal.ts'
import type { Services } from '../../platform/services.ts'
import { accountDisabled } from '../../program/access/access.ts'
import type { App } from '../../program/access/route.ts'
import { isRecording } from '../../program/clicks/recording.ts'
import { type EventDelivery, PaymentProviderError, type ProviderAdapter, type ReceivedEvent } from './provider.ts'
import {
  connectionsByHookKey,
  connectionsByProviderAccount,
  formerConnections,
  insertEvent,
  type ReceivingRow,
  setSilence,
} from './queries.ts'
import { providerEventQueue } from './queue.ts'
import { findAdapter } from './registry.ts'
import { eventsAddress, findOAuth, getProviderAccess, openCredentials } from './secrets.ts'

const MAX_BYTES = 256_000
/**
 * Signed events are unlimited: a provider may not repeat a refused one. Limit for unsigned ones, per network and
 * address:
 */
const UNSIGNED: NamedLimit = { name: 'incoming-unsigned', perMinute: 120, by: 'network' }
/** Limit above which requests from there are refused unread, signed or not. */
const FLOOD: NamedLimit = { name: 'incoming-flood', perMinute: 1200, by: 'network' }
/** Refusals before a signature was verified. */
const BEFORE_SIGNATURE: RefusalReason[] = [
  ...(['event_signature_wrong', 'event_signature_unverified'] as const),
  ...(['body_too_deep', 'too_many_values', 'field_name_too_long', 'too_many_escapes'] as const),
]

type Request = FastifyRequest<{ Params: { provider: string; connectionKey: string } }>
type Receiver = { adapter: ProviderAdapter; connection: ReceivingRow }
declare module 'fastify' {
  interface FastifyRequest {
    /** Set before the body is read, at the address of a connection. */
    receiver: Receiver
  }
}

type Message = Pick<EventDelivery, 'raw' | 'headers'>

/**
 * `/hooks/providers/{provider}/{connectionKey}`, and `…/platform`, the address of the operator's application:
 * encapsulated, because signatures cover the raw bytes.
 */
export function providerEventRoute({ fastify, services, limits }: App) {
  const senderOf = ({ ip, params, receiver }: Request) =>
    `${toNetwork(ip)} to ${receiver?.connection.id ?? params.provider}`
  const refuseFlood = (request: Request, reply: FastifyReply) => limits.refuseSpent(reply, FLOOD, senderOf(request))
  const countUnsigned = (request: Request, reply: FastifyReply) => {
    limits.exceeds(FLOOD, senderOf(request))
    limits.check(reply, UNSIGNED, senderOf(request))
  }
  const receive = async (request: Request, reply: FastifyReply, keep: (message: Message) => Promise<void>) => {
    try {
      await keep(messageOf(request))
    } catch (error) {
      if (error instanceof Refusal && BEFORE_SIGNATURE.includes(error.reason)) countUnsigned(request, reply)
      throw error
    }
    return { received: true }
  }
  const refuseUnknown = (reply: FastifyReply, ip: string): never => {
    limits.check(reply, UNKNOWN, ip)
    throw notFound()
  }
  fastify.register(async (corner) => {
    corner.decorateRequest('receiver')
    readBytes(corner)

    const options = { bodyLimit: MAX_BYTES, config: { policy: 'public', limit: UNSIGNED, countsItself: true } as const }
    corner.post('/hooks/providers/:provider/:connectionKey', {
      ...options,
      // before the body is read
      onRequest: async (request: Request, reply) => {
        const { provider, connectionKey } = request.params
        const adapter = findAdapter(provider)
        const [connection] = adapter ? await connectionsByHookKey(services.db, provider, connectionKey) : []
        if (!adapter || !connection) return refuseUnknown(reply, request.ip)
        request.receiver = { adapter, connection }
        refuseFlood(request, reply)
      },
      handler: (request: Request, reply) =>
        receive(request, reply, async (message) => {
          if (request.receiver.adapter.isPing?.(message.raw)) countUnsigned(request, reply)
          else await storeDelivery(services, request.receiver, message)
        }),
    })

    corner.post('/hooks/providers/:provider/platform', {
      ...options,
      onRequest: async (request: Request, reply) => {
        if (!findAdapter(request.params.provider)?.application) refuseUnknown(reply, request.ip)
        refuseFlood(request, reply)
      },
      handler: (request: Request, reply) =>
        receive(request, reply, async (message) => {
          const adapter = findAdapter(request.params.provider)!
          const events = await openByApplication(services, adapter, message)
          if (events) return storeForAccounts(services, adapter, events)
          const found = await receiversOf(services.db, adapter, message)
          if (found.length === 0 && findOAuth(adapter, services.config)) throw unsigned()
          if (found.length === 0) return refuseUnknown(reply, request.ip)
          await eachReceives(found, (receiver) => storeDelivery(services, receiver, message))
        }),
    })
  })
}

function messageOf({ body, headers }: Request): Message {
  const raw = Buffer.isBuffer(body) ? body : Buffer.alloc(0)
  checkShape(raw, MAX_EVENT_VALUES)
  return { raw, headers }
}

/** Opens events to the operator's application, signed with its own secret; null if the signature is wrong. */
async function openByApplication(services: Services, adapter: ProviderAdapter, message: Message) {
  const reach = getProviderAccess(services, adapter.provider)
  const { webhookSecret } = reach.application
  if (!findOAuth(adapter, services.config) || webhookSecret === null) return null
  const url = eventsAddress(services.config, adapter.provider, null)
  return opened(adapter, { ...message, url, credentials: { [adapter.signingField]: webhookSecret }, reach })
}

/**
 * Stores each event for all connections of its account; without one, records its arrival with the former connection.
 */
async function storeForAccounts(services: Services, adapter: ProviderAdapter, events: ReceivedEvent[]) {
  const { db, log } = services
  const { provider } = adapter
  for (const event of events) {
    const { account, id, type } = event
    const found = account ? await connectionsByProviderAccount(db, provider, account, 'oauth') : []
    const inMode = found.filter(({ livemode }) => event.livemode === null || event.livemode === livemode)
    if (inMode.length > 0)
      await eachReceives(inMode, (connection) => storeEvents(services, { adapter, connection }, [event]))
    else if (found.length > 0)
      for (const connection of found) await storeUnused(db, connection, event, otherMode(connection))
    else {
      const former = account ? await formerConnections(db, provider, account) : []
      for (const connection of former.filter(({ livemode }) => event.livemode === null || event.livemode === livemode))
        await storeUnused(db, connection, event, 'Received after the connection had ended.')
      log.info({ provider, account, event: id, type }, 'an event of an account that is not connected was left out')
    }
  }
}

const otherMode = ({ livemode }: ReceivingRow) =>
  livemode
    ? 'This is a test mode event, but the connection uses live mode.'
    : 'This is a live mode event, but the connection uses test mode.'

/** Stores only that it came, without its body. */
const storeUnused = (db: Database, connection: ReceivingRow, event: ReceivedEvent, reason: string) =>
  transaction(db, (tx) => insertEvent(tx, { id: newId(), connection, event, state: 'ignored', reason }))

/** Finds the receivers of a message to the application: all our accounts connected to its provider account. */
async function receiversOf(db: Database, adapter: ProviderAdapter, { raw, headers }: Message): Promise<Receiver[]> {
  const account = adapter.application?.accountOf?.(raw, headers)
  const found = account ? await connectionsByProviderAccount(db, adapter.provider, account, 'credentials') : []
  return found.map((connection) => ({ adapter, connection }))
}

/**
 * Accepts a message if one receiver does, whatever the others refuse; while one cannot decide, it is requested again.
 */
async function eachReceives<T>(found: T[], receive: (receiver: T) => Promise<void>) {
  const refused: Refusal[] = []
  for (const receiver of found)
    try {
      await receive(receiver)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      refused.push(error)
    }
  const undecided = refused.find(({ code }) => code === 'provider_failed')
  if (undecided || refused.length === found.length) throw undecided ?? refused[0]
}

/**
 * Stores signed events together with their jobs; a repetition is only acknowledged. Refuses: an account disabled for
 * long.
 */
async function storeEvents(services: Services, { adapter, connection }: Receiver, events: ReceivedEvent[]) {
  const { db, clock, jobs } = services
  if (!isRecording({ disabledAt: connection.accountDisabledAt }, clock.now())) throw accountDisabled()

  await transaction(db, async (tx) => {
    for (const event of events) {
      const state = adapter.eventTypes.includes(event.type) ? 'received' : 'ignored'
      const stored = await insertEvent(tx, { id: newId(), connection, event, state })
      if (stored && state === 'received')
        await jobs.add(tx, providerEventQueue, { eventId: stored.id, accountId: connection.accountId })
    }
    if (connection.silentSince && events.length > 0) await setSilence(tx, connection.id, null)
  })
}

/**
 * Stores the events of a request to a connection's address. Nothing in it is trusted before its signature is verified.
 * Refuses: `malformed_request` for a wrong or old signature, or another mode or account than the connection's;
 * `provider_failed` if the provider must be called and does not respond.
 */
async function storeDelivery(services: Services, receiver: Receiver, message: Message): Promise<void> {
  const { adapter, connection } = receiver
  const credentials = connection.webhookSecretSet ? openCredentials(services.secrets, connection) : null
  if (!credentials) throw unsigned()
  const reach = getProviderAccess(services, adapter.provider)
  const events = await opened(adapter, { ...message, url: connection.webhookUrl, credentials, reach })
  if (!events) throw unsigned()
  if (events.some(({ livemode }) => livemode !== null && livemode !== connection.livemode))
    throw refusal('event_of_other_mode')
  if (events.some((event) => !isOf(connection, event)))
    throw refusal('event_of_other_account', { provider: adapter.name })
  await storeEvents(services, receiver, events)
}

/** Returns the events of a delivery; null if it is not signed. */
async function opened(adapter: ProviderAdapter, delivery: EventDelivery): Promise<ReceivedEvent[] | null> {
  try {
    const events = await adapter.receive(delivery)
    if (events?.some(({ id, type }) => !isStorable(id) || !isStorable(type)))
      throw new PaymentProviderError('invalid', `This isn’t an event of ${adapter.name}.`)
    return events
  } catch (error) {
    if (!(error instanceof PaymentProviderError)) throw error
    if (error.kind === 'invalid') throw refusal('event_unreadable', { problem: error.message })
    const { name, provider } = adapter
    const details = { provider, message: error.message }
    throw refusal('event_signature_unverified', { provider: name }, { details })
  }
}

/** Whether a name can be stored: PostgreSQL accepts no NUL, and names are short. */
const isStorable = (name: string) => name !== '' && name.length <= 500 && !name.includes('\u0000')

/**
 * Whether an event is the connection's: at the application's address one secret may sign for all, so the event must
 * name its account.
 */
const isOf = ({ providerAccountId, hookKey }: ReceivingRow, { account }: ReceivedEvent) =>
  account === null || providerAccountId === null ? hookKey !== null : account === providerAccountId

const unsigned = () => refusal('event_signature_wrong')
