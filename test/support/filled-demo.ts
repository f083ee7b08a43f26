import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { pino } from 'pino'
import { turnedClock } from '../../demo/clock.ts'
import { fillDemo } from '../../demo/fill.ts'
import { providerSettings, startStandIns } from '../../demo/providers.ts'
import { readConfig } from '../../server/platform/config/config.ts'
import { createHomes } from '../../server/platform/database/cluster/homes.ts'
import { createSecrets } from '../../server/platform/database/secrets.ts'
import { createOutbound } from '../../server/platform/http/outbound.ts'
import { createJobs } from '../../server/platform/jobs/queue.ts'
import type { Services } from '../../server/platform/services.ts'
import { type AccountFacts, accountFacts } from '../../server/program/access/account-facts.ts'
import { freshDatabase } from './postgres.ts'

/** A small demo on its own database: all of the scripted part, and a fraction of the rest. */
export async function filledDemo(now: Date) {
  const clock = turnedClock()
  const db = await freshDatabase({ clock })
  const log = pino({ level: 'silent' })
  const standIns = await startStandIns({ clock })
  const dataDir = await mkdtemp(join(tmpdir(), 'tributary-demo-'))
  const config = readConfig({ DATA_DIR: dataDir, ...providerSettings(standIns) })
  const jobs = createJobs(db.url, log)
  const outbound = createOutbound({ allowPrivate: false })
  const homes = createHomes(db)
  const services: Services = { config, db, homes, clock, log, secrets: createSecrets(randomBytes(32)), jobs, outbound }
  after(async () => {
    await jobs.stop({ graceful: false })
    await outbound.close()
    await standIns.close()
    await rm(dataDir, { recursive: true, force: true })
  })
  await fillDemo({ services, clock, standIns, now, scale: 0.03 })
  const account = await db.one<AccountFacts>`select ${accountFacts} from accounts a where a.name = 'Harbor Analytics'`
  return { services, db, account, standIns, dataDir }
}
