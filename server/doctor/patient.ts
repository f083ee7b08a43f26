import { stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { type Config, findMisspelled, readAll } from '../platform/config/config.ts'
import { namedApart } from '../platform/config/database-address.ts'
import { findKeptKey } from '../platform/config/secret-key.ts'
import { StartRefusal } from '../platform/config/start-refusal.ts'
import { attachEmbedded, findEmbedded } from '../platform/database/embedded.ts'
import { isDatabaseKey } from '../platform/database/key-check.ts'
import { pendingMigrations } from '../platform/database/migrate.ts'
import { type Clock, type Database, openDatabase } from '../platform/database/pool.ts'
import { createSecrets, type Secrets } from '../platform/database/secrets.ts'
import { shapeForTls } from '../platform/database/transport.ts'
import { refusalOfAddress } from '../platform/database/wrong-address.ts'
import { silent } from '../platform/http/logger.ts'
import { createOutbound, type Outbound } from '../platform/http/outbound.ts'
import { lazyValue } from '../platform/lazy-value.ts'

/** Thrown by a check's prerequisite if another check reports its fault. */
export class NotToBeSeen extends Error {}

type Environment = Record<string, string | undefined>
/** `filesLeft`: number of files that can be created; undefined on file systems without a limit. */
type Space = { free: number; total: number; filesLeft?: number | undefined }

/** An install to examine, even if broken. Resources that several checks need are opened once, by the first. */
export type Patient = {
  /** Without the invalid variables. */
  config: Config
  /** Faults of the variables, in the start's own words, by name. */
  wrong: Map<string, string>
  /** Names similar to one of ours, with that one. */
  misspelt: ReturnType<typeof findMisspelled>
  clock: Clock
  outbound: Outbound
  /** Throws `NotToBeSeen` if one of these variables is invalid: checks that depend on it would mislead. */
  needs(...variables: string[]): void
  /** Throws the reason that it cannot be opened. */
  openDatabase(): Promise<Database>
  /** Returns the database if it responds and has this release's schema; else throws `NotToBeSeen`. */
  database(): Promise<Database>
  /** Returns the key of the database; throws `NotToBeSeen` if there is none. */
  secrets(): Promise<Secrets>
  /** Returns bytes and files of the folder's file system. */
  spaceOf(folder: string): Promise<Space>
  /** Closes the opened resources. */
  leave(): Promise<void>
}

/** Creates the patient. Clock and disk are arguments for tests. */
export function meetPatient(
  env: Environment,
  { clock, spaceOf = readSpace }: { clock: Clock; spaceOf?: Patient['spaceOf'] },
): Patient {
  const { config, wrong } = readAll(env)
  const outbound = createOutbound({ allowPrivate: config.allowPrivateWebhookTargets })
  const closing: (() => Promise<void>)[] = [outbound.close]
  const needs = (...variables: string[]) => {
    const name = variables.find((variable) => wrong.has(variable))
    if (name) throw new NotToBeSeen(`It needs ${name}, which is invalid.`)
  }
  const openOnce = lazyValue(async () => {
    needs('DATABASE_URL', 'PROCESS_ROLE')
    return open(config, clock, closing)
  })
  const database = lazyValue(async () => {
    const db = await openOnce().catch((error) => {
      throw error instanceof NotToBeSeen ? error : new NotToBeSeen('The database can’t be opened.')
    })
    const pending = await pendingMigrations(db).catch((error) => {
      if (error instanceof StartRefusal) return null
      throw new NotToBeSeen('The schema of the database couldn’t be read.')
    })
    if (pending?.length !== 0) throw new NotToBeSeen('The database isn’t at this release.')
    return db
  })
  const secrets = lazyValue(async () => {
    needs('SECRET_KEY')
    const db = await database()
    const key = config.secretKey ?? (await findKeptKey(config.dataDir, 'present').catch(() => null))
    const secrets = key && createSecrets(key)
    if (!secrets || !(await isDatabaseKey(db, secrets))) throw new NotToBeSeen('The key doesn’t match the database.')
    return secrets
  })
  const leave = async () => {
    for (const close of closing.reverse()) await close().catch(() => {})
  }
  return {
    config,
    wrong,
    misspelt: findMisspelled(env),
    clock,
    outbound,
    needs,
    openDatabase: openOnce,
    database,
    secrets,
    spaceOf,
    leave,
  }
}

async function open(config: Config, clock: Clock, closing: (() => Promise<void>)[]) {
  const named = namedApart()
  const { databaseUrl, databaseDirectUrl } = config
  const variable = databaseDirectUrl ? 'DATABASE_DIRECT_URL' : 'DATABASE_URL'
  const url = named(databaseDirectUrl ?? databaseUrl ?? (await embeddedUrl(config.dataDir, closing)))
  const db = openDatabase({ url, log: silent, clock, max: 4 })
  closing.push(db.close)
  await db.one`select 1`.catch((error) => {
    throw shapeForTls(error) ? refusalOfAddress(variable, url, error) : error
  })
  return db
}

/** Returns the address of the running embedded database, or starts it for the examination. Creates none. */
async function embeddedUrl(dataDir: string, closing: (() => Promise<void>)[]) {
  const running = await findEmbedded(dataDir).catch(() => null)
  if (running) return running
  const files = await stat(join(dataDir, 'postgres')).catch(() => null)
  if (!files) throw new NotToBeSeen('There is no database yet: the first start creates it.')
  const embedded = await attachEmbedded({ dataDir, log: silent })
  closing.push(embedded.stop)
  return embedded.url
}

async function readSpace(folder: string): Promise<Space> {
  const { bavail, blocks, bsize, files, ffree } = await statfs(folder)
  return { free: bavail * bsize, total: blocks * bsize, filesLeft: files > 0 ? ffree : undefined }
}
