import * as contract from '#contract/payouts.ts'
import { type App, route, routeOwn } from '../access/route.ts'
import { routeCsv } from '../access/route-csv.ts'
import { approvePayout, approvePayouts, previewApproval } from './approve.ts'
import { getPayoutAttention } from './attention.ts'
import { changeAutoPayoutSettings, getAutoPayoutSettings } from './auto-payout-settings.ts'
import { getBalance, listBalances } from './balances.ts'
import { batchedBy, downloadBatch } from './batch-file.ts'
import { applyResults } from './batch-results.ts'
import { cancelPayout } from './cancel-payout.ts'
import { listProfiles } from './connect.ts'
import { forecastOfAccount, forecastOfPartner } from './forecast.ts'
import { refreshPayouts } from './jobs.ts'
import { listCommissions } from './list-commissions.ts'
import { markPayoutPaid, markPayoutsPaid } from './mark-paid.ts'
import { enterPayoutSettings, getPayoutSettings, removePayoutSettings } from './payout-settings.ts'
import { listPayoutEntries, listPayouts, payoutReader, payoutTotals, presentPayout } from './payouts.ts'
import { providerEventRoutes } from './provider-events.ts'
import { presentReconciliation } from './reconciliation/compare.ts'
import { confirmReconciliation } from './reconciliation/confirm.ts'
import { startReading } from './reconciliation/read-back.ts'
import { remindPartner } from './remind-partner.ts'
import { retryPayout } from './retry-payout.ts'
import { answerStatement } from './statement/answer.ts'

export function payoutRoutes(app: App) {
  route(app, contract.listPayouts, ({ db, access, query }) =>
    listPayouts(db, access.account, query, { reader: 'owner' }),
  )
  route(app, contract.listPartnerPayouts, ({ db, access, query }) =>
    listPayouts(db, access.account, query, { reader: payoutReader(access), partnerId: access.subjectId }),
  )
  routeCsv(
    app,
    contract.downloadPayouts,
    ({ db, access }, query) => listPayouts(db, access.account, query, { reader: 'owner' }),
    async (call) => {
      const method = batchedBy(call.query.format)
      return method && downloadBatch(call, method)
    },
  )
  routeCsv(app, contract.downloadPartnerPayouts, ({ db, access }, query) =>
    listPayouts(db, access.account, query, { reader: payoutReader(access), partnerId: access.subjectId }),
  )
  route(app, contract.getPayout, ({ db, access }) =>
    presentPayout(db, access.account, access.subjectId, payoutReader(access)),
  )
  route(app, contract.listCommissions, ({ db, access, query }) => listCommissions(db, access, query))
  routeCsv(app, contract.downloadCommissions, ({ db, access }, query) => listCommissions(db, access, query))
  route(app, contract.listPayoutEntries, ({ db, access, query }) => listPayoutEntries(db, access, query))
  routeCsv(app, contract.downloadPayoutEntries, ({ db, access }, query) => listPayoutEntries(db, access, query))
  route(app, contract.getPayoutStatement, ({ db, services, access, reader, query, request }) =>
    answerStatement(db, services, { access, reader }, { accept: request.accept, paper: query.paper }),
  )
  route(app, contract.getPayoutTotals, ({ db, access }) => payoutTotals(db, access.account))
  route(app, contract.getPayoutForecast, ({ db, access }) => forecastOfAccount(db, access.account))
  route(app, contract.getPartnerForecast, ({ db, access }) => forecastOfPartner(db, access.account, access.subjectId))
  route(app, contract.getPayoutAttention, ({ db, access }) => getPayoutAttention(db, access.account))

  routeOwn(app, contract.refreshPayouts, ({ services, access, body }) => refreshPayouts(services, access.account, body))
  route(app, contract.approvePayout, ({ db, services, actor, access, body }) =>
    approvePayout(db, services, actor, access.account, access.subjectId, body),
  )
  route(app, contract.approvePayouts, ({ db, services, actor, access, body }) =>
    body.preview
      ? previewApproval(db, actor, access.account, body.ids)
      : approvePayouts(db, services, actor, access.account, body.ids, body.shown),
  )
  routeOwn(app, contract.cancelPayout, ({ services, actor, access }) =>
    cancelPayout(services, actor, access.account, access.subjectId),
  )
  route(app, contract.retryPayout, ({ db, services, actor, access }) =>
    retryPayout(db, services.jobs, actor, access.account, access.subjectId),
  )
  route(app, contract.applyPayoutResults, ({ db, services, by, access, body }) =>
    applyResults(db, services.secrets, by, access.account, body),
  )
  route(app, contract.markPayoutsPaid, ({ db, actor, access, body }) =>
    markPayoutsPaid(db, actor, access.account, body),
  )
  route(app, contract.markPayoutPaid, ({ db, actor, access, body }) =>
    markPayoutPaid(db, actor, access.account, access.subjectId, body),
  )

  route(app, contract.getPayoutSettings, ({ db, services, access }) =>
    getPayoutSettings(db, services.secrets, access.account, access.subjectId),
  )
  routeOwn(app, contract.savePayoutSettings, ({ services, actor, access, body }) =>
    enterPayoutSettings(services, actor, { account: access.account, partnerId: access.subjectId }, body),
  )
  route(app, contract.deletePayoutSettings, async ({ db, services, actor, access }) => {
    await removePayoutSettings(db, services.jobs, actor, { account: access.account, partnerId: access.subjectId })
    return undefined
  })
  route(app, contract.remindPartner, ({ db, services, actor, access, body }) =>
    remindPartner(db, services, actor, { account: access.account, partnerId: access.subjectId }, body.kind),
  )
  route(app, contract.getBalance, ({ db, access }) => getBalance(db, access))
  route(app, contract.listBalances, ({ db, access, query }) => listBalances(db, access.account, query))
  routeCsv(app, contract.downloadBalances, ({ db, access }, query) => listBalances(db, access.account, query))

  route(app, contract.getAutoPayoutSettings, ({ db, access }) => getAutoPayoutSettings(db, access.account))
  routeOwn(app, contract.changeAutoPayoutSettings, ({ services, actor, access, body }) =>
    changeAutoPayoutSettings(services, actor, access.account, body),
  )

  route(app, contract.getPayoutReconciliation, ({ db, access }) => presentReconciliation(db, access.account))
  route(app, contract.startPayoutReconciliation, ({ db, services, access }) =>
    startReading(db, services.jobs, access.account),
  )
  route(app, contract.confirmPayoutReconciliation, ({ db, services, actor, access, body }) =>
    confirmReconciliation(db, services.jobs, actor, access.account, body),
  )

  routeOwn(app, contract.listWiseProfiles, ({ services, request }) => listProfiles(services, request.authorization))
  providerEventRoutes(app)
}
