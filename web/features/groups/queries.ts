import { getGroup, listGoals, listGroups } from '#contract/groups.ts'
import { type Opened, type Reads, read } from '../../calls.ts'
import { defineList } from '../../lists/list-of.ts'
import { allGroups } from '../../shared/groups.ts'
import { program } from '../../shared/queries.ts'
import { isTeam, readsOfList } from '../../shared/roles.ts'
import { termsState } from '../../shared/terms.ts'

export const groups = defineList(listGroups, 'groups', { sort: 'name' })

export const group = (id: string) => read(getGroup, { params: { id } })

/** The goals of a group in their order. */
export const goals = (groupId: string) => read(listGoals, { params: { id: groupId } })

export const readsOfGroups = readsOfList(groups)

export const readsOfGroup = ({ role, params: { groupId } }: Opened<{ groupId: string }>): Reads => [
  group(groupId),
  termsState({ of: 'group', id: groupId }),
  goals(groupId),
  ...(isTeam(role)
    ? [termsState({ of: 'account', id: role.accountId }), allGroups(role.accountId), program(role.accountId)]
    : []),
]
