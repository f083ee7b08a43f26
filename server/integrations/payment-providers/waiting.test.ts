import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deliverStripeEvent, stripeInvoice, stripePayment } from '../../../test/fakes/stripe-events.ts'
import { anAccount, anEmail, aPartner, expectOk, type TestAccount, type TestApp } from '../../../test/support/app.ts'
import {
  aConnection,
  deliverAll,
  SIGNING_SECRET,
  startWithStripe,
  type TestStripe,
  workOff,
} from '../../../test/support/payment-providers.ts'
import { verifyLedger } from '../../program/stats/verify.ts'
import { retryWaitingEvents } from './connections.ts'

// Events that cannot be booked: nothing is guessed, nothing is lost.

const { app, stripe } = await startWithStripe()
const { db } = app.services
const { store } = stripe

/** An account with a lead of a partner and its own connection. */
async function aShop(
  settings: Record<string, unknown> = {},
  at: { app: TestApp; stripe: TestStripe } = { app, stripe },
) {
  const account = await anAccount(at.app, { defaultCommissionSettings: { layerRates: [20] }, ...settings })
  const call = (method: string, path: string, body?: unknown) =>
    at.app.api(method, path, { token: account.token, body })
  const partner = await aPartner(at.app, account)
  const email = anEmail('buyer')
  expectOk(await call('POST', `/accounts/${account.id}/leads`, { partnerId: partner.id, email }))
  const path = `/accounts/${account.id}/payment-providers`
  const shop = {
    account,
    email,
    call,
    path,
    connection: await aConnection(at.app, account, at.stripe),
    tell: (...events: Parameters<typeof deliverAll>[1]) => deliverAll(shop.connection, events),
    async disconnect() {
      expectOk(await call('DELETE', `${path}/disconnect`, { connectionId: shop.connection.id }))
    },
    async connectAgain() {
      shop.connection = await aConnection(at.app, account, at.stripe)
    },
    replace: (credentials: Record<string, string>) => call('PATCH', `${path}/${shop.connection.id}`, { credentials }),
    connections: async () => expectOk(await call('GET', path)).body.items,
    sales: async () => salesOf(account),
  }
  return shop
}

const salesOf = ({ id }: TestAccount) => db.many`
  select gross_amount as gross, amount as net, tax_amount as tax, refunded_amount as refunded, status,
    (select sum(amount)::bigint from commission_entries e where e.sale_id = s.id) as kept
  from sales s where account_id = ${id} order by created_at, id`

/** Processes the queued jobs, but not waiting events. */
async function work() {
  const jobs = await (await app.services.jobs.boss()).fetch<{ eventId: string }>('provider-event', { batchSize: 100 })
  for (const { id, data } of jobs) {
    await workOff(app, { eventId: data.eventId })
    await (await app.services.jobs.boss()).complete('provider-event', id)
  }
}

const whole = { gross: 12_000, net: 10_000, tax: 2000, refunded: 0, status: 'completed', kept: 2000 }

test('a charge and its invoice waiting when the connection ends are one sale after reconnecting', async () => {
  const shop = await aShop()
  const bill = stripeInvoice({ email: shop.email, amount: 12_000, tax: 2000, checkout: {}, store })
  await shop.tell(bill.payments[0]!.chargeSucceeded, bill.invoicePaid, bill.payments[0]!.invoicePaymentPaid)
  await shop.disconnect()
  await work()
  assert.deepEqual(await shop.sales(), [])
  const [ended] = await shop.connections()
  assert.deepEqual(
    [ended.state, ended.stateReason],
    ['disconnected', '3 events wait for a key. Connect Stripe again to process them.'],
  )
  await shop.connectAgain()
  await work()
  assert.deepEqual(await shop.sales(), [whole])
  assert.deepEqual(
    (await shop.connections()).map(({ stateReason }: { stateReason: string | null }) => stateReason),
    [null, null],
  )
  assert.deepEqual(await verifyLedger(db), [])
})

