import { useSuspenseQuery } from '@tanstack/react-query'
import { useLocation, useRouter } from '@tanstack/react-router'
import { createContext, useContext } from 'react'
import type { Account, AccountForPartner } from '#contract/accounts.ts'
import type { CurrentUser, Role } from '#contract/auth.ts'
import { me } from '../calls.ts'
import {
  isAtPartner,
  isTeam,
  lastChosenRole,
  type RoleInTeam,
  rememberRole,
  roleLabel,
  selectRole,
} from '../shared/roles.ts'
import { shellWords } from '../words/shell.ts'

declare module '@tanstack/react-router' {
  interface HistoryState {
    role?: Role
  }
}

/** Returns the signed-in user. */
export const useMe = (): CurrentUser => useSuspenseQuery(me).data

/** Returns the role the screens show; undefined for a user without any. */
export function useRole(): Role | undefined {
  const inState = useLocation({ select: ({ state }) => state.role })
  return selectRole(useMe(), inState, lastChosenRole())
}

/** Returns a function that switches to another of the user's roles and opens its first screen. */
export function useSwitchRole() {
  const router = useRouter()
  return (role: Role) => {
    rememberRole(role)
    router.navigate({ to: '/', state: { role } })
  }
}

/** Returns the role on a screen that only partners may open. */
export function usePartnerRole() {
  const role = useRole()
  if (!isAtPartner(role)) throw new Error('This screen is for partners.')
  return role
}

/** Returns the role on a screen that only the account's team may open. */
export function useTeamRole(): RoleInTeam {
  const role = useRole()
  if (!isTeam(role)) throw new Error('This screen is for the account’s team.')
  return role
}

/** Returns the role on a screen behind the account gate: the owner's or a partner's. */
export function useAccountRole() {
  const role = useRole()
  if (!role || role.type === 'admin') throw new Error('There is no role with an account here.')
  return role
}

/** Whether the screens are a portal's: in another application's frame, or opened by a link. */
export const InPortal = createContext(false)
export const useInPortal = () => useContext(InPortal)

export const AccountContext = createContext<Account | AccountForPartner | null>(null)

/** Returns the account whose screens are shown, once its gate is open. */
export function useAccount() {
  const account = useContext(AccountContext)
  if (!account) throw new Error('There is no account outside the account gate.')
  return account
}

/** Returns the account on a screen for its owner, who may read all of it. */
export function useOwnAccount(): Account {
  const account = useAccount()
  if (!('defaultCommissionSettings' in account)) throw new Error('This screen is for the account owner.')
  return account
}

export const switcherLabel = (role: Role) =>
  roleLabel(role, {
    administrator: shellWords.header.administrator,
    partnerOf: (account) => shellWords.header.partnerOf({ account: account || shellWords.header.anonymousAccount }),
  }) || shellWords.header.anonymousAccount
