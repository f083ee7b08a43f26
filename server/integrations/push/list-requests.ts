import type { PushRequest } from '#contract/push.ts'
import type { ListQuery } from '#contract/values.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import { sql } from '../../platform/database/sql.ts'
import { page } from '../../platform/http/list.ts'

type Row = Omit<PushRequest, 'error'> & { errorCode: string | null; errorMessage: string | null }

/** Lists the last requests of an account's own systems; the newest 100 are stored. */
export async function listRequests(db: Queryable, accountId: string, query: ListQuery) {
  const { items, ...rest } = await page<Row>(db, query, {
    columns: sql`t.id, t.path, t.status, t.error_code, t.error_message, t.rows, t.failed_rows, t.created_at`,
    from: sql`push_requests t`,
    scope: sql`t.account_id = ${accountId}`,
    filters: [],
  })
  return { items: items.map(present), ...rest }
}

const present = ({ errorCode, errorMessage, ...request }: Row): PushRequest => ({
  ...request,
  error: errorCode === null ? null : { code: errorCode, message: errorMessage ?? '' },
})
