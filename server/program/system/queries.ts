import { BACKUP_CLOCK } from '../../platform/backups/scheduled.ts'
import { asUuid, NIL } from '../../platform/database/ids.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import { clockQueue } from '../../platform/jobs/clocks.ts'

type DatabaseFigures = { version: string; bytes: number; connections: number; maxConnections: number }

/** Figures of this database, and the connections of all clients of its server. */
export const databaseFigures = (db: Queryable) => db.one<DatabaseFigures>`
  select split_part(current_setting('server_version'), ' ', 1) as version,
    pg_database_size(current_database()) as bytes,
    (select sum(numbackends) from pg_stat_database)::integer as connections,
    current_setting('max_connections')::integer as max_connections`

export const lastMigration = (db: Queryable) => db.one<{ name: string; appliedAt: string }>`
  select name, applied_at from migrations order by name desc limit 1`

type BackupRun = { isRunning: boolean; failingSince: string | null }

/** Whether the clock of backups has a run, queued or under way, and since when backups fail. */
export const backupRun = (db: Queryable) => db.one<BackupRun>`
  select exists (
      select from pgboss.job
      where name = ${clockQueue.name} and singleton_key = ${BACKUP_CLOCK} and state < 'completed') as is_running,
    (select max(backups_failing_since) from install) as failing_since`

/** Whether the item parked under this id was retried. */
export const wasRetried = async (db: Queryable, id: string) =>
  (await db.maybe`
    select from events
    where account_id = ${NIL} and subject_id = ${asUuid(id)} and audited and type = 'system.retried' limit 1`) !==
  undefined
