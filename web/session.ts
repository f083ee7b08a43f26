import type { Session } from '#contract/auth.ts'
import { keepDrafts } from './drafts.ts'
import { forgetEarly } from './early.ts'

const KEY = 'tributary.session'

/** Holds what the storage refused to take, so that this tab at least stays signed in. */
let unstored: Session | null = null

/** The tokens of whoever is signed in, also by another tab; null when signed out. */
export function readSession(): Session | null {
  if (unstored) return unstored
  try {
    return parse(localStorage.getItem(KEY))
  } catch {
    return null
  }
}

/** Keeps the tokens for all tabs; where the storage fails, for this one until it is closed. */
export function keepSession({ accessToken, refreshToken }: Session) {
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
  forgetEarly()
  try {
    localStorage.removeItem(KEY)
  } catch {
    // A storage that cannot be written holds nothing of ours.
  }
}

/** Calls `leave` when another tab signs out. */
export function onSignedOutElsewhere(leave: () => void) {
  addEventListener('storage', ({ key, newValue }) => {
    if ((key === KEY || key === null) && !newValue && !unstored) leave()
  })
}

/** Nothing goes on after it: the document is about to be replaced. */
const loadAnew = (address: string): Promise<void> => {
  location.assign(address)
  return new Promise(() => undefined)
}
let leave = loadAnew

/** The screens before signing in go to one another without loading; elsewhere leaving loads a new document: null. */
export function leaveBy(go: ((address: string) => void) | null) {
  leave = go ? async (address) => go(address) : loadAnew
}

/** Whether the storage refused the session, so that it ends with this document. */
export const endsWithDocument = () => unstored !== null

/**
 * Goes to the sign-in screen, from the application with a fresh document: nothing of the last user stays in memory. Who is
 * to come back finds what they had typed.
 */
export function goToSignIn({ comeBack = false } = {}) {
  if (comeBack) keepDrafts()
  const path = location.pathname + location.search + location.hash
  const search = comeBack && path !== '/' ? `?${new URLSearchParams({ return: path })}` : ''
  return leave(`/auth/sign-in${search}`)
}

/** Where to go after signing in: `wanted` if it is an address of this very site, else the home page. */
export function safeReturnPath(wanted: string | null, origin: string) {
  if (!wanted?.startsWith('/') || wanted.includes('\\')) return '/'
  const url = URL.parse(wanted, origin)
  if (!url || url.origin !== origin || url.pathname.startsWith('//')) return '/'
  return url.pathname + url.search + url.hash
}

function parse(stored: string | null): Session | null {
  if (!stored) return null
  const { accessToken, refreshToken } = JSON.parse(stored) as Partial<Session>
  return accessToken && refreshToken ? { accessToken, refreshToken } : null
}
