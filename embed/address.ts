import type { EmbedConfiguration } from './configuration.ts'
import { LETTER } from './guesses.ts'

/** The query parameter with a click id; short links add it. */
const CLICK = 'click'
/** Most values of an address that are read: no link needs more, and each is looked up. */
const MOST_VALUES = 5
/** Characters of the longest code, also of another program. */
const LONGEST = 100

export type Names = Pick<EmbedConfiguration, 'names' | 'plain'>

/** The codes that a text may name, best first, and its click id; `click` is empty without one. */
export type Arrival = { codes: string[]; click: string }

type Pairs = [name: string, value: string][]

const CODE = `^[^${LETTER}-]*([a-z0-9-]{3,32})(?![${LETTER}-]|[.@:_][${LETTER}]|:/)`
const CLOSING = `[^${LETTER}-]$`
const ID = /^\W*([\da-f-]{36})(?![\w-])/i
/** A text before a code that is named for certain, even if it is a number. */
export const NAMED_CODE = 'referral_code='
/** A text before the query of a page at which a visit began: it names only what its parameters do. */
export const LANDING = 'landing='
/** An entry of the script's cookie: the account's public id (none before there were several), code, click and time. */
const ENTRY = /^(?:([\w-]{12}):)?([^|:]*)\.([\w-]{36})?\.\d{9,12}$/
const SHORT_LINK = /\/r\/+\w+\/+([^/?#&]+)/

/** Returns the code of another program in a text: it has any form, and is the text as people see it. */
export const anyCode = (text: string) =>
  text
    .replace(/\p{DI}/gu, '')
    .trim()
    .normalize()
    .toLowerCase()
    .slice(0, LONGEST)

/**
 * Returns the code of this product in a text; empty without one. It ends where a sentence, a mail or a path goes on; hosts,
 * emails and addresses are none.
 */
export const plainCode = (text: string) =>
  // nearly all are codes as they are, and the classes of letters take long to be compiled
  /^[a-z\d-]{3,32}$/i.test(text) ? text.toLowerCase() : (new RegExp(CODE, 'u').exec(anyCode(text)) || [])[1] || ''

/** Returns all codes that a text may mean, best first: one of another program may be without what closes it. */
export function codesIn(text: string, anyForm?: boolean): string[] {
  const codes: string[] = []
  let code = anyForm ? anyCode(text) : plainCode(text)
  while (code && codes.push(code) < 4 && new RegExp(CLOSING, 'u').test(code)) code = code.slice(0, -1).trim()
  return codes
}

/** Returns a text without `&` as a query's value is read. */
const queryValue = (text: string) => new URLSearchParams(`=${text}`).get('')!

const decoded = (text: string) => queryValue(text.replace(/&/g, '%26'))

/**
 * Returns names, in lower case, and values of everything behind the first `?` or `#` of an address, since mails, chats and
 * routers of sites put a query anywhere there, and escape it twice. A list's name, `ref[]`, is read as `ref`.
 */
export function pairsIn(address: string): Pairs {
  const query = address
    .slice(address.search(/[?#]|$/))
    .replace(/[^?&#;]+/g, (part) => (/=/.test(part) ? part : queryValue(part)))
    .replace(/[?#;]/g, '&')
  return [...new URLSearchParams(query)].map(([name, value]) => [name.toLowerCase().replace(/^\?|\[]$/, ''), value])
}

/** Returns the values that an address has under a name. */
export const listValues = (pairs: Pairs, name: string) =>
  pairs.filter(([given]) => given === name).map(([, value]) => value)

/** Returns the click id in an address; empty without one. Other programs have a parameter with the click's name too, whose values are no ids of ours. */
export const clickIn = (pairs: Pairs) =>
  (
    listValues(pairs, CLICK)
      .map((value) => (ID.exec(value) || [])[1])
      .find((click) => click) || ''
  ).toLowerCase()

/** Returns a value, and the rest of one behind what a mail may have left of its equals sign, `=3D`. */
const readings = (value: string) => (/^3D./.test(value) ? [value, value.slice(2)] : [value])

/** Returns the referral codes, each once, and the click id in an address; undefined without either. */
export function readArrival(address: string, { names, plain }: Names): Arrival | undefined {
  const pairs = pairsIn(address)
  const read = names
    .flatMap((name, at) =>
      listValues(pairs, name)
        .flatMap(readings)
        .map((value) => codesIn(value, at >= plain)),
    )
    .filter((codes) => codes[0])
  const codes = [...new Set(read.slice(0, MOST_VALUES).flat())]
  const click = clickIn(pairs)
  return codes[0] || click ? { codes, click } : undefined
}

/**
 * Reads a value given where a click id or a code is expected: either of them, the script's cookie, or a whole link. Digits
 * alone are a code only if the field asks for a code (`asksCode`), as shops send numbers of their customers. `own`: the
 * account's public id and parameters.
 */
export function referralIn(given: string, own: Names & { publicId: string }, asksCode?: boolean): Arrival {
  const text = given.replace(/\p{DI}/gu, '').trim()
  const [, click] = ID.exec(text) || []
  if (click) return { codes: [], click: click.toLowerCase() }
  const entries = text.split('|').map((entry) => ENTRY.exec(entry))
  if (entries[0]) {
    const [, , code = '', kept = ''] =
      entries.filter((entry) => entry && (!entry[1] || entry[1] === own.publicId))[0] || []
    return { codes: codesIn(decoded(code), true), click: kept.toLowerCase() }
  }
  const arrival = readArrival(text, own)
  if (arrival?.click) return arrival
  if (text.startsWith(LANDING)) return arrival ?? { codes: [], click: '' }
  const [, segment] = SHORT_LINK.exec(text) || []
  if (segment) return { codes: codesInPath(segment), click: '' }
  if (arrival) return arrival
  const value = text.replace(NAMED_CODE, '')
  const isCode = (code: string) => asksCode || value !== text || !/^\d+$/.test(code)
  return { codes: anyCodesIn(value).filter(isCode), click: '' }
}

/** Returns the codes in a segment of an address's path. */
export const codesInPath = (segment: string) => anyCodesIn(decoded(segment))

function anyCodesIn(text: string) {
  const codes = codesIn(text, true)
  return codes.concat(codesIn(text).filter((code) => codes.indexOf(code) < 0))
}

/**
 * Returns an address as it may leave the page: origin and path, and as its query only code, click id, sub-ID and utm,
 * wherever they were.
 */
export function cleanAddress(address: string, names: readonly string[]): string {
  const url = new URL(address)
  const isKept = new RegExp(`^(click|sub|utm_.*|${names.join('|')})$`)
  const kept = `${new URLSearchParams(pairsIn(address).filter(([name]) => isKept.test(name)))}`
  return (url.origin + url.pathname + (kept && `?${kept}`)).slice(0, 2000)
}
