import type { FastifyInstance } from 'fastify'
import { Refusal } from '../refusal.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * Reads bodies of this media type as JSON in UTF-8. An empty one counts as none: many clients name the media type
 * with every call. Refuses: `malformed_request`, also for bytes that are no UTF-8 and for keys that would reach a
 * prototype.
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
        text = utf8.decode(body)
      } catch {
        return done(new Refusal('malformed_request', 'The body is not valid JSON in UTF-8.'))
      }
      return parse(request, text, done)
    },
  )
}
