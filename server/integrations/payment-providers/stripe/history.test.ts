import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fakeStripe } from '../../../../test/fakes/stripe.ts'
import { stripeEvent, stripeInvoice, stripePayment, toSeconds } from '../../../../test/fakes/stripe-events.ts'
import { accessTo, readHistory } from '../../../../test/support/past-sales.ts'
import { stripe } from './adapter.ts'

const shop = await fakeStripe()
const now = new Date()
const access = accessTo(shop, now)
const before = (days: number) => new Date(now.getTime() - days * 86_400_000)

const historySince = (since: Date) => readHistory(stripe, { restrictedKey: shop.key }, access, since)

test('Stripe’s events since a given time are listed in full, each as delivered', async () => {
  const keep = <E extends { id: string }>(event: E, daysAgo: number): E => {
    const dated = { ...event, created: toSeconds(before(daysAgo)) }
    shop.store.set(event.id, dated as never)
    return dated
  }
  const charges = Array.from({ length: 120 }, () => stripePayment({ amount: 1000 }).chargeSucceeded!)
  const recentEvents = charges.map((event, index) => keep(event, index / 10))
  keep(stripePayment({ amount: 1000 }).chargeSucceeded!, 14)
  keep(stripeEvent('payout.paid', { id: 'po_1', object: 'payout' }), 1)

  const { found, pages } = await historySince(before(13))
  assert.deepEqual(pages, [100, 20])
  assert.deepEqual(found.map(({ id }) => id).sort(), recentEvents.map(({ id }) => id).sort())
  const [one] = recentEvents
  const listed = found.find(({ id }) => id === one!.id)!
  assert.deepEqual(
    [listed.type, listed.at.getTime() / 1000, listed.livemode, JSON.parse(listed.body).data],
    ['charge.succeeded', one!.created, false, one!.data],
  )
})

test('history older than Stripe’s events is read from the objects, each in its current state', async () => {
  shop.store.clear()
  const at = (days: number) => ({ store: shop.store, createdAt: before(days) })
  const recent = stripePayment({ amount: 1000, ...at(10) })
  const edge = stripePayment({ amount: 1100, ...at(24.9) })
  const old = stripePayment({ amount: 1200, ...at(200) })
  const refund = old.refund(300, { status: 'pending', createdAt: before(190) })
  const dispute = old.dispute(200, { createdAt: before(180) })
  const authorized = stripePayment({ amount: 1300, captured: false, ...at(150) })
  const drafted = stripeInvoice({ amount: 1400, ...at(220), draftedAt: before(255) })
  const unpaid = stripeInvoice({ amount: 1500, ...at(240), draftedAt: before(250) })
  stripePayment({ amount: 1600, ...at(300) })

  const { found } = await historySince(before(230))
  const older = found.filter(({ id }) => !id.startsWith('evt_'))
  const toldOf = (type: string) =>
    older.filter((event) => event.type === type).map(({ body }) => JSON.parse(body).data.object.id as string)
  assert.deepEqual(toldOf('checkout.session.completed').sort(), [old.session.id, authorized.session.id].sort())
  assert.deepEqual(toldOf('charge.succeeded'), [old.charge.id, drafted.payments[0]!.charge.id])
  assert.deepEqual(toldOf('invoice.paid'), [drafted.invoice.id])
  assert.ok(older.every(({ livemode }) => livemode === null))
  assert.notEqual(unpaid.invoice.id, drafted.invoice.id)
  const state = (type: string) => JSON.parse(older.find((event) => event.type === type)!.body).data.object.status
  assert.equal(state('refund.updated'), 'pending')
  assert.equal(typeof state('charge.dispute.updated'), 'string')
  assert.equal(new Set(found.map(({ id }) => id)).size, found.length)
  const eventIds = found.filter(({ id }) => id.startsWith('evt_')).map(({ id }) => id)
  for (const { chargeSucceeded } of [recent, edge]) assert.ok(eventIds.includes(chargeSucceeded.id))
  assert.ok(!eventIds.includes(old.chargeSucceeded.id))

  // the same state is the same event, another one is another
  const ids = async () => new Set((await historySince(before(230))).found.map(({ id }) => id))
  assert.deepEqual(await ids(), new Set(found.map(({ id }) => id)))
  refund.becomes('failed')
  assert.equal((await ids()).has(`refunds ${refund.refund.id} failed`), true)
  assert.equal(dispute.dispute.object, 'dispute')
})

test('a long history arrives list by list, in pages', async () => {
  shop.store.clear()
  for (let n = 0; n < 130; n++) stripePayment({ amount: 100, store: shop.store, createdAt: before(60 + n) })
  const { found, pages } = await historySince(before(365))
  // events, sessions, invoices, charges, refunds, credit notes, disputes
  assert.deepEqual(pages, [0, 100, 30, 0, 100, 30, 0, 0, 0])
  assert.equal(found.length, 260)
})

test('a key that may not read credit notes lists none', async () => {
  shop.store.clear()
  stripeInvoice({ amount: 1000, store: shop.store, createdAt: before(60) }).creditNote(100, { at: before(50) })
  const notes = async () =>
    (await historySince(before(365))).found.filter(({ type }) => type === 'credit_note.updated').length
  assert.equal(await notes(), 1)
  shop.forbid('credit_notes')
  assert.equal(await notes(), 0)
  shop.calm()
})
