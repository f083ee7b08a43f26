import { inBatches } from '#server/platform/database/in-batches.ts'
import type { Services } from '#server/platform/services.ts'
import type { AccountFacts } from '#server/program/access/account-facts.ts'

const DAY = 86_400_000
const BATCH = 500

/** Empties the e-mail, note, question and answer of claims that were decided as long ago as the account keeps raw data. */
export const emptyOldClaims = ({ id, rawDataDays }: AccountFacts, { db }: Services) =>
  inBatches(
    BATCH,
    (limit) => db.run`
      update claims set email = null, note = null, question = null, answer = null
      where account_id = ${id} and id = any(array(
        select id from claims
        where account_id = ${id} and decided_at < ${new Date(db.now.getTime() - rawDataDays * DAY)}
          and num_nonnulls(email, note, question, answer) > 0
        limit ${limit}))`,
  )
