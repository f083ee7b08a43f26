import { leastIdAt } from '../server/platform/database/ids.ts'
import { type Database, type Transaction, transaction } from '../server/platform/database/pool.ts'
import { rawSql, type Sql } from '../server/platform/database/sql.ts'

/** Months of clicks besides the present one: the retention of clicks. */
const MONTHS = 13
const UNIQUE = 0.7

/**
 * Fills `size` clicks of this account's partners into the past months, partitioned as if the product had served for all
 * of them. Replaces clicks of an earlier call; this month's clicks stay.
 */
export async function fillClicks(db: Database, accountId: string, size: number): Promise<void> {
  await limitFirstPartition(db)
  for (let before = MONTHS; before > 0; before--)
    await fillMonth(db, accountId, monthBefore(before), Math.round(size / MONTHS))
}

/** Drops these months as the product drops expired ones. */
export async function dropKeptClicks(db: Database): Promise<void> {
  for (let before = MONTHS; before > 0; before--) await db.run`drop table ${monthBefore(before).table}`
}

type Month = { table: Sql; from: Date; to: Date; bounds: Sql }

function monthBefore(months: number): Month {
  const now = new Date()
  const startOf = (before: number) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - before))
  const [from, to] = [startOf(months), startOf(months - 1)]
  return {
    table: rawSql(`clicks_${from.toISOString().slice(0, 7).replace('-', '_')}`),
    from,
    to,
    bounds: rawSql(`from ('${leastIdAt(from.getTime())}') to ('${leastIdAt(to.getTime())}')`),
  }
}

/** Limits the first partition, which starts out unbounded, to the present month. */
async function limitFirstPartition(db: Database) {
  await transaction(db, async (tx) => {
    await tx.run`alter table clicks detach partition clicks_first`
    await tx.run`alter table clicks attach partition clicks_first for values ${monthBefore(0).bounds}`
  })
}

async function fillMonth(db: Database, accountId: string, { table, from, to, bounds }: Month, clicks: number) {
  await transaction(db, async (tx) => {
    await withoutLimits(tx)
    await tx.run`drop table if exists ${table}`
    await tx.run`create table ${table} (like clicks including defaults including constraints)`
    await tx.run`
      with links as materialized (
        select array_agg(p.id) as partners, count(*) as count, (select min(id::text)::uuid from link_blueprints
          where account_id = ${accountId}) as link
        from partners p where p.account_id = ${accountId})
      insert into ${table} (id, account_id, blueprint_id, partner_id, day, ip_hash, user_agent_class, is_unique, source, at)
      select (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '7' || right(md5(n::text), 3) || '8'
          || left(md5((n + 1)::text), 15))::uuid,
        ${accountId}, link, partners[1 + n % count], at::date, hashint8extended(n, 1), 'desktop',
        n % 10 < ${UNIQUE * 10}::integer, 'redirect', at
      from links, generate_series(1, ${clicks}::bigint) n,
        lateral (select ${from}::timestamptz + (${to}::timestamptz - ${from}::timestamptz) * (n - 1) / ${clicks}::float8 as at) moment`
    await tx.run`alter table clicks attach partition ${table} for values ${bounds}`
  })
  await db.run`vacuum (freeze, analyze) ${table}`
}

async function withoutLimits(tx: Transaction) {
  await tx.run`set local statement_timeout = 0`
  await tx.run`set local idle_in_transaction_session_timeout = 0`
  await tx.run`set local maintenance_work_mem = '512MB'`
}
