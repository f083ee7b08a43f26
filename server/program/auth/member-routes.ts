import * as contract from '#contract/members.ts'
import type { Queryable, Transaction } from '../../platform/database/pool.ts'
import type { Services } from '../../platform/services.ts'
import type { Access } from '../access/access.ts'
import type { Actor } from '../access/actor.ts'
import { type App, route } from '../access/route.ts'
import { routeCsv } from '../access/route-csv.ts'
import { changeMember, getMember, inviteMember, listMembers, removeMember, retryMemberInvitation } from './members.ts'
import type { Home } from './users.ts'

export function memberRoutes(app: App) {
  const team = handlers(({ account }) => ({ accountId: account.id, partnerId: null }))
  route(app, contract.listMembers, (call) => team.list(call, call.query))
  routeCsv(app, contract.downloadMembers, team.list)
  route(app, contract.inviteMember, team.invite)
  route(app, contract.changeMember, team.change)
  route(app, contract.removeMember, team.remove)
  route(app, contract.retryMemberInvitation, team.retry)

  const partner = handlers(({ account, subjectId }) => ({ accountId: account.id, partnerId: subjectId }))
  route(app, contract.listPartnerMembers, (call) => partner.list(call, call.query))
  routeCsv(app, contract.downloadPartnerMembers, partner.list)
  route(app, contract.invitePartnerMember, partner.invite)
  route(app, contract.changePartnerMember, partner.change)
  route(app, contract.removePartnerMember, partner.remove)
  route(app, contract.retryPartnerMemberInvitation, partner.retry)
}

type Reading = { db: Queryable; services: Services; access: Access }
type Writing = { db: Transaction; services: Services; actor: Actor; access: Access }
type OfMember = Writing & { params: { userId: string } }

/** The handlers of the calls about people; `homeOf` returns the team or partner that a call names. */
function handlers(homeOf: (access: Access) => Home) {
  const managing = ({ actor, access }: Writing) => ({ home: homeOf(access), actor, access })
  return {
    list: ({ db, services, access }: Reading, query: Parameters<typeof listMembers>[3]) =>
      listMembers(db, services, homeOf(access), query),

    async invite(call: Writing & { body: contract.NewMember | contract.NewPartnerMember }) {
      const { db, services, access, body } = call
      const userId = await inviteMember(db, services, managing(call), body)
      return getMember(db, services, homeOf(access), userId)
    },

    async change(call: OfMember & { body: contract.MemberChange | contract.PartnerMemberChange }) {
      const { db, services, access, params, body } = call
      await changeMember(db, managing(call), params.userId, body)
      return getMember(db, services, homeOf(access), params.userId)
    },

    async remove(call: OfMember) {
      await removeMember(call.db, managing(call), call.params.userId)
      return undefined
    },

    async retry(call: OfMember) {
      const { db, services, access, params } = call
      await retryMemberInvitation(db, services, managing(call), params.userId)
      return getMember(db, services, homeOf(access), params.userId)
    },
  }
}
