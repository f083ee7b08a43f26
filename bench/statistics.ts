import assert from 'node:assert/strict'
import { NIL } from '../server/platform/database/ids.ts'
import { type Database, type Queryable, type Transaction, transaction } from '../server/platform/database/pool.ts'
import { addDays } from '../server/platform/time/days.ts'
import { readHistory } from '../server/program/stats/history.ts'
import { fillMonths } from '../server/program/stats/months.ts'
import { getAccountStats } from '../server/program/stats/read.ts'
import { type BenchAccount, type BenchEnvironment, makeAccount, makeLeads } from './environment.ts'
import { buildGetRequest } from './reading.ts'
import { formatMs, interleaveRounds, type Line, medianBy, type Scale, toMedian, toRatio } from './rounds.ts'
import { startLoad } from './start-load.ts'

const DAYS = 730
/** The goals are for ten million sales; the cost of raw grouping grows with their number, ours does not. */
const GOALS = { totals: 10_000 / 10_000_000, history: 2_000 / 10_000_000 }

/** Figures of an account with many sales, compared with a raw GROUP BY over sales and entries for the same figures. */
export async function measureStatistics(ground: BenchEnvironment, scale: Scale): Promise<Line[]> {
  const { db } = ground
  const account = await makeAccount(ground)
  const leadIds = await makeLeads(ground, account)
  const to = new Date().toISOString().slice(0, 10)
  const range = { from: addDays(to, 1 - DAYS), to }
  await fill(db, account, leadIds, range.from, scale.sales)

  const ways = {
    totals: async () => (await getAccountStats(db, [account.id])).get(account.id)!,
    history: () => readHistory(db, { accountId: account.id }, range, { revenue: true, profit: true }, 'usd'),
  }
  await check(db, account.id, range, await ways.totals(), (await ways.history()).deltas)

  const times = await interleaveRounds(ground.watch, scale.rounds, {
    rawTotals: () => timed(() => unhurried(db, (tx) => rawTotals(tx, account.id)), 1),
    rawHistory: () => timed(() => unhurried(db, (tx) => rawHistory(tx, account.id, range)), 1),
    totals: () => timed(ways.totals, 200),
    history: () => timed(ways.history, 200),
  })
  const load = startLoad(200)
  const read = (path: string) => {
    const request = buildGetRequest(`accounts/${account.id}/${path}`, account.token)
    return load.ask({ port: ground.port, connections: 1, ms: scale.roundMs / 2, request })
  }
  const http = await interleaveRounds(ground.watch, scale.rounds, {
    totals: () => read('stats'),
    history: () => read(`historical-stats/${range.from}..${range.to}`),
  })
  load.end()

  const line = (what: string, way: 'totals' | 'history', raw: number[]): Line => {
    return {
      what: `${what} of ${scale.sales.toLocaleString('en-US')} sales`,
      ours: formatMs(toMedian(times[way])),
      floor: formatMs(toMedian(raw)),
      ...toRatio(raw, times[way]),
      goal: GOALS[way] * scale.sales,
      also: `over HTTP ${formatMs(medianBy(http[way], (round) => round.median))}, p99 ${formatMs(medianBy(http[way], (round) => round.p99))}`,
    }
  }
  return [
    line('statistics of all time', 'totals', times.rawTotals),
    line(`statistics of ${DAYS} days`, 'history', times.rawHistory),
  ]
}

async function timed(work: () => Promise<unknown>, times: number) {
  const startedAt = performance.now()
  for (let turn = 0; turn < times; turn++) await work()
  return (performance.now() - startedAt) / times
}

/** Lifts the time limit of requests: writing or reading ten million rows takes longer. */
const unhurried = <T>(db: Database, work: (tx: Transaction) => Promise<T>) =>
  transaction(db, async (tx) => {
    await tx.run`set local statement_timeout = 0`
    return work(tx)
  })

type Figures = { sales: number; revenue: number; share: number }

const rawTotals = (db: Queryable, accountId: string) => db.one<Figures>`
  select s.sales, s.revenue, e.share
  from (select count(*) as sales, sum(account_amount)::bigint as revenue from sales
      where account_id = ${accountId} and status <> 'void' and lead_id is not null) s,
    (select sum(amount)::bigint as share from commission_entries
      where account_id = ${accountId} and sale_id is not null) e`

const rawHistory = (db: Queryable, accountId: string, { from, to }: { from: string; to: string }) => db.many<
  Figures & { month: string }
