import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, glob, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { pino } from 'pino'
import { startEmbedded } from '../../server/platform/database/embedded.ts'
import { scratchFolder } from '../support/scratch.ts'
import { type Mutation, mutations } from './list.ts'

// npm run mutations: breaks one rule at a time in a copy, runs the tests nearest to it and, where these notice nothing,
// all unit and integration tests; names the rules whose breaking nobody noticed. `-- --near` leaves it at the nearest,
// `-- --only 3,17` breaks these alone.

const { values } = parseArgs({ options: { near: { type: 'boolean', default: false }, only: { type: 'string' } } })
const only = values.only?.split(',').map(Number)
const root = fileURLToPath(new URL('../../', import.meta.url))
const FOLDERS = ['contract', 'server', 'web', 'embed', 'test', 'demo', 'bench', 'docs']
const FILES = ['package.json', 'tsconfig.json', 'vite.config.ts', 'index.html', 'README.md']
/** A test that a broken rule lets hang has noticed it. */
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

async function passes(files: string[], { aloud = false } = {}): Promise<boolean> {
  const bin = join(root, 'node_modules', '.bin')
  const child = spawn(process.execPath, ['--test', '--test-reporter=dot', '--test-concurrency=2', ...files], {
    cwd: copy,
    env: {
      ...process.env,
      PATH: `${bin}${delimiter}${process.env.PATH}`,
      TEST_DATABASE_URL: postgres.url,
      NODE_COMPILE_CACHE: join(scratch, 'compiled'),
    },
    stdio: aloud ? 'inherit' : 'ignore',
    timeout: LONGEST_MS,
  })
  const [code] = await once(child, 'close')
  return code === 0
}

async function everyTest() {
  const found: string[] = []
  for await (const file of glob('{contract,server,embed,test}/**/*.test.ts', { cwd: copy })) found.push(file)
  return found.sort()
}

async function isNoticed({ file, text, by, tests }: Mutation): Promise<boolean> {
  const path = join(copy, file)
  const whole = await readFile(path, 'utf8')
  if (!whole.includes(text)) throw new Error(`${file} no longer holds: ${text}`)
  await writeFile(path, whole.replaceAll(text, by))
  try {
    return !(await passes(tests)) || (!values.near && !(await passes(await everyTest())))
  } finally {
    await writeFile(path, whole)
  }
}

const chosen = mutations.filter((_, index) => !only || only.includes(index + 1))
const unnoticed: string[] = []
try {
  // a test that is red already would notice everything
  if (!(await passes([...new Set(chosen.flatMap(({ tests }) => tests))], { aloud: true })))
    throw new Error('The tests do not pass before anything is broken.')
  for (const mutation of chosen) {
    const startedAt = performance.now()
    const noticed = await isNoticed(mutation)
    if (!noticed) unnoticed.push(mutation.rule)
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(0)
    process.stdout.write(`${noticed ? 'noticed  ' : 'UNNOTICED'}  ${mutation.rule} (${seconds} s)\n`)
  }
} finally {
  await postgres.stop()
  await rm(scratch, { recursive: true, force: true })
}
process.stdout.write(`${chosen.length - unnoticed.length} of ${chosen.length} were noticed.\n`)
if (unnoticed.length > 0) process.exitCode = 1
