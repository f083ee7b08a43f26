import { lookup, Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import { StringDecoder } from 'node:string_decoder'
import ipaddr from 'ipaddr.js'
import type { Agent, buildConnector, Dispatcher, Pool } from 'undici'
import type { Config } from '../config/config.ts'
import { timeSpan } from '../span.ts'
import { withTimeout } from '../with-timeout.ts'
import { spanOfWork } from '../work-context.ts'

export type OutboundRequest = {
  /** Defaults to GET. */
  method?: string
  headers?: Record<string, string>
  body?: string | Buffer
  /** For the whole exchange, including the name's resolution. */
  timeoutMs?: number
  maxBytes?: number
}

/** `truncated`: the answer exceeded `maxBytes`; the rest was not read. */
export type OutboundAnswer = { status: number; headers: Record<string, string>; text: string; truncated: boolean }

type Kind = 'refused-address' | 'timeout' | 'network' | 'too-large'

/** There was no usable answer. The message is a sentence a person can act on. */
export class OutboundError extends Error {
  readonly kind: Kind
  constructor(kind: Kind, message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'OutboundError'
    this.kind = kind
  }
}

export type Outbound = {
  /**
   * Calls an address configured by the operator or a provider's own: not guarded. 20 s and 2 MB by default. Throws
   * `OutboundError`; after `timeout` and `network` the other side may have acted.
   */
  provider(url: string, request?: OutboundRequest): Promise<OutboundAnswer>
  /**
   * Calls a user's address: public addresses only (security.md, section 8). 15 s; the first 64 kB are read. Redirects
   * are returned, not followed. Throws `OutboundError`.
   */
  userGiven(url: string, request?: OutboundRequest): Promise<OutboundAnswer>
  /** Like `userGiven`, for many requests to one address. */
  lineTo(url: string, connections: number): OutboundLine
  /** Returns, in words, what is wrong with the address itself, or null. Does not resolve names: for forms. */
  checkUserUrl(url: string): string | null
  /** Returns the TXT records of a name, none if it has none. Throws `OutboundError` if that can't be found out in 2 s. */
  texts(name: string): Promise<string[]>
  close(): Promise<void>
}

/** Connections to a user's address, kept open between requests; each is resolved and checked when opened. */
export type OutboundLine = {
  send(request: OutboundRequest): Promise<OutboundAnswer>
  /** Waits for pending requests. */
  close(): void
  /** Cuts pending requests off. */
  cut(): void
}

/** Returns every address of a host name. */
type Resolve = (host: string) => Promise<string[]>

const RESOLVE_MS = 2_000
const CONNECT_MS = 5_000
/** Most addresses of a name that are tried. */
const MAX_ADDRESSES = 4
const AGENT = 'Tributary'

/**
 * Creates this process's only outgoing HTTP client. `allowPrivate` is ALLOW_PRIVATE_WEBHOOK_TARGETS: for its hosts and
 * networks it permits http, ports, IP literals, single labels, reserved endings and private addresses, but never clouds'
 * metadata addresses.
 */
export function createOutbound(options: {
  allowPrivate: PrivateTargets
  resolve?: Resolve
  /** By default those of the system. */
  nameServers?: readonly string[]
}): Outbound {
  const { allowPrivate, nameServers } = options
  const resolve =
    options.resolve ?? ((host) => (isFreed(allowPrivate, host) ? resolveAsSystem(host) : resolveByDns(host)))
  let providers: Agent | undefined

  function lineTo(address: string, connections: number): OutboundLine {
    const wrong = checkUserUrl(address, allowPrivate)
    const url = URL.parse(address)
    let pool: Promise<Pool> | undefined
    const open = async () => {
      const { Pool, buildConnector } = await library()
      const connector = buildConnector({ timeout: CONNECT_MS, maxCachedSessions: 0, allowH2: false })
      const connect = guarded(connector, resolve, allowPrivate)
      return new Pool(url!.origin, { connections, connect, allowH2: false, pipelining: 1 })
    }
    return {
      async send({ timeoutMs = 15_000, maxBytes = 64_000, ...request }) {
        if (wrong) throw new OutboundError('refused-address', wrong)
        pool ??= open()
        return timedExchange(await pool, url!, request, timeoutMs, maxBytes)
      },
      close: () => void pool?.then((opened) => opened.close()).catch(() => {}),
      cut: () => void pool?.then((opened) => opened.destroy()).catch(() => {}),
    }
  }

  return {
    async provider(address, { timeoutMs = 20_000, maxBytes = 2_000_000, ...request } = {}) {
      const url = URL.parse(address)
      if (!url || !isWeb(url))
        throw new OutboundError('refused-address', 'The configured address is not a web address.')
      const { Agent } = await library()
      providers ??= new Agent({ allowH2: false, connect: { timeout: CONNECT_MS } })
      const answer = await timedExchange(providers, url, request, timeoutMs, maxBytes)
      if (answer.truncated)
        throw new OutboundError('too-large', `${url.host} answered more than ${maxBytes} bytes, too much to use.`)
      return answer
    },
    async userGiven(address, request) {
      const line = lineTo(address, 1)
      try {
        return await line.send(request ?? {})
      } finally {
        line.cut()
      }
    },
    lineTo,
    checkUserUrl: (address) => checkUserUrl(address, allowPrivate),
    texts: (name) => textsByDns(name, nameServers),
    close: async () => providers?.destroy(),
  }
}

/** Hosts and networks that are freed from the guard; true frees every private address. */
export type PrivateTargets = Config['allowPrivateWebhookTargets']

/** Whether a host name, or an address, is among the freed ones. */
export function isFreed(targets: PrivateTargets, hostname: string): boolean {
  if (typeof targets === 'boolean') return targets
  const host = bare(hostname).toLowerCase()
  if (!ipaddr.isValid(host)) return targets.includes(host)
  const address = ipaddr.process(host)
  return targets.some((target) => {
    if (!ipaddr.isValid(target) && !ipaddr.isValidCIDR(target)) return false
    const [network, bits] = ipaddr.isValidCIDR(target)
      ? ipaddr.parseCIDR(target)
      : ([ipaddr.parse(target), ipaddr.parse(target).kind() === 'ipv4' ? 32 : 128] as const)
    return network.kind() === address.kind() && address.match(network as never, bits)
  })
}

/** Loaded on first use: it takes longer than the rest of the start. */
const library = () => import('undici')

/** Traces as a part of its request or job, by host only: an address may contain names and credentials. */
function timedExchange(...[dispatcher, url, request, ...limits]: Parameters<typeof exchange>): Promise<OutboundAnswer> {
  const ask = () => exchange(dispatcher, url, request, ...limits)
  const { method = 'GET' } = request
  const span = spanOfWork()?.part('asked', `${method} ${url.hostname}`, {
    'http.request.method': method,
    'server.address': url.hostname,
  })
  if (!span) return ask()
  return timeSpan(span, async () => {
    const answer = await ask()
    span.note({ 'http.response.status_code': answer.status })
    return answer
  })
}

/** Exchanges without a stream of the answer, which is expensive: deliveries come by the thousand. */
function exchange(
  dispatcher: Dispatcher,
  url: URL,
  { method = 'GET', headers, body }: OutboundRequest,
  timeoutMs: number,
  maxBytes: number,
): Promise<OutboundAnswer> {
  return new Promise((resolve, reject) => {
    let controller: Dispatcher.DispatchController | undefined
    let isOver = false
    const over = () => {
      isOver = true
      clearTimeout(late)
    }
    const stop = () => controller?.abort(new Error('stopped'))
    const fail = (error: unknown) => {
      if (isOver) return
      over()
      reject(explain(error, url.host))
    }
    const late = setTimeout(() => {
      fail(new OutboundError('timeout', `${url.host} did not answer within ${timeoutMs / 1000} s.`))
      stop()
    }, timeoutMs)

    const decoder = new StringDecoder('utf8')
    let [status, text, left] = [0, '', maxBytes]
    let answered: Headers = {}
    const succeed = (truncated: boolean) => {
      if (isOver) return
      over()
      resolve({ status, headers: flat(answered), text: truncated ? text : text + decoder.end(), truncated })
    }
    const request: Dispatcher.DispatchOptions = {
      origin: url.origin,
      path: url.pathname + url.search,
      method: method as Dispatcher.HttpMethod,
      headers: { 'user-agent': AGENT, ...headers },
      body: body ?? null,
      headersTimeout: 0,
      bodyTimeout: 0,
    }
    try {
      dispatcher.dispatch(request, {
        onRequestStart(started) {
          controller = started
          if (isOver) stop()
        },
        onResponseStart(_, code, given) {
          status = code
          answered = given
        },
        onResponseData(_, chunk) {
          text += decoder.write(chunk.subarray(0, left))
          const isMore = chunk.length > left
          left = Math.max(0, left - chunk.length)
          if (!isMore) return
          // the rest is not read
          succeed(true)
          stop()
        },
        onResponseEnd: () => succeed(false),
        onResponseError: (_, error) => fail(error),
      })
    } catch (error) {
      fail(error)
    }
  })
}

type Headers = Record<string, string | string[] | undefined>
const flat = (headers: Headers) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value ?? ''].flat().join(', ')]))

