import assert from 'node:assert/strict'
import { test } from 'node:test'
import { standInSquare } from '../../../../test/fakes/square.ts'
import {
  deliverSquare,
  type SquareEvent,
  type SquarePaymentFacts,
  squarePayment,
} from '../../../../test/fakes/square-events.ts'
import { anEmail, expectOk } from '../../../../test/support/app.ts'
import { aBlueprint, aClick } from '../../../../test/support/leads.ts'
import { createConnectionCalls, startWithProvider, workOff } from '../../../../test/support/payment-providers.ts'
import { aShop } from '../../../../test/support/provider-stories.ts'
import { reconcileConnection } from '../reconcile.ts'

// Sales from a seller's events: signed, delivered, processed, on a real database.

const seller = await standInSquare()
const app = await startWithProvider('square', seller)
const { db } = app.services
const SIGNATURE_KEY = 'signs-all-that-is-told'
const credentials = () => ({ ...seller.credentials, signatureKey: SIGNATURE_KEY })
const { account, partner, deliver, aLead, deliverAndBook, fromFile, inEveryOrder, connection } =
  await aShop<SquareEvent>(
    app,
    async (owner) => expectOk(await createConnectionCalls(app, owner, 'square').connect(credentials())).body,
    (url, event) => deliverSquare(url, event, SIGNATURE_KEY),
  )
const { change, check, list } = createConnectionCalls(app, account, 'square')

const aPayment = (facts: SquarePaymentFacts) => squarePayment({ store: seller.store, ...facts })
const saleOf = ({ id }: { id: string }) => db.maybe<Record<string, unknown>>`
  select amount as net, tax_amount as tax, gross_amount as gross, refunded_amount as refunded, status, currency,
    matched_by as by, partner_id is not null as credited, subscription_id as subscription
  from sales where external_id = ${id}`
const amountsOf = async (payment: { id: string }) => {
  const sale = await saleOf(payment)
  return sale && [sale.net, sale.tax, sale.gross]
}

test('a card payment with tax, shipping and a tip is one sale net of all three, in every order of events', async () => {
  await inEveryOrder(
    (email) => {
      const payment = aPayment({ email, goods: 10_000, tax: 2000, shipping: 900, tip: 1500 })
      return [payment.created, payment.completed(), payment.feeTold()]
    },
    ([sale, ...others]) => {
      assert.deepEqual(others, [])
      assert.deepEqual([sale?.amount, sale?.taxAmount, sale?.grossAmount], [10_000, 2000, 14_400])
      assert.deepEqual([sale?.refundedAmount, sale?.partnerId], [0, partner.id])
    },
    8,
  )
})

test('a refund of a payment that only a file has reaches its sale', async () => {
  const payment = aPayment({ goods: 10_000 })
  const { created, becomes } = payment.refund(4000)
  await fromFile({ externalId: payment.id }, [created, ...becomes('COMPLETED')], {
    refunded: 4000,
    status: 'partially-refunded',
  })
})

test('a subscription begins with a free month and is renewed by invoices to the same customer', async () => {
  await inEveryOrder(
    (email) => {
      const customer = `CUST${email}`
      const how = { email, customer, profile: true, tax: 490, invoice: { subscription: `sub-${email}` } }
      const renewals = [4900, 5000, 5900].map((goods) => aPayment({ ...how, goods }))
      const first = renewals[0]!
      const refund = first.refund(5390)
      const trial = aPayment({ ...how, goods: 0, tax: 0 })
      return [
        trial.completed(),
        ...renewals.flatMap((payment) => [payment.created, payment.completed()]),
        ...[refund.created, ...refund.becomes('COMPLETED')],
      ]
    },
    (sales) =>
      assert.deepEqual(
        sales.map(({ amount, refundedAmount }) => [amount, refundedAmount]),
        [
          [4900, 5390],
          [5000, 0],
          [5900, 0],
        ],
      ),
    8,
  )
  const { none } = await db.one`select count(*) as none from sales where amount = 5900 and subscription_id is null`
  assert.equal(none, 0)
})

test('partial refunds, then of everything, including tip and tax', async () => {
  await inEveryOrder(
    (email) => {
      const payment = aPayment({ email, goods: 10_000, tax: 1000, tip: 1000 })
      const completed = payment.completed()
      const part = payment.refund(2500)
      const rest = payment.refund(9500)
      return [
        ...[completed, part.created, ...part.becomes('COMPLETED')],
        ...[rest.created, ...rest.becomes('COMPLETED')],
      ]
    },
    ([sale]) => assert.deepEqual([sale?.refundedAmount, sale?.status], [12_000, 'refunded']),
    8,
  )
})

