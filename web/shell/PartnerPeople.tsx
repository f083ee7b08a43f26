import { useQuery } from '@tanstack/react-query'
import { partnerRoles, rights } from '#contract/endpoint.ts'
import {
  changePartnerMember,
  invitePartnerMember,
  NewPartnerMember,
  type PartnerMember,
  PartnerMemberChange,
  removePartnerMember,
  retryPartnerMemberInvitation,
} from '#contract/members.ts'
import type { Partner } from '#contract/partners.ts'
import { useCall } from '../calls.ts'
import { HOME } from '../session.ts'
import { offerNewLink } from '../shared/new-link.ts'
import { nameOfPerson } from '../shared/people.ts'
import { partnerMembersQuery } from '../shared/queries.ts'
import { StatusBadge } from '../shared/StatusBadge.tsx'
import { ActionMenu } from '../ui/ActionMenu.tsx'
import { defineAction } from '../ui/act.tsx'
import { exposeAction, useStart } from '../ui/actions.tsx'
import { copyText } from '../ui/copy.ts'
import { RadioCards } from '../ui/fields.tsx'
import { defineFormAction } from '../ui/form-act.tsx'
import { ActButton, toMenuItems } from '../ui/offers.tsx'
import { PendingPanel } from '../ui/PendingPanel.tsx'
import { usePermission } from '../ui/permissions.ts'
import { explainRefusal } from '../ui/refusals.ts'
import { showToast } from '../ui/toasts.ts'
import { partnerWords } from '../words/partners.ts'
import { peopleWords } from '../words/people.ts'
import { settingsWords } from '../words/settings.ts'
import { useMe } from './current.ts'
import { PersonFields } from './PersonFields.tsx'

const teamWords = peopleWords
const words = peopleWords.partner

/** Members may make this call only for themselves. */
const removeOthers = { allow: ['partner', ...rights.earn] }

type Props = { partner: Pick<Partner, 'id' | 'email'> }

/** The people of a partner, and those invited: for the partner itself, and for the account's owners and managers. */
export function PartnerPeople({ partner }: Props) {
  const { id: myId } = useMe()
  const answer = useQuery(partnerMembersQuery(partner.id))
  const may = usePermission()
  const owns = may(changePartnerMember)
  const start = useStart()
  const resend = useCall(retryPartnerMemberInvitation, {
    onSuccess: () => showToast(teamWords.sent),
    onError: (error) => showToast(explainRefusal(error), { failed: true }),
  })
  const actionsOf = (member: PartnerMember) => {
    const { userId, status, email, url } = member
    const of: OfPartner = { ...member, partnerId: partner.id, isSelf: userId === myId }
    const link = url !== null && { label: partnerWords.invite.copyLink, run: () => copyText(url) }
    // the partner's own invitation has its own panel
    if (status === 'invited' && email === partner.email) return toMenuItems(of, [link], start)
    const again = status === 'invited' && {
      label: partnerWords.invite.resend,
      needs: retryPartnerMemberInvitation,
      run: () => resend.mutate({ params: { id: partner.id, userId } }),
    }
    return toMenuItems(of, [ChangeRole, again, link, Remove], start)
  }
  return (
    <PendingPanel heading={settingsWords.people} answer={answer} rows={2}>
      {({ items }) => (
        <>
          <ul aria-label={settingsWords.people} className="items">
            {items.map((member) => (
              <li key={member.userId} className="row between gap-3 inset">
                <div className="rest">
                  <div className="strong wrap">{nameOfPerson(member)}</div>
                  <div className="muted wrap">{aboutOf(member)}</div>
                </div>
                {member.status === 'invited' && <StatusBadge of="member" status={member.status} />}
                <ActionMenu small name={nameOfPerson(member)} actions={actionsOf(member)} />
              </li>
            ))}
          </ul>
          {may(invitePartnerMember) && (
            <div className="row inset">
              <ActButton small act={owns ? AddPerson : AddOwner} of={partner} />
            </div>
          )}
        </>
      )}
    </PendingPanel>
  )
}

const aboutOf = (member: PartnerMember) => {
  const role = words.roles[member.role]
  return nameOfPerson(member) === member.email ? role : `${role} · ${member.email}`
}

const roleChoices = partnerRoles.map((value) => ({ value, label: words.roles[value], help: words.roleHelp[value] }))
const initial = { email: '', firstName: '', lastName: '' }
const done = ({ url }: PartnerMember) => (url ? offerNewLink(url) : teamWords.sent)

const AddPerson = exposeAction(
  defineFormAction(invitePartnerMember, NewPartnerMember, (_: Props['partner']) => ({
    heading: teamWords.add,
    submit: teamWords.add,
    done,
    initial: { ...initial, role: 'member' as PartnerMember['role'] },
    fields: ({ field }) => (
      <>
        <PersonFields field={field} />
        <RadioCards {...field('role')} choices={roleChoices} />
      </>
    ),
  })),
  { label: teamWords.add },
)

const AddOwner = exposeAction(
  defineFormAction(invitePartnerMember, NewPartnerMember, (_: Props['partner']) => ({
    heading: teamWords.add,
    submit: teamWords.add,
    why: words.newOwner,
    done,
    initial: { ...initial, role: 'owner' as const },
    fields: ({ field }) => <PersonFields field={field} />,
  })),
  { label: teamWords.add },
)

type OfPartner = PartnerMember & { partnerId: string; isSelf: boolean }

const ChangeRole = exposeAction(
  defineFormAction(changePartnerMember, PartnerMemberChange, ({ partnerId, userId, role, ...member }: OfPartner) => ({
    heading: teamWords.changeRoleOf({ name: nameOfPerson(member) }),
    submit: teamWords.changeRole,
    done: teamWords.roleChanged,
    initial: { role },
    send: (body) => ({ params: { id: partnerId, userId }, body }),
    fields: ({ field }) => <RadioCards {...field('role')} choices={roleChoices} />,
  })),
  { label: teamWords.changeRole },
)

const Remove = exposeAction(
  defineAction(removePartnerMember, (member: OfPartner) => {
    const name = nameOfPerson(member)
    return {
      heading: member.isSelf ? words.leaveHeading : teamWords.removeHeading({ name }),
      submit: member.isSelf ? teamWords.leave : teamWords.remove,
      why: member.isSelf ? words.leaveWhy : words.removeWhy({ name }),
      send: { params: { id: member.partnerId, userId: member.userId } },
      done() {
        // the roles of this person are gone with the partner
        if (member.isSelf) location.assign(HOME)
        return member.isSelf ? words.left : teamWords.removed
      },
    }
  }),
  {
    label: ({ isSelf }) => (isSelf ? teamWords.leave : teamWords.remove),
    needs: ({ isSelf }) => (isSelf ? undefined : removeOthers),
    danger: true,
  },
)
