import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anAccount, expectOk, startApp } from '../../../../test/support/app.ts'
import { paypalInstalls, workOn } from '../../../../test/support/paypal-payouts.ts'
import { asDatabaseOwner } from '../../../../test/support/postgres.ts'
import { newId } from '../../../platform/database/ids.ts'
import { transaction } from '../../../platform/database/pool.ts'
import { type ApiMethod, getPayoutMethod } from '../methods/registry.ts'
import { verifyTransfers } from './verify-transfers.ts'

// PayPal lists no payments: those that are known are read one by one.

const app = await startApp({ config: { logLevel: 'silent' } })
const { db } = app.services
const { anInstall, anApproved } = paypalInstalls(app)
const install = await anInstall({ autoProgress: false })
const { account, paypal } = install
const id = await anApproved(install)
await workOn(app.services, id)
const [batch] = paypal.payouts.batches.values()

const verify = () => verifyTransfers({ ...app.services, log: db.log }, getPayoutMethod('paypal') as ApiMethod)
const found = async () =>
  (await verify()).differences.map(({ check, expected, actual }) => ({ check, expected, actual }))
const nothing = { differences: [], compared: 0, unread: [] }

test('PayPal holds the payments that were made', async () => {
  assert.deepEqual(await verify(), { ...nothing, compared: 1 })
})

test('an attempt of a release that paid only by Wise is not looked for at PayPal', async () => {
  await transaction(asDatabaseOwner(db), async (tx) => {
    await tx.run`set local session_replication_role = replica`
    await tx.run`
      insert into payout_attempts (id, account_id, payout_id, number, customer_transaction_id, paid_from, transfer_id,
        state, stage, fee, at, updated_at)
      values (${newId()}, ${account.id}, ${id}, 0, ${newId()}, '11', '4711', 'cancelled', 'over', 125, ${db.now}, ${db.now})`
  })
  assert.deepEqual(await verify(), { ...nothing, compared: 1 })
})

test('another amount, another end, and a payment that PayPal doesn’t have are found', async () => {
  batch!.item.value = '1.00'
  assert.deepEqual(await found(), [
    { check: 'PayPal pays the amount that was approved', expected: '12550', actual: '100' },
  ])
  batch!.item.value = '125.50'
  paypal.payouts.set(batch!.id, 'SUCCESS')
  await workOn(app.services, id)
  assert.deepEqual(await verify(), { ...nothing, compared: 1 })
  paypal.payouts.set(batch!.id, 'RETURNED')
  assert.deepEqual(await found(), [
    { check: 'a payout is where its transfer is', expected: 'SUCCESS, payout paid', actual: 'RETURNED' },
  ])
  paypal.payouts.batches.clear()
  assert.deepEqual(await found(), [{ check: 'every transfer is at PayPal', expected: batch!.id, actual: 'none' }])
  paypal.payouts.batches.set(batch!.id, batch!)
  paypal.payouts.set(batch!.id, 'SUCCESS')
})

test('payments of more than 90 days ago are not read', async () => {
  app.clock.advance(91 * 86_400_000)
  assert.deepEqual(await verify(), nothing)
  app.clock.advance(-91 * 86_400_000)
})

test('an account that PayPal doesn’t let us read is named, and nothing is said of its payments', async () => {
  for (const [status, reason] of [
    [503, /503/],
    [401, /401/],
  ] as const) {
    paypal.fail('GET /v1/payments/payouts/*', { status }, 5)
    const { unread, ...rest } = await verify()
    assert.deepEqual(rest, { differences: [], compared: 0 })
    assert.deepEqual(
      unread.map(({ accountId }) => accountId),
      [account.id],
    )
    assert.match(unread[0]!.reason, reason)
    paypal.calm()
  }
})

test('an account without PayPal is not read', async () => {
  await anAccount(app)
  assert.equal((await verify()).compared, 1)
  expectOk(await app.api('DELETE', `/accounts/${account.id}/payout-methods/paypal`, { token: account.token }))
  const before = paypal.calls.length
  assert.deepEqual(await verify(), nothing)
  assert.equal(paypal.calls.length, before)
})
