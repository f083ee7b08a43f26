import { hasOtherConnections, OTHERS_CONNECTED } from '../other-connections.ts'
import type { Database } from '../pool.ts'
import { sql } from '../sql.ts'
import { isOnCluster } from './spread.ts'

/** The oldest Citus that the product was run on. */
const OLDEST_CITUS = 13

const NEEDED = ['pg_trgm', 'btree_gin']

type Node = { host: string; port: number; isActive: boolean; holdsShards: boolean; isFirst: boolean }

/** Returns what must be done before the tables can be spread, in sentences; empty if nothing is in the way. */
export async function findObstacles(db: Database): Promise<string[]> {
  if (!(await isOnCluster(db)))
    return [
      'This database has no Citus. Install Citus on every machine, add it to shared_preload_libraries, and run “create extension citus” in this database.',
    ]
  const { version, number } = await db.one<{ version: string; number: number }>`
    select extversion as version, split_part(extversion, '.', 1)::int as number from pg_extension where extname = 'citus'`
  const nodes = await db.many<Node>`
    select nodename as host, nodeport as port, isactive as is_active, shouldhaveshards as holds_shards, groupid = 0 as is_first
    from pg_dist_node where noderole = 'primary' order by nodeid`
  const away = nodes.filter(({ isActive }) => !isActive).map(({ host, port }) => `${host}:${port}`)
  return [
    ...(number < OLDEST_CITUS ? [`This is Citus ${version}; the product needs ${OLDEST_CITUS} or newer.`] : []),
    ...(nodes.some(({ isFirst }) => isFirst)
      ? []
      : ['The other machines don’t know this one: run “select citus_set_coordinator_host(HOST, PORT)”.']),
    ...(nodes.some(({ holdsShards }) => holdsShards)
      ? []
      : ['No machine holds shards: add one with “select citus_add_node(HOST, PORT)”.']),
    ...(away.length > 0
      ? [`The cluster doesn’t use ${away.join(', ')}: run “select citus_activate_node(HOST, PORT)” once it is up.`]
      : await checkMachines(db)),
    ...((await hasOtherConnections(db, NOT_OF_CITUS)) ? [OTHERS_CONNECTED] : []),
  ]
}

/** Asks every machine for its extensions and settings. */
async function checkMachines(db: Database): Promise<string[]> {
  const command = `select concat_ws(' ', (select setting from pg_settings where name = 'max_prepared_transactions'),
    (select string_agg(extname, ' ') from pg_extension))`
  const answers = await db.many<{ host: string; port: number; success: boolean; result: string }>`
    select n.nodename as host, n.nodeport as port, a.success, a.result
    from run_command_on_all_nodes(${command}) a join pg_dist_node n on n.nodeid = a.nodeid`
  return answers.flatMap(({ host, port, success, result }) => {
    const place = `${host}:${port}`
    if (!success) return [`${place} doesn’t respond: ${result}`]
    const [prepared, ...extensions] = result.split(' ')
    const lacking = NEEDED.filter((name) => !extensions.includes(name))
    return [
      ...(prepared === '0' ? [`Set max_prepared_transactions on ${place} to its max_connections.`] : []),
      ...lacking.map((name) => `Run “create extension ${name}” on ${place}.`),
    ]
  })
}

/** Leaves out connections that Citus opens for itself. */
const NOT_OF_CITUS = sql`and application_name not like 'citus\\_%'`
