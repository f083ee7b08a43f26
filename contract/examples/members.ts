import type * as room from '../members.ts'
import type { ExamplesOf } from './example.ts'
import { ids, onlyPage, partner } from './objects.ts'

const owner: room.Member = {
  userId: ids.owner,
  email: 'elena@acme.example',
  firstName: 'Elena',
  lastName: 'Marsh',
  role: 'owner',
  status: 'active',
  secondFactor: true,
  lastSeenOn: '2026-07-28',
  joinedAt: '2026-07-14T10:02:11.480Z',
  invitedBy: 'root@install.example',
  expiresAt: null,
  url: null,
}

const invited: room.Member = {
  userId: ids.member,
  email: 'sam@acme.example',
  firstName: 'Sam',
  lastName: null,
  role: 'finance',
  status: 'invited',
  secondFactor: null,
  lastSeenOn: null,
  joinedAt: null,
  invitedBy: 'Elena Marsh',
  expiresAt: '2026-08-04T09:12:30.114Z',
  url: null,
}

const active: room.Member = {
  ...invited,
  role: 'manager',
  status: 'active',
  secondFactor: true,
  lastSeenOn: '2026-07-28',
  joinedAt: '2026-07-28T09:40:02.710Z',
  expiresAt: null,
}

const partnersOwner: room.PartnerMember = {
  ...owner,
  role: 'owner',
  userId: ids.partnersOwner,
  email: partner.email,
  firstName: partner.firstName,
  lastName: partner.lastName,
  secondFactor: null,
  lastSeenOn: null,
  invitedBy: 'Elena Marsh',
}

const invitedByPartner: room.PartnerMember = {
  ...invited,
  email: 'noa@studio.example',
  firstName: 'Noa',
  role: 'member',
  invitedBy: partner.displayName,
}

export const members: ExamplesOf<typeof room> = {
  listMembers: { reply: onlyPage(owner) },
  inviteMember: {
    refused: ['already_member', 'daily_emails_sent', 'password_first', 'too_many_members'],
    body: { email: invited.email, role: 'finance', firstName: 'Sam' },
    reply: invited,
  },
  changeMember: {
    params: { userId: ids.member },
    refused: ['invitation_accepted', 'invited_by_administrator', 'last_owner', 'password_first'],
    body: { role: 'manager' },
    reply: active,
  },
  removeMember: {
    params: { userId: ids.member },
    refused: ['invited_by_administrator', 'last_owner', 'password_first'],
  },
  retryMemberInvitation: {
    params: { userId: ids.member },
    refused: ['daily_emails_sent', 'invitation_accepted', 'invited_by_administrator', 'just_sent'],
    reply: { ...invited, expiresAt: '2026-08-05T09:12:30.114Z' },
  },
  listPartnerMembers: { reply: onlyPage(partnersOwner) },
  invitePartnerMember: {
    refused: [
      'already_member',
      'daily_emails_sent',
      'erased',
      'password_first',
      'role_not_allowed',
      'too_many_members',
    ],
    body: { email: invitedByPartner.email, role: 'owner', firstName: 'Noa' },
    reply: { ...invitedByPartner, role: 'owner' },
  },
  changePartnerMember: {
    params: { userId: ids.member },
    refused: ['erased', 'invitation_accepted', 'invitation_of_partner', 'last_partner_owner', 'password_first'],
    body: { role: 'owner' },
    reply: { ...invitedByPartner, role: 'owner', status: 'active', joinedAt: active.joinedAt, expiresAt: null },
  },
  removePartnerMember: {
    params: { userId: ids.member },
    refused: ['erased', 'invitation_of_partner', 'last_partner_owner', 'password_first'],
  },
  retryPartnerMemberInvitation: {
    params: { userId: ids.member },
    refused: ['daily_emails_sent', 'erased', 'invitation_accepted', 'invitation_of_partner', 'just_sent'],
    reply: { ...invitedByPartner, expiresAt: '2026-08-05T09:12:30.114Z' },
  },
}
