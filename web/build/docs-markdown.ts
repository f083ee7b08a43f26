import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { Marked, type Token, type Tokens } from 'marked'

/**
 * A page of the docs: the changelog, or a Markdown file under `docs/`, named by its path without the extension; the
 * table of contents is `README`. The README of a folder lists the pages that the contents leave out.
 */
export type DocsPage = { name: string; title: string; tokens: Token[]; anchors: Set<string> }
export type Section = { heading: string; pages: { name: string; label: string }[] }
export type Docs = { root: string; pages: Map<string, DocsPage>; contents: Section[] }

export const CONTENTS = 'README'
/** Outside the folder of the pages, since it belongs to the repository too. */
const CHANGELOG = 'CHANGELOG'
/** Pages left out of the search because every query would match them. */
const NOT_SEARCHED = [CONTENTS, CHANGELOG]

/** A translation has its language at the end of its name, `partners.de`, and the headings of the page in English. */
const TRANSLATION = /^(.+)\.([a-z]{2}(?:-[A-Z]{2})?)$/
export const pageLanguage = (name: string) => TRANSLATION.exec(name)?.[2] ?? 'en'
/** Returns the name of the page in English. */
export const inEnglish = (name: string) => TRANSLATION.exec(name)?.[1] ?? name

/** Whether the search, which is in English, finds a page. */
export const isSearched = (name: string) => pageLanguage(name) === 'en' && !NOT_SEARCHED.includes(name)

/** Returns the address of a page; a folder's `README` has the folder's. */
export const toDocsAddress = (name: string) => `/docs/${name.toLowerCase()}`.replace(/\/readme$/, '')

const marked = new Marked()

/** Reads all pages below `root`, the changelog next to it, and their order from the lists of the contents. */
export function readDocs(root: string): Docs {
  const pages = new Map<string, DocsPage>()
  for (const file of readdirSync(root, { recursive: true, encoding: 'utf8' }).toSorted()) {
    if (!file.endsWith('.md')) continue
    const name = file.replaceAll('\\', '/').replace(/\.md$/, '')
    pages.set(name, pageOf(name, readFileSync(`${root}/${file}`, 'utf8')))
  }
  // links to a part of a page lead to it in every language
  for (const page of pages.values()) page.anchors = (pages.get(inEnglish(page.name)) ?? page).anchors
  const changelog = `${root}/../${CHANGELOG}.md`
  if (existsSync(changelog)) pages.set(CHANGELOG, pageOf(CHANGELOG, readFileSync(changelog, 'utf8')))
  return { root, pages, contents: contentsOf(CONTENTS, pages.get(CONTENTS)?.tokens ?? []) }
}

function pageOf(name: string, markdown: string): DocsPage {
  const tokens = marked.lexer(markdown)
  const headings = headingsOf(tokens)
  const anchors = new Set<string>()
  for (const { tokens: text } of headings) anchors.add(freeAnchor(toPlainText(text), anchors))
  return { name, title: toPlainText(headings[0]?.tokens ?? []), tokens, anchors }
}

const headingsOf = (tokens: readonly Token[]) =>
  tokens.filter((token): token is Tokens.Heading => token.type === 'heading')

/** Returns a heading's anchor as GitHub makes it, so that one link works in both places. */
export function freeAnchor(heading: string, taken: ReadonlySet<string>) {
  const anchor = heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-')
  for (let next = 0; ; next++) {
    const free = next === 0 ? anchor : `${anchor}-${next}`
    if (!taken.has(free)) return free
  }
}

/** Returns the text of a line without markup. */
export const toPlainText = (tokens: readonly Token[]): string =>
  tokens
    .map((token) => ('tokens' in token && token.tokens ? toPlainText(token.tokens) : 'text' in token ? token.text : ''))
    .join('')

/** Reads the sections of a page’s lists: a heading with the list below it, each line beginning with the link to a page. */
function contentsOf(from: string, tokens: readonly Token[]): Section[] {
  const sections: Section[] = []
  for (const token of tokens) {
    if (token.type === 'heading') sections.push({ heading: token.text, pages: [] })
    if (token.type === 'list')
      for (const { tokens: line } of (token as Tokens.List).items) {
        const link = linksIn(line)[0]
        const target = link && toTarget(from, link.href)
        if (target && 'page' in target)
          sections.at(-1)?.pages.push({ name: target.page, label: toPlainText(link.tokens) })
      }
  }
  return sections.filter(({ pages }) => pages.length > 0)
}

