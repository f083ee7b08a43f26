import type { Logger } from 'pino'
import { wrong } from './platform/config/config.ts'
import { StartRefusal } from './platform/config/start-refusal.ts'
import { checkKey } from './platform/database/key-check.ts'
import { migrate } from './platform/database/migrate.ts'
import { type Clock, type Database, openDatabase } from './platform/database/pool.ts'
import type { Secrets } from './platform/database/secrets.ts'
import {
  checkDatabaseRole,
  findServingRole,
  INSUFFICIENT_PRIVILEGE,
  makeServingRole,
} from './platform/database/serving-role.ts'
import { prepareQueues } from './platform/jobs/queue.ts'
import { queues } from './work.ts'

type Options = { url: string; given: boolean; clock: Clock; log: Logger; secrets: Secrets }

/**
 * Brings the database behind `url` up to this release, with the rights of that address, and answers the address by which
 * the product serves it: as a role that reads and writes rows and nothing else, wherever one can be made. `given`: the
 * address is the operator's, who is told when it opens more than it should. Refuses: a version that is too old, a schema
 * that this role would have to change and may not, another secret key.
 */
export async function prepareDatabase({ url, given, clock, log, secrets }: Options): Promise<string> {
  const owner = openDatabase({ url, log, clock, max: 2 })
  try {
    if (given) await requireVersion(owner)
    await migrate(owner).catch(refuseForbidden)
    await checkKey(owner, secrets)
    await prepareQueues(owner, queues).catch(refuseForbidden)
    const tried = async (find: typeof makeServingRole) => {
      const address = await find(owner, secrets)
      return address && (await takes({ url: address, clock, log })) ? address : null
    }
    const serving = (await tried(findServingRole)) ?? (await tried(makeServingRole))
    if (given) await warnOfPower(owner, log, serving !== null)
    return serving ?? url
  } finally {
    await owner.close()
  }
}

const OLDEST_VERSION = 15

async function requireVersion(db: Database) {
  const { version } = await db.one<{ version: number }>`select current_setting('server_version_num')::int as version`
  if (version < OLDEST_VERSION * 10_000)
    throw wrong(
      'DATABASE_URL',
      `the address of a PostgreSQL ${Math.floor(version / 10_000)}`,
      `one of ${OLDEST_VERSION} or newer`,
    )
}

function refuseForbidden(error: unknown): never {
  if ((error as { code?: string }).code !== INSUFFICIENT_PRIVILEGE) throw error
  throw new StartRefusal(
    'DATABASE_URL signs in as a role that may not change the schema, which this release has to; start once with the address of the role that owns it.',
  )
}

/** PostgreSQL's, and a connection pooler's, words for: nobody of this name and password comes in here. */
const TURNED_AWAY = new Set(['28000', '28P01', '08P01', INSUFFICIENT_PRIVILEGE])

async function takes(serving: { url: string; clock: Clock; log: Logger }) {
  const db = openDatabase({ ...serving, max: 1 })
  try {
    return (await checkDatabaseRole(db)).power === 'rows'
  } catch (error) {
    if (!TURNED_AWAY.has((error as { code?: string }).code ?? '')) throw error
    return false
  } finally {
    await db.close()
  }
}

async function warnOfPower(db: Database, log: Logger, onlyStarts: boolean) {
  const { role, power } = await checkDatabaseRole(db)
  const use = onlyStarts ? 'to start only; the product serves as a role of its own' : 'for everything'
  if (power === 'all') log.warn({ role }, `DATABASE_URL signs in as a superuser, which is used ${use}`)
  else if (power === 'schema' && !onlyStarts)
    log.info({ role }, 'DATABASE_URL signs in as the owner of the tables, and the product serves as that role')
}
