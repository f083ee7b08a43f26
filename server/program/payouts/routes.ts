import * as balances from '#contract/balances.ts'
import * as form from '#contract/payout-form.ts'
import * as reconciliation from '#contract/payout-reconciliation.ts'
import * as settings from '#contract/payout-settings.ts'
import * as payouts from '#contract/payouts.ts'
import { userAuthor } from '../../platform/author.ts'
import { type App, route, routeOwn } from '../access/route.ts'
import { routeCsv } from '../access/route-csv.ts'
import { approvePayout, approvePayouts, previewApproval } from './approve.ts'
import { getPayoutAttention } from './attention.ts'
import { changeAutoPayoutSettings, getAutoPayoutSettings } from './auto-payout-settings.ts'
import { getBalance, listBalances } from './balances.ts'
import { cancelPayout } from './cancel-payout.ts'
import { listProfiles } from './connect.ts'
import { connectApp } from './connect-app.ts'
import { forecastOfAccount, forecastOfPartner } from './forecast.ts'
import { refreshPayouts } from './jobs.ts'
import { listCommissions } from './list-commissions.ts'
import { markPayoutsPaid } from './mark-paid.ts'
import { orderMethods, presentMethods, removeMethod, saveSepa } from './method-settings.ts'
import { draftForm, payoutForm } from './payout-form.ts'
import { enterPayoutSettings, getPayoutSettings, removePayoutSettings } from './payout-settings.ts'
import { getPayoutTotals } from './payout-totals.ts'
import { listPayoutEntries, listPayouts, payoutReader, presentPayout } from './payouts.ts'
import { providerEventRoutes } from './provider-events.ts'
import { presentReconciliation } from './reconciliation/compare.ts'
import { confirmReconciliation } from './reconciliation/confirm.ts'
import { startReading } from './reconciliation/read-back.ts'
import { remindPartner } from './remind-partner.ts'
import { retryPayout } from './retry-payout.ts'
import { answerStatement } from './statement/answer.ts'

