import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Span, Tracer } from '../span.ts'

/** Routes that are called every few seconds by machines. */
const UNTRACED = /^\/(health\/|metrics$)/

/** Traces a request, by its route only: address and body may contain private data. */
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
