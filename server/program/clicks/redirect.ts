import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { newId } from '../../platform/database/ids.ts'
import { isDatabaseAway } from '../../platform/database/pool.ts'
import { asRefusal } from '../../platform/http/errors.ts'
import { type Limit, UNKNOWN } from '../../platform/http/limits.ts'
import { contentSecurityPolicy } from '../../platform/http/security-headers.ts'
import { dayIn } from '../../platform/time/days.ts'
import type { App } from '../access/route.ts'
import { isCode } from './attribution.ts'
import { createCountryOf } from './country.ts'
import type { LinkMap } from './link-map.ts'
import { obstacleTo } from './obstacle.ts'
import type { NewClick } from './queries.ts'
import type { RecordClick } from './record-clicks.ts'
import { hostOf, readUserAgent, visitorHash } from './visitor.ts'

const VISITS: Limit = { name: 'visits', perMinute: 600, by: 'network' }

type Request = FastifyRequest<{ Params: { key: string; code: string } }>

/**
 * `/r/{blueprintKey}/{referralCode}`: counts the visit, then leads on. The click is committed before the answer leaves.
 * Whatever stands in the way of counting, the visitor reaches the destination:
 * - nobody to credit, a bot, or HEAD: the bare destination;
 * - the click cannot be kept because the database is away, the account's figures are locked or too many visits wait, or
 *   its network has made more visits in this minute than people do: the code goes along without a click, so that the
 *   embed script or the lead's code still credits the partner;
 * - only what was never seen by this process cannot be answered without the database: 503.
 */
export function redirectRoute(app: App, links: LinkMap, recordClick: RecordClick) {
  const { clock, config, secrets } = app.services
  const countryOf = createCountryOf(config)
  const { limits } = app

  app.fastify.route({
    method: ['GET', 'HEAD'],
    url: '/r/:key/:code',
    config: { policy: 'public', limit: VISITS, countsItself: true },
    async handler(request: Request, reply) {
      const target = await links.target(request.params.key.toLowerCase())
      if (!target) return answerUnknown(app, request, reply)
      const code = request.params.code.toLowerCase()
      const owner = isCode(code) ? await links.owner(target.accountId, code) : undefined
      const now = clock.now()
      const agent = readUserAgent(request.headers['user-agent'])
      const query = queryOf(request)
      const obstacle = obstacleTo(target, owner, now) ?? (request.method === 'HEAD' ? 'asked by HEAD' : undefined)
      if (obstacle || !owner) {
        request.log.debug({ requestId: request.id, key: target.key, reason: obstacle }, 'a visit is not counted')
        return lead(reply, target.destination.bare(query))
      }

      const click: NewClick = {
        id: newId(),
        accountId: target.accountId,
        blueprintId: target.id,
        partnerId: owner.partnerId,
        day: dayIn(target.timeZone, now),
        at: now,
        ipHash: visitorHash(secrets, request.ip, now),
        userAgentClass: agent.class,
        country: countryOf(request),
        referrerHost: hostOf(request.headers.referer),
        landingPath: target.landingPath,
        isBot: agent.isBot,
        source: 'redirect',
      }
      const tooMany = limits.exceeds(VISITS, request.ip)
      const kept =
        !tooMany &&
        (await recordClick(click).then(
          () => true,
          (error) => explain(request, error),
        ))
      if (agent.isBot) return lead(reply, target.destination.bare(query))
      return lead(reply, target.destination.withCode(owner.code, kept ? click.id : null, query))
    },
  })
}

/** The headers that protect our own screens would take the referrer from the destination, and its opener. */
function lead(reply: FastifyReply, location: string) {
  reply.removeHeader('referrer-policy').removeHeader('cross-origin-opener-policy')
  return reply.code(302).header('location', location).send()
}

function queryOf({ url }: FastifyRequest) {
  const start = url.indexOf('?')
  return start < 0 ? '' : url.slice(start + 1)
}

let complainedAt = 0

/** A click that could not be kept is our trouble, not the visitor's. Told once a second at most. */
function explain(request: FastifyRequest, error: unknown): false {
  if (Date.now() - complainedAt > 1000) {
    complainedAt = Date.now()
    if (isDatabaseAway(error))
      request.log.warn({ requestId: request.id }, 'clicks cannot be recorded while the database is unavailable')
    else if (asRefusal(error)?.code === 'unavailable')
      request.log.warn({ requestId: request.id }, 'clicks cannot be recorded fast enough')
    else request.log.error({ err: error, requestId: request.id }, 'a click could not be recorded')
  }
  return false
}

function answerUnknown({ limits }: App, request: FastifyRequest, reply: FastifyReply) {
  limits.check(reply, UNKNOWN, request.ip)
  return reply
    .code(404)
    .header('content-security-policy', contentSecurityPolicy({ 'style-src': `'sha256-${UNKNOWN_STYLE_HASH}'` }))
    .type('text/html; charset=utf-8')
    .send(UNKNOWN_PAGE)
}

/** It belongs to no account, so that it says nobody's name and looks like nobody's. */
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
