import * as forms from '#contract/tax-forms.ts'
import * as contract from '#contract/tax-years.ts'
import { userAuthor } from '../../platform/author.ts'
import { type App, route } from '../access/route.ts'
import { routeCsv } from '../access/route-csv.ts'
import { approveForYear } from './approve-year.ts'
import { getTaxForm, signTaxForm } from './forms.ts'
import { listTaxYear } from './list-tax-year.ts'
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

  route(app, contract.downloadNecFile, ({ db, services, by, access: { account }, params, query }) => {
    const year = readYear(params.year, account, db.now)
    return query.preview
      ? previewNecFile({ db, secrets: services.secrets }, account, year)
      : answerNecFile(services, by, account, { year, part: query.part })
  })

  route(app, forms.getTaxForm, ({ db, access }) =>
    getTaxForm(db, { account: access.account, partnerId: access.subjectId }),
  )

  route(app, forms.signTaxForm, ({ db, services: { secrets }, actor, access, body }) =>
    signTaxForm(db, secrets, actor, { account: access.account, partnerId: access.subjectId }, body),
  )
}
