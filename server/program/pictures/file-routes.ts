import type { FastifyReply, FastifyRequest } from 'fastify'
import { type NamedLimit, UNKNOWN } from '../../platform/http/limits.ts'
import { isForeign } from '../../platform/http/request-domain.ts'
import { notFound } from '../../platform/refusal.ts'
import type { App } from '../access/route.ts'
import { createFileMap } from './file-map.ts'

/** Per network, which may be an office that reads a newsletter with a picture. */
const PICTURES: NamedLimit = { name: 'pictures', perMinute: 1200, by: 'network' }
/** A picture is never a page: whatever its bytes, nothing in it runs. */
const POLICY = "default-src 'none'; sandbox"

type Request = FastifyRequest<{ Params: { key: string } }>

/** `/files/{key}`: pictures for pages, mails and the sites of partners. From memory. */
export function fileRoutes({ fastify, services, limits }: App) {
  const pictures = createFileMap(services.db)
  fastify.addHook('onReady', () => pictures.ready)
  fastify.addHook('onClose', () => pictures.close())

  fastify.route({
    method: ['GET', 'HEAD'],
    url: '/files/:key',
    config: { policy: 'public', limit: PICTURES },
    async handler(request: Request, reply: FastifyReply) {
      const { key } = request.params
      const picture = /^[\w-]{22}$/.test(key) ? await pictures.find(key) : undefined
      if (!picture || isForeign(request.ownHost, picture.accountId)) {
        limits.check(reply, UNKNOWN, request.ip)
        throw notFound()
      }
      const etag = `"${picture.sha256}"`
      reply.headers({ 'content-security-policy': POLICY, 'cache-control': 'public, max-age=3600', etag })
      if (request.headers['if-none-match']?.split(/,\s*/).includes(etag)) return reply.code(304).send()
      reply.type(picture.type).header('content-length', picture.bytes.length)
      return reply.send(request.method === 'HEAD' ? null : picture.bytes)
    },
  })
}
