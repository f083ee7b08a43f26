import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { databaseAway, isDatabaseAway } from '../database/pool.ts'
import { notFound, Refusal, refusalBody } from '../refusal.ts'
import type { Config } from '../config/config.ts'
import { securityHeaders } from './security-headers.ts'

type Thrown = { code?: string; statusCode?: number; message?: string; constraint?: string }

/** Turns whatever was thrown into a refusal, or nothing where it is a bug of ours. */
export function asRefusal(error: unknown): Refusal | undefined {
  if (error instanceof Refusal) return error
  if (isDatabaseAway(error)) return databaseAway()
  const { code = '', statusCode } = error as Thrown
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE')
    return new Refusal('unsupported_media_type', 'Send JSON, as application/json.')
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return new Refusal('payload_too_large', 'The body is too large. Send less at once.')
  if (statusCode === 400 || code.startsWith('FST_ERR_CTP') || error instanceof SyntaxError)
    return new Refusal('malformed_request', 'The body is not valid JSON in UTF-8.')
  if (statusCode === 413) return new Refusal('payload_too_large', 'The body is too large. Send less at once.')
  if (statusCode === 414 || statusCode === 431)
    return new Refusal('malformed_request', 'The address or the headers are too long.')
  // PostgreSQL: a value it cannot take, a taken unique value, a lock it waited for too long
  if (code.startsWith('22')) return new Refusal('validation_failed', 'A value is not of a kind that can be stored.')
  if (code === '23505') return new Refusal('conflict', 'This was just done by another call. Reload and try again.')
  if (code === '23503')
    return new Refusal('conflict', 'Something this refers to has just changed. Reload and try again.')
  if (['40001', '40P01', '55P03', '57014'].includes(code))
    return new Refusal('unavailable', 'Too much is happening here at once. Please try again.', { retryAfter: 1 })
  return undefined
}

export function answerErrors(fastify: FastifyInstance) {
  fastify.setErrorHandler((error, request, reply) => {
    const refusal = asRefusal(error)
    if (!refusal) {
      request.log.error({ err: error, requestId: request.id }, 'a call failed')
      return reply
        .code(500)
        .header('cache-control', 'no-store')
        .send({
          error: { code: 'internal_error', message: 'Something went wrong on our side. Please try again.' },
          requestId: request.id,
        })
    }
    return refuse(request, reply, refusal)
  })
}

export function refuse(request: FastifyRequest, reply: FastifyReply, refusal: Refusal) {
  if (refusal.retryAfter !== undefined) reply.header('retry-after', String(Math.max(1, Math.ceil(refusal.retryAfter))))
  // whatever a route said of its good answer: a refusal is kept by no cache
  reply.header('cache-control', 'no-store')
  return reply.code(refusal.status).send({ error: refusalBody(refusal), requestId: request.id })
}

/**
 * What no route is looked up for: an address that cannot be read, or one too long to name anything. Nothing is cheaper
 * than this answer, so it is not counted.
 */
export function refuseAddress(config: Config, error: Thrown, request: FastifyRequest, reply: FastifyReply) {
  const refusal =
    error.code === 'FST_ERR_MAX_PARAM_LENGTH'
      ? notFound()
      : new Refusal('malformed_request', 'The address holds characters that cannot be read.')
  reply.headers({ ...securityHeaders(config), 'x-request-id': request.id })
  return refuse(request, reply, refusal)
}
