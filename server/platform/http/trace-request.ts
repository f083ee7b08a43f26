import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Span, Tracer } from '../span.ts'

/** They come every few seconds, and nobody waits for them. */
const UNTRACED = /^\/(health\/|metrics$)/

/** Takes the time of a request, by its route: what is asked for by its address or its body is nobody's business. */
export function traceRequest(tracer: Tracer, request: FastifyRequest, { raw }: FastifyReply): Span | undefined {
  const { id, method, headers } = request
  const route = request.is404 ? 'unknown' : (request.routeOptions.url ?? 'unknown')
  if (UNTRACED.test(route)) return undefined
  const facts = { 'http.request.method': method, 'http.route': route, 'tributary.request_id': id }
  const { traceparent } = headers
  const span = tracer.request(
    id,
    `${method} ${route}`,
    facts,
    typeof traceparent === 'string' ? traceparent : undefined,
  )
  raw.once('close', () => {
    span.note({ 'http.response.status_code': raw.statusCode })
    if (!raw.writableFinished) span.end('aborted')
    else span.end(raw.statusCode >= 500 ? String(raw.statusCode) : undefined)
  })
  return span
}
