import { NIL } from '../server/platform/database/ids.ts'
import { startChild } from './child.ts'
import { type BenchAccount, type BenchEnvironment, makeAccount } from './environment.ts'
import {
  formatMs,
  goalWithCores,
  interleaveRounds,
  type Line,
  medianBy,
  perSecond,
  type Scale,
  toMedian,
  toRatio,
} from './rounds.ts'
import { startLoad } from './start-load.ts'
import { hasWrk, type Visited, visitsByWrk } from './wrk.ts'

const BROWSER =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36'
const CONNECTIONS = [64, 256]
const GOALS: Record<number, number | null> = { 64: 0.4, 256: goalWithCores(0.6) }

/** Sends visits over `connections` for `ms`. */
type Visits = (port: number, connections: number, ms: number) => Promise<Visited>

/**
 * A visit through a short link, its click committed before the answer, compared with the least that commits one. The
 * report also has the rate of node:http answering a constant 302.
 */
export async function measureRedirect(ground: BenchEnvironment, scale: Scale): Promise<Line[]> {
  const bare = startChild<object, number>('bare-redirect.ts')
  const least = startChild<{ url: string }, number>('least-redirect.ts')
  const load = startLoad(302)
  const ports = { bare: await bare.ask({}), least: await least.ask({ url: ground.db.url }) }
  const ofOurLoad =
    (request: string): Visits =>
    async (port, connections, ms) => {
      const { statuses, perSecond, p99 } = await load.ask({ port, connections, ms, request })
      return { answered: statuses[302] ?? 0, perSecond, p99 }
    }
  try {
    return [
      ...(await measureVisits(ground, scale, ports, { by: '', visitsOf: ofOurLoad, uncounted: 0 })),
      ...((await hasWrk())
        ? await measureVisits(ground, scale, ports, { by: ', by wrk', visitsOf: visitsByWrk, uncounted: 1 })
        : []),
    ]
  } finally {
    for (const child of [load, bare, least]) child.end()
  }
}

/** Visits of a new account. `uncounted`: visits that may also have arrived, per connection and round. */
async function measureVisits(
  ground: BenchEnvironment,
  scale: Scale,
  ports: { bare: number; least: number },
  { by, visitsOf, uncounted }: { by: string; visitsOf: (request: string) => Visits; uncounted: number },
): Promise<Line[]> {
  const account = await makeAccount(ground)
  const visit = visitsOf(buildVisit(await createBlueprint(ground, account), account.codes[0]!))
  const arrived = { least: 0, most: 0 }
  const ours = async (connections: number, durationMs: number) => {
    const visited = await visit(ground.port, connections, durationMs)
    arrived.least += visited.answered
    arrived.most += visited.answered + uncounted * connections
    return visited
  }
  const lines: Line[] = []
  for (const connections of CONNECTIONS) {
    await visit(ports.bare, connections, scale.roundMs / 4)
    await visit(ports.least, connections, scale.roundMs / 4)
    await ours(connections, scale.roundMs / 2)
    const visited = await interleaveRounds(ground.watch, scale.rounds, {
      bare: () => visit(ports.bare, connections, scale.roundMs),
      least: () => visit(ports.least, connections, scale.roundMs),
      ours: () => ours(connections, scale.roundMs),
    })
    const rates = visited.ours.map((round) => round.perSecond)
    const bares = visited.bare.map((round) => round.perSecond)
    const leasts = visited.least.map((round) => round.perSecond)
    const p99 = (rounds: Visited[]) => medianBy(rounds, (round) => round.p99)
    lines.push({
      what: `redirect, ${connections} connections${by}`,
      ours: perSecond(toMedian(rates)),
      floor: perSecond(toMedian(leasts)),
      ...toRatio(rates, leasts),
      goal: GOALS[connections]!,
      also: `p99 ${formatMs(p99(visited.ours))}, the least ${formatMs(p99(visited.least))}; without a click ${perSecond(toMedian(bares))}`,
    })
  }
  await checkClicks(ground, account.id, arrived)
  return lines
}

/** The key of a link of the account. */
export async function createBlueprint({ api }: BenchEnvironment, { id, token }: BenchAccount): Promise<string> {
  const link = { name: 'Shop', destinationUrl: 'https://shop.example.com/landing' }
  return (await api('POST', `/accounts/${id}/link-blueprints`, token, link)).key
}

/** A visitor's request; each one is from another visitor. */
export const buildVisit = (key: string, code: string) =>
  `GET /r/${key}/${code} HTTP/1.1\r\nhost: 127.0.0.1\r\nuser-agent: ${BROWSER}\r\nx-forwarded-for: {visitor}\r\naccept: text/html\r\n\r\n`

/** Checks that every answer has its click: in the table, and in the account's figures. */
async function checkClicks({ db }: BenchEnvironment, accountId: string, arrived: { least: number; most: number }) {
  const { kept } = await db.one<{ kept: number }>`select count(*) as kept from clicks where account_id = ${accountId}`
  const { counted } = await db.one<{ counted: number }>`
    select sum(clicks)::bigint as counted from day_stats
    where account_id = ${accountId} and partner_id = ${NIL} and blueprint_id = ${NIL}`
  if (kept < arrived.least || kept > arrived.most || counted !== kept)
    throw new Error(
      `${arrived.least} to ${arrived.most} visits arrived, ${kept} clicks are kept and ${counted} counted`,
    )
}
