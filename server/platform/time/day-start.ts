import { type Sql, sql } from '../database/sql.ts'

/**
 * The first instant of a date in a time zone, in SQL. PostgreSQL would read a midnight that clocks reach twice as the
 * second one, but a microsecond before it comes once.
 */
export const dayStart = (day: Sql, timeZone: string) =>
  sql`((${day}::timestamp - interval '1 microsecond') at time zone ${timeZone}::text + interval '1 microsecond')`
