import { NIL } from '../server/platform/database/ids.ts'
import { startChild } from './child.ts'
import { type BenchAccount, type Ground, makeAccount } from './ground.ts'
import type { Outcome } from './load.ts'
import { interleave, type Line, median, medianOf, ms, perSecond, ratioOf, type Scale } from './rounds.ts'
import { startLoad } from './start-load.ts'

const BROWSER =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36'
const CONNECTIONS = [64, 256]
const GOALS: Record<number, number> = { 64: 0.4, 256: 0.6 }

/** A visit through a short link, its click committed before the answer, beside node:http answering one constant 302, and the least that commits. */
export async function measureRedirect(ground: Ground, scale: Scale): Promise<Line[]> {
  const account = await makeAccount(ground)
  const key = await aBlueprintOf(ground, account)
  const bare = startChild<object, number>('bare-redirect.ts')
  const least = startChild<{ url: string }, number>('least-redirect.ts')
  const load = startLoad(302)
  const request = visitOf(key, account.codes[0]!)
  const barePort = await bare.ask({})
  const leastPort = await least.ask({ url: ground.db.url })
  const visit = (port: number, connections: number, durationMs: number) =>
    load.ask({ port, connections, ms: durationMs, request })

  let answered = 0
  const ours = async (connections: number, durationMs: number) => {
    const outcome = await visit(ground.port, connections, durationMs)
    answered += outcome.statuses[302] ?? 0
    return outcome
  }
  const lines: Line[] = []
  for (const connections of CONNECTIONS) {
    await visit(barePort, connections, scale.roundMs / 4)
    await visit(leastPort, connections, scale.roundMs / 4)
    await ours(connections, scale.roundMs / 2)
    const outcomes = await interleave(ground.watch, scale.rounds, {
      bare: () => visit(barePort, connections, scale.roundMs),
      least: () => visit(leastPort, connections, scale.roundMs),
      ours: () => ours(connections, scale.roundMs),
    })
    const rates = outcomes.ours.map((round) => round.perSecond)
    const floors = outcomes.bare.map((round) => round.perSecond)
    const leasts = outcomes.least.map((round) => round.perSecond)
    const p99 = (rounds: Outcome[]) => medianOf(rounds, (round) => round.p99)
    lines.push({
      what: `redirect, ${connections} connections`,
      ours: perSecond(median(rates)),
      floor: perSecond(median(floors)),
      ...ratioOf(rates, floors),
      goal: GOALS[connections]!,
      also: `p99 ${ms(p99(outcomes.ours))}, bare ${ms(p99(outcomes.bare))}; the least that commits a click ${perSecond(median(leasts))}`,
    })
  }
  load.end()
  bare.end()
  least.end()
  await checkClicks(ground, account.id, answered)
  return lines
}

/** The key of a link of the account. */
export async function aBlueprintOf({ api }: Ground, { id, token }: BenchAccount): Promise<string> {
  const link = { name: 'Shop', destinationUrl: 'https://shop.example.com/landing' }
  return (await api('POST', `/accounts/${id}/link-blueprints`, token, link)).key
}

/** The request of a visitor, each another one. */
export const visitOf = (key: string, code: string) =>
  `GET /r/${key}/${code} HTTP/1.1\r\nhost: 127.0.0.1\r\nuser-agent: ${BROWSER}\r\nx-forwarded-for: {visitor}\r\naccept: text/html\r\n\r\n`

/** Every answer has its click: in the table, and in the account's figures. */
async function checkClicks({ db }: Ground, accountId: string, answered: number) {
  const { kept } = await db.one<{ kept: number }>`select count(*) as kept from clicks where account_id = ${accountId}`
  const { counted } = await db.one<{ counted: number }>`
    select sum(clicks)::bigint as counted from day_stats
    where account_id = ${accountId} and partner_id = ${NIL} and blueprint_id = ${NIL}`
  if (kept !== answered || counted !== answered)
    throw new Error(`${answered} visits were answered, ${kept} clicks kept and ${counted} counted`)
}
