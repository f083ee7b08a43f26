import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  BASIL,
  OLDER,
  type StripeEvent,
  stripeDeauthorized,
  stripeEvent,
  stripeId,
  stripeInvoice,
  stripePayment,
} from '../../../test/fakes/stripe-events.ts'
import { anAccount, anEmail, aPartner, expectOk } from '../../../test/support/app.ts'
import { aConnection, deliverAll, startWithStripe, workOff } from '../../../test/support/payment-providers.ts'
import { createStories } from '../../../test/support/provider-stories.ts'
import { verifyLedger } from '../../program/stats/verify.ts'

const { app, stripe } = await startWithStripe()
const { db } = app.services
const account = await anAccount(app, { defaultCommissionSettings: { layerRates: [20, 5] } })
const parent = await aPartner(app, account)
const partner = await aPartner(app, account, { parentPartnerId: parent.id })
const connection = await aConnection(app, account, stripe)
const { store } = stripe

const { call, aLead, salesOf, deliverAndBook, inEveryOrder } = createStories<StripeEvent>({
  ...{ app, account, partner },
  deliver: (events) => deliverAll(connection, events),
})
const unattributed = async () =>
  expectOk(await call('GET', `/accounts/${account.id}/sales?unattributed=true`)).body.items

test('one card payment with tax, refunded in two parts, ends the same in every order', async () => {
  await inEveryOrder(
    (email) => {
      const payment = stripePayment({ email, amount: 11_900, tax: 1900, shipping: 1000, customer: null, store })
      const half = payment.refund(5000)
      const rest = payment.refund(2000)
      return [
        payment.checkoutCompleted,
        payment.chargeSucceeded,
        half.refundCreated,
        half.chargeRefunded,
        rest.chargeRefunded,
        rest.refundUpdated,
      ]
    },
    ([sale, ...others]) => {
      assert.deepEqual(others, [])
      assert.deepEqual([sale?.amount, sale?.taxAmount, sale?.grossAmount], [9000, 1900, 11_900])
      assert.deepEqual([sale?.refundedAmount, sale?.status], [7000, 'partially-refunded'])
    },
  )
})

test('shipping whose price includes tax is taken off without that tax, which is taken off already', async () => {
  const shipping_cost = { amount_subtotal: 1000, amount_tax: 160, amount_total: 1000, shipping_rate: null }
  const lead = await aLead()
  const { session } = stripePayment({ email: lead.email, amount: 11_000, tax: 1757, shipping: 1000 })
  const bill = stripeInvoice({ email: lead.email, amount: 11_000, tax: 1757 })
  for (const object of [session, bill.invoice]) store.set(object.id, { ...object, shipping_cost })
  const invoice = { ...bill.invoice, shipping_cost, payment_intent: stripeId('pi') }
  await deliverAndBook([
    stripeEvent('checkout.session.completed', { ...session, shipping_cost }),
    stripeEvent('invoice.paid', invoice),
  ])
  const sales = await salesOf(lead.id)
  assert.deepEqual(
    sales.map(({ amount, taxAmount }: Record<string, unknown>) => [amount, taxAmount]),
    [
      [8403, 1757],
      [8403, 1757],
    ],
  )
})

test('a refund that fails at the bank restores the commission', async () => {
  await inEveryOrder(
    (email) => {
      const payment = stripePayment({ email, amount: 10_000, store })
      const refund = payment.refund(4000, { status: 'pending' })
      const failed = refund.becomes('failed')
      return [
        payment.checkoutCompleted,
        payment.chargeSucceeded,
        refund.refundCreated,
        refund.chargeRefunded,
        failed.refundUpdated,
        failed.refundFailed,
      ]
    },
    ([sale]) => assert.deepEqual([sale?.refundedAmount, sale?.status], [0, 'completed']),
  )
})

for (const [outcome, status, refundedAmount] of [
  ['lost', 'charged-back', 10_000],
  ['won', 'partially-refunded', 3000],
] as const)
  test(`a dispute that is ${outcome} after a partial refund`, async () => {
    await inEveryOrder(
      (email) => {
        const payment = stripePayment({ email, amount: 10_000, store })
        const refund = payment.refund(3000)
        const dispute = payment.dispute(7000)
        return [
          payment.checkoutCompleted,
          payment.chargeSucceeded,
          refund.chargeRefunded,
          refund.refundCreated,
          dispute.created,
          dispute.fundsWithdrawn(),
          dispute.closed(outcome),
        ]
      },
      ([sale]) => assert.deepEqual([sale?.status, sale?.refundedAmount], [status, refundedAmount]),
      15,
    )
  })

