import type { ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { isEnglish, type Language, withLanguage } from '#contract/language.ts'
import type { Config } from '../config/config.ts'
import { classifyDatabaseError } from '../database/database-errors.ts'
import { databaseAway, databaseFull, isDatabaseAway, isDiskFull, tooBusy } from '../database/pool.ts'
import { preferredLanguage } from '../languages.ts'
import { notFound, Refusal, refusal, refusalBody } from '../refusal.ts'
import { securityHeaders } from './security-headers.ts'

type Place = Pick<Config, 'appUrl'>
type Thrown = { code?: string; statusCode?: number; message?: string }

/**
 * Returns the refusal thrown, or undefined for a bug of ours: only deliberate errors are the caller's fault. A database
 * that is unavailable, full or locked is neither's.
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

/** Converts refusals by the framework before a route is called. */
function refusedByFastify(code: string, statusCode: number): Refusal {
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return refusal('wrong_media_type')
  if (statusCode === 413) return refusal('body_too_large')
  if (statusCode === 414 || statusCode === 431) return refusal('url_or_headers_too_long')
  return notJson()
}

export const notJson = () => refusal('not_json')

export function answerErrors(fastify: FastifyInstance, config: Place) {
  fastify.setErrorHandler((error, request, reply) => {
    const refused = asRefusal(error)
    if (!refused || classifyDatabaseError(error))
      request.log.error({ err: error, requestId: request.id }, 'a call failed')
    mendHeaders(reply, config)
    return sendRefusal(request, reply, refused ?? refusal('internal_error'))
  })
}

/** Undoes the headers that may have made an answer fail; without those of security none is sent. */
function mendHeaders(reply: FastifyReply, config: Place) {
  reply.removeHeader('content-encoding')
  for (const [name, value] of Object.entries(reply.getHeaders()))
    if (![value].flat().every((line) => HEADER_VALUE.test(String(line)))) reply.removeHeader(name)
  for (const [name, value] of Object.entries(securityHeaders(config)))
    if (!reply.hasHeader(name)) reply.header(name, value)
}
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/

/** Ends a request that failed outside the router, or where nothing awaits it: with 500, if no answer has begun. */
export function failAnswer(config: Place, log: Logger, { response, id }: Failed, error: unknown) {
  log.error({ err: error, requestId: id }, 'a call failed')
  if (response.writableEnded) return
  if (response.headersSent) return void response.destroy()
  for (const name of response.getHeaderNames()) response.removeHeader(name)
  const body = JSON.stringify({ error: refusalBody(refusal('internal_error')), requestId: id })
  response
    .writeHead(500, {
      ...securityHeaders(config),
      'cache-control': 'no-store',
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
      'x-request-id': id,
    })
    .end(body)
}
type Failed = { response: ServerResponse; id: string }

/** Says the language of an answer whose texts aren't English. */
export const addLanguageHeaders = (reply: FastifyReply, language: Language) =>
  isEnglish(language) ? reply : reply.headers({ 'content-language': language, vary: 'Accept-Language' })

export function sendRefusal(request: FastifyRequest, reply: FastifyReply, refused: Refusal) {
  if (refused.retryAfter !== undefined) reply.header('retry-after', String(Math.max(1, Math.ceil(refused.retryAfter))))
  // whatever a route set for its answer: a refusal must not be cached
  reply.header('cache-control', 'no-store')
  const language = preferredLanguage(request.headers['accept-language'])
  addLanguageHeaders(reply, language)
  const error = withLanguage(language, () => refusalBody(refused))
  return reply.code(refused.status).send({ error, requestId: request.id })
}

/**
 * Refuses an address without a look-up of routes: an unreadable one, or one too long to match any. Not counted by
 * limits, since it costs almost nothing.
 */
export function refuseAddress(config: Place, error: Thrown, request: FastifyRequest, reply: FastifyReply) {
  const refused = error.code === 'FST_ERR_MAX_PARAM_LENGTH' ? notFound() : refusal('url_unreadable')
  reply.headers({ ...securityHeaders(config), 'x-request-id': request.id })
  return sendRefusal(request, reply, refused)
}
