import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { couponFields } from '#server/integrations/payment-providers/stripe/codes.ts'
import { readConfig } from '#server/platform/config/config.ts'
import { relayOnce } from '#server/platform/events/relay.ts'
import { standInShopify } from '#test/fakes/shopify.ts'
import { fakeStripe } from '#test/fakes/stripe.ts'
import { stripeId, stripePayment } from '#test/fakes/stripe-events.ts'
import { standInWooCommerce } from '#test/fakes/woocommerce.ts'
import { anAccount, anEmail, aPartner, expectOk, type TestAccount, turnableClock } from '#test/support/app.ts'
import { listSeeds, randomFrom } from '#test/support/model-test.ts'
import {
  aConnection,
  createConnectionCalls,
  deliverAll,
  startWithProvider,
  workOff,
} from '#test/support/payment-providers.ts'
import { buildCodeCandidate } from './code-candidates.ts'
import { codeListener, workOnCode } from './make-codes.ts'

// Promotion codes made at the provider: rights, candidates, lost answers, and a partner's suspension.

const shop = await standInShopify({ scopes: ['read_orders', 'write_discounts'] })
const stripe = await fakeStripe()
after(() => shop.close())
const clock = turnableClock()
const { providers } = readConfig({})
const app = await startWithProvider('stripe', stripe, {
  clock,
  config: {
    allowPrivateWebhookTargets: true,
    providers: {
      ...providers,
      stripe: { ...providers.stripe, apiUrl: stripe.url },
      shopify: { ...providers.shopify, apiUrl: shop.url },
    },
  },
})
const { services } = app
const { db } = services

type Rule = { when?: 'approval' | 'asking'; pattern?: string; percentOff?: number; amountOff?: number }

const aCoupon = (id = stripeId('coupon')) => {
  stripe.store.set(id, { id, object: 'coupon', name: 'Partners 10%', valid: true, created: 1, livemode: false })
  return id
}
const saveRule = (account: TestAccount, connectionId: string, rule: object | null) =>
  app.api('PUT', `/accounts/${account.id}/payment-providers/${connectionId}/code-rule`, {
    token: account.token,
    body: { rule },
  })

async function aProgram(rule: Rule = {}) {
  const account = await anAccount(app)
  const connection = await aConnection(app, account, stripe)
  const couponId = aCoupon()
  expectOk(await saveRule(account, connection.id, { when: 'approval', pattern: '{name}', couponId, ...rule }))
  return { account, connection, couponId }
}

/** Relays events and makes every call that is due, as the worker does. */
async function work({ twice = false } = {}) {
  while ((await relayOnce(services, [codeListener])) > 0);
  const due = await db.many<{ accountId: string; codeId: string }>`
    select account_id, id as code_id from made_codes where next_at <= ${clock.now()} order by id`
  await Promise.all((twice ? [...due, ...due] : due).map((one) => workOnCode(services, one)))
}

const listed = async ({ id, token }: TestAccount, query = '') =>
  expectOk(await app.api('GET', `/accounts/${id}/promotion-codes?sort=createdAt${query}`, { token })).body
    .items as Record<string, string>[]
const atStripe = (of: { id: string }) =>
  [...stripe.store.values()].filter(
    ({ object, metadata }) =>
      object === 'promotion_code' && (metadata as Record<string, string>).tributary_partner === of.id,
  )
const setState = (account: TestAccount, { id }: { id: string }, state: string) =>
  app.api('PUT', `/partners/${id}`, { token: account.token, body: { state } })
/** A name that no other test uses at the shared stand-in. */
let names = 0
const aName = () =>
  `Nora${String.fromCharCode(97 + (names++ % 26))}${stripeId('')
    .replace(/[^a-z]/g, '')
    .slice(0, 8)}`

