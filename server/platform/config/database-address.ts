import { randomUUID } from 'node:crypto'

/** An address of several hosts, as libpq reads it, as one of each: `postgres://user:password@a:5432,b:5432/name`. */
export function eachHost(address: string): string[] {
  const [, before = '', hosts = address, after = ''] = PARTS.exec(address) ?? []
  return hosts.split(',').map((host) => before + host + after)
}
const PARTS = /^(\w+:\/\/(?:[^/?#]*@)?)([^/?#@]*)(.*)$/s

/** Only a single host may go without a name: it is that of a socket, or of this machine. */
export function isDatabaseAddress(text: string): boolean {
  const each = eachHost(text).map((one) => URL.parse(one))
  return each.every((one) => /^postgres(ql)?:$/.test(one?.protocol ?? '') && (each.length === 1 || one?.hostname))
}

/**
 * Has whoever connects by an address named as nobody else is, so that they are told from others in `pg_stat_activity`: also
 * the connection that watches which of several hosts takes writes.
 */
export function namedApart(): (address: string) => string {
  const name = encodeURIComponent(`tributary ${randomUUID()}`)
  return (address) => `${address}${address.includes('?') ? '&' : '?'}application_name=${name}`
}