function explain(error: unknown, host: string): OutboundError {
  if (error instanceof OutboundError) return error
  const { code = '', message = '' } = (error ?? {}) as { code?: string; message?: string }
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT')
    return new OutboundError('timeout', `${host} did not take the connection in time.`, error)
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return new OutboundError('network', `The host name ${host} can’t be found.`, error)
  if (/CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO/.test(code))
    return new OutboundError('network', `The certificate of ${host} isn’t trusted (${code}).`, error)
  return new OutboundError('network', `The connection to ${host} failed (${code || message}).`, error)
}

/**
 * Resolves, refuses the name if any of its addresses is forbidden, and connects to a checked address, so that a second
 * answer of the name server cannot matter. TLS still verifies the name.
 */
function guarded(
  connect: buildConnector.connector,
  resolve: Resolve,
  allowPrivate: PrivateTargets,
): buildConnector.connector {
  const once = (options: buildConnector.Options) =>
    new Promise<buildConnector.CallbackArgs[1]>((done, fail) =>
      connect(options, (error, socket) => (error ? fail(error) : done(socket))),
    )
  const connectChecked = async (options: buildConnector.Options) => {
    const host = bare(options.hostname)
    const late = (): never => {
      throw new OutboundError('timeout', `The host name ${host} could not be resolved in time.`)
    }
    const addresses = isIP(host) ? [host] : await withTimeout(RESOLVE_MS, resolve(host), late)
    if (!addresses.length) throw new OutboundError('network', `The host name ${host} can’t be found.`)
    for (const address of addresses) refuse(address, host, allowPrivate)
    let last: unknown
    for (const address of addresses.slice(0, MAX_ADDRESSES)) {
      try {
        const servername = options.protocol === 'https:' && !isIP(host) ? host : undefined
        return await once({ ...options, hostname: address, host: address, servername })
      } catch (error) {
        last = error
      }
    }
    throw last
  }
  return (options, callback) => {
    connectChecked(options).then(
      (socket) => callback(null, socket as never),
      (error) => callback(error, null),
    )
  }
}