export function payoutRoutes(app: App) {
  route(app, payouts.listPayouts, ({ db, access, query }) =>
    listPayouts(db, access.account, query, { reader: 'owner' }),
  )
  route(app, payouts.listPartnerPayouts, ({ db, access, query }) =>
    listPayouts(db, access.account, query, { reader: payoutReader(access), partnerId: access.subjectId }),
  )
  routeCsv(app, payouts.downloadPartnerPayouts, ({ db, access }, query) =>
    listPayouts(db, access.account, query, { reader: payoutReader(access), partnerId: access.subjectId }),
  )
  route(app, payouts.getPayout, ({ db, access }) =>
    presentPayout(db, access.account, access.subjectId, payoutReader(access)),
  )
  route(app, balances.listCommissions, ({ db, access, query }) => listCommissions(db, access, query))
  routeCsv(app, balances.downloadCommissions, ({ db, access }, query) => listCommissions(db, access, query))
  route(app, payouts.listPayoutEntries, ({ db, access, query }) => listPayoutEntries(db, access, query))
  routeCsv(app, payouts.downloadPayoutEntries, ({ db, access }, query) => listPayoutEntries(db, access, query))
  route(app, payouts.getPayoutStatement, ({ db, services, access, reader, query, request }) =>
    answerStatement(
      db,
      services,
      { access, reader },
      { accept: request.accept, paper: query.paper, language: request.language },
    ),
  )
  route(app, payouts.getPayoutTotals, ({ db, access }) => getPayoutTotals(db, access.account))
  route(app, balances.getPayoutForecast, ({ db, access }) => forecastOfAccount(db, access.account))
  route(app, balances.getPartnerForecast, ({ db, access }) => forecastOfPartner(db, access.account, access.subjectId))
  route(app, payouts.getPayoutAttention, ({ db, access }) => getPayoutAttention(db, access.account))

  routeOwn(app, payouts.refreshPayouts, ({ services, access, body }) => refreshPayouts(services, access.account, body))
  route(app, payouts.approvePayout, ({ db, services, actor, access, body }) =>
    approvePayout(db, services, actor, access.account, access.subjectId, body),
  )
  route(app, payouts.approvePayouts, ({ db, services, actor, access, body }) =>
    body.preview
      ? previewApproval(db, actor, access.account, body.ids)
      : approvePayouts(db, services, actor, access.account, body.ids, body.shown),
  )
  routeOwn(app, payouts.cancelPayout, ({ services, actor, access }) =>
    cancelPayout(services, actor, access.account, access.subjectId),
  )
  route(app, payouts.retryPayout, ({ db, services, actor, access }) =>
    retryPayout(db, services.jobs, userAuthor(actor), access.account, access.subjectId),
  )
  route(app, payouts.markPayoutsPaid, ({ db, actor, access, body }) => markPayoutsPaid(db, actor, access.account, body))
  route(app, settings.getPayoutSettings, ({ db, services, access }) =>
    getPayoutSettings(db, services.secrets, access.account, access.subjectId, payoutReader(access)),
  )
  routeOwn(app, settings.savePayoutSettings, ({ services, actor, access, body }) =>
    enterPayoutSettings(services, actor, { account: access.account, partnerId: access.subjectId }, body),
  )
  routeOwn(app, form.getPayoutForm, ({ services, access, query }) => payoutForm(services, access.account, query))
  routeOwn(app, form.previewPayoutForm, ({ services, access, body }) => draftForm(services, access.account, body))
  route(app, settings.deletePayoutSettings, async ({ db, services, actor, access }) => {
    await removePayoutSettings(db, services.jobs, actor, { account: access.account, partnerId: access.subjectId })
    return undefined
  })
  route(app, settings.remindPartner, ({ db, services, actor, access, body }) =>
    remindPartner(db, services, userAuthor(actor), { account: access.account, partnerId: access.subjectId }, body.kind),
  )
  route(app, balances.getBalance, ({ db, access }) => getBalance(db, access))
  route(app, balances.listBalances, ({ db, access, query }) => listBalances(db, access.account, query))
  routeCsv(app, balances.downloadBalances, ({ db, access }, query) => listBalances(db, access.account, query))

  route(app, settings.getPayoutMethods, ({ db, services, access }) =>
    presentMethods(db, services.secrets, access.account),
  )
  route(app, settings.reorderPayoutMethods, ({ db, services, actor, access, body }) =>
    orderMethods(db, services.secrets, actor, access.account, body.order),
  )
  route(app, settings.saveSepaMethod, ({ db, services, actor, access, body }) =>
    saveSepa(db, services.secrets, actor, access.account, body),
  )
  route(app, settings.removeSepaMethod, async ({ db, actor, access }) => {
    await removeMethod(db, actor, access.account, 'sepa')
    return undefined
  })
  routeOwn(app, settings.savePayPalMethod, ({ services, actor, access, body }) =>
    connectApp(services, actor, access.account, 'paypal', body),
  )
  route(app, settings.removePayPalMethod, async ({ db, actor, access }) => {
    await removeMethod(db, actor, access.account, 'paypal')
    return undefined
  })
  route(app, settings.getAutoPayoutSettings, ({ db, access }) => getAutoPayoutSettings(db, access.account))
  routeOwn(app, settings.changeAutoPayoutSettings, ({ services, actor, access, body }) =>
    changeAutoPayoutSettings(services, actor, access.account, body),
  )

  route(app, reconciliation.getPayoutReconciliation, ({ db, access }) => presentReconciliation(db, access.account))
  route(app, reconciliation.startPayoutReconciliation, ({ db, services, access }) =>
    startReading(db, services.jobs, access.account),
  )
  route(app, reconciliation.confirmPayoutReconciliation, ({ db, services, actor, access, body }) =>
    confirmReconciliation(db, services.jobs, actor, access.account, body),
  )

  routeOwn(app, settings.listWiseProfiles, ({ services, request }) => listProfiles(services, request.authorization))
  providerEventRoutes(app)
}
