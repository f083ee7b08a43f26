import { readFile } from 'node:fs/promises'
import { isOfOneMachine, isOnCluster, isSpread } from './cluster/spread.ts'
import type { Queryable } from './pool.ts'

/** The schema after all migrations. */
const SCHEMA = new URL('./schema.txt', import.meta.url)

type Trigger = { name: string; table: string; definition: string; isOn: boolean }

/**
 * Returns the triggers of this release that are missing, disabled, or different, as 'name on table', and on a cluster
 * those missing from a part of a table, as 'name on table, on host:port'. Requires the owner's rights there.
 */
export async function missingTriggers(db: Queryable): Promise<string[]> {
  const onCluster = await isOnCluster(db)
  const wanted = [
    ...(await readFile(SCHEMA, 'utf8')).matchAll(
      /^ {2}(CREATE (?:CONSTRAINT )?TRIGGER (\w+) .* ON (?:public\.)?(\w+) .*)$/gm,
    ),
  ]
    .map(([, definition, name, table]) => ({ definition: definition!, name: name!, table: table! }))
    .filter((trigger) => !(onCluster && isOfOneMachine(trigger)))
  const present = await db.many<Trigger>`
    select tgname::text as name, tgrelid::regclass::text as table, pg_get_triggerdef(oid) as definition,
      tgenabled in ('O', 'A') as is_on
    from pg_trigger where not tgisinternal`
  const works = new Set(present.filter(({ isOn }) => isOn).map(({ definition }) => definition))
  const missing = wanted.filter(({ definition }) => !works.has(definition))
  // including those of monthly partitions
  const off = present.filter(({ isOn }) => !isOn)
  const here = [...missing, ...off].map(({ name, table }) => `${name} on ${table}`)
  const elsewhere = (await isSpread(db)) ? await missingFromShards(db, wanted) : []
  return [...new Set([...here, ...elsewhere])]
}

type Wanted = Pick<Trigger, 'name' | 'table' | 'definition'>

/**
 * Compares the triggers of each shard, which carry its number, with those of its table, except those that refuse
 * emptying the table: that is refused before any shard is asked.
 */
async function missingFromShards(db: Queryable, wanted: Wanted[]): Promise<string[]> {
  const found: string[] = []
  const onShards = wanted.filter(({ definition }) => !definition.includes(' BEFORE TRUNCATE '))
  for (const [table, triggers] of Map.groupBy(onShards, ({ table }) => table)) {
    // a machine that is away is the cluster's own fault
    const shards = await db.many<{ place: string; result: string | null }>`
      select nodename || ':' || nodeport as place, result from run_command_on_placements(${table}::regclass,
        $$select string_agg(tgname, ' ') from pg_trigger
          where tgrelid = '%s'::regclass and not tgisinternal and tgenabled in ('O', 'A')$$)
      where success`
    for (const { place, result } of shards) {
      const works = new Set(result?.split(' ').map((name) => name.replace(/_\d+$/, '')))
      const gone = triggers.filter(({ name }) => !works.has(name))
      found.push(...gone.map(({ name }) => `${name} on ${table}, on ${place}`))
    }
  }
  return found
}
