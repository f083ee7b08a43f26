import './tables.ts'
import './on-cash.ts'
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import type { Logger } from 'pino'
import * as routesOfFeatures from '#features/index.routes.ts'
import { watched } from './integrations/attention.ts'
import { dataTransferRoutes } from './integrations/data-transfer/routes.ts'
import { importRoutes } from './integrations/imports/routes.ts'
import { incomingWebhookRoutes } from './integrations/incoming-webhooks/routes.ts'
import { mailHealth } from './integrations/mail/health.ts'
import { mailRoutes } from './integrations/mail/routes.ts'
import { mcpRoutes } from './integrations/mcp/routes.ts'
import { deliveryMeasures } from './integrations/outgoing-webhooks/delivery-measures.ts'
import { outgoingWebhookRoutes } from './integrations/outgoing-webhooks/routes.ts'
import { paymentProviderRoutes } from './integrations/payment-providers/routes.ts'
import { askings } from './integrations/questions.ts'
import { servesSpread } from './platform/database/cluster/spread.ts'
import type { AnswerCounting } from './platform/http/answer-times.ts'
import { docsRoutes } from './platform/http/api-docs.ts'
import { cleanForwardedFor } from './platform/http/caller-address.ts'
import { packAnswers } from './platform/http/compress-replies.ts'
import { answerErrors, failAnswer, refuseAddress, sendRefusal } from './platform/http/errors.ts'
import type { FastPathHandler } from './platform/http/fast-path.ts'
import { healthRoutes } from './platform/http/health.ts'
import { readJson } from './platform/http/json-body.ts'
import { UNKNOWN } from './platform/http/limits.ts'
import { maskUrl } from './platform/http/logger.ts'
import { metricsRoutes } from './platform/http/metrics.ts'
import { secureAnswers } from './platform/http/security-headers.ts'
import { traceRequest } from './platform/http/trace-request.ts'
import { webRoutes } from './platform/http/web-app.ts'
import { notFound, refusal } from './platform/refusal.ts'
import type { Services } from './platform/services.ts'
import type { Tracer } from './platform/span.ts'
import { runWithCause } from './platform/work-context.ts'
import { type App, createAppShell } from './program/access/route.ts'
import { booksRoutes } from './program/accounting/routes.ts'
import { languageOfAccount } from './program/accounts/accounts.ts'
import { accountRoutes } from './program/accounts/routes.ts'
import { activityRoutes } from './program/activity/routes.ts'
import { agreementRoutes } from './program/agreement/routes.ts'
import { joiningRoutes } from './program/applications/routes.ts'
import { authRoutes } from './program/auth/routes.ts'
import { bulkActionRoutes } from './program/bulk-actions/routes.ts'
import { clickMeasures } from './program/clicks/click-measures.ts'
import { createRecorder, type RecordClick } from './program/clicks/record-clicks.ts'
import { readableLink } from './program/clicks/redirect.ts'
import { clickRoutes } from './program/clicks/routes.ts'
import { commissionRoutes } from './program/commissions/routes.ts'
import { answerAtOwnHosts, createHostFinder, type HostOf } from './program/custom-domains/at-own-host.ts'
import { createHostMap, type HostMap } from './program/custom-domains/host-map.ts'
import { hostRoutes } from './program/custom-domains/routes.ts'
import { dashboardRoutes } from './program/dashboard/routes.ts'
import { fraudRoutes } from './program/fraud/routes.ts'
import { groupRoutes } from './program/groups/routes.ts'
import { invoiceRoutes } from './program/invoices/routes.ts'
import { leadRoutes } from './program/leads/routes.ts'
import { linkRoutes } from './program/links/routes.ts'
import { partnerRoutes } from './program/partners/routes.ts'
import { paymentFileRoutes } from './program/payment-files/routes.ts'
import { isOfPayday } from './program/payouts/forecast.ts'
import { openPayoutsOfSale } from './program/payouts/gather-payouts.ts'
import { payoutMeasures } from './program/payouts/payout-measures.ts'
import { payoutRoutes } from './program/payouts/routes.ts'
import { fileRoutes } from './program/pictures/file-routes.ts'
import { portalRoutes } from './program/portal/routes.ts'
import { peopleRoutes } from './program/privacy/routes.ts'
import { questionRoutes } from './program/questions/routes.ts'
import { saleRoutes } from './program/sales/routes.ts'
import { statsRoutes } from './program/stats/routes.ts'
import { systemRoutes } from './program/system/routes.ts'
import { termsRoutes } from './program/terms/routes.ts'

/** Every room with routes: the contents page of the server. */
const rooms: ((app: App, shared: Shared) => unknown)[] = [
  authRoutes,
  accountRoutes,
  activityRoutes,
  partnerRoutes,
  groupRoutes,
  (app, { hosts }) => hostRoutes(app, hosts),
  (app, shared) => {
    shared.showAtRoot = joiningRoutes(app)
  },
  agreementRoutes,
  linkRoutes,
  fileRoutes,
  (app, { quickAnswers, ...shared }) => quickAnswers.push(clickRoutes(app, shared)),
  leadRoutes,
  peopleRoutes,
  (app) => saleRoutes(app, { isOfPayday, openPayoutsOfSale }),
  fraudRoutes,
  (app) => questionRoutes(app, askings),
  commissionRoutes,
  payoutRoutes,
  paymentFileRoutes,
  bulkActionRoutes,
  booksRoutes,
  invoiceRoutes,
  termsRoutes,
  statsRoutes,
  (app) => dashboardRoutes(app, watched),
  paymentProviderRoutes,
  outgoingWebhookRoutes,
  incomingWebhookRoutes,
  mcpRoutes,
  mailRoutes,
  dataTransferRoutes,
  importRoutes,
  (app) => systemRoutes(app, mailHealth),
  ...Object.values(routesOfFeatures),
]

