import * as contract from '#contract/stats.ts'
import { readRange } from '../../platform/time/range.ts'
import { type App, route } from '../access/route.ts'
import { leadHistory, partnerHistory, readHistory, sightOf } from './history.ts'
import { accountStatsOf, blueprintStatsOf, leadStatsOf, partnerStatsOf } from './read.ts'

export function statsRoutes(app: App) {
  route(
    app,
    contract.getAccountStats,
    async ({ db, access: { account } }) => (await accountStatsOf(db, [account.id])).get(account.id)!,
  )

  route(app, contract.getAccountHistoricalStats, ({ db, access, params }) => {
    const { id, defaultCurrency } = access.account
    return readHistory(db, { accountId: id }, readRange(params.range), sightOf(access), defaultCurrency)
  })

  route(app, contract.getPartnerStats, async ({ db, access }) => {
    const { account, subjectId } = access
    return (await partnerStatsOf(db, account, [subjectId], access)).get(subjectId)!
  })

  route(app, contract.getPartnerHistoricalStats, ({ db, access, params }) =>
    partnerHistory(db, access, readRange(params.range), sightOf(access)),
  )

  route(app, contract.getLeadStats, async ({ db, access }) => {
    const { account, subjectId, partnerId } = access
    return (await leadStatsOf(db, account, [subjectId], partnerId)).get(subjectId)!
  })

  route(app, contract.getLeadHistoricalStats, ({ db, access, params }) =>
    leadHistory(db, access, readRange(params.range)),
  )

  route(app, contract.getLinkBlueprintStats, ({ db, access: { account, subjectId } }) =>
    blueprintStatsOf(db, account, subjectId),
  )

  route(app, contract.getLinkBlueprintHistoricalStats, ({ db, access, params }) => {
    const { account, subjectId } = access
    const whose = { accountId: account.id, blueprintId: subjectId }
    return readHistory(db, whose, readRange(params.range), sightOf(access), account.defaultCurrency)
  })
}
