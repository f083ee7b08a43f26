import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Import } from '#contract/imports.ts'
import { stripeId, stripeInvoice, stripePayment } from '../../../test/fakes/stripe-events.ts'
import { anAccount, anEmail, aPartner, expectOk } from '../../../test/support/app.ts'
import { aGenericConnection, genericEvent, sendCustomEvent } from '../../../test/support/generic.ts'
import { aConnection, deliverAll, startWithStripe, workOff } from '../../../test/support/payment-providers.ts'
import { verifyLedger } from '../../program/stats/verify.ts'
import { processImport } from '../imports/run-import.ts'
import { verifyPayments } from './verify-payments.ts'

// A payment reported by several sources under one id is one sale, whichever comes first.

const { app, stripe } = await startWithStripe({}, { key: 'rk_live_AcrossWays0000001' })
const { db } = app.services
const { store } = stripe

async function aShop(settings: Record<string, unknown> = {}) {
  const account = await anAccount(app, { defaultCommissionSettings: { layerRates: [20] }, ...settings })
  const { token } = account
  const partner = await aPartner(app, account, { referralCode: 'jane' })
  const { apiKey } = expectOk(await app.api('PUT', `/accounts/${account.id}/api-key`, { token })).body
  const call = (method: string, path: string, body?: unknown) => app.api(method, path, { token, body })
  const push = (path: string, body: object) => app.api('POST', `/push/${path}`, { token: apiKey, body })
  const settled = async (id: string): Promise<Import> => {
    for (;;) {
      await processImport(app.services, { importId: id })
      const done: Import = expectOk(await call('GET', `/imports/${id}`)).body
      if (!['waiting', 'running'].includes(done.state)) return done
    }
  }
  return {
    account,
    partner,
    call,
    push,
    settled,
    async file(rows: string[], columns = 'External ID,Email,Referral Code,Amount,Date') {
      const csv = [columns, ...rows].join('\n')
      const body = { kind: 'sales', csv, dryRun: false }
      return settled(expectOk(await call('POST', `/accounts/${account.id}/imports`, body)).body.id)
    },
    async typed(externalId: string, amount: number) {
      const lead = { email: anEmail(), partnerId: partner.id }
      const { id } = expectOk(await call('POST', `/accounts/${account.id}/leads`, lead)).body
      return call('POST', `/leads/${id}/sales`, { externalId, amount })
    },
    /** Returns the sales, and the partner's earnings. */
    async holds() {
      assert.deepEqual(await verifyLedger(db), [])
      assert.deepEqual((await verifyPayments(db)).differences, [])
      const sales = await db.many<{ sold: string }>`
        select concat_ws(' ', provider, external_id, gross_amount, status) as sold from sales
        where account_id = ${account.id} and status <> 'void' order by created_at, id`
      const { earned } = await db.one<{ earned: number }>`
        select coalesce(sum(amount), 0)::int as earned from commission_entries where account_id = ${account.id}`
      return [...sales.map(({ sold }) => sold), earned]
    },
  }
}

for (const way of ['payment', 'charge', 'invoice'] as const)
  test(`an imported sale under the ID of a provider's ${way} is that payment, and its refund reaches it`, async () => {
    const shop = await aShop()
    const connection = await aConnection(app, shop.account, stripe)
    const email = anEmail()
    const bill = stripeInvoice({ email, amount: 100_00, store, livemode: true })
    const [paid] = bill.payments
    const id = { payment: paid!.intent.id, charge: paid!.charge.id, invoice: bill.invoice.id }[way]
    await shop.file([`${id},${email},jane,100.00,2026-01-05`])
    await deliverAll(connection, [paid!.chargeSucceeded, bill.invoicePaid, paid!.invoicePaymentPaid])
    await workOff(app)
    assert.deepEqual(await shop.holds(), [`import ${id} 10000 completed`, 2000])
    await deliverAll(connection, [paid!.refund(100_00).refundCreated])
    await workOff(app)
    assert.deepEqual(await shop.holds(), [`import ${id} 10000 refunded`, 0])
    // a file does not undo the provider's facts
    const again = await shop.file([`${id},${email},jane,100.00,2026-01-05`])
    assert.deepEqual([again.created, again.skipped], [0, 1])
  })

