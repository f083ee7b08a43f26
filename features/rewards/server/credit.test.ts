import assert from 'node:assert/strict'
import { test } from 'node:test'
import { verifyLedger } from '#server/program/stats/verify.ts'
import { fakeStripe } from '#test/fakes/stripe.ts'
import { stripeId } from '#test/fakes/stripe-events.ts'
import { createCaller } from '#test/support/api.ts'
import { acceptInvitation, anAccount, anEmail, expectOk, signIn, turnableClock } from '#test/support/app.ts'
import { listSeeds, randomFrom } from '#test/support/model-test.ts'
import { aConnection, startWithProvider } from '#test/support/payment-providers.ts'
import { addCredit, addCredits } from './add-credit.ts'
import { giveRewards } from './give-rewards.ts'

// The Stripe stand-in forgets keys after 24 hours and loses answers; its customers are deleted, or billed in another
// currency.

const clock = turnableClock()
const stripe = await fakeStripe({ clock: () => clock.now() })
const app = await startWithProvider('stripe', stripe, { clock })
const { db } = app.services
const HOUR = 3_600_000
const DAY = 24 * HOUR

type Fields = Record<string, unknown>

function aCustomer(fields: Fields = {}) {
  const id = stripeId('cus')
  stripe.store.set(id, { id, object: 'customer', created: 1, currency: null, livemode: false, ...fields })
  return id
}

/** The amounts of the credit that a customer has got, in the order of their creation. */
const creditOf = (customer: string) =>
  [...stripe.store.values()].flatMap((one) =>
    one.object === 'customer_balance_transaction' && one.customer === customer ? [one.amount] : [],
  )

async function aProgram(terms: object = { otherwise: { layerRates: [100] } }) {
  const account = await anAccount(app, { payoutDelay: 7 })
  const connection = await aConnection(app, account, stripe)
  const owner = createCaller(app, account.token)
  const home = `/accounts/${account.id}`
  const reward = { as: 'credit', connectionId: connection.id }
  const group = await owner.post(`${home}/groups`, { name: 'Customers', kind: 'customers', reward, terms })
  const again = async () => createCaller(app, (await signIn(app, account.ownerEmail)).token)
  const enrol = async (customerId: string | null, externalId = `user-${stripeId('x')}`) =>
    expectOk(
      await (await again()).call('PUT', `${home}/partners/by-external-id/${externalId}`, {
        ...{ email: `${externalId.toLowerCase()}@app.example`, groupId: group.id },
        ...(customerId && { customer: { connectionId: connection.id, customerId } }),
      }),
    ).body as { id: string; externalId: string }
  const buys = async (partner: { id: string }, amount: number, more: object = {}) => {
    const caller = await again()
    const lead = await caller.post(`${home}/leads`, { partnerId: partner.id, email: `${Math.random()}@friend.example` })
    return caller.post(`/leads/${lead.id}/sales`, { amount, ...more })
  }
  const payoutsOf = async (partner: { id: string }) =>
    (await (await again()).get(`/partners/${partner.id}/payouts?sort=createdAt`)).items as {
      id: string
      status: string
      amount: number
      blockers: { code: string }[]
      failureReason: string | null
    }[]
  return { account, connection, owner, home, group, again, enrol, buys, payoutsOf }
}

const nextDay = (days = 1) => clock.set(new Date((Math.floor(clock.now().getTime() / DAY) + days) * DAY + 4 * HOUR))

/** Turns to the night after so many days, in which due rewards are approved and given. */
async function night(days: number) {
  nextDay(days)
  await giveRewards(app.services)
  await addCredits(app.services)
}

test('one month of the friend’s plan: 2610 are credited on day 7, and the second month pays nothing', async () => {
  const first = { name: null, on: 'sale', when: { firstPayments: 1 }, layerRates: [100] }
  const { enrol, buys, payoutsOf, again } = await aProgram({ rules: [first], otherwise: { layerRates: [0] } })
  const customer = aCustomer()
  const ann = await enrol(customer)
  const sale = await buys(ann, 26_10)
  assert.equal(sale.commissions[0].amount, 26_10)
  const second = await (await again()).post(`/leads/${sale.leadId}/sales`, { amount: 29_00 })
  assert.deepEqual(second.commissions, [])
  await night(6)
  assert.deepEqual(creditOf(customer), [])
  await night(2)
  assert.deepEqual(creditOf(customer), [-26_10])
  const [payout] = await payoutsOf(ann)
  assert.equal(payout?.status, 'paid')
  await night(1)
  assert.deepEqual(creditOf(customer), [-26_10])
  assert.deepEqual(await verifyLedger(db), [])
})

