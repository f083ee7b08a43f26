import { StartRefusal } from '../platform/config/start-refusal.ts'
import { findObstacles } from '../platform/database/cluster/obstacles.ts'
import {
  isOnCluster,
  lettingGo,
  planSpread,
  type SpreadPlan,
  spreadTables,
} from '../platform/database/cluster/spread.ts'
import { transaction } from '../platform/database/pool.ts'
import { countInWords } from '../platform/format-values.ts'
import { type Define, defineReport, type Progress, type Report } from './command.ts'
import { type OpenInstall, withInstall } from './install.ts'

export const define: Define = (program) =>
  defineReport<{ dryRun?: boolean }>(
    program
      .command('spread')
      .description(
        'Spread the tables over the machines of a Citus cluster while the product is stopped, all or nothing.',
      )
      .option('--dry-run', 'only list what would be done, and what is in the way'),
    (_, { dryRun = false }, tell) =>
      withInstall((install) => (dryRun ? rehearse(install) : spreadNow(install, tell)), { named: true }),
  )

/** Exits with 1 if something is in the way. */
async function rehearse({ db }: OpenInstall): Promise<Report> {
  const obstacles = await findObstacles(db)
  const plan = (await isOnCluster(db)) ? await planSpread(db) : { everywhere: [], distributed: [] }
  return {
    lines: [
      ...(obstacles.length > 0 ? ['In the way:', ...obstacles.map((one) => `- ${one}`), ''] : []),
      ...inWords(plan),
    ],
    json: { dryRun: true, obstacles, ...plan },
    exitCode: obstacles.length > 0 ? 1 : 0,
  }
}

async function spreadNow({ db }: OpenInstall, tell: Progress): Promise<Report> {
  const obstacles = await findObstacles(db)
  if (obstacles.length > 0) throw new StartRefusal(obstacles.join('\n'))
  const plan = await transaction(db, (tx) =>
    spreadTables(tx, (table, number, of) => tell(`${table}, ${number} of ${of}`)),
  )
  const count = plan.everywhere.length + plan.distributed.length
  return {
    lines: [count > 0 ? `${countInWords(count, 'table')} placed. Now start the product.` : PLACED],
    json: { dryRun: false, ...plan },
  }
}

const PLACED = 'Every table is placed.'

function inWords({ everywhere, distributed }: SpreadPlan): string[] {
  if (everywhere.length + distributed.length === 0) return [PLACED]
  return [
    `${countInWords(everywhere.length, 'table')} would be copied to every machine: ${everywhere.join(', ')}.`,
    `${countInWords(distributed.length, 'table')} would be spread by account: ${distributed.join(', ')}.`,
    ...Object.entries(lettingGo).map(([name, reason]) => `The foreign key ${name} would be dropped: ${reason}.`),
  ]
}
