import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  deliverStripeEvent,
  type StripeEvent,
  stripeInvoice,
  stripePayment,
} from '../../../test/fakes/stripe-events.ts'
import { anAccount, anEmail, aPartner, expectOk } from '../../../test/support/app.ts'
import { daysAgo, pastImported } from '../../../test/support/past-sales.ts'
import {
  aConnection,
  connectProvider,
  deliverAll,
  SIGNING_SECRET,
  startWithStripe,
  workOff,
} from '../../../test/support/payment-providers.ts'
import { createStories } from '../../../test/support/provider-stories.ts'
import { readConfig } from '../../platform/config/config.ts'
import { verifyLedger } from '../../program/stats/verify.ts'
import { isTestOnly } from './secrets.ts'
import { verifyPayments } from './verify-payments.ts'

const { app, stripe } = await startWithStripe({ config: { testPayments: 'show', allowPrivateWebhookTargets: true } })
const { db } = app.services
const { store } = stripe

async function aShop(settings = {}) {
  stripe.calm()
  store.clear()
  const account = await anAccount(app, {
    defaultCommissionSettings: { layerRates: [20, 5] },
    timeZone: 'UTC',
    ...settings,
  })
  const partner = await aPartner(app, account)
  const connection = await aConnection(app, account, stripe)
  const call = (method: string, path: string, body?: unknown) => app.api(method, path, { token: account.token, body })
  const read = async (path: string) => expectOk(await call('GET', path)).body
  const aLead = async (more: Record<string, unknown> = {}) =>
    expectOk(
      await call('POST', `/accounts/${account.id}/leads`, { partnerId: partner.id, email: anEmail('buyer'), ...more }),
    ).body as { id: string; email: string }
  const tell = async (...events: (StripeEvent | null)[]) => {
    await deliverAll(connection, events)
    await workOff(app)
  }
  const sales = async (query = '') => (await read(`/accounts/${account.id}/sales${query}`)).items
  return { account, partner, connection, call, read, aLead, tell, sales }
}
type Shop = Awaited<ReturnType<typeof aShop>>

const today = () => daysAgo(app, 0)

/** Everything that adds up, of the account, of its partner and of its lead. */
const figuresOf = async ({ account, partner, read }: Shop, leadId: string) => {
  const [dashboard, lines, commissions, ofPartner, balances, lead] = await Promise.all([
    read(`/accounts/${account.id}/dashboard/${daysAgo(app, 30)}..${today()}`),
    read(`/accounts/${account.id}/revenue-lines`),
    read(`/partners/${partner.id}/commissions`),
    read(`/partners/${partner.id}/stats`),
    read(`/accounts/${account.id}/balances`),
    read(`/leads/${leadId}`),
  ])
  return {
    ...{ stats: dashboard.current, attention: dashboard.attention, topPartners: dashboard.topPartners },
    sale: dashboard.checklist.find(({ step }: { step: string }) => step === 'sale').done,
    ...{ lines: lines.totals, entries: commissions.totals, ofPartner },
    balances: balances.items.map(({ updatedAt: _, ...balance }: Record<string, unknown>) => balance),
    lead: [lead.status, lead.stats],
  }
}

