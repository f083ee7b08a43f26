import { type Database, transaction } from '../../server/platform/database/pool.ts'
import { rawSql, type Sql, sql } from '../../server/platform/database/sql.ts'

/** Tables that servers of the release before don't write. */
const unknown = ['code_totals', 'link_totals', 'fraud_cases']
const figures = ['partners', 'leads', 'sales', 'clicks', 'unique_clicks', 'revenue', 'share']

const rowsOf = (db: Database, table: string, accountId: string) =>
  db.value<string>`
    select coalesce(jsonb_agg(t), '[]')::text from ${rawSql(table)} t where account_id = ${accountId}`

const populated = (table: string, rows: string): Sql =>
  sql`jsonb_populate_recordset(null::${rawSql(table)}, ${rows}::jsonb)`

/** Does this work as a server of the release before leaves it: without cases, totals of codes and versions of days. */
export async function asServerBefore<T>(db: Database, accountId: string, work: () => Promise<T>): Promise<T> {
  const all = [...unknown, 'day_stats', 'month_stats']
  const before = new Map<string, string>()
  for (const table of all) before.set(table, await rowsOf(db, table, accountId))
  const done = await work()
  const after = await rowsOf(db, 'day_stats', accountId)
  await transaction(db, async (tx) => {
    await tx.run`update sales set fraud_case_id = null, held_by = null where account_id = ${accountId} and fraud_case_id not in (
      select id from ${populated('fraud_cases', before.get('fraud_cases')!)} c)`
    for (const table of [...unknown, 'day_stats']) {
      await tx.run`delete from ${rawSql(table)} where account_id = ${accountId}`
      await tx.run`insert into ${rawSql(table)} select * from ${populated(table, before.get(table)!)}`
    }
    await tx.run`
      update month_stats m set earned = coalesce((select b.earned from ${populated('month_stats', before.get('month_stats')!)} b
        where b.month = m.month and b.partner_id = m.partner_id), 0) where account_id = ${accountId}`
    const names = rawSql(figures.join(', '))
    await tx.run`
      insert into day_stats as s (account_id, partner_id, blueprint_id, day, ${names})
      select * from (
        select account_id, partner_id, blueprint_id, day,
          ${rawSql(figures.map((name) => `a.${name} - coalesce(b.${name}, 0) as ${name}`).join(', '))}
        from ${populated('day_stats', after)} a
          left join ${populated('day_stats', before.get('day_stats')!)} b using (account_id, partner_id, blueprint_id, day)) d
      where (${names}) <> (${rawSql(figures.map(() => '0').join(', '))})
      on conflict (account_id, partner_id, blueprint_id, day) do update set
        ${rawSql(figures.map((name) => `${name} = s.${name} + excluded.${name}`).join(', '))}`
  })
  return done
}
