import type { Queryable } from './pool.ts'
import { sql } from './sql.ts'

/**
 * Names the present life of the database. It ends with the server's process, and with the database or its tables being
 * made anew: whatever puts an older copy in its place begins another. A restart and a failover do too.
 */
export const thisLife = sql`(
  select concat_ws('/', extract(epoch from pg_postmaster_start_time()), oid, 'install'::regclass::oid,
    pg_relation_filenode('install'))
  from pg_database where datname = current_database())`

export async function lifeOf(db: Queryable): Promise<string> {
  const { life } = await db.one<{ life: string }>`select ${thisLife} as life`
  return life
}
