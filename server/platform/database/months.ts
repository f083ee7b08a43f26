import type { Queryable } from './pool.ts'

/**
 * Makes the tables of this month and the next two, and drops those whose rows are all older than `tooOld`: what came after
 * is all kept, what came before goes with its whole month. Months tell themselves by ids, which are UUIDv7.
 */
export const renewMonths = (db: Queryable, of: 'clicks' | 'events' | 'passing_events', tooOld: Date | null) =>
  db.run`select renew_months(${of}, ${db.now}, ${tooOld})`
