import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { turnedClock } from '../../demo/clock.ts'
import { fillDemo } from '../../demo/fill.ts'
import { providerSettings, startStandIns } from '../../demo/providers.ts'
import { PASSPHRASE, signIns } from '../../demo/sign-ups.ts'
import { readConfig } from '../../server/platform/config/config.ts'
import { createHomes } from '../../server/platform/database/cluster/homes.ts'
import { type Database, openDatabase } from '../../server/platform/database/pool.ts'
import { createSecrets } from '../../server/platform/database/secrets.ts'
import { createOutbound } from '../../server/platform/http/outbound.ts'
import { createJobs } from '../../server/platform/jobs/queue.ts'
import { type Site, startSite } from './journey.ts'
import { createTestDatabase } from './postgres.ts'

export type DemoSite = { site: Site; owner: Person; partner: Person; administrator: Person; end(): Promise<void> }
type Person = { email: string; password: string }

const as = (email: string): Person => ({ email, password: PASSPHRASE })

type Options = {
  /** Part of the unscripted activity; the scripted part is always whole. */ scale: number
  after?: (db: Database) => Promise<unknown>
}

/** The product with the demo's account, and with the changes that `after` makes to its database. */
export async function startDemoSite({ scale, after }: Options): Promise<DemoSite> {
  const clock = turnedClock()
  const standIns = await startStandIns({ clock })
  const folder = await mkdtemp(join(tmpdir(), 'tributary-demo-site-'))
  const database = await createTestDatabase()
  const key = randomBytes(32)
  const providers = providerSettings(standIns)
  await fillDatabase()
  clock.release()
  const site = await startSite({
    ...providers,
    DATABASE_URL: database.url,
    SECRET_KEY: key.toString('base64'),
    DATA_DIR: join(folder, 'data'),
  })

  async function fillDatabase() {
    const log = pino({ level: 'silent' })
    const db = openDatabase({ url: database.url, log, max: 10, clock })
    const config = readConfig({ DATA_DIR: join(folder, 'data'), ...providers })
    const jobs = createJobs(database.url, log)
    const outbound = createOutbound({ allowPrivate: false })
    const services = { config, db, homes: createHomes(db), clock, log, secrets: createSecrets(key), jobs, outbound }
    await fillDemo({ services, clock, standIns, now: new Date(), scale })
    await after?.(db)
    await jobs.stop({ graceful: false })
    await outbound.close()
    await db.close()
  }

  return {
    site,
    owner: as('elena@harbor.example'),
    partner: as('jane@whitfield.example'),
    administrator: as(signIns[0].email),
    async end() {
      await site.end()
      await standIns.close()
      await database.drop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
