import type * as room from '../auth.ts'
import type { ExamplesOf } from './example.ts'
import { ids, invitation, linkToken, me, onlyPage, owner, password, session, subPartner } from './things.ts'

export const auth: ExamplesOf<typeof room> = {
  signIn: { body: { email: owner.email, password }, reply: session },
  signInByLink: { body: { token: linkToken }, reply: session },
  refreshSession: { body: { refreshToken: session.refreshToken }, reply: session },
  signOut: { body: { refreshToken: session.refreshToken } },
  resetPassword: { body: { email: owner.email } },
  changePassword: { body: { currentPassword: password, password: 'brass-willow-compass-17' }, reply: session },
  confirmPassword: { body: { password } },
  getUserSetup: {
    reply: {
      email: subPartner.email,
      firstName: subPartner.firstName,
      lastName: subPartner.lastName,
      accountName: 'Acme',
      invitedBy: 'Jane Whitfield',
      status: 'valid',
    },
  },
  acceptUserSetup: { body: { token: linkToken }, reply: owner },
  retryUserSetup: { body: { email: subPartner.email } },
  getMe: { reply: me },
  changeMe: { body: { firstName: 'Elena', preferences: { theme: 'dark' } }, reply: me },
  listMySessions: {
    reply: onlyPage({
      id: ids.session,
      createdAt: '2026-07-27T08:55:02.118Z',
      lastUsedAt: '2026-07-27T21:04:33.590Z',
      userAgent: 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)',
      address: '203.0.113.24',
      current: true,
    }),
  },
  endOtherSessions: {},
  endSession: { params: { id: ids.session } },
  getInvitation: { params: { id: ids.subPartner }, reply: invitation },
  revokeInvitation: { params: { id: ids.subPartner } },
  retryInvitation: { params: { id: ids.subPartner }, reply: { ...invitation, sendCount: 2 } },
}
