/**
 * A first screen asks for who is signed in, then for their account, then for its figures: each waits for the one before.
 * So what it asked for when it was opened last is kept, and start.js asks for it at once, beside the code. Whatever then
 * is asked for takes the answer that is on its way; what was asked in vain is never read.
 */

const KEY = 'tributary.early'
/** The screens people arrive at. */
const ARRIVALS = ['/', '/dashboard', '/admin/accounts']
const MOST = 12
/** Later than that an answer is no news any more, and what is asked belongs to another screen. */
const ARRIVING_MS = 15_000

declare global {
  /** Made by start.js: the token it asked with, and the answers by address. */
  var tributaryEarly: { token: string; answers: Map<string, Promise<Response>> } | undefined
}

const arrivedAt = globalThis.location?.pathname
const asked = new Set<string>()
let isUsed = false
for (const act of ['pointerdown', 'keydown'])
  globalThis.addEventListener?.(
    act,
    () => {
      isUsed = true
    },
    { capture: true, once: true },
  )

/** The answer to what start.js has asked for, once. Undefined where it has not. */
export function takeEarly(address: string, token: string): Promise<Response> | undefined {
  const early = globalThis.tributaryEarly
  if (early?.token !== token || performance.now() > ARRIVING_MS) return undefined
  const answer = early.answers.get(address)
  early.answers.delete(address)
  return answer
}

/** Keeps what the screen asks for that the document was opened at, as long as nobody has done anything on it. */
export function keepForNext(address: string) {
  if (!ARRIVALS.includes(arrivedAt) || performance.now() > ARRIVING_MS) return
  if (isUsed || asked.size >= MOST || asked.has(address)) return
  asked.add(address)
  try {
    const known = JSON.parse(localStorage.getItem(KEY) ?? '{}')
    // figures are asked for up to a day: tomorrow's are others
    const last = { day: new Date().toDateString(), asked: [...asked] }
    localStorage.setItem(KEY, JSON.stringify({ ...known, [arrivedAt]: last }))
  } catch {
    // Storage refused: the next document asks one after the other.
  }
}

/** What somebody asked for is no business of whoever signs in next. */
export function forgetEarly() {
  try {
    localStorage.removeItem(KEY)
  } catch {
    // as above
  }
}
