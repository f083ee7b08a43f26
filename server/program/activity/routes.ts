import * as contract from '#contract/activity.ts'
import { type App, route } from '../access/route.ts'
import { routeCsv } from '../access/route-csv.ts'
import { listAudit } from './list-audit.ts'

export function activityRoutes(app: App) {
  route(app, contract.listAudit, ({ db, access, query }) => listAudit(db, access.account, query))

  routeCsv(app, contract.downloadAudit, ({ db, access }, query) => listAudit(db, access.account, query))
}
