import * as contract from '#contract/agreement.ts'
import { byUser } from '../../platform/author.ts'
import { HttpAnswer } from '../../platform/http/answer.ts'
import { type App, route } from '../access/route.ts'
import { acceptAgreement, listAcceptances } from './accept.ts'
import { changeAgreementVersion, getAgreement, listAgreementVersions, publishAgreement } from './versions.ts'

export function agreementRoutes(app: App) {
  route(app, contract.getAgreement, ({ db, access }) => getAgreement(db, access))

  route(app, contract.publishAgreement, ({ db, actor, access, body }) =>
    publishAgreement(db, byUser(actor), access.account, body),
  )

  route(app, contract.listAgreementVersions, async ({ db, access }) => ({
    items: await listAgreementVersions(db, access),
  }))

  route(app, contract.changeAgreementVersion, ({ db, actor, access, params, body }) =>
    changeAgreementVersion(db, byUser(actor), access.account, params.version, body),
  )

  route(app, contract.listAcceptances, async ({ db, access }) => ({
    items: await listAcceptances(db, access.account.id, access.subjectId),
  }))

  route(app, contract.acceptAgreement, async ({ db, actor, access, body: { version } }) => {
    const place = { accountId: access.account.id, partnerId: access.subjectId }
    const { created, acceptance } = await acceptAgreement(db, byUser(actor), place, { userId: actor.userId, version })
    return new HttpAnswer(created ? 201 : 200, acceptance)
  })
}
