import pg from 'pg'
import { isOnCluster } from '../../server/platform/database/cluster/spread.ts'
import type { Database } from '../../server/platform/database/pool.ts'

/**
 * Locks the row in which every click and sale of an account is counted, as another long transaction would. Returns the
 * function that unlocks it.
 */
export async function lockFigures(url: string, accountId: string): Promise<() => Promise<void>> {
  const other = new pg.Client({ connectionString: url })
  await other.connect()
  await other.query('begin')
  // only this one row, so that the lock cannot become half of a deadlock
  const { rowCount } = await other.query(
    'select from total_stats where account_id = $1 and partner_id = $2 and blueprint_id = $2 for update',
    [accountId, '00000000-0000-0000-0000-000000000000'],
  )
  if (!rowCount) throw new Error('nothing was counted for this account yet')
  return () => other.end()
}

/** Returns the number of statements in this database that wait for a lock, on every machine of a cluster. */
export async function waitingForLocks(db: Database): Promise<number> {
  if (await isOnCluster(db))
    return db.value<number>`select sum(result::bigint)::bigint from run_command_on_all_nodes(${WAITING})`
  return Number((await db.pool.query<{ count: string }>(WAITING)).rows[0]!.count)
}

const WAITING = `
  select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
