import { parseArgs } from 'node:util'
import { pino } from 'pino'
import { openDatabase } from '../server/platform/database/pool.ts'
import { deliveryLives } from './support/delivery-commands.ts'
import { incomingLives } from './support/incoming-commands.ts'
import { leadLives, visitorLives } from './support/lead-commands.ts'
import { ownClock } from './support/ledger.ts'
import { ledgerLives } from './support/ledger-runs.ts'
import type { ModelTest } from './support/model-test.ts'
import { paydayLives } from './support/payday-commands.ts'
import { payoutLives, paypalLives } from './support/payout-commands.ts'
import { paypalRestoreLives } from './support/paypal-restore-commands.ts'
import { createTestDatabase } from './support/postgres.ts'
import { restoreLives } from './support/restore-commands.ts'
import { saleLives } from './support/sale-commands.ts'
import { voidedLives } from './support/voided-commands.ts'

// Plays random lives, one after the other: `npm run test:fuzz -- --model payouts --runs 1000 --seed 1`. A life that goes
// wrong is printed with its seed, which with `--runs 1` is played again. `--payees` sets the number of payees on a
// payday.

const { values } = parseArgs({
  options: {
    model: { type: 'string' },
    payees: { type: 'string', default: '30' },
    runs: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
  },
})
const all: Record<string, ModelTest> = {
  ledger: ledgerLives,
  payouts: payoutLives,
  paypal: paypalLives,
  payday: paydayLives(Number(values.payees)),
  restores: restoreLives,
  'paypal-restores': paypalRestoreLives,
  sales: saleLives,
  deliveries: deliveryLives,
  incoming: incomingLives,
  leads: leadLives,
  visitors: visitorLives,
  voided: voidedLives,
}

const names = values.model?.split(',') ?? Object.keys(all)
const [runs, firstSeed] = [Number(values.runs), Number(values.seed)]
const unknown = names.find((name) => !all[name])
if (unknown || !(Number(values.payees) > 0) || !(runs > 0) || !Number.isInteger(firstSeed)) {
  process.stderr.write(
    `--model takes ${Object.keys(all).join(', ')}; --runs, --seed and --payees take whole numbers.\n`,
  )
  process.exit(1)
}

const printLine = (line: string) => process.stdout.write(`${line}\n`)
/** Lives per database: it grows with them, and lookups slow down. */
const PER_DATABASE = 50

/** Plays these seeds on one database; returns the number of failures. */
async function liveOn(lives: ModelTest, seeds: number[]): Promise<number> {
  const { url, drop } = await createTestDatabase()
  const db = openDatabase({ url, log: pino({ level: 'silent' }), clock: ownClock, max: 10 })
  const { live, end } = await lives.begin(db)
  let wrong = 0
  for (const seed of seeds)
    await live(seed).catch((error: Error) => {
      wrong++
      printLine(error.message)
    })
  await end()
  await db.close()
  await drop()
  return wrong
}

let failed = false
for (const name of names) {
  let wrong = 0
  for (let lived = 0; lived < runs; lived += PER_DATABASE) {
    const seeds = Array.from({ length: Math.min(PER_DATABASE, runs - lived) }, (_, index) => firstSeed + lived + index)
    wrong += await liveOn(all[name]!, seeds)
    printLine(`${name}: ${lived + seeds.length} of ${runs} lives, ${wrong} wrong`)
  }
  failed ||= wrong > 0
}
process.exit(failed ? 1 : 0)
