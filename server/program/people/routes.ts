import * as contract from '#contract/people.ts'
import { byUser } from '../../platform/author.ts'
import { HttpAnswer } from '../../platform/http/answer.ts'
import { refusal } from '../../platform/refusal.ts'
import { isFresh } from '../access/actor.ts'
import { type App, route } from '../access/route.ts'
import { routeCsv } from '../access/route-csv.ts'
import { eraseLead, erasePartner, previewLeadErasure, previewPartnerErasure } from './erase.ts'
import { listErasures } from './list-erasures.ts'

export function peopleRoutes(app: App) {
  route(app, contract.eraseLead, async ({ db, services, actor, access, body }) => {
    const { account, subjectId } = access
    if (body.preview) return new HttpAnswer(200, await previewLeadErasure(db, services, account, subjectId))
    if (!isFresh(actor, db.now)) throw refusal('password_first')
    return eraseLead(db, services, byUser(actor), account, subjectId)
  })

  route(app, contract.erasePartner, async ({ db, services, actor, access, body }) => {
    const { account, subjectId } = access
    if (body.preview) return new HttpAnswer(200, await previewPartnerErasure(db, services, account, subjectId))
    if (!isFresh(actor, db.now)) throw refusal('password_first')
    return erasePartner(db, services, byUser(actor), account, subjectId)
  })

  route(app, contract.listErasures, ({ db, access, query }) => listErasures(db, access.account.id, query))

  routeCsv(app, contract.downloadErasures, ({ db, access }, query) => listErasures(db, access.account.id, query))
}
