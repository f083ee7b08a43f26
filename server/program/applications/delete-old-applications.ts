import { inBatches } from '../../platform/database/in-batches.ts'
import { type Transaction, transaction } from '../../platform/database/pool.ts'
import { KEPT_EVENT_DAYS } from '../../platform/events/delete-old-events.ts'
import type { Services } from '../../platform/services.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import { emailHash } from './apply.ts'
import { getProgramRow } from './queries.ts'

const DAY = 86_400_000
/** Days for which an unconfirmed application is kept, as long as its link works. */
export const KEPT_UNCONFIRMED_DAYS = 7
const BATCH = 500
/** Events are dropped by month. */
const A_MONTH = 31

/**
 * Deletes unconfirmed applications, and empties rejected ones as old as the account's raw data. While their person may
 * not apply again, a keyed hash of the e-mail stays.
 */
export async function deleteOldApplications({ id, rawDataDays }: AccountFacts, { db, secrets }: Services) {
  const before = (days: number) => new Date(db.now.getTime() - days * DAY)
  await inBatches(
    BATCH,
    (limit) => db.run`
      delete from applications where account_id = ${id} and id = any(array(
        select id from applications
        where account_id = ${id} and status = 'unconfirmed' and created_at < ${before(KEPT_UNCONFIRMED_DAYS)}
        limit ${limit}))`,
  )
  await inBatches(BATCH, (limit) =>
    transaction(db, async (tx) => {
      const rows = await tx.many<{ id: string; email: string }>`
        select id, email from applications
        where account_id = ${id} and status = 'rejected' and email is not null and decided_at < ${before(rawDataDays)}
        order by id limit ${limit} for update`
      const hashes = rows.map(({ email }) => emailHash(secrets, id, email).toString('hex'))
      await emptyRows(tx, { accountId: id, ids: rows.map((row) => row.id), hashes, days: rawDataDays })
      return rows.length
    }),
  )
  const { reapplyAfterDays } = await getProgramRow(db, id)
  if (reapplyAfterDays === null) return
  await db.run`
    update applications set email_hash = null
    where account_id = ${id} and email_hash is not null and decided_at < ${before(Math.max(reapplyAfterDays, rawDataDays))}`
}

/** Empties applications, and the events about them. */
async function emptyRows(
  tx: Transaction,
  { accountId, ids, hashes, days }: { accountId: string; ids: string[]; hashes: string[]; days: number },
) {
  if (ids.length === 0) return
  await tx.run`
    update applications t set first_name = null, last_name = null, email = null, message = null, network_hash = null,
      agreement_network = null, answers = '[]', email_hash = decode(v.hash, 'hex')
    from unnest(${ids}::uuid[], ${hashes}::text[]) v (id, hash)
    where t.account_id = ${accountId} and t.id = v.id`
  // later, events have lost their objects
  if (days > KEPT_EVENT_DAYS + A_MONTH) return
  await tx.run`
    update passing_events t set data = emptied(t.data, 'partner')
    where t.account_id = ${accountId} and t.subject_type = 'application' and t.subject_id = any(${ids}::uuid[])
      and t.data is distinct from emptied(t.data, 'partner')`
}
