import * as contract from '#contract/incoming-webhooks.ts'
import type { Json } from '#contract/payload-paths.ts'
import { userAuthor } from '../../platform/author.ts'
import { subjectKey } from '../../program/access/access.ts'
import { type App, route } from '../../program/access/route.ts'
import { routeCsv } from '../../program/access/route-csv.ts'
import { getDelivery, listIncomingDeliveries, replayAllFailed, replayDelivery } from './deliveries.ts'
import { rehearsePayload } from './process.ts'
import { incomingWebhookById } from './queries.ts'
import { incomingWebhookRoute } from './receive.ts'
import { requestSamePerson } from './same-person.ts'
import { listSenders } from './senders/senders.ts'
import {
  changeIncomingWebhook,
  createIncomingWebhook,
  deleteIncomingWebhook,
  getIncomingWebhook,
  listIncomingWebhooks,
  rotateUrl,
  triedWith,
} from './webhooks.ts'

export function incomingWebhookRoutes(app: App) {
  incomingWebhookRoute(app)

  route(app, contract.listIncomingWebhooks, ({ db, services, access, query }) =>
    listIncomingWebhooks(db, services, access.account.id, query),
  )

  routeCsv(app, contract.downloadIncomingWebhooks, ({ db, services, access }, query) =>
    listIncomingWebhooks(db, services, access.account.id, query),
  )

  route(app, contract.listIncomingSenders, async () => ({ items: listSenders() }))

  route(app, contract.createIncomingWebhook, ({ db, services, actor, access, body }) =>
    createIncomingWebhook(db, services, userAuthor(actor), access.account.id, body),
  )

  route(app, contract.getIncomingWebhook, ({ db, services, access }) =>
    getIncomingWebhook(db, services, subjectKey(access)),
  )

  route(app, contract.changeIncomingWebhook, ({ db, services, actor, access, body }) =>
    changeIncomingWebhook(db, services, userAuthor(actor), subjectKey(access), body),
  )

  route(app, contract.deleteIncomingWebhook, ({ db, actor, access }) =>
    deleteIncomingWebhook(db, userAuthor(actor), subjectKey(access)).then(() => undefined),
  )

  route(app, contract.rotateIncomingUrl, ({ db, services, actor, access }) =>
    rotateUrl(db, services, userAuthor(actor), subjectKey(access)),
  )

  route(app, contract.testIncomingWebhook, async ({ db, access, body }) => {
    const webhook = (await incomingWebhookById(db, access.subjectId))!
    const { payload, ...change } = body
    return rehearsePayload(db, triedWith(webhook, change, payload as Json), payload as Json)
  })

  route(app, contract.listIncomingDeliveries, ({ db, access, query }) =>
    listIncomingDeliveries(db, subjectKey(access), query),
  )

  routeCsv(app, contract.downloadIncomingDeliveries, ({ db, access }, query) =>
    listIncomingDeliveries(db, subjectKey(access), query),
  )

  route(app, contract.getIncomingDelivery, ({ db, access, params }) =>
    getDelivery(db, subjectKey(access), params.deliveryId),
  )

  route(app, contract.replayDelivery, ({ db, services, actor, access, params }) =>
    replayDelivery(db, services.jobs, userAuthor(actor), subjectKey(access), params.deliveryId),
  )

  route(app, contract.confirmSamePerson, ({ db, services, actor, access, params }) =>
    requestSamePerson(db, services.jobs, userAuthor(actor), subjectKey(access), params.deliveryId),
  )

  route(app, contract.replayFailedDeliveries, ({ db, services, actor, access }) =>
    replayAllFailed(db, services.jobs, userAuthor(actor), subjectKey(access)),
  )
}