test('a code is made when a partner joins, and its sales credit them', async () => {
  const { account, connection, couponId } = await aProgram()
  const firstName = aName()
  const partner = await aPartner(app, account, { firstName })
  await work()
  const [made] = atStripe(partner)
  const code = firstName.toUpperCase().slice(0, 20)
  assert.deepEqual([made!.code, made!.active, made!.coupon], [code, true, couponId])
  const [row] = await listed(account)
  assert.deepEqual([row!.code, row!.source, row!.state, row!.partnerId], [code, 'stripe', 'active', partner.id])

  const payment = stripePayment({ email: anEmail(), amount: 5000, promotionCode: made!.id, store: stripe.store })
  await deliverAll(connection, [payment.checkoutCompleted, payment.chargeSucceeded])
  await workOff(app)
  const [sold] = await listed(account)
  assert.deepEqual([sold!.sales, sold!.revenue], [1, 5000])
  const { items } = expectOk(await app.api('GET', `/accounts/${account.id}/sales`, { token: account.token })).body
  assert.deepEqual([items[0].partnerId, items[0].matchedBy], [partner.id, 'coupon'])
})

test('numbers of a pattern without names go on from the last one, without trying those before', async () => {
  const prefix = stripeId('')
    .replace(/[^a-z]/g, '')
    .slice(0, 8)
    .toUpperCase()
  const { account } = await aProgram({ pattern: `${prefix}{number}` })
  const partners = [await aPartner(app, account), await aPartner(app, account)]
  await work()
  const [first] = await listed(account)
  expectOk(
    await app.api('DELETE', `/partners/${partners[0]!.id}/promotion-codes/${first!.id}`, { token: account.token }),
  )
  await work()
  await aPartner(app, account)
  await work()
  assert.deepEqual(
    (await listed(account)).map(({ code }) => code),
    [2, 3].map((number) => `${prefix}${number}`),
  )
})

test('the next free code is found among thousands, also where numbers have outgrown the pattern', {
  timeout: 60_000,
}, async () => {
  const letters = (length: number) =>
    stripeId('')
      .replace(/[^a-z]/g, '')
      .slice(0, length)
      .padEnd(length, 'x')
      .toUpperCase()
  const [word, firstName] = [letters(16), letters(8)]
  for (const [pattern, taken, next] of [
    [`${word}{number}`, word, `${word.slice(0, 15)}10001`],
    ['{name}', firstName, `${firstName}10000`],
  ] as const) {
    const { account } = await aProgram({ pattern })
    const { id } = await aPartner(app, account)
    await db.run`
      insert into promotion_codes (id, account_id, partner_id, code, used_code, created_at)
      select gen_random_uuid(), ${account.id}, ${id}, ${taken} || n, ${taken} || n, ${db.now}
      from unnest(array['']::text[] || array(select n::text from generate_series(1, 9999) n)) n`
    const partner = await aPartner(app, account, { firstName })
    await work()
    assert.deepEqual(
      atStripe(partner).map(({ code }) => code),
      [next],
    )
  }
})

test('a partner asks for a code once; while it is made it credits nobody and is not shown to them', async () => {
  const { account } = await aProgram({ when: 'asking' })
  const partner = await aPartner(app, account, { firstName: aName() }, { signIn: true })
  await work()
  assert.deepEqual(atStripe(partner), [])
  const path = `/partners/${partner.id}/promotion-code-offer`
  const offer = async (method = 'GET') => expectOk(await app.api(method, path, { token: partner.token })).body
  assert.deepEqual(await offer(), { offered: true, waiting: false })
  assert.deepEqual(await offer('POST'), { offered: false, waiting: true })
  assert.deepEqual(await offer('POST'), { offered: false, waiting: true })
  const own = async () =>
    expectOk(await app.api('GET', `/partners/${partner.id}/promotion-codes`, { token: partner.token })).body.total
  assert.equal(await own(), 0)
  await work({ twice: true })
  assert.equal(atStripe(partner).length, 1)
  assert.equal(await own(), 1)
  assert.deepEqual(await offer(), { offered: false, waiting: false })
  const refused = await app.api('POST', path, { token: partner.token })
  assert.deepEqual([refused.status, refused.body.error.reason], [409, 'code_not_offered'])
})

