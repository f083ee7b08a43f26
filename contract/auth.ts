import { z } from 'zod'
import { apiLimit, endpoint, publicLimit, rights } from './endpoint.ts'
import { MailPreferences } from './mail-groups.ts'
import { Code, PasskeyAssertion } from './second-factor.ts'
import {
  Email,
  EnteredInstant,
  Id,
  IdParams,
  Instant,
  JsonObject,
  listQuery,
  optionalName,
  pageSchema,
  requiredText,
} from './values.ts'

export const invitationStatuses = ['pending', 'sent', 'bounced', 'opened', 'accepted', 'expired', 'revoked'] as const
export const InvitationStatus = z.enum(invitationStatuses)
export type InvitationStatus = z.infer<typeof InvitationStatus>

/** Types of the roles in an account's team: 'account-' and the team role. */
export const teamRoleTypes = ['account-owner', 'account-manager', 'account-finance', 'account-viewer'] as const

/** Types of the roles at a partner: its owners, and its members, who see no payout details. */
export const partnerRoleTypes = ['partner', 'partner-member'] as const

/** `accountName` is the account's display name. */
export const Role = z
  .discriminatedUnion('type', [
    z.object({ type: z.literal('admin') }),
    z.object({ type: z.enum(teamRoleTypes), accountId: Id, accountName: z.string() }),
    z.object({ type: z.enum(partnerRoleTypes), partnerId: Id, accountId: Id, accountName: z.string() }),
  ])
  .meta({ id: 'Role' })
export type Role = z.infer<typeof Role>

export const User = z
  .object({
    id: Id,
    email: z.string(),
    firstName: z.string().nullable(),
    lastName: z.string().nullable(),
    roles: z.array(Role),
    createdAt: Instant,
    updatedAt: Instant,
  })
  .meta({ id: 'User' })
export type User = z.infer<typeof User>

const signInLimit = { perMinute: 10, by: 'network' } as const
const mailLimit = { perMinute: 5, by: 'network' } as const

/** 12 to 128 characters of any composition, untrimmed. The server also refuses common ones. */
export const NewPassword = z
  .string()
  .min(12, 'Use at least 12 characters')
  .max(128, 'Use at most 128 characters')
  .refine((value) => !value.includes('\u0000') && value.isWellFormed(), 'Remove unsupported characters')

const PresentPassword = z.string().min(1, 'Password is required').max(1000, 'Use at most 1000 characters')
const Token = z.string().min(1, 'Token is required').max(500, 'Use at most 500 characters')

/** Both are opaque. Access lasts 15 minutes; refresh 14 days unused and 30 in all, rotating. */
export const Session = z.object({ accessToken: z.string(), refreshToken: z.string() }).meta({ id: 'Session' })
export type Session = z.infer<typeof Session>

export const setupStatuses = ['valid', 'existing-user', 'expired', 'used'] as const

/** Everything but the status is null for an expired or used link. */
export const UserSetup = z
  .object({
    email: z.string().nullable(),
    firstName: z.string().nullable(),
    lastName: z.string().nullable(),
    accountName: z.string().nullable(),
    invitedBy: z.string().nullable(),
    status: z.enum(setupStatuses),
  })
  .meta({ id: 'UserSetup' })
export type UserSetup = z.infer<typeof UserSetup>

export const signIn = endpoint('signIn', 'POST /auth/sign-in', {
  summary: 'Sign in with email and password, and with a code where there is a second factor',
  allow: ['public'],
  body: z.strictObject({ email: Email, password: PresentPassword, code: Code.optional() }),
  reply: Session,
  limit: signInLimit,
  transaction: 'own',
})

export const signInByLink = endpoint('signInByLink', 'POST /auth/sign-in/link', {
  summary: 'Sign in with a one-time link from an email',
  allow: ['public'],
  body: z.strictObject({ token: Token, code: Code.optional() }),
  reply: Session,
  limit: signInLimit,
  transaction: 'own',
})

