import { Email } from '#contract/values.ts'
import { findDirectUrl } from '../connect-database.ts'
import { type Config, configError, readConfig } from '../platform/config/config.ts'
import { namedApart } from '../platform/config/database-address.ts'
import { findKeptKey, withSecretKey } from '../platform/config/secret-key.ts'
import { StartRefusal } from '../platform/config/start-refusal.ts'
import { attachEmbedded, hasDatabase, startEmbedded } from '../platform/database/embedded.ts'
import { checkKey } from '../platform/database/key-check.ts'
import { pendingMigrations } from '../platform/database/migrate.ts'
import { type Database, openDatabase } from '../platform/database/pool.ts'
import { createSecrets, type Secrets } from '../platform/database/secrets.ts'
import { countInWords } from '../platform/format-values.ts'
import { silent } from '../platform/http/logger.ts'

/** The install configured by the environment, as opened by a command. */
export type OpenInstall = {
  config: Config
  db: Database
  /** Returns the key of this install; refuses one that its database is not sealed with. */
  secrets(): Promise<Secrets>
}

type Manner = { alone?: boolean; named?: boolean; anySchema?: boolean; creates?: boolean }

/** Returns the stored key; null if there is none. Creates none. */
export async function findSecrets({ secretKey, dataDir }: Config): Promise<Secrets | null> {
  const key = secretKey ?? (await findKeptKey(dataDir, 'present'))
  return key && createSecrets(key)
}

/**
 * Opens the install, with or without the running product, and closes what it opened. `alone`: excludes all others from
 * the embedded database meanwhile. `named`: its connections have an `application_name` of their own. Refuses a database
 * with another release's schema, for which a command's output or changes would be wrong, unless `anySchema`, and a
 * DATA_DIR without a database, which may be misspelled, unless the command `creates` one.
 */
export async function withInstall<T>(
  work: (install: OpenInstall) => Promise<T>,
  { alone = false, named = false, anySchema = false, creates = false }: Manner = {},
): Promise<T> {
  const config = readConfig(process.env)
  if (!config.databaseUrl && !creates && !(await hasDatabase(config.dataDir)))
    throw configError('DATA_DIR', JSON.stringify(config.dataDir), 'the data folder of a server that has been started')
  const asWanted = named ? namedApart() : (url: string) => url
  const open = alone ? startEmbedded : attachEmbedded
  const embedded = config.databaseUrl ? null : await open({ dataDir: config.dataDir, log: silent })
  const databaseUrl = config.databaseUrl && asWanted(config.databaseUrl)
  const databaseDirectUrl = config.databaseDirectUrl && asWanted(config.databaseDirectUrl)
  const url = embedded ? asWanted(embedded.url) : await findDirectUrl({ databaseUrl, databaseDirectUrl }, silent)
  const db = openDatabase({ url, log: silent, max: 2 })
  const secrets = () =>
    withSecretKey(config, async (key) => {
      const secrets = createSecrets(key)
      await checkKey(db, secrets)
      return secrets
    })
  try {
    if (!anySchema) await requireSchema(db)
    return await work({ config, db, secrets })
  } finally {
    await db.close()
    await embedded?.stop()
  }
}

async function requireSchema(db: Database) {
  const pending = await pendingMigrations(db)
  if (pending.length > 0)
    throw new StartRefusal(
      `The database lacks ${countInWords(pending.length, 'migration')} of this release. Run npx tributary migrate or start the product, then try again.`,
    )
}

/** Normalizes an e-mail argument. */
export function parseEmail(given: string): string {
  const { success, data } = Email.safeParse(given)
  if (!success) throw new StartRefusal(`${JSON.stringify(given.slice(0, 120))} isn’t an email address.`)
  return data
}
