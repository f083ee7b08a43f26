import { chmod, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Import } from '#contract/imports.ts'
import type { Database } from '../server/platform/database/pool.ts'
import { removeFolder } from '../test/support/scratch.ts'
import { TOLD_ENTRY } from './bare-sale.ts'
import { type BenchAccount, type BenchEnvironment, LEADS, makeAccount, makeLeads, RATES } from './environment.ts'
import { checkLedger } from './ledger.ts'
import { type Line, perSecond, type Scale, toRatio } from './rounds.ts'

/** Under four times the floor. */
const GOAL = 0.25
const BATCH = 400
const NIL = '00000000-0000-0000-0000-000000000000'

/**
 * A file of sales of known customers, with three layers earning by rates: uploaded and imported by the product,
 * compared with a COPY of the same file and the statements that the ledger needs, with no rules in between.
 */
export async function measureImports(ground: BenchEnvironment, scale: Scale): Promise<Line[]> {
  const count = scale.sales / 10
  const [account, floorAccount] = [await makeAccount(ground), await makeAccount(ground)]
  await makeLeads(ground, account)
  await makeLeads(ground, floorAccount)
  const csv = fileOf(count)
  const ours = await imported(ground, account, csv)
  await ground.watch.look()
  const floor = await copied(ground.db, floorAccount, csv)
  for (const { id } of [account, floorAccount]) await checkSales(ground.db, id, count + LEADS)
  await checkLedger(ground)
  return [
    {
      what: `import of ${count.toLocaleString('en-US')} sales of 3 layers`,
      ours: perSecond(count / ours),
      floor: perSecond(count / floor),
      ...toRatio([floor], [ours]),
      goal: GOAL,
      also: `${ours.toFixed(1)} s, with reading, checking and telling; COPY and statements ${floor.toFixed(1)} s`,
    },
  ]
}

/** Not before the leads got their partner: the product would credit none. */
const DAY = new Date().toISOString().slice(0, 10)

function fileOf(count: number) {
  const lines = Array.from({ length: count }, (_, at) => {
    const lead = `lead-${String((at * 7919) % LEADS).padStart(4, '0')}`
    return `import-${at},${lead},49.00,${DAY}`
  })
  return ['Order ID,Customer ID,Amount,Sale Date', ...lines].join('\n')
}

/** Imports by the product; returns the seconds from the upload to the end. */
async function imported({ api }: BenchEnvironment, { id, token }: BenchAccount, csv: string): Promise<number> {
  const began = performance.now()
  const started: Import = await api('POST', `/accounts/${id}/imports`, token, { kind: 'sales', csv, dryRun: false })
  for (;;) {
    const now: Import = await api('GET', `/imports/${started.id}`, token)
    if (now.state === 'done' && now.failed + now.skipped === 0) return (performance.now() - began) / 1000
    if (now.state !== 'waiting' && now.state !== 'running') throw new Error(JSON.stringify(now).slice(0, 500))
    await sleep(100)
  }
}

/** Imports by the floor; returns its seconds, from the moment the file exists. */
async function copied(db: Database, { id, partnerIds }: BenchAccount, csv: string): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'tributary-bench-copy-'))
  await chmod(folder, 0o755)
  const file = join(folder, 'sales.csv')
  await writeFile(file, csv, { mode: 0o644 })
  const client = await db.pool.connect()
  try {
    const { rows } = await client.query('select credit from sales where account_id = $1 limit 1', [id])
    const began = performance.now()
    await client.query('create temp table bench_rows (external_id text, lead text, amount numeric, day date)')
    await client.query(`copy bench_rows from '${file}' csv header`)
    await client.query('alter table bench_rows add place bigint generated always as identity primary key')
    await client.query('analyze bench_rows')
    // plans with indexes, whatever the statistics of the growing tables
    await client.query('set enable_seqscan = off')
    await client.query('set enable_hashjoin = off')
    await client.query('set enable_mergejoin = off')
    await client.query('set jit = off')
    const last = (await client.query('select max(place) as last from bench_rows')).rows[0].last
    const ratesPpm = RATES.map((rate) => rate * 10_000)
    for (let from = 0; from < Number(last); from += BATCH) {
      await client.query('begin')
      await client.query({ text: SALES, values: [id, from, BATCH, partnerIds[0], rows[0].credit] })
      await client.query({ text: ENTRIES, values: [id, from, BATCH, partnerIds, ratesPpm] })
      await client.query({ text: FIGURES('day_stats', ', day'), values: [id, from, BATCH] })
      await client.query({ text: MONTHS, values: [id, from, BATCH] })
      await client.query({ text: FIGURES('total_stats', ''), values: [id, from, BATCH] })
      await client.query({ text: LEAD_FIGURES, values: [id, from, BATCH] })
      await client.query({ text: EVENTS, values: [id, from, BATCH] })
      await client.query('commit')
    }
    return (performance.now() - began) / 1000
  } finally {
    client.release(true)
    await removeFolder(folder)
  }
}

