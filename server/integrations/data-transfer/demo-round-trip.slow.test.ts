import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { workOff } from '../../../demo/drain-jobs.ts'
import { turnableClock } from '../../../test/support/app.ts'
import { exportArchive } from '../../../test/support/archives.ts'
import { filledDemo } from '../../../test/support/filled-demo.ts'
import { freshDatabase } from '../../../test/support/postgres.ts'
import { clocks } from '../../clocks.ts'
import { readConfig } from '../../platform/config/config.ts'
import { type Database, transaction } from '../../platform/database/pool.ts'
import { createSecrets } from '../../platform/database/secrets.ts'
import { createJobs } from '../../platform/jobs/queue.ts'
import type { Services } from '../../platform/services.ts'
import { verifyLedger } from '../../program/stats/verify.ts'
import { verifyPayments } from '../payment-providers/verify-payments.ts'
import { importAccount } from './import-account.ts'
import { exportFileName } from './manifest.ts'
import { readLedgerDigest } from './rows.ts'
import { listPortableTables } from './tables.ts'

const NOW = new Date('2026-11-20T16:00:00Z')

const demo = await filledDemo(NOW)
const { db, account } = demo
const target = await freshDatabase({ clock: turnableClock(NOW) })
const { path, manifest } = await exportArchive(db, account.id)
/** Server for all external calls. */
const outside = await countingServer()
const there = await servicesOn(target)
const imported = await importAccount(target, there, path)

async function countingServer() {
  let requestCount = 0
  const server = createServer((_, answer) => {
    requestCount++
    answer.writeHead(500).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  after(() => server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked: () => requestCount }
}

async function servicesOn(one: Database): Promise<Services> {
  const { services, dataDir } = demo
  const config = readConfig({
    DATA_DIR: dataDir,
    WISE_API_URL: outside.url,
    STRIPE_API_URL: outside.url,
    PAYPAL_API_URL: outside.url,
    ALLOW_PRIVATE_WEBHOOK_TARGETS: '1',
    FX_RATES_URL: 'http://127.0.0.1:9/no-rates.xml',
  })
  const jobs = createJobs(one.url, services.log)
  after(() => jobs.stop({ graceful: false }))
  return { ...services, db: one, clock: one.clock, config, jobs, secrets: createSecrets(randomBytes(32)) }
}

test('the demo has one digest in both installs, passes every check in both, and exports identical files', async () => {
  assert.equal(imported.ledgerDigest, manifest.ledgerDigest)
  const digestIn = (one: Database) => transaction(one, (tx) => readLedgerDigest(tx, account.id))
  assert.equal(await digestIn(db), manifest.ledgerDigest)
  assert.equal(await digestIn(target), manifest.ledgerDigest)
  assert.deepEqual(await verifyLedger(target), [])
  assert.deepEqual((await verifyPayments(target)).differences, [])

  const again = await exportArchive(target, account.id)
  const differing = listPortableTables()
    .map(exportFileName)
    .filter((file) => {
      const [before, after] = [manifest.files[file]!, again.manifest.files[file]!]
      return before.sha256 !== after.sha256
    })
  // an owner was invited, keys are gone, automatic payouts and webhooks are off, waiting messages are never sent, and
  // it is recorded; a partner who signed a tax form here signs another there
  assert.deepEqual(differing.toSorted(), [
    'accounts.csv',
    'events.csv',
    'incoming_webhooks.csv',
    'invitations.csv',
    'outgoing_deliveries.csv',
    'outgoing_webhooks.csv',
    'partners.csv',
    'payout_accounts.csv',
    'provider_connections.csv',
  ])
})

test('nothing in progress resumes on its own: no payout is sent, no provider called, no one notified', async () => {
  const moving = await target.many<{ status: string }>`
    select distinct status from payouts where status in ('approved', 'processing', 'awaiting-funding', 'sent') order by 1`
  assert.deepEqual(
    moving.map(({ status }) => status),
    ['approved', 'awaiting-funding', 'processing', 'sent'],
  )
  for (const { run } of Object.values(clocks)) await run(there)
  await workOff(there)
  assert.equal(outside.asked(), 0)
  const { sent } = await target.one<{ sent: number }>`
    select count(*) as sent from outgoing_deliveries where next_at is not null`
  assert.equal(sent, 0)
  const attempts = (one: Database) =>
    one.many`
      select payout_id, number, state, transfer_id from payout_attempts
      where account_id = ${account.id} order by 1, 2`
  assert.deepEqual(await attempts(target), await attempts(db))
  assert.deepEqual(await verifyLedger(target), [])
})
