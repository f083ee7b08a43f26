import { z } from 'zod'
import * as contract from '#contract/partners.ts'
import { PartnerExternalId } from '#contract/partners.ts'
import { userAuthor } from '../../platform/author.ts'
import { parseValue } from '../../platform/http/parse.ts'
import { HttpReply } from '../../platform/http/reply.ts'
import { getProviderCredits } from '../access/provider-credits.ts'
import { type App, route } from '../access/route.ts'
import { routeCsv } from '../access/route-csv.ts'
import { unlessMasked } from '../partner-directory/partner-names.ts'
import { archivePartner } from './archive-partner.ts'
import { changePartner } from './change-partner.ts'
import { createPartner } from './create-partner.ts'
import { createPartners } from './create-partners.ts'
import { deletePartner } from './delete-partner.ts'
import { refuseErasedPartner } from './erase-partner.ts'
import { addUpPartners, listPartners, listSubPartners } from './list-partners.ts'
import { movePartners } from './move-partners.ts'
import { presentPartner } from './present-partner.ts'
import { upsertPartner } from './upsert-partner.ts'

export function partnerRoutes(app: App) {
  route(app, contract.createPartner, ({ db, services, by, access, body }) =>
    createPartner(db, services, by, access, body),
  )

  route(app, contract.upsertPartner, async ({ db, services, by, access, params, body }) => {
    const { externalId } = parseValue(z.object({ externalId: PartnerExternalId }), params, 'query')
    const at = body.customer && { accountId: access.account.id, ...body.customer }
    if (at) await getProviderCredits().checkCustomer(services, at)
    const { created, partner } = await upsertPartner(db, services, by, access, externalId, body)
    return new HttpReply(created ? 201 : 200, partner)
  })

  route(app, contract.createPartners, ({ db, services, actor, access, body }) =>
    createPartners(db, services, userAuthor(actor), access, body),
  )

  route(app, contract.movePartners, ({ db, services, actor, access, body }) =>
    movePartners(db, services, userAuthor(actor), access, body),
  )

  route(app, contract.createSubPartner, async ({ db, services, actor, access, body }) => {
    await refuseErasedPartner(db, access.account.id, access.subjectId)
    return createPartner(db, services, userAuthor(actor), access, { ...body, parentPartnerId: access.subjectId })
  })

  route(app, contract.listPartners, ({ db, access, query }) => listPartners(db, access.account, query))

  route(app, contract.getPartnerTotals, ({ db, access, query }) => addUpPartners(db, access.account, query))

  route(app, contract.listSubPartners, ({ db, access, query }) => listSubPartners(db, access, query))

  routeCsv(app, contract.downloadPartners, ({ db, access }, query) => listPartners(db, access.account, query))

  routeCsv(app, contract.downloadSubPartners, async ({ db, access }, query) => {
    const { items, ...rest } = await listSubPartners(db, access, query)
    return { ...rest, items: items.map((partner) => ({ ...partner, email: unlessMasked(partner.email) })) }
  })

  route(app, contract.getPartner, ({ db, access }) => presentPartner(db, access.account, access.subjectId, access))

  route(app, contract.changePartner, ({ db, services, by, access, body }) =>
    changePartner(db, services, by, access, body),
  )

  route(app, contract.deletePartner, async ({ db, actor, access }) => {
    await refuseErasedPartner(db, access.account.id, access.subjectId)
    await deletePartner(db, userAuthor(actor), access.account, access.subjectId)
    return undefined
  })

  route(app, contract.archivePartner, ({ db, actor, access, body }) =>
    archivePartner(db, userAuthor(actor), access.account, access.subjectId, body),
  )
}
