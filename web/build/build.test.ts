import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync } from 'node:zlib'
import { build, type Rolldown } from 'vite'
import { lightModule } from './contract-calls.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const KB = 1024

let output: Rolldown.OutputChunk[]
let assets: Rolldown.OutputAsset[]

before(async () => {
  const built = (await build({ root, logLevel: 'error', build: { write: false } })) as Rolldown.RolldownOutput
  output = built.output.filter((part) => part.type === 'chunk')
  assets = built.output.filter((part) => part.type === 'asset')
})

const packed = (text: string | Uint8Array) => brotliCompressSync(text).length

/** The chunk made from `file`, with everything it imports before it runs. */
function loadedBy(file: string) {
  const first = output.find((chunk) => chunk.moduleIds.some((id) => id.endsWith(`/${file}`)))
  assert.ok(first, `no chunk is made from ${file}`)
  const chunks = new Set<Rolldown.OutputChunk>()
  const add = (chunk: Rolldown.OutputChunk) => {
    if (chunks.has(chunk)) return
    chunks.add(chunk)
    for (const name of chunk.imports) add(output.find(({ fileName }) => fileName === name)!)
  }
  add(first)
  return chunks
}

function firstLoad(application: string) {
  const chunks = new Set([...loadedBy('web/main.ts'), ...loadedBy(application)])
  const script = [...chunks].reduce((sum, { code }) => sum + packed(code), 0)
  const sheets = new Set([...chunks].flatMap((chunk) => [...(chunk.viteMetadata?.importedCss ?? [])]))
  const css = [...sheets].reduce(
    (sum, name) => sum + packed(assets.find(({ fileName }) => fileName === name)!.source),
    0,
  )
  // With the document and the script that sets the theme.
  return { chunks, script, css, requests: chunks.size + sheets.size + 2 }
}

test('no style element is left for the content security policy to refuse', () => {
  const style = /\bjsxs?\)?\(\s*["'`]style["'`]/
  const left = output.filter(({ code }) => style.test(code))
  assert.deepEqual(
    left.map(({ fileName }) => fileName),
    [],
  )
  assert.ok(
    output.some(({ code }) => code.includes('adoptedStyleSheets')),
    'the plugin that adopts the styles matched nothing',
  )
})

test('the document holds no inline script', () => {
  const page = assets.find(({ fileName }) => fileName === 'index.html')
  assert.doesNotMatch(String(page?.source), /<script(?![^>]*\bsrc=)[^>]*>/)
})

test('signed in, the first load keeps its budget, without zod', () => {
  const { chunks, script, css, requests } = firstLoad('web/app.tsx')
  assert.ok(script <= 150 * KB, `${script} bytes of script`)
  assert.ok(css <= 14 * KB, `${css} bytes of style sheets`)
  assert.ok(requests <= 6, `${requests} requests`)
  for (const chunk of chunks) assert.ok(!chunk.moduleIds.some((id) => /node_modules\/zod\//.test(id)), chunk.fileName)
})

test('charts come apart from the screens, and keep their budget', () => {
  const chart = output.find((chunk) => chunk.facadeModuleId?.endsWith('/web/ui/HistoryChart.tsx'))
  assert.ok(chart?.isDynamicEntry, 'the code of charts is in no chunk of its own')
  const screens = new Set([
    ...loadedBy('web/main.ts'),
    ...loadedBy('web/app.tsx'),
    ...loadedBy('dashboard/Dashboard.tsx'),
  ])
  assert.ok(!screens.has(chart), 'a screen waits for the code of charts')
  const own = [...loadedBy('web/ui/HistoryChart.tsx')].filter((chunk) => !screens.has(chunk))
  const script = own.reduce((sum, { code }) => sum + packed(code), 0)
  assert.ok(script <= 40 * KB, `${script} bytes of script`)
})

test('before signing in, the first load keeps its smaller budget', () => {
  const { script, requests } = firstLoad('web/entry.tsx')
  assert.ok(script <= 100 * KB, `${script} bytes of script`)
  assert.ok(requests <= 6, `${requests} requests`)
})

test('of the contract the browser gets methods and paths, and schemas only from the whole file', () => {
  const exported = {
    createSale: {
      name: 'createSale',
      method: 'POST',
      path: '/leads/:id/sales',
      allow: ['owner'],
      body: { parse() {} },
    },
    NewSale: { parse() {} },
    states: ['completed', 'void'],
  }
  assert.equal(
    lightModule(exported, 'sales.ts?whole'),
    'export const createSale = {"name":"createSale","method":"POST","path":"/leads/:id/sales"}\n' +
      'export const states = ["completed","void"]\n' +
      'export { NewSale } from "sales.ts?whole"',
  )
})
