import type { CustomDomain } from '#contract/custom-domains.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import { presentHostRow, presentHostRows } from './queries.ts'
import { buildTxtRecord } from './record.ts'

/** The host of the install itself, to which accounts' names lead. */
export const ownHost = ({ appUrl }: Pick<Config, 'appUrl'>) => new URL(appUrl).hostname

/** Returns the account's present host, whatever its state. */
export async function presentHost(db: Queryable, config: Config, accountId: string): Promise<CustomDomain | null> {
  const row = await presentHostRow(db, accountId)
  if (!row) return null
  const { name, state, checkedAt, problem } = row
  return { name, state, checkedAt, problem, record: buildTxtRecord(name, row.publicId), target: ownHost(config) }
}

/** The names and states of these accounts' present hosts. */
export async function getHosts(db: Queryable, accountIds: string[]) {
  const rows = await presentHostRows(db, accountIds)
  return new Map(rows.map(({ accountId, name, state }) => [accountId, { name, state }]))
}

/** Returns the problem of the account's present host if it has this name and is not ready, else null. */
export async function hostNeedingAttention(db: Queryable, accountId: string, name: string): Promise<string | null> {
  const row = await presentHostRow(db, accountId)
  return row?.name === name && row.state !== 'ready' ? row.problem : null
}
