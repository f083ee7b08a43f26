import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { readDocs } from '../../build/docs-markdown.ts'
import { aboutOf, type Block, blocksOf, type Inline } from '../../build/help-pages.ts'
import { pages, pagesFor } from '../../shell/help-pages.ts'
import { helpWords, howItWorksWords } from '../../words/en-help.ts'

const here = (path: string) => new URL(path, import.meta.url)
const textOf = async (page: string) => blocksOf(await readFile(here(`pages/${page}.md`), 'utf8'))

const inlinesIn = (block: Block): Inline[] => {
  if ('paragraph' in block) return block.paragraph
  if ('items' in block) return block.items.flat()
  return 'rows' in block ? [...block.head, ...block.rows.flat()].flat() : []
}
const linksIn = (pieces: Inline[]): string[] =>
  pieces.flatMap((piece) => {
    if (typeof piece === 'string' || 'code' in piece) return []
    return 'href' in piece ? [piece.href, ...linksIn(piece.text)] : linksIn(piece.strong)
  })

test('each page has a title and a text, and every text is a page', async () => {
  const names = pages.map(({ page }) => page).toSorted()
  assert.deepEqual(Object.keys(helpWords.titles).toSorted(), names)
  const files = (await readdir(here('pages'))).map((file) => file.replace(/\.md$/, '')).toSorted()
  assert.deepEqual(files, names)
  for (const page of names) {
    const text = await textOf(page)
    assert.ok(text.length > 3, page)
    assert.match(aboutOf(text), /^[A-Z].{20,160}\.$/, page)
  }
})

test('every role has pages of its own', () => {
  for (const role of ['account-owner', 'partner', 'admin'] as const) assert.ok(pagesFor(role).length >= 2, role)
  assert.deepEqual(pagesFor(undefined), [])
  assert.ok(!pagesFor('partner').some(({ page }) => page === 'payouts'))
})

test('what a page links to is a screen, or a page of the docs', async () => {
  const router = await readFile(here('../../routes/router.tsx'), 'utf8')
  const docs = readDocs(fileURLToPath(here('../../../docs')))
  const found: string[] = []
  for (const { page } of pages) found.push(...(await textOf(page)).flatMap((block) => linksIn(inlinesIn(block))))
  assert.ok(found.length > 10)
  for (const href of found) {
    const path = href.split('?', 1)[0]!
    if (path.startsWith('/docs/')) assert.ok(docs.pages.has(path.slice('/docs/'.length)), href)
    else assert.ok(path === '/api/docs' || router.includes(`'${path}'`), href)
  }
})

test('Markdown becomes data, and what the screen cannot show stops the build', () => {
  assert.deepEqual(blocksOf('## One\n\nA **b `c`** & [d](/links).\n\n1. e\n2. f\n\n```\n<g>\n```\n'), [
    { heading: 'One' },
    { paragraph: ['A ', { strong: ['b ', { code: 'c' }] }, ' & ', { href: '/links', text: ['d'] }, '.'] },
    { ordered: true, items: [['e'], ['f']] },
    { code: '<g>' },
  ])
  assert.deepEqual(blocksOf('| a | b |\n| --- | --- |\n| c | d |'), [{ head: [['a'], ['b']], rows: [[['c'], ['d']]] }])
  for (const refused of ['<b>x</b>', 'a <script>b</script>', '![x](/y.png)', '> quoted', '- a\n  - b'])
    assert.throws(() => blocksOf(refused), /may not hold/, refused)
})

test('the check of a signature takes what webhooks are signed with, and nothing else', async () => {
  const sample = (await textOf('outgoing-webhooks')).find((block) => 'code' in block) as { code: string }
  const docs = await readFile(here('../../../docs/integrations/outgoing-webhooks.md'), 'utf8')
  assert.ok(docs.includes(sample.code), 'the docs show another')
  const { isGenuine } = await import(`data:text/javascript,${encodeURIComponent(sample.code)}`)
  const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
  const now = Math.floor(Date.now() / 1000)
  const sign = (at: number, body: string) => ({
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(at),
    'webhook-signature': `v1,AAAA v1,${createHmac('sha256', Buffer.alloc(32, 7)).update(`msg_1.${at}.${body}`).digest('base64')}`,
  })
  assert.equal(isGenuine(sign(now, '{}'), '{}', secret), true)
  assert.equal(isGenuine(sign(now, '{}'), '{ }', secret), false)
  assert.equal(isGenuine(sign(now - 301, '{}'), '{}', secret), false)
})

test('how a screen works is said in two sentences', () => {
  for (const [of, text] of Object.entries(howItWorksWords)) {
    if (of === 'heading') continue
    assert.equal(text.match(/\.(\s|$)/g)?.length, 2, of)
  }
})