export const signInByPasskey = endpoint('signInByPasskey', 'POST /auth/sign-in/passkey', {
  summary: 'Sign in with a passkey, which needs neither password nor code',
  allow: ['public'],
  body: z.strictObject({ credential: PasskeyAssertion }),
  reply: Session,
  limit: signInLimit,
  transaction: 'own',
})

/** A random text that the browser keeps, and its SHA-256; 43 characters of base64url each. */
const Bound = z
  .string()
  .length(43, 'Send 32 bytes as base64url')
  .regex(/^[\w-]+$/, 'Send 32 bytes as base64url')

export const startOidc = endpoint('startOidc', 'POST /auth/oidc', {
  summary: 'Start single sign-on, or with `confirm` a proof by it of the user who is signed in',
  allow: ['public'],
  onlyAtAppUrl: true,
  body: z.strictObject({ binding: Bound, confirm: z.boolean().optional() }),
  reply: z.object({ url: z.string() }).meta({ id: 'OidcStart' }),
  limit: signInLimit,
  transaction: 'own',
})

/** The issuer's additions to the address, and the secret whose hash was the binding. */
export const OidcAnswer = z.strictObject({
  code: z.string().min(1, 'Code is required').max(4000, 'Use at most 4000 characters'),
  state: Token,
  iss: z.string().max(500, 'Use at most 500 characters').optional(),
  secret: Bound,
})
export type OidcAnswer = z.infer<typeof OidcAnswer>

export const finishOidc = endpoint('finishOidc', 'POST /auth/oidc/sign-in', {
  summary: 'Sign in with the answer of single sign-on; 204 for a proof of the user who is signed in',
  allow: ['public'],
  onlyAtAppUrl: true,
  body: OidcAnswer,
  orStatus: 204,
  reply: Session,
  limit: signInLimit,
  transaction: 'own',
})

export const refreshSession = endpoint('refreshSession', 'POST /auth/refresh', {
  summary: 'Exchange a refresh token for new tokens; the old one stops working',
  allow: ['public'],
  limit: publicLimit,
  body: z.strictObject({ refreshToken: Token }),
  reply: Session,
  transaction: 'own',
})

export const signOut = endpoint('signOut', 'POST /auth/sign-out', {
  summary: 'End the current session',
  allow: ['public'],
  limit: publicLimit,
  body: z.strictObject({ refreshToken: Token }),
  status: 204,
})

export const resetPassword = endpoint('resetPassword', 'POST /auth/reset-password', {
  summary: 'Email a reset link and a one-time sign-in link if the address belongs to a user',
  allow: ['public'],
  body: z.strictObject({ email: Email }),
  status: 202,
  limit: mailLimit,
})

/** `code` is for a link of a person with a second factor. */
export const ChangedPassword = z.strictObject({
  password: NewPassword,
  currentPassword: PresentPassword.optional(),
  email: Email.optional(),
  code: Code.optional(),
})
export type ChangedPassword = z.infer<typeof ChangedPassword>

export const changePassword = endpoint('changePassword', 'POST /auth/change-password', {
  summary: 'Set the password with a link or the current password; all other sessions end',
  allow: ['link', 'user'],
  limit: apiLimit,
  body: ChangedPassword,
  reply: Session,
  transaction: 'own',
})

/** Exactly one: the password of a person without a second factor, else a code of the app or a passkey. */
export const Proof = z
  .strictObject({
    password: PresentPassword.optional(),
    code: Code.optional(),
    passkey: PasskeyAssertion.optional(),
  })
  .refine((proof) => Object.values(proof).filter((value) => value !== undefined).length === 1, {
    message: 'Send one of password, code and passkey',
    path: ['password'],
  })
export type Proof = z.infer<typeof Proof>

