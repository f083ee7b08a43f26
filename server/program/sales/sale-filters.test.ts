import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import fc from 'fast-check'
import { asDatabaseOwner, freshDatabase } from '../../../test/support/postgres.ts'
import { newId } from '../../platform/database/ids.ts'
import { type Transaction, transaction } from '../../platform/database/pool.ts'
import { sql } from '../../platform/database/sql.ts'
import { containsFilter } from '../../platform/http/list.ts'
import { leadsFound } from '../leads/list-leads.ts'
import { saleSearch } from './sale-filters.ts'

const db = asDatabaseOwner(await freshDatabase())
const [ours, theirs] = [newId(), newId()]
const SEED = Number(process.env.SEED ?? 20_261_122)

/** Few words, so that they occur in every column; including ones that break SQL, patterns and encodings. */
const words = [
  'inv-7712',
  'INV-77',
  'plan',
  'Größe',
  '100%',
  'a_b',
  '\\',
  '🦊🦊',
  'x',
  "o'neil",
  'kim@buyer.example',
  'ﬁx',
]
const aText = fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 3 }).map((some) => some.join(' '))
const perhaps = fc.option(aText, { nil: null, freq: 2 })
const aSale = fc.record({
  ...{ externalId: perhaps, payerEmail: perhaps, description: perhaps, customerId: perhaps },
  lead: fc.option(fc.nat(9)),
})

type SomeSale = typeof aSale extends fc.Arbitrary<infer Value> ? Value : never

/** More than are listed by id. */
const MANY = 2100

before(async () => {
  const [sales, names] = [
    fc.sample(aSale, { seed: SEED, numRuns: 600 }),
    fc.sample(fc.tuple(aText, perhaps), { seed: SEED, numRuns: 10 }),
  ]
  await transaction(db, async (tx) => {
    // accounts are not needed for what is looked at here
    await tx.run`set local session_replication_role = replica`
    for (const accountId of [ours, theirs]) await fill(tx, accountId, sales, names)
  })
  await db.run`analyze sales, leads`
})

async function fill(tx: Transaction, accountId: string, sales: SomeSale[], names: [string, string | null][]) {
  const leads = names.map(() => newId())
  await tx.run`
    insert into leads (id, account_id, first_name, company, external_id, source, status, created_on, created_at, updated_at)
    select id, ${accountId}, name, company, 'cus-' || id, 'api', 'new', now(), now(), now()
    from unnest(${leads}::uuid[], ${names.map(([name]) => name)}::text[], ${names.map(([, company]) => company)}::text[])
      as l (id, name, company)`
  await tx.run`
    insert into sales (id, account_id, lead_id, provider, external_id, payer_email, description, customer_id, amount, gross_amount,
      currency, account_currency, sale_date, created_at)
    select gen_random_uuid(), ${accountId}::uuid, lead, 'api-' || n, external_id, payer_email, description, customer_id, 1, 1, 'usd', 'usd', now()::date, now()
    from unnest(${sales.map(({ lead }) => (lead === null ? null : leads[lead]!))}::uuid[],
        ${sales.map((sale) => sale.externalId)}::text[], ${sales.map((sale) => sale.payerEmail)}::text[],
        ${sales.map((sale) => sale.description)}::text[], ${sales.map((sale) => sale.customerId)}::text[])
      with ordinality as s (lead, external_id, payer_email, description, customer_id, n)
    union all
    select gen_random_uuid(), ${accountId}::uuid, null, 'bulk', 'bulk ' || n, null, null, 'Bulky ' || n, 1, 1, 'usd', 'usd', now()::date, now()
    from generate_series(1, ${MANY}::integer) n`
}

/** Tests every row, as if there were no index. */
const scanAll = (search: string) => db.many<{ id: string }>`
  select t.id from sales t
  where t.account_id = ${ours}
    and (${containsFilter(sql`concat_ws(' ', t.external_id, t.payer_email, t.description)`, search)!}
      or starts_with(lower(t.customer_id), ${search.toLowerCase()}) or t.lead_id in ${leadsFound(ours, search)})
  order by t.id`

async function found(search: string) {
  const condition = (await saleSearch(db, ours, sql`t.id`, search))!
  return db.many<{ id: string }>`
    select t.id from sales t where t.account_id = ${ours} and ${condition} order by t.id`
}

test('a search by indexes finds the same as a scan of every sale', async () => {
  const aPiece = fc
    .tuple(
      fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 4 }),
      fc.nat(12),
      fc.integer({ min: 1, max: 20 }),
    )
    .map(([some, from, length]) =>
      [...some.join(' ')]
        .slice(from, from + length)
        .join('')
        .trim(),
    )
    .filter((search) => search !== '')
  let hits = 0
  await fc.assert(
    fc.asyncProperty(aPiece, async (search) => {
      const rows = await found(search)
      assert.deepEqual(rows, await scanAll(search))
      if (rows.length > 0) hits++
    }),
    { seed: SEED, numRuns: 150 },
  )
  assert.ok(hits > 40, `only ${hits} searches found anything`)
})

test('more matches than are listed by ID are found as well, and none of another account', async () => {
  for (const search of ['BULK', 'Bulky']) {
    const rows = await found(search)
    assert.equal(rows.length, MANY)
    assert.deepEqual(rows, await scanAll(search))
  }
})
