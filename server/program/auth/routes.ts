import * as contract from '#contract/auth.ts'
import { userAuthor } from '../../platform/author.ts'
import { HttpReply } from '../../platform/http/reply.ts'
import { type App, route, routeOwn } from '../access/route.ts'
import { invitationRoutes } from './invitation-routes.ts'
import { acceptInvitation, readSetup } from './invitations.ts'
import { requestLink, signInByLink } from './link-requests.ts'
import { changeMe, endOthers, endSession, listSessions, presentMe } from './me.ts'
import { memberRoutes } from './member-routes.ts'
import { finishOidc, startOidc } from './oidc.ts'
import { signInByPasskey } from './second-factor/passkeys.ts'
import { secondFactorRoutes } from './second-factor/routes.ts'
import { refreshSession, signOut } from './sessions.ts'
import { changePassword } from './set-password.ts'
import { reauthenticateSession, signIn } from './sign-in.ts'
import { createToken, deleteToken, listTokens } from './user-tokens.ts'
import { usersById } from './users.ts'

export function authRoutes(app: App) {
  routeOwn(app, contract.signIn, ({ db, services, body, request }) => signIn(db, services, body, request))

  routeOwn(app, contract.signInByLink, ({ db, services, body, request }) => signInByLink(db, services, body, request))

  routeOwn(app, contract.signInByPasskey, ({ db, services, body, request }) =>
    signInByPasskey(db, services, body.credential, request),
  )

  routeOwn(app, contract.startOidc, ({ services, body, token }) => startOidc(services, body, token))

  routeOwn(app, contract.finishOidc, async ({ services, body, token, request }) => {
    const session = await finishOidc(services, body, token, request)
    return session ?? new HttpReply(204, undefined)
  })

  routeOwn(app, contract.refreshSession, ({ db, services, body, request }) =>
    refreshSession(db, services.secrets, body.refreshToken, request),
  )

  route(app, contract.signOut, async ({ db, body }) => {
    await signOut(db, body.refreshToken)
    return undefined
  })

  route(app, contract.resetPassword, async ({ db, services, body, request }) => {
    await requestLink(db, services.jobs, { kind: 'reset', email: body.email, device: request })
    return undefined
  })

  routeOwn(app, contract.changePassword, ({ db, services, actor, token, body, request }) =>
    changePassword(db, services, { actor, token, device: request }, body),
  )

  routeOwn(app, contract.confirmPassword, async ({ db, services, actor, body, request }) => {
    await reauthenticateSession(db, services, actor, body, request)
    return undefined
  })

  route(app, contract.getUserSetup, ({ db, token }) => readSetup(db, token))

  route(app, contract.acceptUserSetup, async ({ db, services, actor, body }) => {
    await acceptInvitation(db, services, userAuthor(actor), actor, body.token)
    return (await usersById(db, [actor.userId], actor.onlyAccountId)).get(actor.userId)!
  })

  route(app, contract.retryUserSetup, async ({ db, services, body, request }) => {
    await requestLink(db, services.jobs, { kind: 'set-up', email: body.email, device: request })
    return undefined
  })

  route(app, contract.getMe, ({ db, services, actor }) => presentMe(db, services, actor))

  route(app, contract.changeMe, ({ db, services, actor, body }) => changeMe(db, services, actor, body))

  route(app, contract.listMySessions, ({ db, actor, query }) => listSessions(db, actor, query))

  route(app, contract.endOtherSessions, async ({ db, actor }) => {
    await endOthers(db, actor)
    return undefined
  })

  route(app, contract.endSession, async ({ db, actor, params }) => {
    await endSession(db, actor, params.id)
    return undefined
  })

  route(app, contract.listMyTokens, ({ db, actor, query }) => listTokens(db, actor.userId, query))

  route(app, contract.createMyToken, ({ db, actor, body }) => createToken(db, actor, body))

  route(app, contract.deleteMyToken, async ({ db, actor, params }) => {
    await deleteToken(db, userAuthor(actor), actor.userId, params.id)
    return undefined
  })

  invitationRoutes(app)
  memberRoutes(app)
  secondFactorRoutes(app)
}
