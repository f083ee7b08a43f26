import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { acceptedEncodings } from './encodings.ts'

/** Fewest bytes to compress: an answer that fits into one packet arrives no sooner for being smaller. */
const PACKED_FROM = 1400
/** Fast rather than small: at this quality a list of 40 KB takes half a millisecond, and a tenth of its size. */
const BROTLI = {
  params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT },
}

const pack = { br: promisify(brotliCompress), gzip: promisify(gzip) }
const packers = {
  br: (text: string) => pack.br(text, BROTLI),
  gzip: (text: string) => pack.gzip(text),
}

/**
 * Compresses JSON answers for clients that accept it. The size cannot reveal a secret (BREACH): these answers require a
 * bearer token, which another site's page cannot make a browser send, and a new secret is shown in the answer to a
 * POST, which is never compressed.
 */
export function packAnswers(fastify: FastifyInstance) {
  // with a callback: a promise would slow down every redirect
  fastify.addHook('onSend', (request, reply, payload, done) => {
    const isRead = request.method === 'GET' && typeof payload === 'string'
    const isJson = isRead && String(reply.getHeader('content-type')).startsWith('application/json')
    if (!isJson || reply.hasHeader('content-encoding')) return done(null, payload)
    const varies = reply.getHeader('vary')
    reply.header('vary', varies ? `${varies}, accept-encoding` : 'accept-encoding')
    const [encoding] = payload.length < PACKED_FROM ? [] : acceptedEncodings(request.headers['accept-encoding'])
    if (!encoding) return done(null, payload)
    reply.header('content-encoding', encoding).removeHeader('content-length')
    // sending it may throw too
    packers[encoding](payload)
      .then((packed) => done(null, packed))
      .catch(done)
  })
}
