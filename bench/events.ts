import type { BareEvents } from './bare-events.ts'
import type { BookEvents } from './book-events.ts'
import { startChild } from './child.ts'
import { type BenchEnvironment, LEADS, makeAccount, makeLeads, RATES } from './environment.ts'
import { checkLedger } from './ledger.ts'
import { goalWithCores, interleaveRounds, type Line, perSecond, type Scale, toMedian, toRatio } from './rounds.ts'

const GOAL = 1 / 3
const LANES = 8
const FLOOR_LANES = [1, 8, 16]
/** Accounts, each with its own figures that are updated one sale at a time, as in a real installation. */
const ACCOUNTS = 4
/** More than a process books in a second on any machine. */
const MOST_PER_SECOND = 4000

/**
 * Stored events of a payment provider, each booked as a sale with three earning layers, by one process and by two,
 * compared with the driver writing the same rows in one transaction.
 */
export async function measureEvents(ground: BenchEnvironment, scale: Scale): Promise<Line[]> {
  const ours = await makeShops(ground)
  const floor = await makeShops(ground)
  const workers = [1, 2].map(() => startChild<BookEvents, { perSecond: number; booked: number }>('book-events.ts'))
  const bare = startChild<BareEvents, { perSecond: number; written: number }>('bare-events.ts')
  let booked = LEADS * ACCOUNTS
  let written = LEADS * ACCOUNTS
  let stored = 0

  const store = async (count: number) => {
    for (const [index, { shopId, leadIds }] of ours.entries())
      await ground.db.run`
        insert into provider_events (id, account_id, connection_id, shop_id, external_id, type, at, body, state, received_at)
        select uuidv7(), c.account_id, c.id, c.shop_id, 'told-' || n, 'payment', now(),
          jsonb_build_object('id', 'bench-' || n, 'amount', 4900, 'lead', (${leadIds}::text[])[1 + n % ${LEADS}])::text,
          'received', now()
        from provider_connections c, generate_series(${stored + 1 + index}::int, ${stored + count}::int, ${ACCOUNTS}::int) n
        where c.shop_id = ${shopId}`
    stored += count
  }
  const book = async (processes: number) => {
    await store(Math.ceil((MOST_PER_SECOND * scale.roundMs) / 1000))
    const shopIds = ours.map(({ shopId }) => shopId)
    const plan = { url: ground.db.url, lanes: LANES, ms: scale.roundMs, shopIds, parts: processes }
    const outcomes = await Promise.all(workers.slice(0, processes).map((one, part) => one.ask({ ...plan, part })))
    booked += outcomes.reduce((all, one) => all + one.booked, 0)
    await ground.db.run`delete from provider_events where shop_id = any(${shopIds}::uuid[]) and state = 'received'`
    return outcomes.reduce((all, one) => all + one.perSecond, 0)
  }
  const write = async (lanes: number, ms: number) => {
    const outcome = await bare.ask({ shops: floor, url: ground.db.url, lanes, ms, first: written })
    written += outcome.written
    return outcome.perSecond
  }

  let best = { lanes: 0, rate: 0 }
  for (const lanes of FLOOR_LANES) {
    const rate = await write(lanes, scale.roundMs / 4)
    if (rate > best.rate) best = { lanes, rate }
  }
  await book(1)
  const outcomes = await interleaveRounds(ground.watch, scale.rounds, {
    floor: () => write(best.lanes, scale.roundMs),
    one: () => book(1),
    two: () => book(2),
  })
  for (const worker of workers) worker.end()
  bare.end()
  await checkSales(ground, ours, booked)
  await checkSales(ground, floor, written)
  await checkLedger(ground)

  const { floor: floors, one, two } = outcomes
  return [
    line('event of a provider booked, 3 layers, one process', one, { rates: floors, goal: GOAL }),
    line('the same by two processes, beside one', two, { rates: one, goal: goalWithCores(1) }),
  ]
}

const line = (what: string, ours: number[], floor: { rates: number[]; goal: number | null }): Line => ({
  what,
  ours: perSecond(toMedian(ours)),
  floor: perSecond(toMedian(floor.rates)),
  ...toRatio(ours, floor.rates),
  goal: floor.goal,
  also: '',
})

type Shop = Awaited<ReturnType<typeof makeShops>>[number]

/** Makes accounts with leads, each with a connection that is never queried: its events are complete. */
async function makeShops(ground: BenchEnvironment) {
  const { db } = ground
  const shops = []
  for (let n = 0; n < ACCOUNTS; n++) {
    const account = await makeAccount(ground)
    const leadIds = await makeLeads(ground, account)
    const { shopId, credit } = await db.one<{ shopId: string; credit: object }>`
      insert into provider_shops (id, account_id, provider, livemode, created_at)
      values (uuidv7(), ${account.id}, 'generic', true, now())
      returning id as shop_id, (select credit from sales where account_id = ${account.id} limit 1) as credit`
    await db.run`
      insert into provider_connections (id, account_id, shop_id, provider, method, livemode, webhook_url, created_at, updated_at)
      values (uuidv7(), ${account.id}, ${shopId}, 'generic', 'credentials', true, 'https://bench.example/', now(), now())`
    const ratesPpm = RATES.map((rate) => rate * 10_000)
    const day = new Date().toISOString().slice(0, 10)
    shops.push({ accountId: account.id, partnerIds: account.partnerIds, ratesPpm, leadIds, credit, day, shopId })
  }
  return shops
}

async function checkSales({ db }: BenchEnvironment, shops: Shop[], expected: number) {
  const accounts = shops.map(({ accountId }) => accountId)
  const { sales } = await db.one<{ sales: number }>`
    select count(*) as sales from sales where account_id = any(${accounts}::uuid[])`
  if (sales !== expected) throw new Error(`${expected} sales were booked; there are ${sales}`)
}
