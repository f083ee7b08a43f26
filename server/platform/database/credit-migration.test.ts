import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asBefore, migrateFrom } from '../../../test/support/migrations.ts'
import { freshDatabase, ownerOf } from '../../../test/support/postgres.ts'
import { verifyLedger } from '../../program/stats/verify.ts'
import { newId } from './ids.ts'
import type { Database } from './pool.ts'

const CREDIT = '0016-credit-of-sales.sql'

/** An account with a partner and a lead, and a sale of 1,002 whole units that a quarter was given back of. */
async function sold(db: Database, currency: string, own: number[] | null, hold: Record<string, unknown> = {}) {
  const [accountId, partnerId, leadId, saleId, refundId] = [newId(), newId(), newId(), newId(), newId()]
  const nil = '00000000-0000-0000-0000-000000000000'
  const { rule = null, until = null, credited = true } = hold
  const { now } = db
  await db.run`
    insert into accounts (id, public_id, default_currency, layer_rates_ppm, minimum_payout, created_at, updated_at)
    values (${accountId}, ${accountId}, ${currency}, '{200000,50000}', 7, ${now}, ${now})`
  await db.run`
    insert into partners (id, account_id, email, referral_code, layer_rates_ppm, created_on, created_at, updated_at)
    values (${partnerId}, ${accountId}, 'p@mail.example', 'kim', ${own}, '2026-03-01', ${now}, ${now})`
  await db.run`
    insert into leads (id, account_id, partner_id, email, source, status, created_on, created_at, updated_at)
    values (${leadId}, ${accountId}, ${partnerId}, 'l@mail.example', 'manual', 'won', '2026-03-01', ${now}, ${now})`
  await db.run`
    insert into sales (id, account_id, lead_id, partner_id, provider, amount, gross_amount, currency, account_amount,
      account_currency, fx_rate, fx_date, sale_date, refunded_amount, status, hold_rule, held_until, credited, created_at)
    values (${saleId}, ${accountId}, ${leadId}, ${partnerId}, 'api', 1000, 1000, ${currency}, 1000, ${currency}, 1,
      '2026-03-02', '2026-03-02', 250, 'partially-refunded', ${rule}, ${until}, ${credited}, ${now})`
  await db.run`
    insert into refunds (id, account_id, sale_id, kind, provider, amount, status, at, account_amount, counted_on, created_at)
    values (${refundId}, ${accountId}, ${saleId}, 'refund', 'api', 250, 'succeeded', ${now}, 250, '2026-03-03', ${now})`
  if (credited)
    await db.run`
      insert into commission_entries (id, account_id, sale_id, refund_id, partner_id, layer, rate_ppm, base_amount, amount,
        currency, kind, available_at, day, created_at)
      values (${newId()}, ${accountId}, ${saleId}, null, ${partnerId}, 0, 200000, 1000, 200, ${currency}, 'earned', ${now}, '2026-03-02', ${now}),
        (${newId()}, ${accountId}, ${saleId}, ${refundId}, ${partnerId}, 0, 200000, -250, -50, ${currency}, 'reversal', ${now}, '2026-03-03', ${now})`
  const share = credited ? 200 : 0
  for (const partner of [nil, partnerId]) {
    await db.run`
      insert into day_stats (account_id, partner_id, blueprint_id, day, leads, sales, revenue, share)
      values (${accountId}, ${partner}, ${nil}, '2026-03-01', 1, 0, 0, 0), (${accountId}, ${partner}, ${nil}, '2026-03-02', 0, 1, 1000, ${share}),
        (${accountId}, ${partner}, ${nil}, '2026-03-03', 0, 0, -250, ${-share / 4})`
    await db.run`
      insert into total_stats (account_id, partner_id, blueprint_id, leads, sales, revenue, share)
      values (${accountId}, ${partner}, ${nil}, 1, 1, 750, ${share * 0.75})`
  }
  await db.run`
    insert into day_stats (account_id, partner_id, blueprint_id, day, partners) values (${accountId}, ${nil}, ${nil}, '2026-03-01', 1)
    on conflict (account_id, partner_id, blueprint_id, day) do update set partners = 1`
  await db.run`
    update total_stats set partners = 1 where account_id = ${accountId} and partner_id = ${nil}`
  await db.run`
    insert into lead_stats (lead_id, account_id, sales, revenue, share) values (${leadId}, ${accountId}, 1, 750, ${share * 0.75})`
  return { accountId, partnerId, saleId }
}

test('what an earlier release kept is read as before: its currencies, its rates, its holds', async () => {
  const db = ownerOf(await freshDatabase())
  await asBefore(db, CREDIT)
  const forints = await sold(db, 'huf', [200_000])
  const dollars = await sold(db, 'usd', null, { rule: 'self-referral', until: '2026-12-01T00:00:00.000Z' })
  const refused = await sold(db, 'usd', null, { rule: 'self-referral', credited: false })
  const unknown = await sold(db, 'usd', [999_000])
  for (const [{ accountId }, day] of [
    [dollars, '2026-03-05'],
    [forints, '2026-03-05'],
  ] as const)
    await db.run`
      insert into account_exchange_rates (account_id, currency, date, rate, created_at)
      values (${accountId}, 'gbp', ${day}, 1.27, '2026-03-05T00:00:00Z')`
  await db.run`
    insert into audit (id, account_id, at, actor_type, action, subject_type, changes)
    values (${newId()}, ${dollars.accountId}, '2026-04-01T00:00:00Z', 'system', 'account.changed', 'account',
      '{"defaultCurrency": {"old": "chf", "new": "usd"}}')`
  await migrateFrom(db, CREDIT)

  const saleOf = ({ saleId }: { saleId: string }) => db.one`
    select amount, gross_amount, refunded_amount, account_amount, hold_policy, credit,
      (select sum(amount)::bigint from commission_entries where sale_id = s.id) as left
    from sales s where id = ${saleId}`
  const credit = (partnerId: string, source: string | null) => ({
    ...{ ratesPpm: [200_000], source },
    line: [{ partnerId, earns: true }],
  })
  const nothing = { ratesPpm: [], source: null, line: [] }
  const same = { amount: 1000, grossAmount: 1000, refundedAmount: 250, accountAmount: 1000, left: 150 }
  assert.deepEqual(await saleOf(forints), {
    ...{ amount: 100_000, grossAmount: 100_000, refundedAmount: 25_000, accountAmount: 100_000, left: 15_000 },
    ...{ holdPolicy: null, credit: credit(forints.partnerId, 'partner') },
  })
  const held = { holdPolicy: 'hold', credit: credit(dollars.partnerId, 'account') }
  assert.deepEqual(await saleOf(dollars), { ...same, ...held })
  assert.deepEqual(await saleOf(refused), { ...same, left: null, holdPolicy: 'refuse', credit: nothing })
  assert.deepEqual((await saleOf(unknown)).credit, credit(unknown.partnerId, 'account'))
  const rates = await db.many`select account_currency from account_exchange_rates order by account_currency`
  assert.deepEqual(rates, [{ accountCurrency: 'chf' }, { accountCurrency: 'huf' }])
  const { minimum } = await db.one<{ minimum: number }>`
    select minimum_payout as minimum from accounts where id = ${forints.accountId}`
  assert.equal(minimum, 700)
  assert.deepEqual(await verifyLedger(db), [])
  await assert.rejects(db.run`delete from commission_entries`, /append-only/)
})
