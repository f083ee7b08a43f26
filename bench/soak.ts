import { readdirSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { addDays } from '../server/platform/time/days.ts'
import { startChild } from './child.ts'
import { untilFollowedUp } from './cost.ts'
import { aReadingKey, type BenchEnvironment, LEADS, makeAccount, makeLeads } from './environment.ts'
import { checkLedger } from './ledger.ts'
import type { Load, Outcome } from './load.ts'
import { listDescendants, readParent, readPss } from './processes.ts'
import { buildRequest } from './push-sales.ts'
import { buildGetRequest } from './reading.ts'
import { buildVisit, createBlueprint } from './redirect.ts'
import { formatMs, type Line, type Scale, toRatio } from './rounds.ts'
import { toTrend } from './verdict.ts'

/** Work per second, the same in every hour. */
const VISITS = 200
const SALES = 20
const PAGES = 2
const REFUND_EVERY_MS = 5000
/** At most a tenth more at the end than once everything was warm. */
const GOAL = 0.9
const MINUTE_MS = 60_000
const DELIVERY_PATIENCE_MS = 60_000

/** The values read every minute, each with its format. Memory is in bytes, PostgreSQL's without shared buffers. */
const watched = {
  'memory of Node': mb,
  'memory of PostgreSQL': mb,
  'shared buffers': mb,
  'JavaScript heap': mb,
  connections: whole,
  'open files': whole,
  'event-loop delay, p99': formatMs,
  'redirect, median': formatMs,
  'redirect, p99': formatMs,
  'pushed sale, p99': formatMs,
  errors: whole,
  'events waiting': whole,
  'deliveries waiting': whole,
}
type Watched = keyof typeof watched
type Minute = Record<Watched, number>

/** Values whose trend is a line of the report. */
const judged: Watched[] = [
  ...(['memory of Node', 'memory of PostgreSQL', 'connections', 'open files'] as const),
  ...(['event-loop delay, p99', 'redirect, p99', 'pushed sale, p99'] as const),
]

/**
 * Visits, pushed sales, an owner who reads, delivered webhooks and refunds, at a steady pace: whether memory,
 * connections, handles and waits at the end are as low as once everything was warm.
 */
export async function measureSoak(ground: BenchEnvironment, { minutes }: Scale): Promise<Line[]> {
  const account = await makeAccount(ground)
  await makeLeads(ground, account)
  const key = await aReadingKey(ground, account)
  const receiver = startChild<object, number>('receiver.ts')
  const url = `http://127.0.0.1:${await receiver.ask({})}/`
  const events = ['sale.created', 'sale.refunded']
  await ground.api('POST', `/accounts/${account.id}/outgoing-webhooks`, account.token, { name: 'Soak', url, events })

  const day = new Date().toISOString().slice(0, 10)
  const pages = [
    ...['leads', 'sales', 'partners', 'leads?search=lead-07', 'sales?sort=-amount', 'payouts', 'stats'],
    `dashboard/${addDays(day, -29)}..${day}`,
    `historical-stats/${addDays(day, -364)}..${day}`,
  ].map((path) => buildGetRequest(`accounts/${account.id}/${path}`, key))
  const visitors = steady(ground, 302, {
    request: buildVisit(await createBlueprint(ground, account), account.codes[0]!),
    pace: VISITS,
    connections: 16,
  })
  const buyers = steady(ground, 201, { request: buildRequest(key, day), pace: SALES, connections: 8 })
  const owner = steady(ground, 200, { request: pages, pace: PAGES, connections: 1 })
  const all = [visitors, buyers, owner]
  const refunds = refunding(ground, account.apiKey)

  const { pid } = await ground.db.one<{ pid: number }>`select pg_backend_pid() as pid`
  const look = createLook(ground, readParent(pid))
  const course: Minute[] = []
  // the first look covers the time before the first minute, so it is discarded
  await look()
  for (let minute = 1; minute <= minutes; minute++) {
    const [visited, bought] = await Promise.all(all.map((one) => one.run(MINUTE_MS)))
    course.push({
      ...(await look()),
      'redirect, median': visited!.median,
      'redirect, p99': visited!.p99,
      'pushed sale, p99': bought!.p99,
      errors: all.reduce((sum, { errors }) => sum + errors(), refunds.errors()),
    })
    process.stdout.write(`  ${minute} min: ${shown(course.at(-1)!)}\n`)
  }
  await refunds.end()
  for (const one of all) one.end()
  await untilDelivered(ground)
  receiver.end()
  await checkRows(ground, account.id, { clicks: visitors.answered(), sales: LEADS + buyers.answered() })
  await checkLedger(ground)

  const errors = course.at(-1)!.errors
  if (errors > 0) throw new Error(`${errors} calls were not answered as they should be`)
  return judged.map((what) => lineOf(what, course))
}

function lineOf(what: Watched, course: Minute[]): Line {
  const show = watched[what]
  const { from, to, perHour, spread, verdict } = toTrend(course.map((minute) => minute[what]))
  return {
    what: `${what}, ${course.length} min of mixed load`,
    ours: show(to),
    floor: show(from),
    ...toRatio([from], [to]),
    goal: GOAL,
    also:
      verdict === 'too short to tell'
        ? verdict
        : `${verdict}: ${signed(perHour, show)} an hour, give or take ${show(spread)}`,
  }
}

const signed = (value: number, show: (value: number) => string) => `${value < 0 ? '−' : '+'}${show(Math.abs(value))}`
const shown = (minute: Minute) =>
  Object.entries(watched)
    .map(([what, show]) => `${what} ${show(minute[what as Watched])}`)
    .join('; ')

function mb(bytes: number) {
  return `${(bytes / 1_048_576).toFixed(1)} MB`
}
function whole(value: number) {
  return value.toFixed(value % 1 === 0 ? 0 : 1)
}

/** Sends requests at a pace. Answers with another status than `status` are counted and do not end the load. */
function steady(
  { port }: BenchEnvironment,
  status: number,
  load: Pick<Load, 'request' | 'connections'> & { pace: number },
) {
  const child = startChild<Load, Outcome>('load.ts')
  let first = 0
  let answered = 0
  let errors = 0
  return {
    answered: () => answered,
    errors: () => errors,
    async run(forMs: number) {
      const outcome = await child.ask({ port, ...load, ms: forMs, first, things: LEADS })
      first += outcome.sent
      for (const [code, count] of Object.entries(outcome.statuses))
        if (Number(code) === status) answered += count
        else errors += count
      return outcome
    },
    end: child.end,
  }
}

/** Refunds a sale every few seconds, oldest first. */
function refunding({ api }: BenchEnvironment, apiKey: string) {
  const over = new AbortController()
  let errors = 0
  const work = (async () => {
    for (let number = 1; ; number++) {
      await sleep(REFUND_EVERY_MS, undefined, { signal: over.signal })
      const saleExternalId = `sale-${String(number).padStart(9, '0')}`
      const refund = { externalId: `refund-${number}`, saleExternalId, amount: number % 2 ? 10_00 : undefined }
      await api('POST', '/push/refunds', apiKey, refund).catch(() => errors++)
    }
  })().catch(() => {})
  return {
    errors: () => errors,
    end() {
      over.abort()
      return work
    },
  }
}

function createLook({ db, product, port }: BenchEnvironment, postmaster: number) {
  const gauge = (page: string, name: string) => {
    const start = page.indexOf(`\ntributary_${name} `)
    return Number(page.slice(start + 1).split(/[ \n]/, 2)[1])
  }
  return async (): Promise<Omit<Minute, 'redirect, median' | 'redirect, p99' | 'pushed sale, p99' | 'errors'>> => {
    const page = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
    const node = readPss(product.child.pid!)
    const postgres = [postmaster, ...listDescendants(postmaster)].flatMap((pid) => {
      try {
        return [readPss(pid)]
      } catch {
        // it has ended meanwhile
        return []
      }
    })
    const { connections, events, deliveries } = await db.one<Record<'connections' | 'events' | 'deliveries', number>>`
      select (select count(*) from pg_stat_activity where backend_type = 'client backend') as connections,
        (select count(*) from event_relays) as events,
        (select count(*) from outgoing_deliveries where state <> 'delivered') as deliveries`
    const shared = postgres.reduce((sum, one) => sum + one.shared, 0)
    return {
      'memory of Node': node.all,
      'memory of PostgreSQL': postgres.reduce((sum, one) => sum + one.all, 0) - shared,
      'shared buffers': shared,
      'JavaScript heap': gauge(page, 'process_heap_bytes'),
      connections,
      'open files': readdirSync(`/proc/${product.child.pid}/fd`).length,
      'event-loop delay, p99': gauge(page, 'event_loop_lag_seconds{quantile="0.99"}') * 1000,
      'events waiting': events,
      'deliveries waiting': deliveries,
    }
  }
}

async function untilDelivered({ db }: BenchEnvironment) {
  await untilFollowedUp(db)
  for (const until = performance.now() + DELIVERY_PATIENCE_MS; performance.now() < until; await sleep(100)) {
    const { left } = await db.one<{ left: number }>`
      select count(*) as left from outgoing_deliveries where state <> 'delivered'`
    if (left === 0) return
  }
  throw new Error('deliveries wait although their receiver takes all')
}

/** Checks that everything answered was stored. */
async function checkRows({ db }: BenchEnvironment, accountId: string, answered: { clicks: number; sales: number }) {
  const kept = await db.one<{ clicks: number; sales: number }>`
    select (select count(*) from clicks where account_id = ${accountId}) as clicks,
      (select count(*) from sales where account_id = ${accountId}) as sales`
  if (kept.clicks !== answered.clicks || kept.sales !== answered.sales)
    throw new Error(`answered ${JSON.stringify(answered)}, kept ${JSON.stringify(kept)}`)
}
