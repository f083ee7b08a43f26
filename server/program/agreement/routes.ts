import * as contract from '#contract/agreement.ts'
import { userAuthor } from '../../platform/author.ts'
import { asUuid } from '../../platform/database/ids.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import { HttpReply } from '../../platform/http/reply.ts'
import { wrongField } from '../../platform/refusal.ts'
import type { Access } from '../access/access.ts'
import type { Actor } from '../access/actor.ts'
import { type App, route } from '../access/route.ts'
import { findPartner } from '../partner-directory/find-partner.ts'
import { acceptAgreement, listAcceptances } from './accept.ts'
import {
  changeAgreementVersion,
  getAgreement,
  getAgreementVersion,
  listAgreementVersions,
  publishAgreement,
} from './versions.ts'

export function agreementRoutes(app: App) {
  route(app, contract.getAgreement, async ({ db, actor, access, query }) =>
    getAgreement(db, await readingAs(db, access, actor, query)),
  )

  route(app, contract.publishAgreement, ({ db, actor, access, body }) =>
    publishAgreement(db, userAuthor(actor), access.account, body),
  )

  route(app, contract.listAgreementVersions, async ({ db, actor, access, query }) => ({
    items: await listAgreementVersions(db, await readingAs(db, access, actor, query)),
  }))

  route(app, contract.getAgreementVersion, async ({ db, actor, access, params, query }) =>
    getAgreementVersion(db, await readingAs(db, access, actor, query), params.version),
  )

  route(app, contract.changeAgreementVersion, ({ db, actor, access, params, body }) =>
    changeAgreementVersion(db, userAuthor(actor), access.account, params.version, body),
  )

  route(app, contract.listAcceptances, async ({ db, access }) => ({
    items: await listAcceptances(db, access.account.id, access.subjectId),
  }))

  route(app, contract.acceptAgreement, async ({ db, actor, access, body: { version } }) => {
    const place = { accountId: access.account.id, partnerId: access.subjectId }
    const { created, acceptance } = await acceptAgreement(db, userAuthor(actor), place, {
      userId: actor.userId,
      version,
    })
    return new HttpReply(created ? 201 : 200, acceptance)
  })
}

type Named = { partnerId?: string | undefined }

/**
 * Returns the reading as the named partner of the account, who must be one of the caller's own.
 * Refuses: `validation_failed` for any other.
 */
async function readingAs(
  db: Queryable,
  { account, partnerId }: Access,
  actor: Pick<Actor, 'partnerRoles'> | null,
  { partnerId: named }: Named,
) {
  const id = named && asUuid(named)
  if (id === undefined || id === partnerId) return { account, partnerId }
  const isOwn = actor !== null && id in actor.partnerRoles
  if (!isOwn || !(await findPartner(db, account.id, id))) throw wrongField('partnerId', 'unknown_partner')
  return { account, partnerId: id }
}
