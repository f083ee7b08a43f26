import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anAccount, anEmail, aPartner, expectOk, startApp } from '../../../test/support/app.ts'
import { aGenericConnection, genericEvent, genericPayment, sendCustomEvent } from '../../../test/support/generic.ts'
import { workOff } from '../../../test/support/payment-providers.ts'
import { asDatabaseOwner } from '../../../test/support/postgres.ts'
import { verifyLedger } from '../../program/stats/verify.ts'
import { verifyPayments } from './verify-payments.ts'

// A provider's report of a payment, its refunds and disputes stays until changed, in whichever order reports come.

const app = await startApp()
const { db } = app.services
const account = await anAccount(app, { defaultCommissionSettings: { layerRates: [20] } })
const partner = await aPartner(app, account)
const connection = await aGenericConnection(app, account)
const { webhookUrl } = connection

type Event = ReturnType<typeof genericEvent>

/** Sends events one by one, and returns the resulting payment. */
async function after(paymentId: string, events: Event[]) {
  for (const event of events) {
    expectOk(await sendCustomEvent(webhookUrl, event))
    await workOff(app)
  }
  const rows = await db.many`
    select gross_amount as gross, refunded_amount as refunded, status,
      (select coalesce(sum(amount), 0)::int from commission_entries e where e.sale_id = s.id) as kept
    from sales s where account_id = ${account.id} and external_id = ${paymentId}`
  assert.deepEqual((await verifyPayments(db)).differences, [])
  assert.deepEqual(await verifyLedger(db), [])
  return rows
}

const at = (minutes: number) => new Date(Date.now() + minutes * 60_000)
const eventAt = (type: string, facts: object, minutes: number) => genericEvent(type, { ...facts }, at(minutes))

/** Every order of these events. */
function* ordersOf<T>(events: T[]): Generator<T[]> {
  if (events.length === 0) yield []
  for (const [place, event] of events.entries())
    for (const rest of ordersOf(events.toSpliced(place, 1))) yield [event, ...rest]
}

const aPayment = () => genericPayment({ email: anEmail(), referralCode: partner.referralCode })

test('a payment corrected to zero earns nothing, and earns again once corrected back', async () => {
  for (const order of ordersOf([0, 1])) {
    const payment = aPayment()
    const events = [payment.paid, payment.corrected({ amount: 0 })]
    const rows = await after(
      payment.id,
      order.map((place) => events[place]!),
    )
    // a payment that was always zero is not a sale
    assert.deepEqual(rows, order[0] === 0 ? [{ gross: 0, refunded: 0, status: 'completed', kept: 0 }] : [])
    const again = { ...payment.corrected({ amount: 5000 }), at: at(2).toISOString() }
    const [sale] = await after(payment.id, [again])
    assert.deepEqual(sale, { gross: 5000, refunded: 0, status: 'completed', kept: 1000 })
  }
})

test('lines and a country that are reported later are the sale’s, and a refund names lines, in every order', async () => {
  for (const order of ordersOf([0, 1, 2])) {
    const payment = aPayment()
    const lines = [
      { id: 'pro', productId: 'prod_pro', amount: 7000 },
      { id: 'add', productId: 'prod_add', amount: 3000 },
    ]
    const facts = { id: `refund of ${payment.id}`, paymentId: payment.id, amount: 2000 }
    const events = [
      payment.paid,
      payment.corrected({ lines, country: 'de' }),
      eventAt('refund', { ...facts, lines: [{ id: 'add', amount: 1500 }] }, 1),
    ]
    const [sale] = await after(
      payment.id,
      order.map((place) => events[place]!),
    )
    assert.deepEqual(sale, { gross: 10_000, refunded: 2000, status: 'partially-refunded', kept: 1600 })
    const stored = await db.one`
      select s.country, s.lines -> 1 ->> 'productId' as product, r.lines
      from sales s join refunds r on r.sale_id = s.id
      where s.account_id = ${account.id} and s.external_id = ${payment.id}`
    assert.deepEqual(stored, { country: 'DE', product: 'prod_add', lines: [{ id: 'add', amount: 1500 }] }, order.join())
  }
})

