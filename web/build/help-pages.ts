import { marked, type Token, type Tokens } from 'marked'
import type { Plugin } from 'vite'

/** A piece of a line: plain text, or text that is strong, code or a link. */
export type Inline = string | { strong: Inline[] } | { code: string } | { href: string; text: Inline[] }

/** A part of a help page. */
export type Block =
  | { heading: string }
  | { paragraph: Inline[] }
  | { items: Inline[][]; ordered: boolean }
  | { code: string }
  | { head: Inline[][]; rows: Inline[][][] }

/**
 * Reads the Markdown help pages at build time: the browser gets their content as data, without a parser or markup.
 * Unsupported content fails the build.
 */
export function helpPages(): Plugin {
  return {
    name: 'help-pages',
    enforce: 'pre',
    transform(code, id) {
      const page = /\/web\/features\/help\/pages\/[\w-]+\.md(\?about)?$/.exec(id)
      if (!page) return undefined
      const blocks = blocksOf(code)
      const said = page[1] ? aboutOf(blocks) : blocks
      return { code: `export default ${JSON.stringify(said)}`, moduleType: 'js', map: null }
    },
  }
}

/** Returns a page's summary: its first paragraph without marks. */
export function aboutOf([first]: Block[]) {
  if (!first || !('paragraph' in first)) throw new Error('a help page begins with what it is about')
  return first.paragraph.map(plain).join('')
}

const plain = (piece: Inline): string => {
  if (typeof piece === 'string') return piece
  if ('code' in piece) return piece.code
  return ('strong' in piece ? piece.strong : piece.text).map(plain).join('')
}

export const blocksOf = (markdown: string): Block[] =>
  marked.lexer(markdown).flatMap((token): Block[] => {
    switch (token.type) {
      case 'space':
        return []
      case 'heading':
        return [{ heading: (token as Tokens.Heading).text }]
      case 'paragraph':
        return [{ paragraph: inlinesOf((token as Tokens.Paragraph).tokens) }]
      case 'code':
        return [{ code: (token as Tokens.Code).text }]
      case 'list': {
        const { items, ordered } = token as Tokens.List
        return [{ ordered, items: items.map((item) => inlinesOf(item.tokens)) }]
      }
      case 'table': {
        const { header, rows } = token as Tokens.Table
        const cells = (row: Tokens.TableCell[]) => row.map((cell) => inlinesOf(cell.tokens))
        return [{ head: cells(header), rows: rows.map(cells) }]
      }
      default:
        throw new Error(`a help page may not hold: ${token.raw.slice(0, 60)}`)
    }
  })

const inlinesOf = (tokens: Token[]): Inline[] =>
  tokens.flatMap((token): Inline[] => {
    switch (token.type) {
      case 'text':
      case 'paragraph':
        return 'tokens' in token && token.tokens ? inlinesOf(token.tokens) : [(token as Tokens.Text).text]
      case 'escape':
        return [(token as Tokens.Escape).text]
      case 'strong':
        return [{ strong: inlinesOf((token as Tokens.Strong).tokens) }]
      case 'codespan':
        return [{ code: (token as Tokens.Codespan).text }]
      case 'link': {
        const { href, tokens: text } = token as Tokens.Link
        return [{ href, text: inlinesOf(text) }]
      }
      default:
        throw new Error(`a help page may not hold: ${token.raw.slice(0, 60)}`)
    }
  })
