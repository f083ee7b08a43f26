import { cookieDays, program } from './account.ts'
import { postJson, toJson } from './delivery.ts'
import { type Place, placeIn } from './places.ts'
import { formatReference, NAME, NONE, nowInSeconds, parseReference, type Reference, withEntry } from './reference.ts'
import { ignoringRefusal } from './refusal.ts'
import { endpoint, visitOnly } from './tag.ts'

/** The code this visit already reported: a reload is not a second click. */
export const [reportedCode, markReported] = placeIn('sessionStorage', `tributary_reported_${program}`)

const readCookie = () => (/(^|; )tributary_ref=([^;]*)/.exec(document.cookie) || [])[2]

/**
 * Sets the cookie for the widest domain the browser allows, so that the site's other subdomains get it. Without a text
 * deletes it for all.
 */
function writeCookie(text: string | undefined) {
  const labels = location.hostname.split('.')
  const domain = labels
    .map((_, at) => labels.slice(-at - 1).join('.'))
    .slice(1)
    .concat('')
    .find((domain) => {
      // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser, and never synchronous
      document.cookie = `${NAME}=${text};path=/;max-age=${text ? cookieDays * 86_400 : 0};samesite=lax${location.protocol === 'https:' ? ';secure' : ''}${domain && `;domain=${domain}`}`
      return text && readCookie() === text
    })
  // browsers soon delete a cookie set by a script, but not one set by the site's own answer; a click id still being
  // counted comes a moment later, and two answers could arrive in any order
  if (current[2] && new URL(endpoint, location.href).origin === location.origin)
    postJson(`${endpoint}/keep`, toJson({ reference: text, domain }))
}

const session = placeIn('sessionStorage', NAME)
const lasting: Place[] = [[readCookie, writeCookie], placeIn('localStorage', NAME)]
const places = visitOnly ? [session] : lasting

/** The reference itself, if the browser refuses every place. */
let current = NONE

/** Stores a reference in place of the former; the one without a code deletes it everywhere. */
export function saveReference(reference: Reference) {
  current = reference
  const [at] = reference
  for (const [read, replace] of at ? places : lasting.concat([session]))
    ignoringRefusal(() => {
      const before = read()
      const text = withEntry(before, program, at ? formatReference(program, reference) : '')
      // a cookie set by a server outlives one set by a script, so a correct one is not replaced
      if (text !== before) replace(text)
    })
}

/**
 * Returns the visitor's reference: from a first-party cookie or local storage, for the days of the account; from session
 * storage alone if the script may remember the visit only.
 */
export function readReference(): Reference {
  // another tab may have stored a later one
  const stored = places
    .map(([read]) => ignoringRefusal(() => parseReference(read(), program, cookieDays, nowInSeconds())))
    .find((reference) => reference)
  if (stored && !current[0]) saveReference(stored)
  return stored || current
}
