import { wasFullJustNow } from '../database/database-errors.ts'
import { INSTALL_HEADER, installProof, parseHostname } from './install-proof.ts'
import type { NamedLimit } from './limits.ts'
import type { Shell } from './shell.ts'

/** Readiness apart from the database: whether the process is starting or stopping. */
export const readiness = { open: false }

/** Limit per network, sufficient for many checks from behind one load balancer. */
const LIMIT: NamedLimit = { name: 'health', perMinute: 600, by: 'network' }

export function healthRoutes({ fastify, services }: Shell) {
  // some load balancers ask by HEAD
  const options = { config: { policy: 'public', limit: LIMIT }, exposeHeadRoute: true }
  fastify.get('/health/live', options, async ({ headers }, reply) => {
    const question = headers[INSTALL_HEADER]
    const proof = typeof question === 'string' && installProof(services, parseHostname(headers.host), question)
    if (proof) reply.header(INSTALL_HEADER, proof)
    return { status: 'live' }
  })
  fastify.get('/health/ready', options, async (_request, reply) => {
    const ready =
      readiness.open &&
      !wasFullJustNow() &&
      (await services.db.one`select 1`.then(
        () => true,
        () => false,
      ))
    return reply.code(ready ? 200 : 503).send({ status: ready ? 'ready' : 'unavailable' })
  })
}
