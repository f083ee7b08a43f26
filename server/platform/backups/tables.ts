import type { Readable, Writable } from 'node:stream'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import type { Queryable, Transaction } from '../database/pool.ts'
import { clockQueue } from '../jobs/clocks.ts'

/** A part of the database as a backup holds it: the text that COPY writes, the same for the same rows. */
export type Table = {
  name: string
  columns: string[]
  /** The query that reads it, in an order of its own: rows written in another order are the same rows. */
  select: string
  /** The table it is written to. */
  into: string
}

/**
 * Every table of ours with all its columns, whatever they are: none can be forgotten. The roll-ups follow from the rest,
 * but take longer to make than to copy. A table in pieces is copied as one, since its pieces are named by months.
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
    select: `select ${names} from ${quoted(name)} order by ${places}`,
    into: `${quoted(name)} (${names})`,
  }))
}

export const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`

/** A job's own columns: what pg-boss keeps beside them is about the process that has it. */
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

/** The table in which jobs wait while they are restored, until their queues are known. */
export const RESTORED_JOBS = 'restored_jobs'

/**
 * Work that was to be done, parked or under way; of what is done nobody asks, and clocks strike again. The queue's other
 * tables are made by whichever release starts.
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

/** Settings that give equal rows equal text, whatever the server's own. */
export const settings = `
  set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0; set local timezone = 'UTC';
  set local datestyle = 'ISO, YMD'; set local intervalstyle = 'postgres'; set local extra_float_digits = 1;
  set local bytea_output = 'hex'; set local client_encoding = 'UTF8'; set local work_mem = '32MB';
  set local maintenance_work_mem = '128MB'`

/** The rows as text. A reader that stops before their end calls `cutOff`. */
export const copyOut = (tx: Transaction, { select }: Pick<Table, 'select'>): Readable =>
  // also one that nobody listens to any more ends with its connection
  tx.client.query(copyTo(`copy (${select}) to stdout`)).on('error', () => {})

export const copyIn = (tx: Transaction, { into }: Pick<Table, 'into'>): Writable =>
  tx.client.query(copyFrom(`copy ${into} from stdin`)).on('error', () => {})

/** PostgreSQL goes on telling what it was asked for, and hears nothing until it has: only the end of the line ends it. */
export function cutOff({ client }: Transaction): void {
  const { connection } = client as unknown as { connection: { stream: { destroy(): void } } }
  connection.stream.destroy()
}
