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
  const onShards = Map.groupBy(
    wanted.filter(({ definition }) => !definition.includes(' BEFORE TRUNCATE ')),
    ({ table }) => table,
  )
  // a machine that is away is the cluster's own fault
  const shards = await db.many<{ place: string; table: string; names: string | null }>`
    with answers as materialized (
      select nodeid, nullif(result, '')::jsonb as names from run_command_on_all_nodes($$
        select jsonb_object_agg(shard, names) from (
          select tgrelid::regclass::text as shard, string_agg(tgname, ' ') as names from pg_trigger
          where not tgisinternal and tgenabled in ('O', 'A') group by 1) s$$)
      where success)
    select n.nodename || ':' || n.nodeport as place, s.logicalrelid::text as table,
      a.names ->> shard_name(s.logicalrelid, s.shardid) as names
    from answers a join pg_dist_node n using (nodeid) join pg_dist_placement p using (groupid)
      join pg_dist_shard s using (shardid)
    where s.logicalrelid = any(${[...onShards.keys()]}::text[]::regclass[]) order by s.shardid`
  return shards.flatMap(({ place, table, names }) => {
    const works = new Set(names?.split(' ').map((name) => name.replace(/_\d+$/, '')))
    const gone = onShards.get(table)!.filter(({ name }) => !works.has(name))
    return gone.map(({ name }) => `${name} on ${table}, on ${place}`)
  })
}
