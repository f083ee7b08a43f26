import * as contract from '#contract/dashboard.ts'
import { readRange } from '../../platform/time/range.ts'
import { type App, route } from '../access/route.ts'
import { ownersDashboard, type Watched } from './dashboard.ts'
import { getPace } from './pace.ts'

/** Registers the dashboard. `watched`: the integrations' items that may need the owner's attention. */
export function dashboardRoutes(app: App, watched: readonly Watched[]) {
  route(app, contract.getDashboard, ({ db, access, params, query }) =>
    ownersDashboard(
      db,
      access,
      watched,
      readRange(params.range),
      query.compare === undefined ? undefined : readRange(query.compare, 'compare'),
    ),
  )

  route(app, contract.getPace, ({ db, access }) => getPace(db, access))
}
