import type { FastifyInstance } from 'fastify'
import type { Config } from '../../platform/config/config.ts'
import { parseHostname } from '../../platform/http/install-proof.ts'
import type { RequestDomain } from '../../platform/http/request-domain.ts'
import { notFound } from '../../platform/refusal.ts'
import type { HostMap } from './host-map.ts'
import { portalUrl } from './portal-url.ts'

/** Addresses of the install and of owners' systems, which are at APP_URL alone. */
const ELSEWHERE = /^\/(hooks|mcp|metrics)(\/|$)/
/** Addresses that still work at a host that was given up, and whether it leads here. */
const GIVEN_UP = /^\/(r|files|join|mail\/unsubscribe)\//
/** Screens that mails led to, which do not work there; the browser keeps a token behind the address. */
const MOVED = /^\/(join\/confirm|user-setup|auth\/reset-password|mail\/unsubscribe\/[\w-]+)$/
/** Answered alike at every name, also while a name could not be looked up. */
const HEALTH = /^\/health\//
/** Addresses that name an account by its public id. */
const OF_ACCOUNT = /^\/(?:embed|portal)\/([\w-]{1,64}?)(?:\.js)?(?:\/|$)/

type HostLookup = RequestDomain | undefined

/** Returns the account's own host that a Host header names: undefined for APP_URL's, at no cost, and for an unknown one. */
export function createHostFinder({ appUrl }: Pick<Config, 'appUrl'>, hosts: HostMap) {
  const { host } = new URL(appUrl)
  return (header: string | undefined): HostLookup | Promise<HostLookup> =>
    header === host ? undefined : hosts.find(parseHostname(header))
}
export type HostOf = ReturnType<typeof createHostFinder>

/**
 * Finds the own host of each request; there only what is its account's is answered. The name is the one in the Host
 * header, which a proxy passes on: a host is ready only if it does.
 */
export function answerAtOwnHosts(fastify: FastifyInstance, config: Config, hostOf: HostOf) {
  const isSecure = config.appUrl.startsWith('https:')
  fastify.decorateRequest('ownHost', undefined)
  fastify.addHook('onRequest', async (request, reply) => {
    const path = decodedPath(request.url)
    if (HEALTH.test(path)) return
    const found = await hostOf(request.headers.host)
    if (!found) return
    request.ownHost = found
    // partners reach it by https, whatever APP_URL is
    if (!isSecure && found.state === 'ready') reply.header('strict-transport-security', 'max-age=31536000')
    const [, publicId] = OF_ACCOUNT.exec(path) ?? []
    const isOthers = publicId !== undefined && publicId !== found.publicId
    // a mail program that unsubscribes its reader follows no redirect
    if (found.isGivenUp && request.method !== 'POST' && MOVED.test(path))
      return reply
        .code(302)
        .header('location', `${portalUrl(config, found)}${path}`)
        .send()
    if (isOthers || ELSEWHERE.test(path) || (found.isGivenUp && !GIVEN_UP.test(path))) throw notFound()
  })
}

/** Returns the path of an address as the router reads it, whatever letters of it are percent-encoded. */
function decodedPath(url: string): string {
  const path = url.split('?', 1)[0]!
  try {
    return decodeURI(path)
  } catch {
    // the router refuses it
    return path
  }
}
