import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { Account } from '#contract/accounts.ts'
import { teamRoles } from '#contract/endpoint.ts'
import {
  changeMember,
  downloadMembers,
  inviteMember,
  type listMembers,
  type Member,
  MemberChange,
  memberStatuses,
  NewMember,
  removeMember,
  retryMemberInvitation,
} from '#contract/members.ts'
import { useCall } from '../../calls.ts'
import { DataTable } from '../../lists/DataTable.tsx'
import type { ColumnOf } from '../../lists/list-types.ts'
import { useList } from '../../lists/useList.ts'
import { HOME } from '../../session.ts'
import { apiKeysQuery } from '../../shared/api-keys.ts'
import { defineColumns } from '../../shared/columns.tsx'
import { offerNewLink } from '../../shared/new-link.ts'
import { OnlyRead } from '../../shared/OnlyRead.tsx'
import { factorWord, nameOfPerson } from '../../shared/people.ts'
import { statusFilter } from '../../shared/StatusBadge.tsx'
import { useMe } from '../../shell/current.ts'
import { PersonFields } from '../../shell/PersonFields.tsx'
import { defineAction } from '../../ui/act.tsx'
import { exposeAction, useStart } from '../../ui/actions.tsx'
import { copyText } from '../../ui/copy.ts'
import { RadioCards } from '../../ui/fields.tsx'
import { defineFormAction } from '../../ui/form-act.tsx'
import { ActButton, toMenuItems } from '../../ui/offers.tsx'
import { explainRefusal } from '../../ui/refusals.ts'
import { showToast } from '../../ui/toasts.ts'
import { fieldWords } from '../../words/fields.ts'
import { partnerWords } from '../../words/partners.ts'
import { peopleWords } from '../../words/people.ts'
import { settingsWords } from '../../words/settings.ts'
import { pageWords } from '../../words/shell.ts'
import { members } from './queries.ts'
import { RequireFactor } from './RequireFactor.tsx'

const column = defineColumns<typeof listMembers>()

const words = peopleWords

/** The people of the account's team, and those invited to it. */
export function People({ account }: { account: Account }) {
  const list = useList(members({ id: account.id }))
  const start = useStart()
  const { id: myId } = useMe()
  const resend = useCall(retryMemberInvitation, {
    onSuccess: ({ url }) => (url ? offerNewLink(url) : showToast(words.sent)),
    onError: (error) => showToast(explainRefusal(error), { failed: true }),
  })
  const columns = useMemo(listColumns, [])
  const of = (member: Member): OfAccount => ({ ...member, accountId: account.id, isSelf: member.userId === myId })
  return (
    <>
      <OnlyRead needs={inviteMember} />
      <DataTable
        page={pageWords.settings}
        name={settingsWords.people}
        plural={words.plural}
        rowsAre="people"
        list={list}
        csv={{ endpoint: downloadMembers, atHead: true }}
        choice={<ActButton adds act={AddPerson} of={account} />}
        columns={columns}
        filters={[
          {
            name: 'role',
            label: fieldWords.role,
            choices: teamRoles.map((value) => ({ value, label: words.roles[value] })),
          },
          statusFilter('status', fieldWords.status, 'member', memberStatuses),
        ]}
        keyOf={({ userId }) => userId}
        nameOf={nameOfPerson}
        actions={(member) =>
          toMenuItems(
            of(member),
            [
              ChangeRole,
              member.status === 'invited' && {
                label: partnerWords.invite.resend,
                needs: retryMemberInvitation,
                run: () => resend.mutate({ params: { id: account.id, userId: member.userId } }),
              },
              member.url !== null && { label: partnerWords.invite.copyLink, run: () => copyText(member.url!) },
              Remove,
            ],
            start,
          )
        }
        empty={{ hint: words.plural }}
      />
      <RequireFactor account={account} />
    </>
  )
}

const listColumns = (): ColumnOf<typeof listMembers>[] => [
  column.first(['firstName', 'lastName'], fieldWords.name, { sort: 'name' }, nameOfPerson),
  column.of('email', fieldWords.email, { card: 'under' }, ({ email }) => email),
  column.of('role', fieldWords.role, { sort: true, card: 'beside' }, ({ role }) => words.roles[role]),
  column.of('secondFactor', words.secondFactor, {}, ({ secondFactor }) => factorWord(secondFactor)),
  column.date('lastSeenOn', words.lastSeen),
  column.badge('status', fieldWords.status, 'member'),
]

const roleChoices = teamRoles.map((value) => ({ value, label: words.roles[value], help: words.roleHelp[value] }))

const AddPerson = exposeAction(
  defineFormAction(inviteMember, NewMember, ({ id }: Account) => ({
    heading: words.add,
    submit: words.add,
    done: ({ url }) => (url ? offerNewLink(url) : words.sent),
    initial: { email: '', role: 'manager' as Member['role'], firstName: '', lastName: '' },
    send: (body) => ({ params: { id }, body }),
    fields: ({ field }) => (
      <>
        <PersonFields field={field} />
        <RadioCards {...field('role')} choices={roleChoices} />
      </>
    ),
  })),
  { label: words.add },
)

type OfAccount = Member & { accountId: string; isSelf: boolean }

const ChangeRole = exposeAction(
  defineFormAction(changeMember, MemberChange, ({ accountId, userId, role, ...member }: OfAccount) => ({
    heading: words.changeRoleOf({ name: nameOfPerson(member) }),
    submit: words.changeRole,
    done: words.roleChanged,
    initial: { role },
    send: (body) => ({ params: { id: accountId, userId }, body }),
    fields: ({ field }) => <RadioCards {...field('role')} choices={roleChoices} />,
  })),
  { label: words.changeRole },
)

const Remove = exposeAction(
  defineAction(removeMember, (member: OfAccount) => {
    const name = nameOfPerson(member)
    return {
      heading: member.isSelf ? words.leaveHeading : words.removeHeading({ name }),
      submit: member.isSelf ? words.leave : words.remove,
      why: (
        <div className="stack gap-2">
          <p>{member.isSelf ? words.leaveWhy : words.removeWhy({ name })}</p>
          <KeysOf member={member} name={name} />
        </div>
      ),
      send: { params: { id: member.accountId, userId: member.userId } },
      done() {
        // the roles of this person are gone with the account
        if (member.isSelf) location.assign(HOME)
        return member.isSelf ? words.left : words.removed
      },
    }
  }),
  {
    label: ({ isSelf }) => (isSelf ? words.leave : words.remove),
    needs: ({ isSelf }) => (isSelf ? undefined : changeMember),
    danger: true,
  },
)

/** The API keys that a person made and may still have; nothing for readers without the right to see them. */
function KeysOf({ member: { accountId, userId, isSelf }, name }: { member: OfAccount; name: string }) {
  const { data } = useQuery(apiKeysQuery(accountId))
  const made = data?.items.filter(({ createdBy, replacedBy }) => createdBy?.userId === userId && !replacedBy) ?? []
  const count = made.length
  if (count === 0) return null
  return (
    <>
      <p>{isSelf ? words.ownKeys({ count }) : words.keysOf({ name, count })}</p>
      <p>
        <Link to="/integrations/push-data">{words.showKeys}</Link>
      </p>
    </>
  )
}
