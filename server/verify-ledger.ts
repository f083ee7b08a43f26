import { parseArgs } from 'node:util'
import { pino } from 'pino'
import { verifyPayments } from './integrations/payment-providers/verify-payments.ts'
import { type Config, readConfig } from './platform/config/config.ts'
import { readSecretKey } from './platform/config/secret-key.ts'
import { StartRefusal } from './platform/config/start-refusal.ts'
import { attachEmbedded } from './platform/database/embedded.ts'
import { type Database, openDatabase, transaction } from './platform/database/pool.ts'
import { createSecrets } from './platform/database/secrets.ts'
import { createOutbound } from './platform/http/outbound.ts'
import { countInWords } from './platform/in-words.ts'
import type { Carrier } from './program/payouts/methods/method.ts'
import { methods } from './program/payouts/methods/registry.ts'
import { type Difference, verified, verifyLedger } from './program/stats/verify.ts'

// npm run verify-ledger: beside the running server or without it. With `--` and the name of a payout method that pays by
// itself, it also reads what that method has paid of late back. Exit 1 and the differences where there are any; 2 where
// only that could not be read.

const log = pino({ level: 'silent' })
const say = (line: string) => process.stdout.write(`${line}\n`)

async function verifyBooks(db: Database): Promise<Difference[]> {
  const { found, compared } = await transaction(db, async (tx) => {
    await tx.run`set transaction isolation level repeatable read, read only`
    await tx.run`set local statement_timeout = 0`
    const ledger = await verifyLedger(tx)
    const payments = await verifyPayments(tx)
    return { found: [...ledger, ...payments.differences], compared: payments.compared }
  })
  if (found.length === 0)
    say(
      `The ledger agrees with itself: ${verified.length} checks, and ${countInWords(compared, 'payment')} of providers read again.`,
    )
  return found
}

/** Answers the differences and whether every account could be read. */
async function verifyPaid({ label, verify }: Carrier, db: Database, config: Config) {
  const outbound = createOutbound({ allowPrivate: config.allowPrivateWebhookTargets })
  try {
    const secrets = createSecrets(await readSecretKey(config))
    const { differences, compared, unread } = await verify({ db, config, outbound, secrets })
    say(`${label}: ${countInWords(compared, 'transfer')} read back.`)
    for (const { accountId, reason } of unread) say(`${label} could not be read for account ${accountId}: ${reason}`)
    return { differences, whole: unread.length === 0 }
  } finally {
    await outbound.close()
  }
}

try {
  const carriers = methods.flatMap(({ name, carrier }) => (carrier ? [{ name, carrier }] : []))
  const options = Object.fromEntries(carriers.map(({ name }) => [name, { type: 'boolean' as const }]))
  const { values } = parseArgs({ options })
  const config = readConfig(process.env)
  const embedded = config.databaseUrl ? null : await attachEmbedded({ dataDir: config.dataDir, log })
  const db = openDatabase({ url: config.databaseUrl ?? embedded!.url, log, max: 1 })
  try {
    const differences = await verifyBooks(db)
    const paid = []
    for (const { name, carrier } of carriers) if (values[name]) paid.push(await verifyPaid(carrier, db, config))
    const all = [...differences, ...paid.flatMap((one) => one.differences)]
    for (const { check, subject, expected, actual } of all)
      say(`${check}: ${subject}\n  expected ${expected}\n  actual   ${actual}`)
    if (all.length > 0) say(`${countInWords(all.length, 'difference')}.`)
    process.exitCode = all.length > 0 ? 1 : paid.every(({ whole }) => whole) ? 0 : 2
  } finally {
    await db.close()
    await embedded?.stop()
  }
} catch (error) {
  const expected = error instanceof StartRefusal
  process.stderr.write(`${expected ? error.message : ((error as Error).stack ?? error)}\n`)
  process.exitCode = 1
}