export const confirmPassword = endpoint('confirmPassword', 'POST /auth/confirm', {
  summary: 'Confirm your identity; actions that require it are allowed for 10 minutes',
  allow: ['user'],
  limit: apiLimit,
  body: Proof,
  status: 204,
  transaction: 'own',
})

export const getUserSetup = endpoint('getUserSetup', 'GET /auth/user-setup', {
  summary: 'Retrieve the person a setup link invites, and whether the link is still valid',
  allow: ['link'],
  limit: apiLimit,
  reply: UserSetup,
})

export const acceptUserSetup = endpoint('acceptUserSetup', 'POST /auth/user-setup/accept', {
  summary: 'Accept an invitation as the invited user',
  allow: ['user'],
  limit: apiLimit,
  body: z.strictObject({ token: Token }),
  reply: User,
})

export const retryUserSetup = endpoint('retryUserSetup', 'POST /auth/user-setup/retries', {
  summary: 'Email the setup link of an open invitation again, renewed if it has expired',
  allow: ['public'],
  body: z.strictObject({ email: Email }),
  status: 202,
  limit: mailLimit,
})

/**
 * The signed-in user: no one else reads their `preferences`; `environment` is the kind of install. `secondFactor` is
 * `on` in a session that had one, and `missing` in one that had none though an account requires it. `appUrl` is set in
 * a session created at an account's own domain, which has only roles at its partners: all others are there.
 */
export const CurrentUser = User.extend({
  preferences: z.record(z.string(), z.unknown()),
  environment: z.enum(['local', 'staging', 'production']),
  secondFactor: z.enum(['on', 'off', 'missing']),
  appUrl: z.string().nullable(),
}).meta({ id: 'CurrentUser' })
export type CurrentUser = z.infer<typeof CurrentUser>

/** Maximum bytes of a user's preferences, all keys together. */
export const MOST_PREFERENCES = 16_384

/**
 * Each key of `preferences` is set separately and unnamed keys stay; null removes a key. `mail` sets which groups of
 * mails the user gets, also one by one.
 */
export const MeChange = z.strictObject({
  firstName: optionalName(100).optional(),
  lastName: optionalName(100).optional(),
  preferences: JsonObject(MOST_PREFERENCES)
    .pipe(z.looseObject({ mail: MailPreferences.nullable().optional() }))
    .optional(),
})
export type MeChange = z.infer<typeof MeChange>

/** The name of a saved list view; views are preferences of the user who saved them. */
export const NamedView = z.strictObject({ name: requiredText(60) })

export const sessionMethods = ['password', 'passkey', 'oidc', 'link'] as const
export type SessionMethod = (typeof sessionMethods)[number]

/** `method` is how the session began, `secondFactor` whether one was proved. */
export const UserSession = z
  .object({
    id: Id,
    createdAt: Instant,
    lastUsedAt: Instant,
    userAgent: z.string().nullable(),
    address: z.string().nullable(),
    current: z.boolean(),
    method: z.enum(sessionMethods),
    secondFactor: z.boolean(),
  })
  .meta({ id: 'UserSession' })
export type UserSession = z.infer<typeof UserSession>

export const getMe = endpoint('getMe', 'GET /users/me', {
  tag: 'users',
  summary: 'Retrieve the signed-in user with all their roles',
  allow: ['user'],
  tool: true,
  limit: apiLimit,
  reply: CurrentUser,
})

export const changeMe = endpoint('changeMe', 'PATCH /users/me', {
  tag: 'users',
  summary: 'Update the name or individual preferences',
  allow: ['user'],
  limit: apiLimit,
  maxValues: 10_000,
  body: MeChange,
  reply: CurrentUser,
})

export const listMySessions = endpoint('listMySessions', 'GET /users/me/sessions', {
  tag: 'users',
  summary: 'List the user’s active sessions',
  allow: ['user'],
  limit: apiLimit,
  query: listQuery({}),
  reply: pageSchema(UserSession),
})

