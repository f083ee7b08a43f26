import type { Queryable } from './pool.ts'

/**
 * Creates the tables of this month and the next two, and drops those whose rows are all older than `tooOld`: months are
 * dropped as a whole. The id, a UUIDv7, determines a row's month.
 */
export const renewMonths = (db: Queryable, of: 'clicks' | 'events' | 'passing_events', tooOld: Date | null) =>
  db.run`select renew_months(${of}, ${db.now}, ${tooOld})`
