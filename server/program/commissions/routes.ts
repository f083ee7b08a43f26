import * as contract from '#contract/commissions.ts'
import { userAuthor } from '../../platform/author.ts'
import { sql } from '../../platform/database/sql.ts'
import { rewardsOfPartners } from '../access/customer-groups.ts'
import { type App, route } from '../access/route.ts'
import { routeCsv } from '../access/route-csv.ts'
import { checkUnits } from '../terms/check-reward.ts'
import { addAdjustment } from './adjustments.ts'
import { entryById, listWithVisits } from './present-entries.ts'

export function commissionRoutes(app: App) {
  route(app, contract.adjustBalance, async ({ db, actor, access, body }) => {
    const rewards = await rewardsOfPartners(db, access.account.id, [access.subjectId])
    checkUnits('amount', body.amount, rewards.get(access.subjectId))
    const id = await addAdjustment(db, userAuthor(actor), access.account, access.subjectId, body)
    return entryById(db, access, id)
  })

  route(app, contract.listSaleCommissions, ({ db, access, query }) =>
    listWithVisits(db, access, query, { scope: sql`t.sale_id = ${access.subjectId}` }),
  )

  route(app, contract.listLeadCommissions, ({ db, access, query }) =>
    listWithVisits(db, access, query, { scope: sql`t.lead_id = ${access.subjectId}` }),
  )

  routeCsv(app, contract.downloadLeadCommissions, ({ db, access }, query) =>
    listWithVisits(db, access, query, { scope: sql`t.lead_id = ${access.subjectId}` }),
  )

  routeCsv(app, contract.downloadSaleCommissions, ({ db, access }, query) =>
    listWithVisits(db, access, query, { scope: sql`t.sale_id = ${access.subjectId}` }),
  )
}
