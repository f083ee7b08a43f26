import { z } from 'zod'
import { csvEndpoint } from './csv.ts'
import { apiLimit, endpoint, partnerRoles, rights, teamRoles } from './endpoint.ts'
import { anyOf, DateOnly, Email, Id, Instant, listQuery, optionalName, pageSchema } from './values.ts'

export const memberStatuses = ['invited', 'active'] as const

const personOf = <const Roles extends readonly string[]>(roles: Roles) =>
  z.object({
    userId: Id,
    email: z.string(),
    firstName: z.string().nullable(),
    lastName: z.string().nullable(),
    role: z.enum(roles),
    status: z.enum(memberStatuses),
    secondFactor: z.boolean().nullable(),
    lastSeenOn: DateOnly.nullable(),
    joinedAt: Instant.nullable(),
    invitedBy: z.string().nullable(),
    expiresAt: Instant.nullable(),
    url: z.string().nullable(),
  })

/**
 * A person of an account's team. `secondFactor` and `lastSeenOn` are read by owners and administrators; `url`, the set-up link, by owners
 * alone while there is no mail server. `invitedBy` is a name, else an e-mail.
 */
export const Member = personOf(teamRoles).meta({ id: 'Member' })
export type Member = z.infer<typeof Member>

/**
 * A person of a partner. Owners of the account alone read `url`, the set-up link, while there is no mail server;
 * `secondFactor` and `lastSeenOn` are always null.
 */
export const PartnerMember = personOf(partnerRoles).meta({ id: 'PartnerMember' })
export type PartnerMember = z.infer<typeof PartnerMember>

const oneOf = <const Roles extends readonly string[]>(roles: Roles) =>
  z.enum(roles, `Choose one of ${roles.join(', ')}`)
const names = { firstName: optionalName(100).nullish(), lastName: optionalName(100).nullish() }

export const NewMember = z.strictObject({ email: Email, role: oneOf(teamRoles), ...names })
export type NewMember = z.infer<typeof NewMember>

export const NewPartnerMember = z.strictObject({ email: Email, role: oneOf(partnerRoles), ...names })
export type NewPartnerMember = z.infer<typeof NewPartnerMember>

/** The names are the invitation's; once accepted, the person has their own. */
export const MemberChange = z.strictObject({ role: oneOf(teamRoles).optional(), ...names })
export type MemberChange = z.infer<typeof MemberChange>

export const PartnerMemberChange = z.strictObject({ role: oneOf(partnerRoles).optional(), ...names })
export type PartnerMemberChange = z.infer<typeof PartnerMemberChange>

const MemberParams = z.strictObject({ id: Id, userId: Id })

export const listMembers = endpoint('listMembers', 'GET /accounts/:id/members', {
  tag: 'accounts',
  summary: 'List the people of the account and those invited',
  allow: ['admin', ...rights.read],
  limit: apiLimit,
  subject: 'account',
  inPerson: true,
  query: listQuery({ role: anyOf(teamRoles), status: anyOf(memberStatuses) }, ['name', 'role']),
  reply: pageSchema(Member),
})

export const downloadMembers = csvEndpoint(listMembers, {
  summary: 'Download the people of the account',
  file: 'people',
  fields: ['userId', 'email', 'firstName', 'lastName', 'role', 'status', 'secondFactor', 'lastSeenOn', 'joinedAt'],
})

export const inviteMember = endpoint('inviteMember', 'POST /accounts/:id/members', {
  tag: 'accounts',
  summary: 'Invite a person to the account’s team',
  allow: rights.own,
  freshProof: true,
  limit: apiLimit,
  subject: 'account',
  body: NewMember,
  status: 201,
  reply: Member,
})

export const changeMember = endpoint('changeMember', 'PUT /accounts/:id/members/:userId', {
  tag: 'accounts',
  summary: 'Change a person’s role, or the names on an open invitation',
  allow: rights.own,
  freshProof: true,
  limit: apiLimit,
  subject: 'account',
  params: MemberParams,
  body: MemberChange,
  reply: Member,
})

export const removeMember = endpoint('removeMember', 'DELETE /accounts/:id/members/:userId', {
  tag: 'accounts',
  summary: 'Remove a person from the account, or leave it; effective with their next call',
  allow: rights.read,
  freshProof: true,
  limit: apiLimit,
  subject: 'account',
  params: MemberParams,
  status: 204,
})

export const retryMemberInvitation = endpoint(
  'retryMemberInvitation',
  'POST /accounts/:id/members/:userId/invitation/retries',
  {
    tag: 'accounts',
    summary: 'Send a person a new setup link; the old one stops working',
    allow: rights.own,
    limit: apiLimit,
    subject: 'account',
    params: MemberParams,
    reply: Member,
  },
)

const ofPartner = { tag: 'partners', limit: apiLimit, subject: 'partner' } as const

export const listPartnerMembers = endpoint('listPartnerMembers', 'GET /partners/:id/members', {
  summary: 'List the people of the partner and those invited',
  ...ofPartner,
  allow: [...rights.earn, ...rights.partner],
  inPerson: true,
  query: listQuery({ role: anyOf(partnerRoles), status: anyOf(memberStatuses) }, ['name', 'role']),
  reply: pageSchema(PartnerMember),
})

export const downloadPartnerMembers = csvEndpoint(listPartnerMembers, {
  summary: 'Download the people of the partner',
  file: 'people',
  fields: downloadMembers.columnNames,
})

export const invitePartnerMember = endpoint('invitePartnerMember', 'POST /partners/:id/members', {
  summary: 'Invite a person to the partner; the account’s owner invites only a new owner',
  ...ofPartner,
  allow: [...rights.own, 'partner'],
  allowOf: ({ body }) => (body.role === 'owner' ? rights.own : []),
  freshProof: true,
  body: NewPartnerMember,
  status: 201,
  reply: PartnerMember,
})

export const changePartnerMember = endpoint('changePartnerMember', 'PUT /partners/:id/members/:userId', {
  summary: 'Change the role of a partner’s person, or the names on an open invitation',
  ...ofPartner,
  allow: ['partner'],
  freshProof: true,
  params: MemberParams,
  body: PartnerMemberChange,
  reply: PartnerMember,
})

export const removePartnerMember = endpoint('removePartnerMember', 'DELETE /partners/:id/members/:userId', {
  summary: 'Remove a person from the partner, or leave it; effective with their next call',
  ...ofPartner,
  allow: [...rights.earn, ...rights.partner],
  whileInactive: true,
  freshProof: true,
  params: MemberParams,
  status: 204,
})

export const retryPartnerMemberInvitation = endpoint(
  'retryPartnerMemberInvitation',
  'POST /partners/:id/members/:userId/invitation/retries',
  {
    summary: 'Send a person invited to the partner a new setup link; the old one stops working',
    ...ofPartner,
    allow: ['partner'],
    params: MemberParams,
    reply: PartnerMember,
  },
)
