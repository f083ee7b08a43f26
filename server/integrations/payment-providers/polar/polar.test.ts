import assert from 'node:assert/strict'
import { test } from 'node:test'
import { standInPolar } from '../../../../test/fakes/polar.ts'
import {
  deliverPolar,
  POLAR_ORGANIZATION,
  type PolarEvent,
  type PolarOrderFacts,
  polarEvent,
  polarOrder,
} from '../../../../test/fakes/polar-events.ts'
import { anAccount, anEmail, expectOk, type TestAccount } from '../../../../test/support/app.ts'
import {
  assertRefused,
  assertUnavailable,
  createConnectionCalls,
  startWithProvider,
  workOff,
} from '../../../../test/support/payment-providers.ts'
import { aShop } from '../../../../test/support/provider-stories.ts'
import { verifyLedger } from '../../../program/stats/verify.ts'

// Polar as it really is: events that contain everything, refunds net of tax, signatures by either form of the key.

const polar = await standInPolar()
const app = await startWithProvider('polar', polar, { config: { allowPrivateWebhookTargets: true } })
const { db } = app.services
const { store } = polar
const SECRET = 'polar_whs_ovyN6cPrTv56AApvzCaJno08SSmGJmgb'
const HOST = 'sandbox-api.polar.sh'
const credentials = (more: object = { webhookSecret: SECRET }) => ({ accessToken: polar.key, host: HOST, ...more })
const ofOwner = (owner: TestAccount) => createConnectionCalls(app, owner, 'polar')

const { account, partner, aLead, salesOf, deliver, deliverAndBook, fromFile, inEveryOrder, connection } =
  await aShop<PolarEvent>(
    app,
    async (owner) => expectOk(await ofOwner(owner).connect(credentials())).body,
    (url, event) => deliverPolar(url, event, SECRET),
  )
const anOrder = (facts: PolarOrderFacts) => polarOrder({ store, ...facts })
const saleOf = ({ id }: { id: string }) => db.maybe<Record<string, unknown>>`
  select amount as net, tax_amount as tax, gross_amount as gross, refunded_amount as refunded, status, currency,
    matched_by as by, partner_id is not null as credited, subscription_id as subscription
  from sales where external_id = ${id}`

// --- connecting

test('connecting tries the token, reads the organization, and Polar creates the endpoint and its secret', async () => {
  const owner = await anAccount(app)
  const { connect, disconnect } = ofOwner(owner)
  const made = expectOk(await connect(credentials({}))).body
  assert.deepEqual(
    [made.state, made.webhookSecretSet, made.accountName, made.defaultCurrency, made.providerAccountIdentifier],
    ['connected', true, 'Ice Floe', 'usd', POLAR_ORGANIZATION],
  )
  assert.equal(made.livemode, false)
  const [endpoint] = polar.endpoints()
  assert.deepEqual(
    [endpoint?.url, endpoint?.name, endpoint?.format, endpoint?.events],
    [
      ...[made.webhookUrl, 'Tributary', 'raw'],
      ['order.paid', 'refund.created', 'refund.updated', 'subscription.created'],
    ],
  )
  assert.deepEqual(
    (await polar.send(anOrder({ net: 1000 }).paid)).map(({ status }) => status),
    [200],
  )
  const again = await connect(credentials({}))
  assert.deepEqual([again.status, again.body.error.code], [409, 'duplicate'])
  expectOk(await disconnect(made.id))
  assert.deepEqual(polar.endpoints(), [])
})

test('wrong credentials are refused at their field, in Polar’s words and with what to do', async () => {
  const owner = await anAccount(app)
  const { connect, list } = ofOwner(owner)
  const readRefusal = async (given: Record<string, string>) => (await connect(given)).body.error.fields
  assert.match(
    (await readRefusal({ accessToken: 'polar_oat_strange', host: HOST }))['credentials.accessToken'],
    /expired, revoked.* A token works only at its own host, here sandbox-api\.polar\.sh\.$/,
  )
  assert.match(
    (await readRefusal({ accessToken: 'polar_oat_strange' }))['credentials.accessToken'],
    /here api\.polar\.sh\.$/,
  )
  assert.deepEqual(await readRefusal({ accessToken: 'polar_pat_1', host: 'evil.example', webhookSecret: 'a b' }), {
    'credentials.accessToken': 'Enter an organization access token. It begins with polar_oat_',
    'credentials.host': 'Enter api.polar.sh, or sandbox-api.polar.sh for the sandbox',
    'credentials.webhookSecret': 'Enter the endpoint’s secret as Polar shows it, without spaces',
  })
  for (const scope of ['organizations:read', 'orders:read', 'refunds:read']) {
    polar.forbid(scope)
    const fields = await readRefusal(credentials())
    polar.allow(scope)
    assert.match(fields['credentials.accessToken'], new RegExp(`Add the scope ${scope} to the token\\.$`))
  }
  assert.deepEqual(await list(), [])
})

