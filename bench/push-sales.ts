import type { BareSales } from './bare-sales.ts'
import { startChild } from './child.ts'
import { type BenchAccount, type BenchEnvironment, LEADS, makeAccount, makeLeads, RATES } from './environment.ts'
import { checkLedger } from './ledger.ts'
import type { Outcome } from './load.ts'
import { formatMs, interleaveRounds, type Line, medianBy, perSecond, type Scale, toMedian, toRatio } from './rounds.ts'
import { startLoad } from './start-load.ts'

const CONNECTIONS = [16, 64]
const GOALS: Record<number, number> = { 16: 0.8, 64: 1.2 }
/** 2.5 ms; the function takes 0.5. */
const GOAL_ALONE = 0.2
/** At most 1.5 times a simple sale. */
const GOAL_BY_RULES = 0.67
const FLOOR_CONNECTIONS = [1, 8, 16]

const LINES = [
  { productId: 'pro', amount: 3000 },
  { productId: 'starter', amount: 1000 },
  { productId: 'shirt', amount: 900 },
]
const CAP = 1_000_000_000_000
const RULES = {
  rules: [
    { name: 'Pro, first year', when: { products: ['pro'], firstMonths: 12 }, layerRates: RATES },
    { name: 'Starter', when: { products: ['starter'] }, layerAmounts: [100, 50, 20] },
    { name: 'Large', when: { amountFrom: 100_000_00 }, layerRates: RATES },
    { name: 'Abroad', when: { countries: ['DE', 'FR'] }, layerRates: RATES },
    { name: 'By code', when: { promotionCode: 'used' }, layerRates: RATES },
  ],
  otherwise: { layerRates: RATES },
  maxPerCustomer: CAP,
  maxPerMonth: CAP,
}

/**
 * A pushed sale with three earning layers, compared with the driver writing the same rows with no HTTP and no rules in
 * between: statement by statement, and by one function call a sale, at the number of connections that suits it best.
 */