/** The rows of a batch. */
const SOME = `(select * from bench_rows where place > $2::bigint and place <= $2::bigint + $3::bigint) r`
// 'offset 0': each row looks up its sale; the planner would sometimes look up the row of each sale instead
const SOLD = `${SOME} cross join lateral (
  select * from sales
  where account_id = $1 and external_id = r.external_id and provider = 'import' and shop_id is null offset 0) s`
const SALES = `
  insert into sales (id, account_id, lead_id, partner_id, provider, external_id, amount, gross_amount, currency,
    account_amount, account_currency, fx_rate, fx_date, sale_date, sequence, matched_by, credit, created_at)
  select uuidv7(), $1, l.id, $4, 'import', r.external_id, r.amount * 100, r.amount * 100, 'usd', r.amount * 100, 'usd', 1,
    r.day, r.day, coalesce((select max(sequence) from sales e where e.lead_id = l.id), 0)
      + row_number() over (partition by l.id order by r.place), 'external-id', $5, now()
  from ${SOME} join leads l on l.account_id = $1 and l.external_id = r.lead
  on conflict (account_id, external_id, provider, shop_id) where external_id is not null do nothing`
const ENTRIES = `
  insert into commission_entries (id, account_id, sale_id, partner_id, layer, rate_ppm, base_amount, amount, currency,
    kind, available_at, day, created_at)
  select uuidv7(), $1, s.id, e.partner_id, e.layer - 1, e.rate, s.amount, s.amount * e.rate / 1000000, 'usd', 'earned',
    (s.sale_date + (s.credit ->> 'payoutDelay')::integer)::timestamp at time zone 'UTC', s.sale_date, now()
  from ${SOLD} cross join unnest($4::uuid[], $5::integer[]) with ordinality as e (partner_id, rate, layer)`
const FIGURES = (table: string, day: string) => `
  insert into ${table} as t (account_id, partner_id, blueprint_id${day}, sales, revenue, share)
  select $1, partner_id, '${NIL}'${day}, sum(sales), sum(revenue), sum(share)
  from (
    select p.partner_id, s.sale_date as day, 1 as sales, s.amount as revenue, 0::bigint as share
    from ${SOLD} cross join lateral (values (s.partner_id), ('${NIL}'::uuid)) as p (partner_id)
    union all
    select p.partner_id, e.day, 0, 0, e.amount
    from ${SOLD} join commission_entries e on e.sale_id = s.id
      cross join lateral (values (e.partner_id), ('${NIL}'::uuid)) as p (partner_id)) f
  group by partner_id${day}
  on conflict (account_id, partner_id, blueprint_id${day}) do update set
    sales = t.sales + excluded.sales, revenue = t.revenue + excluded.revenue, share = t.share + excluded.share`
const MONTHS = `
  insert into month_stats as t (account_id, month, partner_id, sales, revenue, earned)
  select $1, date_trunc('month', s.sale_date::timestamp), s.partner_id, count(*), sum(s.amount), sum(e.amount)
  from ${SOLD} join commission_entries e on e.sale_id = s.id and e.layer = 0 group by 2, 3
  on conflict (account_id, month, partner_id) do update set
    sales = t.sales + excluded.sales, revenue = t.revenue + excluded.revenue, earned = t.earned + excluded.earned`
const LEAD_FIGURES = `
  insert into lead_stats as t (account_id, lead_id, sales, revenue, share)
  select $1, lead_id, count(*), sum(amount), sum(share)
  from (select s.lead_id, s.amount, (select sum(amount) from commission_entries where sale_id = s.id) as share from ${SOLD}) f
  group by lead_id
  on conflict (lead_id, account_id) do update set
    sales = t.sales + excluded.sales, revenue = t.revenue + excluded.revenue, share = t.share + excluded.share`
const EVENTS = `
  with told as (
    insert into passing_events (id, account_id, at, type, kind, audited, actor_type, subject_type, subject_id, data)
    select uuidv7(), $1, now(), 'sale.created', 'public', true, 'user', 'sale', s.id, jsonb_build_object('object', to_jsonb(s))
    from ${SOLD}
    union all
    select uuidv7(), $1, now(), 'commission.created', 'public', false, 'user', 'commission', e.id,
      ${TOLD_ENTRY}
    from ${SOLD} join commission_entries e on e.sale_id = s.id
    returning *),
  shown as (
    insert into events (id, account_id, at, type, kind, audited, actor_type, subject_type, subject_id, data)
    select id, account_id, at, type, kind, audited, actor_type, subject_type, subject_id, data - 'object'
    from told where audited)
  insert into event_relays (event_id, account_id) select id, account_id from told`

/** Checks that every sale is stored with its three entries. */
async function checkSales(db: Database, accountId: string, expected: number) {
  const { sales } = await db.one<{ sales: number }>`select count(*) as sales from sales where account_id = ${accountId}`
  const { entries } = await db.one<{ entries: number }>`
    select count(*) as entries from commission_entries where account_id = ${accountId}`
  if (sales !== expected || entries !== 3 * expected)
    throw new Error(`${expected} sales were imported; there are ${sales} with ${entries} entries`)
}
