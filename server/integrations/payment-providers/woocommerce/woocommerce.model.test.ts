import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { standInWooCommerce } from '../../../../test/fakes/woocommerce.ts'
import { type WooEvent, wooOrder } from '../../../../test/fakes/woocommerce-events.ts'
import { anAccount, anEmail, aPartner, expectOk, startApp } from '../../../../test/support/app.ts'
import { listSeeds, type Random, randomFrom } from '../../../../test/support/model-test.ts'
import { createConnectionCalls, workOff } from '../../../../test/support/payment-providers.ts'
import { verifyLedger } from '../../../program/stats/verify.ts'
import { reconcileConnection } from '../reconcile.ts'
import { verifyPayments } from '../verify-payments.ts'

// Random orders: paid, edited, refunded, cancelled and paid again, while deliveries are late, doubled or lost.

const app = await startApp({ config: { allowPrivateWebhookTargets: true } })
const { db } = app.services
const RATE = 20
const hourAgo = () => new Date(app.clock.now().getTime() - 3_600_000)

/** An order as its owner sees it there; the model of its sale. */
type Model = {
  order: ReturnType<typeof wooOrder>
  net: number
  tax: number
  shipping: number
  paid: boolean
  status: string
  refunds: { amount: number; refund: ReturnType<ReturnType<typeof wooOrder>['refund']> }[]
}

const grossOf = ({ net, tax, shipping }: Model) => net + tax + shipping
const refundedOf = (model: Model) => model.refunds.reduce((sum, { amount }) => sum + amount, 0)

/** Whether the sale is given back whole, or waits. */
const ENDED = ['cancelled', 'failed']
const WAITING = ['on-hold', 'pending']

/** Returns what the sale comes to by the owner's own arithmetic. */
function expectedSale(model: Model) {
  const gross = grossOf(model)
  const refunded = ENDED.includes(model.status) ? gross : refundedOf(model)
  const waits = WAITING.includes(model.status) && refunded < gross
  const status =
    refunded >= gross ? 'refunded' : waits ? 'disputed' : refunded > 0 ? 'partially-refunded' : ('completed' as const)
  return { id: String(model.order.id), net: model.net, tax: model.tax, gross, refunded, status }
}

/** Changes an order at the store; returns the event, if the store tells of it. */
function change(random: Random, model: Model): WooEvent | null {
  const { order } = model
  if (!model.paid) {
    model.paid = true
    model.status = 'processing'
    return order.paid()
  }
  const left = grossOf(model) - refundedOf(model)
  const kind = random.pick(['refund', 'refund', 'remove', 'edit', 'status', 'status', 'note'])
  if (kind === 'refund' && left > 0) {
    const amount = random.between(1, left)
    const refund = order.refund(amount)
    model.refunds.push({ amount, refund })
    return refund.event
  }
  if (kind === 'remove' && model.refunds.length > 0) {
    const [{ refund }] = model.refunds.splice(random.between(0, model.refunds.length - 1), 1) as [Model['refunds'][0]]
    const event = refund.removed()
    return random.chance(50) ? event : null
  }
  if (kind === 'edit' && model.refunds.length === 0) {
    model.net = random.between(1, 50_000)
    model.tax = random.between(0, 9000)
    return order.edited(model.net, model.tax)
  }
  if (kind === 'status')
    model.status = random.pick(['processing', 'completed', 'on-hold', 'cancelled', 'failed', 'ours'])
  return order.becomes(model.status)
}

