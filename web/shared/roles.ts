import type { QueryKey } from '@tanstack/react-query'
import type { Role, User } from '#contract/auth.ts'
import type { Caller, TeamRole } from '#contract/endpoint.ts'
import type { Opened, Reads } from '../calls.ts'

export type RoleType = Role['type']
/** A role in the team of an account. */
export type RoleInTeam = Extract<Role, { type: `account-${TeamRole}` }>

export const isTeam = (role: Role | undefined | null): role is RoleInTeam => Boolean(role?.type.startsWith('account-'))

/** A role at a partner: its owner's, or a member's. */
export type RoleAtPartner = Extract<Role, { partnerId: string }>

export const isAtPartner = (role: Role | undefined | null): role is RoleAtPartner =>
  role?.type === 'partner' || role?.type === 'partner-member'

/** The reads of a screen with a list of the account. */
export const readsOfList =
  (list: (of: { id: string }) => { at: (search: Opened['search']) => { queryKey: QueryKey } }) =>
  ({ role, search }: Opened): Reads =>
    isTeam(role) ? [list({ id: role.accountId }).at(search)] : []

/** Returns the caller that the person is in this role, by whom calls are allowed. */
export const toCaller = (role: Role) => role.type.replace('account-', '') as Caller

/** Whether a person in this role may make the call; some calls need none. */
export const mayCall = (role: Role | undefined, { allow }: { allow: readonly string[] }) =>
  allow.includes('user') || (role !== undefined && allow.includes(toCaller(role)))

/** Compares roles by value: in the team of the same account or at the same partner, whatever the rights. */
export function sameRole(one: Role | undefined | null, other: Role | undefined | null) {
  if (isTeam(one) && isTeam(other)) return one.accountId === other.accountId
  if (isAtPartner(one) && isAtPartner(other)) return one.partnerId === other.partnerId
  return Boolean(one && other && one.type === other.type)
}

/**
 * Returns the role the screens show: the one in the navigation state if the user has it, else the last chosen one, else
 * account owner, then admin, then another of a team, then the first. Undefined for a user without any.
 */
export function selectRole(user: User, inState: Role | undefined, lastChosen: Role | null): Role | undefined {
  const own = (wanted: Role | undefined | null) => user.roles.find((role) => sameRole(role, wanted))
  const ofType = (type: RoleType) => user.roles.find((role) => role.type === type)
  return (
    own(inState) ??
    own(lastChosen) ??
    ofType('account-owner') ??
    ofType('admin') ??
    user.roles.find(isTeam) ??
    user.roles[0]
  )
}

/** Returns a role's name in the role switcher, in the given words. */
export function roleLabel(role: Role, words: { administrator: string; partnerOf: (account: string) => string }) {
  if (role.type === 'admin') return words.administrator
  return isAtPartner(role) ? words.partnerOf(role.accountName) : role.accountName
}

/** Sorts the administrator first, the others by their label. */
export function inSwitcherOrder(roles: readonly Role[], label: (role: Role) => string) {
  const rank = (role: Role) => (role.type === 'admin' ? 0 : 1)
  return [...roles].sort((a, b) => rank(a) - rank(b) || label(a).localeCompare(label(b)))
}

const KEY = 'tributary.role'

/** The role used by this document: a choice in another tab must not change half of its screens. */
let lastChosen: Role | null | undefined

/** Returns the role chosen last, in any tab, when the document was loaded; or chosen in this one since. */
export function lastChosenRole(): Role | null {
  if (lastChosen === undefined) lastChosen = storedRole()
  return lastChosen
}

function storedRole(): Role | null {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? 'null')
  } catch {
    return null
  }
}

export function rememberRole(role: Role) {
  lastChosen = role
  try {
    localStorage.setItem(KEY, JSON.stringify(role))
  } catch {
    // The navigation state still has the choice.
  }
}
