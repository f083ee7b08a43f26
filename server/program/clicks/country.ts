import type { FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'
import type { Config } from '../../platform/config/config.ts'

/** The country a request came from, as two letters; null where nobody says it who is believed. */
type CountryOf = (request: Pick<FastifyRequest, 'headers' | 'socket'>) => string | null

/** What proxies say where they do not know. */
const UNKNOWN = 'XX'

/** Reads the header that the operator named, where the request came through a proxy that they trust. */
export function createCountryOf({
  countryHeader,
  trustProxy,
}: Pick<Config, 'countryHeader' | 'trustProxy'>): CountryOf {
  if (!countryHeader) return () => null
  const trusted = trustProxy.map((proxy) => {
    if (proxy.includes('/')) return ipaddr.parseCIDR(proxy)
    const address = ipaddr.process(proxy)
    return [address, address.kind() === 'ipv4' ? 32 : 128] as const
  })
  return ({ headers, socket: { remoteAddress = '' } }) => {
    if (!ipaddr.isValid(remoteAddress)) return null
    const peer = ipaddr.process(remoteAddress)
    const isTrusted = trusted.some(([net, bits]) => net.kind() === peer.kind() && peer.match([net, bits] as never))
    const said = isTrusted
      ? String(headers[countryHeader] ?? '')
          .trim()
          .toUpperCase()
      : ''
    return /^[A-Z]{2}$/.test(said) && said !== UNKNOWN ? said : null
  }
}
