import type { QueryClient } from '@tanstack/react-query'
import type { ParsedLocation } from '@tanstack/react-router'
import type { Role } from '#contract/users.ts'
import { me } from '../features/shell/queries.ts'
import { lastChosenRole, selectRole } from '../roles.ts'

type At = { context: { queryClient: QueryClient }; location: ParsedLocation; params: Record<string, string> }

export type Start = (at: {
  client: QueryClient
  /** The role the screen is shown to; it has an account, or is the administrator's. */
  role: Role
  params: Record<string, string>
  search: Record<string, unknown>
}) => unknown

/**
 * A route's loader that starts the screen's reads while its code is on the way. It waits for none of them: the screen
 * shows its own skeleton, and what failed.
 */
export const loading = (start: Start) => {
  return ({ context: { queryClient: client }, location, params }: At) => {
    const user = client.getQueryData(me.queryKey)
    const role = user && selectRole(user, location.state.role, lastChosenRole())
    if (role) start({ client, role, params, search: location.search as Record<string, unknown> })
  }
}
