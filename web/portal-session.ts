import { useSyncExternalStore } from 'react'
import type { CurrentUser } from '#contract/auth.ts'
import { getPortal, openPortal, type Portal } from '#contract/portal.ts'
import { type CallError, callApi } from './api.ts'
import { beInPortal, type Refused } from './session.ts'

/**
 * A portal shows one partner their screens, in a frame of the owner's application or by a link. Its token comes in the
 * address or from the page around the frame; it stays in memory, or of a link in this tab.
 */

/** Key of a link's session in the tab's storage, by account. */
const KEY = `tributary.portal${globalThis.location?.pathname}`
const LINK_PREFIX = 'tpl_'
const DISABLED = 'account_disabled'

/** Why the screens have ended, until another token comes. */
export type Ended = { why: 'expired' } | { why: 'disabled'; supportEmail: string | null }

let token = ''
let shown: Portal | null = null
/** The answer that named the language, until the screens take it. */
let first: Portal | null = null
let ended: Ended | null = null
/** The page around the frame was asked for another token. */
let isTold = false
let next = Promise.withResolvers<string>()
const listeners = new Set<() => void>()

/** Returns whether the portal shows a customer's panel for inviting friends alone. */
export const isForInviting = () => shown?.view === 'invite'

/** Returns why the portal's screens have ended; null while they work. */
export const useEnded = () => useSyncExternalStore(subscribe, () => ended)

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function setEnded(why: Ended | null) {
  ended = why
  for (const listener of listeners) listener()
}

/**
 * Takes the token out of the address, and listens to the page around the frame. Returns whose portal this is; null while
 * no valid session says so.
 */
export async function beginPortal(): Promise<Portal | null> {
  const given = new URLSearchParams(location.hash.slice(1)).get('token') ?? ''
  if (location.hash) history.replaceState(null, '', location.pathname + location.search)
  beInPortal({ token: () => token, renew, user: async () => asUser(consumeFirst() ?? (await open())) })
  addEventListener('message', receiveToken)
  watchHeight()
  postToParent({ type: 'ready' })
  token = given.startsWith(LINK_PREFIX) ? await exchange(given) : given || readStored()
  // not renewed, for which it might wait for good
  shown = token ? await callApi(getPortal, { token }).catch(() => null) : null
  first = shown
  return shown
}

/** Exchanges a link's token for a session; without success there is none, which the first call finds. */
async function exchange(link: string) {
  const opened = await callApi(openPortal, { token: '', body: { token: link } }).catch((error: CallError) => {
    if (error.code === DISABLED) setEnded(endedBy(error))
    return null
  })
  if (!opened) return readStored()
  try {
    sessionStorage.setItem(KEY, opened.accessToken)
  } catch {
    // Storage refused: a reload ends it.
  }
  return opened.accessToken
}

function readStored() {
  try {
    return sessionStorage.getItem(KEY) ?? ''
  } catch {
    return ''
  }
}

function consumeFirst() {
  const answer = first
  first = null
  return answer
}

async function open() {
  shown = await callApi(getPortal)
  return shown
}

/** The partner in the form in which screens expect people: a member with nothing but the data they may see. */
function asUser({ partnerId, accountId }: Portal): CurrentUser {
  return {
    id: partnerId,
    email: '',
    firstName: null,
    lastName: null,
    createdAt: '',
    updatedAt: '',
    roles: [{ type: 'partner-member', partnerId, accountId, accountName: '' }],
    preferences: {},
    environment: 'production',
    secondFactor: 'off',
    appUrl: null,
  }
}

/** Asks the page around the frame for another token and waits for it; without a frame, for good. */
async function renew(worn: string | undefined, refusal: Refused) {
  if (token && token !== worn) return token
  // Several calls find it out together.
  if (!isTold) postToParent({ type: 'expired' })
  isTold = true
  // a link that the disabled account refused has left no token
  if (token || !ended) setEnded(endedBy(refusal))
  return next.promise
}

const endedBy = ({ code, details }: Refused): Ended =>
  code === DISABLED ? { why: 'disabled', supportEmail: (details.supportEmail as string) ?? null } : { why: 'expired' }

type PortalMessage = { type: 'ready' } | { type: 'height'; height: number } | { type: 'expired' }

/** None of it is secret, and only the hosts that the account allows may frame this document. */
function postToParent(message: PortalMessage) {
  if (window.parent !== window) window.parent.postMessage({ source: 'tributary', ...message }, '*')
}

/** Takes another token from the page around the frame alone, and of the partner shown alone. */
async function receiveToken({ source, data }: MessageEvent) {
  if (source !== window.parent || window.parent === window) return
  if (data?.type !== 'token' || typeof data.token !== 'string') return
  const found = await callApi(getPortal, { token: data.token }).catch(() => null)
  if (!found || (shown && shown.partnerId !== found.partnerId)) return
  token = data.token
  setEnded(null)
  isTold = false
  next.resolve(token)
  next = Promise.withResolvers()
}

/** Reports the height of the screen to the page around the frame, so that the frame needs no scroll bar. */
function watchHeight() {
  const root = document.getElementById('root')!
  let last = 0
  new ResizeObserver(() => {
    const height = Math.ceil(root.getBoundingClientRect().height)
    if (height === last) return
    last = height
    postToParent({ type: 'height', height })
  }).observe(root)
}