test('a code that is taken at the provider takes the next number; after five the owner is told and tries again', async () => {
  const { account } = await aProgram()
  const firstName = aName()
  const taken = (from: number, to: number) => {
    for (let turn = from; turn <= to; turn++) {
      const code = buildCodeCandidate({ pattern: '{name}' }, { firstName, lastName: null, referralCode: '' }, turn)
      const id = stripeId('promo')
      const foreign = {
        ...{ id, object: 'promotion_code', created: 1, active: true },
        code: code.toLowerCase(),
        metadata: {},
      }
      stripe.store.set(id, { ...foreign, livemode: false })
    }
  }
  taken(0, 4)
  const partner = await aPartner(app, account, { firstName })
  await work()
  const [failed] = await listed(account)
  assert.deepEqual([failed!.state, /already has/.test(failed!.stateReason!)], ['failed', true])
  const retry = () =>
    app.api('POST', `/partners/${partner.id}/promotion-codes/${failed!.id}/retries`, { token: account.token })
  taken(5, 5)
  expectOk(await retry())
  await work()
  const [made] = await listed(account)
  assert.deepEqual([made!.state, made!.code], ['active', `${firstName.toUpperCase()}7`.slice(-20)])
  assert.deepEqual((await retry()).body.error.reason, 'code_not_failed')
  const foreign = [...stripe.store.values()].filter(
    ({ object, metadata }) => object === 'promotion_code' && !(metadata as Record<string, string>).tributary_code,
  )
  assert.ok(foreign.every(({ active }) => active))
})

test('the key is checked when codes are switched on, and the owner reads what to add', async () => {
  const account = await anAccount(app)
  const connection = await aConnection(app, account, stripe)
  const rule = { when: 'approval', pattern: '{name}10', couponId: aCoupon() }
  stripe.forbid('promotion_codes')
  const refused = await saveRule(account, connection.id, rule)
  stripe.allow('promotion_codes')
  assert.deepEqual([refused.status, refused.body.error.reason], [409, 'code_right_missing'])
  assert.match(refused.body.error.message, /write access to Coupons and Promotion Codes/)
  const path = `/accounts/${account.id}/payment-providers/${connection.id}/coupons`
  const coupons = expectOk(await app.api('GET', path, { token: account.token })).body.items
  assert.ok(coupons.some(({ id, name }: Record<string, string>) => id === rule.couponId && name === 'Partners 10%'))
  for (const [wrong, field] of [
    [{ ...rule, couponId: 'other' }, 'rule.couponId'],
    [{ ...rule, pattern: 'SAME10' }, 'rule.pattern'],
    [{ ...rule, pattern: '{name}-10' }, 'rule.pattern'],
  ] as const)
    assert.deepEqual(Object.keys((await saveRule(account, connection.id, wrong)).body.error.fields), [field])
  assert.deepEqual(expectOk(await saveRule(account, connection.id, rule)).body.codeRule.pattern, '{name}10')
  assert.equal(expectOk(await saveRule(account, connection.id, null)).body.codeRule, null)
})

test('at Shopify a discount is made once, found again after a lost answer, and turned off and on with its partner', async () => {
  const account = await anAccount(app)
  const owner = createConnectionCalls(app, account, 'shopify')
  const connection = expectOk(await owner.connect(shop.credentials)).body
  shop.scopes.delete('write_discounts')
  const rule = { when: 'approval', pattern: '{name}{number}', percentOff: 10 }
  assert.match((await saveRule(account, connection.id, rule)).body.error.message, /write_discounts/)
  shop.scopes.add('write_discounts')
  assert.deepEqual(
    Object.keys((await saveRule(account, connection.id, { ...rule, amountOff: 500 })).body.error.fields),
    ['rule.percentOff'],
  )
  expectOk(await saveRule(account, connection.id, rule))
  const partner = await aPartner(app, account, { firstName: 'Zoë' })
  shop.fail('POST /admin/api/2026-01/graphql.json', 'reset-after')
  await work()
  assert.equal((await listed(account))[0]!.state, 'waiting')
  clock.advance(60_000)
  await work()
  const own = [...shop.discounts.values()]
  assert.deepEqual(
    own.map(({ code, active }) => [code, active]),
    [['ZOE1', true]],
  )
  assert.deepEqual(own[0]!.input.customerGets, { value: { percentage: 0.1 }, items: { all: true } })
  expectOk(await setState(account, partner, 'suspended'))
  await work()
  assert.deepEqual([shop.discounts.get(own[0]!.id)!.active, (await listed(account))[0]!.state], [false, 'paused'])
  expectOk(await setState(account, partner, 'active'))
  await work()
  assert.equal(shop.discounts.get(own[0]!.id)!.active, true)
  const [row] = await listed(account)
  expectOk(await app.api('DELETE', `/partners/${partner.id}/promotion-codes/${row!.id}`, { token: account.token }))
  await work()
  assert.equal(shop.discounts.get(own[0]!.id)!.active, false)
  assert.deepEqual(await db.many`select id from made_codes where account_id = ${account.id}`, [])
})