for (const way of ['payment', 'charge', 'invoice'] as const)
  test(`a refund of a payment that Stripe never reported reaches its sale from a file under the ${way}'s ID`, async () => {
    for (const event of ['refundCreated', 'chargeRefunded'] as const) {
      const shop = await aShop()
      const connection = await aConnection(app, shop.account, stripe)
      const email = anEmail()
      const bill = stripeInvoice({ email, amount: 100_00, store, livemode: true })
      const [paid] = bill.payments
      const id = { payment: paid!.intent.id, charge: paid!.charge.id, invoice: bill.invoice.id }[way]
      await shop.file([`${id},${email},jane,100.00,2026-01-05`])
      await deliverAll(connection, [paid!.refund(40_00)[event]])
      await workOff(app)
      assert.deepEqual(await shop.holds(), [`import ${id} 10000 partially-refunded`, 1200], event)
      const dispute = paid!.dispute(60_00)
      await deliverAll(connection, [dispute.created, dispute.closed('lost')])
      await workOff(app)
      assert.deepEqual(await shop.holds(), [`import ${id} 10000 charged-back`, 0], event)
      // the payment itself, reported only now
      await deliverAll(connection, [paid!.chargeSucceeded, bill.invoicePaid])
      await workOff(app)
      assert.deepEqual(await shop.holds(), [`import ${id} 10000 charged-back`, 0], event)
    }
  })

test('a refund of an order number that was never reported reaches a sale from a file if no other shop counts', async () => {
  const shop = await aShop()
  const own = await aGenericConnection(app, shop.account)
  await shop.file(['1001,a@c.example,jane,50.00,2026-01-05', '1002,b@c.example,jane,50.00,2026-01-05'])
  const refund = (paymentId: string) => genericEvent('refund', { id: `r-${paymentId}`, paymentId, amount: 50_00 })
  expectOk(await sendCustomEvent(own.webhookUrl, refund('1001')))
  await workOff(app)
  const sold = ['import 1001 5000 refunded', 'import 1002 5000 completed', 1000]
  assert.deepEqual(await shop.holds(), sold)
  await aGenericConnection(app, shop.account, 'Another shop')
  expectOk(await sendCustomEvent(own.webhookUrl, refund('1002')))
  await workOff(app)
  assert.deepEqual(await shop.holds(), sold)
})

for (const way of ['payment', 'charge'] as const)
  test(`a payment from a provider is skipped in a file, by hand and by push, under its ${way}'s ID`, async () => {
    const shop = await aShop()
    const connection = await aConnection(app, shop.account, stripe)
    const email = anEmail()
    const payment = stripePayment({ email, amount: 100_00, reference: 'jane', store, livemode: true })
    await deliverAll(connection, [payment.checkoutCompleted, payment.chargeSucceeded])
    await workOff(app)
    const id = { payment: payment.intent.id, charge: payment.charge.id }[way]
    const before = await shop.holds()
    const imported = await shop.file([`${id},${email},jane,100.00,2026-01-05`])
    assert.deepEqual([imported.created, imported.skipped], [0, 1])
    const typed = await shop.typed(id, 100_00)
    assert.deepEqual([typed.status, typed.body.error.code], [409, 'duplicate'])
    const { id: saleId } = expectOk(await shop.call('GET', `/accounts/${shop.account.id}/sales`)).body.items[0]
    assert.equal(typed.body.error.details.saleId, saleId)
    const pushed = await shop.push('sales', { externalId: id, amount: 100_00, email, referralCode: 'jane' })
    assert.deepEqual([pushed.status, pushed.body.id], [200, saleId])
    assert.deepEqual(await shop.holds(), before)
  })

test('an order number is one sale if one of its sources does not name the payer', async () => {
  const shop = await aShop()
  const connection = await aGenericConnection(app, shop.account)
  expectOk(await shop.push('leads', { externalId: 'u-1', email: 'a@c.example', referralCode: 'jane' }))
  expectOk(await shop.push('sales', { externalId: '1001', leadExternalId: 'u-1', amount: 50_00 }))
  const payment = { id: '1001', amount: 50_00, currency: 'usd', email: 'a@c.example' }
  expectOk(await sendCustomEvent(connection.webhookUrl, genericEvent('payment', payment)))
  await workOff(app)
  assert.equal((await shop.typed('1001', 50_00)).status, 409)
  assert.deepEqual(await shop.holds(), ['api 1001 5000 completed', 1000])
})

