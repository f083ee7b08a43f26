/** Name of the cookie and of the entries in local and session storage. */
const NAME = 'tributary_ref'
/** Storage key, before the program's id, of the code this visit already reported: a reload is not a second click. */
const REPORTED = 'tributary_reported'
/** Most programs whose referrals a browser keeps. */
const MOST_PROGRAMS = 4

/** The visitor's referral and its time; `at` in seconds since 1970. */
export type Reference = { code: string; click: string; at: number }

/**
 * The stored form of one program, `{program}:{code}.{click}.{at}`: short, and without the characters that a cookie can't
 * contain. Those of several are joined by `|`; one of before there were several has no program.
 */
export const formatReference = (program: string, { code, click, at }: Reference) =>
  `${program}:${encodeURIComponent(code)}.${click}.${at}`

/**
 * Returns a stored text with this program's entry in place of its former one; without an entry also without one that has
 * no program.
 */
export function withEntry(text: string | null | undefined, program: string, entry: string): string {
  const others = (text || '').split('|').filter((one) => one.indexOf(`${program}:`) && (entry || one.indexOf(':') > 0))
  return [entry]
    .concat(others)
    .filter((one) => one)
    .slice(0, MOST_PROGRAMS)
    .join('|')
}

const ENTRY = /^(?:(.*):)?(?!\.\.)([^:]*)\.([\w-]*)\.(\d{1,12})$/

/**
 * Parses this program's entry of the stored form, else one without a program. Undefined if there is none, it is invalid,
 * or older than `days`; throws if the code can't be decoded.
 */
export function parseReference(
  text: string | null | undefined,
  program: string,
  days: number,
  now: number,
): Reference | undefined {
  const entries = (text || '').split('|').map((entry) => ENTRY.exec(entry) || [])
  const of = (id?: string) => entries.filter((entry) => entry[4] && entry[1] === id)[0]
  const [, , code = '', click = '', at] = of(program) || of() || []
  return Number(at) + days * 86_400 > now ? { code: decodeURIComponent(code), click, at: Number(at) } : undefined
}

/** Runs an action that a browser may refuse, and ignores the refusal. */
export function ignoringRefusal<T>(action: () => T): T | undefined {
  try {
    return action()
  } catch {
    return
  }
}

const seconds = () => Math.floor(Date.now() / 1000)
const readCookie = () => (/(?:^|; )tributary_ref=([^;]*)/.exec(document.cookie) || [])[1]

/**
 * Sets the cookie for the widest domain the browser allows, so that the site's other subdomains get it; returns that
 * domain. Without a value deletes it for all.
 */
function writeCookie(value: string, days: number): string | undefined {
  const labels = location.hostname.split('.')
  const domains = labels.map((_, first) => labels.slice(first).join('.')).reverse()
  const secure = location.protocol === 'https:' ? ';secure' : ''
  return domains
    .slice(1)
    .concat('')
    .find((domain) => {
      // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser, and never synchronous
      document.cookie = `${NAME}=${value};path=/;max-age=${value ? days * 86_400 : 0};samesite=lax${secure}${domain && `;domain=${domain}`}`
      return value && readCookie() === value
    })
}

/** A place in the browser that keeps the entries of all programs. */
type Place = [read: () => string | null | undefined, write: (text: string) => void]

/**
 * Stores a visitor's reference in one program in a first-party cookie and local storage for `days`; if `visitOnly`, in
 * session storage only. Calls `confirm` with each cookie it has set and its domain. If the browser refuses all of them,
 * the reference stays in memory.
 */
export function referenceStore(
  program: string,
  visitOnly: boolean,
  days: number,
  confirm: (reference: Reference, cookie: string, domain: string | undefined) => void,
) {
  const reportedName = `${REPORTED}_${program}`
  let current: Reference | undefined

  const cookie: Place = [
    readCookie,
    (text) => {
      const domain = writeCookie(text, days)
      if (current) confirm(current, text, domain)
    },
  ]
  const placeIn = (storage: () => Storage): Place => [
    () => storage().getItem(NAME),
    (text) => (text ? storage().setItem(NAME, text) : storage().removeItem(NAME)),
  ]
  const session = placeIn(() => sessionStorage)
  const lasting = [cookie, placeIn(() => localStorage)]
  const places = visitOnly ? [session] : lasting

  function write(reference?: Reference) {
    current = reference
    for (const [read, replace] of reference ? places : lasting.concat([session]))
      ignoringRefusal(() => {
        const text = withEntry(read(), program, reference ? formatReference(program, reference) : '')
        // a cookie set by a server outlives one set by a script, so a correct one is not replaced
        if (text !== read()) replace(text)
      })
  }

  return {
    read(): Reference | undefined {
      // another tab may have stored a later one
      const stored = places
        .map(([read]) => ignoringRefusal(() => parseReference(read(), program, days, seconds())))
        .filter((reference) => reference)[0]
      if (stored && !current) write(stored)
      return stored || current
    },
    keep(code: string, click: string, at = seconds()) {
      write({ code, click, at })
    },
    forget() {
      write()
      ignoringRefusal(() => sessionStorage.removeItem(reportedName))
    },
    reported: () => ignoringRefusal(() => sessionStorage.getItem(reportedName)),
    markReported(code: string) {
      ignoringRefusal(() => sessionStorage.setItem(reportedName, code))
    },
  }
}