test('after a key rotation events wait, are shown, and are booked once the key is replaced', async () => {
  const { app: own, stripe: other } = await startWithStripe({
    db,
    config: { secretKey: app.services.config.secretKey },
  })
  const shop = await aShop({}, { app: own, stripe: other })
  other.rollKey()
  const payment = stripePayment({ email: shop.email, amount: 12_000, tax: 2000, store: other.store })
  await shop.tell(payment.chargeSucceeded)
  await workOff(own)
  assert.deepEqual(await shop.sales(), [])
  const [broken] = await shop.connections()
  assert.equal(broken.state, 'attention')
  assert.match(
    broken.stateReason,
    /^Stripe no longer accepts the key: Invalid API Key .*\. One event waits for a key\./,
  )
  const replaced = expectOk(await shop.replace({ restrictedKey: other.key })).body
  assert.equal(replaced.id, shop.connection.id)
  assert.equal((await (await own.services.jobs.boss()).findJobs('provider-event')).length > 0, true)
  await workOff(own)
  assert.deepEqual(await shop.sales(), [whole])
  assert.deepEqual([(await shop.connections())[0].state], ['connected'])
  const audited =
    await db.many`select from audit where account_id = ${shop.account.id} and action = 'payment-provider.credentials-replaced'`
  assert.equal(audited.length, 1)
})

test('refunds and disputes of payments before a reconnect are applied, even those from just before the disconnect', async () => {
  const shop = await aShop()
  const payment = stripePayment({ email: shop.email, amount: 12_000, tax: 2000, store })
  await shop.tell(payment.checkoutCompleted, payment.chargeSucceeded)
  await work()
  await shop.tell(payment.refund(3000).refundCreated)
  await shop.disconnect()
  await work()
  assert.deepEqual(await shop.sales(), [{ ...whole, refunded: 3000, status: 'partially-refunded', kept: 1500 }])
  await shop.connectAgain()
  const dispute = payment.dispute(9000)
  await shop.tell(dispute.created, dispute.closed('lost'), payment.checkoutCompleted)
  await work()
  assert.deepEqual(await shop.sales(), [{ ...whole, refunded: 12_000, status: 'charged-back', kept: 0 }])
  assert.deepEqual(await verifyLedger(db), [])
})

test('an event is recognized once, whichever connection to the same Stripe account delivers it', async () => {
  const shop = await aShop()
  const { chargeSucceeded } = stripePayment({ email: shop.email, amount: 1000, store })
  await shop.tell(chargeSucceeded)
  await shop.disconnect()
  await shop.connectAgain()
  await shop.tell(chargeSucceeded)
  const kept = await db.many`select from provider_events where external_id = ${chargeSucceeded.id}`
  assert.equal(kept.length, 1)
})

test('a key of another account or mode is a conflict, a wrong one is refused at its field, an ended connection stays ended', async () => {
  const shop = await aShop()
  const other = await shop.replace({ restrictedKey: stripe.strangersKey('acct_1Other') })
  assert.deepEqual([other.status, other.body.error.code], [409, 'conflict'])
  assert.match(other.body.error.message, /another Stripe account, acct_1Other/)
  const wrong = await shop.replace({ restrictedKey: 'rk_test_nothing0001' })
  assert.equal(wrong.status, 422)
  assert.match(wrong.body.error.fields['credentials.restrictedKey'], /^Invalid API Key/)
  assert.equal((await shop.replace({ restrictedKey: 'nothing' })).status, 422)
  assert.deepEqual(Object.keys((await shop.replace({ password: 'x' })).body.error.fields), ['credentials.password'])
  stripe.forbid('charges')
  const poor = await shop.replace({ restrictedKey: stripe.key })
  stripe.allow('charges')
  assert.match(poor.body.error.fields['credentials.restrictedKey'], /required permissions/)
  stripe.fail('GET /v1/account', { status: 500 })
  assert.equal((await shop.replace({ restrictedKey: stripe.key })).status, 502)
  assert.equal((await shop.connections())[0].state, 'connected')
  await shop.disconnect()
  const late = await shop.replace({ restrictedKey: stripe.key })
  assert.deepEqual([late.status, late.body.error.code], [409, 'invalid_state'])
})

test('a signing secret is replaced alone or with the key, and kept if left empty', async () => {
  const shop = await aShop()
  const signedBy = async (secret: string) => {
    const { status } = await deliverStripeEvent(
      shop.connection.webhookUrl,
      stripePayment({ amount: 1 }).checkoutCompleted,
      secret,
    )
    return status
  }
  expectOk(await shop.replace({ restrictedKey: stripe.key, webhookSecret: '' }))
  assert.equal(await signedBy(SIGNING_SECRET), 200)
  expectOk(await shop.replace({ restrictedKey: '', webhookSecret: 'whsec_another' }))
  assert.deepEqual([await signedBy(SIGNING_SECRET), await signedBy('whsec_another')], [400, 200])
})

