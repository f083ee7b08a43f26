import type { CurrentUser, Session } from '#contract/auth.ts'
import { deletePrefetches } from './prefetch.ts'

const KEY = 'tributary.session'

/** The refusal of a call that a session can't make any more. */
export type Refused = { code: string; details: Record<string, unknown> }

/** A portal's session. It is no sign-in, so it is never stored as one. */
type PortalSession = {
  /** Empty before there is one. */
  token(): string
  /** Resolves with a token to replace this one, once there is one. */
  renew(worn: string | undefined, refusal: Refused): Promise<string>
  /** The partner, in the form of a user who is a member of theirs. */
  user(): Promise<CurrentUser>
}
let portal: PortalSession | null = null

/** Returns the portal's session if this document is a portal. */
export const portalSession = () => portal

/** Makes this document a portal: from now on it reads and writes no user's session. */
export function beInPortal(session: PortalSession) {
  portal = session
}

/** The session if the storage refused it, so that this tab at least stays signed in. */
let unstored: Session | null = null

/** Another tab has ended this document's session, and may have begun another person's. */
let isOver = false

/** Returns the signed-in user's tokens, also if another tab signed in; null when signed out. */
export function readSession(): Session | null {
  if (portal) return { accessToken: portal.token(), refreshToken: '' }
  if (isOver) return null
  if (unstored) return unstored
  try {
    return parse(localStorage.getItem(KEY))
  } catch {
    return null
  }
}

/** Stores the tokens of a person who has signed in. Tabs of the person before, who may be another one, are left. */
export function beginSession(session: Session) {
  clearSession()
  saveSession(session)
}

/** Stores the tokens for all tabs; if the storage fails, for this one until it is closed. */
export function saveSession({ accessToken, refreshToken }: Session) {
  const session = { accessToken, refreshToken }
  try {
    localStorage.setItem(KEY, JSON.stringify(session))
    unstored = null
  } catch {
    unstored = session
  }
}

export function clearSession() {
  unstored = null
  deletePrefetches()
  try {
    localStorage.removeItem(KEY)
  } catch {
    // Storage that cannot be written contains no session of ours.
  }
}

/** Calls `leave` when another tab signs out, or signs in anew. */
export function onSignedOutElsewhere(leave: () => void) {
  addEventListener('storage', ({ key, newValue }) => {
    if ((key !== KEY && key !== null) || newValue || unstored) return
    isOver = true
    leave()
  })
}

/** Never resolves: the document is about to be replaced. */
const loadAnew = (address: string): Promise<void> => {
  location.assign(address)
  return new Promise(() => undefined)
}
let leave = loadAnew

/** Sets how to leave: the screens before signing in navigate without loading; null loads a new document. */
export function setLeave(go: ((address: string) => void) | null) {
  leave = go ? async (address) => go(address) : loadAnew
}

/** Returns whether the storage refused the session, so that it ends with this document. */
export const endsWithDocument = () => unstored !== null

/**
 * Goes to the sign-in screen; from the application in a new document, so that nothing of the last user stays in memory.
 * Signing in leads back to this address if `comeBack`.
 */
export function openSignIn({ comeBack = false } = {}) {
  const path = location.pathname + location.search + location.hash
  const search = comeBack && path !== '/' && path !== HOME ? `?${new URLSearchParams({ return: path })}` : ''
  return leave(`/auth/sign-in${search}`)
}

/** The person's first screen. The root is, at an account's own domain, the page of its program. */
export const HOME = '/home'

/** Returns the address to open after signing in: `wanted` if it is on this site, else the home page. */
export function safeReturnPath(wanted: string | null, origin: string) {
  if (!wanted?.startsWith('/') || wanted.includes('\\')) return HOME
  const url = URL.parse(wanted, origin)
  if (!url || url.origin !== origin || url.pathname.startsWith('//')) return HOME
  return url.pathname + url.search + url.hash
}

function parse(stored: string | null): Session | null {
  if (!stored) return null
  const { accessToken, refreshToken } = JSON.parse(stored) as Partial<Session>
  return accessToken && refreshToken ? { accessToken, refreshToken } : null
}
