import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { exportArchive } from '../../../test/support/archives.ts'
import { ledgerServices, ownClock } from '../../../test/support/ledger.ts'
import { runSteps } from '../../../test/support/ledger-commands.ts'
import { anyStart, arbitraryCommands } from '../../../test/support/ledger-runs.ts'
import { numberOfRuns } from '../../../test/support/model-test.ts'
import { freshDatabase } from '../../../test/support/postgres.ts'
import { type Database, transaction } from '../../platform/database/pool.ts'
import { verifyLedger } from '../../program/stats/verify.ts'
import { importAccount } from './import-account.ts'
import { readLedgerDigest } from './rows.ts'

// A failure prints its seed.
const SEED = 20_261_121
const LIVES = numberOfRuns(40)

test('the money of random histories is unchanged after a move, in every payout state', async () => {
  const db = await freshDatabase({ clock: ownClock })
  const target = await freshDatabase({ clock: ownClock })
  const services = ledgerServices(db)
  await fc.assert(
    fc.asyncProperty(anyStart, arbitraryCommands, (begun, events) => runSteps(services, begun, events)),
    { seed: SEED, numRuns: LIVES },
  )
  const accounts = await db.many<{ id: string }>`select id from accounts order by id`
  assert.equal(accounts.length, LIVES)
  const digestIn = (one: Database, id: string) => transaction(one, (tx) => readLedgerDigest(tx, id))
  for (const { id } of accounts) {
    const { path, manifest } = await exportArchive(db, id)
    await importAccount(target, services, path)
    assert.equal(await digestIn(target, id), manifest.ledgerDigest, id)
  }
  assert.deepEqual(await verifyLedger(target), [])
  const tally = (one: Database) => one.many`
    select (select jsonb_object_agg(status, n) from (select status, count(*) as n from payouts group by 1) p) as payouts,
      (select jsonb_object_agg(kind, n) from (select kind, sum(amount) as n from commission_entries group by 1) e) as entries,
      (select jsonb_object_agg(stage, n) from (select stage, count(*) as n from payout_attempts group by 1) a) as attempts,
      (select sum(revenue) from total_stats) as revenue`
  assert.deepEqual(await tally(target), await tally(db))
  await services.outbound.close()
})
