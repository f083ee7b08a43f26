import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { addressOfPacked, findPacked } from '../server/packed.js'
import { aCountingWay } from './support/counting-way.ts'
import { createTestDatabase } from './support/postgres.ts'
import { runProduct } from './support/process.ts'

const folder = await mkdtemp(join(tmpdir(), 'tributary-start-'))
after(() => rm(folder, { recursive: true, force: true }))
const root = fileURLToPath(new URL('../', import.meta.url))
const database = await createTestDatabase()
const way = await aCountingWay(database.url)
after(() => way.close())

/** Starts the product, asks for its readiness, and ends it; answers the packages and the files of our own it loaded. */
async function startedFiles(variables: Record<string, string>) {
  const list = join(folder, 'loaded')
  const hook = pathToFileURL(join(root, 'test/support/loaded-modules.ts')).href
  const product = runProduct({
    DATABASE_URL: way.url,
    DATA_DIR: join(folder, 'data'),
    APP_URL: 'http://start.example',
    NODE_OPTIONS: `--import=${hook}`,
    LOADED_MODULES: list,
    ...variables,
  })
  const address = await product.ready()
  assert.equal((await fetch(`${address}/health/ready`)).status, 200)
  const document = await (await fetch(`${address}/api/v1/openapi.json`)).text()
  const { connections, statements } = way.counted
  assert.deepEqual(await product.end('SIGTERM'), { code: 0, signal: null }, product.said.err)
  const files = (await readFile(list, 'utf8')).split('\n')
  const packages = files.flatMap((url) => /\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1] ?? [])
  return { files, packages: new Set(packages), document, connections, statements }
}

/** What is loaded when it is first needed: pages as PDF, mails, numbers of phones, requests to others, assistants, traces. */
const ON_FIRST_USE = [
  '@modelcontextprotocol/server',
  '@opentelemetry/api',
  '@opentelemetry/core',
  '@opentelemetry/exporter-trace-otlp-http',
  '@opentelemetry/resources',
  '@opentelemetry/sdk-trace',
  '@scalar/fastify-api-reference',
  'fast-xml-parser',
  'fontkit',
  'html-to-text',
  'libphonenumber-js',
  'nodemailer',
  'pdfkit',
  'prom-client',
  'react-dom',
  'vite',
]
/** Fastify's own, for schemas that no route has. */
const NEVER = ['ajv', '@fastify/ajv-compiler', '@fastify/fast-json-stringify-compiler']

const web = { PROCESS_ROLE: 'web' }
const FROM_SOURCES = { WATCH_REPORT_DEPENDENCIES: '1' }

test('a start loads nothing that is rarely used, packed or not, and is the same product', async () => {
  const fromSources = await startedFiles({ ...web, ...FROM_SOURCES })
  assert.ok(fromSources.files.some((url) => url.endsWith('/server/app.ts')))
  execFileSync(process.execPath, ['server/pack.ts'], { cwd: root, stdio: 'pipe' })
  const packed = await startedFiles(web)
  assert.ok(packed.files.includes(addressOfPacked(findPacked())))
  assert.deepEqual(
    packed.files.filter((url) => url.endsWith('.ts') && !url.includes('/test/')),
    [],
  )
  assert.ok(packed.files.length < 80, `${packed.files.length} files`)
  for (const { packages } of [fromSources, packed])
    assert.deepEqual(
      [...ON_FIRST_USE, ...NEVER].filter((name) => packages.has(name)),
      [],
    )
  assert.ok(packed.document === fromSources.document, 'its interface differs')
})

test('a start on existing data asks the database little', async () => {
  const before = { ...way.counted }
  const { statements, connections } = await startedFiles(web)
  const asked = { statements: statements - before.statements, connections: connections - before.connections }
  assert.ok(asked.statements <= 40, `${asked.statements} statements`)
  assert.ok(asked.connections <= 8, `${asked.connections} connections`)
})
