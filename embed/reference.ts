/**
 * Name of the referral wherever a browser or a page has it: the cookie, the entries in local and session storage, fields,
 * and the parameter of addresses.
 */
export const NAME = 'tributary_ref'
/** Selects elements of the page that are marked for the script. */
export const MARKED = '[data-tributary]:not([data-tributary=off])'
/** Most programs whose referrals a browser keeps. */
const MOST_PROGRAMS = 4

/** The visitor's referral after its time, in seconds since 1970. */
export type Reference = [at: number, code: string, click: string]

/** The reference of a visitor without one. */
export const NONE: Reference = [0, '', '']

/** Returns the time in seconds since 1970. */
export const nowInSeconds = () => Math.floor(Date.now() / 1000)

/**
 * The stored form of one program, `{program}:{code}.{click}.{at}`: short, and without the characters that a cookie can't
 * contain. Those of several are joined by `|`; one of before there were several has no program.
 */
export const formatReference = (program: string, [at, code, click]: Reference) =>
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

/**
 * Parses this program's entry of the stored form, else one without a program, which is behind it. Undefined if there is
 * none, it is invalid, or older than `days`; throws if the code can't be decoded.
 */
export function parseReference(
  text: string | null | undefined,
  program: string,
  days: number,
  now: number,
): Reference | undefined {
  const entry = new RegExp(`\\|(${program}:)?([^:|]*)\\.([\\w-]*)\\.(\\d+)\\|`)
  const [, , code = '', click = '', at] = entry.exec(`|${text}|`) || []
  return (code || click) && +at! + days * 86_400 > now ? [+at!, decodeURIComponent(code), click] : undefined
}
