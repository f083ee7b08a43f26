import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { standInWooCommerce } from '../../../../test/fakes/woocommerce.ts'
import { deliverWoo, pingWoo } from '../../../../test/fakes/woocommerce-events.ts'
import { anAccount, aPartner, expectOk, startApp } from '../../../../test/support/app.ts'
import { listSeeds, randomFrom } from '../../../../test/support/model-test.ts'
import { createConnectionCalls, workOff } from '../../../../test/support/payment-providers.ts'
import { verifyLedger } from '../../../program/stats/verify.ts'
import { reconcileConnection } from '../reconcile.ts'
import { verifyPayments } from '../verify-payments.ts'
import series from './series.json' with { type: 'json' }

// Three guests, one of them sent by a partner, as a store tells of them; all changes are of the same second.

const app = await startApp({ config: { allowPrivateWebhookTargets: true } })
const { db } = app.services
const SECRET = 'a secret of ours'

type Name = keyof typeof series.bodies
const NAMES = Object.keys(series.bodies) as Name[]

async function aLife() {
  const shop = await standInWooCommerce()
  after(() => shop.close())
  const account = await anAccount(app, { defaultCommissionSettings: { layerRates: [20] }, timeZone: 'UTC' })
  const jane = await aPartner(app, account)
  const owner = createConnectionCalls(app, account, 'woocommerce')
  const { id, webhookUrl } = expectOk(await owner.connect({ ...shop.credentials, webhookSecret: SECRET })).body
  // the day before yesterday, as the bodies are of a day in the past
  const day = (at: string, days: number) =>
    `${new Date(Date.parse(at) - days * 86_400_000).toISOString().slice(0, 10)}T`
  const [today] = new Date().toISOString().split('T')
  const dated = (value: unknown) =>
    JSON.stringify(value)
      .replaceAll('{jane}', jane.referralCode)
      .replaceAll(/2026-11-2[012]T/g, day(`${today}T00:00:00Z`, 0))
  const refunds = JSON.parse(dated(series.refunds))
  shop.store.refunds.set(801, refunds)
  for (const body of Object.values(series.bodies)) shop.store.orders.set(body.id, JSON.parse(dated(body)))
  const tell = (name: Name, secret = SECRET) =>
    deliverWoo(webhookUrl, { topic: 'order.updated', body: {} }, secret, { body: dated(series.bodies[name]) })
  return {
    ...{ shop, refunds, webhookUrl, tell },
    night: () => reconcileConnection(app.services, { connectionId: id }),
    sales: () => db.many`
      select s.external_id as id, s.amount as net, s.tax_amount as tax, s.gross_amount as gross,
        s.refunded_amount as refunded, s.status, s.partner_id = ${jane.id} as janes,
        (select sum(amount)::bigint from commission_entries e where e.sale_id = s.id) as commission
      from sales s where s.account_id = ${account.id} order by s.external_id`,
    events: async () =>
      (await db.one<{ count: number }>`select count(*) as count from provider_events where account_id = ${account.id}`)
        .count,
  }
}

const sold = { net: 1800, tax: 135, gross: 2935, refunded: 0, status: 'completed', janes: null, commission: null }
const janes = { ...sold, id: '801', janes: true, commission: 360 }
const [ben, carl] = [
  { ...sold, id: '802', janes: null },
  { ...sold, id: '803', janes: null },
]
const refunded = { ...janes, refunded: 1500, status: 'partially-refunded', commission: 176 }
const cancelled = { ...ben, refunded: 2935, status: 'refunded' }
const atTheEnd = [refunded, cancelled, carl]

test('a store’s series step by step: each buyer once, refunds by their share, a removed one given back', async () => {
  const { webhookUrl, tell, sales, events, night, refunds, shop } = await aLife()
  const step = async (name: Name) => {
    assert.equal((await tell(name)).status, 200, name)
    await workOff(app)
    return sales()
  }
  assert.equal(await pingWoo(webhookUrl, 142), 200)
  assert.equal(await events(), 0)
  assert.deepEqual(await step('1-anna'), [janes])
  assert.deepEqual(await step('2-ben'), [janes, ben])
  for (const name of ['3-carl', '4-pending', '5-completed'] as const)
    assert.deepEqual(await step(name), [janes, ben, carl].slice(0, 3))
  const before = await events()
  assert.equal((await tell('1-anna', 'another')).status, 400)
  assert.equal(await events(), before)
  for (let times = 0; times < 2; times++) assert.deepEqual(await step('6-refunds'), [refunded, ben, carl])
  assert.deepEqual(await step('7-cancelled'), atTheEnd)
  refunds.splice(1, 1)
  await night()
  assert.deepEqual(await sales(), [{ ...refunded, refunded: 1000, commission: 237 }, cancelled, carl])
  assert.equal(shop.callsTo('POST *').length, 0)
})

test('the series ends alike in every order, each delivery twice, and by the night alone', async () => {
  for (const seed of listSeeds(6)) {
    const random = randomFrom(seed)
    const { tell, sales, night } = await aLife()
    const order = random.shuffled([...NAMES, ...NAMES])
    const sequence = order.join(', ')
    for (const name of order) {
      assert.equal((await tell(name)).status, 200, sequence)
      if (random.chance(60)) await workOff(app, { atOnce: random.chance(40) })
    }
    await workOff(app, { atOnce: true })
    assert.deepEqual(await sales(), atTheEnd, sequence)
    await night()
    assert.deepEqual(await sales(), atTheEnd, sequence)
  }
  assert.deepEqual(await verifyLedger(db), [])
  assert.deepEqual((await verifyPayments(db)).differences, [])
})
