import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import proxyAddr from '@fastify/proxy-addr'
import { LRUCache } from 'lru-cache'
import { cleanForwardedFor } from './forwarded-for.ts'

/** Whether what this address passes on about others is believed. */
export type Trusts = (address: string) => boolean

/** From the operator's list of proxies, which are few: what was found out of an address is remembered. */
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

/** The caller's address, as Fastify finds it for a request that goes through its router. */
export function callerAddress(request: IncomingMessage, trusts: Trusts): string {
  const peer = request.socket.remoteAddress ?? ''
  const said = request.headers['x-forwarded-for']
  if (said === undefined || !trusts(peer)) return peer
  if (typeof said === 'string' && isIP(said) > 0 && !said.includes('%')) return said
  cleanForwardedFor(request.headers)
  return proxyAddr(request, trusts)
}