test('at WooCommerce a coupon is made once, found again after a lost answer, and expires while its partner is suspended', async () => {
  const store = await standInWooCommerce()
  after(() => store.close())
  const account = await anAccount(app)
  const connection = expectOk(await createConnectionCalls(app, account, 'woocommerce').connect(store.credentials)).body
  const rule = { when: 'approval', pattern: '{name}{number}', percentOff: 12.5 }
  store.settings.permissions = 'read'
  assert.match(
    (await saveRule(account, connection.id, rule)).body.error.message,
    /permissions\. Give the key .* Read\/Write/,
  )
  store.settings.permissions = 'read_write'
  expectOk(await saveRule(account, connection.id, rule))
  assert.equal(store.coupons.size, 0)
  // the shop's own
  store.coupons.set(1, { id: 1, code: 'zoe1', meta_data: [], date_expires: null })
  const partner = await aPartner(app, account, { firstName: 'Zoë' })
  store.fail((call) => call.method === 'POST' && call.body.code === 'ZOE2', 'reset-after')
  await work()
  assert.equal((await listed(account))[0]!.state, 'waiting')
  clock.advance(60_000)
  await work()
  const own = () => [...store.coupons.values()].filter(({ id }) => id !== 1)
  const { code, discount_type, amount, usage_limit_per_user, date_expires } = own()[0]!
  assert.deepEqual(
    [own().length, code, discount_type, amount, usage_limit_per_user, date_expires],
    [1, 'zoe2', 'percent', '12.5', 1, null],
  )
  expectOk(await setState(account, partner, 'suspended'))
  await work()
  assert.deepEqual([own()[0]!.date_expires, (await listed(account))[0]!.state], ['2000-01-01T00:00:00', 'paused'])
  expectOk(await setState(account, partner, 'active'))
  await work()
  assert.equal(own()[0]!.date_expires, null)
  const [row] = await listed(account)
  assert.equal(row!.source, 'woocommerce')
  expectOk(await app.api('DELETE', `/partners/${partner.id}/promotion-codes/${row!.id}`, { token: account.token }))
  await work()
  assert.equal(own()[0]!.date_expires, '2000-01-01T00:00:00')
  assert.equal(store.coupons.get(1)!.date_expires, null)

  expectOk(await saveRule(account, connection.id, { when: 'approval', pattern: '{name}', amountOff: 1050 }))
  await aPartner(app, account, { firstName: 'Kim' })
  await work()
  const { discount_type: type, amount: off } = own().find((one) => one.code === 'kim')!
  assert.deepEqual([type, off], ['fixed_cart', '10.50'])
})

