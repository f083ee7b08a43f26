import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Marked, type Tokens } from 'marked'
import type { Plugin, Rolldown } from 'vite'
import packageJson from '../../package.json' with { type: 'json' }
import {
  CONTENTS,
  type Docs,
  type DocsPage,
  inEnglish,
  listPagesInOrder,
  pageLanguage,
  readDocs,
  toDocsAddress,
  toTarget,
} from './docs-markdown.ts'
import { listParts } from './docs-search.ts'

const root = fileURLToPath(new URL('../../docs', import.meta.url))
const searchScript = fileURLToPath(new URL('../docs/search.ts', import.meta.url))
const here = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')

/** The files of the build used by the pages. */
type Files = { stylesheet: string; icon: string; script: string; index: string; picture: (file: string) => string }

/**
 * Writes the Markdown docs as plain documents next to the application: `docs.html`, `docs/start.html` and so on, with a
 * style sheet of their own and one script, that of their search. A test finds their problems; the build does not fail
 * on them.
 */
export function docsPages(): Plugin {
  let script = ''
  return {
    name: 'docs-pages',
    apply: 'build',
    buildStart() {
      script = this.emitFile({ type: 'chunk', id: searchScript, name: 'docs-search' })
    },
    generateBundle(_, bundle) {
      const docs = readDocs(root)
      const files = { ...filesOf(this, bundle, docs), script: `/${this.getFileName(script)}` }
      const emit = (fileName: string, source: string) => this.emitFile({ type: 'asset', fileName, source })
      for (const page of docs.pages.values())
        emit(`${toDocsAddress(page.name).slice(1)}.html`, documentOf(docs, page, files))
      emit('docs/search.html', searchPageOf(docs, files))
      emit('docs/404.html', notFoundOf(docs, files))
    },
  }
}

function filesOf(build: Rolldown.PluginContext, bundle: Rolldown.OutputBundle, docs: Docs): Omit<Files, 'script'> {
  const emit = (name: string, source: string | Uint8Array) =>
    `/${build.getFileName(build.emitFile({ type: 'asset', name, source }))}`
  const built = (original: string) => {
    const found = Object.values(bundle).find(
      (file) => file.type === 'asset' && file.originalFileNames.some((name) => name.endsWith(original)),
    )
    if (!found) throw new Error(`${original} is not part of the build.`)
    return `/${found.fileName}`
  }
  const fonts = here('../ui/font.css').replace(/"\/(node_modules\/[^"]+)"/g, (_, font) => `"${built(font)}"`)
  const pictures = new Map<string, string>()
  return {
    stylesheet: emit('docs.css', [here('../ui/tokens.css'), fonts, here('docs.css')].join('\n')),
    icon: built('tributary-mark.svg'),
    index: emit('docs-index.json', JSON.stringify(listParts(docs))),
    picture(file) {
      const known = pictures.get(file) ?? emit(file.replaceAll('/', '-'), readFileSync(`${root}/${file}`))
      pictures.set(file, known)
      return known
    },
  }
}

function documentOf(docs: Docs, page: DocsPage, files: Files) {
  const order = [{ name: CONTENTS, label: 'Contents' }, ...listPagesInOrder(docs)]
  const at = order.findIndex(({ name }) => name === inEnglish(page.name))
  const step = (rel: 'prev' | 'next', to: { name: string; label: string } | undefined) =>
    to ? `<a rel="${rel}" href="${toDocsAddress(to.name)}"><span>${STEPS[rel]}</span> ${escaped(to.label)}</a>` : ''
  return frame(docs, files, {
    name: page.name,
    title: page.title,
    main:
      `<article${langOf(page.name)}>${articleOf(docs, page, files)}</article>` +
      `<nav class="steps" aria-label="Previous and next page">${step('prev', order[at - 1])}${step('next', order[at + 1])}</nav>`,
  })
}

/** Returns the `lang` of a part of a page's document, needed only around a translation, where the rest is English. */
const langOf = (name: string, language = pageLanguage(name)) =>
  pageLanguage(name) === 'en' ? '' : ` lang="${language}"`

const STEPS = { prev: 'Previous', next: 'Next' }

const notFoundOf = (docs: Docs, files: Files) =>
  frame(docs, files, {
    name: '404',
    title: 'Page not found',
    main:
      '<article><h1>Page not found</h1><p>There is no page at this address in the docs of this version. ' +
      'It may have moved: look for it in the <a href="/docs">contents</a>.</p></article>',
  })

const SEARCH = 'search'

/** The place of the results; the script fills it. */
const FOUND = '<div class="found" tabindex="-1"><p role="status"></p><ol></ol></div>'

/** The results as a page with its own address. */
const searchPageOf = (docs: Docs, files: Files) =>
  frame(docs, files, {
    name: SEARCH,
    title: 'Search the docs',
    main:
      '<article><h1>Search the docs</h1><noscript><p>The search needs JavaScript. Without it, look in the ' +
      `<a href="/docs">contents</a>.</p></noscript>${FOUND}</article>`,
  })

