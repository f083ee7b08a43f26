import assert from 'node:assert/strict'
import { test } from 'node:test'
import { standInPaddle } from '../../../../test/fakes/paddle.ts'
import {
  deliverPaddle,
  type PaddleEvent,
  paddleEvent,
  paddleId,
  paddleTransaction,
} from '../../../../test/fakes/paddle-events.ts'
import { anAccount, anEmail, expectOk, type TestAccount } from '../../../../test/support/app.ts'
import {
  assertRefused,
  assertUnavailable,
  connectProvider,
  startWithProvider,
  workOff,
} from '../../../../test/support/payment-providers.ts'
import { aShop } from '../../../../test/support/provider-stories.ts'
import { verifyLedger } from '../../../program/stats/verify.ts'

// Paddle as it really is: keys that name no account, amounts as text, customers apart, adjustments with a state.

const paddle = await standInPaddle()
const app = await startWithProvider('paddle', paddle, { config: { allowPrivateWebhookTargets: true } })
const { db } = app.services
const { store } = paddle
const SECRET = 'pdl_ntfset_01connected_Connected0000000000000001'
const connecting = (owner: TestAccount, more: object = { webhookSecret: SECRET }) =>
  connectProvider(app, owner, { provider: 'paddle', credentials: { apiKey: paddle.key, ...more } })
const paths = (owner: TestAccount) => `/accounts/${owner.id}/payment-providers`

const { account, partner, aLead, salesOf, deliver, deliverAndBook, fromFile, inEveryOrder, reconnect, connection } =
  await aShop<PaddleEvent>(
    app,
    async (owner) => expectOk(await connecting(owner)).body,
    (url, event) => deliverPaddle(url, event, SECRET),
  )
const aCode = async (code: string) =>
  expectOk(await app.api('POST', `/partners/${partner.id}/promotion-codes`, { token: account.token, body: { code } }))

test('a customer of before, whom a partner refers, earns nobody anything; a new one earns', async () => {
  for (const isOld of [true, false]) {
    const email = anEmail('buyer')
    const customer = paddleId('ctm')
    const lead = await aLead(email)
    if (isOld) paddleTransaction({ amount: 1000, email, customer, at: new Date(Date.now() - 400 * 86_400_000), store })
    const payment = paddleTransaction({ amount: 1000, email, customer, store })
    await deliverAndBook([payment.completed])
    const { status } = await db.one`select status from leads where id = ${lead.id}`
    assert.equal(status, isOld ? 'rejected' : 'won')
  }
})

// --- connecting

test('connecting checks the key, and Paddle creates the webhook and its secret', async () => {
  const owner = await anAccount(app)
  const made = expectOk(await connecting(owner, {})).body
  assert.deepEqual(
    [made.state, made.webhookSecretSet, made.accountName, made.providerAccountIdentifier],
    ['connected', true, null, null],
  )
  const [destination] = paddle.destinations()
  assert.equal(destination?.destination, made.webhookUrl)
  assert.deepEqual(destination?.settings, {
    ...{ description: 'Tributary', type: 'url', destination: made.webhookUrl, api_version: 1 },
    traffic_source: 'platform',
    subscribed_events: ['transaction.completed', 'adjustment.created', 'adjustment.updated', 'subscription.created'],
  })
  const { completed } = paddleTransaction({ amount: 1000, store })
  assert.deepEqual(
    (await paddle.send(completed)).map(({ status }) => status),
    [200],
  )
  const again = await connecting(owner, {})
  assert.deepEqual([again.status, again.body.error.code], [409, 'duplicate'])
  const { token } = owner
  expectOk(await app.api('DELETE', `${paths(owner)}/disconnect`, { token, body: { connectionId: made.id } }))
  assert.deepEqual(paddle.destinations(), [])
})

test('a key is refused at its field, in Paddle’s words', async () => {
  const owner = await anAccount(app)
  const readRefusal = async (credentials: object) => {
    const { status, body } = await connectProvider(app, owner, { provider: 'paddle', credentials })
    return [status, body.error.fields]
  }
  const refused = 'Authentication header included, but incorrectly formatted'
  const [status, fields] = await readRefusal({ apiKey: 'pdl_sdbx_apikey_01strange_AbC' })
  assert.deepEqual([status, fields], [422, { 'credentials.apiKey': refused }])
  const [, malformed] = await readRefusal({ apiKey: 'rk_live_1234', webhookSecret: 'whsec_1' })
  assert.deepEqual(malformed, {
    'credentials.apiKey': 'Enter an API key. It begins with pdl_live_apikey_ or pdl_sdbx_apikey_',
    'credentials.webhookSecret': 'Enter the destination’s secret key. It begins with pdl_ntfset_',
  })
  for (const right of ['transactions', 'adjustments', 'customers', 'events']) {
    paddle.forbid(right)
    const [, fields] = await readRefusal({ apiKey: paddle.key })
    paddle.allow(right)
    assert.deepEqual(fields, { 'credentials.apiKey': "You aren't permitted to perform this request." }, right)
  }
  const { items } = expectOk(await app.api('GET', paths(owner), { token: owner.token })).body
  assert.deepEqual(items, [])
})

