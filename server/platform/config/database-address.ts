import { randomUUID } from 'node:crypto'

/** Splits libpq's address of several hosts into one per host: `postgres://user:password@a:5432,b:5432/name`. */
export function eachHost(address: string): string[] {
  const [, before = '', hosts = address, after = ''] = PARTS.exec(address) ?? []
  return hosts.split(',').map((host) => before + host + after)
}
const PARTS = /^(\w+:\/\/(?:[^/?#]*@)?)([^/?#@]*)(.*)$/s

/** Whether it is a database address. Only a single host may be empty: it is a socket, or this machine. */
export function isDatabaseAddress(text: string): boolean {
  const each = eachHost(text).map((one) => URL.parse(one))
  return each.every((one) => /^postgres(ql)?:$/.test(one?.protocol ?? '') && (each.length === 1 || one?.hostname))
}

/**
 * Returns a function that adds a unique application name to an address, so that its connections are recognised in
 * `pg_stat_activity`, also the one that watches which host accepts writes.
 */
export function namedApart(): (address: string) => string {
  const name = encodeURIComponent(`tributary ${randomUUID()}`)
  return (address) => `${address}${address.includes('?') ? '&' : '?'}application_name=${name}`
}