/** State shared by several rooms. */
type Shared = {
  recordClick: RecordClick
  hosts: HostMap
  hostOf: HostOf
  counting: AnswerCounting
  quickAnswers: FastPathHandler[]
  showAtRoot?: ReturnType<typeof joiningRoutes>
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Handles a request before the router, if one of the quick answers matches. */
    serve: (request: IncomingMessage, response: ServerResponse) => void
  }
}

const refuseSchemas = () => {
  throw new Error('a route has a schema of its own; what it takes and answers is said in the contract')
}

/** Adds a request's id to the log lines written on its behalf, and answers it if its work fails unawaited. */
function nameRequests(fastify: FastifyInstance, tracer: Tracer | undefined, fail: Fail) {
  fastify.addHook('onRequest', (request, reply, done) =>
    runWithCause({ requestId: request.id }, done, tracer && traceRequest(tracer, request, reply), (error) =>
      fail({ response: reply.raw, id: request.id }, error),
    ),
  )
}
type Fail = (request: { response: ServerResponse; id: string }, error: unknown) => void

/** A line for each request, once it is over. */
function logRequest(log: Logger, { method, url = '' }: IncomingMessage, response: ServerResponse, requestId?: string) {
  const beganAt = performance.now()
  response.once('close', () => {
    const outcome = { status: response.statusCode, ms: Math.round(performance.now() - beganAt) }
    const words = response.writableFinished ? 'a request was answered' : 'a caller went away'
    log.debug({ requestId, method, url: maskUrl(url), ...outcome }, words)
  })
}

/** Builds the HTTP side, ready to listen. Throws if a route declares no policy, or no limit. */
export async function buildApp(services: Services): Promise<FastifyInstance> {
  const { config, db, homes, log } = services
  // what books asks without waiting
  await servesSpread(db)
  const fastify = Fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    // a child logger per request costs a tenth of a redirect: lines about a request contain its id themselves
    childLoggerFactory: (logger) => logger,
    trustProxy: config.trustProxy.length > 0 ? [...config.trustProxy] : false,
    requestTimeout: 30_000,
    connectionTimeout: 60_000,
    keepAliveTimeout: 65_000,
    routerOptions: { maxParamLength: 1300, ignoreTrailingSlash: false },
    return503OnClosing: false,
    exposeHeadRoutes: false,
    // the contract's schemas check and shape every call; Fastify would load two unused compilers for its own
    schemaController: { compilersFactory: { buildValidator: refuseSchemas, buildSerializer: refuseSchemas } },
    rewriteUrl: ({ url = '/' }) => readableLink(url),
    frameworkErrors: (error, request, reply) => refuseAddress(config, error, request, reply),
  })
  fastify.removeContentTypeParser('text/plain')
  readJson(fastify, 'application/json')
  answerErrors(fastify, config)
  secureAnswers(fastify, config)
  packAnswers(fastify)
  fastify.addHook('onRoute', ({ method, url, config: declared }) => {
    if (!declared?.policy) throw new Error(`${method} ${url} declares no policy`)
  })
  const fail: Fail = (request, error) => failAnswer(config, log, request, error)
  nameRequests(fastify, services.tracer, fail)
  const app = createAppShell(fastify, services)
  fastify.addHook('onRequest', async (request, reply) => {
    if (config.trustProxy.length > 0) cleanForwardedFor(request.raw.headers)
    reply.header('x-request-id', request.id)
    const isTooLong = request.url.length > 8_000
    // no stored text contains NUL; the other addresses handle it in their own look-ups
    const isNothing = /^\/(embed|s|hooks|mail)\/[^?]*%00/.test(request.url)
    if (!isTooLong && !isNothing) return
    app.limits.check(reply, UNKNOWN, request.ip)
    throw isTooLong ? refusal('url_too_long') : notFound()
  })

  const hosts = createHostMap(db)
  fastify.addHook('onReady', () => hosts.ready)
  fastify.addHook('onClose', () => hosts.close())
  const hostOf = createHostFinder(config, hosts)
  answerAtOwnHosts(fastify, config, hostOf)

  healthRoutes(app)
  const quickAnswers: FastPathHandler[] = []
  const counting = metricsRoutes(app, [...clickMeasures, ...payoutMeasures(db), ...deliveryMeasures(db)])
  const shared: Shared = { recordClick: createRecorder(homes), hosts, hostOf, counting, quickAnswers }
  const isDebug = log.isLevelEnabled('debug')
  if (isDebug)
    fastify.addHook('onRequest', async (request, reply) => logRequest(log, request.raw, reply.raw, request.id))
  fastify.decorate('serve', (request: IncomingMessage, response: ServerResponse) => {
    try {
      if (!quickAnswers.some((answers) => answers(request, response))) fastify.routing(request, response)
      else if (isDebug) logRequest(log, request, response)
    } catch (error) {
      fail({ response, id: randomUUID() }, error)
    }
  })
  for (const room of rooms) room(app, shared)
  docsRoutes(app)
  webRoutes(app, {
    framedBy: portalRoutes(app),
    showAtRoot: shared.showAtRoot,
    findLanguageOf: (accountId) => languageOfAccount(db, accountId),
  })
  fastify.setNotFoundHandler(async (request, reply) => {
    app.limits.check(reply, UNKNOWN, request.ip)
    return sendRefusal(request, reply, notFound())
  })
  return fastify
}
