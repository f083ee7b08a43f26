import MiniSearch from 'minisearch'

/** A heading with the text up to the next heading; the first part of a page has the page's name. */
export type Part = { address: string; page: string; heading: string; text: string }

/** A found part, with a line of its text in pieces: `hit` marks the searched words. */
export type FoundPart = Omit<Part, 'text'> & { line: Piece[] }
export type Piece = { text: string; hit: boolean }

/** Stop words of a question. */
const IDLE = new Set('a an and are can do does for how i in is it my of on or the to what where with'.split(' '))

const tokensOf = (text: string) => text.split(/[^\p{L}\p{N}\p{S}_]+/u).filter(Boolean)

/** A name such as APP_URL is found as a whole and by its parts. */
const indexed = (text: string) =>
  tokensOf(text).flatMap((token) => [token, ...(/._./.test(token) ? token.split('_') : [])])

/** Finds parts that have all typed words, as prefixes or misspelled; if no part has all of them, parts that have any. */
export function createFinder(parts: readonly Part[]) {
  const index = new MiniSearch<Part>({
    idField: 'address',
    fields: ['page', 'heading', 'text'],
    tokenize: indexed,
    searchOptions: {
      tokenize: tokensOf,
      prefix: (word) => word.length > 1,
      fuzzy: (word) => (word.length > 4 ? 0.2 : false),
      boost: { page: 3, heading: 4 },
      boostDocument: (address) => (/^\/docs\/decisions\//.test(address) ? 0.3 : 1),
    },
  })
  index.addAll(parts)
  const byAddress = new Map(parts.map((part) => [part.address, part]))

  return (typed: string): FoundPart[] => {
    const words = typed.split(/\s+/)
    const meant = words.filter((word) => !IDLE.has(word.toLowerCase())).join(' ') || typed
    const every = index.search(meant, { combineWith: 'AND' })
    return (every.length > 0 ? every : index.search(meant)).map(({ id, terms }) => {
      const { text, ...part } = byAddress.get(id)!
      return { ...part, line: toLine(text, terms) }
    })
  }
}

const LENGTH = 150
const BEFORE = 40

/** Returns the text around the first match, or its beginning if no word is in the text. */
export function toLine(text: string, words: readonly string[]): Piece[] {
  const longestFirst = words.toSorted((a, b) => b.length - a.length).map(literally)
  const meant = new RegExp(`(?<![\\p{L}\\p{N}])(${longestFirst.join('|')})`, 'iu')
  const at = text.search(meant)
  const from = at > BEFORE ? text.lastIndexOf(' ', at - BEFORE) + 1 : 0
  const to = text.length > from + LENGTH ? text.lastIndexOf(' ', from + LENGTH) : text.length
  const shown = `${from > 0 ? '… ' : ''}${text.slice(from, to)}${to < text.length ? ' …' : ''}`
  return shown
    .split(meant)
    .map((piece, index) => ({ text: piece, hit: index % 2 === 1 }))
    .filter((piece) => piece.text !== '')
}

const literally = (word: string) => word.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
