import assert from 'node:assert/strict'
import { test } from 'node:test'
import { atTime, ledgerServices, ownClock } from '../../../../../test/support/ledger.ts'
import { asBefore, migrateFrom } from '../../../../../test/support/migrations.ts'
import { deposit } from '../../../../../test/support/payouts.ts'
import { freshDatabase, ownerOf } from '../../../../../test/support/postgres.ts'
import { standInWise } from '../../../../../test/support/stand-ins/wise.ts'
import { newId } from '../../../../platform/database/ids.ts'
import { transaction } from '../../../../platform/database/pool.ts'
import { createQueues } from '../../../../platform/jobs/queue.ts'
import { queues } from '../../../../queues.ts'
import { advance } from '../../advance.ts'
import { payoutDetailsPlace, settingsPlace } from '../../deposit-details.ts'
import { transactionId } from './attempts.ts'
import { tokenPlace } from './connection.ts'

const INTENTS = '0014-payout-intents.sql'

test('attempts of earlier releases: none is taken up for an approval it was not made for', async () => {
  const db = ownerOf(await freshDatabase({ clock: ownClock }))
  await asBefore(db, INTENTS)
  const time = { now: Date.parse('2026-06-01T10:00:00Z') }
  const wise = await standInWise({ clock: () => new Date(time.now) })
  test.after(() => wise.close())
  const plain = ledgerServices(db)
  const config = { ...plain.config, wise: { apiUrl: wise.url, apiVersion: 'classic', webhookKey: wise.publicKey } }
  const services = { ...plain, config }
  const { secrets } = services
  await atTime(time, async () => {
    const account = { id: newId() }
    await db.run`
      insert into accounts (id, public_id, default_currency, layer_rates_ppm, payout_delay, time_zone,
        self_referral_policy, created_at, updated_at)
      values (${account.id}, ${account.id}, 'usd', '{}', 0, 'UTC', 'hold', ${db.now}, ${db.now})`
    const token = secrets.seal(wise.token, tokenPlace(account.id))
    const profile = JSON.stringify({ id: String(wise.businessId) })
    await db.run`
      insert into payout_accounts (account_id, wise_token_sealed, wise_profile, updated_at)
      values (${account.id}, ${token}, ${profile}::jsonb, ${db.now})`
    /** A payout of 175.50 approved an hour ago, with an attempt begun `ago` hours ago. */
    const anOld = async (
      partner: number,
      status: string,
      state: string,
      ago: number,
      transferId: string | null = null,
    ) => {
      const [id, partnerId, entryId, version] = [newId(), newId(), newId(), newId()]
      const details = JSON.stringify(deposit({ accountNumber: '9988776655' }))
      const hours = (count: number) => new Date(time.now - count * 3_600_000)
      await transaction(db, async (tx) => {
        await tx.run`
          insert into partners (id, account_id, email, referral_code, approved_payout_years, created_on, created_at,
            updated_at)
          values (${partnerId}, ${account.id}, ${`${partner}@mail.example`}, ${`partner-${partner}`}, '{2026}',
            '2026-01-01', ${tx.now}, ${tx.now})`
        await tx.run`
          insert into payout_settings (partner_id, account_id, version, details_sealed, created_at, updated_at)
          values (${partnerId}, ${account.id}, ${version}, ${secrets.seal(details, settingsPlace(partnerId, account.id))},
            ${tx.now}, ${tx.now})`
        await tx.run`
          insert into commission_entries (id, account_id, partner_id, amount, currency, kind, available_at, day, created_at)
          values (${entryId}, ${account.id}, ${partnerId}, 17550, 'usd', 'adjustment', ${tx.now}, '2026-06-01', ${tx.now})`
        await tx.run`
          insert into payouts (id, account_id, partner_id, statement_number, status, amount, currency, method,
            details_sealed, details_version, approved_at, created_at, updated_at)
          values (${id}, ${account.id}, ${partnerId}, ${partner + 1}, ${status}, 17550, 'usd', 'wise',
            ${secrets.seal(details, payoutDetailsPlace(id, account.id))}, ${version}, ${hours(1)}, ${hours(9)}, ${hours(1)})`
        await tx.run`
          insert into payout_entries (payout_id, entry_id, account_id, approved_at)
          values (${id}, ${entryId}, ${account.id}, ${hours(1)})`
        await tx.run`
          insert into payout_attempts (id, payout_id, number, customer_transaction_id, wise_profile_id, recipient_id,
            quote_id, transfer_id, state, at, updated_at)
          values (${newId()}, ${id}, 1, ${transactionId(id, 1)}, ${String(wise.businessId)}, '17', 'former', ${transferId},
            ${state}, ${hours(ago)}, ${hours(ago)})`
      })
      return id
    }
    const leftOver = await anOld(0, 'approved', 'recipient-known', 5)
    const underWay = await anOld(1, 'processing', 'quoted', 0.5)
    const unknown = await anOld(2, 'processing', 'transferring', 5)
    const sent = await anOld(3, 'sent', 'outgoing_payment_sent', 0.5, '4711')

    await migrateFrom(db, INTENTS)
    const attempts = (id: string) => db.many`
      select number, state, amount, year from payout_attempts where payout_id = ${id} order by number`
    assert.deepEqual(await attempts(sent), [{ number: 1, state: 'outgoing_payment_sent', amount: 175_50, year: 2026 }])

    await createQueues(await services.jobs.boss(), queues)
    for (const id of [leftOver, underWay, unknown, unknown]) await advance(services, id)
    await services.jobs.stop({ graceful: false })
    for (const id of [leftOver, underWay, unknown]) {
      const [former, present] = await attempts(id)
      assert.equal(former!.state, 'abandoned')
      assert.deepEqual([present!.state, present!.amount], ['processing', 175_50])
      const transfer = wise.transferBy(transactionId(id, 2))!
      const { details } = wise.recipients.get(transfer.targetAccount) as unknown as {
        details: { accountNumber: string }
      }
      assert.deepEqual([transfer.targetValue, details.accountNumber], [175.5, '9988776655'])
    }
    assert.equal(wise.transfers.size, 3)
  })
  await services.outbound.close()
})