test('a test-mode sale is shown with its match and never counts, whatever happens to it', async () => {
  const shop = await aShop()
  const { partner, call, read, aLead, tell, sales } = shop
  const lead = await aLead()
  const before = await figuresOf(shop, lead.id)
  const payment = stripePayment({ email: lead.email, amount: 12_000, tax: 2000, store })
  await tell(payment.checkoutCompleted, payment.chargeSucceeded)

  const [sale, ...others] = await sales()
  assert.deepEqual(others, [])
  assert.deepEqual(
    [sale.livemode, sale.amount, sale.leadId, sale.matchedBy, sale.partnerId, sale.commissions],
    [false, 10_000, lead.id, 'email', null, []],
  )
  assert.deepEqual(
    (await read(`/leads/${lead.id}/sales`)).items.map(({ id }: { id: string }) => id),
    [sale.id],
  )
  assert.deepEqual((await sales(`?leadId=${lead.id}&test=true`)).length, 1)
  assert.deepEqual(await sales('?test=false'), [])
  assert.deepEqual(await sales('?unattributed=true'), [])
  const match = await read(`/sales/${sale.id}/match`)
  assert.equal(match.rule, 'email')
  assert.match(match.others.at(-1).why, /^The email’s partner is .+\. It was paid in test mode, so nobody earns$/)
  assert.deepEqual(await figuresOf(shop, lead.id), before)

  const refund = payment.refund(6000)
  await tell(refund.refundCreated, refund.chargeRefunded)
  assert.equal((await read(`/sales/${sale.id}`)).refundedAmount, 6000)
  assert.deepEqual(await figuresOf(shop, lead.id), before)

  for (const body of [{ partnerId: partner.id }, { leadId: lead.id }, { leadId: lead.id, preview: true }]) {
    const refused = await call('POST', `/sales/${sale.id}/attribute`, { ...body, reason: 'Mine' })
    assert.deepEqual([refused.status, refused.body.error.code], [409, 'invalid_state'])
  }
  assert.equal((await call('POST', `/sales/${sale.id}/refunds`, { reason: 'Nothing' })).status, 409)
  expectOk(await call('POST', `/sales/${sale.id}/void`, { reason: 'A test' }))
  assert.deepEqual(await figuresOf(shop, lead.id), before)
  assert.deepEqual(await verifyLedger(db), [])
  assert.deepEqual((await verifyPayments(db)).differences, [])
})

test('a test-mode payer becomes neither a lead nor a customer nor an earlier buyer', async () => {
  const shop = await aShop()
  const { account, partner, read, tell, sales } = shop
  const [named, nobody] = [anEmail('named'), anEmail('nobody')]
  const byCode = stripePayment({
    email: named,
    amount: 10_000,
    reference: partner.referralCode,
    customer: 'cus_1',
    store,
  })
  const unknown = stripePayment({ email: nobody, amount: 10_000, store })
  const trial = stripePayment({ email: anEmail('trial'), amount: 0, reference: partner.referralCode, store })
  await tell(trial.checkoutCompleted, byCode.checkoutCompleted, byCode.chargeSucceeded, unknown.chargeSucceeded)
  assert.deepEqual(
    (await sales()).map(({ leadId, matchedBy }: Record<string, unknown>) => [leadId, matchedBy]),
    [
      [null, null],
      [null, 'code'],
    ],
  )
  assert.deepEqual((await read(`/accounts/${account.id}/leads`)).items, [])
  assert.deepEqual(await db.many`select from shop_customers where account_id = ${account.id}`, [])

  // a person entered now is a new customer, without credit for the past
  const lead = await shop.aLead({ email: nobody })
  expectOk(await shop.call('POST', `/leads/${lead.id}/reassign`, { partnerId: null, reason: 'Nobody' }))
  const preview = expectOk(
    await shop.call('POST', `/leads/${lead.id}/reassign`, {
      ...{ partnerId: partner.id, reason: 'Mine', creditEarlierSales: true, preview: true },
    }),
  ).body
  assert.deepEqual(preview, { sales: { count: 0, amount: 0 }, commission: 0, leadPay: 0 })
  assert.deepEqual((await sales('?test=true')).length, 2)
  expectOk(await shop.call('DELETE', `/leads/${lead.id}`))
})

test('a lead with only test-mode payments may be deleted, and the account may still change its currency', async () => {
  const shop = await aShop()
  const { account, call, aLead, tell, sales } = shop
  const lead = await aLead()
  await tell(stripePayment({ email: lead.email, amount: 10_000, currency: 'nok', store }).chargeSucceeded)
  const rates = await shop.read(`/accounts/${account.id}/exchange-rates`)
  assert.deepEqual(rates.currencies, [])
  expectOk(await call('DELETE', `/leads/${lead.id}`))
  assert.deepEqual(
    (await sales()).map(({ leadId }: { leadId: string | null }) => leadId),
    [null],
  )
  assert.equal(
    expectOk(await call('PATCH', `/accounts/${account.id}`, { defaultCurrency: 'eur' })).body.defaultCurrency,
    'eur',
  )
  assert.deepEqual(await verifyLedger(db), [])
})