for (const end of ['FAILED', 'REJECTED'] as const)
  test(`a refund that ends as ${end} after it was completed restores the commission`, async () => {
    await inEveryOrder(
      (email) => {
        const payment = aPayment({ email, goods: 10_000 })
        const completed = payment.completed()
        const refund = payment.refund(4000)
        return [completed, refund.created, ...refund.becomes('COMPLETED'), ...refund.becomes(end)]
      },
      ([sale]) => assert.deepEqual([sale?.refundedAmount, sale?.status], [0, 'completed']),
      8,
    )
  })

for (const [end, status, refundedAmount] of [
  ['WON', 'partially-refunded', 3000],
  ['LOST', 'charged-back', 10_000],
  ['ACCEPTED', 'charged-back', 10_000],
] as const)
  test(`a dispute that is ${end} after a partial refund`, async () => {
    await inEveryOrder(
      (email) => {
        const payment = aPayment({ email, goods: 10_000 })
        const completed = payment.completed()
        const refund = payment.refund(3000, { status: 'COMPLETED' })
        const dispute = payment.dispute(7000, { state: 'INQUIRY_EVIDENCE_REQUIRED' })
        return [
          ...[completed, refund.created, dispute.created],
          ...[...dispute.becomes('PROCESSING'), ...dispute.becomes(end)],
        ]
      },
      ([sale]) => assert.deepEqual([sale?.status, sale?.refundedAmount], [status, refundedAmount]),
      6,
    )
  })

test('a refund counts once completed; an inquiry does not hold the commission, an open dispute does', async () => {
  const { email } = await aLead()
  const payment = aPayment({ email, goods: 10_000 })
  const refund = payment.refund(3000)
  const dispute = payment.dispute(7000, { state: 'INQUIRY_PROCESSING' })
  await deliverAndBook([payment.completed(), refund.created, dispute.created])
  assert.deepEqual([(await saleOf(payment))?.status, (await saleOf(payment))?.refunded], ['completed', 0])
  await deliverAndBook([...refund.becomes('COMPLETED'), ...dispute.becomes('EVIDENCE_REQUIRED')])
  assert.deepEqual([(await saleOf(payment))?.status, (await saleOf(payment))?.refunded], ['disputed', 3000])
})

test('an order that is paid in two payments is two sales that share its tax', async () => {
  const { email } = await aLead()
  const first = aPayment({ email, goods: 10_000, tax: 2000, pays: 9000 })
  const second = aPayment({ email, goods: 10_000, tax: 2000, pays: 3000, order: first.order! })
  await deliverAndBook([second.completed(), first.completed()])
  assert.deepEqual(await amountsOf(first), [7500, 1500, 9000])
  assert.deepEqual(await amountsOf(second), [2500, 500, 3000])
})

test('without an order there is no tax; amounts are in the minor units of their currency', async () => {
  const { email } = await aLead()
  for (const [facts, amounts] of [
    [{ goods: 10_000, tax: 2000, withOrder: false }, [12_000, 0, 12_000]],
    [{ goods: 5000, tax: 500, currency: 'jpy' }, [5000, 500, 5500]],
    [{ goods: 1 }, [1, 0, 1]],
  ] as const) {
    const payment = aPayment({ email, ...facts })
    await deliverAndBook([payment.completed()])
    assert.deepEqual(await amountsOf(payment), amounts)
  }
})

test('a payment’s partner comes from its reference, its order, the customer’s profile or the e-mail', async () => {
  const blueprintId = await aBlueprint(db, account.id)
  const click = await aClick(db, account.id, { partnerId: partner.id, blueprintId })
  const [lead, profiled] = [await aLead(), await aLead()]
  for (const [by, facts] of [
    ['click', { reference: click }],
    ['lead-id', { reference: lead.id }],
    ['code', { reference: partner.referralCode, customer: 'CUST1' }],
    ['customer', { customer: 'CUST1' }],
    ['code', { orderReference: partner.referralCode }],
    ['code', { metadata: { referral_code: partner.referralCode, gift: 'yes\nplease 🎁' } }],
    ['email', { email: lead.email }],
    ['email', { email: profiled.email, profile: true, customer: 'CUST2' }],
    [null, { email: anEmail('nobody'), reference: 'nobodys' }],
    [null, {}],
  ] as const) {
    const payment = aPayment({ goods: 1000, ...facts })
    await deliverAndBook([payment.completed()])
    const sale = await saleOf(payment)
    assert.deepEqual([sale?.by, sale?.credited], [by, by !== null], JSON.stringify(facts))
  }
})

test('an invoice without a subscription is read, and an in-person payment requests none', async () => {
  const { email } = await aLead()
  const billed = aPayment({
    email,
    customer: 'CUST3',
    goods: 1000,
    invoice: { subscription: null },
    product: 'INVOICES',
  })
  await deliverAndBook([billed.completed()])
  assert.equal((await saleOf(billed))?.subscription, null)
  const callsBefore = seller.callsTo('POST /v2/invoices/search').length
  const counted = aPayment({ email, customer: 'CUST3', goods: 1000, product: 'SQUARE_POS' })
  await deliverAndBook([counted.completed()])
  assert.equal(seller.callsTo('POST /v2/invoices/search').length, callsBefore)
})

