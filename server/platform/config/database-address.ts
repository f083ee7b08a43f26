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
