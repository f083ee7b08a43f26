/**
 * A first screen requests the signed-in user, then their account, then its figures: each waits for the one before. So
 * the requests of the last visit are stored, and start.js sends them at once, while the code loads. Later requests use
 * the answers under way; answers that are not needed are never read.
 */

const KEY = 'tributary.early'
/** The screens people arrive at. */
const ARRIVALS = ['/', '/home', '/dashboard', '/admin/accounts']
const MOST = 12
/** Milliseconds after which an answer is no longer fresh, and requests belong to another screen. */
const ARRIVING_MS = 15_000

declare global {
  /** Set by start.js: the token it used, and the answers by address. */
  var tributaryEarly: { token: string; answers: Map<string, Promise<Response>> } | undefined
}

const arrivedAt = globalThis.location?.pathname
const requests = new Set<string>()
let isUsed = false
for (const action of ['pointerdown', 'keydown'])
  globalThis.addEventListener?.(
    action,
    () => {
      isUsed = true
    },
    { capture: true, once: true },
  )

/** Returns the answer to a request sent by start.js, once. Undefined if it sent none. */
export function consumePrefetched(address: string, token: string): Promise<Response> | undefined {
  const early = globalThis.tributaryEarly
  if (early?.token !== token || performance.now() > ARRIVING_MS) return undefined
  const answer = early.answers.get(address)
  early.answers.delete(address)
  return answer
}

/** Drops the answers that no screen has taken: they are of before a write. */
export function dropEarly() {
  globalThis.tributaryEarly?.answers.clear()
}

/** Stores the requests of the screen the document was opened at, until the user does something on it. */
export function savePrefetch(address: string) {
  if (!ARRIVALS.includes(arrivedAt) || performance.now() > ARRIVING_MS) return
  if (isUsed || requests.size >= MOST || requests.has(address)) return
  requests.add(address)
  try {
    const known = JSON.parse(localStorage.getItem(KEY) ?? '{}')
    // figures are requested up to a day: tomorrow's differ
    const last = { day: new Date().toDateString(), asked: [...requests] }
    localStorage.setItem(KEY, JSON.stringify({ ...known, [arrivedAt]: last }))
  } catch {
    // Storage refused: the next document makes its requests one after another.
  }
}

/** Deletes the stored requests: they must not reach the next user who signs in. */
export function deletePrefetches() {
  try {
    localStorage.removeItem(KEY)
  } catch {
    // as above
  }
}
