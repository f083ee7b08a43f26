import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { type Config, wrong } from './platform/config/config.ts'
import { isWrongAddress } from './platform/database/ask-hosts.ts'
import type { MigrationProgress } from './platform/database/migrate.ts'
import { type Clock, type Database, isDatabaseAway, openDatabase, transaction } from './platform/database/pool.ts'
import { type DatabaseAddress, findPooling } from './platform/database/pooling.ts'
import type { Secrets } from './platform/database/secrets.ts'
import { isInTheClear, shapeForTls } from './platform/database/transport.ts'
import { type Addresses, type BeforeMigrating, prepareDatabase } from './prepare-database.ts'

type Given = Pick<Config, 'databaseUrl' | 'databaseDirectUrl'>
type Options = {
  config: Given
  url: string
  clock: Clock
  log: Logger
  secrets: Secrets
  before?: BeforeMigrating
  tell?: (progress: MigrationProgress) => void
}

/** Finds the addresses of the database at `url`, the operator's or the embedded one, and prepares it for serving. */
export async function reachDatabase({ config, url, ...services }: Options): Promise<Addresses> {
  const itself: DatabaseAddress = { url, pooling: 'none' }
  const isGiven = config.databaseUrl !== null
  const addresses = isGiven ? await findAddresses(config, services.log) : { ...itself, direct: itself }
  for (const variable of inTheClear(config))
    services.log.warn(
      { variable },
      'the database is reached on another machine without TLS: end its address in ?sslmode=verify-full, or in ?sslmode=disable where nobody else is on the network',
    )
  return whenReachable(isGiven ? 'DATABASE_URL' : null, url, services.log, () =>
    prepareDatabase({ addresses, given: isGiven, ...services }),
  )
}

/** Returns the variables whose address leads to another machine without TLS. */
export const inTheClear = ({ databaseUrl, databaseDirectUrl, databaseReplicaUrl }: Given & Partial<Config>) =>
  Object.entries({
    DATABASE_URL: databaseUrl,
    DATABASE_DIRECT_URL: databaseDirectUrl,
    DATABASE_REPLICA_URL: databaseReplicaUrl,
  }).flatMap(([variable, url]) => (url && isInTheClear(url) ? [variable] : []))

/** Returns the addresses. Refuses two that lead to different databases. */
async function findAddresses(config: Given, log: Logger): Promise<Addresses> {
  const direct = await findDirectAddress(config, log)
  if (config.databaseDirectUrl === null) return { ...direct, direct }
  const main = await findAddress('DATABASE_URL', config.databaseUrl!, log)
  if (!(await areOneDatabase(main, direct, log)))
    throw wrong(
      'DATABASE_DIRECT_URL',
      'the address of another database than DATABASE_URL leads to',
      'that of the same one',
    )
  return { ...main, direct }
}

/**
 * Returns the operator's address for features bound to a connection: notifications, the job queue, changes of the
 * schema, exports.
 * Refuses: a pooler in transaction mode.
 */
export async function findDirectAddress(
  { databaseUrl, databaseDirectUrl }: Given,
  log: Logger,
  find = findAddress,
): Promise<DatabaseAddress> {
  const direct = databaseDirectUrl
    ? await find('DATABASE_DIRECT_URL', databaseDirectUrl, log)
    : await find('DATABASE_URL', databaseUrl!, log)
  if (direct.pooling !== 'transaction') return direct
  const pooler = 'a connection pooler in transaction mode'
  throw databaseDirectUrl
    ? wrong('DATABASE_DIRECT_URL', `the address of ${pooler}`, 'that of PostgreSQL itself')
    : wrong(
        'DATABASE_DIRECT_URL',
        'nothing',
        `the address of PostgreSQL itself, because DATABASE_URL leads to ${pooler}`,
      )
}

/** Returns the server at an address, waiting for it. Refuses: a pooler in statement mode. */
const findAddress = (variable: string, url: string, log: Logger): Promise<DatabaseAddress> =>
  whenReachable(variable, url, log, () => findAddressNow(variable, url, log))

/** Like `findAddress`, without waiting. */
export async function findAddressNow(variable: string, url: string, log: Logger): Promise<DatabaseAddress> {
  const found = await findPooling(url).catch((error) => {
    const shape = shapeForTls(error)
    throw shape ? wrong(variable, `${url.length} characters`, shape) : error
  })
  if (found.pooling === 'statement')
    throw wrong(
      variable,
      'the address of a connection pooler in statement mode, which knows no transactions',
      'that of PostgreSQL itself, or of a pooler in transaction mode',
    )
  if (found.pooling !== 'none') log.info({ variable, ...found }, 'the database is reached through a connection pooler')
  return { url, ...found }
}

/** Whether a lock through one address is visible through the other: locks are per database. */
export async function areOneDatabase(main: DatabaseAddress, direct: DatabaseAddress, log: Logger): Promise<boolean> {
  const open = (address: DatabaseAddress): Database => openDatabase({ ...address, log, max: 1 })
  const [here, there] = [open(main), open(direct)]
  const key = randomInt(2 ** 47)
  try {
    return await transaction(there, async (tx) => {
      await tx.run`select pg_advisory_xact_lock(${key}::bigint)`
      const { free } = await here.one<{ free: boolean }>`select pg_try_advisory_xact_lock(${key}::bigint) as free`
      return !free
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
    } catch (error) {
      const { code = '', message } = error as { code?: string; message: string }
      const final = isWrongAddress({ code, message }) || (isDatabaseAway(error) && Date.now() > until)
      const shape = `the address of a PostgreSQL that answers, not: ${message || code}`
      if (final && variable) throw wrong(variable, `${url.length} characters`, shape)
      if (final || !isDatabaseAway(error)) throw error
      if (variable && tries === 1) log.warn({ error: message || code }, `the database of ${variable} is waited for`)
    }
    await sleep(250)
  }
}
