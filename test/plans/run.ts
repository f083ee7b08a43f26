import { mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { pino } from 'pino'
import { startEmbedded } from '../../server/platform/database/embedded.ts'
import { openDatabase } from '../../server/platform/database/pool.ts'
import { createTestDatabase } from '../support/postgres.ts'
import { scratchFolder } from '../support/scratch.ts'
import { runInWorkers } from '../support/test-workers.ts'
import { aboutIndexes, complaintsAbout, findUnneeded } from './exceptions.ts'
import { fillLargeTables } from './large-tables.ts'
import { largeTables, planStatements, unusedIndexes } from './planned.ts'
import { type Collected, folderOfStatements, type Statement } from './statement.ts'
import { TESTS } from './tests.ts'

// npm run test:plans, and a stage of the slow tests: plans every statement that the product has sent in some tests over a
// million rows, for an account with most of them and for any account, and fails if one reads a large table whole without
// a reason in `exceptions.ts`.

const root = fileURLToPath(new URL('../../', import.meta.url))
const log = pino({ level: 'silent' })
const printLine = (line: string) => process.stdout.write(`${line}\n`)
const seconds = (since: number) => `${((performance.now() - since) / 1000).toFixed(1)} s`

const scratch = await scratchFolder()
const embedded = await startEmbedded({ dataDir: join(scratch, 'postgres'), log, test: true })
process.env.TEST_DATABASE_URL = embedded.url
let running: ReturnType<typeof runInWorkers> | undefined
let leaving = false

async function exitWith(code: number) {
  // the interrupted work fails too, and calls this again
  if (leaving) return
  leaving = true
  running?.stop()
  await embedded.stop()
  // interrupted tests may still write their statements, so the removal is retried
  await rm(scratch, { recursive: true, force: true, maxRetries: 5 })
  process.exit(code)
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => exitWith(1))
watch().then(
  (ok) => exitWith(ok ? 0 : 1),
  (error) => {
    process.stderr.write(`${error.stack}\n`)
    return exitWith(1)
  },
)

async function watch(): Promise<boolean> {
  let since = performance.now()
  const { url } = await createTestDatabase()
  const db = openDatabase({ url, log, max: 2 })
  try {
    // autovacuum would change the statistics, and delay other cleanups, at any moment
    await db.run`alter system set autovacuum = off`
    await db.run`select pg_reload_conf()`
    const [folder, large] = await Promise.all([gather(), fillLargeTables(db)])
    const statements = await readStatements(folder)
    const tables = await largeTables(db)
    printLine(`${statements.length} statements, ${tables.size} large tables (${seconds(since)})`)
    since = performance.now()
    const found = await planStatements(db.pool, statements, large, tables)
    printLine(`${found.plans} plans (${seconds(since)})`)
    // reported only: a planner may choose otherwise with other statistics of the same rows
    for (const line of [...aboutIndexes(await unusedIndexes(db, found, tables)), ...findUnneeded(found.scans)])
      printLine(line)
    const complaints = complaintsAbout(found)
    for (const complaint of complaints) printLine(`\n${complaint}`)
    return complaints.length === 0
  } finally {
    await db.close()
  }
}

/**
 * Runs the tests, whose processes write their statements; returns the folder they are in. A run of all tests has written
 * them already.
 */
async function gather(): Promise<string> {
  const written = process.env[folderOfStatements]
  if (written) return written
  const folder = join(scratch, 'statements')
  await mkdir(folder)
  const env = { ...process.env, [folderOfStatements]: folder }
  running = runInWorkers(TESTS, { root, env, preload: './test/plans/collect.ts', quiet: true })
  if (!(await running.done)) throw new Error('the tests whose statements are planned fail')
  return folder
}

/** Reads every text once, whichever test sent it first. */
async function readStatements(folder: string): Promise<Statement[]> {
  const found = new Map<string, Statement>()
  const missing = new Set(TESTS)
  for (const name of (await readdir(folder)).sort()) {
    const { tests, statements }: Collected = JSON.parse(await readFile(join(folder, name), 'utf8'))
    for (const test of tests) missing.delete(test)
    for (const statement of statements) if (!found.has(statement.text)) found.set(statement.text, statement)
  }
  if (missing.size > 0) throw new Error(`${folder} has no statements of ${[...missing].join(', ')}`)
  return [...found.values()]
}