test('test-mode payments use up neither a subscription’s months nor a lead’s numbers', async () => {
  const shop = await aShop({ recurringMonths: 1 })
  const { account, aLead, tell, sales, call } = shop
  const lead = await aLead()
  const invoice = stripeInvoice({ email: lead.email, amount: 10_000, store })
  await tell(invoice.invoicePaid, invoice.payments[0]!.chargeSucceeded)
  const [sale] = await sales('?test=true')
  assert.ok(sale?.subscriptionId)
  const own = expectOk(await call('POST', `/leads/${lead.id}/sales`, { amount: 5000 })).body
  assert.equal(own.sequence, 1)
  assert.equal((await shop.read(`/leads/${lead.id}`)).status, 'won')
  expectOk(await call('POST', `/sales/${own.id}/refunds`, { reason: 'All of it' }))
  assert.equal((await shop.read(`/leads/${lead.id}`)).status, 'qualified')
  assert.equal((await shop.read(`/accounts/${account.id}/revenue-lines`)).totals.sales, 1)
})

test('past sales of test mode do not count either', async () => {
  const shop = await aShop()
  const { account, connection, partner, sales } = shop
  const lead = await shop.aLead()
  const before = await figuresOf(shop, lead.id)
  const at = new Date(app.services.clock.now().getTime() - 20 * 86_400_000)
  stripePayment({ email: anEmail('past'), amount: 10_000, reference: partner.referralCode, createdAt: at, store })
  const { state, created } = await pastImported(app, account, connection)
  assert.deepEqual([state, created], ['done', 1])
  assert.deepEqual(
    (await sales()).map(({ livemode }: { livemode: boolean }) => livemode),
    [false],
  )
  assert.deepEqual(await figuresOf(shop, lead.id), before)
  assert.deepEqual(await verifyLedger(db), [])
})

test('the same test-mode payment ends the same in every order of its events', async () => {
  const { account, partner, connection } = await aShop()
  const { inEveryOrder } = createStories<StripeEvent>({
    ...{ app, account, partner },
    deliver: (events) => deliverAll(connection, events),
  })
  await inEveryOrder(
    (email) => {
      const payment = stripePayment({ email, amount: 11_900, tax: 1900, customer: null, store })
      const half = payment.refund(5000)
      const dispute = payment.dispute(6000)
      return [payment.checkoutCompleted, payment.chargeSucceeded, half.chargeRefunded, dispute.created]
    },
    ([sale]) =>
      assert.deepEqual([sale?.amount, sale?.refundedAmount, sale?.isTest, sale?.partnerId], [10_000, 5000, true, null]),
    8,
  )
})

