import * as contract from '#contract/agreement.ts'
import type { Language } from '#contract/language.ts'
import { userAuthor } from '../../platform/author.ts'
import { asUuid } from '../../platform/database/ids.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import { HttpReply } from '../../platform/http/reply.ts'
import { wrongField } from '../../platform/refusal.ts'
import type { Access } from '../access/access.ts'
import type { Actor } from '../access/actor.ts'
import { type App, type RequestFacts, route } from '../access/route.ts'
import { findPartner } from '../partner-directory/find-partner.ts'
import { acceptAgreement, listAcceptances } from './accept.ts'
import {
  changeAgreementVersion,
  getAgreement,
  getAgreementVersion,
  listAgreementVersions,
  publishAgreement,
  publishAgreementTranslation,
} from './versions.ts'

export function agreementRoutes(app: App) {
  route(app, contract.getAgreement, async ({ db, actor, access, query, request }) =>
    getAgreement(db, await readingAs(db, access, actor, query, request)),
  )

  route(app, contract.publishAgreement, ({ db, actor, access, body }) =>
    publishAgreement(db, userAuthor(actor), access.account, body),
  )

  route(app, contract.listAgreementVersions, async ({ db, actor, access, query, request }) => ({
    items: await listAgreementVersions(db, await readingAs(db, access, actor, query, request)),
  }))

  route(app, contract.getAgreementVersion, async ({ db, actor, access, params, query, request }) =>
    getAgreementVersion(db, await readingAs(db, access, actor, query, request), params.version),
  )

  route(app, contract.changeAgreementVersion, ({ db, actor, access, params, body }) =>
    changeAgreementVersion(db, userAuthor(actor), access.account, params.version, body),
  )

  route(app, contract.publishAgreementTranslation, ({ db, actor, access, params, body }) =>
    publishAgreementTranslation(db, userAuthor(actor), access.account, params.version, body),
  )

  route(app, contract.listAcceptances, async ({ db, access }) => ({
    items: await listAcceptances(db, access.account.id, access.subjectId),
  }))

  route(app, contract.acceptAgreement, async ({ db, actor, access, body: { version, language } }) => {
    const place = { accountId: access.account.id, partnerId: access.subjectId }
    const { created, acceptance } = await acceptAgreement(db, userAuthor(actor), place, {
      userId: actor.userId,
      version,
      language,
    })
    return new HttpReply(created ? 201 : 200, acceptance)
  })
}

type Named = { partnerId?: string | undefined; language?: Language | undefined }

/**
 * Returns the reading as the named partner of the account, who must be one of the caller's own.
 * Refuses: `validation_failed` for any other.
 */
async function readingAs(
  db: Queryable,
  { account, partnerId }: Access,
  actor: Pick<Actor, 'partnerRoles'> | null,
  { partnerId: named, language }: Named,
  { prefers }: RequestFacts,
) {
  const id = named && asUuid(named)
  // the team reads what it wrote
  const wanted = language ?? (partnerId === null ? null : prefers)
  if (id === undefined || id === partnerId) return { account, partnerId, wanted }
  const isOwn = actor !== null && id in actor.partnerRoles
  if (!isOwn || !(await findPartner(db, account.id, id))) throw wrongField('partnerId', 'unknown_partner')
  return { account, partnerId: id, wanted: language ?? prefers }
}
