import type { z } from 'zod'
import type { Erasure, listErasures as listCall } from '#contract/privacy.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import { sql } from '../../platform/database/sql.ts'
import { listPage } from '../../platform/http/list.ts'
import { recordsEnd } from '../payouts/payees.ts'

type Row = Omit<Erasure, 'subject'> & { subjectType: Erasure['subject']['type']; subjectId: string }

/**
 * Erasures of an account with the last day of their records: while there are any, it follows from the account's
 * `payeeYears` of today, on which the nightly clock acts.
 */
const erasuresOf = (accountId: string) => sql`(
  select e.*, e.at as created_at, ${recordsEnd(accountId)} as records_end
  from erasures e join accounts a on a.id = e.account_id where e.account_id = ${accountId}) t`

const columns = sql`t.id, t.at, t.subject_type, t.subject_id, t.reason, t.counts, t.records_end as records_until,
  t.backups_until, t.done, (select coalesce(nullif(concat_ws(' ', u.first_name, u.last_name), ''), u.email) from users u
    where u.id = case when t.by like 'user:%' then substr(t.by, 6)::uuid end) as by`

const present = ({ subjectType: type, subjectId: id, ...row }: Row): Erasure => ({ ...row, subject: { type, id } })

export async function listErasures(db: Queryable, accountId: string, query: z.output<typeof listCall.query & object>) {
  const { items, ...rest } = await listPage<Row>(db, query, {
    columns,
    from: erasuresOf(accountId),
    scope: sql`true`,
    filters: [query.type && sql`t.subject_type = any(${query.type})`],
  })
  return { items: items.map(present), ...rest }
}

export const erasureById = async (db: Queryable, accountId: string, id: string): Promise<Erasure> =>
  present(await db.one<Row>`select ${columns} from ${erasuresOf(accountId)} where t.id = ${id}`)
