import * as contract from '#contract/activity.ts'
import { type App, route } from '../access/route.ts'
import { routeCsv } from '../access/route-csv.ts'
import { listAudit } from './list-audit.ts'

export function activityRoutes(app: App) {
  route(app, contract.listAudit, ({ db, access, reader, query }) => listAudit(db, access.account, reader, query))

  routeCsv(app, contract.downloadAudit, ({ db, access, reader }, query) => listAudit(db, access.account, reader, query))
}
