import type { Logger } from 'pino'
import { configError } from './platform/config/config.ts'
import { StartRefusal } from './platform/config/start-refusal.ts'
import { prepareParts } from './platform/database/cluster/parts.ts'
import type { DatabaseAddress } from './platform/database/connection-settings.ts'
import { isForbidden } from './platform/database/database-errors.ts'
import { checkKey, checkKeyFirst } from './platform/database/key-check.ts'
import { type MigrationProgress, migrateSchema } from './platform/database/migrate.ts'
import { type Clock, type Database, openDatabase } from './platform/database/pool.ts'
import type { Secrets } from './platform/database/secrets.ts'
import {
  addressOfRole,
  checkDatabaseRole,
  findServingRole,
  makeServingRole,
  noteRoleRefusal,
  refusalToServe,
  type ServingRole,
} from './platform/database/serving-role.ts'
import { prepareQueues } from './platform/jobs/queue.ts'
import { queues } from './queues.ts'

/**
 * The addresses of one database: `directUrl` is for features bound to a connection, and the same if only one was given.
 */
export type Addresses = DatabaseAddress & { directUrl: string }
const hasWayPast = ({ url, directUrl }: Addresses) => url !== directUrl

/** Runs with the owner's rights before the schema of an install in use is changed. */
export type BeforeMigrating = (owner: Database, pending: string[]) => Promise<void>

type Options = {
  addresses: Addresses
  given: boolean
  clock: Clock
  log: Logger
  secrets: Secrets
  before?: BeforeMigrating | undefined
  /** Called with each migration, in addition to the log. */
  tell?: ((progress: MigrationProgress) => void) | undefined
}

/**
 * Migrates the database to this release, with the rights of its direct address, and returns the addresses for serving:
 * as a role that may only read and write rows, if one can be created. `given`: they are the operator's, who is warned
 * if they permit more. Refuses: a version that is too old, a schema that this role must change but may not, another
 * secret key.
 */
export async function prepareDatabase({ addresses, given, before, tell, ...services }: Options): Promise<Addresses> {
  const { secrets, ...others } = services
  const owner = openDatabase({ url: addresses.directUrl, ...others, max: 2 })
  try {
    if (given) await requireVersion(owner)
    await checkKeyFirst(owner, secrets)
    await migrateSchema(owner, { before: async (pending) => before?.(owner, pending), tell }).catch(refuseForbidden)
    await checkKey(owner, secrets)
    await prepareQueues(owner, queues).catch(refuseForbidden)
    const { serving, reason } = await findAddressesToServe(owner, addresses, services)
    await noteRoleRefusal(owner, reason)
    await prepareParts(owner)
    if (given)
      await warnOfPower(owner, hasWayPast(addresses) ? 'DATABASE_DIRECT_URL' : 'DATABASE_URL', {
        onlyStarts: serving !== null,
        reason,
      })
    return serving ?? addresses
  } finally {
    await owner.close()
  }
}

/** The addresses of the serving role; without one, the reason why it was refused, if it was. */
type Served = { serving: Addresses | null; reason?: string | undefined }

async function findAddressesToServe(
  owner: Database,
  addresses: Addresses,
  { secrets, ...others }: Pick<Options, 'clock' | 'log' | 'secrets'>,
): Promise<Served> {
  const refusalAt = (address: DatabaseAddress) => refusalToServe({ ...address, ...others })
  // the pooler may be configured with its password, which we must not change then
  const isByHand = hasWayPast(addresses) && (await refusalAt(addresses)) === null
  let reason: string | undefined
  const tried = async (found: ServingRole | null) => {
    if (!found) return null
    const serving = withRole(addresses, (url) => addressOfRole(url, found, secrets))
    reason = (await refusalAt({ url: serving.directUrl, pooling: 'session' })) ?? undefined
    return reason === undefined ? { role: found.role, serving } : null
  }
  const refused = (words: string) => {
    reason = words
  }
  const found =
    (await tried(await findServingRole(owner))) ??
    (await tried(await makeServingRole(owner, secrets, { isByHand, refused })))
  if (!found) return { serving: null, reason }
  const atPooler = hasWayPast(addresses) ? await refusalAt(found.serving) : null
  if (atPooler === null) return { serving: found.serving }
  const advice = 'where that is a connection pooler, let it in by auth_query or userlist.txt'
  return { serving: null, reason: `${found.role} is turned away at DATABASE_URL (${atPooler}); ${advice}` }
}

const withRole = ({ url, directUrl, pooling }: Addresses, asRole: (url: string) => string): Addresses => ({
  url: asRole(url),
  directUrl: asRole(directUrl),
  pooling,
})

export const OLDEST_VERSION = 15

async function requireVersion(db: Database) {
  const version = await db.value<number>`select current_setting('server_version_num')::int`
  if (version < OLDEST_VERSION * 10_000)
    throw configError(
      'DATABASE_URL',
      `the address of a PostgreSQL ${Math.floor(version / 10_000)}`,
      `one of ${OLDEST_VERSION} or newer`,
    )
}

function refuseForbidden(error: unknown): never {
  if (!isForbidden(error)) throw error
  throw new StartRefusal(
    'DATABASE_URL signs in as a role that may not change the schema, which this release has to; start once with the address of the role that owns it.',
  )
}

async function warnOfPower(
  db: Database,
  variable: string,
  { onlyStarts, reason }: { onlyStarts: boolean; reason: string | undefined },
) {
  const { role, power } = await checkDatabaseRole(db)
  const use = onlyStarts ? 'to start only; the product serves as a role of its own' : 'for everything'
  if (power === 'all') db.log.warn({ role, reason }, `${variable} signs in as a superuser, which is used ${use}`)
  else if (power === 'schema' && !onlyStarts)
    db.log.warn(
      { role, reason },
      `${variable} signs in as the owner of the tables, and the product serves as that role, which can disable the protection of the ledger; docs/database.md says what each host needs for a role of its own`,
    )
}
