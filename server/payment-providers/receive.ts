import type { FastifyRequest } from 'fastify'
import { isRecording } from '../program/clicks/grace.ts'
import { newId } from '../platform/database/ids.ts'
import { transaction } from '../platform/database/pool.ts'
import { accountDisabled } from '../program/access/access.ts'
import { checkShape, MAX_EVENT_VALUES } from '../platform/http/body-shape.ts'
import { type Limit, UNKNOWN } from '../platform/http/limits.ts'
import type { App } from '../program/access/route.ts'
import { notFound, Refusal } from '../platform/refusal.ts'
import type { Services } from '../platform/services.ts'
import { connectionByHookKey, insertEvent } from '../integrations/payment-providers/queries.ts'
import { adapterOf } from '../integrations/payment-providers/registry.ts'
import { openWebhookSecret } from './secrets.ts'

const MAX_BYTES = 256_000
const PER_CONNECTION: Limit = { name: 'incoming', perMinute: 120, by: 'connection' }

type Request = FastifyRequest<{ Params: { provider: string; connectionKey: string } }>

/** `/hooks/providers/{provider}/{connectionKey}`: its own corner, because signatures are over the bytes as they came. */
export function receiveRoute({ fastify, services, limits }: App) {
  fastify.register(async (corner) => {
    corner.removeAllContentTypeParsers()
    corner.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    corner.post('/hooks/providers/:provider/:connectionKey', {
      bodyLimit: MAX_BYTES,
      config: { policy: 'public', limit: PER_CONNECTION, countsItself: true },
      // before the body is read
      onRequest: async (request: Request, reply) => {
        const found = await findConnection(services, request.params)
        if (!found) {
          limits.check(reply, UNKNOWN, request.ip)
          throw notFound()
        }
        limits.check(reply, PER_CONNECTION, found.connection.id)
        receivers.set(request, found)
      },
      handler: async (request: Request) => {
        const raw = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
        await receiveEvent(services, receivers.get(request)!, raw, request.headers)
        return { received: true }
      },
    })
  })
}

type Receiver = NonNullable<Awaited<ReturnType<typeof findConnection>>>
const receivers = new WeakMap<Request, Receiver>()

/** Undefined for an unknown or disconnected address. */
async function findConnection({ db }: Services, { provider, connectionKey }: Request['params']) {
  const adapter = adapterOf(provider)
  const connection = adapter && (await connectionByHookKey(db, provider, connectionKey))
  return connection && { adapter, connection }
}

/**
 * Stores a signed event together with its job; a repeat is only answered. Nothing of it is read before the signature
 * holds. Refuses: `malformed_request` for a wrong or old signature, or another mode than the connection's;
 * `account_disabled` thirty days after that.
 */
async function receiveEvent(
  services: Services,
  { adapter, connection }: Receiver,
  raw: Buffer,
  headers: FastifyRequest['headers'],
): Promise<void> {
  const { db, clock, jobs } = services
  const now = clock.now()
  const secret = openWebhookSecret(services, connection)
  if (secret === null || !adapter.verify(raw, headers, secret, now))
    throw new Refusal('malformed_request', 'The signature is wrong or too old.')
  checkShape(raw, MAX_EVENT_VALUES)
  const body = raw.toString('utf8')
  const event = adapter.readEvent(body)
  if (event.livemode !== connection.livemode)
    throw new Refusal('malformed_request', 'The event is of another mode (live or test) than the connection.')
  if (!isRecording({ disabledAt: connection.accountDisabledAt }, now)) throw accountDisabled()

  const state = adapter.eventTypes.includes(event.type) ? 'received' : 'ignored'
  await transaction(db, async (tx) => {
    const stored = await insertEvent(tx, { id: newId(), connection, event, body, state })
    if (stored && state === 'received') await jobs.add(tx, 'provider-event', { eventId: stored.id })
  })
}