test('a payment that is incomplete, worth nothing or only named by later events is not a sale', async () => {
  const { email } = await aLead()
  const [authorised, canceled, free] = [1000, 1000, 0].map((goods) => aPayment({ email, goods }))
  const old = aPayment({ email, goods: 1000, createdAt: new Date(Date.now() - 90 * 86_400_000) })
  const before = aPayment({ email, goods: 1000 })
  before.completed()
  const refund = before.refund(500)
  old.completed()
  const fee = { ...old.feeTold(), created_at: new Date().toISOString() }
  const odd = { ...aPayment({ email, goods: 1000 }).completed(), data: { object: { payment: ['nothing'] } } }
  await deliverAndBook([
    ...[authorised!.created, canceled!.created, canceled!.canceled(), free!.completed()],
    ...[refund.created, ...refund.becomes('COMPLETED'), before.dispute().created, fee, odd],
  ])
  for (const payment of [authorised!, canceled!, free!, old, before]) assert.equal(await saleOf(payment), undefined)
  await deliverAndBook([authorised!.completed()])
  assert.ok(await saleOf(authorised!))
})

test('nothing is booked before its order was read: Square down, the token refused, an order that is gone', async () => {
  const { email } = await aLead()
  const payment = aPayment({ email, goods: 10_000, tax: 2000 })
  await deliver([payment.completed()])
  for (const failure of [{ status: 429, retryAfter: 1 }, { status: 500 }, 'garbage', 'reset-after'] as const) {
    seller.fail('GET /v2/orders/*', failure)
    await assert.rejects(workOff(app), { kind: 'unavailable' })
  }
  const rolled = seller.rollToken()
  await workOff(app)
  assert.equal(await saleOf(payment), undefined)
  const [waiting] = await list()
  assert.match(waiting.stateReason, /no longer accepts the key: This request could not be authorized/)
  expectOk(await change(connection().id, { credentials: { accessToken: rolled } }))
  await workOff(app)
  assert.deepEqual(await amountsOf(payment), [10_000, 2000, 12_000])
  assert.equal(expectOk(await check(connection().id)).body.state, 'connected')

  const gone = aPayment({ email, goods: 1000 })
  seller.store.orders.delete(gone.order!)
  await deliverAndBook([gone.completed()])
  assert.deepEqual(await amountsOf(gone), [1000, 0, 1000])
})

test('the order, the profile and the invoice of a payment are requested once', async () => {
  const { email } = await aLead()
  const payment = aPayment({ email, customer: 'CUST9', goods: 1000 })
  const before = seller.calls.length
  await deliverAndBook([payment.created])
  assert.equal(seller.calls.length, before)
  await deliverAndBook([payment.completed(), payment.feeTold()])
  await deliverAndBook([payment.feeTold()])
  assert.equal(seller.calls.length, before + 3)
})

test('a customer’s payment by the card of the partner’s own purchase is on hold', async () => {
  const card = 'sq-1-fingerprint'
  const heldFor = ({ id }: { id: string }) =>
    db.maybe`select hold_reason as reason from sales where external_id = ${id}`
  const own = aPayment({ email: partner.email, goods: 1000, card })
  await deliverAndBook([own.completed()])
  const [paid, other] = [
    aPayment({ email: (await aLead()).email, goods: 1000, card }),
    aPayment({ email: (await aLead()).email, goods: 1000, card: 'sq-1-other' }),
  ]
  await deliverAndBook([paid.created, paid.completed(), other.completed()])
  assert.deepEqual(await heldFor(paid), { reason: 'The partner has paid with this card too.' })
  assert.deepEqual(await heldFor(other), { reason: null })
})

test('the nightly check finds a bank payment that was completed days after it was made', async () => {
  const now = app.clock.now().getTime()
  const daysAgo = (days: number) => new Date(now - days * 86_400_000)
  const { id } = connection()
  await db.run`
    update provider_connections set created_at = ${daysAgo(20)}, reconciled_at = ${daysAgo(1)} where id = ${id}`
  // its event did not arrive; the other was made before the connection
  const [late, before] = [6, 25].map((days) => aPayment({ goods: 1000, createdAt: daysAgo(days) }))
  for (const { payment } of [late!, before!]) {
    delete payment.card_details
    Object.assign(payment, { source_type: 'BANK_ACCOUNT', status: 'COMPLETED', updated_at: daysAgo(1).toISOString() })
  }
  await reconcileConnection(app.services, { connectionId: id })
  assert.deepEqual(await amountsOf(late!), [1000, 0, 1000])
  assert.equal(await saleOf(before!), undefined)
})
