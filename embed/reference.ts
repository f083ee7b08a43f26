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

const entriesIn = (text: string | null | undefined) => (text || '').split('|').filter((entry) => entry)

/**
 * Returns a stored text with this program's entry in place of its former one; without an entry also without one that has
 * no program.
 */
export function withEntry(text: string | null | undefined, program: string, entry: string): string {
  const others = entriesIn(text).filter((one) => one.indexOf(`${program}:`) && (entry || one.indexOf(':') > 0))
  return entriesIn(entry)
    .concat(others.slice(0, MOST_PROGRAMS - 1))
    .join('|')
}

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
  const entries = entriesIn(text)
  const own = entries.filter((one) => !one.indexOf(`${program}:`))[0]
  const entry = own ? own.slice(program.length + 1) : entries.filter((one) => one.indexOf(':') < 0)[0]
  const parts = /^(.*)\.([\w-]*)\.(\d{1,12})$/.exec(entry || '')
  if (!parts || !(parts[1] || parts[2])) return
  const at = Number(parts[3])
  return at + days * 86_400 > now ? { code: decodeURIComponent(parts[1]!), click: parts[2]!, at } : undefined
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
 * domain.
 */
function writeCookie(value: string, maxAge: number): string | undefined {
  const secure = location.protocol === 'https:' ? ';secure' : ''
  const labels = location.hostname.split('.')
  for (let first = labels.length - 2; first >= -1; first--) {
    const domain = first < 0 ? '' : labels.slice(first).join('.')
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser, and never synchronous
    document.cookie = `${NAME}=${value};path=/;max-age=${maxAge};samesite=lax${secure}${domain && `;domain=${domain}`}`
    if (maxAge > 0 && readCookie() === value) return domain
  }
  return
}

/**
 * Stores a visitor's reference in one program in a first-party cookie and local storage for `days`; if `visitOnly`, in session storage
 * only. Calls `confirm` with each cookie it has set and its domain. If the browser refuses all of them, the reference
 * stays in memory.
 */
export function referenceStore(
  program: string,
  visitOnly: boolean,
  days: number,
  confirm: (reference: Reference, cookie: string, domain: string | undefined) => void,
) {
  const storage = () => (visitOnly ? sessionStorage : localStorage)
  const reportedName = `${REPORTED}_${program}`
  let current: Reference | undefined

  function write(reference: Reference) {
    current = reference
    const entry = formatReference(program, reference)
    // a cookie set by a server outlives one set by a script, so a correct one is not replaced
    ignoringRefusal(() => {
      const text = withEntry(readCookie(), program, entry)
      if (!visitOnly && readCookie() !== text)
        confirm(reference, text, writeCookie(text, reference.at + days * 86_400 - seconds()))
    })
    ignoringRefusal(() => storage().setItem(NAME, withEntry(storage().getItem(NAME), program, entry)))
  }

  return {
    read(): Reference | undefined {
      const parse = (read: () => string | null | undefined) =>
        ignoringRefusal(() => parseReference(read(), program, days, seconds()))
      // another tab may have stored a later one
      const stored = (!visitOnly && parse(readCookie)) || parse(() => storage().getItem(NAME))
      if (stored && !current) write(stored)
      return stored || current
    },
    keep(code: string, click: string, at = seconds()) {
      write({ code, click, at })
    },
    forget() {
      current = undefined
      ignoringRefusal(() => {
        const left = withEntry(readCookie(), program, '')
        writeCookie(left, left ? days * 86_400 : 0)
      })
      for (const each of [() => localStorage, () => sessionStorage])
        ignoringRefusal(() => {
          const left = withEntry(each().getItem(NAME), program, '')
          if (left) each().setItem(NAME, left)
          else each().removeItem(NAME)
        })
      ignoringRefusal(() => sessionStorage.removeItem(reportedName))
    },
    reported: () => ignoringRefusal(() => sessionStorage.getItem(reportedName)),
    markReported(code: string) {
      ignoringRefusal(() => sessionStorage.setItem(reportedName, code))
    },
  }
}
