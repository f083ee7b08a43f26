import * as contract from '#contract/tax-years.ts'
import { byUser } from '../../platform/author.ts'
import { type App, route } from '../access/route.ts'
import { routeCsv } from '../access/route-csv.ts'
import { approveForYear } from './approve-year.ts'
import { listTaxYear } from './list-tax-year.ts'
import { changeThreshold, readYear } from './threshold.ts'

export function taxYearRoutes(app: App) {
  route(app, contract.listTaxYear, ({ db, services: { secrets }, access: { account }, params, query }) =>
    listTaxYear({ db, secrets }, account, readYear(params.year, account, db.now), query),
  )

  routeCsv(app, contract.downloadTaxYear, ({ db, services: { secrets }, access: { account }, params }, query) =>
    listTaxYear({ db, secrets }, account, readYear(params.year, account, db.now), query),
  )

  route(app, contract.changeTaxYear, ({ db, actor, access: { account }, params, body }) =>
    changeThreshold(db, byUser(actor), account, readYear(params.year, account, db.now), body.threshold),
  )

  route(app, contract.approveForTaxYear, async ({ db, actor, access: { account }, params, body }) => {
    const year = readYear(params.year, account, db.now)
    return { partnerIds: await approveForYear(db, byUser(actor), account, year, body) }
  })
}
