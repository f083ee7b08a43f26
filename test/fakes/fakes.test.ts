import assert from 'node:assert/strict'
import { createVerify, generateKeyPairSync, randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { createTransport } from 'nodemailer'
import Stripe from 'stripe'
import { standInRates } from './rates.ts'
import { fakeReceiver, signatureHolds } from './receiver.ts'
import { parseBrackets, startServer } from './server.ts'
import { fakeSmtp } from './smtp.ts'
import { fakeStripe } from './stripe.ts'
import { BASIL, deliverStripeEvent, OLDER, stripeEvent, stripeInvoice, stripePayment } from './stripe-events.ts'
import { fakeWise } from './wise.ts'
import { isRoutingNumber, wiseRefusal } from './wise-rules.ts'

const opened: { close: () => Promise<void> }[] = []
after(() => Promise.all(opened.map((standIn) => standIn.close())))

async function open<T extends { close: () => Promise<void> }>(starting: Promise<T>): Promise<T> {
  const standIn = await starting
  opened.push(standIn)
  return standIn
}

// biome-ignore lint/suspicious/noExplicitAny: answers are read loosely
type Json = Record<string, any>

test('scripted failures distinguish completed from uncompleted work', async () => {
  let done = 0
  const server = await open(startServer(() => ({ status: 201, body: { done: ++done } })))
  const call = () => fetch(`${server.url}/things`, { method: 'POST', signal: AbortSignal.timeout(200) })

  server.fail('POST /things', 'hang-before')
  await assert.rejects(call(), { name: 'TimeoutError' })
  server.fail(/things$/, 'reset-before')
  await assert.rejects(call())
  assert.equal(done, 0)
  server.fail('POST /th*', 'hang-after')
  await assert.rejects(call(), { name: 'TimeoutError' })
  server.fail(({ path }) => path === '/things', 'reset-after')
  await assert.rejects(call())
  assert.equal(done, 2)

  server.fail('POST /things', { status: 429, retryAfter: 7 }, 2)
  const limited = await call()
  assert.deepEqual([limited.status, limited.headers.get('retry-after')], [429, '7'])
  assert.equal((await call()).status, 429)
  assert.equal(done, 2)
  server.fail('POST /things', { status: 500, after: true })
  assert.equal((await call()).status, 500)
  assert.equal(done, 3)
  server.fail('POST /things', 'garbage')
  const garbled = await call()
  assert.equal(garbled.status, 201)
  await assert.rejects(garbled.json(), SyntaxError)
  server.fail('POST /things', { slowMs: 400 })
  await assert.rejects(call(), { name: 'TimeoutError' })
  server.fail('GET /other', { status: 500 })
  server.calm()
  assert.equal((await call()).status, 201)
  assert.deepEqual(server.calls.map(({ answered }) => answered).slice(0, 6), [
    undefined,
    undefined,
    undefined,
    undefined,
    429,
    429,
  ])
})

test('bracketed form fields become objects and lists', () => {
  const fields = parseBrackets(new URLSearchParams('a[b]=1&c[]=2&c[]=3&d[0]=4&e=5&f[g][h]=6'))
  assert.deepEqual(fields, { a: { b: '1' }, c: ['2', '3'], d: ['4'], e: '5', f: { g: { h: '6' } } })
})

test('Stripe works with its own library: account, endpoints, lists, refusals', async () => {
  const stripe = await open(fakeStripe({ key: 'rk_test_right' }))
  const to = (key: string) =>
    new Stripe(key, { host: '127.0.0.1', port: stripe.port, protocol: 'http', maxNetworkRetries: 0, telemetry: false })
  const client = to('rk_test_right')
  await assert.rejects(to('rk_test_wrong').charges.list(), Stripe.errors.StripeAuthenticationError)
  assert.equal((await client.accounts.retrieveCurrent()).id, stripe.account.id)
  stripe.forbid('account')
  await assert.rejects(client.accounts.retrieveCurrent(), (error: Error) => {
    assert.ok(error instanceof Stripe.errors.StripePermissionError)
    assert.match(error.message, /on account 'acct_1StandInShop'/)
    return true
  })

  const endpoint = await client.webhookEndpoints.create({
    url: 'http://127.0.0.1/hooks',
    enabled_events: ['invoice.paid'],
    metadata: { of: 'us' },
  })
  assert.match(String(endpoint.secret), /^whsec_\w{20,}$/)
  assert.equal((await client.webhookEndpoints.retrieve(endpoint.id)).secret, undefined)
  assert.deepEqual(stripe.endpoints()[0]?.enabled_events, ['invoice.paid'])
  await client.webhookEndpoints.del(endpoint.id)
  assert.equal(stripe.endpoints().length, 0)

  const start = Date.parse('2026-03-01T00:00:00Z')
  for (let day = 0; day < 5; day += 1) {
    stripePayment({
      store: stripe.store,
      email: `buyer${day}@example.com`,
      amount: 1000 + day,
      createdAt: new Date(start + day * 86_400_000),
    })
  }
  const amounts: number[] = []
  for await (const charge of client.charges.list({ limit: 2 })) amounts.push(charge.amount)
  assert.deepEqual(amounts, [1004, 1003, 1002, 1001, 1000])
  assert.equal(stripe.callsTo('GET /v1/charges').filter(({ answered }) => answered === 200).length, 3)
  const since = await client.checkout.sessions.list({ status: 'complete', created: { gte: start / 1000 + 3 * 86_400 } })
  assert.equal(since.data.length, 2)
  const events = await client.events.list({ types: ['charge.succeeded'], limit: 100 })
  assert.deepEqual(new Set(events.data.map(({ type }) => type)), new Set(['charge.succeeded']))
  await assert.rejects(client.charges.retrieve('ch_none'), { code: 'resource_missing', statusCode: 404 })
  await assert.rejects(client.charges.list({ invoice: 'in_1' } as object), { code: 'parameter_unknown' })
})

test('a Stripe POST repeated with its idempotency key takes effect once', async () => {
  const stripe = await open(fakeStripe())
  const create = (url: string) =>
    fetch(`${stripe.url}/v1/webhook_endpoints`, {
      method: 'POST',
      headers: { authorization: `Bearer ${stripe.key}`, 'idempotency-key': 'once' },
      body: new URLSearchParams({ url, 'enabled_events[0]': '*' }),
    })
  const first = (await (await create('http://127.0.0.1/a')).json()) as Json
  const again = await create('http://127.0.0.1/a')
  assert.equal(again.headers.get('idempotent-replayed'), 'true')
  assert.equal(((await again.json()) as Json).id, first.id)
  const other = await create('http://127.0.0.1/b')
  assert.equal(((await other.json()) as Json).error.type, 'idempotency_error')
  assert.equal(stripe.endpoints().length, 1)
})

test('a platform connects and disconnects a Stripe account by OAuth', async () => {
  const platform = { clientId: 'ca_ours', secretKey: 'sk_test_platform' }
  const stripe = await open(fakeStripe({ platform }))
  const client = new Stripe(platform.secretKey, {
    host: '127.0.0.1',
    port: stripe.port,
    protocol: 'http',
    maxNetworkRetries: 0,
    telemetry: false,
  })
  const page = `${stripe.url}/oauth/authorize?client_id=ca_ours&state=s1&redirect_uri=http://127.0.0.1/oauth/stripe`
  const back = await fetch(page, { redirect: 'manual' })
  const returned = new URL(back.headers.get('location') ?? '').searchParams
  assert.equal(returned.get('state'), 's1')
  const grant = { grant_type: 'authorization_code' as const, code: String(returned.get('code')) }
  assert.equal((await client.oauth.token(grant)).stripe_user_id, stripe.account.id)
  await assert.rejects(client.oauth.token(grant), Stripe.errors.StripeInvalidGrantError)
  const there = { stripeAccount: stripe.account.id }
  assert.equal((await client.charges.list({}, there)).data.length, 0)
  await client.oauth.deauthorize({ client_id: 'ca_ours', stripe_user_id: stripe.account.id })
  await assert.rejects(client.charges.list({}, there), Stripe.errors.StripePermissionError)
})

test('Stripe signatures match its own library’s', async () => {
  const receiver = await open(fakeReceiver())
  const event = stripeEvent('customer.created', { id: 'cus_1', object: 'customer' })
  const read = (index: number, secret: string) => {
    const { raw, headers } = receiver.deliveries[index]!
    return Stripe.webhooks.constructEvent(raw, String(headers['stripe-signature']), secret)
  }
  await deliverStripeEvent(receiver.url, event, 'whsec_one')
  assert.equal(read(0, 'whsec_one').id, event.id)
  assert.throws(() => read(0, 'whsec_two'), Stripe.errors.StripeSignatureVerificationError)
  await deliverStripeEvent(receiver.url, event, 'whsec_one', { secrets: ['whsec_old', 'whsec_two'] })
  assert.equal(read(1, 'whsec_two').type, 'customer.created')
  await deliverStripeEvent(receiver.url, event, 'whsec_one', { at: Math.floor(Date.now() / 1000) - 301 })
  assert.throws(() => read(2, 'whsec_one'), /tolerance/)
  const { raw, headers } = receiver.deliveries[0]!
  const at = Number(/t=(\d+)/.exec(String(headers['stripe-signature']))?.[1])
  const theirs = Stripe.webhooks.generateTestHeaderString({ payload: raw, secret: 'whsec_one', timestamp: at })
  assert.ok(String(headers['stripe-signature']).startsWith(theirs))
})

test('refunds add up on the charge, a failed one is subtracted, disputes move through their events', async () => {
  const payment = stripePayment({
    email: 'cara@example.com',
    amount: 10_000,
    tax: 2_000,
    reference: 'CLICK1',
    metadata: { lead_id: 'L1' },
  })
  const session = payment.checkoutCompleted.data.object as Json
  assert.deepEqual(
    [session.payment_intent, session.client_reference_id, session.total_details.amount_tax],
    [payment.intent.id, 'CLICK1', 2_000],
  )
  assert.deepEqual((payment.chargeSucceeded.data.object as Json).metadata, {})
  const first = payment.refund(4_000)
  const second = payment.refund(1_000, { status: 'pending' })
  assert.equal((first.chargeRefunded.data.object as Json).amount_refunded, 4_000)
  assert.equal((second.chargeRefunded.data.object as Json).amount_refunded, 5_000)
  const { refundFailed } = second.becomes('failed')
  assert.equal((refundFailed!.data.object as Json).status, 'failed')
  assert.equal((payment.refund(6_000).chargeRefunded.data.object as Json).refunded, true)
  assert.throws(() => payment.refund(1))
  const dispute = stripePayment({ amount: 500 }).dispute()
  assert.equal((dispute.fundsWithdrawn().data.object as Json).balance_transactions[0].amount, -500)
  assert.equal((dispute.closed('lost').data.object as Json).status, 'lost')
  const authorised = stripePayment({ amount: 900, captured: false })
  assert.equal((authorised.chargeSucceeded.data.object as Json).captured, false)
  assert.equal((authorised.capture(700).chargeCaptured.data.object as Json).amount_captured, 700)
})

test('an invoice references its payment in fields before basil, through invoice_payments since', async () => {
  const stripe = await open(fakeStripe())
  const facts = {
    store: stripe.store,
    email: 'ann@example.com',
    amount: 2_400,
    tax: 400,
    subscriptionMetadata: { lead_id: 'L2' },
  }
  const older = stripeInvoice({ ...facts, apiVersion: OLDER, checkout: { reference: 'CODE1' } })
  const old = older.invoicePaid.data.object as Json
  const [taken] = older.payments
  assert.deepEqual(
    [old.payment_intent, old.charge, old.subscription, old.tax, old.paid, old.parent],
    [taken?.intent.id, taken?.charge.id, older.subscription, 400, true, undefined],
  )
  assert.equal(old.lines.data[0].subscription, older.subscription)
  assert.equal((older.payments[0]!.chargeSucceeded.data.object as Json).invoice, older.invoice.id)
  assert.equal((older.checkoutCompleted!.data.object as Json).payment_intent, null)

  const basil = stripeInvoice({ ...facts, apiVersion: BASIL, payments: [1_000, 1_400] })
  const now = basil.invoicePaid.data.object as Json
  assert.deepEqual([now.payment_intent, now.charge, now.paid, now.tax, now.payments], Array(5).fill(undefined))
  assert.deepEqual(now.parent.subscription_details, { subscription: basil.subscription, metadata: { lead_id: 'L2' } })
  assert.equal(now.total_taxes[0].amount, 400)

  const client = new Stripe(stripe.key, {
    host: '127.0.0.1',
    port: stripe.port,
    protocol: 'http',
    maxNetworkRetries: 0,
    telemetry: false,
  })
  const payments = await client.invoicePayments.list({ invoice: basil.invoice.id, status: 'paid' })
  assert.deepEqual(payments.data.map(({ amount_paid }) => amount_paid).sort(), [1_000, 1_400])
  const intent = basil.payments[1]!.intent.id
  const back = await client.invoicePayments.list({ payment: { type: 'payment_intent', payment_intent: intent } })
  assert.equal(back.data[0]?.invoice, basil.invoice.id)
  const expanded = await client.invoices.retrieve(basil.invoice.id, { expand: ['payments'] })
  assert.equal(expanded.payments?.data.length, 2)
  const before = await fetch(`${stripe.url}/v1/invoices/${older.invoice.id}`, {
    headers: { authorization: `Bearer ${stripe.key}`, 'stripe-version': OLDER },
  })
  assert.equal(((await before.json()) as Json).charge, taken?.charge.id)

  const renewal = basil.renew({ amount: 2_400 })
  assert.deepEqual([renewal.invoice.billing_reason, renewal.subscription], ['subscription_cycle', basil.subscription])
  const byHand = stripeInvoice({ amount: 700, outOfBand: true, subscription: null, apiVersion: OLDER })
  assert.deepEqual(
    [
      (byHand.invoicePaid.data.object as Json).paid_out_of_band,
      (byHand.invoicePaid.data.object as Json).charge,
      byHand.payments.length,
    ],
    [true, null, 0],
  )
})

const recipient = (details: Json = {}, more: Json = {}) => ({
  ...{ currency: 'USD', type: 'aba', accountHolderName: 'Pat Partner', ownedByCustomer: false, ...more },
  details: {
    ...{ legalType: 'PRIVATE', abartn: '026009593', accountNumber: '12345678', accountType: 'CHECKING' },
    address: { country: 'US', state: 'NY', city: 'New York', postCode: '10001', firstLine: '1 Main St' },
    ...details,
  },
})

/** Calls the stand-in with its token; returns status and body. */
async function callWise(
  wise: { url: string; token: string },
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
) {
  const response = await fetch(wise.url + path, {
    method,
    headers: { authorization: `Bearer ${wise.token}`, 'content-type': 'application/json', ...headers },
    body: body === undefined ? undefined : JSON.stringify(body),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: (text ? JSON.parse(text) : null) as Json }
}

/** Quote, recipient and transfer of `amount` USD. */
async function draft(wise: Awaited<ReturnType<typeof fakeWise>>, amount: number) {
  const profile = wise.businessId
  const quote = await callWise(wise, 'POST', `/v3/profiles/${profile}/quotes`, {
    sourceCurrency: 'USD',
    targetCurrency: 'USD',
    targetAmount: amount,
    preferredPayIn: 'BALANCE',
  })
  const account = await callWise(wise, 'POST', '/v1/accounts', recipient({}, { profile }))
  const body = {
    targetAccount: account.body.id,
    quoteUuid: quote.body.id,
    customerTransactionId: randomUUID(),
    details: { reference: 'Payout 17' },
  }
  const transfer = await callWise(wise, 'POST', '/v1/transfers', body)
  return { quote: quote.body, body, transfer, fund: `/v3/profiles/${profile}/transfers/${transfer.body.id}/payments` }
}

test('Wise creates one transfer per customerTransactionId and per quote, funds it once and advances it', async () => {
  const wise = await open(fakeWise({ balance: { USD: 200 }, autoProgress: true }))
  const { quote, body, transfer, fund } = await draft(wise, 125.5)
  const option = quote.paymentOptions.find(({ payIn }: Json) => payIn === 'BALANCE')
  assert.deepEqual([quote.targetAmount, option.fee.total, option.sourceAmount], [125.5, 0.39, 125.89])
  assert.deepEqual([transfer.status, transfer.body.status], [200, 'incoming_payment_waiting'])
  assert.equal((await callWise(wise, 'POST', '/v1/transfers', body)).body.id, transfer.body.id)
  const reused = await callWise(wise, 'POST', '/v1/transfers', { ...body, customerTransactionId: randomUUID() })
  assert.deepEqual([reused.status, reused.body.errors[0].path], [422, 'quoteUuid'])
  assert.match(reused.body.errors[0].message, /already been used/)
  assert.equal(wise.transfers.size, 1)

  const funded = await callWise(wise, 'POST', fund, { type: 'BALANCE' })
  assert.deepEqual([funded.status, funded.body.status], [201, 'COMPLETED'])
  assert.equal(wise.balanceOf('USD'), 74.11)
  assert.equal((await callWise(wise, 'POST', fund, { type: 'BALANCE' })).status, 409)
  const states: string[] = []
  for (let read = 0; read < 3; read += 1)
    states.push((await callWise(wise, 'GET', `/v1/transfers/${transfer.body.id}`)).body.status)
  assert.deepEqual(states, ['processing', 'funds_converted', 'outgoing_payment_sent'])
  const late = await callWise(wise, 'PUT', `/v1/transfers/${transfer.body.id}/cancel`)
  assert.deepEqual([late.status, late.body.errors[0].code], [409, 'transfer.cancellation.not.allowed'])

  const poor = await draft(wise, 100)
  const rejected = await callWise(wise, 'POST', poor.fund, { type: 'BALANCE' })
  assert.deepEqual(
    [rejected.status, rejected.body.status, rejected.body.errorCode],
    [200, 'REJECTED', 'transfer.insufficient_funds'],
  )
  wise.topUp('USD', 100)
  assert.equal((await callWise(wise, 'POST', poor.fund, { type: 'BALANCE' })).body.status, 'COMPLETED')
  assert.equal((await callWise(wise, 'PUT', `/v1/transfers/${poor.transfer.body.id}/cancel`)).body.status, 'cancelled')
  assert.equal(wise.balanceOf('USD'), 174.11)
  const list = await callWise(wise, 'GET', `/v1/transfers?profile=${wise.businessId}&limit=1`)
  assert.deepEqual([list.body.length, list.body[0].id], [1, poor.transfer.body.id])
  assert.equal((await callWise(wise, 'GET', '/v1/transfers')).body.length, 0)
})

test('Wise keeps a created object when the response is lost', async () => {
  const wise = await open(fakeWise())
  wise.fail('POST /v1/transfers', 'reset-after')
  await assert.rejects(draft(wise, 10))
  assert.equal(wise.transfers.size, 1)
  const [made] = wise.transfers.values()
  const again = await callWise(wise, 'POST', '/v1/transfers', wise.callsTo('POST /v1/transfers')[0]!.body)
  assert.equal(again.body.id, made?.id)
})

test('the Wise stand-in refuses the same as Wise: tokens, amounts, recipients, funding outside its countries', async () => {
  const wise = await open(fakeWise({ country: 'GB' }))
  assert.equal((await callWise({ ...wise, token: 'x' }, 'GET', '/v2/profiles')).body.error, 'invalid_token')
  assert.equal((await callWise(wise, 'GET', '/v2/profiles')).body[1].address.countryIso2Code, 'GB')
  const quotes = `/v3/profiles/${wise.businessId}/quotes`
  const pair = { sourceCurrency: 'USD', targetCurrency: 'USD' }
  for (const amounts of [
    {},
    { sourceAmount: 1, targetAmount: 1 },
    { targetAmount: 1.005 },
    { targetAmount: '12.00' },
    { targetAmount: 0 },
  ]) {
    assert.equal((await callWise(wise, 'POST', quotes, { ...pair, ...amounts })).status, 422, JSON.stringify(amounts))
  }
  const refusedPath = async (details: Json, more: Json = {}) =>
    (await callWise(wise, 'POST', '/v1/accounts', recipient(details, { profile: wise.businessId, ...more }))).body
      .errors?.[0].path
  assert.equal(await refusedPath({ abartn: '026009594' }), 'abartn')
  assert.equal(await refusedPath({ accountNumber: '12' }), 'accountNumber')
  assert.equal(await refusedPath({}, { accountHolderName: 'Pat' }), 'accountHolderName')
  assert.equal(
    await refusedPath({ address: { country: 'US', city: 'NY', postCode: '1', firstLine: 'x' } }),
    'address.state',
  )
  assert.equal(await refusedPath({ legalType: 'BUSINESS' }, { accountHolderName: 'Pat' }), undefined)
  assert.ok(isRoutingNumber('026009593') && !isRoutingNumber('123456789'))

  const { fund, transfer } = await draft(wise, 20)
  const forbidden = await callWise(wise, 'POST', fund, { type: 'BALANCE' })
  assert.deepEqual([forbidden.status, forbidden.headers.get('x-2fa-approval-result')], [403, 'REJECTED'])
  assert.equal(
    (await callWise(wise, 'GET', `/v1/transfers/${transfer.body.id}`)).body.status,
    'incoming_payment_waiting',
  )
  wise.payByHand(transfer.body.id)
  assert.deepEqual(wise.statesOf(transfer.body.id), ['incoming_payment_waiting', 'processing'])
  wise.requireApproval()
  const unapproved = await draft(wise, 20)
  assert.match(unapproved.transfer.body.errors[0].message, /missing approval/)
  wise.fail(
    'POST /v1/accounts',
    wiseRefusal([{ code: 'NOT_VALID', message: 'Unknown bank', path: 'abartn', arguments: [] }]),
  )
  assert.equal(await refusedPath({}), 'abartn')
})

test('Wise responds by quarter or version, keeps quotes for half an hour, and requires the state of US addresses', async () => {
  let now = new Date('2026-05-01T10:00:00Z')
  const wise = await open(fakeWise({ clock: () => now }))
  assert.equal((await callWise(wise, 'GET', '/2026Q4/profiles')).status, 200)
  assert.equal((await callWise(wise, 'GET', '/2027Q1/profiles')).status, 404)
  assert.equal((await callWise(wise, 'GET', '/v1/profiles')).status, 404)
  const quoting = { sourceCurrency: 'USD', targetCurrency: 'USD', sourceAmount: 50 }
  const { body: quote } = await callWise(wise, 'POST', `/2026Q4/profiles/${wise.businessId}/quotes`, quoting)
  assert.equal(quote.targetAmount, 49.61)
  const requirements = `/v1/quotes/${quote.id}/account-requirements`
  const keysOf = ({ body }: Json) => body[0].fields.map(({ group }: Json) => group[0].key)
  assert.ok(!keysOf(await callWise(wise, 'GET', requirements)).includes('address.state'))
  assert.ok(keysOf(await callWise(wise, 'POST', requirements, recipient())).includes('address.state'))
  const path = `/v3/profiles/${wise.businessId}/quotes/${quote.id}`
  assert.equal((await callWise(wise, 'PATCH', path, {})).status, 415)
  assert.equal(
    (await callWise(wise, 'PATCH', path, {}, { 'content-type': 'application/merge-patch+json' })).status,
    200,
  )
  now = new Date('2026-05-01T10:31:00Z')
  assert.equal((await callWise(wise, 'GET', path)).body.status, 'EXPIRED')
})

test('Wise simulates in order, funds batches and signs its events with its own key', async () => {
  const hooks = await open(fakeReceiver())
  const wise = await open(fakeWise({ reach: () => hooks.url }))
  const subscriptions = `/v3/profiles/${wise.businessId}/subscriptions`
  const wanted = {
    name: 'ours',
    trigger_on: 'transfers#state-change',
    delivery: { version: '2.0.0', url: 'http://app.example/hooks' },
  }
  assert.equal((await callWise(wise, 'POST', subscriptions, wanted)).status, 422)
  const made = await callWise(wise, 'POST', subscriptions, {
    ...wanted,
    delivery: { version: '2.0.0', url: 'https://app.example/hooks' },
  })
  await hooks.waitFor(1)
  assert.equal(hooks.deliveries[0]?.headers['x-test-notification'], 'true')
  assert.equal((await callWise(wise, 'DELETE', `${subscriptions}/${made.body.id}`)).status, 204)

  const { transfer } = await draft(wise, 30)
  const simulate = (state: string) => callWise(wise, 'GET', `/v1/simulation/transfers/${transfer.body.id}/${state}`)
  assert.equal((await simulate('outgoing_payment_sent')).status, 409)
  for (const state of ['processing', 'funds_converted', 'outgoing_payment_sent', 'bounced_back', 'funds_refunded']) {
    assert.equal((await simulate(state)).body.status, state)
  }
  await wise.deliverStateChange(hooks.url, transfer.body.id)
  const { raw, headers } = hooks.deliveries.at(-1)!
  const holds = (body: string, key: string) =>
    createVerify('RSA-SHA256').update(body).verify(key, String(headers['x-signature-sha256']), 'base64')
  assert.deepEqual(JSON.parse(raw).data.current_state, 'funds_refunded')
  assert.equal(JSON.parse(raw).data.previous_state, 'bounced_back')
  assert.ok(holds(raw, wise.publicKey))
  assert.ok(!holds(`${raw}\n`, wise.publicKey))
  const stranger = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  await wise.deliverStateChange(hooks.url, transfer.body.id, { privateKey: stranger.privateKey })
  const forged = hooks.deliveries.at(-1)!
  assert.ok(
    !createVerify('RSA-SHA256')
      .update(forged.raw)
      .verify(wise.publicKey, String(forged.headers['x-signature-sha256']), 'base64'),
  )

  const groups = `/v3/profiles/${wise.businessId}/batch-groups`
  const batch = await callWise(wise, 'POST', groups, { sourceCurrency: 'USD', name: 'May' })
  const drafted = await draft(wise, 5)
  const quote = await callWise(wise, 'POST', `/v3/profiles/${wise.businessId}/quotes`, {
    sourceCurrency: 'USD',
    targetCurrency: 'USD',
    targetAmount: 5,
  })
  const added = await callWise(wise, 'POST', `${groups}/${batch.body.id}/transfers`, {
    ...drafted.body,
    quoteUuid: quote.body.id,
    customerTransactionId: randomUUID(),
  })
  assert.equal(
    (await callWise(wise, 'PATCH', `${groups}/${batch.body.id}`, { status: 'COMPLETED', version: 0 })).status,
    409,
  )
  await callWise(wise, 'PATCH', `${groups}/${batch.body.id}`, { status: 'COMPLETED', version: 1 })
  const paid = await callWise(
    wise,
    'POST',
    `/v3/profiles/${wise.businessId}/batch-payments/${batch.body.id}/payments`,
    {
      type: 'BALANCE',
    },
  )
  assert.equal(paid.body.status, 'COMPLETED')
  assert.equal(wise.transfers.get(added.body.id)?.status, 'processing')
})

test('the mail server parses accepted mails and refuses as scripted', async () => {
  const server = await open(fakeSmtp())
  const transport = createTransport(server.url)
  const mail = {
    from: 'Shop <shop@example.com>',
    to: 'Zoë <zoe@example.com>',
    subject: 'Größe',
    text: 'Hello',
    html: '<b>Hello</b>',
  }
  await transport.sendMail({
    ...mail,
    headers: { 'List-Unsubscribe': '<https://a.example/u>, <mailto:b@example.com>' },
  })
  const got = await server.waitFor(({ subject }) => subject === 'Größe')
  assert.deepEqual([got.from, got.to, got.html.trim()], ['shop@example.com', ['zoe@example.com'], '<b>Hello</b>'])
  assert.deepEqual(got.headers['list-unsubscribe'], ['<https://a.example/u>, <mailto:b@example.com>'])
  server.refuse(451)
  await assert.rejects(transport.sendMail(mail), { responseCode: 451 })
  server.refuse(550, { at: 'recipient', to: 'zoe@example.com' })
  await assert.rejects(transport.sendMail(mail), { responseCode: 550 })
  await transport.sendMail(mail)
  assert.equal(server.to('zoe@example.com').length, 2)
  await assert.rejects(
    server.waitFor(() => false, 30),
    /in vain/,
  )
})

test('rates follow the ECB: no weekends, newest first, sometimes missing', async () => {
  const table = {
    '2024-06-28': { USD: 1.0705, JPY: 171.94 },
    '2024-06-29': { USD: 9 },
    '2024-07-01': { USD: 1.0745 },
    '2024-07-02': { USD: 1.0729 },
  }
  const rates = await open(standInRates({ table, weekendGap: true, clock: () => new Date('2024-07-01T20:00:00Z') }))
  const daily = await (await fetch(rates.dailyUrl)).text()
  assert.match(daily, /<Cube time='2024-07-01'>\s*<Cube currency='USD' rate='1.0745'\/>/)
  const history = await (await fetch(rates.fileUrl)).text()
  assert.deepEqual(
    [...history.matchAll(/time="([\d-]+)"/g)].map(([, day]) => day),
    ['2024-07-01', '2024-06-28'],
  )
  rates.breakDown()
  assert.equal((await fetch(rates.fileUrl)).status, 503)
  rates.recover()
  assert.equal((await fetch(rates.fileUrl)).status, 200)
})

test('the receiver follows its script and verifies signatures', async () => {
  const receiver = await open(fakeReceiver([500, { status: 302, headers: { location: '/elsewhere' } }, 204]))
  const secret = `whsec_${Buffer.from('a secret of at least 24 bytes').toString('base64')}`
  const send = () =>
    fetch(receiver.url, { method: 'POST', body: '{"a":1}', headers: { 'webhook-id': 'msg_1' }, redirect: 'manual' })
  const statuses = [await send(), await send(), await send(), await send()].map(({ status }) => status)
  assert.deepEqual(statuses, [500, 302, 204, 204])
  assert.equal(receiver.byId('msg_1').length, 4)
  // the published test vector of Standard Webhooks
  const vector = {
    raw: '{"test": 2432232314}',
    headers: {
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,bm90IHRoaXMgb25l v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    },
  }
  const then = new Date(1_614_265_330_000)
  assert.ok(signatureHolds(vector, 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', then))
  assert.ok(!signatureHolds({ ...vector, raw: '{"test":2432232314}' }, 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', then))
  assert.ok(!signatureHolds(vector, secret, then))
  assert.ok(!signatureHolds(vector, 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'))
})
