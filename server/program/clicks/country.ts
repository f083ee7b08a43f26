import type { FastifyRequest } from 'fastify'
import type { Config } from '../../platform/config/config.ts'
import { createTrust } from '../../platform/http/caller-address.ts'

/** Country of a request as two letters; null without a trusted source. */
type CountryReader = (request: Pick<FastifyRequest, 'headers' | 'socket'>) => string | null

/** The code proxies send for an unknown country. */
const UNKNOWN = 'XX'

/** Reads the country header configured by the operator if the request came through a trusted proxy. */
export function createCountryReader({
  countryHeader,
  trustProxy,
}: Pick<Config, 'countryHeader' | 'trustProxy'>): CountryReader {
  if (!countryHeader) return () => null
  const trusts = createTrust(trustProxy)
  return ({ headers, socket: { remoteAddress = '' } }) => {
    if (!trusts(remoteAddress)) return null
    const country = String(headers[countryHeader] ?? '')
      .trim()
      .toUpperCase()
    return /^[A-Z]{2}$/.test(country) && country !== UNKNOWN ? country : null
  }
}
