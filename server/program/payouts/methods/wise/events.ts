import { createVerify } from 'node:crypto'
import { transaction } from '../../../../platform/database/pool.ts'
import { checkShape, MAX_EVENT_VALUES } from '../../../../platform/http/body-shape.ts'
import type { NamedLimit } from '../../../../platform/http/limits.ts'
import { refusal } from '../../../../platform/refusal.ts'
import type { Services } from '../../../../platform/services.ts'
import type { App } from '../../../access/route.ts'
import { payOutQueue } from '../../queue.ts'
import { WISE_PRODUCTION_KEY } from './production-key.ts'

/** Limit per network: Wise sends events of all its customers, but a flood from one network is not Wise. */
const LIMIT: NamedLimit = { name: 'wise-events', perMinute: 600, by: 'network' }

/**
 * `POST /hooks/wise`: Wise's signed state changes, checked over the raw bytes. Wise signs for all its customers with
 * one key, so an event is only a hint to read one of our transfers with our own token.
 */
export function wiseEventRoutes({ fastify, services }: App) {
  fastify.register(async (hooks) => {
    hooks.removeAllContentTypeParsers()
    hooks.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    hooks.post(
      '/hooks/wise',
      { config: { policy: 'public', limit: LIMIT }, bodyLimit: 256_000 },
      async (request, reply) => {
        if (request.headers['x-test-notification'] === 'true') return reply.code(200).send()
        const { body, headers } = request
        if (
          !Buffer.isBuffer(body) ||
          !isSigned(body, headers['x-signature-sha256'], services.config.wise.webhookKey ?? WISE_PRODUCTION_KEY)
        )
          throw refusal('wise_signature_wrong')
        checkShape(body, MAX_EVENT_VALUES)
        await readTransfer(services, transferOf(body))
        return reply.code(200).send()
      },
    )
  })
}

/** Verifies RSA with SHA-256 over the raw body; the signature is base64. */
export function isSigned(body: Buffer, signature: unknown, publicKey: string): boolean {
  if (typeof signature !== 'string' || signature.length > 2000) return false
  return createVerify('RSA-SHA256').update(body).verify(publicKey, signature, 'base64')
}

/** Returns the transfer's id from either form of event. */
function transferOf(body: Buffer): string | null {
  try {
    const { data } = JSON.parse(body.toString('utf8'))
    const id = data?.resource?.id ?? data?.transfer_id
    return typeof id === 'number' || typeof id === 'string' ? String(id) : null
  } catch {
    return null
  }
}

async function readTransfer({ db, jobs }: Services, transferId: string | null) {
  if (!transferId) return
  await transaction(db, async (tx) => {
    const ours = await tx.many<{ payoutId: string }>`
      select payout_id from payout_attempts where transfer_id = ${transferId}`
    for (const { payoutId } of ours) await jobs.add(tx, payOutQueue, { payoutId })
  })
}
