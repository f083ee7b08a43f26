import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  deliverPaypalEvent as deliverPaypal,
  olderPayment,
  type PaypalEvent,
  paypalDispute,
  paypalEvent,
  paypalId,
  paypalOrder,
  paypalPayment,
  paypalSubscription,
} from '../../../../test/fakes/paypal-events.ts'
import { anEmail, expectOk } from '../../../../test/support/app.ts'
import { workOff } from '../../../../test/support/payment-providers.ts'
import { aPaypalConnection, deliverPaypalEvents, startWithPaypal, WEBHOOK_ID } from '../../../../test/support/paypal.ts'
import { aShop } from '../../../../test/support/provider-stories.ts'
import { verifyLedger } from '../../../program/stats/verify.ts'

const { app, paypal } = await startWithPaypal()
const { db } = app.services
const { store } = paypal
const { account, partner, call, aLead, salesOf, deliverAndBook, fromFile, inEveryOrder, connection } =
  await aShop<PaypalEvent>(
    app,
    (owner) => aPaypalConnection(app, owner, paypal),
    (url, event) => deliverPaypal(url, event, paypal.signer(WEBHOOK_ID)),
  )

const saleOf = (externalId: string) => db.maybe`
  select s.amount as net, s.tax_amount as tax, s.gross_amount as gross, s.refunded_amount as refunded, s.status, s.currency,
    s.matched_by as by, s.partner_id as partner, s.subscription_id as subscription, s.description, s.payer_email as email
  from sales s where s.account_id = ${account.id} and s.external_id = ${externalId}`
const later = (minutes: number) => new Date(Date.now() + minutes * 60_000)

test('one order with tax and shipping ends the same in every order', async () => {
  await inEveryOrder(
    (email) => {
      const payment = paypalPayment({ email, amount: 11_900, tax: 1900, shipping: 1000, store })
      return [payment.pending, payment.completed]
    },
    ([sale, ...others]) => {
      assert.deepEqual(others, [])
      assert.deepEqual([sale?.amount, sale?.taxAmount, sale?.grossAmount], [9000, 1900, 11_900])
      assert.equal(sale?.status, 'completed')
    },
    10,
  )
})

test('a refund of a payment that only a file has reaches its sale', async () => {
  const payment = paypalPayment({ amount: 10_000, store })
  await fromFile({ externalId: payment.capture.id }, [payment.refund(4000).refunded], {
    refunded: 4000,
    status: 'partially-refunded',
  })
})

test('a subscription’s trial is not a sale, every bill is one', async () => {
  await inEveryOrder(
    (email) => {
      const subscription = paypalSubscription({ email, store })
      return [
        subscription.created,
        subscription.activated,
        subscription.bill({ amount: 0 }).completed,
        subscription.bill({ amount: 2400, tax: 400 }).completed,
        subscription.bill({ amount: 1200, tax: 200 }).completed,
      ]
    },
    (sales) =>
      assert.deepEqual(
        sales.map(({ amount, taxAmount, grossAmount }) => [amount, taxAmount, grossAmount]),
        [
          [1000, 200, 1200],
          [2000, 400, 2400],
        ],
      ),
    12,
  )
})

test('partial refunds, then of the rest', async () => {
  await inEveryOrder(
    (email) => {
      const payment = paypalPayment({ email, amount: 11_900, tax: 1900, store })
      return [
        payment.completed,
        payment.refund(5000).refunded,
        payment.refund(5000).refunded,
        payment.refund(1900).refunded,
      ]
    },
    ([sale]) => assert.deepEqual([sale?.refundedAmount, sale?.status], [11_900, 'refunded']),
    12,
  )
})

test('a refund that fails later restores the commission', async () => {
  await inEveryOrder(
    (email) => {
      const payment = paypalPayment({ email, amount: 10_000, store })
      const refund = payment.refund(4000, { status: 'PENDING' })
      return [payment.completed, refund.refunded, refund.becomes('FAILED')]
    },
    ([sale]) => assert.deepEqual([sale?.refundedAmount, sale?.status], [0, 'completed']),
    12,
  )
})

