import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stripePayment } from '../../../test/fakes/stripe-events.ts'
import { anAccount } from '../../../test/support/app.ts'
import { aConnection, deliverAll, startWithStripe, workOff } from '../../../test/support/payment-providers.ts'
import { transaction } from '../../platform/database/pool.ts'
import { verifyPayments } from './verify-payments.ts'

const { app, stripe } = await startWithStripe()
const { db } = app.services
const account = await anAccount(app)
const connection = await aConnection(app, account, stripe)
const payment = stripePayment({ amount: 120_00, tax: 20_00, store: stripe.store })
await deliverAll(connection, [payment.checkoutCompleted, payment.chargeSucceeded, payment.refund(30_00).refundCreated])
await workOff(app)

class Enough extends Error {}

/** The checks that find something after a change; then the change is undone. */
async function foundAfter(statement: string) {
  let found: string[] = []
  const work = transaction(db, async (tx) => {
    await tx.client.query(statement)
    found = (await verifyPayments(tx)).differences.map(({ check }) => check)
    throw new Enough()
  })
  await assert.rejects(work, Enough)
  return found
}

test('the ledger matches what the provider reported', async () =>
  assert.deepEqual(await verifyPayments(db), { differences: [], compared: 1 }))

for (const [what, statement] of Object.entries({
  'the tax': 'update sales set tax_amount = tax_amount - 1',
  'the amount the customer paid': 'update sales set gross_amount = gross_amount + 1',
  'the payment behind a sale': `update sales set external_id = 'pi_other'`,
}))
  test(`finds a change of ${what}`, async () =>
    assert.deepEqual(await foundAfter(statement), ['a sale is what its provider told of the payment']))

test('finds a subscription that the provider did not report', async () =>
  assert.deepEqual(await foundAfter(`update sales set subscription_id = 'sub_other'`), [
    'a sale is of the subscription that its provider told',
  ]))

test('finds a payment that lost its sale', async () =>
  assert.deepEqual(await foundAfter('delete from provider_payments'), [
    'a sale of a provider is a payment that it told',
  ]))

for (const [what, statement] of Object.entries({
  'a changed refund number': `update refunds set external_id = 're_other'`,
  'a reported refund that is missing': `update provider_payments set applied = applied || '{"refund re_2": {"status": "succeeded", "amount": 1}}'`,
}))
  test(`finds ${what}`, async () =>
    assert.deepEqual(await foundAfter(statement), ['the refunds of a sale are those its provider told of']))
