import * as contract from '#contract/portal.ts'
import { notFound, refusal } from '../../platform/refusal.ts'
import { type App, route, routeOwn } from '../access/route.ts'
import { checkPresentHost } from '../custom-domains/check-host.ts'
import { presentBrand, saveBrand } from './brand.ts'
import { createFrameMap } from './frame-map.ts'
import { openByLink, openPortalFor, presentPortal } from './sessions.ts'

/** Registers the routes. Returns who may frame which address. */
export function portalRoutes(app: App) {
  const { config, db } = app.services
  const frames = createFrameMap(db, { allowLocal: config.allowPrivateWebhookTargets === true })
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

  routeOwn(app, contract.checkHost, async ({ db, services, access }) => {
    const { id } = access.account
    const judged = await checkPresentHost(services, id)
    if (judged === 'taken') throw refusal('host_taken')
    const brand = await presentBrand(db, services.config, id)
    if (!brand.host) throw notFound()
    return brand
  })
  return frames.framedBy
}
