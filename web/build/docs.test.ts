import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Rolldown } from 'vite'
import { webhookEvents } from '#contract/outgoing-webhooks.ts'
import { findProblems, freeAnchor, isSearched, listPagesInOrder, readDocs, toDocsAddress } from './docs-markdown.ts'
import { listParts } from './docs-search.ts'
import { buildWeb, compressedSize } from './first-screen.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const docs = readDocs(join(root, 'docs'))

const KB = 1024
const drafts = await mkdtemp(join(tmpdir(), 'docs-'))
after(() => rm(drafts, { recursive: true }))
let assets: Rolldown.OutputAsset[]
let chunks: Rolldown.OutputChunk[]
before(async () => {
  ;({ assets, chunks } = await buildWeb(root))
})

async function docsOf(files: Record<string, string>) {
  const folder = await mkdtemp(join(drafts, 'draft-'))
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), text)
  }
  return readDocs(folder)
}

const document = (name: string) =>
  String(assets.find(({ fileName }) => fileName === `${toDocsAddress(name).slice(1)}.html`)?.source)

test('every page of the docs is listed once, and every link, anchor and picture resolves', () => {
  assert.ok(docs.pages.size > 40)
  assert.deepEqual(findProblems(docs), [])
})

test('errors in the docs are reported', async () => {
  const wrong = await docsOf({
    'README.md': '# Docs\n\n## Begin\n\n- [One](one.md)\n- [One again](one.md)\n- [Gone](gone.md)\n',
    'one.md':
      '# One\n\n[a](two.md#there) [b](two.md#not) [c](#one) [d](#no) [e](no.ts) ![](no.png)\n\n| a |\n|-|\n| [f](x.md) |\n',
    'two.md': '## There\n\n[g](javascript:alert) <b>h</b>\n',
  })
  assert.deepEqual(findProblems(wrong), [
    'docs/README.md does not lead to two.md',
    'docs/README.md leads to one.md twice',
    'README.md: gone.md',
    'one.md: two.md#not',
    'one.md: #no',
    'one.md: no.ts',
    'one.md: x.md',
    'one.md: no.png',
    'one.md does not say what no.png shows',
    'two.md: javascript:alert',
    'two.md holds markup: <b>',
    'two.md holds markup: </b>',
  ])
})

test('the README of a folder lists the pages that follow it', async () => {
  const nested = await docsOf({
    'README.md': '# Docs\n\n- [Why](why/README.md)\n- [Last](last.md)\n',
    'why/README.md': '# Why\n\n- [One](one.md)\n- [Elsewhere](https://elsewhere.example)\n',
    'why/one.md': '# One\n',
    'why/two.md': '# Two\n',
    'last.md': '# Last\n',
  })
  assert.deepEqual(
    listPagesInOrder(nested).map(({ name }) => toDocsAddress(name)),
    ['/docs/why', '/docs/why/one', '/docs/last'],
  )
  assert.deepEqual(findProblems(nested), ['docs/README.md does not lead to why/two.md'])
})

test('a translation belongs to its page: linked there, with its headings and anchors, and not in the search', async () => {
  const translated = await docsOf({
    'README.md': '# Docs\n\n- [One](one.md)\n',
    'one.md': '# One\n\n[Deutsch](one.de.md)\n\n## Two\n',
    'one.de.md': '# Eins\n\n[English](one.md)\n\n## Zwei\n',
    'one.pt-BR.md': '# Um\n',
  })
  assert.deepEqual(findProblems(translated), [
    'one.md does not lead to one.pt-BR.md',
    'one.pt-BR.md has other headings than one.md',
  ])
  assert.deepEqual([...translated.pages.get('one.de')!.anchors], ['one', 'two'])
  assert.deepEqual(
    listParts(translated).map(({ heading }) => heading),
    ['One', 'Two'],
  )
})

test('a translation’s document has its language, and English around it', () => {
  const german = document('partners.de')
  assert.match(german, /<html lang="de">/)
  assert.match(german, /<body lang="en">/)
  assert.match(german, /<article lang="de"><h1 id="for-partners">/)
  assert.match(german, /<h2 id="getting-paid">/)
  assert.match(document('partners.pt-BR'), /<html lang="pt-BR">/)
  const steps = (page: string) => /<nav class="steps".*?<\/nav>/.exec(page)![0]
  assert.equal(steps(german), steps(document('partners')))
  for (const tag of ['<html lang="en">', '<body>', '<article>']) assert.ok(document('partners').includes(tag), tag)
})

test('a heading has the anchor that GitHub gives it', () => {
  assert.equal(freeAnchor('The `move()` of 3–4 states, by-hand', new Set()), 'the-move-of-34-states-by-hand')
  assert.equal(freeAnchor('Again', new Set(['again', 'again-1'])), 'again-2')
})

