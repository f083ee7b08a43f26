import type { ListQuery } from '#contract/values.ts'
import { lockKeys } from '#server/platform/database/lock-keys.ts'
import { type Database, type Queryable, transaction } from '#server/platform/database/pool.ts'
import { sql } from '#server/platform/database/sql.ts'
import { listPage } from '#server/platform/http/list.ts'
import type { PushRequest } from '../contract.ts'

/** The log entry of one push call. `keyHash` is its API key's hash in base64. */
export type LoggedRequest = {
  id: string
  keyHash: string
  path: string
  status: number
  errorCode: string | null
  errorMessage: string | null
  rows: number | null
  failedRows: number | null
  at: Date
}

/** Inserts requests, without those with an unknown key. */
export const insertRequests = (db: Queryable, requests: LoggedRequest[]) => db.run`
  insert into push_requests (id, account_id, path, status, error_code, error_message, rows, failed_rows, created_at)
  select r.id, k.account_id, r.path, r.status, r.error_code, r.error_message, r.rows, r.failed_rows, r.at
  from unnest(${requests.map(({ id }) => id)}::uuid[], ${requests.map(({ keyHash }) => keyHash)}::text[],
    ${requests.map(({ path }) => path)}::text[], ${requests.map(({ status }) => status)}::int[],
    ${requests.map(({ errorCode }) => errorCode)}::text[], ${requests.map(({ errorMessage }) => errorMessage)}::text[],
    ${requests.map(({ rows }) => rows)}::int[], ${requests.map(({ failedRows }) => failedRows)}::int[],
    ${requests.map(({ at }) => at)}::timestamptz[])
    as r (id, key_hash, path, status, error_code, error_message, rows, failed_rows, at)
  join api_keys k on k.key_hash = decode(r.key_hash, 'base64')`

/** Deletes all but the newest `kept` requests of the accounts that have these keys. */
export const deleteOldRequests = (db: Database, keyHashes: string[], kept: number) =>
  transaction(db, async (tx) => {
    // two processes would lock the same requests in different orders
    await lockKeys(tx, [{ accountId: null, name: 'cut of the push requests' }])
    await tx.run`
      delete from push_requests where id in (
        select id from (
          select p.id, row_number() over (partition by p.account_id order by p.created_at desc, p.id desc) as place
          from push_requests p
          where p.account_id in (
            select account_id from api_keys
            where key_hash in (select decode(hash, 'base64') from unnest(${keyHashes}::text[]) as k (hash)))
        ) placed where place > ${kept})`
  })

type Row = Omit<PushRequest, 'error'> & { errorCode: string | null; errorMessage: string | null }

/** Lists the last requests of an account's own systems; the newest 100 are stored. */
export async function listRequests(db: Queryable, accountId: string, query: ListQuery) {
  const { items, ...rest } = await listPage<Row>(db, query, {
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
