import type { Queryable } from '../database/pool.ts'

/** Zones that PostgreSQL reads as abbreviations, which have no daylight saving time. */
const ABBREVIATIONS = ['CET', 'EET', 'MET', 'WET']

/**
 * The database's name of a time zone, if it reads it as this process does: the runtime's data has more names, such as
 * `ECT`, and every spelling, and an unknown one would fail each statement over all accounts. Browsers offer some zones
 * by a former name, such as `Asia/Calcutta`, which not every PostgreSQL has.
 */
export async function databaseZone(db: Queryable, zone: string): Promise<string | undefined> {
  if (ABBREVIATIONS.includes(zone)) return undefined
  const names = (await db.many<{ name: string }>`select name from pg_timezone_names order by name`).map(
    ({ name }) => name,
  )
  if (names.includes(zone)) return zone
  const isOffered = Intl.supportedValuesOf('timeZone').includes(zone)
  return isOffered ? names.find((name) => offeredName(name) === zone) : undefined
}

/** The name by which this runtime offers the zone. */
function offeredName(timeZone: string) {
  try {
    return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone
  } catch {
    return undefined
  }
}