test('a live key of the same account switches a connection to live mode, and test-mode sales stay so', async () => {
  const shop = await aShop()
  const { account, call, aLead, tell, sales, read, connection } = shop
  const lead = await aLead()
  const tested = stripePayment({ email: lead.email, amount: 10_000, store })
  await tell(tested.checkoutCompleted, tested.chargeSucceeded)
  const path = `/accounts/${account.id}/payment-providers/${connection.id}`
  const { id: importId } = expectOk(
    await call('POST', `${path}/imports`, { from: daysAgo(app, 5), to: today(), dryRun: false }),
  ).body
  const listed = async () => (await read(`/accounts/${account.id}/payment-providers`)).items[0]
  assert.equal((await listed()).livemode, false)

  const strange = stripe.strangersKey('acct_1Another', 'live')
  const refusal = await call('PATCH', path, { credentials: { restrictedKey: strange } })
  assert.deepEqual([refusal.status, refusal.body.error.reason], [409, 'key_of_other_account'])
  assert.equal((await listed()).livemode, false)
  const late = tested.refund(4000)
  await deliverAll(connection, [late.refundCreated])

  const live = expectOk(
    await call('PATCH', path, { credentials: { restrictedKey: stripe.liveKey }, webhookSecret: 'whsec_ofLiveMode' }),
  ).body
  assert.deepEqual(
    [live.id, live.livemode, live.state, live.webhookUrl],
    [connection.id, true, 'connected', connection.webhookUrl],
  )
  assert.equal((await read(`/imports/${importId}`)).state, 'canceled')
  await workOff(app)

  // its new events count; a payment of test mode is not repeated under its number
  const paid = stripePayment({ email: lead.email, amount: 7000, livemode: true, store })
  const both = [paid.checkoutCompleted, paid.chargeSucceeded]
  for (const event of both)
    assert.equal((await deliverStripeEvent(connection.webhookUrl, event, 'whsec_ofLiveMode')).status, 200)
  const refused = await deliverStripeEvent(connection.webhookUrl, tested.refund(100).refundCreated, 'whsec_ofLiveMode')
  assert.equal(refused.status, 400)
  assert.equal((await deliverStripeEvent(connection.webhookUrl, tested.checkoutCompleted, SIGNING_SECRET)).status, 400)
  await workOff(app)
  const found = (await sales()).map(
    ({ livemode, amount, refundedAmount, sequence, partnerId }: Record<string, unknown>) => [
      ...[livemode, amount, refundedAmount, sequence, partnerId],
    ],
  )
  assert.deepEqual(found, [
    [true, 7000, 0, 1, shop.partner.id],
    [false, 10_000, 4000, null, null],
  ])
  const { totals } = await read(`/accounts/${account.id}/revenue-lines`)
  assert.deepEqual([totals.sales, totals.revenue, totals.share], [1, 7000, 1400])

  const back = await call('PATCH', path, { credentials: { restrictedKey: stripe.key } })
  assert.deepEqual([back.status, back.body.error.reason], [409, 'test_key_for_live_connection'])
  assert.deepEqual(await verifyLedger(db), [])
  assert.deepEqual((await verifyPayments(db)).differences, [])
})

test('without a new signing secret a live-mode endpoint is created, and the test-mode one removed', async () => {
  stripe.calm()
  store.clear()
  const other = await anAccount(app)
  const { body: made } = await connectProvider(app, other, {
    provider: 'stripe',
    credentials: { restrictedKey: stripe.key },
  })
  const endpoints = () => [...store.values()].filter(({ object }) => object === 'webhook_endpoint').map(({ id }) => id)
  const [before] = endpoints()
  assert.ok(before)
  const path = `/accounts/${other.id}/payment-providers/${made.id}`
  const credentials = { restrictedKey: stripe.liveKey }
  const live = expectOk(await app.api('PATCH', path, { token: other.token, body: { credentials } })).body
  assert.deepEqual([live.livemode, live.state, live.webhookSecretSet], [true, 'connected', true])
  const after = endpoints()
  assert.equal(after.length, 1)
  assert.notEqual(after[0], before)
})

test('test mode counts if the operator says so, and for a stand-in provider on loopback', () => {
  const provider = 'stripe'
  const isTest = (env: Record<string, string>, livemode = false) => isTestOnly(readConfig(env), { provider, livemode })
  const standIn = { STRIPE_API_URL: 'http://127.0.0.1:12111' }
  assert.equal(isTest({}), true)
  assert.equal(isTest({}, true), false)
  assert.equal(isTest({ TEST_PAYMENTS: 'count' }), false)
  assert.equal(isTest(standIn), false)
  assert.equal(isTest({ STRIPE_API_URL: 'http://localhost:4242/v1' }), false)
  assert.equal(isTest({ ...standIn, TEST_PAYMENTS: 'show' }), true)
  assert.equal(isTest({ STRIPE_API_URL: 'https://stripe.example.com' }), true)
  assert.throws(() => readConfig({ TEST_PAYMENTS: 'hide' }), /TEST_PAYMENTS holds "hide"; it should hold show or count/)
})
