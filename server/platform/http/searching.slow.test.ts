import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asDatabaseOwner, freshDatabase } from '../../../test/support/postgres.ts'
import { leadsFound } from '../../program/leads/list-leads.ts'
import { partnerSearch } from '../../program/partner-directory/partner-names.ts'
import { searchedOfSale } from '../../program/sales/sale-filters.ts'
import { newId } from '../database/ids.ts'
import { transaction } from '../database/pool.ts'
import { type Sql, sql } from '../database/sql.ts'
import { searchFilter } from './list.ts'

const db = asDatabaseOwner(await freshDatabase())
const accountId = newId()

await transaction(db, async (tx) => {
  // accounts are not needed for this test
  await tx.run`set local session_replication_role = replica`
  await tx.run`
    insert into partners (id, account_id, email, referral_code, created_on, created_at, updated_at)
    select gen_random_uuid(), ${accountId}, 'p' || n || '@x.example', 'code-' || n, now(), now(), now() from generate_series(1, 3000) n`
  await tx.run`
    insert into leads (id, account_id, external_id, source, status, created_on, created_at, updated_at)
    select gen_random_uuid(), ${accountId}, 'cus-' || n, 'api', 'new', now(), now(), now() from generate_series(1, 3000) n`
  await tx.run`
    insert into sales (id, account_id, provider, external_id, amount, gross_amount, currency, account_currency, sale_date, created_at)
    select gen_random_uuid(), ${accountId}, 'api', 'inv-' || n, 1, 1, 'usd', 'usd', now(), now() from generate_series(1, 3000) n`
})
await db.run`vacuum analyze partners, leads, sales`

const [owner, referrer] = [newId(), newId()]
const OTHERS = 60
const EACH = 600

/** Creates equal leads and sales of many accounts, all from one partner each, and partners below one. */
async function fillAccounts() {
  const accounts = [owner, ...Array.from({ length: OTHERS }, newId)]
  const partners = [referrer, ...Array.from({ length: OTHERS }, newId)]
  const each = sql`unnest(${accounts}::uuid[], ${partners}::uuid[]) as a (account_id, partner_id), generate_series(1, ${EACH}::integer) n`
  await transaction(db, async (tx) => {
    await tx.run`set local session_replication_role = replica`
    await tx.run`
      insert into leads (id, account_id, partner_id, external_id, source, status, created_on, created_at, updated_at)
      select gen_random_uuid(), account_id, partner_id, 'of-' || n, 'api', 'new', now(), now(), now() from ${each}`
    await tx.run`
      insert into partners (id, account_id, parent_partner_id, email, referral_code, created_on, created_at, updated_at)
      select gen_random_uuid(), account_id, partner_id, 'q' || n || '@y.example', 'of-' || n, now(), now(), now() from ${each}`
  })
  await db.run`vacuum analyze partners, leads`
}

async function planOf(statement: Sql) {
  const lines = await db.many`explain ${statement}`
  return lines.flatMap((line) => Object.values(line)).join('\n')
}

test('a search uses its index for both the account and the text', async () => {
  const partners = sql`select t.id from partners t where ${searchFilter(partnerSearch, accountId, 'code-2077')!}`
  const leads = sql`select id from leads where id in ${leadsFound(accountId, 'cus-2077')}`
  const sales = sql`select t.id from sales t where ${searchFilter(searchedOfSale, accountId, 'inv-2077')!}`
  const searches = { partners_search: partners, leads_search: leads, sales_search: sales }
  for (const [index, statement] of Object.entries(searches)) {
    const plan = await planOf(statement)
    assert.match(plan, new RegExp(`Bitmap Index Scan on ${index}`))
    assert.match(plan, /Index Cond: \(\(account_id = '[0-9a-f-]{36}'::uuid\) AND \(lower\(/)
  }
})

test('a search filtered by partner uses its index, not every row of the partner', async () => {
  await fillAccounts()
  const inOrder = sql`order by t.created_at desc, t.id desc limit 51`
  const leads = sql`select t.id from leads t
    where t.account_id = ${owner} and t.partner_id = ${referrer} and t.id in ${leadsFound(owner, 'of-477')} ${inOrder}`
  const partners = sql`select t.id from partners t
    where t.account_id = ${owner} and t.parent_partner_id = ${referrer} and ${searchFilter(partnerSearch, owner, 'of-477')!} ${inOrder}`
  assert.match(await planOf(leads), /Bitmap Index Scan on leads_search/)
  assert.match(await planOf(partners), /Bitmap Index Scan on partners_search/)
})
