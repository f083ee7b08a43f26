import { transaction } from '../../../platform/database/pool.ts'
import {
  invitationForMail,
  invitationKept,
  invitationMailed,
  invitationRefused,
} from '../../../program/auth/invitations.ts'
import { invitationRequested } from '../../../program/auth/signals.ts'
import type { MemberRole } from '../../../program/auth/users.ts'
import { defineMail, onSignal } from '../mail.ts'
import { nameOr } from '../message.ts'

export const invitation = defineMail({
  group: 'invitations',
  title: 'Invitation',
  description: 'An invitation to manage an account or join a partner program.',
  when: onSignal(invitationRequested, ({ invitationId: id, ...sending }) => [{ id, ...sending }]),
  name: ({ id, sendCount, again }) => `invitation-${id}-${sendCount}${again ? `-${again}` : ''}`,
  async read(services, { id, sendCount, again }) {
    const invitation = await invitationForMail(services.db, services, id, sendCount)
    if (!invitation) return null
    const { isDisabled, email, accountId, ...data } = invitation
    return isDisabled ? 'later' : { to: email, accountId, causedBy: again ? null : accountId, data }
  },
  async after({ db }, { id, sendCount, again }, delivery) {
    // mailed again at the recipient's request: the result of the sending itself is already recorded
    if (again) return
    if (delivery instanceof Error) await invitationRefused(db, id, sendCount, delivery.message, false)
    else if (delivery.outcome === 'held') await invitationRefused(db, id, sendCount, delivery.reason, false)
    else if (delivery.outcome === 'refused') await invitationRefused(db, id, sendCount, delivery.reason, true)
    else if (delivery.outcome === 'sent') await transaction(db, (tx) => invitationMailed(tx, id, sendCount))
    else if (delivery.outcome === 'kept') await invitationKept(db, id, sendCount)
  },
  write({ kind, role, isUser, url, applied, ...names }) {
    const account = nameOr(names.accountName, 'Tributary')
    const partner = nameOr(names.partnerName, 'a partner')
    const as = asRole[role ?? 'viewer']
    // owners are invited by administrators, who do not belong to the account; people of a partner by it or the account
    const whoEntered = {
      administrator: 'an administrator',
      owner: 'an administrator',
      member: `someone at ${account}`,
      partner: `someone at ${account}`,
      'partner-member': nameOr(names.invitedBy, `someone at ${account}`),
    }[kind]
    const firstName = nameOr(names.firstName, '')
    const [purpose, subject] = {
      administrator: ['to administer a Tributary server', 'Set up your administrator account on Tributary'],
      owner: [`to manage the referral program of ${account}`, `Set up ${account} on Tributary`],
      member: [`to ${account} on Tributary, ${as}`, `Join ${account} on Tributary`],
      'partner-member': [`to ${partner}, a partner of ${account}, ${as}`, `Join ${partner} on Tributary`],
      partner: [
        `to the partner program of ${account}`,
        applied ? 'Your application was approved' : `Your invitation to the partner program of ${account}`,
      ],
    }[kind] as [string, string]
    return {
      account: names.accountName,
      ...((kind === 'partner' || kind === 'partner-member') && { inItsLook: true as const }),
      subject,
      preview: isUser ? 'Sign in to accept it.' : 'Choose a password to get started.',
      parts: [
        firstName ? `Hello ${firstName},` : 'Hello,',
        applied
          ? `${nameOr(names.accountName, 'The program')} approved your application. You can join its partner program now.`
          : `${nameOr(names.invitedBy, account)} invites you ${purpose}.`,
        isUser
          ? 'You already have an account. Sign in with this email address and accept the invitation.'
          : 'Choose a password to get started.',
        'The link works for 7 days. If you weren’t expecting this invitation, you can ignore this email.',
      ],
      button: { label: isUser ? 'Accept invitation' : 'Set up your account', url },
      showsLink: true,
      because: applied
        ? `You get this email because you applied to become a partner of ${account}.`
        : `You get this email because ${whoEntered} entered this address.`,
    }
  },
  sample: {
    kind: 'partner',
    role: null,
    accountName: 'Northwind',
    partnerName: null,
    invitedBy: 'Nora Wind',
    firstName: 'Pia',
    lastName: 'Tern',
    isUser: false,
    applied: false,
    url: 'https://partners.example.com/user-setup#token=sample',
  },
})

const asRole: Record<MemberRole, string> = {
  owner: 'as an owner',
  manager: 'as a manager',
  finance: 'for finance',
  viewer: 'as a viewer',
  member: 'as a member',
}
