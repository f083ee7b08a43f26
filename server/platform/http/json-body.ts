import type { FastifyInstance } from 'fastify'
import type { Refusal } from '../refusal.ts'
import { checkShape } from './body-shape.ts'
import { notJson } from './errors.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Most values in a JSON body, fields and items together; 500 by default. */
    maxValues?: number | undefined
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

function decode(body: Buffer): string {
  try {
    return utf8.decode(body)
  } catch {
    throw notJson()
  }
}

/**
 * Parses bodies of this media type as JSON in UTF-8. An empty one counts as none: many clients send the media type with
 * every call. Refuses: `malformed_request`, also for bytes that are not UTF-8, for keys that would reach a prototype,
 * and for more levels or values than the route accepts.
 */
export function readJson(fastify: FastifyInstance, mediaType: string, bodyLimit?: number) {
  const parse = fastify.getDefaultJsonParser('error', 'error')
  if (fastify.hasContentTypeParser(mediaType)) fastify.removeContentTypeParser(mediaType)
  fastify.addContentTypeParser<Buffer>(
    mediaType,
    { parseAs: 'buffer', ...(bodyLimit && { bodyLimit }) },
    (request, body, done) => {
      if (body.length === 0) return done(null, undefined)
      let text: string
      try {
        checkShape(body, request.routeOptions.config?.maxValues)
        text = decode(body)
      } catch (refusal) {
        return done(refusal as Refusal)
      }
      return parse(request, text, (error, value) => done(error && notJson(), value))
    },
  )
}