function refuse(address: string, host: string, allowPrivate: PrivateTargets) {
  const isFree = isFreed(allowPrivate, host) || isFreed(allowPrivate, address)
  if (isAllowedAddress(address, isFree)) return
  const words = isFree ? 'a reserved or metadata address' : 'an address that is not public'
  throw new OutboundError('refused-address', `${host} leads to ${words}. Use a host on the public internet.`)
}

/** Addresses in otherwise harmless ranges where clouds return the machine's own credentials. */
const METADATA = ['168.63.129.16/32', '100.100.100.200/32', '192.0.0.192/32', 'fd00:ec2::/32', 'fd20:ce::/32'].map(
  (network) => ipaddr.parseCIDR(network),
)
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3')
const OPEN_IPV4 = ['unicast', 'private', 'loopback', 'carrierGradeNat']

/**
 * Whether an address may be connected to. The list contains allowed ranges: so IPv6 forms with an embedded IPv4 address
 * are excluded automatically, and link-local ones, with metadata, always are.
 */
export function isAllowedAddress(address: string, allowPrivate: boolean): boolean {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.parse(address)
  const range: string = parsed.range()
  if (METADATA.some(([network, bits]) => network.kind() === parsed.kind() && parsed.match(network as never, bits)))
    return false
  if (parsed instanceof ipaddr.IPv4) return allowPrivate ? OPEN_IPV4.includes(range) : range === 'unicast'
  if (parsed.match(GLOBAL_IPV6) && range === 'unicast') return true
  if (!allowPrivate) return false
  if (parsed.isIPv4MappedAddress()) return isAllowedAddress(parsed.toIPv4Address().toString(), true)
  return range === 'loopback' || range === 'uniqueLocal'
}

