import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asDatabaseOwner, freshDatabase } from '../../../test/support/postgres.ts'
import { rowsByKeySql } from './by-key.ts'
import { newId } from './ids.ts'
import { transaction } from './pool.ts'
import { compileSql, rawSql, sql } from './sql.ts'

const db = asDatabaseOwner(await freshDatabase())
const [large, small] = [newId(), newId()]
const SMALL_ACCOUNTS = 1000
const IN_LARGE = 5000

const addPartners = (accountIds: string[], each: number) =>
  transaction(db, async (tx) => {
    // accounts are not needed for this test
    await tx.run`set local session_replication_role = replica`
    await tx.run`
      insert into partners (id, account_id, email, referral_code, created_on, created_at, updated_at)
      select gen_random_uuid(), account_id, account_id || 'p' || n || '@x.example', 'code-' || n, now(), now(), now()
      from unnest(${accountIds}::uuid[]) a (account_id), generate_series(1, ${each}::integer) n`
  })

const idsOf = async (accountId: string) =>
  (
    await db.many<{
      id: string
    }>`select id from partners where account_id = ${accountId} order by md5(id::text) limit 50`
  ).map(({ id }) => id)

type Plan = { 'Shared Hit Blocks': number; 'Shared Read Blocks': number }

/** Returns the pages read for these keys: by a plan for the values, and by a cached one. */
async function pagesFor(accountIds: string[], ids: string[]) {
  const { text, values } = compileSql(sql`select t.email from ${rowsByKeySql(sql`partners`, accountIds, ids)}`)
  const given = values.map((value) => `'${Array.isArray(value) ? `{${value}}` : value}'`)
  return transaction(db, async (tx) => {
    await tx.run`${rawSql(`prepare by_key as ${text}`)}`
    const pages: number[] = []
    for (const mode of ['force_custom_plan', 'force_generic_plan']) {
      await tx.run`${rawSql(`set local plan_cache_mode = ${mode}`)}`
      const explained = await tx.one<{ 'QUERY PLAN': { Plan: Plan }[] }>`
        ${rawSql(`explain (analyze, buffers, timing off, format json) execute by_key (${given})`)}`
      const { 'Shared Hit Blocks': hit, 'Shared Read Blocks': read } = explained['QUERY PLAN'][0]!.Plan
      pages.push(hit + read)
    }
    await tx.run`deallocate by_key`
    return pages
  })
}

/** Pages: levels of the key's index and the row's, plus a margin; the large account's rows are on a hundred pages. */
const mostPages = (rows: number) => 10 + 5 * rows

test('each ID is looked up by the key, whatever statistics PostgreSQL has and whether or not the plan is cached', async () => {
  await addPartners([small, ...Array.from({ length: SMALL_ACCOUNTS - 1 }, newId)], 1)
  const states = {
    'never analysed': () => addPartners([large], IN_LARGE),
    analysed: () => db.run`analyze partners`,
    'twice as many since': () => addPartners([newId()], IN_LARGE),
  }
  for (const [state, become] of Object.entries(states)) {
    await become()
    const ids = await idsOf(large)
    const lookUps: [string, string[], string[]][] = [
      ['one', [large], ids.slice(0, 1)],
      ['fifty', [large], ids],
      ['two accounts', [large, small], [...ids, ...(await idsOf(small))]],
    ]
    for (const [what, accountIds, wanted] of lookUps)
      for (const pages of await pagesFor(accountIds, wanted))
        assert.ok(pages <= mostPages(wanted.length), `${what}, ${state}: ${pages} pages`)
  }
})

test('rows are returned once each in ID order, and none of another account', async () => {
  const ids = await idsOf(large)
  const found = (accountIds: string[], of: string[]) =>
    db.many<{
      id: string
    }>`select id from ${rowsByKeySql(sql`partners`, accountIds, of, { only: sql`email like '%@x.example'` })}`
  const sorted = ids.toSorted().map((id) => ({ id }))
  assert.deepEqual(await found([large], [...ids, newId(), ...ids]), sorted)
  assert.deepEqual(await found([small, large], ids), sorted)
  assert.deepEqual(await found([small], ids), [])
  assert.deepEqual(await found([], ids), [])
})

test('the plan of a statement that looks up by keys is cached', async () => {
  const ids = await idsOf(large)
  const kept = await transaction(db, async (tx) => {
    await tx.many`select last_name from ${rowsByKeySql(sql`partners`, [large], ids)}`
    return tx.many`select statement from pg_prepared_statements where statement like 'select last_name from%'`
  })
  assert.equal(kept.length, 1)
})
