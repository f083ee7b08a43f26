import * as contract from '#contract/outgoing-webhooks.ts'
import { userAuthor } from '../../platform/author.ts'
import type { Services } from '../../platform/services.ts'
import { type App, route } from '../../program/access/route.ts'
import { routeCsv } from '../../program/access/route-csv.ts'
import { listOutgoingDeliveries, resendDelivery, resendFailedSince, sendTestDelivery } from './deliveries.ts'
import {
  changeOutgoingWebhook,
  createOutgoingWebhook,
  deleteOutgoingWebhook,
  getOutgoingWebhook,
  listOutgoingWebhooks,
  listWebhookEvents,
  rotateSecret,
} from './webhooks.ts'

const originOf = ({ config }: Pick<Services, 'config'>) => ({ origin: config.appUrl })

export function outgoingWebhookRoutes(app: App) {
  route(app, contract.listWebhookEvents, async () => listWebhookEvents())

  route(app, contract.listOutgoingWebhooks, ({ db, access, query }) =>
    listOutgoingWebhooks(db, access.account.id, query),
  )

  routeCsv(app, contract.downloadOutgoingWebhooks, ({ db, access }, query) =>
    listOutgoingWebhooks(db, access.account.id, query),
  )

  route(app, contract.createOutgoingWebhook, ({ db, services, actor, access, body }) =>
    createOutgoingWebhook(db, services, userAuthor(actor), access.account.id, body),
  )

  route(app, contract.getOutgoingWebhook, ({ db, access }) => getOutgoingWebhook(db, access.subjectId))

  route(app, contract.changeOutgoingWebhook, ({ db, services, actor, access, body }) =>
    changeOutgoingWebhook(
      db,
      services,
      userAuthor(actor),
      { id: access.subjectId, accountId: access.account.id },
      body,
    ),
  )

  route(app, contract.deleteOutgoingWebhook, ({ db, actor, access }) =>
    deleteOutgoingWebhook(db, userAuthor(actor), { id: access.subjectId, accountId: access.account.id }).then(
      () => undefined,
    ),
  )

  route(app, contract.rotateOutgoingSecret, ({ db, services, actor, access }) =>
    rotateSecret(db, services.secrets, userAuthor(actor), { id: access.subjectId, accountId: access.account.id }),
  )

  route(app, contract.testOutgoingWebhook, ({ db, services, access }) =>
    sendTestDelivery(db, originOf(services), access.subjectId),
  )

  route(app, contract.listOutgoingDeliveries, ({ db, services, access, query }) =>
    listOutgoingDeliveries(db, originOf(services), { id: access.subjectId, accountId: access.account.id }, query),
  )

  routeCsv(app, contract.downloadOutgoingDeliveries, ({ db, services, access }, query) =>
    listOutgoingDeliveries(db, originOf(services), { id: access.subjectId, accountId: access.account.id }, query),
  )

  route(app, contract.resendDelivery, ({ db, services, access, params }) =>
    resendDelivery(db, originOf(services), access.subjectId, params.deliveryId),
  )

  route(app, contract.resendFailedDeliveries, ({ db, access, body }) =>
    resendFailedSince(db, access.subjectId, body.since),
  )
}
