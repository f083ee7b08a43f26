import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, glob, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { pino } from 'pino'
import { startEmbedded } from '../../server/platform/database/embedded.ts'
import { scratchFolder } from '../support/scratch.ts'
import { type Mutation, mutations } from './list.ts'

// npm run test:mutations: breaks one rule at a time in a copy, runs the tests nearest to it and, if these pass, all unit and
// integration tests, file by file until one fails; lists the rules that no test protects. `-- --near` runs only the
// nearest, `-- --only 3,17` breaks these rules alone.

const { values } = parseArgs({ options: { near: { type: 'boolean', default: false }, only: { type: 'string' } } })
const only = values.only?.split(',').map(Number)
const root = fileURLToPath(new URL('../../', import.meta.url))
const FOLDERS = ['contract', 'server', 'web', 'embed', 'test', 'demo', 'bench', 'docs', 'client']
const FILES = ['package.json', 'tsconfig.json', 'vite.config.ts', 'index.html', 'README.md', 'CHANGELOG.md']
/** Milliseconds after which a test that hangs counts as failed, so the broken rule was noticed. */
const LONGEST_MS = 20 * 60_000

const scratch = await scratchFolder()
const copy = join(scratch, 'copy')
for (const name of [...FOLDERS, ...FILES]) await cp(join(root, name), join(copy, name), { recursive: true })
await symlink(join(root, 'node_modules'), join(copy, 'node_modules'))
await cp(join(root, 'dist'), join(copy, 'dist'), { recursive: true }).catch(() => {})

const postgres = await startEmbedded({
  dataDir: join(scratch, 'postgres'),
  log: pino({ level: 'silent' }),
  test: true,
})

let running: ChildProcess | undefined
let interrupted = false
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    interrupted = true
    running?.kill()
  })

async function passes(...files: string[]): Promise<boolean> {
  const bin = join(root, 'node_modules', '.bin')
  const child = spawn(process.execPath, ['--test', '--test-concurrency=2', ...files], {
    cwd: copy,
    env: {
      ...process.env,
      PATH: `${bin}${delimiter}${process.env.PATH}`,
      TEST_DATABASE_URL: postgres.url,
      NODE_COMPILE_CACHE: join(scratch, 'compiled'),
    },
    stdio: 'ignore',
    timeout: LONGEST_MS,
  })
  running = child
  const [code] = await once(child, 'close')
  running = undefined
  return code === 0
}

/** Every test but the list's own, which fails for any change of a listed file. */
async function everyTest() {
  const found: string[] = []
  const exclude = ['test/mutations/**']
  for await (const file of glob('{contract,features,server,embed,test}/**/*.test.ts', { cwd: copy, exclude }))
    found.push(file)
  return found.sort()
}

/** Whether tests pass on unbroken code; a failing one would seem to notice everything. */
const green = new Map<string, boolean>()
async function isGreen(file: string) {
  if (!green.has(file)) green.set(file, await passes(file))
  return green.get(file)!
}

/** Returns the first of these tests that fails while the rule is broken. */
async function firstToNotice({ file, also, ...first }: Mutation, tests: string[]): Promise<string | undefined> {
  const path = join(copy, file)
  const whole = await readFile(path, 'utf8')
  let broken = whole
  for (const { text, by } of also ? [first, also] : [first]) {
    if (!whole.includes(text)) throw new Error(`${file} no longer holds: ${text}`)
    broken = broken.replaceAll(text, by)
  }
  let noticed: string | undefined
  await writeFile(path, broken)
  for (const test of tests) {
    if (interrupted || noticed) break
    if (!(await passes(test))) noticed = test
  }
  await writeFile(path, whole)
  if (!noticed || interrupted || (await isGreen(noticed))) return noticed
  process.stdout.write(`${noticed} fails before anything is broken.\n`)
  const others = tests.filter((test) => test !== noticed)
  return firstToNotice({ file, also, ...first }, others)
}

async function whoNotices(mutation: Mutation): Promise<string | undefined> {
  const { tests } = mutation
  const near = await firstToNotice(mutation, tests)
  if (near || values.near) return near
  return firstToNotice(
    mutation,
    (await everyTest()).filter((file) => !tests.includes(file)),
  )
}

const chosen = mutations.filter((_, index) => !only || only.includes(index + 1))
const unnoticed: string[] = []
try {
  for (const mutation of chosen) {
    const startedAt = performance.now()
    const noticed = await whoNotices(mutation)
    if (interrupted) break
    if (!noticed) unnoticed.push(mutation.rule)
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(0)
    process.stdout.write(
      `${noticed ? 'noticed  ' : 'UNNOTICED'}  ${mutation.rule} (${noticed ? `${noticed}, ` : ''}${seconds} s)\n`,
    )
  }
} finally {
  await postgres.stop()
  await rm(scratch, { recursive: true, force: true })
}
if (interrupted) process.exit(1)
process.stdout.write(`${chosen.length - unnoticed.length} of ${chosen.length} were noticed.\n`)
if (unnoticed.length > 0) process.exitCode = 1
