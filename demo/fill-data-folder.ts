import { reachDatabase } from '../server/connect-database.ts'
import { readConfig } from '../server/platform/config/config.ts'
import { withSecretKey } from '../server/platform/config/secret-key.ts'
import { createHomes } from '../server/platform/database/cluster/homes.ts'
import { startEmbedded } from '../server/platform/database/embedded.ts'
import { openDatabase } from '../server/platform/database/pool.ts'
import { createSecrets } from '../server/platform/database/secrets.ts'
import { createLogger } from '../server/platform/http/logger.ts'
import { createOutbound } from '../server/platform/http/outbound.ts'
import { createJobs } from '../server/platform/jobs/queue.ts'
import type { TurnedClock } from './clock.ts'
import { fillDemo } from './fill.ts'
import type { DemoProviders } from './providers.ts'

/**
 * Ends processes that an interrupted filling may have left running over the folder. Throws `StartRefusal` while a
 * filling is under way.
 */
export async function endFilling(dataDir: string) {
  const { stop } = await startEmbedded({ dataDir, log: createLogger(readConfig(process.env)), test: true })
  await stop()
}

/** Fills the empty DATA_DIR of the environment, with its own PostgreSQL during that time; returns what `fill` does. */
export async function fillDataFolder({
  clock,
  ...given
}: {
  clock: TurnedClock
  standIns: DemoProviders
  now: Date
  onDay: (at: Date) => void
}) {
  const config = readConfig(process.env)
  const log = createLogger(config)
  const { url, stop } = await startEmbedded({ dataDir: config.dataDir, log, test: true })
  try {
    const secrets = await withSecretKey(config, async (key) => createSecrets(key))
    const addresses = await reachDatabase({ config, url, clock, log, secrets })
    const db = openDatabase({ ...addresses, log, clock })
    const outbound = createOutbound({ allowPrivate: false })
    const jobs = createJobs(addresses.directUrl, log)
    try {
      const services = { config, db, homes: createHomes(db), clock, log, secrets, jobs, outbound }
      return await fillDemo({ services, clock, ...given })
    } finally {
      await jobs.stop({ graceful: true, timeout: 5000 })
      await outbound.close()
      await db.close()
    }
  } finally {
    await stop()
  }
}
