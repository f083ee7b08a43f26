import { test } from 'node:test'
import { parseArgs } from 'node:util'
import { withoutPgBouncer } from './support/pgbouncer.ts'
import { playWhole } from './support/whole-commands.ts'

// `npm run test:failover -- --sales 100000`: test/whole.slow.test.ts with this number of sales.

const { values } = parseArgs({ options: { sales: { type: 'string', default: '100000' } } })
const sales = Number(values.sales)
if (!Number.isInteger(sales) || sales < 2) {
  process.stderr.write('--sales takes a whole number from 2 on.\n')
  process.exit(1)
}

test(`${sales} sales through a failover`, { skip: withoutPgBouncer }, async (t) => {
  const { perSecond, clicks, reads, fromReplica, longestPauseMs } = await playWhole({ sales })
  t.diagnostic(`${Math.round(perSecond)} sales a second beside ${clicks} clicks`)
  t.diagnostic(`${reads} lists were read, ${fromReplica} of them from the replica before it was promoted`)
  t.diagnostic(`for ${Math.round(longestPauseMs)} ms no sale was acknowledged`)
})
