import { createHash, randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { plainCode } from '#contract/values.ts'
import { codesInPath } from '../../../embed/address.ts'
import { classifyDatabaseError } from '../../platform/database/database-errors.ts'
import { newId } from '../../platform/database/ids.ts'
import type { AnswerCounting } from '../../platform/http/answer-times.ts'
import { callerAddress, createTrust } from '../../platform/http/caller-address.ts'
import { asRefusal, failAnswer } from '../../platform/http/errors.ts'
import type { FastPathHandler } from '../../platform/http/fast-path.ts'
import { type NamedLimit, UNKNOWN } from '../../platform/http/limits.ts'
import { isForeign, type RequestDomain } from '../../platform/http/request-domain.ts'
import { contentSecurityPolicy, securityHeaders } from '../../platform/http/security-headers.ts'
import { visitorHash } from '../../platform/http/visitor-hash.ts'
import type { Services } from '../../platform/services.ts'
import { dayIn } from '../../platform/time/days.ts'
import type { App } from '../access/route.ts'
import type { HostOf } from '../custom-domains/at-own-host.ts'
import { isCode } from './attribution.ts'
import { clicksLost } from './click-measures.ts'
import { createCountryReader } from './country.ts'
import type { LinkMap, LinkTarget } from './link-map.ts'
import { resolveOwnLink } from './own-link.ts'
import { paidParametersIn } from './paid-parameters.ts'
import type { CodeOwner, NewClick } from './queries.ts'
import type { RecordClick } from './record-clicks.ts'
import { obstacleTo } from './recording.ts'
import { subIdIn } from './sub-id.ts'
import { hostIn, readUserAgent } from './visitor.ts'

export const VISITS: NamedLimit = { name: 'visits', perMinute: 600, by: 'network' }

/**
 * `/r/{blueprintKey}/{referralCode}`, and whatever chats, mails and sentences make of it: counts the visit, then redirects. The click is committed before the answer is
 * sent. If counting fails, the visitor still reaches the destination:
 * - no code, no partner to credit, a bot, or HEAD: the bare destination;
 * - a browser loads the page in case it is opened: the code is appended without a click, and the embed script counts the
 * visit if there is one;
 * - the click cannot be stored because the database is unavailable, the account's figures are locked or too many visits
 * wait, or its network made more visits in this minute than people do: the code is appended without a click, so that
 * the embed script or the lead's code still credits the partner;
 * - only a link that this process has never loaded needs the database: 503.
 * Bypasses the router, which would take half the time of a visit.
 */
export function redirectRoute(app: App, { links, recordClick, counting, hostOf }: Needs): FastPathHandler {
  const visit = createVisits(app, recordClick)

  for (const url of [ROUTE, '/r/*'])
    app.fastify.route({
      method: ['GET', 'HEAD'],
      url,
      config: { policy: 'public', limit: VISITS, countsItself: true },
      async handler(request: FastifyRequest, reply) {
        const { key, codes, query } = readShortLink(request.raw.url!)
        const target = isKey(key) ? await links.target(key) : undefined
        if (!target || isForeign(request.ownHost, target.accountId)) return answerUnknown(app, request, reply)
        const owner = await firstOwner(links, target.accountId, codes)
        return lead(reply, await visit({ request: request.raw, query, ip: request.ip, id: request.id, target, owner }))
      },
    })
  return quickRedirect(app.services, { links, visit, counting, hostOf })
}

type Needs = { links: LinkMap; recordClick: RecordClick; counting: AnswerCounting; hostOf: HostOf }

const ROUTE = '/r/:key/:code'

/** Returns a short link without escapes that no router decodes: a cut or mistyped one must still reach its page. */
export function readableLink(url: string): string {
  if (!url.startsWith('/r/') || !url.includes('%')) return url
  const [path = ''] = url.split('?', 1)
  try {
    decodeURIComponent(path)
    return url
  } catch {
    return path.replace(/%[\da-f]{0,2}/gi, '+') + url.slice(path.length)
  }
}

/**
 * Returns a link's key, the codes that its path may name, best first, and its query, which `&` begins too. Slashes may be
 * doubled, and anything may follow the code.
 */
function readShortLink(url: string) {
  const [, path = '', query = ''] = /^\/r\/([^?&]*)(?:[?&](?:amp;)*(.*))?$/.exec(url) ?? []
  const [key = '', code = ''] = path.split('/').filter((segment) => segment !== '')
  return { key: decodeURIComponent(key).toLowerCase(), codes: codesInPath(code), query }
}

/** Returns the owner of the first of these codes who earns, else of the first that is known. */
async function firstOwner(links: LinkMap, accountId: string, codes: string[]): Promise<CodeOwner | undefined> {
  let first: CodeOwner | undefined
  for (const code of codes.map(plainCode).filter(isCode)) {
    const owner = await links.owner(accountId, code)
    if (owner?.creditable) return owner
    first ??= owner
  }
  return first
}

/**
 * Whether a text in lower case can be a blueprint's key at all: one that the database refuses would fail its whole
 * batch of look-ups.
 */
const isKey = (text: string) => /^[a-z0-9]{1,64}$/.test(text)

/** A visit on a known link. */
type Visit = {
  request: IncomingMessage
  /** The visitor's, without its `?`. */
  query: string
  ip: string
  /** Id of the request, for the log. */
  id: string
  target: LinkTarget
  owner: CodeOwner | undefined
}

/** Records a visit and returns its destination. */
function createVisits(app: App, recordClick: RecordClick) {
  const { clock, config, secrets, log } = app.services
  const countryOf = createCountryReader(config)
  const { limits } = app

  return ({ request, query, ip, id, target, owner }: Visit): string | Promise<string> => {
    const { method, headers } = request
    const now = clock.now()
    const agent = readUserAgent(headers['user-agent'])
    const obstacle = obstacleTo(target, owner, now) ?? (method === 'HEAD' ? 'asked by HEAD' : undefined)
    if (obstacle || !owner) {
      log.debug({ requestId: id, key: target.key, reason: obstacle }, 'a visit is not counted')
      return target.destination.bare(query)
    }

    const click: NewClick = {
      id: newId(),
      accountId: target.accountId,
      blueprintId: target.id,
      partnerId: owner.partnerId,
      day: dayIn(target.timeZone, now),
      at: now,
      ipHash: visitorHash(secrets, ip, now),
      userAgentClass: agent.class,
      country: countryOf(request),
      referrerHost: hostIn(headers.referer),
      landingPath: target.landingPath,
      ...resolveOwnLink(target, owner.partnerId, { requested: subIdIn(query, target.parameterName) }),
      paidParameters: paidParametersIn(query, target.ownCampaigns),
      isBot: agent.isBot,
      source: 'redirect',
    }
    const leadOn = (isKept: boolean) =>
      agent.isBot
        ? target.destination.bare(query)
        : target.destination.withCode(owner.code, { id: isKept ? click.id : null, subId: click.subId }, query)
    if (isSpeculative(headers) || limits.exceeds(VISITS, ip)) return leadOn(false)
    return recordClick(click).then(
      () => leadOn(true),
      (error) => {
        clicksLost.add('redirect')
        explain(log, id, error)
        return leadOn(false)
      },
    )
  }
}

/** Returns whether a browser loads a page before it is opened. */
const isSpeculative = ({ 'sec-purpose': now, purpose: former, 'x-moz': mozilla }: IncomingMessage['headers']) =>
  /^prefetch/i.test(String(now ?? former ?? mozilla ?? ''))

/** Returns undefined while the value is loading; the router's path awaits it too, and reports its errors. */
function inMemory<T>(found: T | Promise<T>): T | undefined {
  if (!(found instanceof Promise)) return found
  found.catch(() => undefined)
  return undefined
}

const deferToRouter = (ownHost: RequestDomain | Promise<unknown>) => {
  if (ownHost instanceof Promise) ownHost.catch(() => undefined)
  return false
}

/** An address that needs no decoding, within the accepted length. */
const PLAIN = /^\/r\/([A-Za-z0-9]{1,64})\/([A-Za-z0-9-]{3,32})(?:\?.{0,7900})?$/

type QuickNeeds = Omit<Needs, 'recordClick'> & { visit: ReturnType<typeof createVisits> }

/** Redirects visits on links in memory, which are nearly all; the rest goes through the router. */
function quickRedirect({ config, log }: Services, { links, visit, counting, hostOf }: QuickNeeds): FastPathHandler {
  const count = counting({ method: 'GET', route: ROUTE, status: 302 })
  const trusts = createTrust(config.trustProxy)
  const { 'referrer-policy': _, 'cross-origin-opener-policy': __, ...ours } = securityHeaders(config)
  const headers = Object.entries({ ...ours, 'cache-control': 'no-store', 'content-length': '0' }).flat()

  return (request, response) => {
    if (request.method !== 'GET') return false
    const [, key, code] = PLAIN.exec(request.url!) ?? []
    if (!key || !code) return false
    const target = inMemory(links.target(key.toLowerCase()))
    const owner = target && inMemory(links.owner(target.accountId, code.toLowerCase()))
    if (!target || !owner) return false
    const ownHost = hostOf(request.headers.host)
    if (ownHost && (ownHost instanceof Promise || isForeign(ownHost, target.accountId))) return deferToRouter(ownHost)

    const startedAt = performance.now()
    const id = randomUUID()
    const answer = (location: string) => {
      response.writeHead(302, [...headers, 'x-request-id', id, 'location', location]).end()
      count((performance.now() - startedAt) / 1000)
    }
    const query = queryOf(request.url!)
    const location = visit({ request, query, ip: callerAddress(request, trusts), id, target, owner })
    if (typeof location === 'string') answer(location)
    else location.then(answer).catch((error) => failAnswer(config, log, { response, id }, error))
    return true
  }
}

/**
 * Removes the headers that protect our own screens: they would hide the referrer and the opener from the destination.
 */
function lead(reply: FastifyReply, location: string) {
  reply.removeHeader('referrer-policy').removeHeader('cross-origin-opener-policy')
  return reply.code(302).header('location', location).send()
}

function queryOf(url: string) {
  const start = url.indexOf('?')
  return start < 0 ? '' : url.slice(start + 1)
}

let complainedAt = 0

/** Logs, at most once a second, that a click could not be stored; the visitor gets no error. */
function explain(log: Logger, requestId: string, error: unknown) {
  if (Date.now() - complainedAt <= 1000) return
  complainedAt = Date.now()
  if (!classifyDatabaseError(error) && asRefusal(error)?.code === 'unavailable')
    log.warn({ requestId }, 'clicks cannot be recorded fast enough')
  else log.error({ err: error, requestId }, 'a click could not be recorded')
}

function answerUnknown({ limits }: App, request: FastifyRequest, reply: FastifyReply) {
  limits.check(reply, UNKNOWN, request.ip)
  return reply
    .code(404)
    .header('content-security-policy', contentSecurityPolicy({ 'style-src': `'sha256-${UNKNOWN_STYLE_HASH}'` }))
    .type('text/html; charset=utf-8')
    .send(UNKNOWN_PAGE)
}

/** Neutral style: the page belongs to no account. */
const UNKNOWN_STYLE = `:root{color-scheme:light dark}
body{margin:0 auto;max-width:32rem;padding:24vh 1rem 2rem;font:16px/1.5 system-ui,sans-serif;text-align:center}
h1{font-size:1.5rem;line-height:2rem}`
const UNKNOWN_STYLE_HASH = createHash('sha256').update(UNKNOWN_STYLE).digest('base64')

const UNKNOWN_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="description" content="This link is mistyped, or it was removed.">
<title>This link leads nowhere</title>
<style>${UNKNOWN_STYLE}</style>
</head>
<body>
<h1>This link leads nowhere</h1>
<p>It may be mistyped, or it was removed. Ask whoever gave it to you for a new one.</p>
</body>
</html>
`
