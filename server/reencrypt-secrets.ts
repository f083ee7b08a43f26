import { StartRefusal } from './platform/config/start-refusal.ts'
import { resealCheck } from './platform/database/key-check.ts'
import type { Queryable, Transaction } from './platform/database/pool.ts'
import { openIfOurs, type Secrets } from './platform/database/secrets.ts'
import { rawSql, type Sql, sql } from './platform/database/sql.ts'
import { deriveLinksAnew } from './program/auth/link-requests.ts'
import { hashDetailsAnew } from './program/payouts/details-hash.ts'

/** A sealed column, and its sealing context. */
type Sealed = { table: string; column: string; place: Sql }

/** Contexts other than `table|column|id|account_id`: the same text as in their rooms. */
const places: Readonly<Record<string, Sql>> = {
  'api_keys.key_sealed': sql`'accounts|api_key_sealed|' || account_id || '|' || account_id`,
  'idempotency_keys.answer_sealed': sql`'idempotency_keys|answer|' || caller || '|' || call || '|' || key`,
  'method_secrets.settings_sealed': sql`'method_secrets|settings_sealed|' || method || '|' || account_id`,
  'outgoing_webhooks.former_secret_sealed': ofRow('outgoing_webhooks', 'secret_sealed'),
  'payout_settings.details_sealed': sql`'payout_settings|details_sealed|' || partner_id || '|' || account_id`,
  'totp_and_codes.pending_sealed': sql`'totp_and_codes|pending_sealed|' || user_id`,
  'totp_and_codes.totp_sealed': sql`'totp_and_codes|totp_sealed|' || user_id`,
  'wise_accounts.token_sealed': sql`'payout_accounts|wise_token_sealed|' || account_id || '|' || account_id`,
}

function ofRow(table: string, column: string) {
  return sql`${rawSql(`'${table}|${column}|'`)} || id || '|' || account_id`
}

/** Returns every sealed column of the schema, except the key's own check. */
export async function sealedColumns(db: Queryable): Promise<Sealed[]> {
  const columns = await db.many<Omit<Sealed, 'place'>>`
    select table_name::text as table, column_name::text as column from information_schema.columns
    where table_schema = current_schema() and column_name like '%_sealed' order by 1, 2`
  return columns.map(({ table, column }) => ({
    table,
    column,
    place: places[`${table}.${column}`] ?? ofRow(table, column),
  }))
}

const BATCH = 500

/** Counts of resealed values; `unreadable` ones could be opened with neither key. */
export type Resealed = { values: number; unreadable: number; links: number }

/**
 * Seals with `next` everything that `former` opens, and renews the hashes of payout details and the derived links that
 * the product shows or mails again.
 * Refuses unreadable values, unless they are to be left as they are.
 */
export async function reencryptSecrets(
  tx: Transaction,
  { former, next, leaveUnreadable }: { former: Secrets; next: Secrets; leaveUnreadable: boolean },
): Promise<Resealed> {
  const sum = { values: 0, unreadable: 0 }
  for (const sealed of await sealedColumns(tx)) {
    const { values, unreadable } = await resealColumn(tx, sealed, former, next)
    if (unreadable > 0 && !leaveUnreadable)
      throw new StartRefusal(
        `${unreadable} of ${sealed.table}.${sealed.column} open with no key that is known; nothing was changed. With --leave-unreadable they are left as they are.`,
      )
    sum.values += values
    sum.unreadable += unreadable
  }
  await hashDetailsAnew(tx, next)
  const links = await deriveLinksAnew(tx, next)
  await resealCheck(tx, next)
  return { ...sum, links }
}

async function resealColumn(tx: Transaction, { table, column, place }: Sealed, former: Secrets, next: Secrets) {
  const sum = { values: 0, unreadable: 0 }
  const [from, sealed] = [rawSql(table), rawSql(column)]
  await tx.run`declare sealed_values cursor for
    select ctid::text as row, ${sealed} as sealed, ${place} as place from ${from} where ${sealed} is not null`
  for (;;) {
    const rows = await tx.many<{
      row: string
      sealed: Buffer
      place: string
    }>`fetch ${rawSql(`${BATCH}`)} from sealed_values`
    if (rows.length === 0) break
    const anew = rows.flatMap(({ row, sealed, place }) => {
      const text = openIfOurs(former, sealed, place)
      return text === null ? [] : [{ row, sealed: next.seal(text, place).toString('hex') }]
    })
    await tx.run`
      update ${from} t set ${sealed} = decode(v.sealed, 'hex')
      from unnest(${anew.map(({ row }) => row)}::tid[], ${anew.map(({ sealed }) => sealed)}::text[]) v (row, sealed)
      where t.ctid = v.row`
    sum.values += anew.length
    sum.unreadable += rows.length - anew.length
  }
  await tx.run`close sealed_values`
  return sum
}
