import * as contract from '#contract/clicks.ts'
import { HttpAnswer } from '../../platform/http/answer.ts'
import type { AnswerCounting } from '../../platform/http/answer-times.ts'
import type { QuickAnswer } from '../../platform/http/quick-answer.ts'
import { type App, route } from '../access/route.ts'
import { createLinkMap } from './link-map.ts'
import { pushClick, pushClicks } from './push-clicks.ts'
import type { RecordClick } from './record-clicks.ts'
import { redirectRoute } from './redirect.ts'

/** Registers the routes. Returns the handler that redirects visits around the router. */
export function clickRoutes(app: App, recordClick: RecordClick, counting: AnswerCounting): QuickAnswer {
  const links = createLinkMap(app.services.db)
  app.fastify.addHook('onClose', () => links.close())

  route(app, contract.pushClicks, async ({ db, services, access, body }) =>
    Array.isArray(body)
      ? new HttpAnswer(200, await pushClicks(db, services.secrets, access.account, body))
      : pushClick(db, services.secrets, access.account, body),
  )
  return redirectRoute(app, links, recordClick, counting)
}
