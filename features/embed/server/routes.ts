import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { userAuthor } from '#server/platform/author.ts'
import { readJson } from '#server/platform/http/json-body.ts'
import { type NamedLimit, UNKNOWN } from '#server/platform/http/limits.ts'
import { parseValue } from '#server/platform/http/parse.ts'
import { isForeign } from '#server/platform/http/request-domain.ts'
import { notFound } from '#server/platform/refusal.ts'
import { type App, route } from '#server/program/access/route.ts'
import { createCountryReader } from '#server/program/clicks/country.ts'
import type { RecordClick } from '#server/program/clicks/record-clicks.ts'
import type { EmbedFile } from '../../../embed/build.ts'
import * as contract from '../contract.ts'
import { getEmbedCode, saveEmbedCode, scriptAddress } from './embed-code.ts'
import { cookieFor } from './keep-reference.ts'
import { type EmbedFacts, type EmbedName, embeddedBy } from './queries.ts'
import { receiveClick } from './receive-click.ts'
import { receiveLead } from './receive-lead.ts'
import { scriptFile } from './script-file.ts'
import { getEmbedCheck, receiveCheck, startEmbedCheck } from './site-check.ts'

export function embedRoutes(app: App, { recordClick }: { recordClick: RecordClick }) {
  route(app, contract.getEmbedCode, ({ db, services, access }) => getEmbedCode(db, services.config, access.account.id))

  route(app, contract.saveEmbedCode, ({ db, services, actor, access, body }) =>
    saveEmbedCode(db, services.config, userAuthor(actor), access.account.id, body),
  )

  route(app, contract.startEmbedCheck, ({ db, access, body }) => startEmbedCheck(db, access.account.id, body))

  route(app, contract.getEmbedCheck, ({ db, access, params }) => getEmbedCheck(db, access.account.id, params.checkId))

  app.fastify.register(async (pages) => forPages(app, recordClick, pages))
}

const MAX_BYTES = 16_000
const ALL: NamedLimit = { name: 'embed-all', perMinute: 300, by: 'network' }
export const SENT: NamedLimit = { name: 'embed', perMinute: 60, by: 'network' }
export const PER_ACCOUNT: NamedLimit = { name: 'embed', perMinute: 6000, by: 'account' }

/**
 * Registers the calls open to pages of any site: without credentials, limited to what the account's embed code allows.
 */
function forPages(app: App, recordClick: RecordClick, pages: FastifyInstance) {
  const { services } = app
  const config = { policy: 'public', limit: ALL }
  const countryOf = createCountryReader(services.config)

  // Beacons send their JSON as text, which needs no preflight request.
  readJson(pages, 'text/plain', MAX_BYTES)
  pages.addHook('onRequest', async (_request, reply) => {
    reply.header('access-control-allow-origin', '*').header('cross-origin-resource-policy', 'cross-origin')
  })

  const receivers: Record<
    string,
    (embedded: EmbedFacts, request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>
  > = {
    async leads(embedded, request, reply) {
      await app.inTurn(embedded.account.id, () => receiveLead(services, embedded, request.body, request.headers.origin))
      return reply.code(202).send()
    },

    async clicks(embedded, request, reply) {
      const body = parseValue(contract.EmbeddedClick, request.body ?? {}, 'body')
      const { origin, 'user-agent': userAgent } = request.headers
      const from = { origin, address: request.ip, userAgent, country: countryOf(request) }
      return reply.code(202).send(await receiveClick({ ...services, recordClick }, embedded, body, from))
    },

    async checks(embedded, request, reply) {
      const body = parseValue(contract.ReportedEmbedCheck, request.body ?? {}, 'body')
      await receiveCheck(services.db, embedded.account.id, body)
      return reply.code(202).send()
    },

    async keep(embedded, request, reply) {
      const body = parseValue(contract.KeptReference, request.body ?? {}, 'body')
      const { origin, 'sec-fetch-site': fetchSite } = request.headers
      const cookie = cookieFor(embedded, body, { origin, fetchSite: fetchSite?.toString() }, services.db.now)
      if (cookie) reply.header('set-cookie', cookie)
      return reply.code(202).send()
    },
  }

  /** The addresses of a script, and prefixes of its calls. */
  const doors = [
    { at: '/embed', nameOf: (publicId: string): EmbedName => ({ publicId }) },
    { at: '/s', nameOf: (path: string): EmbedName => ({ path }) },
  ]
  for (const { at, nameOf } of doors) {
    pages.route<{ Params: { file: string } }>({
      method: ['GET', 'HEAD'],
      url: `${at}/:file`,
      config,
      async handler(request, reply) {
        const { file } = request.params
        if (!file.endsWith('.js')) throw notFound()
        return sendScript(request, reply, nameOf(file.slice(0, -3)), 'script')
      },
    })

    for (const file of ['picker', 'offer'] as const)
      pages.route<{ Params: { name: string } }>({
        method: ['GET', 'HEAD'],
        url: `${at}/:name/${file}.js`,
        config,
        handler: (request, reply) => sendScript(request, reply, nameOf(request.params.name), file),
      })

    pages.route({
      method: 'OPTIONS',
      url: `${at}/:name/:what`,
      config,
      handler: (_request, reply) =>
        reply
          .code(204)
          .header('access-control-allow-methods', 'POST')
          .header('access-control-allow-headers', 'content-type')
          .header('access-control-max-age', '86400')
          .send(),
    })

    for (const [what, handle] of Object.entries(receivers))
      pages.route<{ Params: { name: string } }>({
        method: 'POST',
        url: `${at}/:name/${what}`,
        bodyLimit: MAX_BYTES,
        config: { policy: 'public', limit: [ALL, SENT] },
        async handler(request, reply) {
          const embedded = await findEmbedded(request, reply, nameOf(request.params.name))
          app.limits.check(reply, PER_ACCOUNT, embedded.account.id)
          return handle(embedded, request, reply)
        },
      })
  }

  async function sendScript(request: FastifyRequest, reply: FastifyReply, name: EmbedName, which: EmbedFile) {
    const embedded = await findEmbedded(request, reply, name)
    const file = await scriptFile(scriptAddress(services.config, name), embedded, which)
    reply
      .header('cache-control', 'public, max-age=300')
      .header('etag', file.etag)
      .header('vary', 'accept-encoding')
      .type('text/javascript; charset=utf-8')
    if (request.headers['if-none-match']?.includes(file.etag)) return reply.code(304).send()
    const accepted = request.headers['accept-encoding'] ?? ''
    const encoding = /\bbr\b/.test(accepted) ? 'br' : /\bgzip\b/.test(accepted) ? 'gzip' : undefined
    if (encoding) reply.header('content-encoding', encoding)
    return reply.send(file[encoding ?? 'plain'])
  }

  async function findEmbedded(request: FastifyRequest, reply: FastifyReply, name: EmbedName): Promise<EmbedFacts> {
    const text = 'path' in name ? name.path : name.publicId
    const embedded = /^[\w-]{1,64}$/.test(text) ? await embeddedBy(services.db, name) : undefined
    if (embedded && !isForeign(request.ownHost, embedded.account.id)) return embedded
    app.limits.check(reply, UNKNOWN, request.ip)
    throw notFound()
  }
}