test('nothing is connected while Polar returns no usable response', async () => {
  const owner = await anAccount(app)
  const html = { status: 200, body: '<!doctype html>' }
  const failures = [{ status: 500 }, { status: 429, retryAfter: 60 }, html, 'reset-before'] as const
  await assertUnavailable(polar, /organizations/, failures, () => ofOwner(owner).connect(credentials()))
})

test('without the scope to create it the owner adds the endpoint, and enters its secret', async () => {
  const owner = await anAccount(app)
  const { connect, change } = ofOwner(owner)
  polar.forbid('webhooks:write')
  const made = expectOk(await connect(credentials({}))).body
  polar.allow('webhooks:write')
  assert.deepEqual([made.state, made.webhookSecretSet], ['attention', false])
  assert.match(made.stateReason, /Polar didn’t let us create the endpoint: The request requires higher privileges/)
  assert.match(made.stateReason, /Create an endpoint at Polar for the URL shown here and enter its webhook secret/i)
  const { state } = expectOk(await change(made.id, { webhookSecret: SECRET })).body
  assert.equal(state, 'connected')
})

test('an endpoint whose answer was lost is taken by the next call, not made twice', async () => {
  const owner = await anAccount(app)
  const { connect, change, disconnect } = ofOwner(owner)
  polar.fail('POST /v1/webhooks/endpoints', 'reset-after')
  const made = expectOk(await connect(credentials({}))).body
  assert.deepEqual([made.state, made.webhookSecretSet, polar.endpoints().length], ['attention', false, 1])
  const { body } = expectOk(await change(made.id, { credentials: { accessToken: polar.key } }))
  assert.deepEqual([body.state, body.webhookSecretSet, polar.endpoints().length], ['connected', true, 1])
  expectOk(await disconnect(made.id))
  assert.deepEqual(polar.endpoints(), [])
})

test('an endpoint that is turned off or gone at Polar needs attention until it is back', async () => {
  const owner = await anAccount(app)
  const { connect, check, disconnect } = ofOwner(owner)
  const { id } = expectOk(await connect(credentials({}))).body
  polar.turnOff()
  assert.match(expectOk(await check(id)).body.stateReason, /turned off at Polar\. Turn it on there\./)
  polar.turnOn()
  assert.equal(expectOk(await check(id)).body.state, 'connected')
  polar.removeEndpoints()
  assert.match(expectOk(await check(id)).body.stateReason, /no longer exists at Polar/)
  expectOk(await disconnect(id))
})

test('the host says whether it is the sandbox, whose organizations are others and stay beside the live one', async () => {
  const owner = await anAccount(app)
  const { connect, change, list } = ofOwner(owner)
  const { id, livemode } = expectOk(await connect(credentials())).body
  assert.equal(livemode, false)
  const { accessToken } = polar.opensOrganization('9cfe1b1f-0bbf-4301-9ba8-555ca42b9737')
  const live = { accessToken, host: 'api.polar.sh' }
  const switched = await change(id, { credentials: live })
  const made = expectOk(await connect({ ...live, webhookSecret: SECRET })).body
  polar.opensOrganization(POLAR_ORGANIZATION)
  assert.deepEqual([switched.status, switched.body.error.code], [409, 'conflict'])
  assert.equal(made.livemode, true)
  assert.equal((await list()).length, 2)
})

// --- signatures