/** Without scripts there is no field (docs.css). */
const searchFieldOf = (name: string, index: string) =>
  `<form role="search" action="/docs/${SEARCH}" data-index="${index}">` +
  '<input type="search" name="q" aria-label="Search the docs" placeholder="Search the docs" autocomplete="off" ' +
  'spellcheck="false" aria-keyshortcuts="/" /><kbd aria-hidden="true">/</kbd>' +
  `${name === SEARCH ? '' : FOUND}</form>`

function frame(
  docs: Docs,
  { stylesheet, icon, script, index }: Files,
  { name, title, main }: Record<'name' | 'title' | 'main', string>,
) {
  const heading = name === CONTENTS ? title : `${title} · Tributary docs`
  return `<!doctype html>
<html lang="${pageLanguage(name)}">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>${escaped(heading)}</title>
    <link rel="icon" type="image/svg+xml" href="${icon}" />
    <link rel="stylesheet" href="${stylesheet}" />
    <script type="module" src="${script}"></script>
  </head>
  <body${langOf(name, 'en')}>
    <a class="skip" href="#text">Skip to the text</a>
    <header>
      <a class="mark" href="/docs"><img src="${icon}" alt="" width="24" height="24" /> Tributary docs</a>
      <span>${packageJson.version}</span>
      ${searchFieldOf(name, index)}
      <nav aria-label="Elsewhere">
        <a class="narrow" href="#contents">Contents</a>
        <a href="/api/docs">API reference</a>
        <a href="/">Open Tributary</a>
      </nav>
    </header>
    <main id="text">${main}</main>
    <nav id="contents" aria-label="Contents">${contentsOf(docs, name)}</nav>
  </body>
</html>
`
}

function contentsOf({ contents }: Docs, here: string) {
  const link = ({ name, label }: { name: string; label: string }) =>
    `<li><a href="${toDocsAddress(name)}"${name === here ? ' aria-current="page"' : ''}>${escaped(label)}</a></li>`
  return contents
    .map(({ heading, pages }) => `<h2>${escaped(heading)}</h2><ul>${pages.map(link).join('')}</ul>`)
    .join('')
}

function articleOf(docs: Docs, page: DocsPage, files: Files) {
  const anchors = page.anchors.values()
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth }) {
        const anchor = anchors.next().value!
        const text = this.parser.parseInline(tokens)
        if (depth === 1) return `<h1 id="${anchor}">${text}</h1>`
        return `<h${depth} id="${anchor}">${text} <a class="anchor" href="#${anchor}"${langOf(page.name, 'en')} aria-label="Link to this part">#</a></h${depth}>`
      },
      link({ href, tokens }) {
        const text = this.parser.parseInline(tokens)
        const address = addressBehind(docs, page, href)
        return address ? `<a href="${escaped(address)}">${text}</a>` : text
      },
      image: ({ href, text }) => pictureOf(page, href, text, files),
      code: ({ text }) => `<pre tabindex="0"><code>${escaped(text)}</code></pre>`,
      html: ({ raw }) => escaped(raw),
      table(token) {
        return `<div class="table" tabindex="0">${tableOf(token, (cell) => this.parser.parseInline(cell.tokens))}</div>`
      },
    },
  })
  return marked.parser(page.tokens)
}

/** Returns the browser's address for a link; null for files of the repository that are not pages. */
function addressBehind(docs: Docs, { name }: DocsPage, href: string) {
  const target = toTarget(name, href)
  if ('elsewhere' in target) return target.elsewhere
  if ('file' in target || !docs.pages.has(target.page)) return null
  return toDocsAddress(target.page) + (target.anchor === undefined ? '' : `#${target.anchor}`)
}

/** Includes the picture's size, so that the text below does not jump when it loads. */
function pictureOf(page: DocsPage, href: string, text: string, { picture }: Files) {
  const target = toTarget(page.name, href)
  if (!('file' in target) || !existsSync(`${root}/${target.file}`)) return escaped(text)
  const head = readFileSync(`${root}/${target.file}`)
  const [width, height] = [head.readUInt32BE(16), head.readUInt32BE(20)]
  return `<img src="${picture(target.file)}" alt="${escaped(text)}" width="${width}" height="${height}" loading="lazy" />`
}

function tableOf({ header, rows }: Tokens.Table, inline: (cell: Tokens.TableCell) => string) {
  const row = (cells: Tokens.TableCell[], tag: string) =>
    `<tr>${cells.map((cell) => `<${tag}>${inline(cell)}</${tag.split(' ')[0]}>`).join('')}</tr>`
  const body = rows.map((cells) => row(cells, 'td')).join('')
  return `<table><thead>${row(header, 'th scope="col"')}</thead><tbody>${body}</tbody></table>`
}

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escaped = (text: string) => text.replace(/[&<>"]/g, (letter) => ESCAPES[letter]!)
