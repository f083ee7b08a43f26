import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { pino } from 'pino'
import { startEmbedded } from '../../server/platform/database/embedded.ts'
import { type Database, openDatabase } from '../../server/platform/database/pool.ts'
import { createTestDatabase } from '../support/postgres.ts'
import { scratchFolder } from '../support/scratch.ts'
import { isAllowed, unneeded } from './exceptions.ts'
import { fillLargeTables } from './large-tables.ts'
import { type Found, planned } from './planned.ts'
import { folderOfStatements, type Statement } from './statement.ts'

// npm run plans: takes every statement that the product has sent in some tests, plans each over a million rows, for an
// account that has most of them and for any, and fails where one reads a large table whole without a reason in
// `exceptions.ts`.

/** Calls every operation, with the work in the background that follows. */
const TESTS = ['test/operations.test.ts']
/** A table of fewer rows is better read whole. */
const LARGE = 5000

const root = fileURLToPath(new URL('../../', import.meta.url))
const log = pino({ level: 'silent' })
const say = (line: string) => process.stdout.write(`${line}\n`)
const seconds = (since: number) => `${((performance.now() - since) / 1000).toFixed(1)} s`

const scratch = await scratchFolder()
const embedded = await startEmbedded({ dataDir: join(scratch, 'postgres'), log, test: true })
process.env.TEST_DATABASE_URL = embedded.url
try {
  process.exitCode = (await watch()) ? 0 : 1
} finally {
  await embedded.stop()
  await rm(scratch, { recursive: true, force: true })
}

async function watch(): Promise<boolean> {
  let since = performance.now()
  const statements = await readStatements(await gather())
  say(`${statements.length} statements (${seconds(since)})`)
  since = performance.now()
  const { url } = await createTestDatabase()
  const db = openDatabase({ url, log, max: 2 })
  try {
    const large = await fillLargeTables(db)
    const tables = await largeTables(db)
    const rows = tables.values().reduce((sum, one) => sum + one, 0)
    say(`${rows.toLocaleString('en-US')} rows in ${tables.size} large tables (${seconds(since)})`)
    since = performance.now()
    const found = await planned(db.pool, statements, large, new Set(tables.keys()))
    say(`${found.plans} plans (${seconds(since)})`)
    await sayUnusedIndexes(db, found.indexes, [...tables.keys()])
    return report(found)
  } finally {
    await db.close()
  }
}

/** Runs the tests, each file a process that writes down what it sends. */
async function gather(): Promise<string> {
  const folder = join(scratch, 'statements')
  await mkdir(folder)
  const child = spawn(process.execPath, ['--import', './test/plans/collect.ts', '--test', ...TESTS], {
    cwd: root,
    env: { ...process.env, [folderOfStatements]: folder },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  child.stdout.on('data', (piece) => {
    said += piece
  })
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`the tests that tell the statements fail:\n${said.slice(-5000)}`)
  return folder
}

/** Every text once, whichever test sent it first. */
async function readStatements(folder: string): Promise<Statement[]> {
  const statements = new Map<string, Statement>()
  for (const name of (await readdir(folder)).sort())
    for (const statement of JSON.parse(await readFile(join(folder, name), 'utf8')) as Statement[])
      if (!statements.has(statement.text)) statements.set(statement.text, statement)
  if (statements.size === 0) throw new Error(`${folder} tells of no statement`)
  return [...statements.values()]
}

async function largeTables(db: Database): Promise<Map<string, number>> {
  const tables = await db.many<{ name: string; rows: number }>`
    select relname as name, reltuples::bigint as rows from pg_class
    where relkind = 'r' and relnamespace = 'public'::regnamespace and reltuples >= ${LARGE}`
  return new Map(tables.map(({ name, rows }) => [name, rows]))
}

/** Of large tables, those that no rule stands on either: what they cost each write they may not be worth. */
async function sayUnusedIndexes(db: Database, used: ReadonlySet<string>, tables: string[]) {
  const indexes = await db.many<{ name: string }>`
    select indexrelid::regclass::text as name from pg_index
    where indrelid = any(${tables}::text[]::regclass[]) and not indisunique order by 1`
  const unused = indexes.filter(({ name }) => !used.has(name)).map(({ name }) => name)
  say(`Indexes of large tables in none of the plans: ${unused.join(', ') || 'none'}`)
}

function report({ scans, unplanned }: Found): boolean {
  for (const [text, why] of unplanned) say(`\nCannot be planned (${why}):\n${text.trim()}`)
  const wrong = scans.filter((scan) => !isAllowed(scan))
  for (const [text, some] of Map.groupBy(wrong, (scan) => scan.text)) {
    const read = new Set(some.map(({ table, way }) => `${table} ${way}`))
    say(`\n${some[0]!.from} reads ${[...read].join(', ')} whole:\n${text.trim()}`)
  }
  const stale = unneeded(scans)
  for (const { from, words } of stale) say(`\nThe exception for ${from ?? words} is needed by nothing any more.`)
  return wrong.length + stale.length + unplanned.size === 0
}