test('a refund in time gives nothing; a late one is made up by the next rewards', async () => {
  const { enrol, buys, payoutsOf, again } = await aProgram()
  const [inTime, late] = [aCustomer(), aCustomer()]
  const ben = await enrol(inTime)
  const refunded = await buys(ben, 26_10)
  await (await again()).post(`/sales/${refunded.id}/refunds`, { amount: 26_10, reason: 'Returned' })
  const cat = await enrol(late)
  const given = await buys(cat, 26_10)
  await night(8)
  assert.deepEqual([creditOf(inTime), creditOf(late)], [[], [-26_10]])
  assert.deepEqual(await payoutsOf(ben), [])
  await (await again()).post(`/sales/${given.id}/refunds`, { amount: 26_10, reason: 'Returned' })
  await buys(cat, 15_00)
  await night(8)
  assert.deepEqual(creditOf(late), [-26_10])
  await buys(cat, 26_10)
  await night(8)
  assert.deepEqual(creditOf(late), [-26_10, -15_00])
  assert.deepEqual(await verifyLedger(db), [])
})

test('a lost answer is found: by the same key, by the list after a day, and given once if it never arrived', async () => {
  const { enrol, buys, payoutsOf } = await aProgram()
  const later = (ms: number) => {
    clock.advance(ms)
    return addCredits(app.services)
  }
  for (const [failure, pause, expected] of [
    ['reset-after', HOUR, 1],
    ['reset-after', 26 * HOUR, 1],
    ['reset-before', HOUR, 1],
    ['reset-before', 26 * HOUR, 1],
    ['garbage', HOUR, 1],
  ] as const) {
    const customer = aCustomer()
    const partner = await enrol(customer)
    await buys(partner, 26_10)
    stripe.fail(/^POST .*balance_transactions$/, failure)
    await night(8)
    stripe.calm()
    await later(pause)
    await later(HOUR)
    assert.deepEqual(creditOf(customer), Array(expected).fill(-26_10), `${failure} ${pause / HOUR}`)
    assert.equal((await payoutsOf(partner))[0]?.status, 'paid')
  }
  // Stripe repeats a 500 for its key: the list decides
  for (const trouble of ['error-before', 'error-after'] as const) {
    const customer = aCustomer()
    const partner = await enrol(customer)
    await buys(partner, 26_10)
    stripe.breakNext(trouble)
    await night(8)
    for (let turn = 0; turn < 26; turn++) await later(HOUR)
    assert.deepEqual(creditOf(customer), [-26_10], trouble)
    assert.equal((await payoutsOf(partner))[0]?.status, 'paid')
  }
  assert.deepEqual(await verifyLedger(db), [])
})

