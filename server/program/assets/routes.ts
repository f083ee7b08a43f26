import * as contract from '#contract/assets.ts'
import { userAuthor } from '../../platform/author.ts'
import { subjectKey } from '../access/access.ts'
import { type App, route } from '../access/route.ts'
import { portalUrl } from '../custom-domains/portal-url.ts'
import { changeAsset, createAsset, deleteAsset, listAssets, listPartnerAssets } from './assets.ts'
import { fileRoutes } from './file-routes.ts'

export function materialRoutes(app: App) {
  fileRoutes(app)

  route(app, contract.listAssets, ({ db, services, access }) =>
    listAssets(db, portalUrl(services.config, access.account), access.account.id),
  )

  route(app, contract.createAsset, ({ db, services, actor, access, body }) =>
    createAsset(db, portalUrl(services.config, access.account), userAuthor(actor), access.account.id, body),
  )

  route(app, contract.changeAsset, ({ db, services, actor, access, body }) =>
    changeAsset(db, portalUrl(services.config, access.account), userAuthor(actor), subjectKey(access), body),
  )

  route(app, contract.deleteAsset, ({ db, actor, access }) =>
    deleteAsset(db, userAuthor(actor), subjectKey(access)).then(() => undefined),
  )

  route(app, contract.listPartnerAssets, ({ db, services, access }) =>
    listPartnerAssets(db, portalUrl(services.config, access.account), access.account.id, access.subjectId),
  )
}