test('an older dispute that ended with a refund holds nothing', async () => {
  const lead = await aLead()
  const payment = stripePayment({ email: lead.email, amount: 10_000, store })
  const dispute = payment.dispute(7000)
  await deliverAndBook([payment.chargeSucceeded, dispute.created, payment.refund(7000).refundCreated])
  assert.equal((await salesOf(lead.id))[0].status, 'disputed')
  await deliverAndBook([dispute.closed('charge_refunded')])
  const [sale] = await salesOf(lead.id)
  assert.deepEqual([sale.status, sale.refundedAmount], ['partially-refunded', 7000])
})

test('a dispute that is lost, then won on appeal, has no effect in the end', async () => {
  const later = (minutes: number) => new Date(Date.now() + minutes * 60_000)
  await inEveryOrder(
    (email) => {
      const payment = stripePayment({ email, amount: 10_000, store })
      const dispute = payment.dispute(7000)
      return [
        payment.checkoutCompleted,
        payment.chargeSucceeded,
        dispute.created,
        dispute.closed('lost', later(1)),
        dispute.closed('won', later(60)),
      ]
    },
    ([sale]) => assert.deepEqual([sale?.status, sale?.refundedAmount], ['completed', 0]),
    10,
  )
})

test('an inquiry does not hold the commission', async () => {
  const lead = await aLead()
  const payment = stripePayment({ email: lead.email, amount: 10_000, store })
  const inquiry = payment.dispute(10_000, { status: 'warning_needs_response' })
  await deliverAndBook([payment.checkoutCompleted, inquiry.created, inquiry.closed('warning_closed')])
  const [sale] = await salesOf(lead.id)
  assert.deepEqual([sale.status, sale.refunds], ['completed', []])
})

for (const apiVersion of [OLDER, BASIL])
  test(`an invoice of a subscription and its charge are one sale (${apiVersion})`, async () => {
    await inEveryOrder(
      (email) => {
        const bill = stripeInvoice({ email, amount: 12_000, tax: 2000, checkout: {}, apiVersion, store })
        const [paid] = bill.payments
        return [
          bill.checkoutCompleted,
          bill.invoicePaid,
          bill.invoicePaymentSucceeded,
          paid!.chargeSucceeded,
          ...(apiVersion === BASIL ? [paid!.invoicePaymentPaid] : []),
          bill.refund(6000).chargeRefunded,
        ]
      },
      ([sale, ...others]) => {
        assert.deepEqual(others, [])
        assert.deepEqual([sale?.amount, sale?.taxAmount, sale?.grossAmount], [10_000, 2000, 12_000])
        assert.equal(sale?.refundedAmount, 6000)
      },
    )
  })

test('an invoice paid in two payments is two sales that share its tax', async () => {
  await inEveryOrder(
    (email) => {
      const bill = stripeInvoice({
        email,
        amount: 12_000,
        tax: 2000,
        payments: [9000, 3000],
        subscription: null,
        store,
      })
      return [bill.invoicePaid, ...bill.payments.flatMap((one) => [one.chargeSucceeded, one.invoicePaymentPaid])]
    },
    (sales) =>
      assert.deepEqual(
        sales.map(({ amount, grossAmount }) => [amount, grossAmount]),
        [
          [2500, 3000],
          [7500, 9000],
        ],
      ),
    10,
  )
})

test('an invoice paid outside Stripe is a sale under its own number, renewals are sales of the same lead', async () => {
  const lead = await aLead()
  const bill = stripeInvoice({ email: lead.email, amount: 5000, outOfBand: true, store })
  await deliverAndBook([bill.invoicePaid])
  const renewal = bill.renew({ email: null, outOfBand: false })
  await deliverAndBook([renewal.payments[0]!.chargeSucceeded, renewal.invoicePaid])
  const sales = await salesOf(lead.id)
  assert.deepEqual(
    sales.map(({ externalId, sequence, matchedBy, subscriptionId }: Record<string, unknown>) => [
      externalId,
      sequence,
      matchedBy,
      subscriptionId,
    ]),
    [
      [renewal.payments[0]!.intent.id, 2, 'customer', bill.subscription],
      [bill.invoice.id, 1, 'email', bill.subscription],
    ],
  )
})

