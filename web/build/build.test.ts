import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Rolldown } from 'vite'
import { lightModule } from './contract-calls.ts'
import { buildWeb, compressedSize, firstScreens, limits, measureFirstScreen } from './first-screen.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const KB = 1024

let chunks: Rolldown.OutputChunk[]
let assets: Rolldown.OutputAsset[]
let measured: ReturnType<typeof measureFirstScreen>

before(async () => {
  const built = await buildWeb(root)
  ;({ chunks, assets } = built)
  measured = measureFirstScreen(built)
})

const loadedBy = (file: string) => measured.loadedBy(file)
const firstScreen = (...files: string[]) => measured.firstScreen(...files)

test('no two files import each other: one would run before the other has its constants', () => {
  const importsOf = new Map(chunks.map(({ fileName, imports }) => [fileName, imports]))
  const done = new Set<string>()
  const visit = (file: string, way: string[]) => {
    assert.ok(!way.includes(file), [...way, file].join(' > '))
    if (done.has(file)) return
    for (const next of importsOf.get(file) ?? []) visit(next, [...way, file])
    done.add(file)
  }
  for (const file of importsOf.keys()) visit(file, [])
})

test('the document contains no inline script', () => {
  const page = assets.find(({ fileName }) => fileName === 'index.html')
  assert.doesNotMatch(String(page?.source), /<script(?![^>]*\bsrc=)[^>]*>/)
})

test('the document describes itself, and robots.txt covers robots', async () => {
  const page = String(assets.find(({ fileName }) => fileName === 'index.html')?.source)
  for (const name of ['name="description"', 'property="og:title"', 'property="og:description"'])
    assert.match(page, new RegExp(`<meta ${name} content="[^"]{9,160}"`))
  const robots = await readFile(new URL('../public/robots.txt', import.meta.url), 'utf8')
  assert.match(robots, /^User-agent: \*$/m)
  assert.match(robots, /^Disallow: \/$/m)
})

test('each screen before signing in has its own document that describes it, and is otherwise identical', () => {
  const documents = assets.filter(({ fileName }) => fileName.endsWith('.html') && !/^docs\b/.test(fileName))
  const pages = documents.map(({ fileName, source }) => {
    const text = String(source)
    const [, title] = /<title>([^<]+)<\/title>/.exec(text)!
    const [, description] = /<meta name="description" content="([^"]{9,160})"/.exec(text)!
    assert.ok(text.includes(`<meta property="og:title" content="${title}"`), fileName)
    assert.ok(text.includes(`<meta property="og:description" content="${description}"`), fileName)
    return { fileName, title, description, rest: text.replaceAll(title!, '').replaceAll(description!, '') }
  })
  assert.deepEqual(pages.map(({ fileName, title }) => [fileName, title]).sort(), [
    ['auth/reset-password.html', 'Reset password · Tributary'],
    ['auth/sign-in.html', 'Sign in · Tributary'],
    ['index.html', 'Tributary'],
    ['join/confirm.html', 'Confirm your application · Tributary'],
    ['mail/unsubscribe.html', 'Unsubscribe · Tributary'],
    ['user-setup.html', 'Set up your account · Tributary'],
  ])
  assert.equal(new Set(pages.map(({ description }) => description)).size, documents.length)
  const [first, ...others] = pages.filter(({ fileName }) => fileName !== 'index.html')
  for (const { rest, fileName } of others) assert.equal(rest, first!.rest, fileName)
})

test('the document preloads the font that its style sheet names', () => {
  const page = String(assets.find(({ fileName }) => fileName === 'index.html')?.source)
  const fontFile = page.match(/<link rel="preload" as="font" type="font\/woff2" crossorigin href="\/([^"]+)"/)?.[1]
  const font = assets.find(({ fileName }) => fileName === fontFile)
  assert.ok(font, `${fontFile} is not of the build`)
  assert.ok(font.source.length <= 60 * KB, `${font.source.length} bytes`)
  const sheets = assets.filter(({ fileName }) => fileName.endsWith('.css'))
  assert.ok(sheets.some(({ source }) => String(source).includes(fontFile!)))
})