async function live(seed: number, diary: string[]) {
  const random = randomFrom(seed)
  const shop = await standInWooCommerce()
  after(() => shop.close())
  const account = await anAccount(app, { defaultCommissionSettings: { layerRates: [RATE] }, timeZone: 'UTC' })
  const partner = await aPartner(app, account)
  const connection = expectOk(await createConnectionCalls(app, account, 'woocommerce').connect(shop.credentials)).body
  // an order names whole seconds: it must not be older than the connection
  await db.run`update provider_connections set created_at = ${hourAgo()} where id = ${connection.id}`
  const models: Model[] = []
  const waiting: WooEvent[] = []
  const night = () => reconcileConnection(app.services, { connectionId: connection.id })
  const work = () =>
    workOff(app, { atOnce: random.chance(30) }).catch(({ kind }: { kind?: string }) =>
      assert.equal(kind, 'unavailable'),
    )

  for (let step = random.between(15, 40); step > 0; step--) {
    const kind = random.pick(['new', 'change', 'change', 'change', 'change', 'tell', 'tell', 'night', 'away'])
    if (kind === 'new' && models.length < 4) {
      const [net, tax, shipping] = [random.between(1, 50_000), random.between(0, 9000), random.pick([0, 900])]
      const meta = { referral_code: partner.referralCode }
      const order = wooOrder({ store: shop.store, email: anEmail('life'), goods: net, tax, shipping, meta })
      models.push({ order, net, tax, shipping, paid: false, status: 'pending', refunds: [] })
      waiting.push(order.placed())
    } else if (kind === 'change' && models.length > 0) {
      const model = random.pick(models)
      const event = change(random, model)
      diary.push(
        `${model.order.id} ${model.status} ${event ? 'told' : 'silent'}: ${JSON.stringify(expectedSale(model))}`,
      )
      // a lost delivery is not repeated
      if (event && random.chance(85)) waiting.push(event)
    } else if (kind === 'tell') {
      const some = random.shuffled(waiting).slice(0, random.between(0, waiting.length))
      for (const event of some) {
        for (let times = random.pick([1, 1, 2]); times > 0; times--) await shop.send(event)
        waiting.splice(waiting.indexOf(event), 1)
      }
      diary.push(`told ${some.length}`)
      await work()
    } else if (kind === 'night') {
      diary.push('night')
      await night().catch(({ kind: failed }: { kind?: string }) => assert.equal(failed, 'unavailable'))
    } else if (kind === 'away') shop.fail('GET *', random.pick([{ status: 503 }, 'reset-before', 'garbage'] as const))
  }
  shop.calm()
  for (const event of random.shuffled(waiting)) await shop.send(event)
  await workOff(app)
  await night()
  const found = await db.many`
    select s.external_id as id, s.amount as net, s.tax_amount as tax, s.gross_amount as gross,
      s.refunded_amount as refunded, s.status
    from sales s where s.account_id = ${account.id} order by s.external_id::bigint`
  const expected = models
    .filter(({ paid }) => paid)
    .map(expectedSale)
    .sort((one, other) => Number(one.id) - Number(other.id))
  // one that ended before anybody heard that it was paid is no sale
  const known = new Set(found.map(({ id }) => id))
  for (const { id, status } of expected)
    if (!known.has(id)) assert.ok(['refunded', 'disputed'].includes(status), `${id} is no sale`)
  assert.deepEqual(
    found,
    expected.filter(({ id }) => known.has(id)),
  )
  for (const { id, net, gross, refunded, status } of expected.filter((one) => known.has(one.id))) {
    const { kept } = await db.one<{ kept: number }>`
      select coalesce(sum(e.amount), 0)::bigint as kept from commission_entries e join sales s on s.id = e.sale_id
      where s.account_id = ${account.id} and s.external_id = ${id}`
    const whole = Math.round((net * RATE) / 100)
    if (status !== 'disputed')
      assert.ok(Math.abs(kept - (whole * (gross - refunded)) / gross) <= 1, `${id} keeps ${kept}`)
  }
}

test('random orders end as their store shows them, whatever was told late, twice or never', async () => {
  for (const seed of listSeeds(3)) {
    const diary: string[] = []
    await live(seed, diary).catch((error: Error) => {
      throw new Error(`order, seed ${seed}: ${error.message}\n${diary.join('\n')}\n${error.stack}`)
    })
  }
  assert.deepEqual(await verifyLedger(db), [])
  assert.deepEqual((await verifyPayments(db)).differences, [])
})