test('every page becomes a document with one external script, all pages around it, and a previous and next one', () => {
  const order = listPagesInOrder(docs)
  for (const { name } of docs.pages.values()) {
    const page = document(name)
    assert.match(page, /<h1 id="[^"]+">/, name)
    assert.deepEqual(page.match(/<script[^>]*>/g)?.length, 1, name)
    assert.match(page, /<script type="module" src="\/assets\/docs-search-[\w-]+\.js"><\/script>/, name)
    assert.doesNotMatch(page, /<style|\sstyle="|\son\w+="/, name)
    for (const other of docs.contents.flatMap(({ pages }) => pages))
      assert.ok(page.includes(`<li><a href="${toDocsAddress(other.name)}"`), `${name}: ${other.name}`)
  }
  assert.match(document(order[0]!.name), /rel="prev" href="\/docs"/)
  assert.match(document(order[1]!.name), new RegExp(`rel="prev" href="${toDocsAddress(order[0]!.name)}"`))
  assert.match(document(order.at(-2)!.name), new RegExp(`rel="next" href="${toDocsAddress(order.at(-1)!.name)}"`))
  assert.doesNotMatch(document(order.at(-1)!.name), /rel="next"/)
})

test('every file a document requests is in the build, and links lead to documents', () => {
  const built = new Set([...assets, ...chunks].map(({ fileName }) => `/${fileName}`))
  const outside = ['/', '/api/docs']
  for (const name of [...docs.pages.keys(), 'search', '404']) {
    const page = document(name)
    const addresses = [...page.matchAll(/(?:href|src|action|data-index)="(\/[^"#]*)/g)].map(([, address]) => address!)
    const unknown = addresses.filter((one) => !built.has(one) && !built.has(`${one}.html`) && !outside.includes(one))
    assert.deepEqual(unknown, [], name)
  }
})

test('text is shown literally, even if it looks like markup', () => {
  assert.match(document('integrations/embed-script'), /&lt;script async src=&quot;/)
  assert.match(document('integrations/wise'), /href="\/docs\/backups#after-an-older-copy-was-put-back"/)
  assert.match(
    document('start'),
    /<img src="\/assets\/screens-get-started-[\w-]+\.png" alt="[^"]+" width="\d+" height="\d+"/,
  )
})

test('the changelog is a page whose links resolve to the pages they name', () => {
  const changelog = document('CHANGELOG')
  assert.match(document('README'), /<a href="\/docs\/changelog">Changelog<\/a>/)
  assert.match(changelog, /<h2 id="[\d-]+">\d+\.\d+\.\d+ – /)
  assert.match(changelog, /href="\/docs\/database[#/]/)
})

test('the docs name every event that webhooks send', () => {
  for (const event of webhookEvents)
    assert.ok(document('integrations/outgoing-webhooks').includes(`<td><code>${event}</code></td>`), event)
})

test('without a script the results page says where to look', () => {
  assert.match(document('search'), /<noscript><p>The search needs JavaScript[^<]+<a href="\/docs">contents<\/a>/)
})

test('the search indexes every heading of every English page but contents and changelog, once, and links to it', () => {
  const parts = listParts(docs)
  const pages = [...docs.pages.values()].filter(({ name }) => isSearched(name))
  const anchors = pages.flatMap(({ name, anchors }) =>
    [...anchors].map((anchor, at) => toDocsAddress(name) + (at > 0 ? `#${anchor}` : '')),
  )
  assert.deepEqual(
    parts.map(({ address }) => address),
    anchors,
  )
})

test('the text of paragraphs, lists, tables and code in a section is indexed, without markup', async () => {
  const written = await docsOf({
    'README.md': '# Docs\n\n- [One](one.md)\n',
    'one.md':
      '# One `page`\n\nA **strong** [word](one.md).\n\n## Two\n\n- a\n- b\n  - c\n\n| d | e |\n|-|-|\n| f | `g` |\n\n```sh\nh\ni\n```\n\n> j\n\n## Two\n',
  })
  assert.deepEqual(listParts(written), [
    { address: '/docs/one', page: 'One page', heading: 'One page', text: 'A strong word.' },
    { address: '/docs/one#two', page: 'One page', heading: 'Two', text: 'a b c d · e f · g h i j' },
    { address: '/docs/one#two-1', page: 'One page', heading: 'Two', text: '' },
  ])
})

test('a page of the docs and its search stay small', () => {
  const travels = (pattern: RegExp) =>
    assets.filter(({ fileName }) => pattern.test(fileName)).reduce((sum, { source }) => sum + compressedSize(source), 0)
  const script = compressedSize(chunks.find(({ name }) => name === 'docs-search')!.code)
  assert.ok(script < 10 * KB, `${script} bytes of script`)
  const index = travels(/docs-index.*\.json$/)
  assert.ok(index < 160 * KB, `${index} bytes to search in`)
})

test('the style sheet of the docs is small and names fonts from the build', () => {
  const [, stylesheet] = /<link rel="stylesheet" href="\/(assets\/docs-[^"]+)"/.exec(document('start'))!
  const css = String(assets.find(({ fileName }) => fileName === stylesheet)?.source)
  assert.ok(css.length < 14 * KB, `${css.length} bytes`)
  const fonts = [...css.matchAll(/url\("\/([^"]+)"\)/g)].map(([, font]) => font!)
  assert.ok(fonts.length > 0)
  for (const font of fonts)
    assert.ok(
      assets.some(({ fileName }) => fileName === font),
      font,
    )
})
