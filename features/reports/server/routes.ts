import { userAuthor } from '#server/platform/author.ts'
import { readRange } from '#server/platform/time/range.ts'
import { subjectKey } from '#server/program/access/access.ts'
import { type App, route } from '#server/program/access/route.ts'
import { routeCsv } from '#server/program/access/route-csv.ts'
import * as contract from '../contract.ts'
import { readCohorts, readReport } from './read-report.ts'
import { changeSavedReport, createSavedReport, deleteSavedReport, listSavedReports } from './saved-reports.ts'

export function reportRoutes(app: App) {
  route(app, contract.listReport, ({ services: { db }, access: { account }, params, query }) =>
    readReport(db, account, readRange(params.range), query),
  )

  routeCsv(app, contract.downloadReport, ({ services: { db }, access: { account }, params }, query) =>
    readReport(db, account, readRange(params.range), query),
  )

  route(app, contract.getCohorts, ({ services: { db }, access: { account }, params }) =>
    readCohorts(db, account, readRange(params.range)),
  )

  route(app, contract.listSavedReports, ({ db, access, query }) => listSavedReports(db, access.account.id, query))

  routeCsv(app, contract.downloadSavedReports, ({ db, access }, query) =>
    listSavedReports(db, access.account.id, query),
  )

  route(app, contract.createSavedReport, ({ db, actor, access, body }) =>
    createSavedReport(db, userAuthor(actor), access.account.id, body),
  )

  route(app, contract.changeSavedReport, ({ db, actor, access, body }) =>
    changeSavedReport(db, userAuthor(actor), subjectKey(access), body),
  )

  route(app, contract.deleteSavedReport, ({ db, actor, access }) =>
    deleteSavedReport(db, userAuthor(actor), subjectKey(access)).then(() => undefined),
  )
}