for (const [outcome, status, refundedAmount] of [
  ['RESOLVED_SELLER_FAVOUR', 'partially-refunded', 3000],
  ['RESOLVED_BUYER_FAVOUR', 'charged-back', 10_000],
] as const)
  test(`a dispute after a partial refund, ${outcome}`, async () => {
    await inEveryOrder(
      (email) => {
        const payment = paypalPayment({ email, amount: 10_000, store })
        const dispute = payment.dispute(7000)
        return [
          payment.completed,
          payment.refund(3000).refunded,
          dispute.created,
          dispute.updated,
          payment.reversed(7000),
          dispute.resolved(outcome),
        ]
      },
      ([sale]) => assert.deepEqual([sale?.status, sale?.refundedAmount], [status, refundedAmount]),
      10,
    )
  })

test('a dispute settled for less, by a refund, counts that refund once', async () => {
  await inEveryOrder(
    (email) => {
      const payment = paypalPayment({ email, amount: 10_000, store })
      const dispute = payment.dispute(9000)
      return [
        payment.completed,
        dispute.created,
        payment.refund(2500, { at: later(2) }).refunded,
        dispute.resolved('RESOLVED_BUYER_FAVOUR', { refunded: 2500 }),
      ]
    },
    ([sale]) => assert.equal(sale?.refundedAmount, 2500),
    10,
  )
})

test('a case counts once whose money PayPal took back and then refunded', async () => {
  await inEveryOrder(
    (email) => {
      const payment = paypalPayment({ email, amount: 20_000, store })
      const dispute = payment.dispute(10_000)
      return [
        payment.completed,
        dispute.created,
        payment.reversed(10_000),
        payment.refund(10_000, { at: later(2) }).refunded,
        dispute.resolved('RESOLVED_BUYER_FAVOUR', { refunded: 10_000 }),
      ]
    },
    ([sale]) => assert.deepEqual([sale?.status, sale?.refundedAmount], ['charged-back', 10_000]),
    10,
  )
})

test('a case settled for less than PayPal took back counts what the buyer got', async () => {
  await inEveryOrder(
    (email) => {
      const payment = paypalPayment({ email, amount: 10_000, store })
      const dispute = payment.dispute(10_000)
      return [
        payment.completed,
        dispute.created,
        payment.reversed(10_000),
        dispute.resolved('RESOLVED_BUYER_FAVOUR', { refunded: 6000 }),
      ]
    },
    ([sale]) => assert.deepEqual([sale?.status, sale?.refundedAmount], ['charged-back', 6000]),
    10,
  )
})

test('a case that PayPal covers, that is withdrawn or ends unresolved has no effect', async () => {
  for (const outcome of ['RESOLVED_WITH_PAYOUT', 'CANCELED_BY_BUYER', 'DENIED', 'NONE', 'SOMETHING_NEW']) {
    const payment = paypalPayment({ amount: 10_000, store })
    const dispute = payment.dispute(10_000)
    await deliverAndBook([payment.completed, dispute.created, dispute.resolved(outcome)])
    const sale = await saleOf(payment.capture.id)
    assert.deepEqual([sale?.status, sale?.refunded], ['completed', 0], outcome)
  }
})

test('a case that is lost, then won on appeal, has no effect in the end', async () => {
  await inEveryOrder(
    (email) => {
      const payment = paypalPayment({ email, amount: 10_000, store })
      const dispute = payment.dispute(10_000)
      const lost = dispute.resolved('RESOLVED_BUYER_FAVOUR')
      return [payment.completed, dispute.created, lost, dispute.resolved('RESOLVED_SELLER_FAVOUR', { at: later(60) })]
    },
    ([sale]) => assert.deepEqual([sale?.status, sale?.refundedAmount], ['completed', 0]),
    10,
  )
})

