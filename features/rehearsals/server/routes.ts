import { type App, route } from '#server/program/access/route.ts'
import * as contract from '../contract.ts'
import { getRehearsal, startRehearsal } from './start-rehearsal.ts'

export function rehearsalRoutes(app: App) {
  route(app, contract.startRehearsal, ({ db, services, access, body }) =>
    startRehearsal(db, services.jobs, access.account, body),
  )

  route(app, contract.getRehearsal, ({ db, access, params }) => getRehearsal(db, access.account.id, params.rehearsalId))
}
