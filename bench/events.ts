import { transaction } from '../server/platform/database/pool.ts'
import { verifyLedger } from '../server/program/stats/verify.ts'
import type { BareEvents } from './bare-events.ts'
import type { BookEvents } from './book-events.ts'
import { startChild } from './child.ts'
import { type BenchAccount, type Ground, LEADS, makeAccount, makeLeads, RATES } from './ground.ts'
import { interleave, type Line, medianOf, perSecond, type Scale } from './rounds.ts'

const GOAL = 1 / 3
const LANES = 8
const FLOOR_LANES = [1, 8, 16]
/** More than a process books in a second on any machine. */
const MOST_PER_SECOND = 4000

/**
 * Stored events of a payment provider, each booked as a sale that three layers earn from, by one process and by two,
 * beside the driver that writes the same rows in one transaction.
 */
export async function measureEvents(ground: Ground, scale: Scale): Promise<Line[]> {
  const [account, floorAccount] = [await makeAccount(ground), await makeAccount(ground)]
  const leads = await makeLeads(ground, account)
  const floorLeads = await makeLeads(ground, floorAccount)
  const { credit } = await ground.db.one<{ credit: object }>`
    select credit from sales where account_id = ${floorAccount.id} limit 1`
  const shops = { ours: await makeShop(ground, account), floor: await makeShop(ground, floorAccount) }
  const workers = [1, 2].map(() => startChild<BookEvents, { perSecond: number; booked: number }>('book-events.ts'))
  const bare = startChild<BareEvents, { perSecond: number; written: number }>('bare-events.ts')
  const day = new Date().toISOString().slice(0, 10)
  let booked = LEADS
  let written = LEADS
  let stored = 0

  const store = async (count: number) => {
    await ground.db.run`
      insert into provider_events (id, connection_id, shop_id, external_id, type, at, body, state, received_at)
      select uuidv7(), c.id, c.shop_id, 'told-' || n, 'payment', now(),
        jsonb_build_object('id', 'bench-' || n, 'amount', 4900, 'lead', (${leads}::text[])[1 + n % ${LEADS}])::text,
        'received', now()
      from provider_connections c, generate_series(${stored + 1}::int, ${stored + count}::int) n
      where c.shop_id = ${shops.ours}`
    stored += count
  }
  const book = async (processes: number) => {
    await store(Math.ceil((MOST_PER_SECOND * scale.roundMs) / 1000))
    const plan = { url: ground.db.url, lanes: LANES, ms: scale.roundMs, shopId: shops.ours, parts: processes }
    const outcomes = await Promise.all(workers.slice(0, processes).map((one, part) => one.ask({ ...plan, part })))
    booked += outcomes.reduce((all, one) => all + one.booked, 0)
    await ground.db.run`delete from provider_events where shop_id = ${shops.ours} and state = 'received'`
    return outcomes.reduce((all, one) => all + one.perSecond, 0)
  }
  const write = async (lanes: number, ms: number) => {
    const { partnerIds, id: accountId } = floorAccount
    const ratesPpm = RATES.map((rate) => rate * 10_000)
    const sale = { accountId, partnerIds, ratesPpm, leadIds: floorLeads, credit, day }
    const outcome = await bare.ask({ ...sale, url: ground.db.url, shopId: shops.floor, lanes, ms, first: written })
    written += outcome.written
    return outcome.perSecond
  }

  let best = { lanes: 0, rate: 0 }
  for (const lanes of FLOOR_LANES) {
    const rate = await write(lanes, scale.roundMs / 4)
    if (rate > best.rate) best = { lanes, rate }
  }
  await book(1)
  const outcomes = await interleave(scale.rounds, {
    floor: () => write(best.lanes, scale.roundMs),
    one: () => book(1),
    two: () => book(2),
  })
  for (const worker of workers) worker.end()
  bare.end()
  await checkSales(ground, account, booked)
  await checkSales(ground, floorAccount, written)
  const differences = await transaction(ground.db, async (tx) => {
    await tx.run`set local statement_timeout = 0`
    return verifyLedger(tx)
  })
  if (differences.length > 0) throw new Error(`the ledger differs: ${JSON.stringify(differences[0])}`)

  const [floor, one, two] = [outcomes.floor, outcomes.one, outcomes.two].map((rates) => medianOf(rates, (rate) => rate))
  return [
    line('event of a provider booked, 3 layers, one process', one!, { rate: floor!, goal: GOAL }),
    line('the same by two processes, beside one', two!, { rate: one!, goal: 1 }),
  ]
}

const line = (what: string, ours: number, floor: { rate: number; goal: number }): Line => ({
  ...{ what, ours: perSecond(ours), floor: perSecond(floor.rate) },
  ...{ ratio: ours / floor.rate, goal: floor.goal, also: '' },
})

/** A connection that nobody asks: its events tell all. */
async function makeShop({ db }: Ground, { id }: BenchAccount): Promise<string> {
  const { shop } = await db.one<{ shop: string }>`
    insert into provider_shops (id, account_id, provider, livemode, created_at)
    values (uuidv7(), ${id}, 'generic', true, now()) returning id as shop`
  await db.run`
    insert into provider_connections (id, account_id, shop_id, provider, method, livemode, webhook_url, created_at, updated_at)
    values (uuidv7(), ${id}, ${shop}, 'generic', 'credentials', true, 'https://bench.example/', now(), now())`
  return shop
}

async function checkSales({ db }: Ground, { id }: BenchAccount, expected: number) {
  const { sales } = await db.one<{ sales: number }>`select count(*) as sales from sales where account_id = ${id}`
  if (sales !== expected) throw new Error(`${expected} sales were booked; there are ${sales}`)
}
