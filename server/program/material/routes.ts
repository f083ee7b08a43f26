import * as contract from '#contract/material.ts'
import { byUser } from '../../platform/author.ts'
import { keyOf } from '../access/access.ts'
import { type App, route } from '../access/route.ts'
import { changeAsset, createAsset, deleteAsset, listAssets, listPartnerAssets } from './assets.ts'
import { fileRoutes } from './file-routes.ts'

export function materialRoutes(app: App) {
  fileRoutes(app)

  route(app, contract.listAssets, ({ db, services, access }) => listAssets(db, services.config, access.account.id))

  route(app, contract.createAsset, ({ db, services, actor, access, body }) =>
    createAsset(db, services.config, byUser(actor), access.account.id, body),
  )

  route(app, contract.changeAsset, ({ db, services, actor, access, body }) =>
    changeAsset(db, services.config, byUser(actor), keyOf(access), body),
  )

  route(app, contract.deleteAsset, ({ db, actor, access }) =>
    deleteAsset(db, byUser(actor), keyOf(access)).then(() => undefined),
  )

  route(app, contract.listPartnerAssets, ({ db, services, access }) =>
    listPartnerAssets(db, services.config, access.account.id, access.subjectId),
  )
}
