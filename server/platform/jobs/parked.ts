import { asUuid } from '../database/ids.ts'
import type { Transaction } from '../database/pool.ts'
import { sql } from '../database/sql.ts'
import { type Jobs, PARKED, transactionExecutor } from './queue.ts'

/**
 * Jobs that failed every try, listed with parked events: never their data. None is blocked or has a priority; with
 * these conditions PostgreSQL reads them in order from pg-boss's own index.
 */
export const parkedJobs = sql`(
  select id, 'job' as kind, coalesce(source_name, name) as name,
    coalesce(source_output ->> 'message', source_output #>> '{value,message}') as reason,
    coalesce(source_retry_count, 0) + 1 as tries, created_on as created_at, keep_until as kept_until
  from pgboss.job where name = ${PARKED} and state < 'active' and not blocked and priority = 0)`

/** Returns parked jobs to their queues with all tries again; returns the ids they were parked under. */
export async function retryParkedJobs(jobs: Pick<Jobs, 'boss'>, tx: Transaction, id?: string): Promise<string[]> {
  const those = id === undefined ? sql`` : sql`and id = ${asUuid(id)}`
  // locked, so that only one of two concurrent retries finds the job
  const parked = await tx.many<{ id: string }>`
    select id from pgboss.job where name = ${PARKED} and state < 'active' ${those} for update`
  const ids = parked.map((one) => one.id)
  if (ids.length > 0) await (await jobs.boss()).redrive(PARKED, { db: transactionExecutor(tx), ids, limit: ids.length })
  return ids
}