export const endOtherSessions = endpoint('endOtherSessions', 'DELETE /users/me/sessions', {
  tag: 'users',
  summary: 'Sign out of every other session',
  allow: ['user'],
  limit: apiLimit,
  status: 204,
})

export const endSession = endpoint('endSession', 'DELETE /users/me/sessions/:id', {
  tag: 'users',
  summary: 'End one session',
  allow: ['user'],
  limit: apiLimit,
  params: IdParams,
  status: 204,
})

/**
 * A token with which an assistant reads what its user may, through the Model Context Protocol at `/mcp` only.
 * `lastUsedAt` is exact to the minute.
 */
export const UserToken = z
  .object({
    id: Id,
    name: z.string(),
    lastFour: z.string(),
    lastUsedAt: Instant.nullable(),
    createdAt: Instant,
    expiresAt: Instant.nullable(),
  })
  .meta({ id: 'UserToken' })
export type UserToken = z.infer<typeof UserToken>

/** `token` is returned only here. */
export const UserTokenWithToken = UserToken.extend({ token: z.string() }).meta({ id: 'UserTokenWithToken' })

export const NewUserToken = z.strictObject({ name: requiredText(40), expiresAt: EnteredInstant.nullish() })
export type NewUserToken = z.infer<typeof NewUserToken>

export const listMyTokens = endpoint('listMyTokens', 'GET /users/me/tokens', {
  tag: 'users',
  summary: 'List the user’s access tokens',
  allow: ['user'],
  onlyAtAppUrl: true,
  limit: apiLimit,
  query: listQuery({}, ['name']),
  reply: pageSchema(UserToken),
})

export const createMyToken = endpoint('createMyToken', 'POST /users/me/tokens', {
  tag: 'users',
  summary:
    'Create an access token for an assistant that reads over the Model Context Protocol; only this response contains it',
  allow: ['user'],
  onlyAtAppUrl: true,
  freshProof: true,
  limit: apiLimit,
  body: NewUserToken,
  status: 201,
  reply: UserTokenWithToken,
})

export const deleteMyToken = endpoint('deleteMyToken', 'DELETE /users/me/tokens/:id', {
  tag: 'users',
  summary: 'Delete an access token; it stops working immediately',
  allow: ['user'],
  onlyAtAppUrl: true,
  limit: apiLimit,
  params: IdParams,
  status: 204,
})

/**
 * Nothing is `mailed` without a mail server; `url` is returned to owners only, and only while there is no mail server
 * and the invited person is not yet a user.
 */
export const Invitation = z
  .object({
    status: InvitationStatus,
    sentAt: Instant.nullable(),
    expiresAt: Instant.nullable(),
    acceptedAt: Instant.nullable(),
    sendCount: z.int(),
    lastError: z.string().nullable(),
    mailed: z.boolean(),
    url: z.string().nullable(),
  })
  .meta({ id: 'Invitation' })
export type Invitation = z.infer<typeof Invitation>

export const getInvitation = endpoint('getInvitation', 'GET /partners/:id/invitation', {
  tag: 'partners',
  summary: 'Retrieve the status of the invitation; 404 if there was none',
  allow: [...rights.read, 'ancestor', 'partners'],
  limit: apiLimit,
  subject: 'partner',
  reply: Invitation,
})

export const revokeInvitation = endpoint('revokeInvitation', 'DELETE /partners/:id/invitation', {
  tag: 'partners',
  summary: 'Revoke the invitation',
  allow: [...rights.earn, 'ancestor'],
  limit: apiLimit,
  whileInactive: true,
  subject: 'partner',
  status: 204,
})

export const retryInvitation = endpoint('retryInvitation', 'POST /partners/:id/invitation/retries', {
  tag: 'partners',
  summary: 'Send the invitation or resend it; the old link stops working',
  allow: [...rights.earn, 'ancestor', 'partners'],
  inPortal: true,
  limit: apiLimit,
  subject: 'partner',
  reply: Invitation,
})
