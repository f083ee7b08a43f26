import * as contract from '#contract/portal.ts'
import { type App, route } from '../access/route.ts'
import { changeBrand, presentBrand } from './brand.ts'
import { createFrameMap } from './frame-map.ts'
import { openByLink, openPortalFor, presentPortal } from './sessions.ts'

/** Registers the routes. Returns who may frame which address. */
export function portalRoutes(app: App) {
  const { config, db } = app.services
  const frames = createFrameMap(db, { allowLocal: config.allowPrivateWebhookTargets })
  app.fastify.addHook('onClose', () => frames.close())

  route(app, contract.createPortalSession, ({ db, services, by, key, access, body }) =>
    openPortalFor(db, services, by, key!, access.subjectId, body),
  )

  route(app, contract.openPortal, ({ db, body }) => openByLink(db, body.token))

  route(app, contract.getPortal, ({ db, portal }) => presentPortal(db, portal!))

  route(app, contract.getBrand, ({ db, services, access }) => presentBrand(db, services.config, access.account.id))

  route(app, contract.changeBrand, ({ db, services, by, access, body }) =>
    changeBrand(db, services.config, by, access.account.id, body),
  )
  return frames.framedBy
}
