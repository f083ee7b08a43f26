import { getGroup, listGoals, listGroups } from '#contract/groups.ts'
import { apiQuery, type Opened, type Reads } from '../../calls.ts'
import { defineList } from '../../lists/list-of.ts'
import { allGroupsQuery } from '../../shared/groups.ts'
import { programQuery } from '../../shared/queries.ts'
import { isTeam, readsOfList } from '../../shared/roles.ts'
import { termsStateQuery } from '../../shared/terms.ts'

export const groups = defineList(listGroups, 'groups', { sort: 'name' })

export const groupQuery = (id: string) => apiQuery(getGroup, { params: { id } })

/** The goals of a group in their order. */
export const goalsQuery = (groupId: string) => apiQuery(listGoals, { params: { id: groupId } })

export const readsOfGroups = (opened: Opened): Reads => [
  ...readsOfList(groups)(opened),
  isTeam(opened.role) && termsStateQuery({ of: 'account', id: opened.role.accountId }),
]

export const readsOfGroup = ({ role, params: { groupId } }: Opened<{ groupId: string }>): Reads => [
  groupQuery(groupId),
  termsStateQuery({ of: 'group', id: groupId }),
  goalsQuery(groupId),
  ...(isTeam(role)
    ? [
        termsStateQuery({ of: 'account', id: role.accountId }),
        allGroupsQuery(role.accountId),
        programQuery(role.accountId),
      ]
    : []),
]
