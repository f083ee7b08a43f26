import type { FastifyInstance } from 'fastify'

/** Fastify refuses any other text in the header before it looks for a parser. */
const MEDIA_TYPE = /^\s*[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(?:;|$)/

/** Reads bodies as bytes, whatever their media type is, or if senders give one that is none, such as `json`. */
export function readBytes(corner: FastifyInstance) {
  corner.removeAllContentTypeParsers()
  corner.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  corner.addHook('onRequest', (request, _reply, done) => {
    if (!MEDIA_TYPE.test(request.headers['content-type'] ?? '')) delete request.headers['content-type']
    done()
  })
}
