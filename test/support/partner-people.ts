import type { partnerRoles } from '#contract/endpoint.ts'
import type { PartnerMember } from '#contract/members.ts'
import { acceptInvitation, anEmail, expectOk, type TestAccount, type TestApp } from './app.ts'

export type PartnerRole = (typeof partnerRoles)[number]
export type TestPartner = { id: string; token: string; email: string }

/** Invites people of a partner and of an account, and accepts as them. */
export function partnerPeople(app: TestApp) {
  const at = ({ id }: { id: string }, userId?: string) => `/partners/${id}/members${userId ? `/${userId}` : ''}`

  const invite = (
    partner: { id: string },
    role: PartnerRole,
    token: string,
    email = anEmail(role),
    more: object = {},
  ) => app.api('POST', at(partner), { token, body: { email, role, ...more } })

  const membersOf = async (partner: { id: string }, token: string): Promise<PartnerMember[]> =>
    expectOk(await app.api('GET', `${at(partner)}?sort=createdAt&limit=100`, { token })).body.items

  /** Accepts as the invited person; without a mail server the account's owner passes the link on. */
  async function join(account: TestAccount, partner: { id: string }, userId: string) {
    const { url } = (await membersOf(partner, account.token)).find((one) => one.userId === userId)!
    return { userId, ...(await acceptInvitation(app, url!)) }
  }

  async function aMember(account: TestAccount, partner: TestPartner, role: PartnerRole, email = anEmail(role)) {
    const { body } = expectOk(await invite(partner, role, partner.token, email))
    return { email, ...(await join(account, partner, body.userId)) }
  }

  const aColleague = async (account: TestAccount, role: string) => {
    const body = { email: anEmail(role), role }
    const { url } = expectOk(
      await app.api('POST', `/accounts/${account.id}/members`, { token: account.token, body }),
    ).body
    return (await acceptInvitation(app, url)).token
  }
  return { at, invite, membersOf, join, aMember, aColleague }
}

/** A call's status, with the reason if it is refused. */
export const formatOutcome = ({ status, body }: { status: number; body: { error?: { reason: string } } }) =>
  status < 300 ? status : `${status} ${body.error!.reason}`