test('a case lost for less, then won on appeal, has no effect in the end', async () => {
  await inEveryOrder(
    (email) => {
      const payment = paypalPayment({ email, amount: 10_000, store })
      const dispute = payment.dispute(9000)
      const lost = dispute.resolved('RESOLVED_BUYER_FAVOUR', { refunded: 2500 })
      return [payment.completed, dispute.created, lost, dispute.resolved('RESOLVED_SELLER_FAVOUR', { at: later(60) })]
    },
    ([sale]) => assert.deepEqual([sale?.status, sale?.refundedAmount], ['completed', 0]),
    10,
  )
})

test('a case resolved again for another amount counts the last one', async () => {
  await inEveryOrder(
    (email) => {
      const payment = paypalPayment({ email, amount: 10_000, store })
      const dispute = payment.dispute(9000)
      const lost = dispute.resolved('RESOLVED_BUYER_FAVOUR', { refunded: 2500 })
      return [
        payment.completed,
        dispute.created,
        lost,
        dispute.resolved('RESOLVED_BUYER_FAVOUR', { refunded: 4000, at: later(60) }),
      ]
    },
    ([sale]) => assert.deepEqual([sale?.status, sale?.refundedAmount], ['charged-back', 4000]),
    10,
  )
})

test('a case resolved for an amount that it had before another one counts that amount', async () => {
  const cases = [
    [2500, 4000, 2500],
    [9000, 4000, 9000, 4000],
  ]
  for (const amounts of cases) {
    const lead = await aLead()
    const payment = paypalPayment({ email: lead.email, amount: 10_000, store })
    const dispute = payment.dispute(9000)
    await deliverAndBook([payment.completed, dispute.created])
    for (const [index, refunded] of amounts.entries()) {
      await deliverAndBook([dispute.resolved('RESOLVED_BUYER_FAVOUR', { refunded, at: later(index) })])
      const [sale] = await salesOf(lead.id)
      assert.deepEqual([sale.status, sale.refundedAmount], ['charged-back', refunded])
    }
  }
  assert.deepEqual(await verifyLedger(db), [])
})

test('a case won by the seller, then by the buyer on appeal, and so on, counts as decided last', async () => {
  const lead = await aLead()
  const payment = paypalPayment({ email: lead.email, amount: 10_000, store })
  const dispute = payment.dispute(9000)
  await deliverAndBook([payment.completed, dispute.created])
  for (const minute of [1, 3, 5]) {
    await deliverAndBook([dispute.resolved('RESOLVED_SELLER_FAVOUR', { at: later(minute) })])
    const [won] = await salesOf(lead.id)
    assert.deepEqual([won.status, won.refundedAmount], ['completed', 0])
    await deliverAndBook([dispute.resolved('RESOLVED_BUYER_FAVOUR', { at: later(minute + 1) })])
    const [lost] = await salesOf(lead.id)
    assert.deepEqual([lost.status, lost.refundedAmount], ['charged-back', 9000])
  }
  assert.deepEqual(await verifyLedger(db), [])
})

test('an open case holds its commission, whatever PayPal does with the money', async () => {
  const lead = await aLead()
  const payment = paypalPayment({ email: lead.email, amount: 10_000, store })
  const dispute = payment.dispute(10_000)
  await deliverAndBook([payment.completed, dispute.created])
  assert.equal((await salesOf(lead.id))[0].status, 'disputed')
  await deliverAndBook([payment.reversed(10_000)])
  assert.equal((await salesOf(lead.id))[0].status, 'disputed')
  await deliverAndBook([dispute.resolved('RESOLVED_SELLER_FAVOUR')])
  const [sale] = await salesOf(lead.id)
  assert.deepEqual([sale.status, sale.refundedAmount], ['completed', 0])
})

test('a reversal by PayPal without a case is a refund', async () => {
  await inEveryOrder(
    (email) => {
      const payment = paypalPayment({ email, amount: 10_000, store })
      return [payment.completed, payment.reversed(10_000)]
    },
    ([sale]) => assert.deepEqual([sale?.status, sale?.refundedAmount], ['refunded', 10_000]),
    10,
  )
})

