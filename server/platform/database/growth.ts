import type pg from 'pg'
import type { Clock } from './pool.ts'

const LARGE = 1000
const LOOK_EVERY_MS = 10_000

/**
 * Whether PostgreSQL knows each of these tables as large. From then on it may keep one plan of a statement for all
 * values, which spares a lone booking half of the database's work; a plan kept from when they were empty would read
 * them whole for as long as it lives. Looked up beside whoever asks, every ten seconds until they are.
 */
export function watchGrowth(pool: pg.Pool, clock: Clock, tables: string[]): () => boolean {
  let areLarge = false
  let nextLook = 0
  const look = async () => {
    const { rows } = await pool.query(
      'select min(reltuples) as fewest from pg_class where oid = any($1::text[]::regclass[])',
      [tables],
    )
    areLarge = rows[0].fewest >= LARGE
  }
  return () => {
    if (areLarge || tables.length === 0) return areLarge
    const now = clock.now().getTime()
    if (now >= nextLook) {
      nextLook = now + LOOK_EVERY_MS
      // whoever asks next looks again
      look().catch(() => {})
    }
    return false
  }
}
