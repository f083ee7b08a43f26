import './tables.ts'
import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Logger } from 'pino'
import { type Config, configError } from './platform/config/config.ts'
import type { DatabaseAddress } from './platform/database/connection-settings.ts'
import type { MigrationProgress } from './platform/database/migrate.ts'
import { type Clock, isDatabaseAway, openDatabase, transaction } from './platform/database/pool.ts'
import type { Secrets } from './platform/database/secrets.ts'
import { isInTheClear } from './platform/database/transport.ts'
import { notReached, refusalOfAddress } from './platform/database/wrong-address.ts'
import { type Addresses, type BeforeMigrating, prepareDatabase } from './prepare-database.ts'

type Given = Pick<Config, 'databaseUrl' | 'databaseDirectUrl'>
type Options = {
  config: Given & Pick<Config, 'databasePooling'>
  url: string
  clock: Clock
  log: Logger
  secrets: Secrets
  before?: BeforeMigrating
  tell?: (progress: MigrationProgress) => void
}

/** Reaches the database at `url`, the operator's or the embedded one, and prepares it for serving. */
export async function reachDatabase({ config, url, ...services }: Options): Promise<Addresses> {
  const { log } = services
  const isGiven = config.databaseUrl !== null
  const directUrl = isGiven ? await findDirectUrl(config, log) : url
  const main = { url: config.databaseUrl ?? url, pooling: config.databasePooling }
  if (config.databaseDirectUrl !== null) {
    await signIn('DATABASE_URL', main, log)
    await whenReachable('DATABASE_URL', main.url, log, () => requireOneDatabase(main, directUrl, log))
  }
  for (const variable of inTheClear(config))
    log.warn(
      { variable },
      'the database is reached on another machine without TLS: end its address in ?sslmode=verify-full, or in ?sslmode=disable where nobody else is on the network',
    )
  return whenReachable(isGiven ? 'DATABASE_URL' : null, url, log, () =>
    prepareDatabase({ addresses: { ...main, directUrl }, given: isGiven, ...services }),
  )
}

/** Returns the variables whose address leads to another machine without TLS. */
export const inTheClear = ({ databaseUrl, databaseDirectUrl, databaseReplicaUrl }: Given & Partial<Config>) =>
  Object.entries({
    DATABASE_URL: databaseUrl,
    DATABASE_DIRECT_URL: databaseDirectUrl,
    DATABASE_REPLICA_URL: databaseReplicaUrl,
  }).flatMap(([variable, url]) => (url && isInTheClear(url) ? [variable] : []))

/** Refuses addresses of different databases. */
async function requireOneDatabase(main: DatabaseAddress, directUrl: string, log: Logger) {
  if (!(await areOneDatabase(main, directUrl, log)))
    throw configError(
      'DATABASE_DIRECT_URL',
      'the address of another database than DATABASE_URL leads to',
      'that of the same one',
    )
}

/**
 * Returns the operator's address for features bound to a connection, once it responds: notifications, the job queue,
 * changes of the schema, exports.
 */
export async function findDirectUrl({ databaseUrl, databaseDirectUrl }: Given, log: Logger): Promise<string> {
  const [variable, url] = databaseDirectUrl
    ? ['DATABASE_DIRECT_URL', databaseDirectUrl]
    : ['DATABASE_URL', databaseUrl!]
  await signIn(variable!, { url, pooling: 'session' }, log)
  return url
}

/** Signs in once the address responds. Refuses an address at which the host turns the role away, in its words. */
const signIn = (variable: string, address: DatabaseAddress, log: Logger) =>
  whenReachable(variable, address.url, log, async () => {
    const db = openDatabase({ ...address, log, max: 1 })
    await db.one`select 1`.finally(db.close).catch((error) => {
      throw error instanceof pg.DatabaseError && !isDatabaseAway(error)
        ? notReached(variable, address.url, error)
        : error
    })
  })

/** Whether a lock through one address is visible through the other: locks are per database. */
export async function areOneDatabase(main: DatabaseAddress, directUrl: string, log: Logger): Promise<boolean> {
  const [here, there] = [openDatabase({ ...main, log, max: 1 }), openDatabase({ url: directUrl, log, max: 1 })]
  const key = randomInt(2 ** 47)
  try {
    return await transaction(there, async (tx) => {
      await tx.run`select pg_advisory_xact_lock(${key}::bigint)`
      return !(await here.value<boolean>`select pg_try_advisory_xact_lock(${key}::bigint)`)
    })
  } finally {
    await Promise.all([here.close(), there.close()])
  }
}

/** Milliseconds to wait for an unavailable database, which may be starting too. */
const PATIENCE_MS = 30_000
/** Runs `work` once the database of `url` responds; if it never does, refuses the variable with its address. */
async function whenReachable<T>(variable: string | null, url: string, log: Logger, work: () => Promise<T>): Promise<T> {
  const until = Date.now() + PATIENCE_MS
  for (let tries = 1; ; tries++) {
    try {
      return await work()
    } catch (thrown) {
      const error = thrown as Error & { code?: string }
      const refusal = variable && refusalOfAddress(variable, url, error)
      if (refusal) throw refusal
      if (!isDatabaseAway(error)) throw error
      if (Date.now() > until) throw variable ? notReached(variable, url, error) : error
      if (variable && tries === 1)
        log.warn({ error: error.message || error.code }, `the database of ${variable} is waited for`)
    }
    await sleep(250)
  }
}