test('a case about two payments counts for each with its disputed part', async () => {
  const lead = await aLead()
  const [one, two] = [6000, 4000].map((amount) => paypalPayment({ email: lead.email, amount, store }))
  const dispute = paypalDispute({ store }, [one!.capture.id, two!.capture.id], 7000, { each: [6000, 1000] })
  await deliverAndBook([one!.completed, dispute.created, two!.completed, dispute.resolved('RESOLVED_BUYER_FAVOUR')])
  const sales = await salesOf(lead.id)
  assert.deepEqual(sales.map((sale: { refundedAmount: number }) => sale.refundedAmount).sort(), [1000, 6000])
})

test('the payments of a case that names none are requested', async () => {
  const payment = paypalPayment({ email: anEmail('named'), amount: 1000, store })
  const { created } = payment.dispute(1000)
  const { disputed_transactions: _, ...bare } = created.resource
  await deliverAndBook([payment.completed, paypalEvent('CUSTOMER.DISPUTE.CREATED', bare)])
  assert.equal((await saleOf(payment.capture.id))?.status, 'disputed')
})

test('two captures of one order share its tax, and each refund reduces its own', async () => {
  await inEveryOrder(
    (email) => {
      const { captures } = paypalOrder({ email, amount: 12_000, tax: 2000, parts: [9000, 3000], store })
      const [first, second] = captures
      return [first!.completed, second!.completed, second!.refund(3000).refunded]
    },
    (sales) =>
      assert.deepEqual(
        sales.map(({ amount, grossAmount, refundedAmount }) => [amount, grossAmount, refundedAmount]),
        [
          [2500, 3000, 3000],
          [7500, 9000, 0],
        ],
      ),
    10,
  )
})

test('a sale, its refund and its reversal mean the same in version 1 formats', async () => {
  await inEveryOrder(
    (email) => {
      const payment = olderPayment({ email, amount: 11_900, tax: 1900, shipping: 1000, store })
      return [payment.completed, payment.refunded(1900), payment.reversed(4000)]
    },
    ([sale]) =>
      assert.deepEqual(
        [sale?.amount, sale?.taxAmount, sale?.grossAmount, sale?.refundedAmount],
        [9000, 1900, 11_900, 5900],
      ),
    10,
  )
})

for (const hasLinks of [true, false])
  test(`a reversal that is the sale itself, ${hasLinks ? 'with' : 'without'} links, reverses it`, async () => {
    await inEveryOrder(
      (email) => {
        const { sale, completed } = paypalSubscription({ email, store }).bill({ amount: 2400, tax: 400 })
        const { links, ...bare } = sale
        const reversed = { ...bare, state: 'reversed', reason_code: 'CHARGEBACK', ...(hasLinks && { links }) }
        return [
          completed,
          paypalEvent('PAYMENT.SALE.REVERSED', reversed),
          paypalEvent('PAYMENT.SALE.REVERSED', reversed),
        ]
      },
      ([sale]) => assert.deepEqual([sale?.status, sale?.refundedAmount], ['refunded', 2400]),
      6,
    )
  })

test('an older capture names its order through its authorization; a guest’s order credits no one', async () => {
  const authorized = paypalPayment({
    email: anEmail('later'),
    amount: 6000,
    tax: 1000,
    store,
    ...{ older: true, authorized: true },
  })
  const guest = paypalPayment({
    amount: 6000,
    tax: 1000,
    store,
    guest: true,
    older: true,
    custom: partner.referralCode,
  })
  await deliverAndBook([authorized.completed, guest.completed])
  assert.deepEqual([(await saleOf(authorized.capture.id))?.net, (await saleOf(guest.capture.id))?.net], [5000, 5000])
  const { by, email, partner: credited } = (await saleOf(guest.capture.id))!
  assert.deepEqual([by, email, credited], ['code', null, partner.id])
})

