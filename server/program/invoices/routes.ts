import * as contract from '#contract/invoices.ts'
import { type App, route } from '../access/route.ts'
import { changeInvoicing, presentInvoicing } from './invoicing.ts'

export function invoiceRoutes(app: App) {
  route(app, contract.getInvoicing, ({ db, access }) => presentInvoicing(db, access.account.id))

  route(app, contract.changeInvoicing, ({ db, by, access, body }) => changeInvoicing(db, by, access.account.id, body))
}
