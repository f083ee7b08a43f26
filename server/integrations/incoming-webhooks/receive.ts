import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { headerInPath } from '#contract/incoming-webhooks.ts'
import { type Json, plainPath, toText, valueAt } from '#contract/payload-paths.ts'
import { newId } from '../../platform/database/ids.ts'
import { transaction } from '../../platform/database/pool.ts'
import { tokenHash } from '../../platform/database/secrets.ts'
import { type NamedLimit, UNKNOWN } from '../../platform/http/limits.ts'
import { readBytes } from '../../platform/http/raw-body.ts'
import { headerIn } from '../../platform/http/signature.ts'
import { withoutSecrets } from '../../platform/redact.ts'
import { notFound, Refusal, refusal } from '../../platform/refusal.ts'
import type { Services } from '../../platform/services.ts'
import { accountDisabled } from '../../program/access/access.ts'
import type { App } from '../../program/access/route.ts'
import { isRecording } from '../../program/clicks/recording.ts'
import { isAllowedIp } from './allowed-ips.ts'
import { checkAuthenticity, type Proven, secretField, withoutField } from './authenticate.ts'
import { guessedPaths } from './infer-mapping.ts'
import { readBy } from './map.ts'
import { answerToPing } from './pings.ts'
import {
  countPayload,
  dropOldestPayloads,
  firstDelivery,
  type IncomingWebhookRow,
  incomingWebhookById,
  insertDelivery,
  lockRepeats,
  storePing,
  webhookByToken,
} from './queries.ts'
import { incomingQueue } from './queue.ts'
import { readBody } from './read-body.ts'
import { applyRules, toRules } from './rules.ts'
import { isCapturing, openProof } from './webhooks.ts'

export const MAX_BYTES = 256_000
export const PER_WEBHOOK: NamedLimit = { name: 'incoming', perMinute: 120, by: 'connection' }
const DAY_MS = 24 * 3_600_000
/** Bytes of payloads stored per webhook; and bytes freed at once when the oldest are deleted. */
export const MOST_KEPT_BYTES = 100_000_000
export const ROOM_BYTES = 5_000_000
/** Milliseconds, equal to the retention of payloads. */
const KEPT_MS = 30 * DAY_MS

type Receiving = IncomingWebhookRow & { accountDisabledAt: string | null }
type Request = FastifyRequest<{ Params: { token: string } }>
declare module 'fastify' {
  interface FastifyRequest {
    /** Set before the body is read, at the address of an incoming webhook. */
    incoming: Receiving
  }
}

/** `/hooks/in/{token}`: receives data from other systems in any format, as raw bytes, and answers their tests. */
export function incomingWebhookRoute({ fastify, services, limits }: App) {
  fastify.register(async (corner) => {
    corner.decorateRequest('incoming')
    readBytes(corner)
    corner.route({
      method: ['GET', 'HEAD', 'POST'],
      url: '/hooks/in/:token',
      bodyLimit: MAX_BYTES,
      config: { policy: 'public', limit: PER_WEBHOOK, countsItself: true },
      // before the body is read
      onRequest: async (request: Request, reply) => {
        const webhook = await webhookByToken(services.db, tokenHash(request.params.token))
        if (!webhook) {
          limits.check(reply, UNKNOWN, request.ip)
          throw notFound()
        }
        // before it is counted, so that strangers do not use up the senders' limit
        if (!isAllowedIp(webhook.allowedIps, request.ip)) {
          limits.check(reply, UNKNOWN, request.ip)
          throw refusal('incoming_address_not_allowed')
        }
        limits.check(reply, PER_WEBHOOK, webhook.id)
        request.incoming = webhook
      },
      handler: (request: Request, reply) => answer(services, request, reply),
    })
  })
}

async function answer(services: Services, request: Request, reply: FastifyReply) {
  const { incoming: webhook, method, query } = request
  if (!isRecording({ disabledAt: webhook.accountDisabledAt }, services.clock.now())) throw accountDisabled()
  const raw = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
  // before the proof, as tests of the address are unsigned
  const pinged = answerToPing({ method, query, raw })
  if (pinged === null) return { deliveryId: await receive(services, request, raw) }
  await storePing(services.db, webhook.id)
  return reply.type(typeof pinged === 'string' ? 'text/plain' : 'application/json').send(pinged)
}

