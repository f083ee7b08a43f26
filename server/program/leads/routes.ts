import * as contract from '#contract/leads.ts'
import { userAuthor } from '../../platform/author.ts'
import { answerRows, eachRow } from '../../platform/http/rows.ts'
import { type App, route } from '../access/route.ts'
import { routeCsv } from '../access/route-csv.ts'
import { unlessMasked } from '../partner-directory/partner-names.ts'
import { changeLead } from './change-lead.ts'
import { createLead } from './create-lead.ts'
import { deleteLead } from './delete-lead.ts'
import { refuseErased } from './erase-lead.ts'
import { changeLeadStatus } from './lead-status.ts'
import { addUpLeads, listLeads } from './list-leads.ts'
import { presentLead } from './present-lead.ts'
import { lockPushedLeads, type Pushed, pushLead } from './push-leads.ts'
import { similarLeads } from './similar-leads.ts'
import { listSubmissions } from './submissions.ts'
import { submitLead } from './submit-lead.ts'
import { addNote, listLeadEvents } from './timeline.ts'

export function leadRoutes(app: App) {
  route(app, contract.listLeads, ({ db, access, query }) => listLeads(db, access, query))

  route(app, contract.getLeadTotals, ({ db, access, query }) => addUpLeads(db, access, query))

  route(app, contract.listPartnerLeads, ({ db, access, query }) => listLeads(db, access, query, access.subjectId))

  routeCsv(app, contract.downloadLeads, ({ db, access }, query) => listLeads(db, access, query))

  routeCsv(app, contract.downloadPartnerLeads, async ({ db, access }, query) => {
    const { items, ...rest } = await listLeads(db, access, query, access.subjectId)
    const unmasked = items.map((lead) => ({
      ...lead,
      email: unlessMasked(lead.email),
      phone: unlessMasked(lead.phone),
    }))
    return { ...rest, items: unmasked }
  })

  route(app, contract.findSimilarLeads, ({ db, access, query }) => similarLeads(db, access.account.id, query))

  route(app, contract.createLead, ({ db, actor, access, body }) =>
    createLead(db, userAuthor(actor), access.account, body),
  )

  route(app, contract.submitLead, ({ db, by, access, body }) => submitLead(db, by, access, body))

  route(app, contract.getLead, ({ db, access }) => presentLead(db, access, access.subjectId))

  route(app, contract.changeLead, async ({ db, actor, access, body }) => {
    await refuseErased(db, access.account.id, access.subjectId)
    return changeLead(db, userAuthor(actor), access.account, access.subjectId, body)
  })

  route(app, contract.deleteLead, async ({ db, actor, access }) => {
    await refuseErased(db, access.account.id, access.subjectId)
    await deleteLead(db, userAuthor(actor), access.account, access.subjectId)
    return undefined
  })

  route(app, contract.changeLeadStatus, async ({ db, actor, access, body }) => {
    await refuseErased(db, access.account.id, access.subjectId)
    return changeLeadStatus(db, userAuthor(actor), access.account, access.subjectId, body)
  })

  route(app, contract.listLeadEvents, ({ db, access, query }) => listLeadEvents(db, access, query))

  routeCsv(app, contract.downloadLeadEvents, ({ db, access }, query) => listLeadEvents(db, access, query))

  route(app, contract.listLeadSubmissions, ({ db, access, query }) => listSubmissions(db, access, query))

  routeCsv(app, contract.downloadLeadSubmissions, ({ db, access }, query) => listSubmissions(db, access, query))

  route(app, contract.addLeadNote, async ({ db, actor, access, body }) => {
    await refuseErased(db, access.account.id, access.subjectId)
    return addNote(db, userAuthor(actor), access.account, access.subjectId, body)
  })

  route(app, contract.pushLeads, ({ db, services, access, by, body, sent }) => {
    const { account } = access
    const push = eachRow<Pushed>(db, (pushed) => pushLead(db, by, account, pushed))
    return answerRows(services.log, contract.NewPushedLead, body, async (rows, places) => {
      await lockPushedLeads(db, by, account, rows)
      return push(rows.map((row, at) => ({ row, sent: Array.isArray(sent) ? sent[places[at]!] : sent })))
    })
  })
}
