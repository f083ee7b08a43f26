import * as contract from '#contract/mail.ts'
import { type App, route } from '../../program/access/route.ts'
import { routeCsv } from '../../program/access/route-csv.ts'
import { getMail, listMails, sendTest } from './log.ts'
import { oneClickRoute } from './one-click.ts'
import { getPreview, listPreviews, previewRoute } from './previews.ts'
import { mailServer } from './transport.ts'
import { changeSubscription, choiceIn, getSubscription, listMailPreferences } from './unsubscribe.ts'

export function mailRoutes(app: App) {
  oneClickRoute(app)
  previewRoute(app)

  route(app, contract.getMailStatus, async ({ services: { config } }) => ({
    server: mailServer(config),
    from: config.mailFrom,
  }))

  route(app, contract.listLoggedMails, ({ db, query }) => listMails(db, query))

  routeCsv(app, contract.downloadLoggedMails, ({ db }, query) => listMails(db, query))

  route(app, contract.getLoggedMail, ({ db, params }) => getMail(db, params.id))

  route(app, contract.listMailPreviews, async ({ services }) => ({
    items: listPreviews(services.secrets, services.clock.now()),
  }))

  route(app, contract.getMailPreview, ({ services, params }) => getPreview(services, services.clock.now(), params.kind))

  route(app, contract.sendTestMail, ({ db, services, actor, body }) => sendTest(db, services.jobs, actor, body.email))

  route(app, contract.listMailChoices, async ({ db, actor }) => ({
    items: await listMailPreferences(db, actor.userId),
  }))

  route(app, contract.getMailSubscription, ({ db, services, token }) =>
    getSubscription(db, choiceIn(services.secrets, token)),
  )

  route(app, contract.changeMailSubscription, ({ db, services, token, body }) =>
    changeSubscription(db, choiceIn(services.secrets, token), body.enabled),
  )
}