test('a payment by e-mail is its customer’s before an open lead’s, whichever way it comes', async () => {
  const shop = await aShop()
  const connection = await aConnection(app, shop.account, stripe)
  const other = await aPartner(app, shop.account)
  const email = anEmail()
  for (const { id: partnerId } of [other, shop.partner])
    expectOk(await shop.call('POST', `/accounts/${shop.account.id}/leads`, { email, partnerId }))
  const { items } = expectOk(await shop.call('GET', `/accounts/${shop.account.id}/leads?search=${email}`)).body
  const customer = items.find(({ partnerId }: { partnerId: string }) => partnerId === shop.partner.id)
  expectOk(await shop.call('POST', `/leads/${customer.id}/sales`, { amount: 10_00 }))
  expectOk(await shop.push('sales', { externalId: 'one', email, amount: 20_00 }))
  const today = new Date().toISOString().slice(0, 10)
  await shop.file([`two,${email},30.00,${today}`], 'External ID,Email,Amount,Date')
  await deliverAll(connection, [stripePayment({ email, amount: 40_00, store, livemode: true }).chargeSucceeded])
  await workOff(app)
  const sold = await db.many<{ provider: string; leadId: string }>`
    select provider, lead_id from sales where account_id = ${shop.account.id} order by provider`
  assert.deepEqual(
    sold,
    ['api', 'import', 'manual', 'stripe'].map((provider) => ({ provider, leadId: customer.id })),
  )
})

test('an order by push, by file and by hand is one sale in any order, and its refund is pushed once', async () => {
  const ways = ['push', 'file', 'hand']
  for (const first of ways) {
    const shop = await aShop()
    const take: Record<string, () => Promise<unknown>> = {
      push: () => shop.push('sales', { externalId: 'o-1', amount: 50_00, email: 'a@c.example', referralCode: 'jane' }),
      file: () => shop.file(['o-1,a@c.example,jane,50.00,2026-01-05']),
      hand: () => shop.typed('o-1', 50_00),
    }
    for (const way of [first, ...ways, first]) await take[way]!()
    const provider = { push: 'api', file: 'import', hand: 'manual' }[first]
    assert.deepEqual(await shop.holds(), [`${provider} o-1 5000 completed`, 1000], first)
    for (const status of [201, 200])
      assert.equal((await shop.push('refunds', { externalId: 'r-1', saleExternalId: 'o-1' })).status, status)
    assert.deepEqual(await shop.holds(), [`${provider} o-1 5000 refunded`, 0], first)
  }
})

test('the same number with another amount or customer is another shop’s order', async () => {
  const shop = await aShop()
  const connection = await aGenericConnection(app, shop.account)
  const tell = async (facts: object) => {
    expectOk(await sendCustomEvent(connection.webhookUrl, genericEvent('payment', { currency: 'usd', ...facts })))
    await workOff(app)
  }
  await shop.file(['1001,a@c.example,jane,50.00,2026-01-05', '1002,a@c.example,jane,50.00,2026-01-05'])
  await tell({ id: '1001', amount: 70_00, email: 'a@c.example' })
  await tell({ id: '1002', amount: 50_00, email: 'b@c.example' })
  assert.equal((await shop.typed('1001', 60_00)).status, 201)
  assert.deepEqual(
    (await shop.holds()).slice(0, -1),
    ['import 1001 5000', 'import 1002 5000', 'generic 1001 7000', 'generic 1002 5000', 'manual 1001 6000'].map(
      (sold) => `${sold} completed`,
    ),
  )
  assert.equal((await shop.typed('1001', 60_00)).status, 409)
})

test('a provider adopts an imported sale: it is refunded there, and the import does not undo it', async () => {
  const shop = await aShop()
  const connection = await aGenericConnection(app, shop.account)
  const done = await shop.file(['p-1,a@c.example,jane,50.00,2026-01-05', 'p-2,a@c.example,jane,50.00,2026-01-05'])
  const { items } = expectOk(await shop.call('GET', `/accounts/${shop.account.id}/sales?search=p-1`)).body
  expectOk(await shop.call('POST', `/sales/${items[0].id}/refunds`, { amount: 20_00, reason: 'Asked to' }))
  const at = (minutes: number) => new Date(Date.now() + minutes * 60_000)
  for (const event of [
    genericEvent('refund', { id: '1', paymentId: 'p-1', amount: 20_00 }, at(0)),
    genericEvent('refund', { id: '2', paymentId: 'p-1', amount: 20_00 }, at(0)),
    genericEvent('payment', { id: 'p-1', amount: 50_00, currency: 'usd' }, at(-1)),
  ])
    expectOk(await sendCustomEvent(connection.webhookUrl, event))
  await workOff(app)
  // the first of the two is the one that was entered by hand
  assert.deepEqual(await shop.holds(), ['import p-1 5000 partially-refunded', 'import p-2 5000 completed', 200 + 1000])
  const byHand = await shop.call('POST', `/sales/${items[0].id}/refunds`, { reason: 'Asked to' })
  assert.match(byHand.body.error.message, /Custom integration/)
  const undone = await shop.call('POST', `/imports/${done.id}/undo`)
  const ended = undone.status < 300 ? await shop.settled(done.id) : null
  assert.notEqual(ended?.state, 'undone')
  assert.deepEqual((await shop.holds()).at(-1), 200 + 1000)
})

