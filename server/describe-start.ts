import packageJson from '../package.json' with { type: 'json' }
import { eachHost } from './platform/config/database-address.ts'
import type { Services } from './platform/services.ts'

type Facts = { postgres: string; databaseRole: string }

/** Returns a description of the start, for the log. */
export async function describeStart({ config, db, replica }: Services) {
  const facts = await db.one<Facts>`
    select split_part(current_setting('server_version'), ' ', 1) as postgres, current_user::text as database_role`
  const hosts = config.databaseUrl ? eachHost(config.databaseUrl).map((url) => new URL(url).host) : 'embedded'
  const { version: release } = packageJson
  return {
    release,
    node: process.versions.node,
    processRole: config.processRole,
    ...facts,
    database: hosts,
    replica: Boolean(replica),
  }
}
