import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { turnableClock } from '../../../test/support/app.ts'
import { exported } from '../../../test/support/archives.ts'
import { filledDemo } from '../../../test/support/filled-demo.ts'
import { freshDatabase } from '../../../test/support/postgres.ts'
import { readConfig } from '../../platform/config/config.ts'
import { type Database, transaction } from '../../platform/database/pool.ts'
import { createSecrets } from '../../platform/database/secrets.ts'
import { verifyLedger } from '../../program/stats/verify.ts'
import { verifyPayments } from '../payment-providers/verify-payments.ts'
import { importAccount } from './import-account.ts'
import { fileOf } from './manifest.ts'
import { readLedgerDigest } from './rows.ts'
import { portableTables } from './tables.ts'

const NOW = new Date('2026-11-20T16:00:00Z')

test('the demo: one digest in both installs, as clean by every check, and the same files to the byte', async () => {
  const { db, account } = await filledDemo(NOW)
  const target = await freshDatabase({ clock: turnableClock(NOW) })
  const { path, manifest } = await exported(db, account.id)
  const install = { config: readConfig({}), secrets: createSecrets(randomBytes(32)) }
  const imported = await importAccount(target, install, path)

  assert.equal(imported.ledgerDigest, manifest.ledgerDigest)
  const digestIn = (one: Database) => transaction(one, (tx) => readLedgerDigest(tx, account.id))
  assert.equal(await digestIn(db), manifest.ledgerDigest)
  assert.equal(await digestIn(target), manifest.ledgerDigest)
  assert.deepEqual(await verifyLedger(target), [])
  assert.deepEqual((await verifyPayments(target)).differences, [])

  const again = await exported(target, account.id)
  const differing = portableTables.map(fileOf).filter((file) => {
    const [before, after] = [manifest.files[file]!, again.manifest.files[file]!]
    return before.sha256 !== after.sha256
  })
  // an owner was invited, keys are gone, automatic payouts are off, and it is on record
  assert.deepEqual(differing, [
    'accounts.csv',
    'invitations.csv',
    'provider_connections.csv',
    'payout_accounts.csv',
    'events.csv',
  ])
})
