import { isOnCluster, isSpread, planSpread } from '../platform/database/cluster/spread.ts'
import type { Database } from '../platform/database/pool.ts'
import { countInWords } from '../platform/format-values.ts'
import { type Check, type Finding, problemsOr, reportFault, reportOk, reportSkipped, reportWarning } from './check.ts'

/** Checks a Citus cluster: whether its machines respond, every table is placed, and the shards are balanced. */
export const cluster: Check = {
  name: 'cluster',
  async look(patient) {
    const db = await patient.database()
    if (!(await isOnCluster(db))) return reportSkipped('The database is on one machine.')
    if (!(await isSpread(db))) return reportSkipped('Citus is installed, but no table is spread: see docs/scaling.md.')
    const away = await judgeMachines(db)
    // an unreachable machine is not checked
    if (away) return away
    return problemsOr(
      reportOk(`Its ${countInWords(await countMachines(db), 'machine')} respond, and every table is placed.`),
      await judgeTables(db),
      await judgeBalance(db),
    )
  },
}

const countMachines = (db: Database) => db.value<number>`select count(*) from pg_dist_node`

async function judgeMachines(db: Database): Promise<Finding | null> {
  const away = await db.many<{ machine: string }>`
    select distinct to_nodename || ':' || to_nodeport as machine from citus_check_cluster_node_health()
    where from_nodeport = (select nodeport from pg_dist_node where groupid = 0)
      and from_nodename = (select nodename from pg_dist_node where groupid = 0) and result is not true
    order by 1`
  if (away.length === 0) return null
  return reportFault(
    `The first machine can’t reach ${away.map(({ machine }) => machine).join(', ')}: accounts there get 503, and clocks that look at every account wait.`,
    'Start it again, or promote its standby and tell Citus with citus_update_node.',
  )
}

async function judgeTables(db: Database): Promise<Finding | null> {
  const { everywhere, distributed } = await planSpread(db)
  const missing = [...everywhere, ...distributed]
  if (missing.length === 0) return null
  return reportFault(
    `${countInWords(missing.length, 'table')} on the first machine only: ${missing.join(', ')}.`,
    'Stop the product and run npx tributary spread.',
  )
}

async function judgeBalance(db: Database): Promise<Finding | null> {
  const moves = await db.value<number>`select count(*) from get_rebalance_table_shards_plan('partners'::regclass)`
  if (moves === 0) return null
  return reportWarning(
    `The machines’ shares are uneven: ${countInWords(moves, 'group')} of shards would have to move.`,
    'At a quiet hour, run “select citus_rebalance_start()”: it moves them while the product runs.',
  )
}
