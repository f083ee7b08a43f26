import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { noFraudRules } from '#contract/fraud.ts'
import type { Sale } from '#contract/sales.ts'
import { anAccount, aPartner, expectOk, startApp } from '../../../../test/support/app.ts'
import { aGenericConnection, genericEvent, sendCustomEvent } from '../../../../test/support/generic.ts'
import { listSeeds, randomFrom } from '../../../../test/support/model-test.ts'
import { workOff } from '../../../../test/support/payment-providers.ts'
import { verifyLedger } from '../../../program/stats/verify.ts'
import { verifyPayments } from '../verify-payments.ts'

const STEPS = 25
const RATE = 10
const MONTHS = 12
/** Time between two events: longer than the five minutes in which a payment may precede its attribution. */
const PAST_GRACE_MS = 6 * 60_000

const app = await startApp()
const { db } = app.services

type Name = 'ann' | 'bob'
type Order = { amount: number; refunded: number; partner: Name | null; refunds: number }
type Shop = {
  name: string
  url: string
  /** Each customer's partner since their first order with a code. */
  customers: Map<string, Name>
  orders: Map<string, Order>
  facts: Map<string, Record<string, unknown>>
}

/** Two systems that count orders, customers, subscriptions and refunds from 1: neither is ever taken for the other. */
async function live(seed: number) {
  const random = randomFrom(seed)
  const account = await anAccount(app, {
    ...{ payoutDelay: 0, recurringMonths: MONTHS, selfReferralPolicy: 'allow' },
    defaultCommissionSettings: { layerRates: [RATE] },
  })
  const partners = { ann: await aPartner(app, account), bob: await aPartner(app, account) }
  const shops: Shop[] = []
  for (const name of ['Shop', 'Academy']) {
    const { webhookUrl } = await aGenericConnection(app, account, name)
    shops.push({ name, url: webhookUrl, customers: new Map(), orders: new Map(), facts: new Map() })
  }
  let at = app.clock.now().getTime() - 600 * 60_000
  const tell = async (shop: Shop, type: string, facts: Record<string, unknown>) => {
    at += PAST_GRACE_MS
    const event = genericEvent(type, facts, new Date(at))
    for (let times = random.pick([1, 1, 2]); times > 0; times--) expectOk(await sendCustomEvent(shop.url, event))
    await workOff(app)
  }

  async function pays(shop: Shop) {
    const id = String(random.between(1, 6))
    if (shop.orders.has(id)) return
    const customer = random.pick(['1', '2', '3', ''])
    const code = random.pick(['ann', 'bob', null] as const)
    const known = customer ? shop.customers.get(customer) : undefined
    const partner = known ?? code
    if (customer && partner) shop.customers.set(customer, partner)
    const amount = random.between(1, 500) * 100
    const facts = {
      ...{ id, amount, currency: 'usd', description: shop.name },
      ...(customer && { customerId: customer, subscriptionId: customer }),
      ...(code && { referralCode: partners[code].referralCode }),
    }
    shop.facts.set(id, facts)
    shop.orders.set(id, { amount, refunded: 0, partner, refunds: 0 })
    await tell(shop, 'payment', facts)
  }
  async function corrects(shop: Shop) {
    const [id, order] = random.pick([...shop.orders]) ?? []
    if (!id || !order || order.refunded > 0) return
    order.amount = random.between(1, 500) * 100
    await tell(shop, 'payment', { ...shop.facts.get(id), amount: order.amount })
  }
  async function refunds(shop: Shop) {
    const [id, order] = random.pick([...shop.orders]) ?? []
    if (!id || !order || order.refunded === order.amount) return
    const amount = random.chance(30) ? order.amount - order.refunded : random.between(1, order.amount - order.refunded)
    order.refunded += amount
    await tell(shop, 'refund', { id: `${id}${order.refunds++}`, paymentId: id, amount })
  }

  for (let step = 0; step < STEPS; step++) {
    const shop = random.pick(shops)
    await random.pick([pays, pays, pays, corrects, refunds])(shop)
    const expected = shops.flatMap(({ name, orders }) =>
      [...orders].map(([id, { amount, refunded, partner }]) => [name, id, amount, refunded, partner]),
    )
    const { items } = expectOk(await app.api('GET', `/accounts/${account.id}/sales?limit=100`, account)).body as {
      items: Sale[]
    }
    const found = items.map(({ description, externalId, amount, refundedAmount, partnerId }) => [
      ...[description, externalId, amount, refundedAmount],
      partnerId && (partnerId === partners.ann.id ? 'ann' : 'bob'),
    ])
    const sorted = (rows: unknown[][]) => rows.map((row) => JSON.stringify(row)).sort()
    assert.deepEqual(sorted(found), sorted(expected), `seed ${seed}, step ${step}`)
  }
  for (const [name, { id }] of Object.entries(partners)) {
    const own = shops.flatMap(({ orders }) => [...orders.values()].filter(({ partner }) => partner === name))
    const due = own.reduce((sum, { amount, refunded }) => sum + amount - refunded, 0) / RATE
    const { body } = expectOk(await app.api('GET', `/partners/${id}/balance`, account))
    // each refund is rounded for itself
    const refundsOfAll = own.reduce((sum, { refunds }) => sum + refunds, 0)
    assert.ok(Math.abs(body.due - due) <= refundsOfAll, `seed ${seed}: ${name} has ${body.due} due of ${due}`)
  }
}

test('random lives of two shops with the same numbers agree with separate models of each', async () => {
  for (const seed of listSeeds(1)) await live(seed)
  assert.deepEqual(await verifyLedger(db), [])
  assert.deepEqual((await verifyPayments(db)).differences, [])
})

test('a customer is an existing one only by the sales of the same shop', async () => {
  const account = await anAccount(app)
  const { id: accountId, token } = account
  const { referralCode } = await aPartner(app, account)
  const rules = { ...noFraudRules, existingCustomer: { action: 'hold' } }
  expectOk(await app.api('PUT', `/accounts/${accountId}/fraud-rules`, { token, body: rules }))
  const shop = await aGenericConnection(app, account, 'Shop')
  const academy = await aGenericConnection(app, account, 'Academy')
  const pays = async (to: typeof shop, more: object, daysAgo: number) => {
    const payment = { id: randomUUID(), amount: 1000, currency: 'usd', customerId: '42', ...more }
    const at = new Date(app.clock.now().getTime() - daysAgo * 86_400_000)
    expectOk(await sendCustomEvent(to.webhookUrl, genericEvent('payment', payment, at)))
    await workOff(app)
    return db.one`select partner_id is not null as credited, hold_rule as rule from sales where external_id = ${payment.id}`
  }
  assert.deepEqual(await pays(shop, {}, 40), { credited: false, rule: null })
  assert.deepEqual(await pays(academy, { referralCode }, 1), { credited: true, rule: null })
  assert.deepEqual(await pays(shop, { referralCode }, 1), { credited: true, rule: 'existing-customer' })
})