/** Returns every page in reading order: those of the contents, each README followed by the pages of its folder. */
export const listPagesInOrder = ({ contents, pages }: Docs) =>
  contents.flatMap((section) => section.pages).flatMap((listed) => [listed, ...listedOn(pages.get(listed.name))])

function listedOn(page: DocsPage | undefined) {
  if (!page?.name.endsWith(`/${CONTENTS}`)) return []
  const inFolder = ({ name }: { name: string }) => name !== page.name && folderOf(name) === folderOf(page.name)
  return contentsOf(page.name, page.tokens).flatMap(({ pages }) => pages.filter(inFolder))
}

/** The target of a page's link: another page, a file outside the pages, or another site. */
export type Target = { page: string; anchor: string | undefined } | { file: string } | { elsewhere: string }

export function toTarget(from: string, href: string): Target {
  if (/^[a-z]+:/.test(href)) return { elsewhere: href }
  const [path = '', anchor] = href.split('#', 2)
  if (path === '') return { page: from, anchor }
  const file = posix.relative('docs', posix.join(folderOf(from), path))
  if (file === `../${CHANGELOG}.md`) return { page: CHANGELOG, anchor }
  if (file.startsWith('../') || !file.endsWith('.md')) return { file }
  return { page: file.replace(/\.md$/, ''), anchor }
}

/** The folder of a page, relative to the repository. */
const folderOf = (name: string) => (name === CHANGELOG ? '.' : posix.join('docs', posix.dirname(name)))

type Walked = Token & { tokens?: Token[]; items?: Token[]; header?: Tokens.TableCell[]; rows?: Tokens.TableCell[][] }

/** Returns every token below these, at any depth. */
export const everyToken = (tokens: readonly Token[]): Token[] =>
  tokens.flatMap((token) => {
    const { tokens: inner = [], items = [], header = [], rows = [] } = token as Walked
    const cells = [...header, ...rows.flat()].flatMap((cell) => cell.tokens)
    return [token, ...everyToken([...inner, ...items, ...cells])]
  })

export const linksIn = (tokens: readonly Token[]) =>
  everyToken(tokens).filter((token): token is Tokens.Link => token.type === 'link')

export const picturesIn = (tokens: readonly Token[]) =>
  everyToken(tokens).filter((token): token is Tokens.Image => token.type === 'image')

/** Returns the problems of the docs, a sentence each: broken links, pages without a link to them, markup. */
export function findProblems(docs: Docs): string[] {
  const listed = listPagesInOrder(docs).map(({ name }) => name)
  const unlisted = [...docs.pages.keys()].filter((name) => name !== CONTENTS && !listed.includes(inEnglish(name)))
  const twice = listed.filter((name, at) => listed.indexOf(name) !== at)
  return [
    ...unlisted.map((name) => `docs/${CONTENTS}.md does not lead to ${name}.md`),
    ...twice.map((name) => `docs/${CONTENTS}.md leads to ${name}.md twice`),
    ...[...docs.pages.values()].flatMap((page) => problemsOn(docs, page)),
  ]
}

function problemsOn(docs: Docs, { name, title, tokens, anchors }: DocsPage): string[] {
  const english = inEnglish(name)
  const isLinked = linksIn(docs.pages.get(english)?.tokens ?? []).some(({ href }) => {
    const target = toTarget(english, href)
    return 'page' in target && target.page === name
  })
  const leadsNowhere = (href: string) => {
    const target = toTarget(name, href)
    if ('elsewhere' in target) return !/^(https?|mailto):/.test(target.elsewhere)
    if ('file' in target) return !existsSync(`${docs.root}/${target.file}`)
    const page = docs.pages.get(target.page)
    return !page || (target.anchor !== undefined && !page.anchors.has(target.anchor))
  }
  const pictures = picturesIn(tokens)
  return [
    ...(title ? [] : [`${name}.md has no title`]),
    ...(english === name || isLinked ? [] : [`${english}.md does not lead to ${name}.md`]),
    ...(headingsOf(tokens).length === anchors.size ? [] : [`${name}.md has other headings than ${english}.md`]),
    ...[...linksIn(tokens), ...pictures]
      .filter(({ href }) => leadsNowhere(href))
      .map(({ href }) => `${name}.md: ${href}`),
    ...pictures.filter(({ text }) => !text).map(({ href }) => `${name}.md does not say what ${href} shows`),
    ...everyToken(tokens)
      .filter(({ type }) => type === 'html')
      .map(({ raw }) => `${name}.md holds markup: ${raw.slice(0, 60)}`),
  ]
}
