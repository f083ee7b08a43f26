import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { parseSync } from 'vite'
import { refusals } from '#contract/refusals.ts'
import { queues } from '../../server/queues.ts'
import { filesOfWords, textsIn } from '../../test/support/words-syntax.ts'
import { basicWords } from './basic.ts'
import { howItWorksWords } from './how-it-works.ts'
import { publicPageWords } from './public-pages.ts'
import { systemWords } from './system.ts'

// Every word on a screen comes from the catalogue: the components are read for words of their own.

const web = fileURLToPath(new URL('../', import.meta.url))

test('if the catalogue does not load, the page has the same words', async () => {
  const start = await readFile(join(web, 'public', 'start.js'), 'utf8')
  const { states, actions, title } = basicWords
  for (const word of [states.failed, actions.tryAgain, title({ heading: states.failed })])
    assert.ok(start.includes(`'${word}'`), word)
})

test('every queue has its name on the System page', () => {
  assert.deepEqual(Object.keys(systemWords.queueNames).toSorted(), queues.map(({ name }) => name).toSorted())
})

/** Attributes and properties whose text is seen or read out. */
const shownIn =
  /^(aria-(label|description|valuetext|roledescription|placeholder)|title|alt|placeholder|label|heading|hint|help|text|summary|legend|confirm|submit|name|resource|plural|head|children)$/
/** Props that may also contain technical names: only values that read like words count. */
const alsoTechnical = /^(name|text|label|title|summary|children|head|help)$/

type Node = { type: string; start: number; [key: string]: unknown }

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value

/** Names that are the same in every language. */
const names = ['Samsung Internet']

/** Words: at least two letters in a row, whatever the alphabet. */
const hasWords = (text: string) => /\p{L}{2}/u.test(text)
/** A sentence or a heading: a capital first, or several words. */
const readsLikeWords = (text: string) => /^\p{Lu}\p{Ll}/u.test(text) || (/\s/.test(text.trim()) && hasWords(text))

/** The texts a file would show that are not from the catalogue. */
export function ownWords(file: string, source: string): string[] {
  const found: string[] = []
  const { program, errors } = parseSync(file, source)
  assert.deepEqual(errors, [], file)
  read(program as unknown as Node, null)
  return found

  function read(node: Node, shown: 'yes' | 'perhaps' | null): void {
    switch (node.type) {
      case 'ImportDeclaration':
      case 'ThrowStatement':
      case 'TSLiteralType':
        return
      case 'JSXText':
        if (hasWords(String(node.value))) found.push(String(node.value).trim())
        return
      case 'JSXAttribute':
        readNamed(nameOf(node.name), node.value)
        return
      case 'Property':
        readNamed(nameOf(node.key), node.value)
        return
      case 'JSXElement':
        readAll(node.openingElement, null)
        readAll(node.children, 'yes')
        return
      case 'JSXFragment':
        readAll(node.children, 'yes')
        return
      case 'NewExpression':
        if (!nameOf(node.callee).endsWith('Error')) readAll(node.arguments, null)
        return
      case 'Literal':
        if (typeof node.value === 'string' && isOwn(node.value, shown)) found.push(node.value)
        return
      case 'TemplateLiteral':
        for (const { value } of node.quasis as { value: { cooked: string } }[]) {
          if (shown && isOwn(value.cooked, shown)) found.push(value.cooked.trim())
        }
        readAll(node.expressions, null)
        return
      case 'ConditionalExpression':
        readAll(node.test, null)
        readAll(node.consequent, shown)
        readAll(node.alternate, shown)
        return
      case 'LogicalExpression':
        readAll(node.left, node.operator === '&&' ? null : shown)
        readAll(node.right, shown)
        return
      case 'JSXExpressionContainer':
      case 'ParenthesizedExpression':
      case 'TSAsExpression':
        readAll(node.expression, shown)
        return
      default:
        for (const [key, value] of Object.entries(node)) if (key !== 'type') readAll(value, null)
    }
  }

  function readNamed(name: string, value: unknown) {
    if (!shownIn.test(name)) readAll(value, null)
    else readAll(value, alsoTechnical.test(name) ? 'perhaps' : 'yes')
  }

  function readAll(value: unknown, shown: 'yes' | 'perhaps' | null): void {
    if (Array.isArray(value)) for (const one of value) readAll(one, shown)
    else if (isNode(value)) read(value, shown)
  }
}

