import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import proxyAddr from '@fastify/proxy-addr'
import { LRUCache } from 'lru-cache'
import { cleanForwardedFor } from './forwarded-for.ts'

/** Whether forwarded headers from this address are trusted. */
export type Trusts = (address: string) => boolean

/** Creates the check from the operator's list of proxies; results are cached, since proxies are few. */
export function createTrust(proxies: readonly string[]): Trusts {
  if (proxies.length === 0) return () => false
  const trusts = proxyAddr.compile([...proxies])
  const known = new LRUCache<string, boolean>({ max: 1000 })
  return (address) => {
    const before = known.get(address)
    if (before !== undefined) return before
    const found = isIP(address) > 0 && trusts(address, 0)
    known.set(address, found)
    return found
  }
}

/** Returns the caller's address, like Fastify for a routed request. */
export function callerAddress(request: IncomingMessage, trusts: Trusts): string {
  const peer = request.socket.remoteAddress ?? ''
  const said = request.headers['x-forwarded-for']
  if (said === undefined || !trusts(peer)) return peer
  if (typeof said === 'string' && isIP(said) > 0 && !said.includes('%')) return said
  cleanForwardedFor(request.headers)
  return proxyAddr(request, trusts)
}
