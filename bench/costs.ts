import type { Cost } from './cost.ts'
import { type BenchEnvironment, makeAccount, makeLeads, startGround } from './environment.ts'
import { type Asked, buildStep, findTarget, measureStep } from './growth.ts'
import { checkLedger } from './ledger.ts'
import { formatMs, type Line, medianBy, type Scale, toRatio } from './rounds.ts'

const REQUESTS = ['redirect', 'pushed sale'] as const satisfies Asked[]
/** Part of the requests of `growth` that are made one after another. */
const ALONE = 0.25
const MOST_ROUNDS = 3

/**
 * The cost of a thousand visits and of a thousand sales of three layers, with all that follows them: processor time and
 * bytes. The floor is the same from one connection, where each commits by itself.
 */
export async function measureCosts({ watch }: BenchEnvironment, scale: Scale): Promise<Line[]> {
  const ground = await startGround(watch, { counting: true })
  try {
    const account = await makeAccount(ground)
    await makeLeads(ground, account)
    const step = buildStep(ground, 1, [await findTarget(ground, account)])
    const how = { rounds: Math.min(scale.rounds, MOST_ROUNDS), requests: [...REQUESTS] }
    const part = scale.rounds === 1 ? ALONE : 1
    const together = await measureStep(ground, step, { ...how, part })
    await watch.look()
    const alone = await measureStep(ground, step, { ...how, part: part * ALONE, connections: 1 })
    await watch.look()
    await checkLedger(ground)
    return REQUESTS.map((request) => {
      const [ours, floor] = [together, alone].map((of) => of[request].map(({ cost }) => cost)) as [Cost[], Cost[]]
      return {
        what: `1,000 of ${request}, 16 connections, beside one`,
        ours: formatMs(medianBy(ours, whole)),
        floor: formatMs(medianBy(floor, whole)),
        ...toRatio(floor.map(whole), ours.map(whole)),
        goal: 1,
        also: `${partsOf(ours)}; by one connection ${partsOf(floor)}`,
      }
    })
  } finally {
    await ground.stop()
  }
}

/** Microseconds per answer, which are milliseconds per thousand. */
const whole = ({ node, postgres }: Cost) => node + postgres

const partsOf = (costs: Cost[]) =>
  [
    `Node ${formatMs(medianBy(costs, ({ node }) => node))}`,
    `PostgreSQL ${formatMs(medianBy(costs, ({ postgres }) => postgres))}`,
    `log ${formatMegabytes(medianBy(costs, ({ bytes }) => bytes.log))}`,
    `disk ${formatMegabytes(medianBy(costs, ({ bytes }) => bytes.disk))}`,
  ].join(', ')

/** Bytes per answer, which are kilobytes per thousand. */
const formatMegabytes = (kilobytes: number) => `${(kilobytes / 1000).toFixed(2)} MB`
