/** Name of the cookie and of the entries in local and session storage. */
const NAME = 'tributary_ref'
/** Storage key of the code this visit already reported, so that a reload is not a second click. */
const REPORTED = 'tributary_reported'

/** The visitor's referral and its time; `at` in seconds since 1970. */
export type Reference = { code: string; click: string; at: number }

/** The stored form, `{code}.{click}.{at}`: short, and without the characters that a cookie can't contain. */
export const formatReference = ({ code, click, at }: Reference) => `${encodeURIComponent(code)}.${click}.${at}`

/** Parses the stored form. Undefined if it is invalid, or older than `days`; throws if the code can't be decoded. */
export function parseReference(text: string | null | undefined, days: number, now: number): Reference | undefined {
  const parts = /^(.*)\.([\w-]*)\.(\d{1,12})$/.exec(text || '')
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
 * Stores a visitor's reference in a first-party cookie and local storage for `days`; if `visitOnly`, in session storage
 * only. Calls `confirm` with each cookie it has set and its domain. If the browser refuses all of them, the reference
 * stays in memory.
 */
export function referenceStore(
  visitOnly: boolean,
  days: number,
  confirm: (reference: Reference, domain: string | undefined) => void,
) {
  const storage = () => (visitOnly ? sessionStorage : localStorage)
  let current: Reference | undefined

  function write(reference: Reference) {
    current = reference
    const text = formatReference(reference)
    // a cookie set by a server outlives one set by a script, so a correct one is not replaced
    ignoringRefusal(
      () =>
        visitOnly ||
        readCookie() === text ||
        confirm(reference, writeCookie(text, reference.at + days * 86_400 - seconds())),
    )
    ignoringRefusal(() => storage().setItem(NAME, text))
  }

  return {
    read(): Reference | undefined {
      const parse = (read: () => string | null | undefined) =>
        ignoringRefusal(() => parseReference(read(), days, seconds()))
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
      ignoringRefusal(() => writeCookie('', 0))
      ignoringRefusal(() => localStorage.removeItem(NAME))
      for (const name of [NAME, REPORTED]) ignoringRefusal(() => sessionStorage.removeItem(name))
    },
    reported: () => ignoringRefusal(() => sessionStorage.getItem(REPORTED)),
    markReported(code: string) {
      ignoringRefusal(() => sessionStorage.setItem(REPORTED, code))
    },
  }
}
