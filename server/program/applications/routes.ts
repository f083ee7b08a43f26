import * as contract from '#contract/applications.ts'
import { userAuthor } from '../../platform/author.ts'
import { type App, route, routeOwn } from '../access/route.ts'
import { routeCsv } from '../access/route-csv.ts'
import { createApplication } from './apply.ts'
import { confirmApplication, readApplication } from './confirm.ts'
import { decideApplications } from './decide.ts'
import { pageRoutes } from './page-routes.ts'
import { getApplication, listApplications } from './present-application.ts'
import { previewProgram } from './preview.ts'
import { getProgram, saveProgram } from './program.ts'

/** Registers the routes. Returns the page at the root of an account's own host. */
export function joiningRoutes(app: App) {
  const { showAtRoot } = pageRoutes(app)

  route(app, contract.getProgram, ({ db, services, access }) => getProgram(db, services.config, access.account))

  route(app, contract.saveProgram, ({ db, services, actor, access, body }) =>
    saveProgram(db, services.config, userAuthor(actor), access.account, body),
  )

  route(app, contract.previewProgram, ({ services, access, body }) =>
    previewProgram(services.db, services.config, access.account, body),
  )

  route(app, contract.getApplicationToConfirm, ({ db, services, token, request }) =>
    readApplication(db, services, token, request.ownHost),
  )

  route(app, contract.confirmApplication, ({ db, services, token, request }) =>
    confirmApplication(db, services, token, request.ownHost),
  )

  route(app, contract.listApplications, ({ db, access, query }) => listApplications(db, access.account, query))

  routeCsv(app, contract.downloadApplications, ({ db, access }, query) => listApplications(db, access.account, query))

  route(app, contract.createApplication, ({ db, services, access, body }) =>
    createApplication(db, services, access.account, body),
  )

  route(app, contract.getApplication, ({ db, access }) => getApplication(db, access.account.id, access.subjectId))

  routeOwn(app, contract.decideApplications, async ({ db, services, actor, access, body }) => ({
    results: await decideApplications(db, services, userAuthor(actor), access.account, body),
  }))

  return showAtRoot
}
