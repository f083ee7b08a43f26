import { pino } from 'pino'
import { attachEmbedded } from './database/embedded.ts'
import { openDatabase, transaction } from './database/pool.ts'
import { readConfig } from './http/config.ts'
import { StartRefusal } from './start-refusal.ts'
import { verified, verifyLedger } from './stats/verify.ts'

// npm run verify-ledger: beside the running server or without it. Exit 1 and the differences where there are any.

const log = pino({ level: 'silent' })
const say = (line: string) => process.stdout.write(`${line}\n`)

try {
  const config = readConfig(process.env)
  const embedded = config.databaseUrl ? null : await attachEmbedded({ dataDir: config.dataDir, log })
  const db = openDatabase({ url: config.databaseUrl ?? embedded!.url, log, max: 1 })
  try {
    const differences = await transaction(db, async (tx) => {
      await tx.run`set transaction isolation level repeatable read, read only`
      await tx.run`set local statement_timeout = 0`
      return verifyLedger(tx)
    })
    for (const { check, subject, expected, actual } of differences)
      say(`${check}: ${subject}\n  expected ${expected}\n  actual   ${actual}`)
    say(
      differences.length === 0
        ? `The ledger agrees with itself: ${verified.length} checks.`
        : `${differences.length} ${differences.length === 1 ? 'difference' : 'differences'}.`,
    )
    if (differences.length > 0) process.exitCode = 1
  } finally {
    await db.close()
    await embedded?.stop()
  }
} catch (error) {
  const expected = error instanceof StartRefusal
  process.stderr.write(`${expected ? error.message : ((error as Error).stack ?? error)}\n`)
  process.exitCode = 1
}
