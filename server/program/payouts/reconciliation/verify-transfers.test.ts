import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../../../test/support/app.ts'
import { createInstalls, workOn } from '../../../../test/support/wise-payouts.ts'
import { connecting } from '../methods/registry.ts'
import { advancePayout } from '../process-payout.ts'
import { verifyTransfers } from './verify-transfers.ts'

const method = connecting
const app = await startApp()
const { anInstall, anApproved } = createInstalls(app)
const install = await anInstall()
const { wise, services, account } = install
const paid = await anApproved(install)
await workOn(services, paid)
const [transfer] = wise.transfers.values()

const found = async () =>
  (await verifyTransfers(services, method)).differences.map(({ check, expected, actual }) => ({
    check,
    expected,
    actual,
  }))

/** Changes something at Wise, verifies, and restores it. */
async function foundWith(change: Partial<NonNullable<typeof transfer>>) {
  const before = { ...transfer! }
  Object.assign(transfer!, change)
  try {
    return await found()
  } finally {
    Object.assign(transfer!, before)
  }
}

test('what Wise holds is what was paid', async () => {
  assert.deepEqual(await verifyTransfers(services, method), { differences: [], compared: 1, unread: [] })
})

test('another amount, recipient or end at Wise is found', async () => {
  assert.deepEqual(await foundWith({ targetValue: 99 }), [
    { check: 'Wise pays the amount that was approved', expected: '12550', actual: '9900' },
  ])
  assert.deepEqual(
    (await foundWith({ targetAccount: 4711 })).map(({ check }) => check),
    ['Wise pays the recipient that was approved'],
  )
  wise.setState(transfer!.id, 'outgoing_payment_sent')
  await advancePayout(services, paid)
  assert.deepEqual(await foundWith({ status: 'funds_refunded' }), [
    {
      check: 'a payout is where its transfer is',
      expected: 'outgoing_payment_sent, payout sent',
      actual: 'funds_refunded',
    },
  ])
})

test('a transfer that Wise does not have is found, and one with our number that we did not ask for', async () => {
  wise.transfers.delete(transfer!.id)
  const stranger = { ...transfer!, id: 99_001, customerTransactionId: '11111111-1111-4111-8111-111111111111' }
  wise.transfers.set(stranger.id, stranger)
  assert.deepEqual(await found(), [
    { check: 'every transfer is at Wise', expected: String(transfer!.id), actual: 'none' },
    { check: 'every transfer at Wise is ours', expected: 'none', actual: 'PO-1, outgoing_payment_sent' },
  ])
  wise.transfers.delete(stranger.id)
  wise.transfers.set(transfer!.id, transfer!)
})

test('an account that Wise does not let us read is named', async () => {
  wise.fail('GET /v1/transfers', { status: 401 })
  const { unread, differences } = await verifyTransfers(services, method)
  assert.deepEqual(differences, [])
  assert.deepEqual(
    unread.map(({ accountId }) => accountId),
    [account.id],
  )
})
