import * as contract from '#contract/commissions.ts'
import { byUser } from '../../platform/by.ts'
import { sql } from '../../platform/database/sql.ts'
import { byDay, byId, byValue } from '../../platform/http/list.ts'
import { type App, route } from '../access/route.ts'
import { addAdjustment } from './adjustments.ts'
import { entryStatus } from './entry-status.ts'
import { entryById, listEntries } from './present-entries.ts'

export function commissionRoutes(app: App) {
  route(app, contract.adjustBalance, async ({ db, actor, access, body }) => {
    const id = await addAdjustment(db, byUser(actor), access.account, access.subjectId, body)
    return entryById(db, access, id)
  })

  route(app, contract.listPartnerCommissions, ({ db, access, query }) =>
    listEntries(db, access, query, {
      scope: sql`t.partner_id = ${access.subjectId}`,
      filters: [
        byValue(entryStatus(db.now), query.status),
        byValue(sql`t.kind`, query.kind),
        byId(sql`t.sale_id`, query.saleId),
        ...byDay(sql`t.created_at`, access.account.timeZone, query.from, query.to),
      ],
    }),
  )

  route(app, contract.listSaleCommissions, ({ db, access, query }) =>
    listEntries(db, access, query, { scope: sql`t.sale_id = ${access.subjectId}` }),
  )
}
