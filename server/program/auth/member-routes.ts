import * as contract from '#contract/members.ts'
import type { Access } from '../access/access.ts'
import { type App, route } from '../access/route.ts'
import { routeCsv } from '../access/route-csv.ts'
import { changeMember, getMember, inviteMember, listMembers, removeMember, retryMemberInvitation } from './members.ts'
import type { Home } from './users.ts'

const ofAccount = {
  list: contract.listMembers,
  download: contract.downloadMembers,
  invite: contract.inviteMember,
  change: contract.changeMember,
  remove: contract.removeMember,
  retry: contract.retryMemberInvitation,
}
type Calls = typeof ofAccount

// differ in their paths and roles alone
const ofPartner = {
  list: contract.listPartnerMembers,
  download: contract.downloadPartnerMembers,
  invite: contract.invitePartnerMember,
  change: contract.changePartnerMember,
  remove: contract.removePartnerMember,
  retry: contract.retryPartnerMemberInvitation,
} as unknown as Calls

export function memberRoutes(app: App) {
  people(app, ofAccount, ({ account }) => ({ accountId: account.id, partnerId: null }))
  people(app, ofPartner, ({ account, subjectId }) => ({ accountId: account.id, partnerId: subjectId }))
}

/** Registers the calls about the people of a team or partner; `homeOf` returns the one that a call names. */
function people(app: App, calls: Calls, homeOf: (access: Access) => Home) {
  route(app, calls.list, ({ db, services, access, query }) => listMembers(db, services, homeOf(access), query))

  routeCsv(app, calls.download, ({ db, services, access }, query) => listMembers(db, services, homeOf(access), query))

  route(app, calls.invite, async ({ db, services, actor, access, body }) => {
    const home = homeOf(access)
    const userId = await inviteMember(db, services, { home, actor, access }, body)
    return getMember(db, services, home, userId)
  })

  route(app, calls.change, async ({ db, services, actor, access, params, body }) => {
    const home = homeOf(access)
    await changeMember(db, { home, actor, access }, params.userId, body)
    return getMember(db, services, home, params.userId)
  })

  route(app, calls.remove, async ({ db, actor, access, params }) => {
    await removeMember(db, { home: homeOf(access), actor, access }, params.userId)
    return undefined
  })

  route(app, calls.retry, async ({ db, services, actor, access, params }) => {
    const home = homeOf(access)
    await retryMemberInvitation(db, services, { home, actor, access }, params.userId)
    return getMember(db, services, home, params.userId)
  })
}
