import type { FastifyReply, FastifyRequest } from 'fastify'
import { createTrust } from '../../platform/http/caller-address.ts'
import { parseHostname } from '../../platform/http/install-proof.ts'
import { type NamedLimit, UNKNOWN } from '../../platform/http/limits.ts'
import { notFound } from '../../platform/refusal.ts'
import type { App } from '../access/route.ts'
import type { HostMap } from './host-map.ts'

/** A proxy makes this call for each name without a certificate, even made-up ones. */
const ASKED: NamedLimit = { name: 'health-host', perMinute: 6000, by: 'network' }

type Request = FastifyRequest<{ Querystring: { domain?: unknown } }>

/** `/health/host?domain=`: whether a proxy on this machine, or a trusted one, may obtain a certificate for a name. */
export function hostRoutes(app: App, hosts: HostMap) {
  const { fastify, services, limits } = app
  const isLocal = createTrust(['loopback'])
  const isTrusted = createTrust(services.config.trustProxy)
  /** The request comes from the proxy itself, not from a caller through it. */
  const isProxy = ({ headers, socket: { remoteAddress = '' } }: Request) =>
    (isLocal(remoteAddress) || isTrusted(remoteAddress)) && !FORWARDED.some((name) => headers[name] !== undefined)

  fastify.get(
    '/health/host',
    { config: { policy: 'public', limit: ASKED } },
    async (request: Request, reply: FastifyReply) => {
      const { domain } = request.query
      const isFromProxy = isProxy(request)
      const found = isFromProxy && typeof domain === 'string' ? await hosts.find(parseHostname(domain)) : undefined
      if (!isFromProxy) limits.check(reply, UNKNOWN, request.ip)
      if (!found) throw notFound()
      return { status: 'known' }
    },
  )
}

const FORWARDED = ['x-forwarded-for', 'forwarded', 'x-real-ip']
