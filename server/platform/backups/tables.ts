import type { Readable, Writable } from 'node:stream'
import type pg from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import type { Queryable, Transaction } from '../database/pool.ts'
import { clockQueue } from '../jobs/clocks.ts'

/** A part of the database in a backup: the text of COPY, identical for identical rows. */
export type Table = {
  name: string
  columns: string[]
  /** The query that reads it, in key order, so the digest does not depend on insertion order. */
  select: string
  /** The table it is written to. */
  into: string
}

/**
 * Returns every table with all its columns, so that none is missed. Roll-ups could be computed, but take longer than
 * copying. A partitioned table is copied as one, since its partitions' names depend on months.
 */
export async function ownTables(db: Queryable): Promise<Table[]> {
  const rows = await db.many<{ name: string; columns: string[]; names: string; places: string }>`
    select c.relname::text as name, array_agg(a.attname::text order by a.attnum) as columns,
      string_agg(quote_ident(a.attname), ', ' order by a.attnum) as names,
      -- "C" is the same everywhere, what else a database sorts by is not
      coalesce(string_agg(quote_ident(a.attname) || case when a.attcollation <> 0 then ' collate "C"' else '' end, ', '
          order by array_position(i.indkey::int2[], a.attnum)) filter (where a.attnum = any(i.indkey)),
        string_agg(quote_ident(a.attname) || case when a.attcollation <> 0 then ' collate "C"' else '' end, ', '
          order by a.attnum)) as places
    from pg_class c join pg_attribute a on a.attrelid = c.oid left join pg_index i on i.indrelid = c.oid and i.indisprimary
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' and not exists (
        select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
    group by c.oid, c.relname order by c.relname`
  return rows.map(({ name, columns, names, places }) => ({
    name,
    columns,
    select: `select ${names} from ${quotedName(name)} order by ${places}`,
    into: `${quotedName(name)} (${names})`,
  }))
}

export const quotedName = (name: string) => `"${name.replaceAll('"', '""')}"`

/** Columns of a job; pg-boss's others concern the process running it. */
const JOB = [
  ...['id', 'name', 'priority', 'data', 'retry_limit', 'retry_count', 'retry_delay', 'retry_backoff'],
  ...[
    'retry_delay_max',
    'expire_seconds',
    'deletion_seconds',
    'singleton_key',
    'singleton_on',
    'group_id',
    'group_tier',
  ],
  ...['start_after', 'created_on', 'keep_until', 'output', 'dead_letter', 'policy', 'heartbeat_seconds'],
]

/** Table for restored jobs until their queues exist. */
export const RESTORED_JOBS = 'restored_jobs'

/**
 * Jobs that are waiting, parked or running; finished ones are not needed, and clocks run again. The starting release
 * creates the queue's other tables.
 */
export const jobs: Table = {
  name: 'pgboss.job',
  columns: JOB,
  select: `select ${JOB.join(', ')} from pgboss.job
    where state in ('created', 'retry', 'active') and name <> '${clockQueue.name}' and name not like '\\_\\_pgboss%'
    order by id, name collate "C"`,
  into: RESTORED_JOBS,
}

export const columnsOfJobs = JOB.join(', ')

/** Settings that give identical rows identical text, whatever the server's own. */
export const textSettings = `
  set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0; set local timezone = 'UTC';
  set local datestyle = 'ISO, YMD'; set local intervalstyle = 'postgres'; set local extra_float_digits = 1;
  set local bytea_output = 'hex'; set local client_encoding = 'UTF8'; set local work_mem = '32MB';
  set local maintenance_work_mem = '128MB'`

/** Returns the rows as text. A reader that stops before their end calls `cutOff`. */
export const copyOut = (tx: Transaction, { select }: Pick<Table, 'select'>): Readable =>
  // a stream without listeners still ends with its connection
  tx.client.query(copyTo(`copy (${select}) to stdout`)).on('error', () => {})

export const copyIn = (tx: Transaction, { into }: Pick<Table, 'into'>): Writable =>
  tx.client.query(copyFrom(`copy ${into} from stdin`)).on('error', () => {})

/** Closes the connection: PostgreSQL completes a COPY before it reads anything else. */
export function cutOff({ client }: Transaction): void {
  ;(client as typeof client & pg.Client).connection.stream.destroy()
}