test('the custom field contains a bare click, lead or code; a subscription’s counts for every bill', async () => {
  const lead = await aLead()
  const byLead = paypalPayment({ amount: 1000, custom: lead.id, store })
  const subscription = paypalSubscription({ email: anEmail('coded'), custom: partner.referralCode, store })
  const [first, second] = [1000, 2000].map((amount) => subscription.bill({ amount }))
  const nothing = paypalPayment({ amount: 1000, custom: 'order 1234', email: anEmail('nobody'), store })
  await deliverAndBook([byLead.completed, first!.completed, second!.completed, nothing.completed])
  const found = async ({ id }: { id: string }) => {
    const { by, partner: credited } = (await saleOf(id))!
    return [by, credited]
  }
  assert.deepEqual(await found(byLead.capture), ['lead-id', partner.id])
  assert.deepEqual(await found(first!.sale), ['code', partner.id])
  assert.deepEqual(await found(second!.sale), ['code', partner.id])
  assert.deepEqual(await found(nothing.capture), [null, null])
  assert.equal((await saleOf(first!.sale.id))?.subscription, subscription.id)
})

test('the partner of a subscription may be known before its first bill, also through a version 1 agreement', async () => {
  const lead = await aLead()
  const subscription = paypalSubscription({ email: lead.email })
  await deliverAndBook([subscription.created, subscription.activated])
  paypal.calls.splice(0)
  await deliverAndBook([subscription.bill({ amount: 1000 }).completed])
  assert.equal((await salesOf(lead.id)).length, 1)
  assert.deepEqual(paypal.callsTo('GET /v1/billing*'), [])
  const other = await aLead()
  await deliverAndBook([
    paypalSubscription({ email: other.email, agreement: true, store }).bill({ amount: 1000 }).completed,
  ])
  assert.equal((await salesOf(other.id)).length, 1)
})

test('amounts in currencies that PayPal writes without decimals are read at face value', async () => {
  const cases = [
    { currency: 'JPY', amount: 1234, tax: 112, net: 1122 },
    { currency: 'HUF', amount: 123_400, tax: 11_200, net: 112_200 },
    { currency: 'TWD', amount: 99_900, tax: 0, net: 99_900 },
    { currency: 'EUR', amount: 1, tax: 0, net: 1 },
  ]
  for (const { net, ...facts } of cases) {
    const payment = paypalPayment({ ...facts, store })
    await deliverAndBook([payment.completed])
    const sale = await saleOf(payment.capture.id)
    assert.deepEqual(
      [sale?.net, sale?.tax, sale?.gross, sale?.currency],
      [net, facts.tax, facts.amount, facts.currency.toLowerCase()],
    )
  }
})

test('a payment is requested once; without a response it waits, and is booked from the stored event', async () => {
  const lead = await aLead()
  const payment = paypalPayment({ email: lead.email, amount: 11_900, tax: 1900, description: 'A plan', store })
  paypal.fail(/orders/, { status: 429, retryAfter: 7 })
  await deliverPaypalEvents(paypal, connection(), [payment.completed])
  await assert.rejects(workOff(app), /429/)
  assert.deepEqual(await salesOf(lead.id), [])
  for (const failure of [{ status: 500 }, 'garbage', 'reset-before'] as const) {
    paypal.fail(/orders/, failure)
    await assert.rejects(workOff(app))
  }
  await workOff(app)
  const sale = await saleOf(payment.capture.id)
  assert.deepEqual([sale?.net, sale?.description], [10_000, 'A plan'])
  paypal.calls.splice(0)
  const again = paypalEvent('PAYMENT.CAPTURE.COMPLETED', payment.capture)
  await deliverAndBook([again, payment.refund(1900).refunded])
  assert.deepEqual(paypal.calls, [])
  assert.equal((await saleOf(payment.capture.id))?.refunded, 1900)
})