test('an event not signed by Polar, or not recently, is refused and leaves nothing', async () => {
  const owner = await anAccount(app)
  const { webhookUrl: url } = expectOk(await ofOwner(owner).connect(credentials())).body
  const { paid: event } = anOrder({ net: 1000 })
  const now = Math.floor(app.clock.now().getTime() / 1000)
  const { id, ...content } = event
  const body = JSON.stringify(content)
  const { signature } = await deliverPolar(`${app.url}/hooks/providers/polar/nobody`, event, SECRET)
  const other = { ...anOrder({ net: 1000, organization: '9cfe1b1f-0bbf-4301-9ba8-555ca42b9737' }) }
  const tries = [
    await deliverPolar(url, event, 'polar_whs_another'),
    await deliverPolar(url, event, `${SECRET}=`),
    await deliverPolar(url, event, SECRET, { body: body.replace('1000', '9000'), signature }),
    await deliverPolar(url, event, SECRET, { body: `${body}\n`, signature }),
    await deliverPolar(url, event, SECRET, { id: `${id}0`, signature }),
    await deliverPolar(url, event, SECRET, { id: null }),
    await deliverPolar(url, event, SECRET, { at: now - 301 }),
    await deliverPolar(url, event, SECRET, { at: now + 330 }),
    await deliverPolar(url, event, SECRET, { signature: null }),
    await deliverPolar(url, event, SECRET, { signature: 'v1,' }),
    await deliverPolar(url, event, SECRET, { signature: signature!.replace('v1,', 'v2,') }),
    await deliverPolar(url, event, SECRET, { signature: signature!.slice(3) }),
    await deliverPolar(url, event, SECRET, { body: 'not json' }),
    await deliverPolar(url, event, SECRET, { body: '[]' }),
    await deliverPolar(url, event, SECRET, { body: JSON.stringify({ content: 'order.paid', embeds: [] }) }),
    await deliverPolar(url, { ...event, timestamp: 'lately' }, SECRET),
    await deliverPolar(url, { ...event, data: {} }, SECRET),
    await deliverPolar(url, other.paid, SECRET),
  ]
  assertRefused(tries)
  const large = await deliverPolar(url, event, SECRET, {
    body: JSON.stringify({ ...content, more: 'x'.repeat(1e6) }),
  })
  assert.equal(large.status, 413)
  const kept = () => db.many<{ state: string }>`
    select e.state from provider_events e join provider_shops s on s.id = e.shop_id where s.account_id = ${owner.id}`
  assert.deepEqual(await kept(), [])
  for (const secrets of [
    [SECRET, 'polar_whs_new'],
    ['polar_whs_former', SECRET],
  ])
    assert.equal((await deliverPolar(url, event, '', { secrets })).status, 200)
  assert.equal((await deliverPolar(url, event, SECRET)).status, 200)
  assert.equal((await deliverPolar(url, polarEvent('order.updated', event.data), SECRET)).status, 200)
  assert.deepEqual(await kept(), [{ state: 'received' }, { state: 'ignored' }])
})

test('either form of the key signs: the text of a secret, or the bytes it encodes', async () => {
  const encoded = Buffer.from('thirty-two bytes of a newer key').toString('base64')
  for (const [secret, signsBy] of [
    [`whsec_${encoded}`, Buffer.from(encoded, 'base64')],
    [`whsec_${encoded}`, Buffer.from(`whsec_${encoded}`)],
    [encoded, Buffer.from(encoded, 'base64')],
    ['polar_whs_text', Buffer.from('polar_whs_text')],
    ['1dbfc517-0bbf-4301-9ba8-555ca42b9737', Buffer.from('1dbfc517-0bbf-4301-9ba8-555ca42b9737')],
  ] as const) {
    const { webhookUrl: url } = expectOk(
      await ofOwner(await anAccount(app)).connect(credentials({ webhookSecret: secret })),
    ).body
    const { paid } = anOrder({ net: 1000 })
    assert.equal((await deliverPolar(url, paid, signsBy)).status, 200)
    assertRefused([await deliverPolar(url, paid, Buffer.from(`${secret}x`))])
  }
})

// --- stories

test('an order with tax, refunded in two parts and then in full, ends the same in every order', async () => {
  await inEveryOrder(
    (email) => {
      const order = anOrder({ email, net: 10_000, tax: 1900 })
      const part = order.refund(5000, { status: 'pending' })
      const rest = order.refund(5000)
      return [order.created, order.paid, part.created, part.becomes('succeeded'), rest.created, rest.orderRefunded]
    },
    ([sale, ...others]) => {
      assert.deepEqual(others, [])
      assert.deepEqual([sale?.amount, sale?.taxAmount, sale?.grossAmount], [10_000, 1900, 11_900])
      assert.deepEqual([sale?.refundedAmount, sale?.status, sale?.partnerId], [11_900, 'refunded', partner.id])
    },
  )
})

test('a refund of a payment that only a file has reaches its sale', async () => {
  const order = anOrder({ net: 10_000 })
  const refund = order.refund(4000)
  await fromFile({ externalId: order.id }, [refund.created, refund.orderRefunded!], {
    refunded: 4000,
    status: 'partially-refunded',
  })
})