const isWeb = (url: URL) => url.protocol === 'https:' || url.protocol === 'http:'
/** Removes the brackets of IPv6 and the trailing dot of a root name. */
const bare = (hostname: string) => hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')

function checkUserUrl(address: string, targets: PrivateTargets): string | null {
  if (address.length > 2048) return 'Use an address of at most 2,048 characters.'
  // The parser drops invisible characters; a person would read another address than the one called.
  const visible = [...address].every((character) => character > ' ' && character !== '\u007f')
  const url = visible ? URL.parse(address) : null
  if (!url || !isWeb(url)) return 'Enter a full web address such as https://example.com/hook.'
  const host = bare(url.hostname).toLowerCase()
  const allowPrivate = isFreed(targets, host)
  if (url.protocol !== 'https:' && !allowPrivate) return 'Use an address that starts with https://.'
  if (url.username || url.password) return 'Leave the user name and password out of the address.'
  if (isIP(host)) {
    if (!allowPrivate) return 'Use a host name instead of an IP address.'
    return isAllowedAddress(host, true) ? null : 'Requests to this IP address are not allowed.'
  }
  if ((targets === true || !allowPrivate) && (/(^|\.)(local|internal)$/.test(host) || /\.localhost$/.test(host)))
    return 'Use a host on the public internet. Names under .local, .internal and .localhost don’t work.'
  if (allowPrivate) return null
  if (!host.includes('.')) return 'Use a full host name such as hooks.example.com.'
  if (!['', '443', '8443'].includes(url.port)) return 'Use port 443 or 8443.'
  return null
}

/** Refuses names used by the message, the connection or the signature, and values that would end the line. */
export function checkUserHeader(name: string, value: string): string | null {
  if (!/^[!#$%&'*+.^_`|~0-9a-z-]{1,100}$/i.test(name)) return 'Use letters, digits and hyphens in a header name.'
  if (RESERVED_HEADER.test(name)) return `The header ${name} is set for every delivery and can’t be changed.`
  if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) return 'Use a header value on one line, without special characters.'
  return null
}
const RESERVED_HEADER =
  /^(host|connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|expect|http2-settings|content-.*|webhook-.*)$/i

/**
 * Queries the name servers directly: the system's resolver would block one of few threads while they do not respond.
 */
async function resolveByDns(host: string): Promise<string[]> {
  const resolver = new Resolver({ timeout: RESOLVE_MS, tries: 1 })
  const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
  const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  const failure = answers.find((answer) => answer.status === 'rejected')
  if (!addresses.length && failure) throw failure.reason
  return addresses
}

/** Names that exist on no public name server. */
const NOT_PUBLIC = /(^|\.)(local|internal|localhost|invalid)$/

/** A value of more than 255 bytes comes in pieces. */
async function textsByDns(name: string, nameServers?: readonly string[]): Promise<string[]> {
  if (NOT_PUBLIC.test(name)) return []
  const resolver = new Resolver({ timeout: RESOLVE_MS, tries: 1 })
  if (nameServers) resolver.setServers(nameServers)
  const late = (): never => {
    resolver.cancel()
    throw new OutboundError('timeout', `No name server answered for ${name} in time.`)
  }
  try {
    const records = await withTimeout(RESOLVE_MS, resolver.resolveTxt(name), late)
    return records.map((pieces) => pieces.join(''))
  } catch (error) {
    const { code = '' } = error as { code?: string }
    if (code === 'ENODATA' || code === 'ENOTFOUND') return []
    if (error instanceof OutboundError) throw error
    if (code === 'ETIMEOUT') return late()
    throw new OutboundError('network', `The name servers of ${name} could not answer (${code}).`, error)
  }
}

/** Also resolves names of the hosts file, such as `localhost`. */
async function resolveAsSystem(host: string): Promise<string[]> {
  return (await lookup(host, { all: true })).map(({ address }) => address)
}