function isOwn(text: string, shown: 'yes' | 'perhaps' | null) {
  if (names.includes(text)) return false
  if (shown === 'yes') return hasWords(text)
  // Anywhere else a sentence gives itself away.
  return shown === 'perhaps' ? readsLikeWords(text) : /^\p{Lu}\p{Ll}+ \p{L}/u.test(text)
}

const nameOf = (name: unknown) => (isNode(name) ? String(name.name ?? name.value ?? '') : '')

test('no component contains its own words', async () => {
  // the docs, whose script `docs/` is, are in one language
  const files = globSync(['**/*.{ts,tsx}', '../features/*/web/**/*.{ts,tsx}'], { cwd: web }).filter(
    (file) => !/\.test\.ts$/.test(file) && !/^(words|build|docs)\//.test(file),
  )
  assert.ok(files.length > 50)
  const found = []
  for (const file of files) {
    const words = ownWords(file, await readFile(join(web, file), 'utf8'))
    if (words.length) found.push({ file, words })
  }
  assert.deepEqual(found, [])
})

test('the reader of components finds its targets', () => {
  const find = (source: string) => ownWords('a.tsx', source)
  assert.deepEqual(find('const a = <p>Hello</p>'), ['Hello'])
  assert.deepEqual(find('const a = <p>{n} · {m}, –</p>'), [])
  assert.deepEqual(find('const a = <p title="Hi there" className="big red">{ok ? "yes" : words.no}</p>'), [
    'Hi there',
    'yes',
  ])
  assert.deepEqual(find('const a = <Field label="Name" name="firstName" />'), ['Name'])
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the source of a template
  assert.deepEqual(find('const a = <Field aria-label={`${count} partners`} />'), ['partners'])
  assert.deepEqual(find('toast("Partner saved")'), ['Partner saved'])
  assert.deepEqual(find('throw new Error("There is no account here.")'), [])
  assert.deepEqual(find('const a = { heading: "Partners", to: "/partners" }'), ['Partners'])
})

test('each export of words has a name of its own', async () => {
  const files = filesOfWords.filter((file) => !file.endsWith('/outside-text.ts'))
  const names = await Promise.all(files.map(async (file) => Object.keys(await import(file))))
  assert.deepEqual(names.flat().toSorted(), [...new Set(names.flat())].toSorted())
})

test('apostrophes are curly in interface texts, refusals and docs', async () => {
  const texts: string[] = [...Object.values(publicPageWords), ...Object.values(refusals).map(([, texts]) => texts)]
  for (const file of filesOfWords) texts.push(...textsIn(file, await readFile(file, 'utf8')))
  const pages: string[] = []
  const docs = join(web, '../docs')
  for (const file of await readdir(docs, { recursive: true }))
    if (file.endsWith('.md')) pages.push(proseOf(await readFile(join(docs, file), 'utf8')))
  assert.ok(pages.length > 50)
  const straight = /.*[\p{L})}]'\p{Ll}.*/gu
  assert.deepEqual(
    [...texts, ...pages].flatMap((text) => text.match(straight) ?? []),
    // The interface's contract spells this label with a straight one.
    ["{}'s partner"],
  )
})

test('the purpose of a screen takes two sentences', () => {
  for (const [of, text] of Object.entries(howItWorksWords)) {
    if (of === 'heading') continue
    assert.equal(text.match(/\.(\s|$)/g)?.length, 2, of)
  }
})

/** A Markdown page without its code. */
const proseOf = (page: string) => page.replace(/^```[\s\S]*?^```|^ {4}.*$|`[^`]*`/gm, '')
