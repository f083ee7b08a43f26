import assert from 'node:assert/strict'
import { test } from 'node:test'
import { verifyLedger } from '#server/program/stats/verify.ts'
import { type StripeEvent, stripeInvoice, stripePayment } from '#test/fakes/stripe-events.ts'
import { createCaller } from '#test/support/api.ts'
import { anAccount, anEmail, expectOk } from '#test/support/app.ts'
import { aBlueprint, clickInAddress, visitLink } from '#test/support/links.ts'
import { aConnection, deliverAll, startWithStripe, workOff } from '#test/support/payment-providers.ts'

// A customer gets no reward for their own purchases, or for those of people who paid before.

const { app, stripe } = await startWithStripe()
const { store } = stripe

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000)

type Terms = Record<string, unknown>

async function aProgram(terms: Terms = { otherwise: { layerRates: [100] } }) {
  const account = await anAccount(app, { selfReferralPolicy: 'allow' })
  const connection = await aConnection(app, account, stripe)
  const owner = createCaller(app, account.token)
  const home = `/accounts/${account.id}`
  const reward = { as: 'credit', connectionId: connection.id }
  const group = await owner.post(`${home}/groups`, { name: 'Customers', kind: 'customers', reward, terms })
  const enrol = async (externalId: string, more: object = {}) =>
    expectOk(
      await owner.call('PUT', `${home}/partners/by-external-id/${externalId}`, {
        ...{ email: `${externalId}-${account.id}@app.example`, groupId: group.id },
        ...more,
      }),
    ).body as { id: string; email: string; referralCode: string }
  const pay = (facts: { customer: string; email: string; days?: number; card?: string; reference?: string }) => {
    const { days = 0, ...rest } = facts
    return stripePayment({ amount: 29_00, createdAt: daysAgo(days), store, ...rest } as Parameters<
      typeof stripePayment
    >[0])
  }
  const deliver = async (...events: (StripeEvent | null)[]) => {
    await deliverAll(connection, events)
    await workOff(app)
  }
  const book = ({ checkoutCompleted, chargeSucceeded }: ReturnType<typeof pay>) =>
    deliver(checkoutCompleted, chargeSucceeded)
  const aFriend = (partnerId: string, fields: object = {}) =>
    owner.post(`${home}/leads`, { partnerId, email: anEmail('friend'), ...fields })
  const earned = async (partner: { id: string }) =>
    (await owner.get(`/partners/${partner.id}/commissions`)).items.map(({ amount }: { amount: number }) => amount)
  return { account, connection, owner, home, group, enrol, pay, book, deliver, aFriend, earned }
}

let customers = 0
function aCustomer() {
  const id = `cus_noReward${++customers}`
  store.set(id, { id, object: 'customer', created: 1, currency: null, livemode: false })
  return id
}

test('a second account of the customer pays with the same card: no reward, and the sale says why', async () => {
  const { owner, home, enrol, pay, book, aFriend, earned } = await aProgram()
  const ann = await enrol('ann')
  await book(pay({ customer: aCustomer(), email: ann.email, card: 'fp_ann', days: 40 }))
  const second = await aFriend(ann.id)
  await book(pay({ customer: aCustomer(), email: second.email, card: 'fp_ann' }))
  assert.deepEqual(await earned(ann), [])
  const [sale] = (await owner.get(`${home}/sales?leadId=${second.id}`)).items
  assert.deepEqual([sale.hold.rule, sale.hold.policy], ['self-referral', 'refuse'])
  assert.match(sale.hold.reason, /paid with this card/)
  assert.equal((await owner.get(`/leads/${second.id}`)).noReward, 'self-referral')
  const friend = await aFriend(ann.id)
  await book(pay({ customer: aCustomer(), email: friend.email, card: 'fp_friend' }))
  assert.deepEqual(await earned(ann), [29_00])
  assert.equal((await owner.get(`/leads/${friend.id}`)).noReward, null)
})