test('an app that lost a permission: events that need it wait for a new key, and are then booked', async () => {
  const lead = await aLead()
  paypal.forbid('/billing/', '/billing-agreements')
  const subscription = paypalSubscription({ email: lead.email, store })
  await deliverAndBook([subscription.bill({ amount: 1000 }).completed])
  assert.deepEqual(await salesOf(lead.id), [])
  const connections = async () => expectOk(await call('GET', `/accounts/${account.id}/payment-providers`)).body.items
  const [shown] = await connections()
  assert.equal(shown.state, 'attention')
  assert.match(shown.stateReason, /You do not have permission/)
  paypal.allow('/billing/', '/billing-agreements')
  expectOk(await call('POST', `/accounts/${account.id}/payment-providers/${connection().id}/check`))
  await workOff(app)
  assert.equal((await salesOf(lead.id)).length, 1)
  assert.equal((await connections())[0].state, 'connected')
})

test('an event without money or with unreadable content books nothing', async () => {
  const before = await db.many`select from sales`
  const nothing = { id: paypalId(), status: 'COMPLETED', amount: { currency_code: 'USD', value: 'many' } }
  await deliverAndBook([
    paypalEvent('CHECKOUT.ORDER.COMPLETED', { id: paypalId() }),
    paypalEvent('PAYMENT.CAPTURE.COMPLETED', nothing),
    paypalEvent('PAYMENT.CAPTURE.COMPLETED', {
      ...nothing,
      id: paypalId(),
      amount: { currency_code: 'USD', value: '0.00' },
    }),
    paypalEvent('PAYMENT.CAPTURE.COMPLETED', {}),
    paypalEvent('PAYMENT.CAPTURE.COMPLETED', { ...nothing, id: { deep: [] }, links: 'none' }),
    paypalEvent('PAYMENT.CAPTURE.REFUNDED', { id: paypalId() }),
    paypalEvent('PAYMENT.SALE.REVERSED', { id: paypalId(), amount: { total: '-1.00', currency: 'USD' } }),
    paypalEvent('PAYMENT.SALE.COMPLETED', {
      id: paypalId(),
      state: 'pending',
      amount: { total: '1.00', currency: 'USD' },
    }),
    paypalEvent('CUSTOMER.DISPUTE.CREATED', { dispute_id: 'PP-D-0', disputed_transactions: [null, {}, 7] }),
    paypalEvent('BILLING.SUBSCRIPTION.CREATED', {}),
  ])
  assert.equal((await db.many`select from sales`).length, before.length)
  const stuck = await db.many`select type, error from provider_events where state in ('failed', 'waiting', 'received')`
  assert.deepEqual(stuck, [])
})

test('a refund of a payment before the connection creates no sale', async () => {
  const old = paypalPayment({ email: anEmail('old'), amount: 1000 })
  await deliverAndBook([old.refund(1000).refunded])
  assert.equal(await saleOf(old.capture.id), undefined)
  await deliverAndBook([old.completed])
  assert.equal((await saleOf(old.capture.id))?.status, 'refunded')
})

test('a bill of a version 1 agreement and a bare refund are booked after they waited for a key', async () => {
  const lead = await aLead()
  const { completed, sale } = paypalSubscription({ email: lead.email, agreement: true, store }).bill({ amount: 1000 })
  const bare = paypalPayment({ email: lead.email, amount: 2000, store })
  const { links: _, ...refund } = bare.refund(500).refund
  // an app that may not name its account
  paypal.forbid('/identity/')
  await db.run`update provider_shops set external_id = null where account_id = ${account.id}`
  paypal.forbid('/billing', '/refund')
  await deliverAndBook([bare.completed, completed, paypalEvent('PAYMENT.CAPTURE.REFUNDED', refund)])
  paypal.allow('/billing', '/refund')
  expectOk(await call('POST', `/accounts/${account.id}/payment-providers/${connection().id}/check`))
  await workOff(app)
  assert.equal((await saleOf(sale.id))?.net, 1000)
  assert.equal((await saleOf(bare.capture.id))?.refunded, 500)
  paypal.allow('/identity/')
})
