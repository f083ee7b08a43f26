import type * as room from '../auth.ts'
import type { ExamplesOf } from './example.ts'
import { ids, invitation, linkToken, me, onlyPage, owner, password, session, subPartner } from './objects.ts'
import { passkeyAssertion } from './second-factor.ts'

export const oidcSecret = 'Vn6hJq2mYt8Rw4Xc0Lz5Kd9Fs3Pb7Ga1Ue6To2Ni8Qx'
export const oidcCode = 'SplxlOBeZQQYbYS6WxSbIA'

const token: room.UserToken = {
  id: ids.userToken,
  name: 'Assistant',
  lastFour: 'Lg6Z',
  lastUsedAt: '2026-07-27T21:01:00.000Z',
  createdAt: '2026-07-14T10:08:02.174Z',
  expiresAt: null,
}

export const auth: ExamplesOf<typeof room> = {
  signIn: {
    refused: [
      'code_wrong',
      'passkey_required',
      'second_factor_required',
      'too_many_attempts',
      'too_many_signing_in',
      'use_oidc',
      'wrong_email_or_password',
    ],
    body: { email: owner.email, password },
    reply: session,
  },
  signInByLink: {
    refused: [
      'code_wrong',
      'link_expired',
      'passkey_required',
      'second_factor_required',
      'too_many_attempts',
      'use_oidc',
    ],
    body: { token: linkToken },
    reply: session,
  },
  signInByPasskey: { refused: ['passkey_wrong', 'use_oidc'], body: { credential: passkeyAssertion }, reply: session },
  startOidc: {
    refused: ['oidc_away', 'oidc_refused', 'oidc_unavailable', 'sign_in_first'],
    body: { binding: oidcSecret },
    reply: { url: 'https://acme.okta.example/authorize?response_type=code&client_id=tributary' },
  },
  finishOidc: {
    refused: [
      'domain_not_listed',
      'email_not_verified',
      'not_invited',
      'oidc_away',
      'oidc_identity_differs',
      'oidc_refused',
      'oidc_unavailable',
    ],
    body: { code: oidcCode, state: linkToken, secret: oidcSecret },
    reply: session,
  },
  refreshSession: { refused: ['session_ended'], body: { refreshToken: session.refreshToken }, reply: session },
  signOut: { body: { refreshToken: session.refreshToken } },
  resetPassword: { body: { email: owner.email } },
  changePassword: {
    refused: [
      'code_wrong',
      'current_password_missing',
      'email_has_login',
      'email_missing',
      'email_not_accepted',
      'link_expired',
      'password_just_changed',
      'password_too_common',
      'passkey_required',
      'second_factor_required',
      'too_many_attempts',
      'too_many_signing_in',
      'use_oidc',
      'wrong_password',
    ],
    body: { currentPassword: password, password: 'brass-willow-compass-17' },
    reply: session,
  },
  confirmPassword: {
    refused: [
      'code_wrong',
      'passkey_wrong',
      'passkey_required',
      'second_factor_required',
      'too_many_attempts',
      'too_many_signing_in',
      'use_oidc',
      'wrong_password',
    ],
    body: { password },
  },
  getUserSetup: {
    refused: ['link_expired'],
    reply: {
      email: subPartner.email,
      firstName: subPartner.firstName,
      lastName: subPartner.lastName,
      accountName: 'Acme',
      invitedBy: 'Jane Whitfield',
      status: 'valid',
    },
  },
  acceptUserSetup: {
    refused: ['invitation_for_other_email', 'link_expired', 'mailbox_unproven'],
    body: { token: linkToken },
    reply: owner,
  },
  retryUserSetup: { body: { email: subPartner.email } },
  getMe: { reply: me },
  changeMe: {
    refused: ['language_unknown', 'preferences_too_large'],
    body: { firstName: 'Elena', preferences: { theme: 'dark' } },
    reply: me,
  },
  listMySessions: {
    reply: onlyPage({
      id: ids.session,
      createdAt: '2026-07-27T08:55:02.118Z',
      lastUsedAt: '2026-07-27T21:04:33.590Z',
      userAgent: 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)',
      address: '203.0.113.24',
      current: true,
      method: 'password',
      secondFactor: false,
    }),
  },
  endOtherSessions: {},
  endSession: { params: { id: ids.session } },
  getInvitation: { params: { id: ids.subPartner }, reply: invitation },
  revokeInvitation: { refused: ['erased', 'invitation_accepted'], params: { id: ids.subPartner } },
  retryInvitation: {
    refused: ['daily_emails_sent', 'erased', 'invitation_accepted', 'just_sent'],
    params: { id: ids.subPartner },
    reply: { ...invitation, sendCount: 2 },
  },
  listMyTokens: { reply: onlyPage(token) },
  createMyToken: {
    refused: ['expiry_in_past', 'password_first', 'too_many_user_tokens'],
    body: { name: token.name },
    reply: { ...token, lastUsedAt: null, token: 'tut_6Kd2Yp9Rw4Xv8Jn3Mq7Tc5Hs1Bf0Lg6Z' },
  },
  deleteMyToken: { params: { id: ids.userToken } },
}
