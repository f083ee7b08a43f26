import { BlockList, isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Normalizes addresses and networks: each in its shortest form, IPv4 as IPv4, a network by its first address. */
export const normalizedIps = (given: readonly string[]) => [...new Set(given.map(normalized))]

function normalized(given: string): string {
  const [address = '', prefix] = given.split('/')
  const parsed = ipaddr.parse(inHex(address))
  const isMapped = parsed instanceof ipaddr.IPv6 && parsed.isIPv4MappedAddress()
  // an IPv4 network in IPv6 notation has 96 bits more; one with fewer bits contains more than IPv4
  const holdsMore = isMapped && prefix !== undefined && Number(prefix) < 96
  const ip = isMapped && !holdsMore ? parsed.toIPv4Address() : parsed
  const [family, whole] = ip.kind() === 'ipv4' ? [ipaddr.IPv4, 32] : [ipaddr.IPv6, 128]
  const bits = prefix === undefined ? whole : Number(prefix) - (isMapped && !holdsMore ? 96 : 0)
  return bits === whole ? ip.toString() : `${family.networkAddressFromCIDR(`${ip}/${bits}`)}/${bits}`
}

/** Rewrites without dots: ipaddr.js reads the obsolete ::1.2.3.4 as ::ffff:1.2.3.4. */
const inHex = (address: string) =>
  address.includes(':') ? new URL(`http://[${address}]`).hostname.slice(1, -1) : address

/** Whether deliveries are accepted from this address, which may be IPv4 in IPv6 notation. */
export function isAllowedIp(allowed: readonly string[], address: string): boolean {
  if (allowed.length === 0) return true
  const [ip = ''] = address.split('%')
  if (!isIP(ip)) return false
  const list = new BlockList()
  for (const one of allowed) {
    const [network = '', prefix] = one.split('/')
    if (prefix === undefined) list.addAddress(network, familyOf(network))
    else list.addSubnet(network, Number(prefix), familyOf(network))
  }
  return list.check(ip, familyOf(ip))
}

const familyOf = (address: string) => (isIP(address) === 4 ? 'ipv4' : 'ipv6')
