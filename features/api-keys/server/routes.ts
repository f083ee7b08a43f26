import { userAuthor } from '#server/platform/author.ts'
import { type App, route } from '#server/program/access/route.ts'
import { routeCsv } from '#server/program/access/route-csv.ts'
import * as contract from '../contract.ts'
import { createKey, deleteKey, listKeys, rotateKey } from './api-keys.ts'

export function apiKeyRoutes(app: App) {
  route(app, contract.listApiKeys, ({ db, services, access, query }) =>
    listKeys(db, services.secrets, access.account.id, query),
  )

  routeCsv(app, contract.downloadApiKeys, ({ db, services, access }, query) =>
    listKeys(db, services.secrets, access.account.id, query),
  )

  route(app, contract.createApiKey, ({ db, services, actor, access, body }) =>
    createKey(db, services.secrets, userAuthor(actor), access.account.id, body),
  )

  route(app, contract.rotateApiKey, ({ db, services, actor, access, params }) =>
    rotateKey(db, services.secrets, userAuthor(actor), access.account.id, params.keyId),
  )

  route(app, contract.deleteApiKey, ({ db, services, actor, access, params }) =>
    deleteKey(db, services.secrets, userAuthor(actor), access.account.id, params.keyId).then(() => undefined),
  )
}
