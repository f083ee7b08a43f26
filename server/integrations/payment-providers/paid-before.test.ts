import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type StripeEvent, stripeInvoice, stripePayment } from '../../../test/fakes/stripe-events.ts'
import { anAccount, anEmail, aPartner, expectOk } from '../../../test/support/app.ts'
import { aBlueprint, clickInAddress, visitLink } from '../../../test/support/links.ts'
import { aConnection, deliverAll, startWithStripe, workOff } from '../../../test/support/payment-providers.ts'
import { verifyLedger } from '../../program/stats/verify.ts'

// Customers of before, whom a partner's link brings back: their provider is asked before a lead's first sale.

const { app, stripe } = await startWithStripe()
const { store } = stripe
const { db } = app.services

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000)

async function aShop() {
  const account = await anAccount(app, { defaultCommissionSettings: { layerRates: [20] } })
  const partner = await aPartner(app, account, { referralCode: 'jane' })
  const connection = await aConnection(app, account, stripe)
  const email = anEmail('buyer')
  const customer = `cus_${email.replace(/\W/g, '')}`
  const call = async (method: string, path: string, body?: unknown) =>
    expectOk(await app.api(method, path, { token: account.token, body })).body
  const pay = (days: number, facts: Partial<Parameters<typeof stripePayment>[0]> = {}) =>
    stripePayment({ email, customer, amount: 99_00, createdAt: daysAgo(days), store, ...facts })
  const book = async (...events: (StripeEvent | null)[]) => {
    await deliverAll(connection, events)
    await workOff(app)
  }
  const tell = (payment: ReturnType<typeof stripePayment>) => book(payment.checkoutCompleted, payment.chargeSucceeded)
  const aLead = (body: object = {}) =>
    call('POST', `/accounts/${account.id}/leads`, { email, partnerId: partner.id, ...body })
  const sales = async () => (await call('GET', `/accounts/${account.id}/sales?sort=saleDate`)).items
  const earned = async () => {
    const { items } = await call('GET', `/partners/${partner.id}/commissions`)
    return items.map(({ amount }: { amount: number }) => amount)
  }
  const why = async (): Promise<string[]> => {
    const { others } = await call('GET', `/sales/${(await sales())[0].id}/match`)
    return others.map((one: { why: string }) => one.why)
  }
  return { account, partner, connection, email, customer, call, pay, book, tell, aLead, sales, earned, why }
}

test('a customer since last year whom a partner refers again earns nobody anything', async () => {
  const { pay, tell, aLead, sales, earned, why, call, account } = await aShop()
  pay(400)
  const lead = await aLead()
  await tell(pay(0))
  assert.deepEqual(
    [(await sales()).map((sale: { partnerId: string | null }) => sale.partnerId), await earned()],
    [[null], []],
  )
  const { status, statusReason } = await call('GET', `/leads/${lead.id}`)
  assert.deepEqual([status, statusReason], ['rejected', 'existing-customer'])
  assert.ok((await why()).includes('Paid before they were referred'), String(await why()))
  await tell(pay(0))
  assert.deepEqual(await earned(), [])
  assert.equal((await sales()).length, 2)
  assert.deepEqual(await verifyLedger(db), [])
  assert.ok(account.id)
})

test('a customer who never paid before earns for the partner, and their renewals are not asked about', async () => {
  const { pay, tell, aLead, earned } = await aShop()
  await aLead()
  await tell(pay(0))
  assert.deepEqual(await earned(), [19_80])
  stripe.forbid('charges')
  try {
    await tell(pay(0))
    assert.deepEqual(await earned(), [19_80, 19_80])
  } finally {
    stripe.allow('charges')
  }
})

test('a click names the partner, so that nobody is asked', async () => {
  const { pay, tell, earned, account } = await aShop()
  pay(400)
  const click = clickInAddress(await visitLink(app, (await aBlueprint(app, account)).key, 'jane'))!
  await tell(pay(0, { reference: click }))
  assert.deepEqual(await earned(), [19_80])
})

test('without an answer nothing is booked until the provider gives one', async () => {
  const { pay, book, aLead, sales, earned, call, account, connection } = await aShop()
  const path = `/accounts/${account.id}/payment-providers`
  await aLead()
  stripe.forbid('charges')
  try {
    await book(pay(0).checkoutCompleted)
    assert.deepEqual(await sales(), [])
    const [{ state, stateReason }] = (await call('GET', path)).items
    assert.deepEqual([state, /waits? for a key/.test(stateReason)], ['attention', true])
  } finally {
    stripe.allow('charges')
  }
  await call('PATCH', `${path}/${connection.id}`, { credentials: { restrictedKey: stripe.key } })
  await workOff(app)
  assert.deepEqual([(await sales()).length, await earned()], [1, [19_80]])
  assert.deepEqual(await verifyLedger(db), [])
})

test('a trial makes an old customer nobody’s either, and a new one the partner’s', async () => {
  for (const isOld of [true, false]) {
    const { email, customer, aLead, book, earned, pay, call } = await aShop()
    if (isOld) pay(400)
    const lead = await aLead()
    const trial = stripeInvoice({ email, customer, amount: 0, payments: [], checkout: {}, store })
    await book(trial.checkoutCompleted, trial.invoicePaid)
    const renewal = trial.renew({ amount: 99_00, payments: [99_00] })
    await book(renewal.invoicePaid, renewal.payments[0]!.chargeSucceeded)
    assert.deepEqual(await earned(), isOld ? [] : [19_80])
    assert.equal((await call('GET', `/leads/${lead.id}`)).status, isOld ? 'rejected' : 'won')
  }
})