>`
  select month, s.sales, s.revenue, e.share
  from (select date_trunc('month', sale_date)::date as month, count(*) as sales, sum(account_amount)::bigint as revenue
      from sales
      where account_id = ${accountId} and status <> 'void' and lead_id is not null and sale_date between ${from} and ${to}
      group by 1) s
    join (select date_trunc('month', day)::date as month, sum(amount)::bigint as share from commission_entries
      where account_id = ${accountId} and sale_id is not null and day between ${from} and ${to}
      group by 1) e using (month)
  order by month`

type Shown = { numberOfSales: number; salesRevenue: number | null; salesRevenueShare: number }

/** Checks that the roll-ups agree with the rows. */
async function check(
  db: Database,
  accountId: string,
  range: { from: string; to: string },
  all: Shown,
  deltas: Shown[],
) {
  const figures = ({ numberOfSales, salesRevenue, salesRevenueShare }: Shown) => [
    numberOfSales,
    salesRevenue,
    salesRevenueShare,
  ]
  const raw = ({ sales, revenue, share }: Figures) => [sales, revenue, share]
  const [totals, months] = await unhurried(db, async (tx) => [
    await rawTotals(tx, accountId),
    await rawHistory(tx, accountId, range),
  ])
  assert.deepEqual(figures(all), raw(totals))
  assert.deepEqual(deltas.map(figures), months.map(raw))
}

/** Fills sales over all days, each earning a fifth in layer 0, with their roll-ups. */
const fill = (db: Database, { id, partnerIds }: BenchAccount, leadIds: string[], from: string, sales: number) =>
  unhurried(db, async (tx) => {
    // the rows are right; checking every reference would take minutes
    await tx.run`set local session_replication_role = replica`
    await tx.run`set local idle_in_transaction_session_timeout = 0`
    await tx.run`
      insert into sales (id, account_id, lead_id, partner_id, provider, external_id, amount, gross_amount, currency,
        account_amount, account_currency, fx_rate, fx_date, sale_date, sequence, matched_by, created_at)
      select uuidv7(), ${id}, (${leadIds}::uuid[])[1 + n % ${leadIds.length}], ${partnerIds[0]}, 'api', 'filled-' || n,
        amount, amount, 'usd', amount, 'usd', 1, day, day, 2 + n / ${leadIds.length}, 'external-id', day
      from generate_series(1, ${sales}::integer) n,
        lateral (select ${from}::date + (n::bigint * ${DAYS} / (${sales}::bigint + 1))::integer as day,
          1000 + 10 * (n % 5000) as amount) of_sale`
    await tx.run`
      insert into commission_entries (id, account_id, sale_id, partner_id, layer, rate_ppm, base_amount, amount, currency,
        kind, available_at, day, created_at)
      select uuidv7(), account_id, id, partner_id, 0, 200000, amount, amount / 5, currency, 'earned', sale_date + 30,
        sale_date, created_at
      from sales where account_id = ${id} and external_id like 'filled-%'`
    await rollUp(tx, id)
  }).then(() => db.run`analyze`)

async function rollUp(tx: Transaction, accountId: string) {
  await tx.run`
    insert into day_stats as s (account_id, partner_id, blueprint_id, day, sales, revenue, share)
    select account_id, whose.id, ${NIL}::uuid, sale_date, count(*), sum(amount), sum(amount / 5)
    from sales, lateral (values (${NIL}::uuid), (partner_id)) whose (id)
    where account_id = ${accountId} and external_id like 'filled-%'
    group by 1, 2, 3, 4
    on conflict (account_id, partner_id, blueprint_id, day) do update set
      sales = s.sales + excluded.sales, revenue = s.revenue + excluded.revenue, share = s.share + excluded.share`
  await tx.run`delete from month_stats where account_id = ${accountId}`
  // else PostgreSQL expects an account without sales, and joins row by row
  await tx.run`analyze sales, commission_entries`
  await fillMonths(tx, accountId)
  await tx.run`
    insert into total_stats as s (account_id, partner_id, blueprint_id, sales, revenue, share)
    select account_id, whose.id, ${NIL}::uuid, count(*), sum(amount), sum(amount / 5)
    from sales, lateral (values (${NIL}::uuid), (partner_id)) whose (id)
    where account_id = ${accountId} and external_id like 'filled-%'
    group by 1, 2, 3
    on conflict (account_id, partner_id, blueprint_id) do update set
      sales = s.sales + excluded.sales, revenue = s.revenue + excluded.revenue, share = s.share + excluded.share`
}
