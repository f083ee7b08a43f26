import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'

/**
 * Reduces X-Forwarded-For to addresses, without the port that some proxies append. An entry that is no address is
 * dropped with all before it: then the host that passed it on counts as the caller.
 */
export function cleanForwardedFor(headers: IncomingMessage['headers']) {
  const said = headers['x-forwarded-for']
  if (said === undefined) return
  const addresses = String(said).split(',').map(addressIn)
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
