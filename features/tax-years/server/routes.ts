import * as payouts from '#contract/payouts.ts'
import { userAuthor } from '#server/platform/author.ts'
import { type App, route } from '#server/program/access/route.ts'
import { routeCsv } from '#server/program/access/route-csv.ts'
import * as contract from '../contract.ts'
import { approveForYear } from './approve-year.ts'
import { getTaxForm, signTaxForm } from './forms.ts'
import { listTaxYear } from './list-tax-year.ts'
import { markPaidApproving } from './mark-paid-approving.ts'
import { answerNecFile, previewNecFile } from './nec-file.ts'
import { changeThreshold, readYear } from './threshold.ts'

export function taxYearRoutes(app: App) {
  route(app, contract.listTaxYear, ({ db, services: { secrets }, access: { account }, params, query }) =>
    listTaxYear({ db, secrets }, account, readYear(params.year, account, db.now), query),
  )

  routeCsv(app, contract.downloadTaxYear, ({ db, services: { secrets }, access: { account }, params }, query) =>
    listTaxYear({ db, secrets }, account, readYear(params.year, account, db.now), query),
  )

  route(app, contract.changeTaxYear, ({ db, actor, access: { account }, params, body }) =>
    changeThreshold(db, userAuthor(actor), account, readYear(params.year, account, db.now), body.threshold),
  )

  route(app, contract.approveForTaxYear, async ({ db, actor, access: { account }, params, body }) => {
    const year = readYear(params.year, account, db.now)
    return { partnerIds: await approveForYear(db, userAuthor(actor), account, year, body) }
  })

  route(app, payouts.markPayoutPaid, ({ db, by, access, body }) =>
    markPaidApproving(db, by, access.account, access.subjectId, body),
  )

  route(app, contract.downloadNecFile, ({ db, services, by, access: { account }, params, query }) => {
    const year = readYear(params.year, account, db.now)
    return query.preview
      ? previewNecFile({ db, secrets: services.secrets }, account, year)
      : answerNecFile(services, by, account, { year, part: query.part })
  })

  route(app, contract.getTaxForm, ({ db, access }) =>
    getTaxForm(db, { account: access.account, partnerId: access.subjectId }),
  )

  route(app, contract.signTaxForm, ({ db, services: { secrets }, actor, access, body }) =>
    signTaxForm(db, secrets, actor, { account: access.account, partnerId: access.subjectId }, body),
  )
}
