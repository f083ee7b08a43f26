import { setInterval } from 'node:timers/promises'
import pg from 'pg'
import { pino } from 'pino'
import { startEmbedded } from '../../server/platform/database/embedded.ts'
import { removeFolder } from './scratch.ts'

// Runs one PostgreSQL for all test files that are run individually, and ends it after a while without use.

const LOOK_EVERY_MS = 20_000
const IDLE_LOOKS = 30

const dataDir = process.argv[2]
if (!dataDir) throw new Error('which folder?')
const embedded = await startEmbedded({ dataDir, log: pino({ level: 'silent' }), test: true })
process.on('SIGTERM', async () => {
  await embedded.stop()
  process.exit(0)
})

async function runQuery<T extends pg.QueryResultRow>(statement: string) {
  const client = new pg.Client({ connectionString: embedded.url })
  client.on('error', () => {})
  try {
    await client.connect()
    return (await client.query<T>(statement)).rows
  } catch {
    return []
  } finally {
    await client.end().catch(() => {})
  }
}

async function countVisitors() {
  const [row] = await runQuery<{ visitors: number }>(
    `select count(*)::int as visitors from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`,
  )
  return row?.visitors ?? 0
}

/** Drops databases left by test processes that were killed. */
async function dropForgotten() {
  for (const { datname } of await runQuery<{ datname: string }>(
    `select datname from pg_database where datname like 'test\\_%'`,
  ))
    if (!isAlive(Number(datname.split('_')[1]))) {
      await runQuery(`drop database if exists ${datname} with (force)`)
      await runQuery(`drop role if exists ${datname}_serving`)
    }
}

function isAlive(pid: number) {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

await dropForgotten()

let idle = 0
for await (const _ of setInterval(LOOK_EVERY_MS)) {
  idle = (await countVisitors()) > 0 ? 0 : idle + 1
  if (idle >= IDLE_LOOKS) break
}
await embedded.stop()
// it may be in memory
await removeFolder(dataDir)
