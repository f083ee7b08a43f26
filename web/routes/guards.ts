import type { QueryClient } from '@tanstack/react-query'
import { type ParsedLocation, redirect } from '@tanstack/react-router'
import type { Caller } from '#contract/endpoint.ts'
import { me } from '../calls.ts'
import { openSignIn, readSession } from '../session.ts'
import { lastChosenRole, selectRole, toCaller } from '../shared/roles.ts'

type GuardContext = { context: { queryClient: QueryClient }; location: ParsedLocation }

/**
 * Requires a signed-in user; sends others to the sign-in screen, which returns them here. Without the second factor that
 * an account requires, all screens lead to the profile, where it is set up.
 */
export async function requireUser({ context, location }: GuardContext) {
  if (!readSession()) await openSignIn({ comeBack: true })
  const user = await context.queryClient.ensureQueryData(me)
  if (user.secondFactor === 'missing' && location.pathname !== '/user/profile')
    throw redirect({ to: '/user/profile', replace: true })
  return { user }
}

/**
 * Requires a role that is one of these callers and redirects other users home. A user who has such a role but uses another one
 * is switched, in the navigation state.
 */
export function requireRole(...allowed: Caller[]) {
  return async ({ context, location }: GuardContext) => {
    const user = await context.queryClient.ensureQueryData(me)
    const role = selectRole(user, location.state.role, lastChosenRole())
    if (role && allowed.includes(toCaller(role))) return
    const fitting = allowed.flatMap((caller) => user.roles.filter((role) => toCaller(role) === caller))[0]
    if (!fitting) throw redirect({ to: '/', replace: true })
    throw redirect({ href: location.href, state: { ...location.state, role: fitting }, replace: true })
  }
}

/** Redirects the home page to the role's first screen; stays on it without a role. */
export async function redirectToFirstScreen({ context, location }: GuardContext) {
  const user = await context.queryClient.ensureQueryData(me)
  const role = selectRole(user, location.state.role, lastChosenRole())
  if (!role) return
  const to = role.type === 'admin' ? '/admin/accounts' : '/dashboard'
  throw redirect({ to, state: location.state.role ? { role: location.state.role } : true, replace: true })
}