test('a pushed refund is the one that its provider reports first as pending', async () => {
  for (const [end, status, earned] of [
    ['succeeded', 'partially-refunded', 1200],
    ['failed', 'completed', 2000],
  ] as const) {
    const shop = await aShop()
    const connection = await aConnection(app, shop.account, stripe)
    const email = anEmail()
    const payment = stripePayment({ email, amount: 100_00, reference: 'jane', store, livemode: true })
    const { id } = payment.intent
    await shop.push('sales', { externalId: id, amount: 100_00, email, referralCode: 'jane' })
    assert.equal((await shop.push('refunds', { externalId: 'r-1', saleExternalId: id, amount: 40_00 })).status, 201)
    const refund = payment.refund(40_00, { status: 'pending' })
    await deliverAll(connection, [payment.checkoutCompleted, payment.chargeSucceeded, refund.refundCreated])
    await workOff(app)
    assert.deepEqual(await shop.holds(), [`api ${id} 10000 partially-refunded`, 1200])
    await deliverAll(connection, [refund.becomes(end).refundUpdated])
    await workOff(app)
    assert.deepEqual(await shop.holds(), [`api ${id} 10000 ${status}`, earned])
  }
})

test('a file’s refund that its provider has reported since is not undone with the file', async () => {
  const shop = await aShop()
  const connection = await aConnection(app, shop.account, stripe)
  const email = anEmail()
  const payment = stripePayment({ email, amount: 100_00, store, livemode: true })
  const { id } = payment.intent
  await shop.file([`${id},${email},jane,100.00,2026-01-05`])
  const refunds = await shop.file([`${id},${email},jane,-40.00,2026-01-06`])
  const { refundCreated } = payment.refund(40_00)
  await deliverAll(connection, [payment.checkoutCompleted, payment.chargeSucceeded, refundCreated])
  await workOff(app)
  expectOk(await shop.call('POST', `/imports/${refunds.id}/undo`))
  const { state, reason } = await shop.settled(refunds.id)
  assert.equal(state, 'done')
  assert.match(reason!, /Stripe has since reported a sale from this import/)
  assert.deepEqual(await shop.holds(), [`import ${id} 10000 partially-refunded`, 1200])
})

test('an adopted payment belongs to its subscription', async () => {
  const shop = await aShop({ recurringMonths: 12 })
  const connection = await aGenericConnection(app, shop.account)
  const pay = async (id: string, day: string) => {
    const facts = {
      id,
      amount: 50_00,
      currency: 'usd',
      subscriptionId: 's',
      referralCode: 'jane',
      email: 'a@c.example',
    }
    expectOk(await sendCustomEvent(connection.webhookUrl, genericEvent('payment', facts, new Date(`${day}T12:00:00Z`))))
    await workOff(app)
  }
  await shop.file(['p-1,a@c.example,jane,50.00,2024-01-05'])
  await pay('p-3', '2025-02-05')
  assert.equal((await shop.holds()).at(-1), 2000)
  await pay('p-1', '2024-01-05')
  assert.equal((await shop.holds()).at(-1), 1000)
})

for (const order of ['file first', 'provider first'])
  test(`payments in a file begin their subscription’s recurring limit, ${order}`, async () => {
    const shop = await aShop({ recurringMonths: 12 })
    const connection = await aConnection(app, shop.account, stripe)
    const [email, subscription] = [anEmail(), stripeId('sub')]
    const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000)
    const provider = async () => {
      const facts = { email, subscription, subscriptionMetadata: { referral_code: 'jane' } }
      const first = stripeInvoice({ ...facts, amount: 100_00, store, livemode: true, createdAt: daysAgo(40) })
      for (const bill of [first, first.renew({ createdAt: daysAgo(10) })])
        await deliverAll(connection, [bill.payments[0]!.chargeSucceeded, bill.invoicePaid])
      await workOff(app)
    }
    const file = async () => {
      const row = `${email},jane,100.00,${daysAgo(380).toISOString().slice(0, 10)},${subscription}`
      return shop.file([row], 'Email,Referral Code,Amount,Date,Subscription ID')
    }
    const earned = async () => (await shop.holds()).at(-1)
    if (order === 'provider first') {
      await provider()
      assert.equal(await earned(), 2 * 2000)
    }
    const { id } = await file()
    if (order === 'file first') await provider()
    assert.equal(await earned(), 2 * 2000, 'the last one is past the limit')
    expectOk(await shop.call('POST', `/imports/${id}/undo`))
    await processImport(app.services, { importId: id })
    assert.equal(await earned(), 2 * 2000, 'its own limit has hardly begun')
  })