for (const [from, to] of [
  [1000, 10_000],
  [10_000, 1000],
])
  test(`a refund of ${from} that turns out to be ${to} is ${to}`, async () => {
    for (const order of ordersOf([0, 1, 2])) {
      const payment = aPayment()
      const facts = { id: `refund of ${payment.id}`, paymentId: payment.id }
      const events = [
        payment.paid,
        eventAt('refund', { ...facts, amount: from }, 0),
        eventAt('refund', { ...facts, amount: to }, 1),
      ]
      const [sale] = await after(
        payment.id,
        order.map((place) => events[place]!),
      )
      const status = to === 10_000 ? 'refunded' : 'partially-refunded'
      assert.deepEqual(sale, { gross: 10_000, refunded: to, status, kept: 2000 - to! / 5 }, order.join())
      const [failed] = await after(payment.id, [eventAt('refund', { ...facts, amount: to, status: 'failed' }, 2)])
      assert.deepEqual(failed, { gross: 10_000, refunded: 0, status: 'completed', kept: 2000 })
    }
  })

test('a lost dispute takes the amount lost, whatever amount it was opened for', async () => {
  for (const order of ordersOf([0, 1, 2])) {
    const payment = aPayment()
    const facts = { id: `dispute of ${payment.id}`, paymentId: payment.id }
    const events = [
      payment.paid,
      eventAt('dispute', { ...facts, amount: 10_000 }, 0),
      eventAt('dispute', { ...facts, amount: 4000, status: 'lost' }, 1),
    ]
    const [sale] = await after(
      payment.id,
      order.map((place) => events[place]!),
    )
    assert.deepEqual(sale, { gross: 10_000, refunded: 4000, status: 'charged-back', kept: 1200 }, order.join())
    const [mended] = await after(payment.id, [eventAt('dispute', { ...facts, amount: 5000, status: 'lost' }, 2)])
    assert.deepEqual(mended, { gross: 10_000, refunded: 5000, status: 'charged-back', kept: 1000 })
    const [won] = await after(payment.id, [eventAt('dispute', { ...facts, amount: 4000, status: 'won' }, 3)])
    assert.deepEqual(won, { gross: 10_000, refunded: 0, status: 'completed', kept: 2000 })
  }
})

test('a refund corrected twice alongside another one has the last amount reported', async () => {
  const payment = aPayment()
  const first = { id: `first of ${payment.id}`, paymentId: payment.id }
  const second = { id: `second of ${payment.id}`, paymentId: payment.id }
  const [sale] = await after(payment.id, [
    payment.paid,
    eventAt('refund', { ...first, amount: 3333 }, 0),
    eventAt('refund', { ...second, amount: 2222 }, 0),
    eventAt('refund', { ...first, amount: 9999 }, 1),
    eventAt('refund', { ...first, amount: 1111 }, 2),
  ])
  assert.deepEqual(sale, { gross: 10_000, refunded: 3333, status: 'partially-refunded', kept: 1333 })
})

test('a dispute in a currency without a rate holds its sale until the rate is available', async () => {
  const payment = aPayment()
  const facts = { id: `dispute of ${payment.id}`, paymentId: payment.id, currency: 'jpy' }
  const [held] = await after(payment.id, [payment.paid, eventAt('dispute', { ...facts, amount: 5000 }, 0)])
  assert.deepEqual(held, { gross: 10_000, refunded: 0, status: 'disputed', kept: 2000 })
  const [won] = await after(payment.id, [eventAt('dispute', { ...facts, amount: 5000, status: 'won' }, 1)])
  assert.deepEqual(won, { gross: 10_000, refunded: 0, status: 'completed', kept: 2000 })
})

test('an event with an impossible date is refused by name', async () => {
  for (const day of [
    '0001-01-01',
    '1850-06-01',
    '1969-12-31',
    at(3 * 24 * 60)
      .toISOString()
      .slice(0, 10),
  ]) {
    const event = genericEvent('payment', { id: `of ${day}`, amount: 100, currency: 'usd' })
    const reply = await sendCustomEvent(webhookUrl, { ...event, at: `${day}T00:00:00Z` })
    assert.equal(reply.status, 400, day)
    assert.match(reply.body.error.message, /at: Enter a moment from 1970 to tomorrow/)
  }
})

