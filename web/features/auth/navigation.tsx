import { type ReactNode, useSyncExternalStore } from 'react'
import { endsWithDocument } from '../../session.ts'

const screens = ['/auth/sign-in', '/auth/reset-password', '/user-setup']
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

/** The path of the screen before signing in that is shown. */
export const useEntryPath = () => useSyncExternalStore(listen, () => location.pathname.replace(/\/$/, ''))

let showAgain = () => {}

/** What shows the application in this document, where a new one would know nothing of the session. */
export function stayBy(show: () => void) {
  showAgain = show
}

/** Goes to `address`: among the screens before signing in without loading, into the application with a new document. */
export function go(address: string) {
  if (screens.includes(new URL(address, location.origin).pathname)) {
    history.pushState(null, '', address)
    changed()
  } else if (endsWithDocument()) {
    history.replaceState(null, '', address)
    showAgain()
  } else location.replace(address)
}

export function EntryLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <a
      href={to}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
        event.preventDefault()
        go(to)
      }}
    >
      {children}
    </a>
  )
}

let held: { path: string; token: string } | null = null

/**
 * The single-purpose token of the link that was opened, `#token=…`. It leaves the address bar at once and is then kept
 * only in memory, for the screen it came to.
 */
export function takeLinkToken(): string | null {
  const path = location.pathname.replace(/\/$/, '')
  const token = new URLSearchParams(location.hash.slice(1)).get('token')
  if (token) {
    held = { path, token: sendable(token) }
    history.replaceState(history.state, '', location.pathname + location.search)
  }
  return held?.path === path ? held.token : null
}

/** Those of our mails are left as they are; any other text becomes one that the server can be asked about, and refuses. */
const sendable = (token: string) => encodeURIComponent(token.toWellFormed()).slice(0, 512)

/** Follows a second link opened in the same tab, which changes only the fragment. */
export const useLinkToken = () => useSyncExternalStore(listenToLinks, takeLinkToken)

function listenToLinks(listener: () => void) {
  addEventListener('hashchange', listener)
  return () => removeEventListener('hashchange', listener)
}

/** A used or refused token is forgotten. */
export function dropLinkToken() {
  held = null
}
