import { useQuery } from '@tanstack/react-query'
import { type GroupReward, listGroups } from '#contract/groups.ts'
import type { GroupKind } from '#contract/partners.ts'
import { apiQuery } from '../calls.ts'

/** Every group of an account; there are at most 50. */
export const allGroupsQuery = (accountId: string) =>
  apiQuery(listGroups, { params: { id: accountId }, query: { limit: 100, sort: 'name' } })

export type GroupChoices = { value: string; label: string }[]

/** Returns the groups as choices of a field or filter, and none while there is only the default group. */
export function useGroupChoices(accountId: string | null): GroupChoices {
  const { data } = useQuery({ ...allGroupsQuery(accountId ?? ''), enabled: accountId !== null })
  const groups = data?.items ?? []
  return groups.length > 1 ? groups.map(({ id, name }) => ({ value: id, label: name })) : []
}

/** Returns the groups of one kind as choices. */
export function useGroupsOfKind(accountId: string | null, kind: GroupKind): GroupChoices {
  const { data } = useQuery({ ...allGroupsQuery(accountId ?? ''), enabled: accountId !== null })
  const groups = data?.items.filter((group) => group.kind === kind) ?? []
  return groups.map(({ id, name }) => ({ value: id, label: name }))
}

/** Returns how the customers of a group are given rewards; null for a group of partners. */
export const useGroupReward = (accountId: string, groupId: string): GroupReward | null =>
  useQuery(allGroupsQuery(accountId)).data?.items.find(({ id }) => id === groupId)?.reward ?? null
