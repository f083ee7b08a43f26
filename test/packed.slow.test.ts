import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { hash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readFile, rename, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { CONTENTS, type Contents, digestOfHashes, findPacked, folderOf, look, writeContents } from '../server/packed.js'
import { createTestDatabase } from './support/postgres.ts'
import { runProduct } from './support/process.ts'

const root = fileURLToPath(new URL('../', import.meta.url))
const temporary = await mkdtemp(join(tmpdir(), 'tributary-packed-'))
after(() => rm(temporary, { recursive: true, force: true }))

// A separate checkout in which sources may change: its path has spaces and characters that Node treats specially.
const checkout = join(temporary, 'a path with 100% #spaces')
for (const part of ['server', 'contract', 'embed', 'features', 'package.json', 'tsconfig.json'])
  await cp(join(root, part), join(checkout, part), { recursive: true, preserveTimestamps: true })
await symlink(join(root, 'node_modules'), join(checkout, 'node_modules'))
const source = join(checkout, 'server/platform/http/health.ts')

const run = promisify(execFile)
const pack = (where = checkout) => run(process.execPath, ['server/pack.ts'], { cwd: where })
const contents = async (where = checkout): Promise<Contents> =>
  JSON.parse(await readFile(join(folderOf(where), CONTENTS), 'utf8'))
const packs = () => readdirSync(folderOf(checkout)).filter((name) => name !== CONTENTS)

/** A start that reports a wrong variable, for which its code must be loaded. */
const startRefused = () =>
  run(process.execPath, ['server/start.js'], {
    cwd: checkout,
    env: { PATH: process.env.PATH, PORT: 'none' },
  }).catch((error) => error)

/** Waits for the effect of another process. */
async function until(happened: () => boolean) {
  for (const end = Date.now() + 60_000; !happened(); await sleep(5)) assert.ok(Date.now() < end, 'it did not happen')
}

test('a first start packs alongside, also through a link, and the next one runs from the pack even while it is replaced', async (t) => {
  const link = join(temporary, 'link')
  await symlink(checkout, link)
  const database = await createTestDatabase()
  const loaded = join(temporary, 'loaded')
  const start = () => {
    const product = runProduct(
      {
        DATABASE_URL: database.url,
        DATA_DIR: join(temporary, 'data'),
        APP_URL: 'http://start.example',
        PROCESS_ROLE: 'web',
        NODE_OPTIONS: `--import=${pathToFileURL(join(root, 'test/support/loaded-modules.ts')).href}`,
        LOADED_MODULES: loaded,
      },
      link,
    )
    t.after(() => product.child.kill('SIGKILL'))
    return product
  }
  const ours = async () =>
    (await readFile(loaded, 'utf8')).split('\n').filter((url) => url.endsWith('/main.js') || url.endsWith('/main.ts'))

  const first = start()
  await first.ready()
  await until(() => findPacked(checkout) !== null)
  assert.deepEqual(await first.end('SIGTERM'), { code: 0, signal: null }, first.said.err)
  assert.deepEqual(await ours(), [pathToFileURL(join(checkout, 'server/main.ts')).href])

  const packed = findPacked(checkout)!
  const second = start()
  const address = await second.ready()
  await writeFile(source, `${await readFile(source, 'utf8')}\n// a new version\n`)
  await pack()
  assert.notEqual(findPacked(checkout), packed)
  assert.equal((await fetch(`${address}/api/v1/openapi.json`)).status, 200)
  assert.deepEqual(await second.end('SIGTERM'), { code: 0, signal: null }, second.said.err)
  assert.deepEqual(await ours(), [pathToFileURL(join(packed, 'main.js')).href])
})

test('a pack of other sources is never run', async () => {
  await pack()
  const packed = findPacked(checkout)
  assert.ok(packed)
  const { atime, mtime } = await stat(source)
  const text = await readFile(source, 'utf8')

  // of the same size and modification time as before
  await writeFile(source, `I${text.slice(1)}`)
  await utimes(source, atime, mtime)
  assert.equal(findPacked(checkout), null)
  await writeFile(source, text)
  assert.equal(findPacked(checkout), packed, 'as it was')

  await rename(source, `${source}.away`)
  assert.equal(findPacked(checkout), null)
  await rename(`${source}.away`, source)

  const seen = (await contents()).files.map(([path]) => path)
  for (const path of [
    'contract/endpoint.ts',
    'server/pack.ts',
    'server/packed.js',
    'package.json',
    'tsconfig.json',
    'node_modules/.package-lock.json',
  ])
    assert.ok(seen.includes(path), path)
  // the second file is in no pack by itself, because it only re-exports other modules
  for (const path of ['fastify/fastify.js', 'zod/index.js'])
    assert.ok(
      seen.some((each) => each.endsWith(`node_modules/${path}`)),
      path,
    )

  for (const name of readdirSync(packed).filter((name) => name.endsWith('.js')))
    assert.match(await readFile(join(packed, name), 'latin1'), /^[\0-\x7f]+$/, name)

  const piece = join(packed, readdirSync(packed).find((name) => name.startsWith('start-modules-'))!)
  const whole = await readFile(piece)
  await writeFile(piece, '')
  assert.equal(findPacked(checkout), null, 'a piece that a crash left empty')
  await writeFile(piece, whole)
  assert.equal(findPacked(checkout), packed)

  const content = await readFile(join(folderOf(checkout), CONTENTS))
  await writeFile(join(folderOf(checkout), CONTENTS), content.subarray(0, content.length / 2))
  assert.equal(findPacked(checkout), null)
  await writeFile(join(folderOf(checkout), CONTENTS), content)
})

test('a file changed a moment ago is not trusted by its timestamp', async () => {
  const file = join(temporary, 'young')
  await writeFile(file, 'one')
  assert.deepEqual(look(temporary, 'young'), ['young', 3, NaN, NaN])
  await utimes(file, new Date(), new Date(Date.now() + 86_400_000))
  assert.deepEqual(look(temporary, 'young'), ['young', 3, NaN, NaN], 'from a clock that was ahead')

  // its time was already in the future when it was packed
  const text = await readFile(source, 'utf8')
  const ahead = new Date(Date.now() + 86_400_000)
  await utimes(source, ahead, ahead)
  await pack()
  const packed = findPacked(checkout)
  assert.ok(packed)
  await writeFile(source, `I${text.slice(1)}`)
  await utimes(source, ahead, ahead)
  assert.equal(findPacked(checkout), null)
  await writeFile(source, text)
  assert.equal(findPacked(checkout), packed)
})

test('a copy is identified by its contents, and shares nothing', async () => {
  await pack()
  const copy = join(temporary, 'copy')
  await cp(checkout, copy, { recursive: true })
  const { name } = await contents()
  assert.equal(findPacked(copy), join(folderOf(copy), name))
  assert.ok(!JSON.stringify(await contents(copy)).includes(checkout))
  await writeFile(join(copy, 'server/platform/http/health.ts'), '')
  assert.equal(findPacked(copy), null)
  assert.ok(findPacked(checkout))
})

test('developers of the server run its sources', async (t) => {
  await pack()
  const script = join(temporary, 'watched.mjs')
  await writeFile(
    script,
    `import { findPacked } from ${JSON.stringify(pathToFileURL(join(checkout, 'server/packed.js')).href)}\nconsole.log('found', findPacked())`,
  )
  const watching = spawn(process.execPath, ['--watch', script], { stdio: ['ignore', 'pipe', 'ignore'] })
  t.after(() => watching.kill())
  let content = ''
  watching.stdout.on('data', (piece) => {
    content += piece
  })
  await until(() => content.includes('found'))
  assert.match(content, /found null/)
})

test('a pack that cannot be loaded is not run', async () => {
  await pack()
  const packed = findPacked(checkout)!
  const main = join(packed, 'main.js')
  await writeFile(main, `throw new Error('broken')\n${await readFile(main, 'utf8')}`)
  const { name, files } = await contents()
  const paths = files.map(([path]) => path)
  const hashes = await Promise.all(paths.map(async (path) => hash('sha256', await readFile(join(checkout, path)))))
  writeContents(checkout, {
    name,
    digest: digestOfHashes(paths.map((path, at) => [path, hashes[at]!])),
    files: paths.map((path) => look(checkout, path)),
  })
  assert.equal(findPacked(checkout), packed)
  const refused = await startRefused()
  assert.equal(refused.code, 1)
  assert.match(refused.stderr, /^PORT/)
})

test('packing twice at once, being killed or a full disk leaves a complete pack or none', async () => {
  await writeFile(source, `${await readFile(source, 'utf8')}\n// another\n`)
  assert.equal(findPacked(checkout), null)
  await Promise.all([pack(), pack()])
  assert.ok(findPacked(checkout))

  async function packKilled() {
    const before = packs()
    await writeFile(source, `${await readFile(source, 'utf8')}\n// and another\n`)
    const killed = spawn(process.execPath, ['server/pack.ts'], { cwd: checkout, stdio: 'ignore' })
    await until(() => packs().length > before.length)
    killed.kill('SIGKILL')
    await once(killed, 'exit')
    return findPacked(checkout)
  }
  // a file that was complete before the signal is packed again
  for (let turn = 0; (await packKilled()) !== null; turn++) assert.ok(turn < 9, 'killed in time')

  // A limit on the size of files acts like a full disk.
  const present = packs()
  await assert.rejects(run('sh', ['-c', `ulimit -f 200; exec ${process.execPath} server/pack.ts`], { cwd: checkout }))
  assert.equal(findPacked(checkout), null)
  assert.deepEqual(packs(), present)

  const { name: former } = await contents()
  for (const name of packs()) await utimes(join(folderOf(checkout), name), 1, 1)
  await pack()
  assert.deepEqual(packs().sort(), [former, (await contents()).name].sort())
  assert.ok(existsSync(findPacked(checkout)!))
})

test('in a read-only folder the sources are run', async () => {
  await rm(join(checkout, '.cache'), { recursive: true })
  await writeFile(join(checkout, '.cache'), 'no folder')
  await assert.rejects(pack())
  assert.equal(findPacked(checkout), null)
  const refused = await startRefused()
  assert.equal(refused.code, 1)
  assert.match(refused.stderr, /^PORT/)
  await rm(join(checkout, '.cache'))
  await mkdir(join(checkout, '.cache'))
})
