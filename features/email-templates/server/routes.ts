import { withLanguage } from '#contract/language.ts'
import { sampleMail, sendTestOfText } from '#server/integrations/mail/editable-mails.ts'
import { findSender } from '#server/integrations/mail/own-texts.ts'
import { type App, route } from '#server/program/access/route.ts'
import { portalUrl } from '#server/program/custom-domains/portal-url.ts'
import * as contract from '../contract.ts'
import {
  changeSender,
  getKind,
  listTemplates,
  previewTemplate,
  refuseMistake,
  resetTemplate,
  saveTemplate,
} from './email-templates.ts'

export function emailTemplateRoutes(app: App) {
  route(app, contract.listEmailTemplates, async ({ db, access }) => ({
    items: await listTemplates(db, access.account.id),
  }))

  route(app, contract.saveEmailTemplate, ({ db, by, access, params, body }) =>
    saveTemplate(db, by, access.account, getKind(params.kind), body),
  )

  route(app, contract.resetEmailTemplate, ({ db, by, access, params }) =>
    resetTemplate(db, by, access.account.id, getKind(params.kind)),
  )

  route(app, contract.previewEmailTemplate, ({ db, services, access: { account }, params, body }) => {
    const kind = getKind(params.kind)
    const home = { accountName: account.name, url: `${portalUrl(services.config, account)}/dashboard` }
    const sample = withLanguage(body.language ?? 'en', () => sampleMail(kind, home))
    return previewTemplate(db, services, account, sample, kind, body)
  })

  route(app, contract.testEmailTemplate, async ({ db, services, actor, access, params, body }) => {
    const template = getKind(params.kind)
    refuseMistake(template, body)
    await sendTestOfText(db, services.jobs, access.account.id, { ...body, template, userId: actor.userId })
    return { email: actor.email }
  })

  route(app, contract.getEmailSender, ({ db, access }) => findSender(db, access.account.id))

  route(app, contract.changeEmailSender, ({ db, by, access, body }) => changeSender(db, by, access.account.id, body))
}
