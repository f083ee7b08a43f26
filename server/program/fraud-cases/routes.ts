import * as contract from '#contract/fraud-cases.ts'
import { userAuthor } from '../../platform/author.ts'
import { type App, route } from '../access/route.ts'
import { routeCsv } from '../access/route-csv.ts'
import {
  answerQuestion,
  getCase,
  listCases,
  listQuestions,
  releaseCase,
  requestPartnerAnswer,
  suspendForCase,
  voidCase,
} from './cases.ts'

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

  route(app, contract.listQuestions, ({ db, access, query }) =>
    listQuestions(db, access.account.id, access.subjectId, query),
  )

  route(app, contract.answerQuestion, ({ db, by, access, body }) =>
    answerQuestion(
      db,
      by,
      { accountId: access.account.id, partnerId: access.subjectId, id: body.questionId },
      body.text,
    ),
  )
}
