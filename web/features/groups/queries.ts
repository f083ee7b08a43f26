import { getGroup, listGoals, listGroups } from '#contract/groups.ts'
import { listQuery, type Opened, type Reads, read, type SearchOf } from '../../calls.ts'
import { tableOf, tableQuery } from '../../lists/table-state.ts'
import { allGroups } from '../../shared/groups.ts'
import { program } from '../../shared/queries.ts'
import { isTeam } from '../../shared/roles.ts'
import { termsState } from '../../shared/terms.ts'

type Groups = SearchOf<typeof listGroups>

export const groupTable = tableOf<Groups>()({ list: 'groups', sort: 'name' })

export const groups = (accountId: string, search: Groups) =>
  listQuery(listGroups, { params: { id: accountId }, search })

export const group = (id: string) => read(getGroup, { params: { id } })

/** The goals of a group in their order. */
export const goals = (groupId: string) => read(listGoals, { params: { id: groupId } })

export const readsOfGroups = ({ role, search }: Opened): Reads =>
  isTeam(role) ? [groups(role.accountId, tableQuery(search, groupTable))] : []

export const readsOfGroup = ({ role, params: { groupId } }: Opened<{ groupId: string }>): Reads => [
  group(groupId),
  termsState({ of: 'group', id: groupId }),
  goals(groupId),
  ...(isTeam(role)
    ? [termsState({ of: 'account', id: role.accountId }), allGroups(role.accountId), program(role.accountId)]
    : []),
]
