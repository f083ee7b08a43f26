import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../config/config.ts'
import { databaseAway, databaseFull, isDatabaseAway, isDiskFull, tooBusy } from '../database/pool.ts'
import { troubleOf } from '../database/trouble.ts'
import { notFound, Refusal, refusal, refusalBody } from '../refusal.ts'
import { securityHeaders } from './security-headers.ts'

type Thrown = { code?: string; statusCode?: number; message?: string }

/**
 * The refusal that was thrown, or undefined for a bug of ours: only errors thrown on purpose are the caller's fault. A
 * database that is away, full or locked is neither's.
 */
export function asRefusal(error: unknown): Refusal | undefined {
  if (error instanceof Refusal) return error
  if (isDatabaseAway(error)) return databaseAway()
  if (isDiskFull(error)) return databaseFull()
  const { code = '', statusCode = 500 } = error as Thrown
  if (code.startsWith('FST_') && statusCode < 500) return refusedByFastify(code, statusCode)
  // PostgreSQL: a transaction that lost against others, a lock it waited for too long
  if (['40001', '40P01', '55P03', '57014'].includes(code)) return tooBusy()
  return undefined
}

/** Refusals by the framework before a route is asked. */
function refusedByFastify(code: string, statusCode: number): Refusal {
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return refusal('wrong_media_type')
  if (statusCode === 413) return refusal('body_too_large')
  if (statusCode === 414 || statusCode === 431) return refusal('url_or_headers_too_long')
  return notJson()
}

export const notJson = () => refusal('not_json')

export function answerErrors(fastify: FastifyInstance) {
  fastify.setErrorHandler((error, request, reply) => {
    const refused = asRefusal(error)
    if (!refused || troubleOf(error)) request.log.error({ err: error, requestId: request.id }, 'a call failed')
    return refuse(request, reply, refused ?? refusal('internal_error'))
  })
}

export function refuse(request: FastifyRequest, reply: FastifyReply, refused: Refusal) {
  if (refused.retryAfter !== undefined) reply.header('retry-after', String(Math.max(1, Math.ceil(refused.retryAfter))))
  // whatever a route said of its good answer: a refusal is kept by no cache
  reply.header('cache-control', 'no-store')
  return reply.code(refused.status).send({ error: refusalBody(refused), requestId: request.id })
}

/**
 * Refuses an address for which no route is looked up: an unreadable one, or one too long to name anything. Nothing is cheaper
 * than this answer, so it is not counted.
 */
export function refuseAddress(config: Config, error: Thrown, request: FastifyRequest, reply: FastifyReply) {
  const refused = error.code === 'FST_ERR_MAX_PARAM_LENGTH' ? notFound() : refusal('url_unreadable')
  reply.headers({ ...securityHeaders(config), 'x-request-id': request.id })
  return refuse(request, reply, refused)
}
