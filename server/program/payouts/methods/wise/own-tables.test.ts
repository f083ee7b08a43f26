import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ledgerServices } from '../../../../../test/support/ledger.ts'
import { asBefore, migrateFrom } from '../../../../../test/support/migrations.ts'
import { freshDatabase, ownerOf } from '../../../../../test/support/postgres.ts'
import { newId } from '../../../../platform/database/ids.ts'
import { type AccountFacts, accountFacts } from '../../../access/account-facts.ts'
import { getAutoPayoutSettings } from '../../auto-payout-settings.ts'
import { termsOf } from '../../terms.ts'
import { findConnection, tokenPlace, wiseOf } from './connection.ts'

const METHODS = '0023-payout-methods.sql'

const profile = { id: '17', type: 'BUSINESS', fullName: null, businessName: 'Northwind LLC' }

/** The account's settings as the release before kept them; null is nothing. */
type Former = { token?: string; profile?: object; error?: string; enabled?: boolean }

test('connections, recipients and attempts are carried over from the shared tables', async () => {
  const db = ownerOf(await freshDatabase())
  await asBefore(db, METHODS)
  const services = ledgerServices(db)
  const { secrets } = services

  const anAccount = async ({ token, profile: chosen, error, enabled = false }: Former) => {
    const id = newId()
    await db.run`
      insert into accounts (id, public_id, default_currency, created_at, updated_at)
      values (${id}, ${id}, 'usd', ${db.now}, ${db.now})`
    await db.run`
      insert into payout_accounts (account_id, enabled, wise_token_sealed, wise_token_hint, wise_profile, wise_profiles,
        wise_subscription_id, wise_error, wise_error_kind, max_per_run, last_statement_number, updated_at)
      values (${id}, ${enabled}, ${token ? secrets.seal(token, tokenPlace(id)) : null}, ${token?.slice(-4) ?? null},
        nullif(${JSON.stringify(chosen ?? null)}::jsonb, 'null'), ${JSON.stringify(token ? [profile] : [])}::jsonb,
        ${chosen ? 'sub-1' : null}, ${error ?? null}, ${error ? 'unauthorized' : null}, 500, 1, ${db.now})`
    return id
  }
  const connected = await anAccount({ token: 'secret-token', profile, error: 'No longer valid.', enabled: true })
  const withoutProfile = await anAccount({ token: 'another-token' })
  const byHand = await anAccount({})
  const [partnerId, otherPartnerId, payoutId, version] = [newId(), newId(), newId(), newId()]
  for (const [id, code, recipient] of [
    [partnerId, 'kim', '4711'],
    [otherPartnerId, 'pia', null],
  ]) {
    await db.run`
      insert into partners (id, account_id, email, referral_code, created_on, created_at, updated_at)
      values (${id}, ${connected}, ${`${code}@mail.example`}, ${code}, '2026-01-01', ${db.now}, ${db.now})`
    await db.run`
      insert into payout_settings (partner_id, account_id, version, wise_recipient_id, wise_recipient_profile_id,
        created_at, updated_at)
      values (${id}, ${connected}, ${version}, ${recipient}, ${recipient && '17'}, ${db.now}, ${db.now})`
  }
  await db.run`
    insert into payouts (id, account_id, partner_id, statement_number, currency, created_at, updated_at)
    values (${payoutId}, ${connected}, ${partnerId}, 1, 'usd', ${db.now}, ${db.now})`
  await db.run`
    insert into payout_attempts (id, payout_id, number, customer_transaction_id, wise_profile_id, state, method,
      details_version, amount, currency, year, at, updated_at)
    values (${newId()}, ${payoutId}, 1, ${newId()}, '17', 'processing', 'wise', ${version}, 100, 'usd', 2026, ${db.now},
      ${db.now})`

  await migrateFrom(db, METHODS)

  const connection = await findConnection(db, connected)
  assert.deepEqual(
    { ...connection, tokenSealed: null },
    { tokenSealed: null, tokenHint: 'oken', profile, profiles: [profile], subscriptionIds: ['sub-1'] },
  )
  assert.ok(wiseOf(services, connected, connection), 'the token opens where it stands now')
  const accountOf = (id: string) => db.one<AccountFacts>`select ${accountFacts} from accounts a where a.id = ${id}`
  const settingsOf = async (id: string) => getAutoPayoutSettings(db, await accountOf(id))
  const kept = { enabled: true, maxPerPayout: null, maxPerRun: 500 }
  const shown = { wiseProfile: profile, wiseProfilesAvailable: [profile], wiseTokenHint: 'oken' }
  assert.deepEqual(await settingsOf(connected), { ...kept, ...shown, wiseError: 'No longer valid.' })
  const terms = await Promise.all(
    [connected, withoutProfile, byHand].map(async (id) => termsOf(db, await accountOf(id))),
  )
  assert.deepEqual(
    terms.map(({ method, automatic, trouble }) => [method.name, automatic, trouble]),
    [
      ['wise', true, 'No longer valid.'],
      ['manual', false, null],
      ['manual', false, null],
    ],
  )
  assert.equal((await settingsOf(withoutProfile)).wiseTokenHint, 'oken')
  assert.deepEqual(await db.many`select * from wise_accounts where account_id = ${byHand}`, [])
  assert.deepEqual(await db.many`select partner_id, details_version, profile_id, recipient_id from wise_recipients`, [
    { partnerId, detailsVersion: version, profileId: '17', recipientId: '4711' },
  ])
  assert.deepEqual(await db.many`select paid_from, stage from payout_attempts`, [{ paidFrom: '17', stage: 'open' }])
  await assert.rejects(db.run`update payout_attempts set paid_from = '18'`, /keeps what it is to pay/)
  await services.outbound.close()
})