test('a refund reported before its payment waits for it; one of a payment before the connection creates no sale', async () => {
  const lead = await aLead()
  const payment = stripePayment({ email: lead.email, amount: 10_000, store })
  const refund = payment.refund(10_000)
  await deliverAndBook([refund.refundCreated, refund.chargeRefunded])
  assert.deepEqual(await salesOf(lead.id), [])
  await deliverAndBook([payment.chargeSucceeded])
  const [sale] = await salesOf(lead.id)
  assert.deepEqual([sale.status, sale.refundedAmount], ['refunded', 10_000])
  assert.equal(
    sale.commissions.reduce((sum: number, { amount }: { amount: number }) => sum + amount, 0),
    0,
  )
})

test('a charge without a payment intent is a sale, and so is its refund', async () => {
  const lead = await aLead()
  const { charge } = stripePayment({ email: lead.email, amount: 5000, store })
  const bare = { ...charge, id: stripeId('ch'), payment_intent: null }
  const refund = { id: stripeId('re'), object: 'refund', amount: 2000, currency: 'usd', status: 'succeeded' }
  await deliverAndBook([
    stripeEvent('charge.succeeded', bare),
    stripeEvent('refund.created', { ...refund, charge: bare.id, payment_intent: null }),
  ])
  const [sale] = await salesOf(lead.id)
  assert.deepEqual([sale.externalId, sale.amount, sale.refundedAmount], [bare.id, 5000, 2000])
})

test('an authorization alone is not a sale; a partial capture is a sale of that part', async () => {
  const lead = await aLead()
  const payment = stripePayment({ email: lead.email, amount: 11_000, tax: 1000, captured: false, store })
  await deliverAndBook([payment.chargeSucceeded])
  assert.deepEqual(await salesOf(lead.id), [])
  await deliverAndBook([payment.capture(5500).chargeCaptured])
  const [sale] = await salesOf(lead.id)
  assert.deepEqual([sale.amount, sale.taxAmount, sale.grossAmount], [5000, 500, 5500])
})

test('a bank debit counts when the money arrives', async () => {
  const lead = await aLead()
  const payment = stripePayment({ email: lead.email, amount: 10_000 })
  const { checkoutCompleted, paymentSucceeded } = payment.paidLater()
  await deliverAndBook([checkoutCompleted])
  assert.deepEqual(await salesOf(lead.id), [])
  await deliverAndBook([paymentSucceeded])
  assert.equal((await salesOf(lead.id)).length, 1)
})

test('an uncredited payment is stored; credited by hand it earns, and a later refund reverses that', async () => {
  const payment = stripePayment({ email: anEmail('stranger'), amount: 10_000, store })
  await deliverAndBook([payment.chargeSucceeded])
  const sale = (await unattributed()).find(({ externalId }: { externalId: string }) => externalId === payment.intent.id)
  assert.deepEqual([sale.leadId, sale.commissions], [null, []])
  expectOk(await call('POST', `/sales/${sale.id}/attribute`, { partnerId: partner.id, reason: 'told us by phone' }))
  await deliverAndBook([payment.checkoutCompleted, payment.refund(5000).chargeRefunded])
  const { items } = expectOk(await call('GET', `/sales/${sale.id}/commissions`)).body
  const left = (layer: number) =>
    items
      .filter((entry: { layer: number }) => entry.layer === layer)
      .reduce((sum: number, { amount }: { amount: number }) => sum + amount, 0)
  assert.deepEqual([left(0), left(1)], [1000, 250])
})

test('an uncredited charge is credited when the session names a code', async () => {
  const payment = stripePayment({ amount: 10_000, email: anEmail('coded'), reference: partner.referralCode })
  await deliverAndBook([payment.chargeSucceeded])
  assert.equal(
    (await unattributed()).filter(({ externalId }: { externalId: string }) => externalId === payment.intent.id).length,
    1,
  )
  await deliverAndBook([payment.checkoutCompleted])
  const sale = await db.one<{ id: string; partnerId: string; matchedBy: string }>`
    select id, partner_id, matched_by from sales where external_id = ${payment.intent.id}`
  assert.deepEqual([sale.partnerId, sale.matchedBy], [partner.id, 'code'])
  const { items } = expectOk(await call('GET', `/sales/${sale.id}/commissions`)).body
  assert.deepEqual(items.map(({ amount }: { amount: number }) => amount).sort(), [2000, 500].sort())
})

