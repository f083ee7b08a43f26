import * as contract from '#contract/portal.ts'
import { type App, route, routeOwn } from '../access/route.ts'
import { presentBrand, saveBrand } from './brand.ts'
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

  route(app, contract.openPortal, ({ db, services, body }) => openByLink(db, services, body.token))

  route(app, contract.getPortal, ({ db, portal }) => presentPortal(db, portal!))

  route(app, contract.getBrand, ({ db, services, access }) => presentBrand(db, services.config, access.account.id))

  routeOwn(app, contract.changeBrand, ({ services, by, access, body }) =>
    saveBrand(services, by, access.account.id, body),
  )
  return frames.framedBy
}
