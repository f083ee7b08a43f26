import * as contract from '#contract/stats.ts'
import { readRange } from '../../platform/time/range.ts'
import { type App, route } from '../access/route.ts'
import { leadHistory, partnerHistory, readHistory, toSight } from './history.ts'
import { getAccountStats, getBlueprintStats, getLeadStats, getPartnerStats } from './read.ts'

export function statsRoutes(app: App) {
  route(
    app,
    contract.getAccountStats,
    async ({ db, access: { account } }) => (await getAccountStats(db, [account.id])).get(account.id)!,
  )

  route(app, contract.getAccountHistoricalStats, ({ db, access, params }) => {
    const { id, defaultCurrency } = access.account
    return readHistory(db, { accountId: id }, readRange(params.range), toSight(access), defaultCurrency)
  })

  route(app, contract.getPartnerStats, async ({ db, access }) => {
    const { account, subjectId } = access
    return (await getPartnerStats(db, account, [subjectId], access)).get(subjectId)!
  })

  route(app, contract.getPartnerHistoricalStats, ({ db, access, params }) =>
    partnerHistory(db, access, readRange(params.range), toSight(access)),
  )

  route(app, contract.getLeadStats, async ({ db, access }) => {
    const { account, subjectId, partnerId } = access
    return (await getLeadStats(db, account, [subjectId], partnerId)).get(subjectId)!
  })

  route(app, contract.getLeadHistoricalStats, ({ db, access, params }) =>
    leadHistory(db, access, readRange(params.range)),
  )

  route(app, contract.getLinkBlueprintStats, ({ db, access: { account, subjectId } }) =>
    getBlueprintStats(db, account, subjectId),
  )

  route(app, contract.getLinkBlueprintHistoricalStats, ({ db, access, params }) => {
    const { account, subjectId } = access
    const owner = { accountId: account.id, blueprintId: subjectId }
    return readHistory(db, owner, readRange(params.range), toSight(access), account.defaultCurrency)
  })
}