test('a deleted customer, one billed in another currency and one who is not named get no call', async () => {
  const { connection, home, again, enrol, buys, payoutsOf } = await aProgram()
  const gone = aCustomer()
  const dan = await enrol(gone)
  await buys(dan, 26_10)
  stripe.store.set(gone, { ...stripe.store.get(gone)!, deleted: true })
  const euro = aCustomer()
  const eli = await enrol(euro)
  await buys(eli, 26_10)
  stripe.store.set(euro, { ...stripe.store.get(euro)!, currency: 'eur' })
  const fay = await enrol(null)
  await buys(fay, 26_10)
  const posts = () => stripe.callsTo(/^POST .*balance_transactions$/).length
  const before = posts()
  await night(8)
  const shown = async (partner: { id: string }) => {
    const [payout] = await payoutsOf(partner)
    return [payout?.status, payout?.blockers.map(({ code }) => code)]
  }
  assert.deepEqual(await shown(dan), ['open', ['customer-deleted']])
  assert.deepEqual(await shown(eli), ['open', ['customer-currency-differs']])
  assert.deepEqual(await shown(fay), ['open', ['no-customer-at-provider']])
  assert.equal(posts(), before)
  await night(1)
  assert.deepEqual(await shown(dan), ['open', ['customer-deleted']])

  // the owner gives it by hand
  const [byHand] = await payoutsOf(eli)
  const paid = await (await again()).post(`/payouts/${byHand!.id}/mark-paid`, { reference: 'Gift card' })
  assert.deepEqual([paid.status, paid.reward], ['paid', { as: 'credit', units: null, unitName: null }])
  // another customer is named
  const next = aCustomer({ currency: 'usd' })
  await enrol(next, dan.externalId)
  const caller = await again()
  const taken = await caller.call('PUT', `${home}/partners/by-external-id/${fay.externalId}`, {
    ...{ email: `${fay.externalId.toLowerCase()}@app.example` },
    customer: { connectionId: connection.id, customerId: next },
  })
  assert.deepEqual([taken.status, taken.body.error.reason], [409, 'customer_taken'])
  const unknown = await caller.call('PUT', `${home}/partners/by-external-id/${fay.externalId}`, {
    ...{ email: `${fay.externalId.toLowerCase()}@app.example` },
    customer: { connectionId: connection.id, customerId: 'cus_nobody' },
  })
  assert.deepEqual([unknown.status, unknown.body.error.reason], [422, 'unknown_customer'])
  await night(1)
  assert.deepEqual(creditOf(next), [-26_10])
})

test('a customer who is named while the one before is looked up gets the credit', async () => {
  const { enrol, buys, payoutsOf } = await aProgram()
  for (const [deleted, call] of [
    [true, ''],
    [false, '/balance_transactions'],
  ] as const) {
    const [former, next] = [aCustomer({ deleted: false }), aCustomer()]
    const fox = await enrol(former)
    await buys(fox, 26_10)
    nextDay(8)
    await giveRewards(app.services)
    stripe.store.set(former, { ...stripe.store.get(former)!, deleted })
    const lookUp = new RegExp(`^GET .*${former}${call}$`)
    stripe.fail(lookUp, { slowMs: 700 })
    const look = addCredits(app.services)
    await stripe.waitForCalls(lookUp, stripe.callsTo(lookUp).length + 1)
    await db.run`update partner_customers set customer_id = ${next} where partner_id = ${fox.id}`
    await look
    await addCredits(app.services)
    assert.deepEqual([(await payoutsOf(fox))[0]?.status, creditOf(former), creditOf(next)], ['paid', [], [-26_10]])
  }
})

test('a connection that ended waits; another account at Stripe knows none of the customers', async () => {
  const { connection, again, home, group, enrol, buys, payoutsOf } = await aProgram()
  const customer = aCustomer()
  const gil = await enrol(customer)
  await buys(gil, 26_10)
  const { status } = await (await again()).call('DELETE', `${home}/payment-providers/disconnect`, {
    connectionId: connection.id,
  })
  assert.ok(status < 300)
  await night(8)
  assert.deepEqual(creditOf(customer), [])
  const [waiting] = await payoutsOf(gil)
  assert.equal(waiting?.status, 'approved')
  assert.match(waiting?.failureReason ?? '', /isn’t connected/)
  const credentials = { restrictedKey: stripe.strangersKey('acct_another'), webhookSecret: 'whsec_another' }
  const caller = await again()
  const other = await caller.post(`${home}/payment-providers/connect`, { provider: 'stripe', credentials })
  const reward = { as: 'credit', connectionId: other.id }
  const change = () => caller.call('PUT', `/groups/${group.id}`, { reward })
  assert.equal((await change()).body.error.reason, 'reward_fixed')
  await caller.post(`/payouts/${waiting!.id}/cancel`)
  assert.equal((await change()).status, 200)
  await night(1)
  const open = (await payoutsOf(gil)).at(-1)
  assert.deepEqual(
    open?.blockers.map(({ code }) => code),
    ['no-customer-at-provider'],
  )
  assert.deepEqual(creditOf(customer), [])
})

