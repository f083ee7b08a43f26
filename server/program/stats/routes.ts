import { getAccountHistoricalStats, getAccountStats } from '#contract/accounts.ts'
import { getLeadHistoricalStats, getLeadStats } from '#contract/leads.ts'
import { getLinkBlueprintHistoricalStats, getLinkBlueprintStats } from '#contract/links.ts'
import { getPartnerHistoricalStats, getPartnerStats } from '#contract/partners.ts'
import { type App, route } from '../access/route.ts'
import { history, leadHistory, readRange, sightOf } from './history.ts'
import { accountStatsOf, blueprintStatsOf, leadStatsOf, partnerStatsOf } from './read.ts'

export function statsRoutes(app: App) {
  route(
    app,
    getAccountStats,
    async ({ db, access: { account } }) => (await accountStatsOf(db, [account.id])).get(account.id)!,
  )

  route(app, getAccountHistoricalStats, ({ db, access, params }) => {
    const { id, defaultCurrency } = access.account
    return history(db, { accountId: id }, readRange(params.range), sightOf(access), defaultCurrency)
  })

  route(app, getPartnerStats, async ({ db, access }) => {
    const { account, subjectId } = access
    return (await partnerStatsOf(db, account, [subjectId], access)).get(subjectId)!
  })

  route(app, getPartnerHistoricalStats, ({ db, access, params }) => {
    const { account, subjectId } = access
    const whose = { accountId: account.id, partnerId: subjectId }
    return history(db, whose, readRange(params.range), sightOf(access), account.defaultCurrency)
  })

  route(app, getLeadStats, async ({ db, access }) => {
    const { account, subjectId, partnerId } = access
    return (await leadStatsOf(db, account, [subjectId], partnerId)).get(subjectId)!
  })

  route(app, getLeadHistoricalStats, ({ db, access, params }) => leadHistory(db, access, readRange(params.range)))

  route(app, getLinkBlueprintStats, ({ db, access: { account, subjectId } }) =>
    blueprintStatsOf(db, account, subjectId),
  )

  route(app, getLinkBlueprintHistoricalStats, ({ db, access, params }) => {
    const { account, subjectId } = access
    const whose = { accountId: account.id, blueprintId: subjectId }
    return history(db, whose, readRange(params.range), sightOf(access), account.defaultCurrency)
  })
}