test('the first rule for a partner’s group makes the code; one of a customer is for first purchases alone', async () => {
  const account = await anAccount(app)
  const connection = await aConnection(app, account, stripe)
  const post = async (path: string, body: object) =>
    expectOk(await app.api('POST', path, { token: account.token, body })).body
  const home = `/accounts/${account.id}`
  const units = { as: 'units', unitName: 'credits', unitValue: 100 }
  const terms = { otherwise: { layerAmounts: [1_00] } }
  const customers = await post(`${home}/groups`, { name: 'Customers', kind: 'customers', reward: units, terms })
  const [plain, friends] = [aCoupon(), aCoupon()]
  Object.assign(stripe.store.get(friends)!, { percent_off: 10, amount_off: null })
  Object.assign(stripe.store.get(plain)!, { percent_off: null, amount_off: 500, currency: 'eur' })
  const path = `${home}/payment-providers/${connection.id}/code-rule`
  const save = (body: object) => app.api('PUT', path, { token: account.token, body })
  const rule = { when: 'approval', pattern: '{name}{number}' }
  const rules = [
    { ...rule, couponId: friends, groupIds: [customers.id] },
    { ...rule, couponId: plain },
  ]
  const { codeRule, codeRules } = expectOk(await save({ rules })).body
  assert.deepEqual([codeRules.length, codeRule], [2, codeRules[0]])
  assert.deepEqual([codeRules[0].percentOff, codeRules[0].groupIds], [10, [customers.id]])
  assert.deepEqual([codeRules[1].amountOff, codeRules[1].currency, codeRules[1].groupIds], [500, 'eur', null])
  const unknown = await save({ rules: [{ ...rules[0], groupIds: [connection.id] }] })
  assert.deepEqual(
    [unknown.status, unknown.body.error.fields],
    [422, { 'rules.0.groupIds': 'This group doesn’t exist' }],
  )
  assert.equal((await save({ rules: Array(6).fill(rules[1]) })).status, 422)
  assert.equal((await save({ rule: null, rules })).status, 422)

  const friend = await post(`${home}/partners`, { firstName: aName(), email: anEmail('c'), groupId: customers.id })
  const partner = await aPartner(app, account, { firstName: aName() })
  await work()
  const facts = (of: { id: string }) => atStripe(of).map(({ coupon, restrictions }) => [coupon, restrictions])
  assert.deepEqual(facts(friend), [[friends, { first_time_transaction: 'true' }]])
  assert.deepEqual(facts(partner), [[plain, {}]])
  const offer = expectOk(await app.api('GET', `/partners/${friend.id}/offer`, { token: account.token })).body
  assert.deepEqual(offer, {
    code: atStripe(friend)[0]!.code,
    percentOff: 10,
    amountOff: null,
    currency: null,
    showFirstName: false,
    reward: customers.reward,
  })
  assert.deepEqual(expectOk(await save({ rules: [] })).body.codeRules, [])
})

test('a code given to another partner stays theirs, whatever becomes of the first, whose own is off there for good', async () => {
  const { account, connection } = await aProgram()
  const first = await aPartner(app, account, { firstName: aName() })
  await work()
  const [made] = atStripe(first)
  const [row] = await listed(account)
  const next = await aPartner(app, account, { firstName: aName() })
  await work()
  stripe.fail(/^POST \/v1\/promotion_codes/, 'reset-before')
  expectOk(await app.api('DELETE', `/partners/${first.id}/promotion-codes/${row!.id}`, { token: account.token }))
  await work()
  const body = { partnerId: next.id, code: made!.code }
  const { id } = expectOk(
    await app.api('POST', `/accounts/${account.id}/promotion-codes`, { token: account.token, body }),
  ).body
  expectOk(await setState(account, first, 'suspended'))
  clock.advance(60_000)
  await work()
  assert.equal(atStripe(first)[0]!.active, false)
  // made again at Stripe by the owner, as the text is free there
  const own = { ...made!, id: stripeId('promo'), active: true, metadata: {} }
  stripe.store.set(own.id, own)
  expectOk(await setState(account, first, 'active'))
  expectOk(await setState(account, first, 'suspended'))
  clock.advance(60_000)
  await work()
  assert.equal(stripe.store.get(own.id)!.active, true)
  const moved = (await listed(account)).find((one) => one.id === id)!
  assert.deepEqual([moved.partnerId, moved.source, moved.state], [next.id, 'entered', 'active'])
  const payment = stripePayment({ email: anEmail(), amount: 5000, promotionCode: own.id, store: stripe.store })
  await deliverAll(connection, [payment.checkoutCompleted, payment.chargeSucceeded])
  await workOff(app)
  const { items } = expectOk(await app.api('GET', `/accounts/${account.id}/sales`, { token: account.token })).body
  assert.deepEqual([items[0].partnerId, items[0].matchedBy], [next.id, 'coupon'])
})