test('a failing event is shown on its sale until it is processed', async () => {
  const { token } = account
  const payment = aPayment()
  await after(payment.id, [payment.paid])
  const sale = await db.one<{ id: string; leadId: string; entryId: string }>`
    select s.id, s.lead_id, e.id as entry_id from sales s join commission_entries e on e.sale_id = s.id
    where s.account_id = ${account.id} and s.external_id = ${payment.id}`
  const shown = async () => {
    const { openEvents } = expectOk(await app.api('GET', `/commissions/${sale.entryId}`, { token })).body
    const { items } = expectOk(await app.api('GET', `/leads/${sale.leadId}/events`, { token })).body
    const lines = items.filter(({ type }: { type: string }) => type === 'event')
    return { openEvents, lines }
  }
  assert.deepEqual(await shown(), { openEvents: [], lines: [] })

  const planted = asDatabaseOwner(db)
  await planted.run`alter table refunds add constraint planted check (amount <> 4321)`
  const refund = payment.refund(4321)
  expectOk(await sendCustomEvent(webhookUrl, refund.told))
  await assert.rejects(workOff(app))
  const { openEvents, lines } = await shown()
  const [{ id, reason, ...event }] = openEvents
  assert.match(reason, /^This failed unexpectedly/)
  assert.deepEqual(event, {
    ...{ connectionId: connection.id, provider: 'generic', type: 'refund', state: 'failed', at: refund.told.at },
  })
  assert.match(lines[0].text, /^Couldn’t be processed: refund: This failed unexpectedly/)
  assert.equal(lines[0].link, `/integrations/payment-providers/${connection.id}/events?delivery=${id}`)
  const { items } = expectOk(
    await app.api('GET', `/accounts/${account.id}/payment-providers/${connection.id}/events?state=failed`, { token }),
  ).body
  assert.deepEqual([items[0].id, items[0].saleId], [id, sale.id])

  await planted.run`alter table refunds drop constraint planted`
  expectOk(
    await app.api('POST', `/accounts/${account.id}/payment-providers/${connection.id}/events/${id}/retries`, { token }),
  )
  await workOff(app)
  assert.deepEqual(await shown(), { openEvents: [], lines: [] })
})

test('a final outcome and its amount stay as first reported, whatever is reported later', async () => {
  for (const [kind, over, later] of [
    ['dispute', 'won', 'lost'],
    ['refund', 'failed', 'succeeded'],
    ['refund', 'canceled', 'pending'],
  ] as const) {
    const payment = aPayment()
    const facts = { id: 'thing-1', paymentId: payment.id }
    const [sale] = await after(payment.id, [
      payment.paid,
      eventAt(kind, { ...facts, amount: 4000, status: over }, 1),
      eventAt(kind, { ...facts, amount: 3000, status: later }, 2),
      eventAt(kind, { ...facts, amount: 2000, status: over }, 3),
    ])
    assert.deepEqual(sale, { gross: 10_000, refunded: 0, status: 'completed', kept: 2000 }, kind)
  }
})

test('a correction that names another subscription moves the payment there; one that names none leaves it', async () => {
  const { body } = expectOk(
    await app.api('PATCH', `/accounts/${account.id}`, { token: account.token, body: { recurringMonths: 1 } }),
  )
  assert.equal(body.recurringMonths, 1)
  const [one, two] = [anEmail(), anEmail()]
  const of = { email: anEmail(), referralCode: partner.referralCode, amount: 100_00, currency: 'usd' }
  const pay = (id: string, days: number, facts: object, corrected = 0) =>
    eventAt('payment', { ...of, id, ...facts }, (corrected - days) * 24 * 60)
  const [first, renewal] = [genericPayment().id, genericPayment().id]
  await after(first, [pay(first, 90, { subscriptionId: one })])
  const kept = async (events: Event[]) => (await after(renewal, events)).map((sale) => sale.kept)
  assert.deepEqual(await kept([pay(renewal, 1, { subscriptionId: one })]), [0], 'past the limit')
  assert.deepEqual(await kept([pay(renewal, 1, { subscriptionId: two }, 0.1)]), [2000], 'the first of another')
  assert.deepEqual(await kept([pay(renewal, 1, {}, 0.2)]), [2000])
  assert.deepEqual(await kept([pay(renewal, 1, { subscriptionId: one }, 0.3)]), [0])
})
