import { type BenchEnvironment, LEADS, makeAccount, makeLeads } from './environment.ts'
import type { Outcome } from './load.ts'
import { buildRequest } from './push-sales.ts'
import { buildVisit, createBlueprint } from './redirect.ts'
import {
  formatMs,
  goalWithCores,
  interleaveRounds,
  type Line,
  medianBy,
  perSecond,
  type Scale,
  toRatio,
} from './rounds.ts'
import { startLoad } from './start-load.ts'

/** Requests a second at a fixed pace: about a tenth of all possible visits, and a third of all sales. */
const VISITS = 2000
const SALES = 500
/** At most twice as long as without the sales, and 15 ms. */
const GOAL = 0.5

/** A visitor's wait while sales are pushed, compared with the wait without; both come at their pace. */
export async function measureMixed(ground: BenchEnvironment, scale: Scale): Promise<Line[]> {
  const account = await makeAccount(ground)
  await makeLeads(ground, account)
  const visit = buildVisit(await createBlueprint(ground, account), account.codes[0]!)
  const sale = buildRequest(account.apiKey, new Date().toISOString().slice(0, 10))
  const [visitors, buyers] = [startLoad(302), startLoad(201)]
  const common = { port: ground.port, connections: 64, ms: scale.roundMs }
  const visiting = () => visitors.ask({ ...common, request: visit, pace: VISITS })
  const buying = () => buyers.ask({ ...common, request: sale, things: LEADS, pace: SALES })
  await Promise.all([visiting(), buying()])
  const bought: Outcome[] = []
  const { alone, beside } = await interleaveRounds(ground.watch, scale.rounds, {
    alone: visiting,
    beside: async () => {
      const [visited, sold] = await Promise.all([visiting(), buying()])
      bought.push(sold)
      return visited
    },
  })
  visitors.end()
  buyers.end()
  const [floors, took] = [alone.map((round) => round.p99), beside.map((round) => round.p99)]
  return [
    {
      what: `redirect at ${perSecond(VISITS)} beside ${perSecond(SALES)} pushed sales, p99`,
      ours: formatMs(medianBy(beside, (round) => round.p99)),
      floor: formatMs(medianBy(alone, (round) => round.p99)),
      ...toRatio(floors, took),
      goal: goalWithCores(GOAL),
      also: `at most 15 ms; a sale ${formatMs(medianBy(bought, (round) => round.median))}, p99 ${formatMs(medianBy(bought, (round) => round.p99))}`,
    },
  ]
}
