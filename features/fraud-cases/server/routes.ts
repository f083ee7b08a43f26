import { userAuthor } from '#server/platform/author.ts'
import { type App, route } from '#server/program/access/route.ts'
import { routeCsv } from '#server/program/access/route-csv.ts'
import * as contract from '../contract.ts'
import { getCase, listCases, releaseCase, requestPartnerAnswer, suspendForCase, voidCase } from './cases.ts'

export function caseRoutes(app: App) {
  route(app, contract.listCases, ({ db, access, query }) => listCases(db, access.account, query))

  routeCsv(app, contract.downloadCases, ({ db, access }, query) => listCases(db, access.account, query))

  route(app, contract.getCase, ({ db, access: { account, subjectId } }) => getCase(db, account, subjectId))

  route(app, contract.releaseCase, async ({ db, actor, access: { account, subjectId: id }, body }) => {
    await releaseCase(db, { account, id, by: userAuthor(actor) }, body)
    return getCase(db, account, id)
  })

  route(app, contract.voidCase, async ({ db, actor, access: { account, subjectId: id }, body }) => {
    await voidCase(db, { account, id, by: userAuthor(actor) }, body)
    return getCase(db, account, id)
  })

  route(
    app,
    contract.suspendPartnerForCase,
    async ({ db, services, actor, access: { account, subjectId: id }, body }) => {
      await suspendForCase(db, services, { account, id, by: userAuthor(actor) }, body.reason)
      return getCase(db, account, id)
    },
  )

  route(app, contract.askPartnerAboutCase, async ({ db, actor, access: { account, subjectId: id }, body }) => {
    await requestPartnerAnswer(db, { account, id, by: userAuthor(actor) }, body.text)
    return getCase(db, account, id)
  })
}
