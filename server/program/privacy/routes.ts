import type { Endpoint } from '#contract/endpoint.ts'
import * as contract from '#contract/privacy.ts'
import { userAuthor } from '../../platform/author.ts'
import { type Queryable, transaction } from '../../platform/database/pool.ts'
import { recordActivity } from '../../platform/events/emit-event.ts'
import { HttpReply } from '../../platform/http/reply.ts'
import { refusal } from '../../platform/refusal.ts'
import { isFresh } from '../access/actor.ts'
import { type App, type Call, route } from '../access/route.ts'
import { routeCsv } from '../access/route-csv.ts'
import { eraseLead, erasePartner, previewLeadErasure, previewPartnerErasure } from './erase.ts'
import { listErasures } from './list-erasures.ts'
import { fileOfLead, fileOfPartner } from './person-file.ts'

type Asked = Pick<Call<Endpoint, Queryable>, 'services' | 'by' | 'access'>

export function peopleRoutes(app: App) {
  route(app, contract.eraseLead, async ({ db, services, actor, access, body }) => {
    const { account, subjectId } = access
    if (body.preview) return new HttpReply(200, await previewLeadErasure(db, services, account, subjectId))
    if (!isFresh(actor, db.now)) throw refusal('password_first')
    return eraseLead(db, services, userAuthor(actor), account, subjectId)
  })

  route(app, contract.erasePartner, async ({ db, services, actor, access, body }) => {
    const { account, subjectId } = access
    if (body.preview) return new HttpReply(200, await previewPartnerErasure(db, services, account, subjectId))
    if (!isFresh(actor, db.now)) throw refusal('password_first')
    return erasePartner(db, services, userAuthor(actor), account, subjectId)
  })

  const exported = ({ services: { db }, by, access }: Asked, of: 'lead' | 'partner') =>
    transaction(db, (tx) => recordActivity(tx, by, access.account.id, 'person.exported', { id: access.subjectId, of }))

  route(app, contract.exportLeadData, async (call) => {
    const file = await fileOfLead(call.services.db, call.access.account, call.access.subjectId)
    await exported(call, 'lead')
    return file
  })

  route(app, contract.exportPartnerData, async (call) => {
    const file = await fileOfPartner(call.services.db, call.access.account, call.access.subjectId)
    await exported(call, 'partner')
    return file
  })

  route(app, contract.listErasures, ({ db, access, query }) => listErasures(db, access.account.id, query))

  routeCsv(app, contract.downloadErasures, ({ db, access }, query) => listErasures(db, access.account.id, query))
}
