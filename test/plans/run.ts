import { mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { pino } from 'pino'
import { startEmbedded } from '../../server/platform/database/embedded.ts'
import { openDatabase } from '../../server/platform/database/pool.ts'
import { runInLanes } from '../support/lanes.ts'
import { createTestDatabase } from '../support/postgres.ts'
import { scratchFolder } from '../support/scratch.ts'
import { aboutIndexes, complaintsAbout, unneeded } from './exceptions.ts'
import { fillLargeTables } from './large-tables.ts'
import { largeTables, planned, unusedIndexes } from './planned.ts'
import { folderOfStatements, type Statement } from './statement.ts'

// npm run plans, and a stage of npm test: plans every statement that the product has sent in some tests over a million
// rows, for an account with most of them and for any account, and fails if one reads a large table whole without a
// reason in `exceptions.ts`.

/** Every operation and clock with its background work, and the tests of all that these leave out. */
const TESTS = [
  'test/operations.slow.test.ts',
  'test/grafana.test.ts',
  'server/clocks.test.ts',
  'server/integrations/data-transfer/round-trip.test.ts',
  'server/integrations/imports/past.test.ts',
  'server/integrations/mail/log.test.ts',
  'server/integrations/outgoing-webhooks/delivery.test.ts',
  'server/integrations/payment-providers/past-sales.test.ts',
  'server/integrations/rehearsals/rehearsals.test.ts',
  'server/platform/events/backlog.test.ts',
  'server/program/activity/activity.test.ts',
  'server/program/auth/invitations.test.ts',
  'server/program/leads/leads.test.ts',
  'server/program/leads/list-leads.test.ts',
  'server/program/links/links.test.ts',
  'server/program/partners/partners.test.ts',
  'server/program/payouts/attention.test.ts',
  'server/program/payouts/payouts.test.ts',
  'server/program/sales/list-sales.test.ts',
  'server/program/sales/revenue-lines.test.ts',
  'server/program/system/system.test.ts',
]

const root = fileURLToPath(new URL('../../', import.meta.url))
const log = pino({ level: 'silent' })
const say = (line: string) => process.stdout.write(`${line}\n`)
const seconds = (since: number) => `${((performance.now() - since) / 1000).toFixed(1)} s`

const scratch = await scratchFolder()
const embedded = await startEmbedded({ dataDir: join(scratch, 'postgres'), log, test: true })
process.env.TEST_DATABASE_URL = embedded.url
let running: ReturnType<typeof runInLanes> | undefined
let leaving = false

async function leave(code: number) {
  // the interrupted work fails too, and calls this again
  if (leaving) return
  leaving = true
  running?.stop()
  await embedded.stop()
  // interrupted tests may still write their statements, so the removal is retried
  await rm(scratch, { recursive: true, force: true, maxRetries: 5 })
  process.exit(code)
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => leave(1))
watch().then(
  (ok) => leave(ok ? 0 : 1),
  (error) => {
    process.stderr.write(`${error.stack}\n`)
    return leave(1)
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
    say(`${statements.length} statements, ${tables.size} large tables (${seconds(since)})`)
    since = performance.now()
    const found = await planned(db.pool, statements, large, tables)
    say(`${found.plans} plans (${seconds(since)})`)
    // reported only: a planner may choose otherwise with other statistics of the same rows
    for (const line of [...aboutIndexes(await unusedIndexes(db, found, tables)), ...unneeded(found.scans)]) say(line)
    const complaints = complaintsAbout(found)
    for (const complaint of complaints) say(`\n${complaint}`)
    return complaints.length === 0
  } finally {
    await db.close()
  }
}

/** Runs the tests, whose processes write their statements; returns the folder they are in. */
async function gather(): Promise<string> {
  const folder = join(scratch, 'statements')
  await mkdir(folder)
  const env = { ...process.env, [folderOfStatements]: folder }
  running = runInLanes(TESTS, { root, env, preload: './test/plans/collect.ts', quiet: true })
  if (!(await running.done)) throw new Error('the tests whose statements are planned fail')
  return folder
}

/** Reads every text once, whichever test sent it first. */
async function readStatements(folder: string): Promise<Statement[]> {
  const statements = new Map<string, Statement>()
  for (const name of (await readdir(folder)).sort())
    for (const statement of JSON.parse(await readFile(join(folder, name), 'utf8')) as Statement[])
      if (!statements.has(statement.text)) statements.set(statement.text, statement)
  if (statements.size === 0) throw new Error(`${folder} tells of no statement`)
  return [...statements.values()]
}
