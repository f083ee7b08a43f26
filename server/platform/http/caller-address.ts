import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import proxyAddr from '@fastify/proxy-addr'
import { LRUCache } from 'lru-cache'

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
  const forwardedFor = request.headers['x-forwarded-for']
  if (forwardedFor === undefined || !trusts(peer)) return peer
  if (typeof forwardedFor === 'string' && isIP(forwardedFor) > 0 && !forwardedFor.includes('%')) return forwardedFor
  cleanForwardedFor(request.headers)
  return proxyAddr(request, trusts)
}

/**
 * Reduces X-Forwarded-For to addresses, without the port that some proxies append. An entry that is no address is
 * dropped with all before it: then the host that passed it on counts as the caller.
 */
export function cleanForwardedFor(headers: IncomingMessage['headers']) {
  const forwardedFor = headers['x-forwarded-for']
  if (forwardedFor === undefined) return
  const addresses = String(forwardedFor).split(',').map(addressIn)
  const believed = addresses.slice(addresses.lastIndexOf(undefined) + 1)
  if (believed.length > 0) headers['x-forwarded-for'] = believed.join(', ')
  else delete headers['x-forwarded-for']
}

/**
 * Parses `192.0.2.1`, `192.0.2.1:567`, `2001:db8::1`, `[2001:db8::1]` or `[2001:db8::1]:567`. A zone is meaningless
 * elsewhere.
 */
function addressIn(entry: string): string | undefined {
  const text = entry.trim()
  const [, v4, v6] = /^(?:([\d.]+):\d{1,5}|\[([^\]]+)\](?::\d{1,5})?)$/.exec(text) ?? []
  const address = v4 ?? v6 ?? text
  return isIP(address) > 0 && !address.includes('%') ? address : undefined
}
