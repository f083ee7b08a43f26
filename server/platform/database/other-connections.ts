import type { Queryable } from './pool.ts'
import { empty, type Sql } from './sql.ts'

export const OTHERS_CONNECTED =
  'There are other connections to this database: stop every process of the product and close all other connections, then try again.'

/** Whether anyone but this command, by its `application_name`, is connected to the database. */
export const hasOtherConnections = (db: Queryable, only: Sql = empty) => db.value<boolean>`
  select exists (
    select from pg_stat_activity
    where datname = current_database() and application_name is distinct from current_setting('application_name')
      and coalesce(backend_type, 'client backend') = 'client backend' ${only})`
