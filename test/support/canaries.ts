import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { rawSql } from '../../server/platform/database/sql.ts'
import type { TestApp } from './app.ts'

/** Returns every place in the database, any column of any table, and in the outbox with one of these words. */
export async function placesWith({ services: { db, config } }: TestApp, words: readonly string[]): Promise<string[]> {
  const places = new Set<string>()
  const isIn = (text: string) =>
    words.some((word) => text.includes(word) || text.includes(Buffer.from(word).toString('hex')))
  const tables = await db.many<{ name: string }>`
    select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('public', 'pgboss')`
  for (const { name } of tables)
    for (const { row } of await db.many<{ row: string }>`select t::text as row from ${rawSql(name)} t`)
      if (isIn(row.toLowerCase())) places.add(`${name}: ${row}`)
  const folder = join(config.dataDir, 'outbox')
  for (const name of await readdir(folder).catch(() => []))
    if (isIn((await readFile(join(folder, name), 'utf8')).toLowerCase())) places.add(`outbox: ${name}`)
  return [...places]
}

/** Names of the tables among such places, each once. */
export const tablesAmong = (places: string[]) => [
  ...new Set(
    places.map((place) =>
      place
        .split(':')[0]!
        .replace(/^public\./, '')
        .replace(/_(first|\d.*)$/, ''),
    ),
  ),
]