test('the same account at Stripe connected again: customers are named by their first sale, as before', async () => {
  const { account, connection, again, home, group, enrol, buys, payoutsOf } = await aProgram()
  const externalId = stripeId('x')
  const ian = await enrol(null, externalId)
  const customer = aCustomer()
  const own = await (await again()).post(`${home}/leads`, { externalId })
  const { id } = await (await again()).post(`/leads/${own.id}/sales`, { amount: 9_00 })
  await db.run`
    update sales set customer_id = ${customer}, shop_id = (select shop_id from provider_connections where id = ${connection.id})
    where account_id = ${account.id} and id = ${id}`
  await night(1)
  await buys(ian, 26_10)
  const caller = await again()
  await caller.call('DELETE', `${home}/payment-providers/disconnect`, { connectionId: connection.id })
  const renewed = await aConnection(app, { ...account, token: (await signIn(app, account.ownerEmail)).token }, stripe)
  const reward = { as: 'credit', connectionId: renewed.id }
  const member = { email: anEmail('manager'), role: 'manager', firstName: 'Sam', lastName: 'Reed' }
  const manager = createCaller(
    app,
    (await acceptInvitation(app, (await caller.post(`${home}/members`, member)).url)).token,
  )
  clock.advance(11 * 60_000)
  for (const [by, reason] of [
    [manager, 'field_not_yours'],
    [caller, 'password_first'],
  ] as const)
    assert.equal((await by.call('PUT', `/groups/${group.id}`, { reward })).body.error.reason, reason)
  await (await again()).put(`/groups/${group.id}`, { reward })
  await night(8)
  assert.deepEqual([(await payoutsOf(ian))[0]?.status, creditOf(customer)], ['paid', [-26_10]])
})

test('what a payout provider has shown stops no credit once that provider is disconnected', async () => {
  const { account, enrol, buys } = await aProgram()
  const customer = aCustomer()
  await buys(await enrol(customer), 26_10)
  await db.run`insert into payout_accounts (account_id, updated_at) values (${account.id}, ${clock.now()})`
  await db.run`
    insert into payout_reconciliations (account_id, paused_at, restored, updated_at)
    values (${account.id}, ${clock.now()}, false, ${clock.now()})`
  await night(8)
  assert.deepEqual(creditOf(customer), [-26_10])
})

test('a customer named at the provider who never referred anybody is deleted', async () => {
  const { again, enrol } = await aProgram()
  const customer = aCustomer()
  const { id } = await enrol(customer)
  expectOk(await (await again()).call('DELETE', `/partners/${id}`))
  await enrol(customer)
})

test('an older copy of the database gives nothing again before a person has looked', async () => {
  const { account, enrol, buys, payoutsOf, again } = await aProgram()
  const customer = aCustomer()
  const hal = await enrol(customer)
  const { publicId } = await db.one<{ publicId: string }>`select public_id from accounts where id = ${account.id}`
  const metadata = { tributary_payout: '019aa0c4-0000-7000-8000-000000000001', tributary_account: publicId }
  const id = stripeId('cbtxn')
  stripe.store.set(id, {
    ...{ id, object: 'customer_balance_transaction', created: 1, amount: -26_10, currency: 'usd', customer, metadata },
  })
  await buys(hal, 26_10)
  await night(8)
  assert.deepEqual(creditOf(customer), [-26_10])
  const [unsure] = await payoutsOf(hal)
  assert.equal(unsure?.status, 'processing')
  assert.match(unsure?.failureReason ?? '', new RegExp(id))
  await (await again()).post(`/payouts/${unsure!.id}/cancel`)
  await night(1)
  // the person said that it was another reward
  assert.deepEqual(creditOf(customer), [-26_10, -26_10])
})

test('a key without the right is refused when the group is added', async () => {
  const { connection, home, again } = await aProgram()
  stripe.forbid('customer_balance_transactions')
  const reward = { as: 'credit', connectionId: connection.id }
  const { status, body } = await (await again()).call('POST', `${home}/groups`, {
    name: 'More',
    kind: 'customers',
    reward,
  })
  stripe.allow('customer_balance_transactions')
  assert.deepEqual([status, body.error.reason], [502, 'credit_right_missing'])
  assert.match(body.error.message, /write access to Customers/)
})

