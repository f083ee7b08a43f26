import { createOutbound, type Outbound, OutboundError } from '../../server/platform/http/outbound.ts'

/**
 * The names of the internet that a test has made up: their TXT records, and what answers over https at them. Addresses
 * of this machine are unchanged.
 */
export function anInternet() {
  const direct = createOutbound({ allowPrivate: true })
  /** Values by name. */
  const texts = new Map<string, string[]>()
  /** Addresses of servers by host. */
  const servers = new Map<string, string>()
  const state = { nameServersAnswer: true }
  /** Awaited before each answer of a name server. */
  const onAsked: ((name: string) => unknown)[] = []
  const outbound: Outbound = {
    ...direct,
    async texts(name) {
      const found = texts.get(name) ?? []
      for (const listen of onAsked) await listen(name)
      if (!state.nameServersAnswer) throw new OutboundError('timeout', `No name server answered for ${name} in time.`)
      return found
    },
    async userGiven(address, request = {}) {
      const { hostname, pathname, search } = new URL(address)
      if (/^(localhost|127\.[\d.]+)$/.test(hostname)) return direct.userGiven(address, request)
      const server = servers.get(hostname)
      if (!server) throw new OutboundError('network', `The host name ${hostname} can’t be found.`)
      return direct.userGiven(`${server}${pathname}${search}`, {
        ...request,
        headers: { ...request.headers, host: hostname },
      })
    },
  }
  return { outbound, texts, servers, state, onAsked }
}
