import * as contract from '#contract/questions.ts'
import { type App, route } from '../access/route.ts'
import { answerQuestion, listQuestions } from './answer.ts'
import type { Asking } from './ask.ts'

export function questionRoutes(app: App, askings: readonly Asking[]) {
  route(app, contract.listQuestions, ({ db, access: { account, subjectId: partnerId }, query }) =>
    listQuestions(db, askings, { accountId: account.id, partnerId }, query),
  )

  route(app, contract.answerQuestion, ({ db, by, access: { account, subjectId: partnerId }, body }) =>
    answerQuestion(db, by, askings, { accountId: account.id, partnerId, id: body.questionId }, body.text),
  )
}
