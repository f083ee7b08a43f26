import { userAuthor } from '#server/platform/author.ts'
import { subjectKey } from '#server/program/access/access.ts'
import { type App, route } from '#server/program/access/route.ts'
import { portalUrl } from '#server/program/custom-domains/portal-url.ts'
import * as contract from '../contract.ts'
import { changeAsset, createAsset, deleteAsset, listAssets, listPartnerAssets } from './assets.ts'

export function assetRoutes(app: App) {
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
