import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BASIL, OLDER, type StripeEvent, stripeInvoice, stripePayment } from '../../../test/fakes/stripe-events.ts'
import { anAccount, aPartner, type TestAccount } from '../../../test/support/app.ts'
import { listSeeds, type Random, randomFrom } from '../../../test/support/model-test.ts'
import { ledgerDigest, requestPastSales, runImportJob } from '../../../test/support/past-sales.ts'
import { aConnection, deliverAll, startWithStripe, workOff } from '../../../test/support/payment-providers.ts'
import { verifyLedger } from '../../program/stats/verify.ts'
import { reconcileConnection } from './reconcile.ts'
import { verifyPayments } from './verify-payments.ts'

const { app, stripe } = await startWithStripe()
const { db, clock } = app.services
const { store } = stripe

/** Connects a partner's account to a Stripe shop for more than a year. */
async function aShop() {
  const account = await anAccount(app, { defaultCommissionSettings: { layerRates: [20, 5] }, timeZone: 'UTC' })
  const parent = await aPartner(app, account, { firstName: 'Parent', referralCode: 'parent' })
  await aPartner(app, account, { firstName: 'Partner', referralCode: 'partner', parentPartnerId: parent.id })
  const connection = await aConnection(app, account, stripe)
  await db.run`update provider_connections set created_at = ${daysAgo(400)} where id = ${connection.id}`
  return { account, connection }
}
type Shop = Awaited<ReturnType<typeof aShop>>

const daysAgo = (days: number) => new Date(Math.floor(clock.now().getTime() / 1000 - days * 86_400) * 1000)

/** A year of payments at Stripe, refunds and disputes that begin, end and fail, subscriptions that renew. */
function history(random: Random): StripeEvent[] {
  const events: (StripeEvent | null)[] = []
  const around = () => ({
    store,
    ...{ apiVersion: random.pick([OLDER, BASIL]), email: `buyer-${random.between(1, 3)}@lives.example` },
    amount: random.between(100, 90_000),
    tax: random.between(0, 90),
    // also at the boundary between events and lists
    createdAt: daysAgo(random.pick([random.between(0, 20), 24, 25, 26, random.between(27, 360)])),
  })
  for (let n = random.between(3, 6); n > 0; n--) {
    const facts = around()
    if (random.chance(65)) {
      const one = stripePayment({ ...facts, reference: 'partner' })
      events.push(one.checkoutCompleted, one.chargeSucceeded, ...randomReturn(random, one, facts))
    } else {
      const bill = stripeInvoice({ ...facts, checkout: { reference: 'partner' } })
      events.push(bill.checkoutCompleted, bill.invoicePaid, ...bill.payments.map((paid) => paid.chargeSucceeded))
      events.push(...randomReturn(random, bill, facts))
      if (random.chance(50)) {
        const createdAt = new Date(facts.createdAt.getTime() + random.between(0, 30) * 86_400_000)
        const next = bill.renew({ createdAt: createdAt < clock.now() ? createdAt : clock.now() })
        events.push(next.invoicePaid, ...next.payments.map((paid) => paid.chargeSucceeded))
      }
    }
  }
  return events.filter((event) => event !== null)
}

type Givable = Pick<ReturnType<typeof stripePayment>, 'refund' | 'dispute'>

function randomReturn(random: Random, paid: Givable, { amount, createdAt }: { amount: number; createdAt: Date }) {
  const later = (days: number) => new Date(Math.min(createdAt.getTime() + days * 86_400_000, clock.now().getTime()))
  if (random.chance(40)) {
    const refund = paid.refund(random.between(1, amount), { status: 'pending', createdAt: later(2) })
    const end = refund.becomes(random.pick(['succeeded', 'failed']), later(4))
    return [refund.refundCreated, refund.chargeRefunded, end.refundUpdated, end.refundFailed]
  }
  if (random.chance(30)) {
    const dispute = paid.dispute(random.between(1, amount), { createdAt: later(3) })
    return [dispute.created, ...(random.chance(70) ? [dispute.closed(random.pick(['won', 'lost']), later(9))] : [])]
  }
  return []
}

/** The product, dying at some call to the provider. */
function mortal(calls: number): typeof app {
  const { outbound } = app.services
  let left = calls
  const provider: typeof outbound.provider = (...call) =>
    left-- > 0 ? outbound.provider(...call) : Promise.reject(new Error('Connection terminated'))
  return { ...app, services: { ...app.services, outbound: { ...outbound, provider } } }
}

