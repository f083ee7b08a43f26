import type { Queryable } from './pool.ts'
import { sql } from './sql.ts'

/**
 * Identifies the current incarnation of the database. It changes when the server's process restarts, or the database or
 * its tables are recreated: any restore of an older copy starts another. A restart and a failover do too.
 */
export const thisLife = sql`(
  select concat_ws('/', extract(epoch from pg_postmaster_start_time()), oid, 'install'::regclass::oid,
    pg_relation_filenode('install'))
  from pg_database where datname = current_database())`

export const readIncarnation = (db: Queryable) => db.value<string>`select ${thisLife}`

/** The part of a life that outlasts restarts: another one shows that the database was created anew from a copy. */
export const toDatabaseIdentity = (life: string) => life.slice(life.indexOf('/'))
