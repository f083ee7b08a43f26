import * as contract from '#contract/second-factor.ts'
import { userAuthor } from '../../../platform/author.ts'
import { type App, route, routeOwn } from '../../access/route.ts'
import { getSecondFactor, renewRecoveryCodes } from './factors.ts'
import { addPasskey, offersPasskeys, removePasskey, startAdding, startPasskey } from './passkeys.ts'
import { addTotp, removeTotp, startTotp } from './totp.ts'

export function secondFactorRoutes(app: App) {
  route(app, contract.getSignInMethods, async ({ services, request }) => {
    const { oidc } = services.config
    const offered = request.ownHost ? null : oidc
    return {
      passkeys: offersPasskeys(services, request),
      oidc: offered && { name: offered.name, only: offered.only },
      ownDomain: request.ownHost !== undefined,
    }
  })

  route(app, contract.startPasskey, ({ db, services, request }) => startPasskey(db, services, request.ownHost))

  route(app, contract.getSecondFactor, ({ db, services, actor }) => getSecondFactor(db, services, actor))

  route(app, contract.startTotp, ({ db, services, actor }) => startTotp(db, services, actor))

  routeOwn(app, contract.addTotp, ({ db, services, actor, body, request }) =>
    addTotp(db, services, actor, body.code, request),
  )

  route(app, contract.removeTotp, async ({ db, services, actor }) => {
    await removeTotp(db, services, actor)
    return undefined
  })

  route(app, contract.startAddingPasskey, ({ db, services, actor, request }) =>
    startAdding(db, services, actor, request.ownHost),
  )

  routeOwn(app, contract.addPasskey, ({ db, services, actor, body, request: { ownHost } }) =>
    addPasskey(db, services, actor, { ...body, ownHost }),
  )

  route(app, contract.removePasskey, async ({ db, services, actor, params }) => {
    await removePasskey(db, services, actor, params.id)
    return undefined
  })

  route(app, contract.renewRecoveryCodes, async ({ db, services, actor }) => ({
    recoveryCodes: await renewRecoveryCodes(db, services, userAuthor(actor), actor.userId),
  }))
}
