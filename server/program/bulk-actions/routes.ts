import { Readable } from 'node:stream'
import * as contract from '#contract/bulk-actions.ts'
import { type App, route } from '../access/route.ts'
import { answerCsv, routeCsv } from '../access/route-csv.ts'
import { sumEarlierSales } from '../sales/attribute-sale.ts'
import { cancelBulkAction, getBulkAction, listBulkActions, refusalFile, startBulkAction } from './bulk-actions.ts'

export function bulkActionRoutes(app: App) {
  route(app, contract.startBulkAction, ({ db, services, by, access, body }) =>
    startBulkAction(db, services.jobs, by, access.account.id, body),
  )

  route(app, contract.previewEarlierSales, ({ db, access, body }) => sumEarlierSales(db, access.account.id, body.ids))

  route(app, contract.listBulkActions, ({ db, access, query }) => listBulkActions(db, access.account.id, query))

  routeCsv(app, contract.downloadBulkActions, ({ db, access }, query) => listBulkActions(db, access.account.id, query))

  route(app, contract.getBulkAction, ({ db, access, params }) =>
    getBulkAction(db, access.account.id, params.bulkActionId),
  )

  route(app, contract.cancelBulkAction, ({ db, access, params }) => cancelBulkAction(db, access, params.bulkActionId))

  route(app, contract.downloadBulkActionRefusals, async (call) => {
    const { db, access, params } = call
    const file = await refusalFile(db, access.account.id, params.bulkActionId)
    return answerCsv(call, 'refusals', Readable.from([file]))
  })
}