test('the session of a subscription credits an earlier invoice, and metadata of the intent counts', async () => {
  const bill = stripeInvoice({ amount: 10_000, email: anEmail('sub'), checkout: { reference: partner.referralCode } })
  await deliverAndBook([bill.payments[0]!.chargeSucceeded])
  await deliverAndBook([stripeAsOlder(bill.invoicePaid, bill.payments[0]!.intent.id)])
  const partnerOf = async (externalId: string) =>
    (await db.many<{ partnerId: string }>`select partner_id from sales where external_id = ${externalId}`).map(
      (row) => row.partnerId,
    )
  assert.deepEqual(await partnerOf(bill.payments[0]!.intent.id), [null])
  await deliverAndBook([bill.checkoutCompleted])
  assert.deepEqual(await partnerOf(bill.payments[0]!.intent.id), [partner.id])

  const tagged = stripePayment({ amount: 100, intentMetadata: { referral_code: partner.referralCode }, store })
  await deliverAndBook([tagged.chargeSucceeded])
  assert.deepEqual(await partnerOf(tagged.intent.id), [partner.id])
})

test('while Stripe does not list refunds individually, their sum counts, and never twice', async () => {
  const lead = await aLead()
  const payment = stripePayment({ email: lead.email, amount: 10_000 })
  const first = payment.refund(3000)
  const second = payment.refund(2000)
  await deliverAndBook([payment.checkoutCompleted])
  const standing = async () => {
    const [sale] = await salesOf(lead.id)
    const kept = sale.commissions.reduce((sum: number, { amount }: { amount: number }) => sum + amount, 0)
    return [sale.refundedAmount, kept]
  }
  for (const [event, refunded] of [
    [first.chargeRefunded, 3000],
    [second.chargeRefunded, 5000],
    [first.refundCreated, 5000],
    [first.chargeRefunded, 5000],
    [second.refundCreated, 5000],
    [second.becomes('failed').refundFailed!, 3000],
  ] as const) {
    await deliverAndBook([event])
    assert.deepEqual(await standing(), [refunded, 2500 - refunded / 4])
  }
  assert.deepEqual(await verifyLedger(db), [])
})

test('a key that lost permissions: complete payments are booked, others wait, and the owner is notified', async () => {
  const lead = await aLead()
  stripe.forbid('payment_intents', 'checkout/sessions', 'invoice_payments', 'refunds', 'customers', 'charges')
  const payment = stripePayment({ email: lead.email, amount: 10_000, tax: 1000 })
  await deliverAndBook([payment.checkoutCompleted, payment.refund(2500).chargeRefunded])
  const [sale] = await salesOf(lead.id)
  assert.deepEqual([sale.amount, sale.refundedAmount], [9000, 2500])
  const { items } = expectOk(await call('GET', `/accounts/${account.id}/payment-providers`)).body
  assert.equal(items[0].state, 'attention')

  const bare = stripePayment({ email: lead.email, amount: 777 })
  await deliverAll(connection, [bare.chargeSucceeded])
  for (let tries = 0; tries < 12; tries++) await workOff(app)
  assert.equal((await salesOf(lead.id)).length, 1)
  stripe.allow('payment_intents', 'checkout/sessions', 'invoice_payments', 'refunds', 'customers', 'charges')
  expectOk(await call('POST', `/accounts/${account.id}/payment-providers/${connection.id}/check`))
  await workOff(app)
  assert.equal((await salesOf(lead.id)).length, 2)
})