export async function measurePushedSales(ground: BenchEnvironment, scale: Scale): Promise<Line[]> {
  const [account, floorAccount] = [await makeAccount(ground), await makeAccount(ground)]
  await makeLeads(ground, account)
  const leadIds = await makeLeads(ground, floorAccount)
  const ruled = await makeAccount(ground)
  await ground.api('PUT', `/accounts/${ruled.id}/terms`, ruled.token, { terms: RULES })
  await makeLeads(ground, ruled)
  const { credit } = await ground.db.one<{ credit: object }>`
    select credit from sales where account_id = ${floorAccount.id} limit 1`
  const load = startLoad(201)
  const bare = startChild<BareSales, { perSecond: number; written: number }>('bare-sales.ts')
  const day = new Date().toISOString().slice(0, 10)
  let answered = LEADS
  let written = LEADS
  let answeredByRules = LEADS

  const push = async (connections: number, durationMs: number) => {
    const request = buildRequest(account.apiKey, day)
    const outcome = await load.ask({ port: ground.port, connections, ms: durationMs, request, things: LEADS })
    answered += outcome.statuses[201] ?? 0
    return outcome
  }
  const pushByRules = async (durationMs: number) => {
    const request = buildRequest(ruled.apiKey, day, { more: { lines: LINES } })
    const outcome = await load.ask({ port: ground.port, connections: 1, ms: durationMs, request, things: LEADS })
    answeredByRules += outcome.statuses[201] ?? 0
    return outcome
  }
  const write = async (way: BareSales['way'], connections: number, durationMs: number) => {
    const { partnerIds, id: accountId } = floorAccount
    const ratesPpm = RATES.map((rate) => rate * 10_000)
    const plan = { url: ground.db.url, accountId, partnerIds, ratesPpm, leadIds, credit, day }
    const outcome = await bare.ask({ ...plan, way, connections, ms: durationMs, first: written })
    written += outcome.written
    return outcome
  }

  const best = await fastest(FLOOR_CONNECTIONS, (connections) => write('function', connections, scale.roundMs / 4))
  await push(64, scale.roundMs / 2)
  const outcomes = await interleaveRounds(ground.watch, scale.rounds, {
    floor: async () => (await write('function', best, scale.roundMs)).perSecond,
    statements: async () => (await write('statements', 16, scale.roundMs)).perSecond,
    floorAlone: async () => (await write('function', 1, scale.roundMs)).perSecond,
    alone: () => push(1, scale.roundMs),
    byRules: () => pushByRules(scale.roundMs),
    few: () => push(CONNECTIONS[0]!, scale.roundMs),
    many: () => push(CONNECTIONS[1]!, scale.roundMs),
  } as Record<string, () => Promise<number | Outcome>>)
  load.end()
  bare.end()
  await checkSales(ground, account, answered)
  await checkSales(ground, floorAccount, written)
  await checkSales(ground, ruled, answeredByRules)
  await checkLedger(ground)

  const floors = outcomes.floor as number[]
  const statements = toMedian(outcomes.statements as number[])
  const took = (outcomes.alone as Outcome[]).map((round) => round.median)
  const floorTook = (outcomes.floorAlone as number[]).map((rate) => 1000 / rate)
  const alone: Line = {
    what: 'pushed sale of 3 layers, by itself',
    ours: formatMs(toMedian(took)),
    floor: formatMs(toMedian(floorTook)),
    ...toRatio(floorTook, took),
    goal: GOAL_ALONE,
    also: `p99 ${formatMs(medianBy(outcomes.alone as Outcome[], (round) => round.p99))}`,
  }
  const tookByRules = (outcomes.byRules as Outcome[]).map((round) => round.median)
  const byRules: Line = {
    what: 'pushed sale of 3 lines by 5 rules and 2 caps, by itself',
    ours: formatMs(toMedian(tookByRules)),
    floor: formatMs(toMedian(took)),
    ...toRatio(took, tookByRules),
    goal: GOAL_BY_RULES,
    also: 'compared with the sale above',
  }
  const together = [outcomes.few, outcomes.many].map((rounds, index): Line => {
    const rates = (rounds as Outcome[]).map((round) => round.perSecond)
    const p99 = medianBy(rounds as Outcome[], (round) => round.p99)
    const connections = CONNECTIONS[index]!
    return {
      what: `pushed sale of 3 layers, ${connections} connections`,
      ours: perSecond(toMedian(rates)),
      floor: perSecond(toMedian(floors)),
      ...toRatio(rates, floors),
      goal: GOALS[connections]!,
      also: `${(toMedian(rates) / statements).toFixed(2)} of statement by statement (${perSecond(statements)}); p99 ${formatMs(p99)}`,
    }
  })
  return [alone, byRules, ...together]
}

export function buildRequest(
  apiKey: string,
  saleDate: string,
  { externalId = 'sale-{number}', leadExternalId = 'lead-{thing}', more = {} } = {},
) {
  const sale = { ...more, amount: 4900, currency: 'usd', saleDate, description: 'Monthly plan' }
  const body = JSON.stringify({ externalId, leadExternalId, ...sale })
  const length = body.replace('{number}', '000000000').replace('{thing}', '0000').length
  return `POST /api/v1/push/sales HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${apiKey}\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n${body}`
}

async function fastest(choices: number[], measure: (choice: number) => Promise<{ perSecond: number }>) {
  const rates: { choice: number; perSecond: number }[] = []
  for (const choice of choices) rates.push({ choice, perSecond: (await measure(choice)).perSecond })
  return rates.reduce((best, one) => (one.perSecond > best.perSecond ? one : best)).choice
}

/** Checks that every answered sale is stored with its three entries. */
async function checkSales({ db }: BenchEnvironment, { id }: BenchAccount, expected: number) {
  const { sales } = await db.one<{ sales: number }>`select count(*) as sales from sales where account_id = ${id}`
  const { entries } = await db.one<{ entries: number }>`
    select count(*) as entries from commission_entries where account_id = ${id}`
  if (sales !== expected || entries !== 3 * expected)
    throw new Error(`${expected} sales were answered; there are ${sales} with ${entries} entries`)
}
