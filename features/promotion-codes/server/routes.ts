import { type App, route } from '#server/program/access/route.ts'
import { routeCsv } from '#server/program/access/route-csv.ts'
import { refuseErasedPartner } from '#server/program/partners/erase-partner.ts'
import * as contract from '../contract.ts'
import { codeOffer, requestCode, retryCode } from './make-codes.ts'
import {
  addPromotionCode,
  assignPromotionCode,
  deletePromotionCode,
  listAllPromotionCodes,
  listPromotionCodes,
} from './promotion-codes.ts'

export function promotionCodeRoutes(app: App) {
  route(app, contract.listPromotionCodes, ({ db, access, query }) =>
    listPromotionCodes(db, access.account.id, access.subjectId, query),
  )

  routeCsv(app, contract.downloadPromotionCodes, ({ db, access }, query) =>
    listPromotionCodes(db, access.account.id, access.subjectId, query),
  )

  route(app, contract.addPromotionCode, async ({ db, by, access, body }) => {
    await refuseErasedPartner(db, access.account.id, access.subjectId)
    return addPromotionCode(db, by, access.account, access.subjectId, body)
  })

  route(app, contract.listAllPromotionCodes, ({ db, access, query }) =>
    listAllPromotionCodes(db, access.account, query),
  )

  routeCsv(app, contract.downloadAllPromotionCodes, ({ db, access }, query) =>
    listAllPromotionCodes(db, access.account, query),
  )

  route(app, contract.assignPromotionCode, ({ db, by, access, body }) =>
    assignPromotionCode(db, by, access.account, body),
  )

  route(app, contract.deletePromotionCode, ({ db, by, access, params }) =>
    deletePromotionCode(db, by, access.account, access.subjectId, params.codeId).then(() => undefined),
  )

  route(app, contract.getCodeOffer, ({ db, access }) => codeOffer(db, access.account.id, access.subjectId))

  route(app, contract.requestPromotionCode, ({ db, services, access }) =>
    requestCode(db, services.jobs, access.account.id, access.subjectId),
  )

  route(app, contract.retryPromotionCode, ({ db, services, access, params }) =>
    retryCode(db, services.jobs, access.account.id, { partnerId: access.subjectId, codeId: params.codeId }),
  )
}
