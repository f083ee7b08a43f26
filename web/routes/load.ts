import type { FetchInfiniteQueryOptions, FetchQueryOptions, QueryClient } from '@tanstack/react-query'
import type { ParsedLocation } from '@tanstack/react-router'
import type { Opened, Reads } from '../calls.ts'
import { me } from '../calls.ts'
import { lastChosenRole, selectRole } from '../shared/roles.ts'

type LoaderContext = {
  context: { queryClient: QueryClient }
  location: ParsedLocation
  params: Record<string, string>
  preload: boolean
}

/**
 * Returns a route's loader, which starts the screen's reads while its code is loading. It awaits none: the screen shows
 * its own skeleton and errors. Hovering over a link starts only the first read, as far more links are hovered over than
 * followed.
 */
export const createLoader = <P>(reads: (opened: Opened<P>) => Reads) => {
  return ({ context: { queryClient }, location, params, preload }: LoaderContext) => {
    const user = queryClient.getQueryData(me.queryKey)
    const role = user && selectRole(user, location.state.role, lastChosenRole())
    if (!role) return
    const opened = { role, params: params as unknown as P, search: location.search as Opened['search'] }
    const all = reads(opened).filter((query) => !!query)
    for (const query of preload ? all.slice(0, 1) : all) {
      if ('getNextPageParam' in query) queryClient.prefetchInfiniteQuery(query as FetchInfiniteQueryOptions)
      else queryClient.prefetchQuery(query as FetchQueryOptions)
    }
  }
}