for (const end of ['failed', 'canceled'])
  test(`a refund that ends as ${end} after it had succeeded restores the commission`, async () => {
    await inEveryOrder(
      (email) => {
        const order = anOrder({ email, net: 10_000 })
        const refund = order.refund(4000)
        return [order.paid, refund.created, refund.orderRefunded, refund.becomes('succeeded'), refund.becomes(end)]
      },
      ([sale]) => assert.deepEqual([sale?.refundedAmount, sale?.status], [0, 'completed']),
      8,
    )
  })

test('a dispute that Polar prevents is a refund like any other', async () => {
  const lead = await aLead()
  const order = anOrder({ email: lead.email, net: 10_000, tax: 1900 })
  const refund = order.refund(10_000, { reason: 'dispute_prevention', dispute: { id: 'dp_1', status: 'prevented' } })
  await deliverAndBook([order.paid, refund.created])
  const [sale] = await salesOf(lead.id)
  assert.deepEqual([sale.refundedAmount, sale.status, sale.refunds[0].kind], [11_900, 'refunded', 'refund'])
})

test('a subscription’s trial is not a sale, its payments are sales of one lead', async () => {
  await inEveryOrder(
    (email) => {
      const subscription = `sub-${email}`
      const trial = anOrder({ email, net: 0, subscription })
      const first = trial.renew({ net: 4900, tax: 490 })
      const second = trial.renew({ net: 5900, tax: 590 })
      const refund = first.refund(4900)
      return [trial.subscriptionCreated(), trial.paid, first.paid, second.paid, refund.created]
    },
    (sales) =>
      assert.deepEqual(
        sales.map(({ amount, refundedAmount }) => [amount, refundedAmount]),
        [
          [4900, 5390],
          [5900, 0],
        ],
      ),
  )
  const { none } = await db.one`select count(*) as none from sales where amount = 5900 and subscription_id is null`
  assert.equal(none, 0)
})

// --- one by one

test('a trial or a free order makes the lead of the partner that its metadata names, before any payment', async () => {
  const metadata = { referral_code: partner.referralCode }
  const facts = { net: 0, name: 'Zoë\n𝒜nder 😀' }
  const about = async (email: string) => db.maybe`
    select first_name, last_name, partner_id from leads where email = ${email}`
  const expected = { firstName: 'Zoë 𝒜nder', lastName: '😀', partnerId: partner.id }
  for (const [email, buildEvent] of [
    [
      anEmail('subscribed'),
      (email: string) =>
        anOrder({ ...facts, email, subscription: 'sub-1', subscriptionMetadata: metadata }).subscriptionCreated(),
    ],
    [anEmail('free'), (email: string) => anOrder({ ...facts, email, metadata }).paid],
  ] as const) {
    await deliverAndBook([buildEvent(email)])
    assert.deepEqual(await about(email), expected)
  }
  // a person without a partner is no lead, as with every provider
  const nobody = anEmail('nobody')
  await deliverAndBook([anOrder({ ...facts, email: nobody }).paid])
  assert.equal(await about(nobody), undefined)
})

test('the partner is named by metadata of the order, its subscription or customer, or by its reference', async () => {
  const code = partner.referralCode
  const named: Partial<PolarOrderFacts>[] = [
    { metadata: { referral_code: code } },
    { metadata: { reference_id: code, plan: 7, trial: true } },
    { subscription: 'sub-2', subscriptionMetadata: { referral_code: code } },
    { subscription: 'sub-3', subscriptionMetadata: { reference_id: code } },
    { customerMetadata: { referral_code: code } },
    { customerMetadata: { reference_id: code } },
  ]
  for (const how of named) {
    const order = anOrder({ email: anEmail('named'), net: 10_000, ...how })
    await deliverAndBook([order.paid])
    const sale = await saleOf(order)
    assert.deepEqual([sale?.credited, sale?.by], [true, 'code'], JSON.stringify(how))
  }
  const bare = anOrder({ email: anEmail('bare'), net: 10_000 })
  await deliverAndBook([bare.paid])
  assert.equal((await saleOf(bare))?.credited, false)
})

test('a promotion code names the partner; a later order of the same customer is theirs too', async () => {
  const body = { code: 'POLAR-25' }
  expectOk(await app.api('POST', `/partners/${partner.id}/promotion-codes`, { token: account.token, body }))
  const items = [{ amount: 12_500, label: 'Seats', price: 'price-2' }, { amount: 0 }, { amount: 3500 }]
  const first = anOrder({ email: anEmail('code'), net: 10_000, discountCode: 'polar-25', items, country: 'at' })
  const later = anOrder({ email: anEmail('elsewhere'), net: 5000, customer: first.customer })
  await deliverAndBook([first.paid, later.paid])
  assert.deepEqual([(await saleOf(first))?.by, (await saleOf(later))?.by], ['coupon', 'customer'])
  const { country, description, lines } = await db.one`
    select country, description, lines from sales where external_id = ${first.id}`
  assert.deepEqual([country, description], ['AT', 'Pro plan'])
  assert.deepEqual(
    (lines as { name: string; amount: number; productId: string; priceId: string }[]).map(
      ({ name, amount, productId, priceId }) => [name, amount, productId, priceId],
    ),
    [
      ['Seats', 7813, 'product-1', 'price-2'],
      ['Pro', 2187, 'product-1', 'price-1'],
    ],
  )
})