test('a new connection continues what an earlier one booked, and one ended by Stripe needs attention', async () => {
  const owner = await anAccount(app)
  const token = owner.token
  const path = `/accounts/${owner.id}/payment-providers`
  const former = await aConnection(app, owner, stripe)
  const payment = stripePayment({ amount: 10_000, email: anEmail(), store })
  await deliverAll(former, [payment.chargeSucceeded])
  await workOff(app)
  expectOk(await app.api('DELETE', `${path}/disconnect`, { token, body: { connectionId: former.id } }))
  const partnerHere = await aPartner(app, owner)
  const next = await aConnection(app, owner, stripe)
  const coded = { ...payment.session, client_reference_id: partnerHere.referralCode }
  await deliverAll(next, [stripeEvent('checkout.session.completed', coded), payment.refund(4000).refundCreated])
  await workOff(app)
  const { items } = expectOk(await app.api('GET', `/accounts/${owner.id}/sales`, { token })).body
  assert.deepEqual(
    items.map(({ partnerId, refundedAmount }: Record<string, unknown>) => [partnerId, refundedAmount]),
    [[partnerHere.id, 4000]],
  )

  await deliverAll(next, [stripeDeauthorized(stripe.account.id)])
  await workOff(app)
  const [connected] = expectOk(await app.api('GET', path, { token })).body.items
  assert.equal(connected.state, 'attention')
  assert.match(connected.stateReason, /ended at Stripe/)
})

test('currencies with other minor units at Stripe are converted to ours', async () => {
  const lead = await aLead()
  for (const [currency, amount, ours] of [
    ['isk', 500_000, 5000],
    ['jpy', 5000, 5000],
    ['kwd', 12_340, 12_340],
    ['huf', 100_160, 100_160],
    ['mga', 5000, 500_000],
    ['iqd', 1234, 12_340],
  ] as const) {
    const payment = stripePayment({ email: lead.email, amount, currency, store })
    await deliverAndBook([payment.checkoutCompleted])
    const sale = await db.one<{ amount: number; currency: string }>`
      select amount, currency from sales where external_id = ${payment.intent.id}`
    assert.deepEqual([sale.amount, sale.currency], [ours, currency])
  }
})

/** An invoice's event in the shape that names its payment intent. */
function stripeAsOlder(event: StripeEvent, intent: string): StripeEvent {
  return { ...event, data: { object: { ...event.data.object, payment_intent: intent } } }
}

test('a renewal whose charge is read before its invoice is listed counts for the recurring limit', async () => {
  const keep = (recurringMonths: number | null) => call('PATCH', `/accounts/${account.id}`, { recurringMonths })
  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000)
  expectOk(await keep(1))
  for (const places of [[0, 1], [1]]) {
    const lead = await aLead(undefined, daysAgo(100))
    const first = stripeInvoice({ email: lead.email, amount: 10_000, store, createdAt: daysAgo(90) })
    const bills = [first, first.renew({ createdAt: new Date() })]
    for (const [place, bill] of bills.entries()) {
      const links = [...store.values()].filter(
        ({ object, invoice }) => object === 'invoice_payment' && invoice === bill.invoice.id,
      )
      if (places.includes(place)) for (const { id } of links) store.delete(id)
      await deliverAndBook([bill.payments[0]!.chargeSucceeded])
      for (const link of links) store.set(link.id, link)
      await deliverAndBook([bill.invoicePaid])
    }
    const kept = await db.many`
      select s.past_limit, (select coalesce(sum(e.amount), 0)::int from commission_entries e where e.sale_id = s.id) as kept
      from sales s where lead_id = ${lead.id} order by sale_date`
    assert.deepEqual(kept, [
      { pastLimit: false, kept: 2500 },
      { pastLimit: true, kept: 0 },
    ])
  }
  assert.deepEqual(await verifyLedger(db), [])
  expectOk(await keep(null))
})

test('an invoice whose payments Stripe does not list yet waits for them, and is one sale with its charge', async () => {
  const lead = await aLead()
  const bill = stripeInvoice({ email: lead.email, amount: 11_900, tax: 1900, store })
  const links = [...store.values()].filter(
    ({ object, invoice }) => object === 'invoice_payment' && invoice === bill.invoice.id,
  )
  for (const { id } of links) store.delete(id)
  await deliverAndBook([bill.payments[0]!.chargeSucceeded])
  await deliverAll(connection, [bill.invoicePaid])
  await assert.rejects(workOff(app), /list the payments/)
  for (const link of links) store.set(link.id, link)
  await workOff(app)
  const sales = await salesOf(lead.id)
  assert.deepEqual(
    sales.map(({ amount, grossAmount }: Record<string, unknown>) => [amount, grossAmount]),
    [[10_000, 11_900]],
  )
})
