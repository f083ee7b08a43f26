import type { Utm } from '#contract/links.ts'

export type Previewed = {
  destinationUrl: string
  parameterName: string
  utm: Utm | Record<keyof Utm, string>
  /** Null for a blueprint that is not saved yet. */
  key: string | null
}

/** An address split around the code, which is highlighted. */
export type Marked = { before: string; code: string; after: string }

const tags = ['source', 'medium', 'campaign', 'term', 'content'] as const
const CLICK = 'click'

/**
 * Returns the addresses a partner with `code` gets: the plain link, this installation's short one, and where the short
 * one leads. Null if the destination is not a web address or the parameter has no name.
 */
export function buildAddresses(blueprint: Previewed, code: string, origin: string) {
  const url = URL.parse(blueprint.destinationUrl.trim())
  const parameterName = blueprint.parameterName.trim()
  if (!url || !/^https?:$/.test(url.protocol) || !parameterName) return null
  const base = url.origin + url.pathname
  const own = url.search.slice(1).split('&').filter(Boolean)
  const marked = `${parameterName}=${code}`
  const added = tags.flatMap((name) => {
    const value = blueprint.utm[name]?.trim()
    return value
      ? [`utm_${name}=${encodeURIComponent(value.toWellFormed()).replaceAll('%7BreferralCode%7D', code)}`]
      : []
  })
  const without = (...names: string[]) => own.filter((piece) => !names.includes(nameOf(piece)))
  const query = (pieces: string[]) => `?${pieces.map((piece) => `${piece}&`).join('')}`
  return {
    link: { before: base + query(without(parameterName)), code: marked, after: url.hash } satisfies Marked,
    short: `${origin}/r/${blueprint.key ?? '········'}/${code}`,
    leadsTo: {
      before: base + query([...without(parameterName, CLICK, ...added.map(nameOf)), ...added]),
      code: marked,
      after: `&${CLICK}=…${url.hash}`,
    } satisfies Marked,
  }
}

const nameOf = (piece: string) => piece.split('=')[0] as string