test('a customer’s credit is no money: the rest of an order is a payment, pro rata', async () => {
  const credited = anOrder({ net: 10_000, tax: 1900, balance: -5950 })
  const covered = anOrder({ net: 10_000, tax: 1900, balance: -11_900 })
  // the debt for an earlier order, which was a sale of its own
  const indebted = anOrder({ net: 10_000, tax: 1900, balance: 30 })
  const downgraded = anOrder({ net: -5000, tax: -950 })
  await deliverAndBook([credited, covered, indebted, downgraded].map(({ paid }) => paid))
  const sums = async (order: { id: string }) => {
    const sale = await saleOf(order)
    return sale && [sale.net, sale.tax, sale.gross]
  }
  assert.deepEqual(await sums(credited), [5000, 950, 5950])
  assert.deepEqual(await sums(indebted), [10_000, 1900, 11_900])
  assert.deepEqual([await sums(covered), await sums(downgraded)], [undefined, undefined])
})

test('amounts are counted as Stripe counts them, and unreadable ones make no sale', async () => {
  const yen = anOrder({ net: 1000, tax: 100, currency: 'jpy' })
  const krona = anOrder({ net: 100_000, tax: 24_000, currency: 'isk' })
  await deliverAndBook([yen.paid, krona.paid])
  const sums = async (order: { id: string }) => {
    const sale = await saleOf(order)
    return sale && [sale.net, sale.tax, sale.currency]
  }
  assert.deepEqual(
    [await sums(yen), await sums(krona)],
    [
      [1000, 100, 'jpy'],
      [1000, 240, 'isk'],
    ],
  )
  const wrong = ['1e30', '123456789012345678901234567890', '"10000"', '10.5', 'null', '-1']
  for (const text of wrong) {
    const { id, paid } = anOrder({ email: anEmail('odd'), net: 10_000 })
    const { id: eventId, ...content } = paid
    const body = JSON.stringify(content).replace('"net_amount":10000', `"net_amount":${text}`)
    assert.equal((await deliverPolar(connection().webhookUrl, { ...paid, id: eventId }, SECRET, { body })).status, 200)
    await workOff(app)
    assert.equal(await saleOf({ id }), undefined, text)
  }
  const { open } =
    await db.one`select count(*) as open from provider_events where state in ('failed', 'waiting', 'received')`
  assert.equal(open, 0)
  assert.deepEqual(await verifyLedger(db), [])
})

test('a refund of an order before the connection makes no sale, nor does an order that is not paid', async () => {
  const lead = await aLead()
  const order = anOrder({ email: lead.email, net: 10_000 })
  const pending = anOrder({ email: lead.email, net: 5000, status: 'pending' })
  await deliverAndBook([order.refund(4000).created, pending.created])
  assert.deepEqual(await salesOf(lead.id), [])
})

test('events are booked without asking Polar, also while the token is refused', async () => {
  const lead = await aLead()
  const former = polar.key
  polar.rollKey()
  const callsBefore = polar.calls.length
  await deliverAndBook([anOrder({ email: lead.email, net: 10_000 }).paid])
  assert.deepEqual([(await salesOf(lead.id)).length, polar.calls.length], [1, callsBefore])
  const { check, change } = ofOwner(account)
  const { id } = connection()
  const { state, stateReason } = expectOk(await check(id)).body
  assert.equal(state, 'attention')
  assert.match(stateReason, /Polar no longer accepts the key: The access token provided is expired/)
  assert.notEqual(former, polar.key)
  assert.equal(expectOk(await change(id, { credentials: { accessToken: polar.key } })).body.state, 'connected')
})

test('an event told twice, or as two deliveries, is one sale', async () => {
  const lead = await aLead()
  const { paid } = anOrder({ email: lead.email, net: 10_000 })
  await deliver([paid, paid, { ...paid, id: 'another-delivery' }])
  await workOff(app, { atOnce: true })
  assert.equal((await salesOf(lead.id)).length, 1)
})
