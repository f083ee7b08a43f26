import { transaction } from '../../platform/database/pool.ts'
import { checkShape, MAX_EVENT_VALUES } from '../../platform/http/body-shape.ts'
import type { NamedLimit } from '../../platform/http/limits.ts'
import { readBytes } from '../../platform/http/raw-body.ts'
import type { Services } from '../../platform/services.ts'
import type { App } from '../access/route.ts'
import { eventsKey } from './connections.ts'
import { methods, refusalOfWrong } from './methods/registry.ts'
import { payOutQueue } from './queue.ts'

/**
 * Limit per network: a provider sends events of all its customers, but a flood from one network is not the provider.
 */
const limitOf = (name: string): NamedLimit => ({ name: `${name}-events`, perMinute: 600, by: 'network' })

/** `POST /hooks/{method}`: the signed events of each provider, checked over the raw bytes. */
export function providerEventRoutes({ fastify, services }: App) {
  for (const { name, events } of methods)
    if (events)
      fastify.register(async (hooks) => {
        readBytes(hooks)
        hooks.post(
          `/hooks/${name}`,
          { config: { policy: 'public', limit: limitOf(name) }, bodyLimit: 256_000 },
          async ({ headers, body: sent }, reply) => {
            const body = Buffer.isBuffer(sent) ? sent : null
            const judged = events.judge({ headers, body, key: eventsKey(services.config) })
            if (typeof judged === 'object') throw refusalOfWrong(judged)
            if (judged === 'signed') {
              checkShape(body!, MAX_EVENT_VALUES)
              await readTransfer(services, events.transferOf(body!))
            }
            return reply.code(200).send()
          },
        )
      })
}

async function readTransfer({ db, jobs }: Pick<Services, 'db' | 'jobs'>, transferId: string | null) {
  if (!transferId) return
  await transaction(db, async (tx) => {
    const ours = await tx.many<{ payoutId: string }>`
      select payout_id from payout_attempts where transfer_id = ${transferId}`
    for (const { payoutId } of ours) await jobs.add(tx, payOutQueue, { payoutId })
  })
}
