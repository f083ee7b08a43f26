import { type Sql, sql } from '../database/sql.ts'

/**
 * The first instant of a date in a time zone, in SQL: the earlier of its midnight and a microsecond after the last one of
 * the day before. PostgreSQL reads a midnight that clocks reach twice as the second one, and an hour before midnight that
 * clocks skip as an hour after it; in no zone both happen to the same midnight.
 */
export const dayStart = (day: Sql, timeZone: string) => {
  const midnight = sql`${day}::timestamp`
  const microsecond = sql`interval '1 microsecond'`
  return sql`least(${midnight} at time zone ${timeZone}::text,
    (${midnight} - ${microsecond}) at time zone ${timeZone}::text + ${microsecond})`
}
