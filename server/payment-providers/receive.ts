import type { FastifyRequest } from 'fastify'
import { isRecording } from '../clicks/grace.ts'
import { newId } from '../database/ids.ts'
import { transaction } from '../database/pool.ts'
import { accountDisabled } from '../http/access.ts'
import type { App } from '../http/route.ts'
import { notFound, Refusal } from '../refusal.ts'
import type { Services } from '../services.ts'
import { connectionByHookKey, insertEvent } from './queries.ts'
import { adapterOf } from './registry.ts'
import { openWebhookSecret } from './secrets.ts'

const MAX_BYTES = 256_000

type Request = FastifyRequest<{ Params: { provider: string; connectionKey: string } }>

/** `/hooks/providers/{provider}/{connectionKey}`: its own corner, because signatures are over the bytes as they came. */
export function receiveRoute({ fastify, services }: App) {
  fastify.register(async (corner) => {
    corner.removeAllContentTypeParsers()
    corner.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    corner.post('/hooks/providers/:provider/:connectionKey', {
      bodyLimit: MAX_BYTES,
      config: { policy: ['public'] },
      handler: async (request: Request) => {
        const raw = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
        await receiveEvent(services, request.params, raw, request.headers)
        return { received: true }
      },
    })
  })
}

/**
 * Stores a signed event together with its job; a repeat is only answered. Nothing of it is read before the signature
 * holds. Refuses: `not_found` for an unknown or disconnected address; `malformed_request` for a wrong or old signature, or
 * another mode than the connection's; `account_disabled` thirty days after that.
 */
async function receiveEvent(
  services: Services,
  { provider, connectionKey }: Request['params'],
  raw: Buffer,
  headers: FastifyRequest['headers'],
): Promise<void> {
  const { db, clock, jobs } = services
  const adapter = adapterOf(provider)
  const connection = adapter && (await connectionByHookKey(db, provider, connectionKey))
  if (!adapter || !connection) throw notFound()
  const now = clock.now()
  const secret = openWebhookSecret(services, connection)
  if (secret === null || !adapter.verify(raw, headers, secret, now))
    throw new Refusal('malformed_request', 'The signature is wrong or too old.')
  const body = raw.toString('utf8')
  const event = adapter.readEvent(body)
  if (event.livemode !== connection.livemode)
    throw new Refusal('malformed_request', 'The event is of another mode (live or test) than the connection.')
  if (!isRecording({ disabledAt: connection.accountDisabledAt }, now)) throw accountDisabled()

  const state = adapter.eventTypes.includes(event.type) ? 'received' : 'ignored'
  await transaction(db, async (tx) => {
    const stored = await insertEvent(tx, { id: newId(), connectionId: connection.id, event, body, state })
    if (stored && state === 'received') await jobs.add(tx, 'provider-event', { eventId: stored.id })
  })
}
