import * as contract from '#contract/clicks.ts'
import type { AnswerCounting } from '../../platform/http/answer-times.ts'
import type { FastPathHandler } from '../../platform/http/fast-path.ts'
import { answerRows } from '../../platform/http/rows.ts'
import { type App, route } from '../access/route.ts'
import type { HostOf } from '../custom-domains/at-own-host.ts'
import { createLinkMap } from './link-map.ts'
import { pushClicks } from './push-clicks.ts'
import type { RecordClick } from './record-clicks.ts'
import { redirectRoute } from './redirect.ts'

type Shared = { recordClick: RecordClick; counting: AnswerCounting; hostOf: HostOf }

/** Registers the routes. Returns the handler that redirects visits around the router. */
export function clickRoutes(app: App, { recordClick, counting, hostOf }: Shared): FastPathHandler {
  const links = createLinkMap(app.services.db)
  app.fastify.addHook('onClose', () => links.close())

  route(app, contract.pushClicks, ({ db, services, access, body }) =>
    answerRows(services.log, contract.NewPushedClick, body, (rows) =>
      pushClicks(db, services.secrets, access.account, rows),
    ),
  )
  return redirectRoute(app, { links, recordClick, counting, hostOf })
}
