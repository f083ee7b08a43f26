/** Most programs whose referrals a browser keeps. */
const MOST_PROGRAMS = 4

/** The visitor's referral and its time; `at` in seconds since 1970. */
export type Reference = { code: string; click: string; at: number }

/** Returns the time in seconds since 1970. */
export const seconds = () => Math.floor(Date.now() / 1000)

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
