import { queryOptions } from '@tanstack/react-query'
import { callApi, isNotFound } from '#web/api.ts'
import { apiQuery, type Opened, type Reads } from '#web/calls.ts'
import { brandQuery } from '#web/shared/brand.ts'
import { isTeam } from '#web/shared/roles.ts'
import { type EmbedCode, getEmbedCheck, getEmbedCode } from '../contract.ts'

const AGAIN_MS = 2000

/** The account's embed code; null if there is none. */
export function embedCode(id: string) {
  const query = apiQuery(getEmbedCode, { params: { id } })
  return queryOptions({
    queryKey: query.queryKey,
    queryFn: async ({ signal }): Promise<EmbedCode | null> => {
      try {
        return await callApi(getEmbedCode, { params: { id }, signal })
      } catch (error) {
        if (isNotFound(error)) return null
        throw error
      }
    },
  })
}

/** A page's report; polled until it arrives. */
export const checkQuery = (id: string, checkId: string) => ({
  ...apiQuery(getEmbedCheck, { params: { id, checkId } }),
  staleTime: 0,
  refetchInterval: ({ state }: { state: { data?: { matched: unknown } | undefined } }) =>
    state.data?.matched ? (false as const) : AGAIN_MS,
  refetchIntervalInBackground: true,
})

export const readsOfEmbedCode = ({ role }: Opened): Reads =>
  isTeam(role) ? [embedCode(role.accountId), brandQuery(role.accountId)] : []