/** Returns the ID of the delivery, or of the first one if it is a repeat. */
async function receive(services: Services, request: Request, raw: Buffer): Promise<string> {
  const { incoming: webhook, headers } = request
  const proof = openProof(services.secrets, webhook)
  const field = secretField(proof)
  const reading = () =>
    readBody(raw, headers['content-type'] ?? '').catch((error) => {
      if (error instanceof Refusal) return error
      throw error
    })
  const early = field === null ? null : await reading()
  const payload = early instanceof Refusal ? null : early
  const evidence = { headers, url: `${services.config.appUrl}${request.url}`, raw, payload, now: services.clock.now() }
  const refused = checkAuthenticity(proof, evidence)
  if (refused) {
    await saveFailedDelivery(services, webhook, refused)
    throw refused
  }
  const read = early ?? (await reading())
  return read instanceof Refusal
    ? saveFailedDelivery(services, webhook, read)
    : saveDelivery(services, webhook, withoutField(read, field), evidence)
}

/**
 * Stores the payload with the job that processes it; a repetition returns the first delivery. One that creates nothing
 * has no idempotency key: an order may be sent again with the status that a filter accepts, or once there is a mapping.
 */
const saveDelivery = ({ db, jobs }: Services, { id: webhookId }: Receiving, payload: Json, evidence: Proven) =>
  transaction(db, async (tx) => {
    const webhook = await incomingWebhookById(tx, webhookId)
    if (!webhook) throw notFound()
    const { key, forMs } = repeatKey(webhook, payload, evidence)
    await lockRepeats(tx, webhook, key)
    const first = await firstDelivery(tx, webhook, key, new Date(tx.now.getTime() - forMs))
    if (first) return first.id
    const id = newId()
    const outcome = webhook.enabled
      ? { state: 'received' as const, reason: null }
      : { state: 'ignored' as const, reason: 'The webhook was turned off.' }
    const { applied, refused } = applyRules(webhook, payload)
    const isUsed = webhook.enabled && (applied.length > 0 || refused !== null)
    const kept = JSON.stringify(withoutSecrets(payload, readableIn(webhook, payload)))
    await insertDelivery(tx, webhook, { id, key: isUsed ? key : keyOf(id), payload: kept, ...outcome })
    const bytes = await countPayload(tx, webhook, Buffer.byteLength(kept))
    if (bytes > MOST_KEPT_BYTES) await dropOldestPayloads(tx, webhook, bytes - MOST_KEPT_BYTES + ROOM_BYTES)
    if (webhook.enabled) await jobs.add(tx, incomingQueue, { deliveryId: id, accountId: webhook.accountId })
    return id
  })

/** Returns the paths whose values are no secrets, as they are read, or of a sample may be. */
function readableIn(webhook: IncomingWebhookRow, payload: Json): Set<string> {
  const read = readBy(webhook, payload)
  if (!isCapturing(webhook)) return read
  const targets = new Set(toRules(webhook).map(({ target }) => target))
  const guessed = [...targets]
    .flatMap((target) => guessedPaths(target, payload))
    .flatMap((path) => plainPath(payload, path) ?? [])
  return new Set([...read, ...guessed])
}

/** Stores a rejected delivery, without its idempotency key: the next attempt may be valid. */
const saveFailedDelivery = ({ db }: Services, { id: webhookId }: Receiving, { message: reason }: Refusal) =>
  transaction(db, async (tx) => {
    const webhook = await incomingWebhookById(tx, webhookId)
    if (!webhook) throw notFound()
    const id = newId()
    await insertDelivery(tx, webhook, { id, state: 'failed', payload: null, key: keyOf(id), reason })
    return id
  })

const keyOf = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest()

/** Deduplicates by the configured path or header if present, for 30 days, otherwise by a hash of the body, for a day. */
function repeatKey({ dedupePath }: Pick<IncomingWebhookRow, 'dedupePath'>, payload: Json, evidence: Proven) {
  const header = headerInPath(dedupePath)
  const named = header ? headerIn(evidence, header) : dedupePath && toText(valueAt(payload, dedupePath))
  return named ? { key: keyOf(`named ${named}`), forMs: KEPT_MS } : { key: keyOf(evidence.raw), forMs: DAY_MS }
}
