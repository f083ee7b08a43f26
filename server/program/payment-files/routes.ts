import * as contract from '#contract/payment-files.ts'
import * as payouts from '#contract/payouts.ts'
import { subjectKey } from '../access/access.ts'
import { type App, route, routeOwn } from '../access/route.ts'
import { routeCsv } from '../access/route-csv.ts'
import { listPayouts } from '../payouts/payouts.ts'
import { downloadPaymentFile, getPaymentFile, listPaymentFiles } from './files.ts'
import { downloadBatch, filedBy, makePaymentFile } from './make-file.ts'
import { applyResults } from './results.ts'

export function paymentFileRoutes(app: App) {
  route(app, contract.listPaymentFiles, ({ db, access, query }) => listPaymentFiles(db, access.account.id, query))

  routeCsv(app, contract.downloadPaymentFiles, ({ db, access }, query) =>
    listPaymentFiles(db, access.account.id, query),
  )

  routeOwn(app, contract.createPaymentFile, ({ body, ...caller }) => makePaymentFile(caller, body))

  route(app, contract.getPaymentFile, ({ db, access }) => getPaymentFile(db, subjectKey(access)))

  route(app, contract.downloadPaymentFile, ({ services, by, access }) =>
    downloadPaymentFile(services, by, access.account, access.subjectId),
  )

  routeCsv(
    app,
    payouts.downloadPayouts,
    ({ db, access }, query) => listPayouts(db, access.account, query, { reader: 'owner' }),
    async (call) => {
      const method = filedBy(call.query.format)
      return method && downloadBatch(call, method)
    },
  )

  route(app, contract.applyPayoutResults, ({ db, services, by, access, body }) =>
    applyResults(db, services.secrets, by, access.account, body),
  )
}