test('the API’s version decides how a promotion code names its coupon', () => {
  assert.deepEqual(couponFields('c', '2025-04-30.basil'), { coupon: 'c' })
  assert.deepEqual(couponFields('c', '2025-09-30.clover'), { 'promotion[type]': 'coupon', 'promotion[coupon]': 'c' })
})

test('candidates are letters and digits, twenty at most, and never empty', () => {
  const of = (pattern: string, firstName: string | null, turn = 0) =>
    buildCodeCandidate({ pattern }, { firstName, lastName: null, referralCode: 'wen-li' }, turn)
  assert.equal(of('{name}10', 'Zoë'), 'ZOE10')
  assert.equal(of('{name}10', '文丽'), 'WENLI10')
  assert.equal(of('{name}', 'Zoë', 1), 'ZOE2')
  assert.equal(of('SAVE{number}{name}', 'Bartholomew-Alexander', 99), 'SAVE100BARTHOLOMEWAL')
})

for (const seed of listSeeds(2))
  test(`random life ${seed}: each partner has one code there, on exactly while they are active`, async () => {
    const random = randomFrom(seed)
    const { account, connection } = await aProgram()
    const owner = createConnectionCalls(app, account, 'stripe')
    /** The model: partners and whether they are active. */
    const partners = new Map<string, boolean>()
    let connectionId: string | null = connection.id
    const shared = aName()
    for (let step = 0; step < 25; step++) {
      const id = partners.size > 0 ? random.pick([...partners.keys()]) : ''
      const kind = random.pick(['join', 'join', 'state', 'state', 'lose', 'work', 'work', 'foreign', 'tie'])
      if (kind === 'join' && partners.size < 6) {
        const partner = await aPartner(app, account, { firstName: random.chance(60) ? shared : aName() })
        partners.set(partner.id, true)
      } else if (kind === 'state' && id) {
        const active = !partners.get(id)
        expectOk(await setState(account, { id }, active ? 'active' : 'suspended'))
        partners.set(id, active)
      } else if (kind === 'lose')
        stripe.fail(/^POST \/v1\/promotion_codes/, random.pick(['reset-after', 'reset-before', 'garbage'] as const))
      else if (kind === 'foreign') {
        const code = `${shared.toUpperCase()}${random.between(2, 9)}`
        const isThere = [...stripe.store.values()].some(
          (one) => one.object === 'promotion_code' && one.active && String(one.code).toUpperCase() === code,
        )
        const promo = {
          ...{ id: stripeId('promo'), object: 'promotion_code', created: 1, livemode: false },
          active: true,
        }
        if (!isThere) stripe.store.set(promo.id, { ...promo, code, metadata: { foreign: account.id } })
      } else if (kind === 'tie') {
        if (connectionId) await owner.disconnect(connectionId)
        connectionId = connectionId ? null : (await aConnection(app, account, stripe)).id
      } else {
        await work({ twice: random.chance(50) })
        clock.advance(random.between(1, 30) * 1000)
      }
    }
    stripe.calm()
    if (!connectionId) await aConnection(app, account, stripe)
    for (let turn = 0; turn < 4; turn++) {
      clock.advance(3 * 3600_000)
      await work()
    }
    for (const [id, active] of partners) {
      const made = atStripe({ id })
      const rows = await db.many<{ state: string; reason: string }>`
        select state, reason from made_codes where account_id = ${account.id} and partner_id = ${id}`
      const detail = `${id} ${active} ${JSON.stringify([made, rows])}`
      if (made.length > 0 || active) assert.equal(made.length, 1, detail)
      assert.deepEqual(
        made.map((one) => one.active),
        made.map(() => active),
        detail,
      )
    }
    const foreign = [...stripe.store.values()].filter(
      ({ object, metadata }) =>
        object === 'promotion_code' && (metadata as Record<string, string>).foreign === account.id,
    )
    assert.ok(foreign.every(({ active }) => active))
  })