test('the customer’s own record at the provider pays under another address: no reward', async () => {
  const { owner, connection, enrol, pay, book, aFriend, earned } = await aProgram({
    rules: [{ on: 'new-customer', layerAmounts: [5_00] }],
    otherwise: { layerRates: [100] },
  })
  const customerId = aCustomer()
  const bea = await enrol('bea', { customer: { connectionId: connection.id, customerId } })
  const lead = await aFriend(bea.id)
  await book(pay({ customer: customerId, email: lead.email }))
  assert.deepEqual(await earned(bea), [])
  assert.equal((await owner.get(`/leads/${lead.id}`)).noReward, 'self-referral')
})

test('who paid at the provider before the referral earns nobody a reward, whatever named the partner', async () => {
  const { account, owner, home, enrol, pay, book, earned } = await aProgram()
  const cal = await enrol('cal')
  const blueprint = await aBlueprint(app, account)
  const click = async () => clickInAddress(await visitLink(app, blueprint.key, cal.referralCode))!
  for (const reference of [await click(), cal.referralCode]) {
    const [customer, email] = [aCustomer(), anEmail('old')]
    pay({ customer, email, days: 400 })
    await book(pay({ customer, email, reference }))
    assert.deepEqual(await earned(cal), [], reference)
    const [sale] = (await owner.get(`${home}/sales?sort=-createdAt`)).items
    const { others } = await owner.get(`/sales/${sale.id}/match`)
    assert.match(others.at(-1).why, /Paid before they were referred$/)
  }
  // a lead that a click has made
  const [customer, email] = [aCustomer(), anEmail('signed-up')]
  const lead = await owner.post(`${home}/leads`, { email, partnerId: cal.id })
  pay({ customer, email, days: 400 })
  await book(pay({ customer, email, reference: lead.id }))
  assert.deepEqual(await earned(cal), [])
  assert.equal((await owner.get(`/leads/${lead.id}`)).noReward, 'paid-before')
  // one who never paid before
  for (const reference of [await click(), cal.referralCode])
    await book(pay({ customer: aCustomer(), email: anEmail('new'), reference }))
  assert.deepEqual(await earned(cal), [29_00, 29_00])
  assert.deepEqual(await verifyLedger(app.services.db), [])
})

test('two customers who refer each other earn one reward', async () => {
  const { enrol, pay, book, earned, aFriend } = await aProgram()
  const dan = await enrol('dan')
  const eli = await enrol('eli')
  const [atDan, atEli] = [aCustomer(), aCustomer()]
  await book(pay({ customer: atDan, email: dan.email, days: 30 }))
  await aFriend(dan.id, { email: eli.email, externalId: 'eli' })
  await book(pay({ customer: atEli, email: eli.email }))
  await aFriend(eli.id, { email: dan.email, externalId: 'dan' })
  await book(pay({ customer: atDan, email: dan.email }))
  assert.deepEqual([await earned(dan), await earned(eli)], [[29_00], []])
})

test('a new customer is rewarded by the first paid amount, not by a mark or a trial', async () => {
  const { owner, enrol, aFriend, earned, deliver } = await aProgram({
    rules: [{ on: 'new-customer', layerAmounts: [5_00] }],
    otherwise: { layerAmounts: [0] },
  })
  const fay = await enrol('fay')
  const lead = await aFriend(fay.id)
  await owner.post(`/leads/${lead.id}/status`, { status: 'qualified' })
  const trial = stripeInvoice({
    ...{ customer: aCustomer(), email: lead.email, store },
    ...{ amount: 0, payments: [], checkout: {} },
  })
  await deliver(trial.checkoutCompleted, trial.invoicePaid)
  assert.deepEqual(await earned(fay), [])
  const renewal = trial.renew({ amount: 29_00, payments: [29_00] })
  await deliver(renewal.invoicePaid, renewal.payments[0]!.chargeSucceeded)
  assert.deepEqual(await earned(fay), [5_00])
  // all of it is given back
  const { refundCreated, chargeRefunded } = renewal.payments[0]!.refund(29_00)
  await deliver(refundCreated, chargeRefunded)
  assert.equal(
    (await earned(fay)).reduce((sum: number, amount: number) => sum + amount, 0),
    0,
  )
  assert.equal((await owner.get(`/leads/${lead.id}`)).noReward, 'refunded')
  assert.deepEqual(await verifyLedger(app.services.db), [])
})
