import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { cp, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
import packageJson from '../package.json' with { type: 'json' }
import { addressOfPacked, findPacked } from '../server/packed.js'
import { openFor } from './support/backups.ts'
import { aCountingWay } from './support/counting-proxy.ts'
import { createTestDatabase } from './support/postgres.ts'
import { runProduct } from './support/process.ts'

const folder = await mkdtemp(join(tmpdir(), 'tributary-start-'))
after(() => rm(folder, { recursive: true, force: true }))
const root = fileURLToPath(new URL('../', import.meta.url))
const database = await createTestDatabase()
const way = await aCountingWay(database.url)
after(() => way.close())

/** Starts the product, checks its readiness, and ends it; returns the packages and our own files that it loaded. */
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

/** Modules loaded on first use: pages as PDF, mails, phone numbers, outgoing requests, assistants, traces. */
const ON_FIRST_USE = [
  '@modelcontextprotocol/server',
  '@opentelemetry/api',
  '@opentelemetry/core',
  '@opentelemetry/exporter-trace-otlp-http',
  '@opentelemetry/resources',
  '@opentelemetry/sdk-trace',
  '@scalar/fastify-api-reference',
  'fontkit',
  'html-to-text',
  'libphonenumber-js',
  'nodemailer',
  'pdfkit',
  'prom-client',
  'react-dom',
  'vite',
]
/** Fastify's own modules, for schemas that no route has. */
const NEVER = ['ajv', '@fastify/ajv-compiler', '@fastify/fast-json-stringify-compiler']

const web = { PROCESS_ROLE: 'web' }
const FROM_SOURCES = { WATCH_REPORT_DEPENDENCIES: '1' }

test('a start loads no rarely used modules, packed or not, and behaves the same', async () => {
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

test('a start on existing data makes few queries', async () => {
  const before = { ...way.counted }
  const { statements, connections } = await startedFiles(web)
  const used = { statements: statements - before.statements, connections: connections - before.connections }
  // on a slow machine the queues' timers ask a few times before the end
  assert.ok(used.statements <= 50, `${used.statements} statements`)
  assert.ok(used.connections <= 8, `${used.connections} connections`)
})

test('a refused start does not wait for the build, and leaves none of it', async () => {
  const checkout = join(folder, 'checkout')
  const parts = [
    'server',
    'contract',
    'features',
    'embed',
    'web',
    'docs',
    'CHANGELOG.md',
    'index.html',
    'vite.config.ts',
  ]
  for (const part of [...parts, 'package.json', 'package-lock.json', 'tsconfig.json'])
    await cp(join(root, part), join(checkout, part), { recursive: true })
  await symlink(join(root, 'node_modules'), join(checkout, 'node_modules'))
  const { url } = await createTestDatabase()
  const db = openFor(url)
  await db.run`insert into migrations (name, hash, applied_at) values ('9999-of-the-next-release.sql', '', now())`
  const product = runProduct({ DATABASE_URL: url, DATA_DIR: join(folder, 'refused') }, checkout)
  assert.deepEqual(await product.end(), { code: 1, signal: null })
  assert.match(product.said.err, /^The database holds migration 9999-of-the-next-release\.sql, which [^\n]+\n$/)
  const left = [...(await readdir(checkout)), ...(await readdir(join(checkout, '.cache')))]
  assert.deepEqual(
    left.filter((name) => /^(dist|web-)/.test(name)),
    [],
  )
})

test('the log says what was started, and at debug level each request without secrets', async () => {
  const weak = { ALLOW_PRIVATE_WEBHOOK_TARGETS: 'on', RATE_LIMIT_FACTOR: '0' }
  const own = { DATABASE_URL: database.url, DATA_DIR: join(folder, 'data'), LOG_LEVEL: 'debug' }
  const product = runProduct({ ...web, ...own, ...weak, STMP_URL: 'smtp://localhost' })
  const address = await product.ready()
  const secret = 'ac7f0e1b2d3c4a5968778695a4b3c2d1'
  const paths = [
    '/health/live',
    `/hooks/in/${secret}?token=${secret}`,
    `/mail/unsubscribe/${secret}`,
    '/r/12345678/jane?x=y',
  ]
  for (const path of paths) await fetch(`${address}${path}`, { headers: { authorization: `Bearer ${secret}` } })
  assert.deepEqual(await product.end('SIGTERM'), { code: 0, signal: null })
  assert.ok(!product.said.err.includes(secret))
  const lines = product.said.err
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  const started = lines.find(({ msg }) => msg === 'the product has started')
  for (const variable of Object.keys(weak))
    assert.ok(
      lines.some(({ level, msg }) => level === 'warn' && msg.startsWith(variable)),
      variable,
    )
  assert.ok(lines.some(({ level, given }) => level === 'warn' && given === 'STMP_URL'))
  const { release, processRole, databaseRole, database: hosts } = started
  assert.deepEqual([release, processRole, hosts], [packageJson.version, 'web', [new URL(database.url).host]])
  assert.match(started.postgres, /^\d+\.\d+$/)
  assert.match(databaseRole, /_serving$/)
  const used = lines.filter(({ msg }) => msg === 'a request was answered')
  assert.deepEqual(
    used.map(({ method, url, status }) => `${method} ${url} ${status}`),
    ['GET /health/live 200', 'GET /hooks/in/… 404', 'GET /mail/unsubscribe/… 200', 'GET /r/12345678/jane 404'],
  )
  for (const { requestId, ms, url } of used) assert.ok(requestId && ms >= 0, url)
})
