import { readFile } from 'node:fs/promises'
import type { Database } from '../platform/database/pool.ts'

/** The schema after all migrations. */
const SCHEMA = new URL('../platform/database/schema.txt', import.meta.url)

type Trigger = { name: string; definition: string; isOn: boolean }

/** Returns the triggers of this release that are missing, disabled, or different, as 'name on table'. */
export async function missingTriggers(db: Database): Promise<string[]> {
  const wanted = [
    ...(await readFile(SCHEMA, 'utf8')).matchAll(
      /^ {2}(CREATE (?:CONSTRAINT )?TRIGGER (\w+) .* ON (?:public\.)?(\w+) .*)$/gm,
    ),
  ]
  const present = await db.many<Trigger>`
    select tgname || ' on ' || tgrelid::regclass::text as name, pg_get_triggerdef(oid) as definition,
      tgenabled in ('O', 'A') as is_on
    from pg_trigger where not tgisinternal`
  const works = new Set(present.filter(({ isOn }) => isOn).map(({ definition }) => definition))
  const missing = wanted
    .filter(([, definition]) => !works.has(definition!))
    .map(([, , name, table]) => `${name} on ${table}`)
  // including those of monthly partitions
  const off = present.filter(({ isOn }) => !isOn).map(({ name }) => name)
  return [...new Set([...missing, ...off])]
}