test('an hourly check books waiting events once the missing data is available', async () => {
  const shop = await aShop()
  stripe.forbid('charges', 'payment_intents', 'invoice_payments', 'checkout/sessions')
  const bare = stripePayment({ email: shop.email, amount: 12_000, tax: 2000, store })
  await shop.tell(bare.chargeSucceeded)
  await work()
  await retryWaitingEvents(app.services)
  await work()
  assert.deepEqual(await shop.sales(), [])
  assert.equal((await shop.connections())[0].state, 'attention')
  stripe.allow('charges', 'payment_intents', 'invoice_payments', 'checkout/sessions')
  await retryWaitingEvents(app.services)
  await work()
  assert.deepEqual(await shop.sales(), [whole])
  assert.equal((await shop.connections())[0].state, 'connected')
})

test('a bank’s dispute in another currency takes a share of the sale, never the same number', async () => {
  const shop = await aShop()
  const today = new Date().toISOString().slice(0, 10)
  const enter = (currency: string, rate: number) =>
    shop.call('POST', `/accounts/${shop.account.id}/exchange-rates`, { currency, date: today, rate })
  const payment = stripePayment({ email: shop.email, amount: 10_000, store })
  const dispute = payment.dispute(10_000, { currency: 'jpy' })
  await shop.tell(payment.checkoutCompleted, dispute.created, dispute.closed('lost'))
  await work()
  const sold = { ...whole, gross: 10_000, tax: 0 }
  assert.deepEqual(await shop.sales(), [{ ...sold, status: 'disputed' }])
  // the number of waiting events depends on which came first
  assert.match((await shop.connections())[0].stateReason, /^(One event waits|\d events wait) for an exchange rate\./)
  expectOk(await enter('jpy', 0.0067))
  await retryWaitingEvents(app.services)
  await work()
  assert.deepEqual(await shop.sales(), [{ ...sold, refunded: 6700, status: 'charged-back', kept: 660 }])
  assert.equal((await shop.connections())[0].state, 'connected')

  expectOk(await enter('eur', 1.25))
  const foreign = stripePayment({ email: shop.email, amount: 8000, currency: 'eur', store })
  const half = foreign.dispute(5000, { currency: 'usd' })
  await shop.tell(foreign.checkoutCompleted, half.created, half.closed('lost'))
  await work()
  const [, sale] = await shop.sales()
  assert.deepEqual(sale, { ...sold, gross: 8000, net: 8000, refunded: 4000, status: 'charged-back', kept: 1000 })
  assert.deepEqual(await verifyLedger(db), [])
})

test('a payment captured in steps is a sale of the final amount, in any order', async () => {
  for (const inOrder of [true, false]) {
    const shop = await aShop()
    const payment = stripePayment({ email: shop.email, amount: 12_000, tax: 2000, captured: false, store })
    const first = payment.capture(4000).chargeCaptured
    const all = payment.capture(12_000).chargeCaptured
    await shop.tell(payment.chargeSucceeded)
    await work()
    for (const event of inOrder ? [first, all] : [all, first]) {
      await shop.tell(event)
      await work()
    }
    assert.deepEqual(await shop.sales(), [whole])
  }
  assert.deepEqual(await verifyLedger(db), [])
})

test('keys that do not identify their account share events, and cannot be connected at the same time', async () => {
  const at = await startWithStripe({}, { account: { id: 'acct_1Shy' } })
  const unnamed = /\/v1\/account$/
  const shy = () => at.stripe.fail(unnamed, { status: 403, body: { error: { message: 'You may not.' } } })
  shy()
  const shop = await aShop({}, at)
  shy()
  const again = { provider: 'stripe', credentials: { restrictedKey: at.stripe.key, webhookSecret: SIGNING_SECRET } }
  assert.equal((await shop.call('POST', `${shop.path}/connect`, again)).body.error.code, 'duplicate')
  const payment = stripePayment({ email: shop.email, amount: 12_000, tax: 2000, store: at.stripe.store })
  await shop.tell(payment.checkoutCompleted)
  await workOff(at.app)
  await shop.disconnect()
  shy()
  await shop.connectAgain()
  await shop.tell(payment.refund(6000).refundCreated)
  await workOff(at.app)
  const refunded = await at.app.services.db
    .many`select refunded_amount from sales where account_id = ${shop.account.id}`
  assert.deepEqual(refunded, [{ refundedAmount: 6000 }])
  const named = expectOk(await shop.replace({ restrictedKey: at.stripe.key })).body
  assert.equal(named.providerAccountIdentifier, 'acct_1Shy')
  shy()
  const nameless = await shop.replace({ restrictedKey: at.stripe.key })
  assert.match(nameless.body.error.fields['credentials.restrictedKey'], /couldn’t tell which Stripe account/)
})