class Dead extends Error {}

for (const seed of listSeeds(2))
  test(`seed ${seed}: whatever is lost, and whoever dies, the credit at Stripe is what was paid`, async () => {
    const random = randomFrom(seed)
    const { account, enrol, buys, again } = await aProgram()
    const customers: { partner: { id: string; externalId: string }; ids: string[] }[] = []
    for (let at = 0; at < 3; at++) {
      const id = aCustomer()
      customers.push({ partner: await enrol(id), ids: [id] })
    }
    const sales: { id: string; left: number }[] = []
    const failures = ['reset-before', 'reset-after', 'garbage', { status: 429 }, { status: 500, after: true }] as const
    const due = () => db.many<{ id: string; accountId: string }>`
      select id, account_id from payouts where account_id = ${account.id} and method = 'credit' and status in ('approved', 'processing')`
    const works = async () => {
      const payouts = await due()
      await db.run`update payouts set look_after = null where account_id = ${account.id}`
      for (const payout of payouts) {
        const dies = random.below(3) === 0 ? random.pick(['attempt-saved', 'credit-added']) : null
        const one = () =>
          addCredit(app.services, payout, {
            onStep(step) {
              if (step === dies) throw new Dead()
            },
          }).catch((error: unknown) => {
            if (!(error instanceof Dead)) throw error
          })
        await (random.below(2) === 0 ? Promise.all([one(), one()]) : one())
      }
    }
    for (let step = 0; step < 24; step++) {
      const roll = random.below(10)
      const one = random.pick(customers)
      if (roll < 3) {
        const amount = 1_00 + random.below(50_00)
        const { id } = await buys(one.partner, amount)
        sales.push({ id, left: amount })
      } else if (roll < 4 && sales.length > 0) {
        const sale = random.pick(sales)
        const amount = 1 + random.below(sale.left || 1)
        if (sale.left < amount) continue
        sale.left -= amount
        await (await again()).post(`/sales/${sale.id}/refunds`, { amount, reason: 'Returned' })
      } else if (roll < 6) {
        if (random.below(2) === 0) stripe.fail(/balance_transactions/, random.pick(failures), 1 + random.below(2))
        else stripe.breakNext(random.pick(['error-before', 'error-after'] as const))
        await works()
        stripe.calm()
      } else if (roll < 7) {
        clock.advance(HOUR * (1 + random.below(30)))
        await works()
      } else if (roll < 8 && random.below(3) === 0) {
        const gone = one.ids.at(-1)!
        stripe.store.set(gone, { ...stripe.store.get(gone)!, deleted: true })
        await works()
        const id = aCustomer()
        one.ids.push(id)
        await enrol(id, one.partner.externalId)
      } else {
        nextDay(1 + random.below(8))
        await giveRewards(app.services)
        await works()
      }
    }
    stripe.calm()
    stripe.breakNext(...Array<undefined>(50).fill(undefined))
    for (let turn = 0; turn < 4; turn++) {
      clock.advance(21 * HOUR)
      await db.run`update payouts set look_after = null where account_id = ${account.id}`
      for (const payout of await due()) await addCredit(app.services, payout)
    }
    const unsure = await db.many<{ amount: number }>`
      select amount from payouts where account_id = ${account.id} and method = 'credit' and status = 'processing'`
    const paid = await db.value<number>`
      select coalesce(sum(amount), 0)::bigint from payouts where account_id = ${account.id} and method = 'credit' and status = 'paid'`
    const atStripe = customers
      .flatMap(({ ids }) => ids.flatMap(creditOf))
      .reduce<number>((sum, amount) => sum - Number(amount), 0)
    const open = unsure.reduce((sum, { amount }) => sum + amount, 0)
    assert.ok(atStripe >= paid && atStripe <= paid + open, `${atStripe} at Stripe, ${paid} paid, ${open} for a person`)
    const ids = await db.many<{ id: string }>`
      select external_reference as id from payouts where account_id = ${account.id} and method = 'credit' and status = 'paid'`
    assert.equal(new Set(ids.map(({ id }) => id)).size, ids.length)
    assert.deepEqual(await verifyLedger(db), [])
  })
