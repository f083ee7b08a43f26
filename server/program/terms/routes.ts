import * as contract from '#contract/terms.ts'
import { userAuthor } from '../../platform/author.ts'
import type { Access } from '../access/access.ts'
import { type App, route } from '../access/route.ts'
import { routeCsv } from '../access/route-csv.ts'
import type { TermsSubject } from './save-terms.ts'
import { changeTerms, listTerms, readTerms } from './terms-state.ts'

const as =
  (kind: TermsSubject['kind']) =>
  ({ account, subjectId }: Access): [accountId: string, subject: TermsSubject] => [account.id, { kind, id: subjectId }]
const ofAccount = as('account')
const ofGroup = as('group')
const ofLink = as('link')
const ofPartner = as('partner')

export function termsRoutes(app: App) {
  route(app, contract.getAccountTerms, ({ db, access }) => readTerms(db, ...ofAccount(access)))
  route(app, contract.getGroupTerms, ({ db, access }) => readTerms(db, ...ofGroup(access)))
  route(app, contract.getLinkTerms, ({ db, access }) => readTerms(db, ...ofLink(access)))
  route(app, contract.getPartnerTerms, ({ db, access, request }) =>
    readTerms(db, ...ofPartner(access), access.as, request.prefers),
  )

  route(app, contract.changeAccountTerms, ({ db, actor, access, body }) =>
    changeTerms(db, userAuthor(actor), ...ofAccount(access), body),
  )
  route(app, contract.changeGroupTerms, ({ db, actor, access, body }) =>
    changeTerms(db, userAuthor(actor), ...ofGroup(access), body),
  )
  route(app, contract.changeLinkTerms, ({ db, actor, access, body }) =>
    changeTerms(db, userAuthor(actor), ...ofLink(access), body),
  )
  route(app, contract.changePartnerTerms, ({ db, actor, access, body }) =>
    changeTerms(db, userAuthor(actor), ...ofPartner(access), body),
  )

  route(app, contract.listAccountTerms, ({ db, access, query }) => listTerms(db, ...ofAccount(access), query))
  route(app, contract.listGroupTerms, ({ db, access, query }) => listTerms(db, ...ofGroup(access), query))
  route(app, contract.listLinkTerms, ({ db, access, query }) => listTerms(db, ...ofLink(access), query))
  route(app, contract.listPartnerTerms, ({ db, access, query }) => listTerms(db, ...ofPartner(access), query))
  routeCsv(app, contract.downloadAccountTerms, ({ db, access }, query) => listTerms(db, ...ofAccount(access), query))
  routeCsv(app, contract.downloadGroupTerms, ({ db, access }, query) => listTerms(db, ...ofGroup(access), query))
  routeCsv(app, contract.downloadLinkTerms, ({ db, access }, query) => listTerms(db, ...ofLink(access), query))
  routeCsv(app, contract.downloadPartnerTerms, ({ db, access }, query) => listTerms(db, ...ofPartner(access), query))
}