for (const [name, files, most] of [
  ['the dashboard', firstScreens.dashboard, limits.script],
  ['the list of accounts', firstScreens.accounts, limits.script],
  ['a screen before signing in', firstScreens.beforeSignIn, limits.scriptBeforeSignIn],
] as const)
  test(`${name} stays within the budget of a first screen`, (t) => {
    const { chunks, script, css, requests } = firstScreen(...files)
    t.diagnostic(`${script} bytes of script, ${css} of style sheets, ${requests} requests`)
    assert.ok(script <= most, `${script} bytes of script`)
    assert.ok(css <= limits.css, `${css} bytes of style sheets`)
    assert.ok(requests <= limits.requests, `${requests} requests`)
    const main = [...loadedBy('web/main.ts')]
    for (const file of files) {
      const [own] = loadedBy(file)
      assert.ok(
        main.some(({ dynamicImports }) => dynamicImports.includes(own!.fileName)),
        `${file} is asked for after a third file`,
      )
    }
    const unseen = [...chunks].flatMap(({ moduleIds }) => moduleIds.filter((id) => NOT_SHOWN.test(id)))
    assert.deepEqual(unseen, [])
  })

/** Forms, dialogs and their validation; the screens before signing in need `ui/form.tsx` and `ui/use-form.ts` only. */
const NOT_SHOWN =
  /node_modules\/zod\/|contract\/.*\?whole|web\/(ui|shared|lists)\/(contract-form|fields|.*Dialog|.*Picker)\.tsx/

for (const [what, names, least, most] of [
  ['list', /(List|\/leads|\/partners|\/Payouts)\.tsx$/, 6, limits.scriptOfList],
  ['form', /\/((New|Add|Edit)\w+|lead-forms|\w+Settings|Profile|EmbedCode)\.tsx$/, 12, limits.scriptOfForm],
] as const)
  test(`any ${what} opened first keeps the budget`, (t) => {
    const files = measured.laterScreens().filter((file) => names.test(file))
    assert.ok(files.length >= least, files.join(' '))
    for (const file of files) {
      const { script } = firstScreen('web/app.tsx', file)
      t.diagnostic(`${script} bytes of script for ${file}`)
      assert.ok(script <= most, `${script} bytes of script for ${file}`)
    }
  })

for (const file of [
  'web/routes/partners.tsx',
  'web/routes/leads.tsx',
  'web/features/payouts/Payouts.tsx',
  'web/features/links/LinkList.tsx',
  'web/shell/Palette.tsx',
])
  test(`${file} loads no schemas and forms at first`, () => {
    const loaded = [...loadedBy(file)].flatMap(({ moduleIds }) => moduleIds)
    assert.ok(loaded.some((id) => id.endsWith(file)))
    assert.deepEqual(
      loaded.filter((id) => OF_FORMS.test(id)),
      [],
    )
  })
const OF_FORMS = /node_modules\/zod\/|contract\/.*\?whole|web\/ui\/(contract-form|form-act|FormDialog)\.tsx/

test('charts load with the screens that show them, and stay within their budget', () => {
  const own = loadedBy('web/ui/HistoryChart.tsx')
  const [chart] = own
  const everywhere = firstScreen(...firstScreens.accounts).chunks
  assert.ok(!everywhere.has(chart!), 'a screen without charts waits for their code')
  const script = [...own]
    .filter((chunk) => !everywhere.has(chunk))
    .reduce((sum, { code }) => sum + compressedSize(code), 0)
  assert.ok(script <= 40 * KB, `${script} bytes of script`)
})

test('the browser gets the contract’s methods, paths and callers, and schemas only from the complete file', () => {
  const exported = {
    createSale: {
      name: 'createSale',
      method: 'POST',
      path: '/leads/:id/sales',
      allow: ['owner'],
      body: { parse() {} },
    },
    getLead: { name: 'getLead', method: 'GET', path: '/leads/:id', allow: ['owner'], inPortal: true },
    NewSale: { parse() {} },
    states: ['completed', 'void'],
    rights: { own: ['owner'] },
    MOST_APPROVED: 100,
  }
  assert.equal(
    lightModule(exported, 'sales.ts?whole'),
    'export const createSale = {"name":"createSale","method":"POST","path":"/leads/:id/sales","allow":["owner"]}\n' +
      'export const getLead = {"name":"getLead","method":"GET","path":"/leads/:id","allow":["owner","portal"]}\n' +
      'export const states = ["completed","void"]\n' +
      'export const rights = {"own":["owner"]}\n' +
      'export const MOST_APPROVED = 100\n' +
      'export { NewSale } from "sales.ts?whole"',
  )
})
