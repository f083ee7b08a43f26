import type { Host } from '#contract/hosts.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import { presentHostRow } from './queries.ts'

/** The TXT record that proves a host to be an account's. */
export const recordOf = (name: string, publicId: string) => ({
  name: `_tributary.${name}`,
  value: `tributary=${publicId}`,
})

/** The host of the install itself, to which accounts' names lead. */
export const ownHost = ({ appUrl }: Pick<Config, 'appUrl'>) => new URL(appUrl).hostname

/** Returns the account's present host, whatever its state. */
export async function presentHost(db: Queryable, config: Config, accountId: string): Promise<Host | null> {
  const row = await presentHostRow(db, accountId)
  if (!row) return null
  const { name, state, checkedAt, problem } = row
  return { ...{ name, state, checkedAt, problem }, record: recordOf(name, row.publicId), target: ownHost(config) }
}
