import * as contract from '#contract/second-factor.ts'
import { byUser } from '../../../platform/author.ts'
import { type App, route, routeOwn } from '../../access/route.ts'
import { renewRecoveryCodes, secondFactorOf } from './factors.ts'
import { addPasskey, removePasskey, startAdding, startPasskey, worksOn } from './passkeys.ts'
import { addTotp, removeTotp, startTotp } from './totp.ts'

export function secondFactorRoutes(app: App) {
  route(app, contract.getSignInMethods, async ({ services, request }) => {
    const { oidc } = services.config
    return { passkeys: worksOn(services, request.host), oidc: oidc && { name: oidc.name, only: oidc.only } }
  })

  route(app, contract.startPasskey, ({ db, services }) => startPasskey(db, services))

  route(app, contract.getSecondFactor, ({ db, services, actor }) => secondFactorOf(db, services, actor.userId))

  route(app, contract.startTotp, ({ db, services, actor }) => startTotp(db, services, actor))

  routeOwn(app, contract.addTotp, ({ db, services, actor, body, request }) =>
    addTotp(db, services, actor, body.code, request),
  )

  route(app, contract.removeTotp, async ({ db, services, actor }) => {
    await removeTotp(db, services, actor)
    return undefined
  })

  route(app, contract.startAddingPasskey, ({ db, services, actor }) => startAdding(db, services, actor))

  routeOwn(app, contract.addPasskey, ({ db, services, actor, body }) => addPasskey(db, services, actor, body))

  route(app, contract.removePasskey, async ({ db, services, actor, params }) => {
    await removePasskey(db, services, actor, params.id)
    return undefined
  })

  route(app, contract.renewRecoveryCodes, async ({ db, services, actor }) => ({
    recoveryCodes: await renewRecoveryCodes(db, services, byUser(actor), actor.userId),
  }))
}
