import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { payoutNeeds } from '#contract/payouts.ts'
import { anAccount, startApp, type TestAccount } from '../../../test/support/app.ts'
import { plansWithout, vacuumTables } from '../../../test/support/plans.ts'
import { asDatabaseOwner } from '../../../test/support/postgres.ts'
import type { Transaction } from '../../platform/database/pool.ts'
import { type AccountFacts, getAccountFacts } from '../access/account-facts.ts'
import { getPayoutAttention } from './attention.ts'
import { listBalances } from './balances.ts'
import { forecastOfAccount } from './forecast.ts'
import { listPayouts } from './payouts.ts'

const app = await startApp()
const db = asDatabaseOwner(app.services.db)

/** Partners, all with payout details, and those of them to whom something is due. */
const PARTNERS = 20_000
const DUE = 400

let account: TestAccount
before(async () => {
  account = await anAccount(app)
  const { id } = account
  await db.run`
    insert into partners (id, account_id, first_name, last_name, email, referral_code, state, created_on, created_at, updated_at)
    select uuidv7(), ${id}, 'Partner', n::text, n || '@mail.example', 'code-' || n, 'active', ${db.now}, ${db.now}, ${db.now}
    from generate_series(1, ${PARTNERS}::integer) n`
  await db.run`
    insert into payout_settings (partner_id, account_id, details_sealed, routing_last4, account_last4, version, created_at, updated_at)
    select id, ${id}, repeat('x', 200)::bytea, '0021', '6789', id, ${db.now}, ${db.now} from partners where account_id = ${id}`
  await db.run`
    with due as (
      insert into commission_entries (id, account_id, partner_id, amount, currency, kind, available_at, day, reason, actor, created_at)
      select uuidv7(), ${id}, id, 9000, 'usd', 'bonus', ${db.now}, ${db.now}, 'Welcome', 'system', ${db.now}
      from partners where account_id = ${id} limit ${DUE} returning partner_id)
    insert into payouts (id, account_id, partner_id, statement_number, currency, created_at, updated_at)
    select uuidv7(), ${id}, partner_id, row_number() over (), 'usd', ${db.now}, ${db.now} from due`
  await vacuumTables(db, 'partners', 'payout_settings', 'payouts', 'commission_entries')
})

const page = { limit: 25, sort: '-createdAt' }
const screens: [string, (tx: Transaction, account: AccountFacts) => Promise<unknown>][] = [
  [
    'Needs action',
    (tx, account) => listPayouts(tx, account, { ...page, attention: [...payoutNeeds] }, { reader: 'owner' }),
  ],
  ['its tasks', getPayoutAttention],
  [
    'Upcoming',
    (tx, account) => listBalances(tx, account, { ...page, sort: 'nextPayoutDate', empty: ['false'], each: 'payday' }),
  ],
  ['the forecast', forecastOfAccount],
]
for (const [name, read] of screens)
  test(`${name} looks up the partners of its payouts, not all`, async () => {
    const facts = (await getAccountFacts(db, [account.id])).get(account.id)!
    const plans = await plansWithout(db, [], (tx) => read(tx, facts))
    const lookups = plans.match(/Index Scan using \w+ on (partners|payout_settings)\b/g) ?? []
    assert.ok(lookups.length >= 2, plans)
    assert.doesNotMatch(plans, /(Seq|Heap) Scan on (partners|payout_settings)\b/)
  })
