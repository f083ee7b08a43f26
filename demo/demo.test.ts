import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { pino } from 'pino'
import { createSecrets } from '../server/database/secrets.ts'
import { readConfig } from '../server/http/config.ts'
import { createOutbound } from '../server/http/outbound.ts'
import { createJobs, createQueues } from '../server/jobs/queue.ts'
import type { Services } from '../server/services.ts'
import { verifyLedger } from '../server/stats/verify.ts'
import { freshDatabase } from '../test/support/postgres.ts'
import { turnedClock } from './clock.ts'
import { fill } from './fill.ts'
import { startStandIns } from './stand-ins.ts'

const NOW = new Date('2026-11-20T16:00:00Z')
const SCALE = 0.06

/** A filled database, and how to clear up after it. */
async function filled() {
  const clock = turnedClock()
  const db = await freshDatabase({ clock })
  const log = pino({ level: 'silent' })
  const standIns = await startStandIns({ clock })
  const dataDir = await mkdtemp(join(tmpdir(), 'tributary-demo-'))
  const plain = readConfig({ DATA_DIR: dataDir, WISE_API_URL: standIns.wise.url, STRIPE_API_URL: standIns.stripe.url })
  const jobs = createJobs(db.url, log)
  await jobs.boss.start()
  await createQueues(jobs.boss)
  const outbound = createOutbound({ allowPrivate: false })
  const secrets = createSecrets(randomBytes(32))
  const services: Services = { config: plain, db, clock, log, secrets, jobs, outbound }
  after(async () => {
    await jobs.boss.stop({ graceful: false })
    await outbound.close()
    await standIns.close()
    await rm(dataDir, { recursive: true, force: true })
  })
  await fill({ services, clock, standIns, now: NOW, scale: SCALE })
  if (process.env.LOOK)
    for (const [name, q] of Object.entries({
      p: 'select status,method,count(*),sum(amount) from payouts group by 1,2 order by 1',
      l: 'select status,source,count(*) from leads group by 1,2 order by 1',
      s: 'select status,provider,count(*),sum(account_amount) from sales group by 1,2',
      c: 'select count(*) from clicks',
      r: 'select kind,status,count(*) from refunds group by 1,2',
      a: 'select a.name,t.* from total_stats t join accounts a on a.id=t.account_id where partner_id::text like $$00000000%$$ and blueprint_id::text like $$00000000%$$',
    }))
      console.log(name, (await db.pool.query(q)).rows)
  return services
}

const demo = await filled()

test('the ledger of the demo agrees with itself', async () => {
  assert.deepEqual(await verifyLedger(demo.db), [])
})
