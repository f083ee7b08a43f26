import * as contract from '#contract/system.ts'
import { type App, route } from '../access/route.ts'
import { routeCsv } from '../access/route-csv.ts'
import { requestBackup } from './backups.ts'
import { describeSystem, type MailHealth } from './describe-system.ts'
import { listParked, retryAllParked, retryParked } from './parked.ts'

/** `mailHealth`: the state of mail, passed in because mail is an integration. */
export function systemRoutes(app: App, mailHealth: MailHealth) {
  const startedAt = app.services.clock.now()

  route(app, contract.getSystem, ({ services }) => describeSystem(services, mailHealth, startedAt))

  route(app, contract.createBackup, ({ db, services, by }) => requestBackup(db, services, by))

  route(app, contract.listParked, ({ db, query }) => listParked(db, query))

  routeCsv(app, contract.downloadParked, ({ db }, query) => listParked(db, query))

  route(app, contract.retryParked, ({ db, services, by, params }) => retryParked(db, services.jobs, by, params.id))

  route(app, contract.retryAllParked, ({ db, services, by }) => retryAllParked(db, services.jobs, by))
}
