import { userAuthor } from '#server/platform/author.ts'
import { type App, route } from '#server/program/access/route.ts'
import { routeCsv } from '#server/program/access/route-csv.ts'
import * as contract from '../contract.ts'
import { requestClaimAnswer } from './ask-partner.ts'
import { acceptClaim, refuseClaim } from './decide-claim.ts'
import { makeClaim } from './make-claim.ts'
import { claimWithCandidates, listClaims, listPartnerClaims } from './present-claim.ts'

export function claimRoutes(app: App) {
  route(app, contract.createClaim, ({ db, by, access, body }) =>
    makeClaim(db, by, access.account, access.subjectId, body),
  )

  route(app, contract.listPartnerClaims, ({ db, access, query }) => listPartnerClaims(db, access, query))
  routeCsv(app, contract.downloadPartnerClaims, ({ db, access }, query) => listPartnerClaims(db, access, query))

  route(app, contract.listClaims, ({ db, access, query }) => listClaims(db, access.account, query))
  routeCsv(app, contract.downloadClaims, ({ db, access }, query) => listClaims(db, access.account, query))

  route(app, contract.getClaim, ({ db, access }) => claimWithCandidates(db, access.account, access.subjectId))

  route(app, contract.acceptClaim, ({ db, actor, access, body }) =>
    acceptClaim(db, userAuthor(actor), access.account, access.subjectId, body),
  )

  route(app, contract.refuseClaim, ({ db, actor, access, body }) =>
    refuseClaim(db, userAuthor(actor), access.account, access.subjectId, body),
  )

  route(app, contract.askPartnerAboutClaim, ({ db, actor, access, body }) =>
    requestClaimAnswer(db, userAuthor(actor), access.account, access.subjectId, body.text),
  )
}
