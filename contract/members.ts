import { z } from 'zod'
import { csvOf } from './csv.ts'
import { apiLimit, endpoint, rights, teamRoles } from './endpoint.ts'
import { anyOf, DateOnly, Email, Id, Instant, listOf, listQuery, optionalName } from './values.ts'

export const memberStatuses = ['invited', 'active'] as const

/**
 * A person of an account's team. `secondFactor` and `lastSeenOn` are read by owners and administrators; `url`, the set-up link, by owners
 * alone while there is no mail server. `invitedBy` is a name, else an e-mail.
 */
export const Member = z
  .object({
    userId: Id,
    email: z.string(),
    firstName: z.string().nullable(),
    lastName: z.string().nullable(),
    role: z.enum(teamRoles),
    status: z.enum(memberStatuses),
    secondFactor: z.boolean().nullable(),
    lastSeenOn: DateOnly.nullable(),
    joinedAt: Instant.nullable(),
    invitedBy: z.string().nullable(),
    expiresAt: Instant.nullable(),
    url: z.string().nullable(),
  })
  .meta({ id: 'Member' })
export type Member = z.infer<typeof Member>

const TeamRole = z.enum(teamRoles, `Choose one of ${teamRoles.join(', ')}`)

export const NewMember = z.strictObject({
  email: Email,
  role: TeamRole,
  firstName: optionalName(100).nullish(),
  lastName: optionalName(100).nullish(),
})
export type NewMember = z.infer<typeof NewMember>

/** The names are the invitation's; once accepted, the person has their own. */
export const MemberChange = z.strictObject({
  role: TeamRole.optional(),
  firstName: optionalName(100).nullish(),
  lastName: optionalName(100).nullish(),
})
export type MemberChange = z.infer<typeof MemberChange>

const MemberParams = z.strictObject({ id: Id, userId: Id })

export const listMembers = endpoint('listMembers', 'GET /accounts/:id/members', {
  tag: 'accounts',
  summary: 'List the people of the account and those invited',
  allow: ['admin', ...rights.read],
  limit: apiLimit,
  subject: 'account',
  inPerson: true,
  query: listQuery({ role: anyOf(teamRoles), status: anyOf(memberStatuses) }, ['name', 'role']),
  reply: listOf(Member),
})

export const downloadMembers = csvOf(listMembers, {
  summary: 'Download the people of the account',
  file: 'people',
  fields: ['userId', 'email', 'firstName', 'lastName', 'role', 'status', 'secondFactor', 'lastSeenOn', 'joinedAt'],
})

export const inviteMember = endpoint('inviteMember', 'POST /accounts/:id/members', {
  tag: 'accounts',
  summary: 'Invite a person to the account’s team',
  allow: rights.own,
  freshPassword: true,
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
  freshPassword: true,
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
  freshPassword: true,
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
