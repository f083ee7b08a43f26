import { userAuthor } from '../server/platform/author.ts'
import { transaction } from '../server/platform/database/pool.ts'
import { type Actor, findActor } from '../server/program/access/actor.ts'
import { acceptInvitation, invitationOfPartner } from '../server/program/auth/invitations.ts'
import { changePassword } from '../server/program/auth/set-password.ts'
import type { Story } from './story.ts'

/** The passphrase of every user in the demo. */
export const PASSPHRASE = 'four quiet herons at dusk'

export const signIns = [
  { role: 'Administrator', email: 'ops@harbor.example' },
  { role: 'Owner of Harbor Analytics', email: 'elena@harbor.example' },
  { role: 'Manager of Harbor Analytics', email: 'sam@harbor.example' },
  { role: 'Finance of Harbor Analytics', email: 'maya@harbor.example' },
  { role: 'Viewer of Harbor Analytics', email: 'leo@harbor.example' },
  { role: 'Partner of Harbor Analytics', email: 'jane@whitfield.example' },
  { role: 'Member of that partner', email: 'noa@whitfield.example' },
  { role: 'Owner of Cobalt Fitness and partner of Harbor Analytics', email: 'nadia@cobalt.example' },
] as const

const device = { address: '203.0.113.24', userAgent: 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Safari/605.1.15' }

export const tokenIn = (link: string) => new URLSearchParams(new URL(link).hash.slice(1)).get('token') ?? ''

/** Sets the passphrase by a set-up link; returns the actor who is then signed in. */
export async function setUp({ services }: Story, link: string): Promise<Actor> {
  const caller = { actor: null, token: tokenIn(link), device }
  const { accessToken } = await changePassword(services.db, services, caller, { password: PASSPHRASE })
  return (await findActor(services.db, accessToken))!
}

/** Accepts as the partner's invited user; with `signIn` by setting the passphrase. */
export async function acceptAsPartner(story: Story, partnerId: string, email: string, signIn: boolean) {
  const { services } = story
  const invitation = await invitationOfPartner(services.db, services, partnerId, { showUrl: true })
  const link = invitation?.url
  if (!link) throw new Error(`the invitation of ${email} cannot be accepted`)
  if (signIn) return setUp(story, link)
  return acceptAsUser(story, email, tokenIn(link))
}

/** Accepts as the user with this e-mail, without a password. */
export async function acceptAsUser({ services }: Story, email: string, token: string): Promise<Actor> {
  const { id } = await services.db.one<{ id: string }>`select id from users where email = ${email}`
  const actor = personAs(id, email)
  await transaction(services.db, (tx) => acceptInvitation(tx, services, userAuthor(actor), actor, token))
  return actor
}

/** A user who acts without a session of the demo. */
export const personAs = (userId: string, email: string, more: Partial<Actor> = {}): Actor => ({
  userId,
  email,
  sessionId: '',
  secondFactor: false,
  onlyAccountId: null,
  confirmedAt: null,
  isAdmin: false,
  teamRoles: {},
  partnerRoles: {},
  partnerAccountIds: [],
  ...more,
})