const happenings = {
  async deliver(random: Random, { connection }: Shop, events: StripeEvent[]) {
    const some = random.shuffled(events).slice(0, random.between(1, events.length))
    await deliverAll(connection, some)
    // in trouble, events are left to the next attempt
    if (random.chance(70))
      await workOff(app, { atOnce: random.chance(50) }).catch(({ message }: Error) =>
        assert.match(message, /answered 429/),
      )
  },
  import: (random: Random, shop: Shop) => importSome(random, shop, false),
  check: (random: Random, shop: Shop) => importSome(random, shop, true),
  async night(random: Random, { connection }: Shop) {
    const runs = random.chance(40) ? [app, mortal(random.between(1, 30))] : [app]
    await Promise.allSettled(runs.map(({ services }) => reconcileConnection(services, { connectionId: connection.id })))
  },
  trouble: async () => {
    stripe.fail(/^GET \/v1\/(events|charges|refunds|invoices)/, { status: 429, retryAfter: 1, body: {} })
  },
}
type Happening = keyof typeof happenings

/** Imports all days or some, killed now and then, by one process or two; abandoned after enough turns. */
async function importSome(random: Random, { account, connection }: Shop, dryRun: boolean, whole = false) {
  const [from, to] = [random.between(100, 360), random.between(0, 90)].map((days) =>
    daysAgo(days).toISOString().slice(0, 10),
  )
  const days = whole || random.chance(50) ? {} : { from: from!, to: to! }
  const reply = await requestPastSales(app, account, connection, { ...days, dryRun })
  const { id } = reply.status === 202 ? reply.body : { id: reply.body.error.details.importId }
  const state = async () => (await db.one<{ state: string }>`select state from imports where id = ${id}`).state
  const mostTurns = whole ? 200 : random.between(1, 12)
  for (let turn = 0; turn < mostTurns && ['waiting', 'running'].includes(await state()); turn++) {
    const one = () => runImportJob(!whole && random.chance(40) ? mortal(random.between(1, 40)) : app, id)
    await Promise.allSettled(random.chance(30) ? [one(), one()] : [one()])
  }
  if (whole) assert.equal(await state(), 'done')
}

const written = ({ id }: TestAccount) => db.one`
  select (select count(*) from sales where account_id = ${id}) as sales,
    (select count(*) from commission_entries where account_id = ${id}) as entries,
    (select count(*) from refunds r join sales s on s.id = r.sale_id where s.account_id = ${id}) as refunds`

async function live(seed: number, diary: string[]) {
  const random = randomFrom(seed)
  stripe.calm()
  store.clear()
  const model = await aShop()
  const shop = await aShop()
  const events = history(random)
  await deliverAll(
    model.connection,
    events.toSorted((one, other) => one.created - other.created),
  )
  await workOff(app)
  const expected = await ledgerDigest(app, model.account)
  for (let turn = random.between(2, 7); turn > 0; turn--) {
    const name = random.pick(Object.keys(happenings) as Happening[])
    diary.push(name)
    await happenings[name](random, shop, events)
  }
  stripe.calm()
  await workOff(app)
  // first the running import, then all sales
  await importSome(random, shop, false, true)
  await importSome(random, shop, false, true)
  assert.equal(await ledgerDigest(app, shop.account), expected)
  const before = await written(shop.account)
  await deliverAll(shop.connection, random.shuffled(events))
  await workOff(app, { atOnce: true })
  await importSome(random, shop, true, true)
  await importSome(random, shop, false, true)
  await reconcileConnection(app.services, { connectionId: shop.connection.id })
  assert.equal(await ledgerDigest(app, shop.account), expected)
  assert.deepEqual(await written(shop.account), before)
}

test('random pasts, delivered, missed, imported or reconciled, end as if every event had arrived once', async () => {
  for (const seed of listSeeds(1)) {
    const diary: string[] = []
    await live(seed, diary).catch((error: Error) => {
      throw new Error(`past, seed ${seed}: ${error.message}\n${diary.join('\n')}\n${error.stack}`)
    })
  }
  assert.deepEqual(await verifyLedger(db), [])
  assert.deepEqual((await verifyPayments(db)).differences, [])
})
