import { type ReactNode, useSyncExternalStore } from 'react'
import { endsWithDocument } from '../../session.ts'

const screens = ['/auth/sign-in', '/auth/reset-password', '/auth/oidc', '/user-setup']
const listeners = new Set<() => void>()
const changed = () => {
  for (const listen of listeners) listen()
}

function listen(listener: () => void) {
  listeners.add(listener)
  if (listeners.size === 1) addEventListener('popstate', changed)
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) removeEventListener('popstate', changed)
  }
}

/** Returns the path of the sign-in or set-up screen that is shown. */
export const useSignInPath = () => useSyncExternalStore(listen, () => location.pathname.replace(/\/$/, ''))

let showAgain = () => {}

/** Registers the callback that shows the application in this document, for sessions that end with the document. */
export function onSessionEnd(show: () => void) {
  showAgain = show
}

/** Opens `address`: sign-in and set-up screens without a page load, the application in a new document. */
export function navigateTo(address: string) {
  if (screens.includes(new URL(address, location.origin).pathname)) {
    history.pushState(null, '', address)
    changed()
  } else if (endsWithDocument()) {
    history.replaceState(null, '', address)
    showAgain()
  } else location.replace(address)
}

export function SignInLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <a
      href={to}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
        event.preventDefault()
        navigateTo(to)
      }}
    >
      {children}
    </a>
  )
}

let held: { path: string; token: string } | null = null

/**
 * Returns the single-use token of the opened link, `#token=…`. The token is removed from the address bar at once and
 * kept in memory only, for the screen it was opened on.
 */
export function consumeLinkToken(): string | null {
  const path = location.pathname.replace(/\/$/, '')
  const token = new URLSearchParams(location.hash.slice(1)).get('token')
  if (token) {
    held = { path, token: sendable(token) }
    history.replaceState(history.state, '', location.pathname + location.search)
  }
  return held?.path === path ? held.token : null
}

/** Leaves tokens of our mails unchanged; makes any other text safe to send, so that the server can refuse it. */
const sendable = (token: string) => encodeURIComponent(token.toWellFormed()).slice(0, 512)

/** Follows a second link opened in the same tab, which changes only the fragment. */
export const useLinkToken = () => useSyncExternalStore(listenToLinks, consumeLinkToken)

function listenToLinks(listener: () => void) {
  addEventListener('hashchange', listener)
  return () => removeEventListener('hashchange', listener)
}

/** Drops a token that was used or refused. */
export function dropLinkToken() {
  held = null
}
