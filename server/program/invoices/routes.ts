import * as contract from '#contract/invoices.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import type { Access } from '../access/access.ts'
import { type App, route } from '../access/route.ts'
import { recordDownload, routeCsv } from '../access/route-csv.ts'
import { accountNameById } from '../accounts/accounts.ts'
import { getInvoiceDetails, saveInvoiceDetails } from '../invoicing/details.ts'
import { issueCorrection } from './correct.ts'
import { answerInvoice } from './document.ts'
import { changeInvoicing, presentInvoicing } from './invoicing.ts'
import { listInvoices, listPartnerInvoices } from './present.ts'
import { answerZip } from './zip.ts'

const place = async (db: Queryable, { account, subjectId, language }: Access) => ({
  accountId: account.id,
  partnerId: subjectId,
  accountName: await accountNameById(db, account.id),
  language,
})

export function invoiceRoutes(app: App) {
  route(app, contract.getInvoicing, ({ db, access }) => presentInvoicing(db, access.account.id))

  route(app, contract.changeInvoicing, ({ db, by, access, body }) => changeInvoicing(db, by, access.account.id, body))

  route(app, contract.getInvoiceDetails, async ({ db, access }) => getInvoiceDetails(db, await place(db, access)))

  route(app, contract.saveInvoiceDetails, async ({ db, by, access, body }) =>
    saveInvoiceDetails(db, by, await place(db, access), body),
  )

  route(app, contract.listInvoices, ({ db, access, query }) => listInvoices(db, access.account.id, query))

  routeCsv(app, contract.downloadInvoices, ({ db, access }, query) => listInvoices(db, access.account.id, query))

  route(app, contract.listPartnerInvoices, ({ db, access, query }) =>
    listPartnerInvoices(db, access.account.id, access.subjectId, query),
  )

  routeCsv(app, contract.downloadPartnerInvoices, ({ db, access }, query) =>
    listPartnerInvoices(db, access.account.id, access.subjectId, query),
  )

  route(app, contract.getInvoice, ({ db, access, query, request }) =>
    answerInvoice(db, access.account.id, access.subjectId, { accept: request.accept, paper: query.paper }),
  )

  route(app, contract.issueCorrection, ({ db, by, access, body }) =>
    issueCorrection(db, by, access.account, access.subjectId, body.reason),
  )

  route(app, contract.downloadInvoiceFiles, async (call) => {
    const { services, access, query } = call
    const zip = await answerZip(services.db, access.account.id, query)
    await recordDownload(call, 'invoices')
    return zip
  })
}
