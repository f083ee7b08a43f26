import * as contract from '#contract/auth.ts'
import { userAuthor } from '../../platform/author.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import { notFound } from '../../platform/refusal.ts'
import type { Access } from '../access/access.ts'
import { type App, route } from '../access/route.ts'
import { lockUnlessErased } from '../partner-directory/erased-partner.ts'
import { invitationOfPartner, retryInvitation, revokeInvitation } from './invitations.ts'

export function invitationRoutes(app: App) {
  route(app, contract.getInvitation, async ({ db, services, access }) => {
    await requireInviter(db, access)
    const invitation = await invitationOfPartner(db, services, access.subjectId, {
      showUrl: access.teamRole === 'owner',
    })
    if (!invitation) throw notFound()
    return invitation
  })

  route(app, contract.revokeInvitation, async ({ db, actor, access }) => {
    await requireInviter(db, access)
    await lockUnlessErased(db, access.account.id, access.subjectId)
    await revokeInvitation(db, userAuthor(actor), access.subjectId)
    return undefined
  })

  route(app, contract.retryInvitation, async ({ db, services, by, access }) => {
    await requireInviter(db, access)
    await retryInvitation(db, services, by, access.subjectId, {
      accountId: access.account.id,
      invitedByPartner: access.inPortal ? null : access.partnerId,
    })
    return (await invitationOfPartner(db, services, access.subjectId, { showUrl: access.teamRole === 'owner' }))!
  })
}

/**
 * Accepts an owner, the partner who sent this invitation, or in a portal the partner whom it invites; other ancestors
 * get `not_found`.
 */
async function requireInviter(db: Queryable, { as, inPortal, account, subjectId, partnerId }: Access) {
  if (as === 'owner' || inPortal) return
  const invitedHim = await db.maybe`
    select id from partners
    where account_id = ${account.id} and id = ${subjectId} and invited_by_partner_id = ${partnerId}`
  if (!invitedHim) throw notFound()
}
