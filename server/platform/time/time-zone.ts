import type { Queryable } from '../database/pool.ts'

/** Zones that PostgreSQL reads as abbreviations, which have no daylight saving time. */
const ABBREVIATIONS = ['CET', 'EET', 'MET', 'WET']

/**
 * Whether the database has a zone of exactly this name, and reads it as this process does: the runtime's data has more
 * names, such as `ECT`, and every spelling. An unknown one would fail each statement over all accounts.
 */
export const isTimeZone = async (db: Queryable, name: string): Promise<boolean> =>
  !ABBREVIATIONS.includes(name) && db.value<boolean>`select exists (select from pg_timezone_names where name = ${name})`
