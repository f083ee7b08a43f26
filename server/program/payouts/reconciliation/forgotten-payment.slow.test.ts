import assert from 'node:assert/strict'
import { test } from 'node:test'
import { v5 } from 'uuid'
import { workOff } from '../../../../demo/drain-jobs.ts'
import { expectOk, PASSWORD, startApp } from '../../../../test/support/app.ts'
import { getBalance } from '../../../../test/support/payouts.ts'
import { aPaypalPayee, paypalInstalls, workOn } from '../../../../test/support/paypal-payouts.ts'
import { newId } from '../../../platform/database/ids.ts'
import { apiMethods } from '../methods/registry.ts'
import { verifyTransfers } from './verify-transfers.ts'

// PayPal lists no payments. One that this database has forgotten is found when its number is used again.

/** An install of its own, whose next number PayPal has seen already: with a payment to another partner. */
async function anOlderCopy(amount = '80.00') {
  const app = await startApp({ config: { logLevel: 'silent' } })
  const { anInstall, anApproved, show } = paypalInstalls(app)
  const install = await anInstall({ autoProgress: false })
  const { account, paypal, partner } = install
  const { publicId } = await app.services.db.one<{ publicId: string }>`
    select public_id from accounts where id = ${account.id}`
  const other = await aPaypalPayee(app, account)
  await pay(paypal, `trb-${publicId}-1`, { key: v5('1', newId()), amount, receiver: other.address })
  const [batch] = paypal.payouts.batches.values()
  const at = `/accounts/${account.id}/payouts/reconciliation`
  const call = (method: string, path: string, body?: object) =>
    app.api(method, path, { token: account.token, ...(body && { body }) })
  const id = await anApproved(install, 50_00)
  return {
    ...{ app, account, paypal, partner, other, publicId, id, batch: batch! },
    show: () => show(install, id),
    approve: async () => expectOk(await call('POST', `/payouts/${id}/approve`)),
    reconciliation: async () => expectOk(await call('GET', at)).body,
    async decide(action: 'record' | 'dismiss', more: object = {}) {
      expectOk(await call('POST', '/auth/confirm', { password: PASSWORD }))
      expectOk(await call('POST', `${at}/confirm`, { decisions: [{ transferId: batch!.id, action, ...more }] }))
    },
    async work() {
      await workOff(app.services)
      await workOn(app.services, id)
      await workOff(app.services)
    },
  }
}

type Paid = { key: string; amount: string; receiver: string }

/** Pays by PayPal, as the database did that this one is an older copy of. */
async function pay(
  paypal: { url: string; clientId: string; clientSecret: string },
  senderBatchId: string,
  { key, amount, receiver }: Paid,
) {
  const ask = async (path: string, init: RequestInit) => {
    const response = await fetch(`${paypal.url}/${path}`, { method: 'POST', ...init })
    assert.ok(response.ok)
    return (await response.json()) as Record<string, string>
  }
  const basic = Buffer.from(`${paypal.clientId}:${paypal.clientSecret}`).toString('base64')
  const { access_token: token } = await ask('v1/oauth2/token', {
    headers: { authorization: `Basic ${basic}`, 'content-type': 'application/x-www-form-urlencoded' },
    body: 'grant_type=client_credentials',
  })
  const item = {
    ...{ recipient_type: 'EMAIL', amount: { value: amount, currency: 'USD' }, note: 'Forgotten', receiver },
    ...{ sender_item_id: key, recipient_wallet: 'PAYPAL' },
  }
  await ask('v1/payments/payouts', {
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ sender_batch_header: { sender_batch_id: senderBatchId }, items: [item] }),
  })
}

test('a payment that was forgotten pauses the account, and is entered beside the one that met it', async () => {
  const one = await anOlderCopy()
  const { app, account, paypal, other, batch } = one
  await one.work()
  assert.equal(paypal.payouts.batches.size, 1, 'nothing is paid under a number that was used')
  const { pausedAt, transfers } = await one.reconciliation()
  assert.match(pausedAt, /^20/)
  assert.deepEqual(
    transfers.map((row: Record<string, unknown>) => [row.transferId, row.finding, row.amount]),
    [[batch.id, 'unknown', 80_00]],
  )
  await one.decide('record', { partnerId: other.id })
  assert.equal((await one.reconciliation()).pausedAt, null)
  assert.equal((await one.show()).status, 'due', 'what was approved before is looked at again')
  await one.approve()
  paypal.payouts.set(batch.id, 'SUCCESS')
  await one.work()
  const [, second] = paypal.payouts.batches.values()
  assert.equal(second!.senderBatchId, batch.senderBatchId.replace(/1$/, '2'), 'its own number comes next')
  assert.equal(second!.item.value, '50.00')
  assert.equal((await getBalance(app, account, other)).due, -80_00, 'the forgotten payment counts')
  for (const method of apiMethods)
    assert.deepEqual((await verifyTransfers({ ...app.services, log: app.services.db.log }, method)).differences, [])
})

test('a payment that its owner made otherwise is dismissed, and asked about once', async () => {
  const one = await anOlderCopy()
  const { app, account, paypal, partner } = one
  await one.work()
  await one.decide('dismiss')
  await one.approve()
  await one.work()
  assert.equal(paypal.payouts.batches.size, 2)
  assert.equal((await one.reconciliation()).pausedAt, null)
  assert.equal((await getBalance(app, account, partner)).due, 0)
})

test('several are met one after the other', async () => {
  const one = await anOlderCopy()
  const { paypal, other, publicId } = one
  await pay(paypal, `trb-${publicId}-2`, { key: 'Invoice 7', amount: '13.00', receiver: other.address })
  await one.work()
  await one.decide('dismiss')
  await one.approve()
  await one.work()
  const { pausedAt, transfers } = await one.reconciliation()
  assert.match(pausedAt, /^20/)
  assert.deepEqual(
    transfers.map(({ finding, amount }: Record<string, unknown>) => [finding, amount]),
    [
      ['unknown', 13_00],
      ['dismissed', 80_00],
    ],
  )
})