test('nothing is connected while Paddle returns no usable response', async () => {
  const owner = await anAccount(app)
  const html = { status: 200, body: '<!doctype html>' }
  const failures = [{ status: 500 }, { status: 429, retryAfter: 60 }, html, 'reset-before'] as const
  await assertUnavailable(paddle, /transactions/, failures, () => connecting(owner))
})

test('the owner creates a webhook that Paddle refuses to create', async () => {
  const owner = await anAccount(app)
  paddle.forbid('POST notification-settings')
  const made = expectOk(await connecting(owner, {})).body
  paddle.allow('POST notification-settings')
  assert.deepEqual([made.state, made.webhookSecretSet], ['attention', false])
  assert.match(made.stateReason, /Paddle didn’t let us create the endpoint: You aren't permitted/)
  const { body } = expectOk(
    await app.api('PATCH', `${paths(owner)}/${made.id}`, { token: owner.token, body: { webhookSecret: SECRET } }),
  )
  assert.equal(body.state, 'connected')
})

// --- signatures

test('an event not signed by Paddle, or not recently, is refused and leaves nothing', async () => {
  const owner = await anAccount(app)
  const { webhookUrl: url } = expectOk(await connecting(owner)).body
  const { completed: event } = paddleTransaction({ amount: 1000, store })
  const now = Math.floor(app.clock.now().getTime() / 1000)
  const body = JSON.stringify(event)
  const { signature } = await deliverPaddle(`${app.url}/hooks/providers/paddle/nobody`, event, SECRET)
  const tries = [
    await deliverPaddle(url, event, 'pdl_ntfset_another'),
    await deliverPaddle(url, event, SECRET, { body: body.replace('1000', '9000'), signature }),
    await deliverPaddle(url, event, SECRET, { body: `${body}\n`, signature }),
    await deliverPaddle(url, event, SECRET, { at: now - 301 }),
    await deliverPaddle(url, event, SECRET, { at: now + 330 }),
    await deliverPaddle(url, event, SECRET, { signature: null }),
    await deliverPaddle(url, event, SECRET, { signature: `ts=${now}` }),
    await deliverPaddle(url, event, SECRET, { signature: `ts=${now};h1=` }),
    await deliverPaddle(url, event, SECRET, { signature: signature!.replace(/ts=\d+;/, '') }),
    await deliverPaddle(url, event, SECRET, { body: 'not json' }),
    await deliverPaddle(url, event, SECRET, { body: '[]' }),
    await deliverPaddle(url, { ...event, occurred_at: 'lately' }, SECRET),
  ]
  assertRefused(tries)
  const kept = () => db.many<{ state: string }>`
    select e.state from provider_events e join provider_shops s on s.id = e.shop_id where s.account_id = ${owner.id}`
  assert.deepEqual(await kept(), [])
  for (const secrets of [
    [SECRET, 'pdl_ntfset_new'],
    ['pdl_ntfset_former', SECRET],
  ])
    assert.equal((await deliverPaddle(url, event, '', { secrets })).status, 200)
  assert.equal((await deliverPaddle(url, event, SECRET)).status, 200)
  assert.equal((await deliverPaddle(url, paddleEvent('transaction.paid', event.data), SECRET)).status, 200)
  assert.deepEqual(await kept(), [{ state: 'received' }, { state: 'ignored' }])
})

// --- stories

test('one payment with tax, refunded in two parts and then in full, ends the same in every order', async () => {
  await inEveryOrder(
    (email) => {
      const payment = paddleTransaction({ email, amount: 11_900, tax: 1900, store })
      const half = payment.adjust('refund', 5000, { status: 'pending_approval' })
      const rest = payment.adjust('refund', 6900)
      return [payment.paid, payment.completed, half.created, half.becomes('approved'), rest.created]
    },
    ([sale, ...others]) => {
      assert.deepEqual(others, [])
      assert.deepEqual([sale?.amount, sale?.taxAmount, sale?.grossAmount], [10_000, 1900, 11_900])
      assert.deepEqual([sale?.refundedAmount, sale?.status], [11_900, 'refunded'])
    },
  )
})

test('a refund of a payment that only a file has reaches its sale', async () => {
  const half = paddleTransaction({ amount: 10_000, store })
  await fromFile({ externalId: half.id }, [half.adjust('refund', 5000).created], {
    refunded: 5000,
    status: 'partially-refunded',
  })
  const lost = paddleTransaction({ amount: 10_000, store })
  await fromFile({ externalId: lost.id }, [lost.adjust('chargeback', 10_000).created], {
    refunded: 10_000,
    status: 'charged-back',
  })
})

test('a subscription’s trial is not a sale, its payments are sales of one lead', async () => {
  await inEveryOrder(
    (email) => {
      const subscription = paddleId('sub')
      const trial = paddleTransaction({ email, amount: 0, subscription, origin: 'web', store })
      const first = trial.renew({ amount: 12_000, tax: 2000 })
      const second = trial.renew({ amount: 6000, tax: 1000 })
      return [trial.subscriptionCreated(true), trial.completed, first.completed, second.completed]
    },
    (sales) =>
      assert.deepEqual(
        sales.map(({ amount, status }) => [amount, status]),
        [
          [5000, 'completed'],
          [10_000, 'completed'],
        ],
      ),
    15,
  )
})

test('a refund that Paddle does not approve has no effect', async () => {
  await inEveryOrder(
    (email) => {
      const payment = paddleTransaction({ email, amount: 10_000, store })
      const refund = payment.adjust('refund', 4000, { status: 'pending_approval' })
      return [payment.completed, refund.created, refund.becomes('rejected')]
    },
    ([sale]) => assert.deepEqual([sale?.refundedAmount, sale?.status], [0, 'completed']),
    12,
  )
})

test('a chargeback after a partial refund reverses the rest', async () => {
  await inEveryOrder(
    (email) => {
      const payment = paddleTransaction({ email, amount: 10_000, store })
      return [
        payment.completed,
        payment.adjust('refund', 3000).created,
        payment.adjust('chargeback_warning', 7000).created,
        payment.adjust('chargeback', 7000).created,
      ]
    },
    ([sale]) => assert.deepEqual([sale?.refundedAmount, sale?.status, sale?.disputed], [10_000, 'charged-back', false]),
  )
})

for (const source of ['by both', 'by its status', 'by an adjustment'] as const)
  test(`a chargeback that is won restores the commission: reported ${source}`, async () => {
    await inEveryOrder(
      (email) => {
        const payment = paddleTransaction({ email, amount: 10_000, store })
        const chargeback = payment.adjust('chargeback', 7000)
        return [
          payment.completed,
          payment.adjust('refund', 3000).created,
          chargeback.created,
          source === 'by an adjustment' ? null : chargeback.becomes('reversed'),
          source === 'by its status' ? null : payment.adjust('chargeback_reverse', 7000).created,
        ]
      },
      ([sale]) => assert.deepEqual([sale?.refundedAmount, sale?.status], [3000, 'partially-refunded']),
      12,
    )
  })

test('a booked chargeback is reversed in full, and only once', async () => {
  const lead = await aLead()
  const payment = paddleTransaction({ email: lead.email, amount: 10_000, store })
  const chargeback = payment.adjust('chargeback', 10_000)
  const standing = async () => {
    const [sale] = await salesOf(lead.id)
    const left = sale.commissions.reduce((sum: number, { amount }: { amount: number }) => sum + amount, 0)
    return [sale.status, left]
  }
  const reversed = [chargeback.becomes('reversed'), payment.adjust('chargeback_reverse', 10_000).created]
  for (const [events, expected] of [
    [[payment.completed], ['completed', 2500]],
    [[chargeback.created], ['charged-back', 0]],
    [reversed, ['completed', 2500]],
    [
      [chargeback.created, ...reversed],
      ['completed', 2500],
    ],
  ] as const) {
    await deliverAndBook([...events])
    assert.deepEqual(await standing(), expected)
  }
})

test('a warning holds the commission until it is reversed', async () => {
  const lead = await aLead()
  const payment = paddleTransaction({ email: lead.email, amount: 10_000, store })
  const warning = payment.adjust('chargeback_warning', 10_000)
  await deliverAndBook([payment.completed, warning.created])
  const [held] = await salesOf(lead.id)
  assert.deepEqual([held.status, held.refundedAmount], ['disputed', 0])
  await deliverAndBook([payment.adjust('chargeback_warning_reverse', 10_000).created])
  const [released] = await salesOf(lead.id)
  assert.deepEqual([released.status, released.refundedAmount], ['completed', 0])
})

test('a refund of tax alone leaves the commission unchanged', async () => {
  await inEveryOrder(
    (email) => {
      const payment = paddleTransaction({ email, amount: 12_000, tax: 2000, store })
      return [
        payment.completed,
        payment.adjust('refund', 2000, { tax: 2000 }).created,
        payment.adjust('refund', 5000, { tax: 0 }).created,
      ]
    },
    ([sale]) => {
      assert.deepEqual([sale?.amount, sale?.taxAmount, sale?.grossAmount], [10_000, 0, 10_000])
      assert.deepEqual([sale?.refundedAmount, sale?.status], [5000, 'partially-refunded'])
    },
    10,
  )
})

test('a refund of the rest of the tax after a partial refund leaves the commission unchanged', async () => {
  await inEveryOrder(
    (email) => {
      const payment = paddleTransaction({ email, amount: 12_000, tax: 2000, store })
      return [
        payment.completed,
        payment.adjust('refund', 6000, { tax: 1000 }).created,
        payment.adjust('refund', 1000, { tax: 1000 }).created,
      ]
    },
    ([sale]) => {
      assert.deepEqual([sale?.amount, sale?.taxAmount, sale?.grossAmount], [10_000, 0, 10_000])
      assert.deepEqual([sale?.refundedAmount, sale?.status], [5000, 'partially-refunded'])
    },
    10,
  )
})

// --- single rules

test('a payment by credit is not another sale, and granting credit is not a refund', async () => {
  const lead = await aLead()
  const first = paddleTransaction({ email: lead.email, amount: 12_000, tax: 2000, store })
  const upgrade = first.renew({ amount: 6000, tax: 1000, credit: 4500 })
  const free = first.renew({ amount: 3000, tax: 500, credit: 3000 })
  await deliverAndBook([first.completed, first.adjust('credit', 7500).created, upgrade.completed, free.completed])
  const sales = await salesOf(lead.id)
  assert.deepEqual(
    sales.map(({ amount, taxAmount, grossAmount, refundedAmount }: Record<string, unknown>) => [
      ...[amount, taxAmount, grossAmount, refundedAmount],
    ]),
    [
      [1250, 250, 1500, 0],
      [10_000, 2000, 12_000, 0],
    ],
  )
})

test('custom data names the partner of a payment, and renewals carry it', async () => {
  const subscription = paddleId('sub')
  const customData = { referral_code: partner.referralCode, plan: { name: 'pro' }, nothing: null }
  const first = paddleTransaction({ email: anEmail('coded'), amount: 10_000, customData, subscription, store })
  const renewal = first.renew({ amount: 5000, customer: null })
  await deliverAndBook([renewal.completed, first.completed])
  const sold = await db.many`
    select external_id, partner_id, matched_by, subscription_id, customer_id, description from sales
    where subscription_id = ${subscription} order by amount`
  const own = { partnerId: partner.id, subscriptionId: subscription, description: 'AeroEdit Pro' }
  assert.deepEqual(sold, [
    { externalId: renewal.id, ...own, matchedBy: 'code', customerId: null },
    { externalId: first.id, ...own, matchedBy: 'code', customerId: first.customerId },
  ])
})

test('a promotion code names the partner of a payment; a key that may not read discounts stores only their IDs', async () => {
  await aCode('SUMMER-25')
  const coded = paddleTransaction({ email: anEmail('code'), amount: 10_000, promotionCode: 'summer-25', store })
  const unread = paddleTransaction({ email: anEmail('code'), amount: 5000, promotionCode: 'SUMMER-25', store })
  await deliver([coded.completed])
  paddle.fail(/discounts/, { status: 500 })
  await assert.rejects(workOff(app))
  await workOff(app)
  paddle.forbid('discounts')
  await deliverAndBook([unread.completed])
  paddle.allow('discounts')
  const sold = await db.many`
    select partner_id, matched_by from sales where external_id = any(${[coded.id, unread.id]}) order by amount`
  assert.deepEqual(sold, [
    { partnerId: null, matchedBy: null },
    { partnerId: partner.id, matchedBy: 'coupon' },
  ])
})

test('a trial creates the lead before any payment', async () => {
  const email = anEmail('trying')
  const customData = { referral_code: partner.referralCode }
  const trial = paddleTransaction({
    email,
    name: 'Zoë\n𝒜nder 😀',
    amount: 0,
    customData,
    subscription: paddleId('sub'),
    store,
  })
  await deliverAndBook([trial.subscriptionCreated(true)])
  const lead = await db.one`select first_name, last_name, partner_id from leads where email = ${email}`
  assert.deepEqual(lead, { firstName: 'Zoë 𝒜nder', lastName: '😀', partnerId: partner.id })
})

test('an adjustment of a transaction before the connection creates no sale', async () => {
  const lead = await aLead()
  const payment = paddleTransaction({ email: lead.email, amount: 10_000, store })
  await deliverAndBook([payment.adjust('refund', 4000).created])
  assert.deepEqual(await salesOf(lead.id), [])
  assert.deepEqual(await verifyLedger(db), [])
})

test('amounts are whole in currencies without minor units, and invalid ones are ignored', async () => {
  const lead = await aLead()
  const yen = paddleTransaction({ email: lead.email, amount: 1100, tax: 100, currency: 'jpy', store })
  const odd = paddleTransaction({ email: lead.email, amount: 1000, store })
  const { details } = odd.completed.data as { details: { totals: Record<string, string> } }
  details.totals.grand_total = '10.00'
  await deliverAndBook([yen.completed, odd.completed])
  const [sale, ...others] = await salesOf(lead.id)
  assert.deepEqual([sale.amount, sale.taxAmount, sale.currency, others], [1000, 100, 'jpy', []])
})

test('a payment waits while Paddle does not name its customer; a customer deleted there delays nothing', async () => {
  const lead = await aLead()
  const payment = paddleTransaction({ email: lead.email, amount: 10_000, store })
  await deliver([payment.completed])
  for (const failure of [{ status: 429, retryAfter: 60 }, { status: 500 }, 'garbage', 'reset-after'] as const) {
    paddle.fail(/customers/, failure)
    await assert.rejects(workOff(app))
    assert.deepEqual(await salesOf(lead.id), [])
  }
  await workOff(app)
  assert.equal((await salesOf(lead.id)).length, 1)

  const forgotten = paddleTransaction({ amount: 5000, store })
  store.delete(String(forgotten.customerId))
  await deliverAndBook([forgotten.completed])
  const [sale] = await db.many`select lead_id, amount from sales where external_id = ${forgotten.id}`
  assert.deepEqual(sale, { leadId: null, amount: 5000 })
})

test('the key of another seller reveals nothing about the former one’s events', async () => {
  for (const replace of ['connects anew', 'enters another key'] as const) {
    const lead = await aLead()
    const payment = paddleTransaction({ email: lead.email, amount: 10_000, store })
    await deliver([payment.completed])
    const { token } = account
    const things = [String(payment.customerId), payment.id].map((id) => [id, store.get(id)!] as const)
    for (const [id] of things) store.delete(id)
    if (replace === 'connects anew') await reconnect()
    else {
      paddle.rollKey()
      await workOff(app)
      const body = { credentials: { apiKey: paddle.key } }
      expectOk(await app.api('PATCH', `${paths(account)}/${connection().id}`, { token, body }))
    }
    await workOff(app)
    assert.deepEqual(await db.many`select from sales where external_id = ${payment.id}`, [])
    const [shown] = expectOk(await app.api('GET', paths(account), { token })).body.items
    assert.match(shown.stateReason, /One event waits for a key/)
    for (const [id, thing] of things) store.set(id, thing)
    await workOff(app)
    assert.equal((await salesOf(lead.id)).length, 1)
  }
})

test('payments wait for a new key when theirs was rotated', async () => {
  const lead = await aLead()
  const payment = paddleTransaction({ email: lead.email, amount: 10_000, store })
  paddle.rollKey()
  await deliverAndBook([payment.completed])
  assert.deepEqual(await salesOf(lead.id), [])
  const { token } = account
  const [shown] = expectOk(await app.api('GET', paths(account), { token })).body.items
  assert.equal(shown.state, 'attention')
  assert.match(shown.stateReason, /Paddle no longer accepts the key.*One event waits for a key/)
  expectOk(
    await app.api('PATCH', `${paths(account)}/${connection().id}`, {
      token,
      body: { credentials: { apiKey: paddle.key } },
    }),
  )
  await workOff(app)
  assert.equal((await salesOf(lead.id)).length, 1)
})
