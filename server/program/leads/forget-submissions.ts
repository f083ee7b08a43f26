import { inBatches } from '../../platform/database/in-batches.ts'
import type { Database } from '../../platform/database/pool.ts'

/** Deletes an account’s submissions that came before then. */
export const deleteSubmissionsBefore = (db: Database, accountId: string, before: Date): Promise<number> =>
  inBatches(
    5000,
    (limit) => db.run`
      delete from lead_submissions where account_id = ${accountId} and id = any(array(
        select id from lead_submissions where account_id = ${accountId} and created_at < ${before}
        order by created_at limit ${limit}))`,
  )
