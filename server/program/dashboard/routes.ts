import { getDashboard } from '#contract/accounts.ts'
import { type App, route } from '../access/route.ts'
import { readRange } from '../stats/history.ts'
import { ownersDashboard } from './dashboard.ts'

export function dashboardRoutes(app: App) {
  route(app, getDashboard, ({ db, access, params, query }) =>
    ownersDashboard(
      db,
      access,
      readRange(params.range),
      query.compare === undefined ? undefined : readRange(query.compare, 'compare'),
    ),
  )
}
