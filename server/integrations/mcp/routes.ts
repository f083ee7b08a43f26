import type { FastifyReply, FastifyRequest } from 'fastify'
import { apiLimit } from '#contract/endpoint.ts'
import { toOrigin } from '../../platform/author.ts'
import { UNKNOWN } from '../../platform/http/limits.ts'
import { refusal } from '../../platform/refusal.ts'
import { type Actor, findActorByUserToken, USER_TOKEN_PREFIX } from '../../program/access/actor.ts'
import { type App, countByToken, requestFacts } from '../../program/access/route.ts'
import type { createServing } from './serve.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The token's user. Set before the body is read, at the address of the Model Context Protocol. */
    reader: Actor
  }
}

const PATH = '/mcp'
const MAX_BYTES = 256_000
/** Same limit as API calls: most requests make one of them. */
const PER_TOKEN = { ...apiLimit, name: 'mcp' }

/** Registers the Model Context Protocol: an assistant may read what the token's user may. */
export function mcpRoutes(app: App) {
  const { fastify, services } = app
  const { origin } = new URL(services.config.appUrl)
  // loaded on first use: most installs have no assistant
  let serving: Promise<ReturnType<typeof createServing>> | undefined

  fastify.decorateRequest('reader')
  fastify.post(PATH, {
    bodyLimit: MAX_BYTES,
    config: { policy: 'user-token', limit: PER_TOKEN, countsItself: true },
    // before the body is read
    async onRequest(request, reply) {
      const find = (token: string) =>
        token.startsWith(USER_TOKEN_PREFIX) ? findActorByUserToken(services.db, token) : Promise.resolve(undefined)
      const actor = await countByToken(app, PER_TOKEN, request, reply, find)
      if (!actor) {
        reply.header('www-authenticate', 'Bearer')
        throw refusal('user_token_not_valid')
      }
      // a page opened under another name of this host (DNS rebinding) sends its own origin
      if (request.headers.origin !== undefined && request.headers.origin !== origin) throw refusal('other_site')
      request.reader = { ...actor, from: toOrigin({ address: request.ip, id: request.id }) }
    },
    async handler(request, reply) {
      if (typeof request.body !== 'object' || request.body === null || Array.isArray(request.body))
        return refuse(reply, 400, { code: -32600, message: 'Send one request at a time, as a JSON object.' })
      serving ??= import('./serve.ts').then(({ createServing }) => createServing(app))
      const serve = await serving
      const answer = await serve(webRequest(request, `${origin}${PATH}`), request.body, {
        actor: request.reader,
        from: requestFacts(request),
      })
      const type = answer.headers.get('content-type')
      // the answer is complete by now, whether JSON or a stream of one event
      const body = await answer.text()
      reply.code(answer.status).header('cache-control', 'no-store')
      return body === '' ? reply.send() : reply.type(type ?? 'application/json').send(body)
    },
  })

  // stateless, so there is no stream to open and no session to end
  for (const method of ['GET', 'DELETE'] as const)
    fastify.route({
      method,
      url: PATH,
      config: { policy: 'public', limit: UNKNOWN },
      handler: (_request, reply) =>
        refuse(reply.header('allow', 'POST'), 405, { code: -32000, message: 'Method not allowed.' }),
    })
}

const HEADERS = ['accept', 'content-type', 'mcp-protocol-version', 'mcp-method', 'mcp-name']

function webRequest({ headers }: FastifyRequest, url: string) {
  const given = HEADERS.flatMap((name) => (typeof headers[name] === 'string' ? [[name, headers[name]]] : []))
  return new Request(url, { method: 'POST', headers: Object.fromEntries(given) })
}

const refuse = (reply: FastifyReply, status: number, error: { code: number; message: string }) =>
  reply.code(status).header('cache-control', 'no-store').send({ jsonrpc: '2.0', id: null, error })
