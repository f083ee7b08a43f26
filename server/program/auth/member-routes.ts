import * as contract from '#contract/members.ts'
import { type App, route } from '../access/route.ts'
import { routeCsv } from '../access/route-csv.ts'
import { changeMember, getMember, inviteMember, listMembers, removeMember, retryMemberInvitation } from './members.ts'

export function memberRoutes(app: App) {
  route(app, contract.listMembers, ({ db, services, access, query }) =>
    listMembers(db, services, access.account.id, query),
  )

  routeCsv(app, contract.downloadMembers, ({ db, services, access }, query) =>
    listMembers(db, services, access.account.id, query),
  )

  route(app, contract.inviteMember, async ({ db, services, actor, access, body }) => {
    const userId = await inviteMember(db, services, actor, access.account.id, body)
    return getMember(db, services, access.account.id, userId)
  })

  route(app, contract.changeMember, async ({ db, services, actor, access, params, body }) => {
    await changeMember(db, actor, access.account.id, params.userId, body)
    return getMember(db, services, access.account.id, params.userId)
  })

  route(app, contract.removeMember, async ({ db, actor, access, params }) => {
    await removeMember(db, actor, access, params.userId)
    return undefined
  })

  route(app, contract.retryMemberInvitation, async ({ db, services, actor, access, params }) => {
    await retryMemberInvitation(db, services, actor, access.account.id, params.userId)
    return getMember(db, services, access.account.id, params.userId)
  })
}
