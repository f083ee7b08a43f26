import type { Token, Tokens } from 'marked'
import type { Part } from '../docs/find.ts'
import { type Docs, type DocsPage, freeAnchor, isSearched, toDocsAddress, toPlainText } from './docs-markdown.ts'

/** Returns the searchable parts: every part of every page except those that every query would match, and translations. */
export const listParts = ({ pages }: Docs): Part[] =>
  [...pages.values()].filter(({ name }) => isSearched(name)).flatMap(partsOfPage)

function partsOfPage({ name, title, tokens }: DocsPage): Part[] {
  const taken = new Set<string>()
  const parts: Part[] = []
  for (const token of tokens) {
    if (token.type === 'heading') {
      const heading = toPlainText((token as Tokens.Heading).tokens)
      const anchor = freeAnchor(heading, taken)
      taken.add(anchor)
      const address = toDocsAddress(name) + (parts.length > 0 ? `#${anchor}` : '')
      parts.push({ address, page: title, heading, text: '' })
    } else {
      const part = parts.at(-1)
      if (part) part.text = `${part.text} ${wordsOf([token])}`.trim()
    }
  }
  return parts
}

/** Returns the text of paragraphs, lists, tables and code in one line. */
const wordsOf = (tokens: readonly Token[]): string =>
  tokens
    .map((token) => {
      if (token.type === 'list') return (token as Tokens.List).items.map((item) => wordsOf(item.tokens)).join(' ')
      if (token.type === 'blockquote') return wordsOf((token as Tokens.Blockquote).tokens)
      if (token.type !== 'table') return toPlainText([token])
      const { header, rows } = token as Tokens.Table
      return [header, ...rows].map((cells) => cells.map((cell) => toPlainText(cell.tokens)).join(' · ')).join(' ')
    })
    .join(' ')
    .replace(/\s+/g, ' ')
    .trim()
