import type { Utm } from '#contract/links.ts'
import { SUB_ID } from './sub-id.ts'

/** The destination of a blueprint's links. `query` is the visitor's own, raw, without its `?`. */
export type Destination = {
  /** The address without credit to a partner. */
  bare(query: string): string
  /** With the code, and with the click if one was counted, otherwise with the sub-ID. */
  withCode(code: string, click: { id: string | null; subId: string | null }, query: string): string
}

type Template = {
  destinationUrl: string
  domain: string
  parameterName: string
  utm: Partial<Utm>
  passthroughQuery: boolean
}

const CLICK = 'click'
const UTM = ['source', 'medium', 'campaign', 'term', 'content'] as const

/**
 * Builds the addresses for a blueprint's visitors. Of several values for a parameter the strongest remains: code and
 * click, then utm, then the destination's own query, unchanged byte by byte, then the visitor's.
 * Undefined if the destination is not on the blueprint's domain, or if a parameter is one that no form accepts: such a
 * link is never followed.
 */
export function visitorAddresses({
  destinationUrl,
  domain,
  parameterName,
  utm,
  passthroughQuery,
}: Template): Destination | undefined {
  const url = URL.parse(destinationUrl)
  if (!url || !/^https?:$/.test(url.protocol) || url.hostname !== domain) return undefined
  const base = url.origin + url.pathname
  const own = pieces(url.search.slice(1))
  const added = UTM.flatMap((name): [string, string][] => (utm?.[name] ? [[name, utm[name]]] : []))
  const isSendable = parameterName !== '' && PLAIN.test(parameterName)
  if (!isSendable || added.some(([, value]) => typeof value !== 'string')) return undefined
  const reserved = new Set([nameOf(parameterName)!, CLICK])
  const ours = new Set([...reserved, ...added.map(([name]) => `utm_${name}`)])
  const ownBesides = own.filter((piece) => !ours.has(nameOf(piece) ?? ''))
  const ownNames = own.map(nameOf).filter((name) => name !== undefined)
  const closedToVisitor = new Set([...ownNames, ...reserved])
  const closedWithCode = new Set([...ownNames, ...ours])
  const passed = (query: string, closed: Set<string>) => (passthroughQuery && query ? passOn(query, closed) : [])
  const address = (parts: string[]) => base + (parts.length > 0 ? `?${parts.join('&')}` : '') + url.hash
  const start = `${base}?${ownBesides.map((piece) => `${piece}&`).join('')}`
  const utmTemplate = added.map(([name, value]) => `utm_${name}=${encodeURIComponent(value)}&`).join('')

  return {
    bare: (query) => address([...own, ...passed(query, closedToVisitor)]),
    withCode(code, { id, subId }, query) {
      let location = `${start}${utmTemplate.replaceAll('%7BreferralCode%7D', code)}${parameterName}=${code}`
      if (id) location += `&${CLICK}=${id}`
      const rest = passed(query, closedWithCode)
      for (const piece of rest) location += `&${piece}`
      if (!id && subId && !rest.some((piece) => nameOf(piece) === SUB_ID))
        location += `&${SUB_ID}=${encodeURIComponent(subId)}`
      return location + url.hash
    },
  }
}

/** `{destinationUrl}?{parameterName}={code}`, with the sub-ID if there is one: the link that works without a redirect. */
export function directLink(
  destinationUrl: string,
  parameterName: string,
  code: string,
  subId: string | null = null,
): string {
  const url = new URL(destinationUrl)
  const own = pieces(url.search.slice(1)).filter((piece) => nameOf(piece) !== nameOf(parameterName))
  const isFree = nameOf(parameterName) !== SUB_ID
  const subIds = subId && isFree ? [`${SUB_ID}=${encodeURIComponent(subId)}`] : []
  return `${url.origin}${url.pathname}?${[...own, `${parameterName}=${code}`, ...subIds].join('&')}${url.hash}`
}

/** Returns the address of a page without the parameters that we set on visits. */
export function withoutOurs(page: string, parameterName: string): string {
  const url = new URL(page)
  const ours = new Set([nameOf(parameterName), CLICK, SUB_ID])
  const rest = pieces(url.search.slice(1)).filter((piece) => !ours.has(nameOf(piece)))
  return `${url.origin}${url.pathname}${rest.length > 0 ? `?${rest.join('&')}` : ''}${url.hash}`
}

const pieces = (query: string) => query.split('&').filter((piece) => piece !== '')

/** Passes on the visitor's parameters except closed names, escaped for a header. */
const passOn = (query: string, closed: Set<string>) =>
  pieces(query).flatMap((piece) => {
    const name = nameOf(piece)
    return name && !closed.has(name) ? [escaped(piece)] : []
  })

/**
 * The name under which servers would read a parameter: some fold case, `ref[]`, `ref.x` and ` ref`, or end it at a NUL.
 * Undefined if it cannot be decoded.
 */
function nameOf(piece: string): string | undefined {
  const end = piece.indexOf('=')
  const raw = end < 0 ? piece : piece.slice(0, end)
  if (PLAIN.test(raw)) return raw.toLowerCase()
  try {
    const [decoded = ''] = decodeURIComponent(raw.replaceAll('+', ' ')).split(/[\0[]/)
    return decoded.trim().toLowerCase().replace(/[. ]/g, '_')
  } catch {
    return undefined
  }
}
const PLAIN = /^[A-Za-z0-9_-]*$/

/** `;` separates parameters for some servers, and a header may contain only visible ASCII. */
const escaped = (piece: string) =>
  SAFE.test(piece)
    ? piece
    : piece.replace(/[^A-Za-z0-9\-._~%!$'()*+,:@/?=]/gu, (character) => {
        const bytes = Buffer.from(character, character > '\u00ff' ? 'utf8' : 'latin1')
        return bytes.reduce((text, byte) => `${text}%${byte.toString(16).toUpperCase().padStart(2, '0')}`, '')
      })
const SAFE = /^[A-Za-z0-9\-._~%!$'()*+,:@/?=]*$/
