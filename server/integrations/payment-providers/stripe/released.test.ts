import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { OLDER, type StripeEvent, stripePayment } from '../../../../test/fakes/stripe-events.ts'
import { anAccount, aPartner } from '../../../../test/support/app.ts'
import { aConnection, deliverAll, startWithStripe, workOff } from '../../../../test/support/payment-providers.ts'
import { createStories } from '../../../../test/support/provider-stories.ts'
import { transaction } from '../../../platform/database/pool.ts'
import { verifyLedger } from '../../../program/stats/verify.ts'
import { bookAgain } from '../book-payment.ts'
import { accountFactsById } from '../queries.ts'
import { reconcileConnection } from '../reconcile.ts'
import { findAdapter } from '../registry.ts'

// Stripe releases what was authorised but not captured by a refund that moves no money.

const { app, stripe } = await startWithStripe()
const account = await anAccount(app, { defaultCommissionSettings: { layerRates: [20] } })
const partner = await aPartner(app, account)
const connection = await aConnection(app, account, stripe)
const { store } = stripe
const { db } = app.services
const FILL = new URL('../../../platform/database/migrations/0561-fill-read-again.sql', import.meta.url)
const { aLead, salesOf, inEveryOrder } = createStories<StripeEvent>({
  ...{ app, account, partner },
  deliver: (events) => deliverAll(connection, events),
})

const present = (...events: (StripeEvent | null)[]) => events.filter((event) => event !== null)

for (const apiVersion of [undefined, OLDER])
  test(`a released rest is no refund, in the version ${apiVersion ?? 'of today'}`, () =>
    inEveryOrder(
      (email) => {
        const payment = stripePayment({
          email,
          amount: 206_75,
          captured: false,
          store,
          ...(apiVersion && { apiVersion }),
        })
        const capture = payment.capture(203_00)
        return present(capture.chargeCaptured, capture.chargeRefunded, capture.refundCreated)
      },
      ([sale, ...others]) => {
        assert.deepEqual(others, [])
        assert.deepEqual([sale?.grossAmount, sale?.refundedAmount, sale?.status], [203_00, 0, 'completed'])
      },
    ))

test('a refund after it takes its own amount, also one as large as the rest', () =>
  inEveryOrder(
    (email) => {
      const payment = stripePayment({ email, amount: 200_00, captured: false, store })
      const capture = payment.capture(190_00)
      const refund = payment.refund(10_00)
      return present(
        capture.chargeCaptured,
        capture.refundCreated,
        capture.chargeRefunded,
        refund.refundCreated,
        refund.chargeRefunded,
      )
    },
    ([sale]) => assert.deepEqual([sale?.refundedAmount, sale?.status], [10_00, 'partially-refunded']),
  ))

test('a release that an earlier version booked as a refund is given back after the upgrade, once', async () => {
  const lead = await aLead()
  const payment = stripePayment({ email: lead.email, amount: 100_00, captured: false, store })
  const capture = payment.capture(60_00)
  const refund = payment.refund(10_00)
  const events = present(capture.chargeCaptured, capture.refundCreated, refund.refundCreated, refund.chargeRefunded)
  await deliverAll(connection, events)
  await workOff(app)
  const refunded = async () => (await salesOf(lead.id))[0]?.refundedAmount
  assert.equal(await refunded(), 10_00)

  // as a version stored and booked it that knew of no releases
  const shop = await db.one<{ shopId: string }>`select shop_id from provider_connections where id = ${connection.id}`
  await db.run`update provider_objects set data = data - 'released' - 'movedMoney' where shop_id = ${shop.shopId}`
  const [facts] = await db.many<{ key: string }>`
    select payment_key as key from provider_objects where shop_id = ${shop.shopId} and object_id = ${payment.charge.id}`
  const former = {
    ...{ ...shop, connectionId: connection.id, adapter: findAdapter('stripe')!, secrets: app.services.secrets },
    account: await accountFactsById(db, account.id),
  }
  await transaction(db, (tx) => bookAgain(tx, former, facts!.key))
  assert.equal(await refunded(), 50_00)

  const [, mark = ''] = readFileSync(FILL, 'utf8').split('-- in batches\n')
  await transaction(db, async (tx) => tx.client.query(mark))
  for (const again of [1, 2]) {
    const callsBefore = stripe.calls.length
    await reconcileConnection(app.services, { connectionId: connection.id })
    assert.equal(await refunded(), 10_00)
    const charges = stripe.calls.slice(callsBefore).filter(({ path }) => path === `/v1/charges/${payment.charge.id}`)
    assert.equal(charges.length, again === 1 ? 1 : 0)
  }
  assert.deepEqual(await verifyLedger(db), [])
})
