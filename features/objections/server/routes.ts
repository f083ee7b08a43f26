import { type App, route } from '#server/program/access/route.ts'
import * as contract from '../contract.ts'
import { closeObjection, createObjection } from './objections.ts'

export function objectionRoutes(app: App) {
  route(app, contract.createObjection, ({ db, by, access, body }) =>
    createObjection(db, by, access.account, access.subjectId, body.reason),
  )

  route(app, contract.closeObjection, ({ db, by, access }) =>
    closeObjection(db, by, access.account.id, access.subjectId),
  )
}
