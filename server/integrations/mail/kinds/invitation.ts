import { transaction } from '../../../platform/database/pool.ts'
import {
  invitationForMail,
  invitationKept,
  invitationMailed,
  invitationRefused,
} from '../../../program/auth/invitations.ts'
import { invitationRequested } from '../../../program/auth/signals.ts'
import type { MemberRole } from '../../../program/auth/users.ts'
import { buildGreeting, toAddressee } from '../about/applicants.ts'
import { applicantMailPhrases } from '../applicant-text.ts'
import { defineMail, onSignal } from '../mail.ts'
import { nameOr } from '../message.ts'
import { mailPhrases } from '../text.ts'

const words = applicantMailPhrases.invitation

export const invitation = defineMail({
  group: 'invitations',
  title: 'Invitation',
  description: 'An invitation to manage an account or join a partner program.',
  when: onSignal(invitationRequested, ({ invitationId: id, ...sending }) => [{ id, ...sending }]),
  name: ({ id, sendCount, again }) => `invitation-${id}-${sendCount}${again ? `-${again}` : ''}`,
  async read(services, { id, sendCount, again }) {
    const invitation = await invitationForMail(services.db, services, id, sendCount)
    if (!invitation) return null
    const { isDisabled, email, accountId, language, ...data } = invitation
    const addressee = toAddressee({ email, ...data })
    return isDisabled
      ? 'later'
      : { to: email, language, accountId, causedBy: again ? null : accountId, addressee, data }
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
    const isPartner = kind === 'partner' || kind === 'partner-member'
    const invited = { by: nameOr(names.invitedBy, account), account, role }
    // owners are invited by administrators, who do not belong to the account; people of a partner by it or the account
    const { invites, subject, because } =
      kind === 'partner'
        ? invitesToProgram(invited, names.accountName, applied)
        : kind === 'partner-member'
          ? invitesToPartner(invited, nameOr(names.partnerName, mailPhrases.aPartner), names.invitedBy)
          : invitesToTeam(kind, invited)
    return {
      account: names.accountName,
      ...(isPartner && { inItsLook: true as const }),
      subject,
      preview: isUser ? words.signInToAccept : words.choosePassword,
      parts: [
        buildGreeting(names.firstName),
        invites,
        isUser ? words.hasAccount : words.choosePassword,
        words.linkWorks,
      ],
      button: { label: isUser ? words.accept : words.setUp, url },
      showsLink: true,
      because,
    }
  },
  editable: { kind: ({ kind }) => (kind === 'partner' ? 'invitation' : null) },
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

type Invited = { by: string; account: string; role: MemberRole | null }

/** Words an invitation to a team, or to administer the server: in English, as all mails to them. */
function invitesToTeam(kind: 'administrator' | 'owner' | 'member', { by, account, role }: Invited) {
  const [purpose, subject, who] = {
    administrator: [
      'to administer a Tributary server',
      'Set up your administrator account on Tributary',
      'an administrator',
    ],
    owner: [`to manage the referral program of ${account}`, `Set up ${account} on Tributary`, 'an administrator'],
    member: [
      `to ${account} on Tributary, ${asRole[role ?? 'viewer']}`,
      `Join ${account} on Tributary`,
      `someone at ${account}`,
    ],
  }[kind] as [string, string, string]
  return {
    invites: `${by} invites you ${purpose}.`,
    subject,
    because: `You get this email because ${who} entered this address.`,
  }
}

const asRole: Record<MemberRole, string> = {
  owner: 'as an owner',
  manager: 'as a manager',
  finance: 'for finance',
  viewer: 'as a viewer',
  member: 'as a member',
}

/** Words an invitation to the partner program; of an applicant once they were approved. */
function invitesToProgram({ by, account }: Invited, accountName: string | null, applied: boolean) {
  return {
    invites: applied
      ? words.approved({ account: nameOr(accountName, words.theProgram) })
      : words.toProgram({ by, account }),
    subject: applied ? words.approvedSubject : words.subject({ account }),
    because: applied ? words.becauseApplied({ account }) : words.becauseSomeone({ account }),
  }
}

/** Words an invitation to the people of a partner. */
function invitesToPartner({ by, account, role }: Invited, partner: string, invitedBy: string | null) {
  const name = nameOr(invitedBy, '')
  return {
    invites: (role === 'owner' ? words.asOwner : words.asMember)({ by, partner, account }),
    subject: words.joinPartner({ partner }),
    because: name ? words.becausePerson({ name }) : words.becauseSomeone({ account }),
  }
}
