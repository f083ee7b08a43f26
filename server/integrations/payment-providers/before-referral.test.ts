import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type StripeEvent, stripePayment, stripePromotionCode } from '../../../test/fakes/stripe-events.ts'
import { assertRefused } from '../../../test/support/api.ts'
import { anAccount, anEmail, aPartner, expectOk } from '../../../test/support/app.ts'
import { aGenericConnection, genericEvent, sendCustomEvent } from '../../../test/support/generic.ts'
import { aBlueprint, clickInAddress, visitLink } from '../../../test/support/links.ts'
import { aConnection, deliverAll, startWithStripe, workOff } from '../../../test/support/payment-providers.ts'
import { verifyLedger } from '../../program/stats/verify.ts'

const { app, stripe } = await startWithStripe()
const { store } = stripe
const { db } = app.services

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000)
const DAY = 24 * 60

async function aShop() {
  const account = await anAccount(app, { defaultCommissionSettings: { layerRates: [20] } })
  const partner = await aPartner(app, account, { referralCode: 'jane' })
  const connection = await aConnection(app, account, stripe)
  const call = async (method: string, path: string, body?: unknown) =>
    expectOk(await app.api(method, path, { token: account.token, body })).body
  const email = anEmail('buyer')
  const pay = (minutes: number, facts: Partial<Parameters<typeof stripePayment>[0]> = {}) =>
    stripePayment({ email, amount: 100_00, createdAt: minutesAgo(minutes), store, ...facts })
  const book = async (...events: (StripeEvent | null)[]) => {
    await deliverAll(connection, events)
    await workOff(app)
  }
  const tell = (payment: ReturnType<typeof stripePayment>) => book(payment.checkoutCompleted, payment.chargeSucceeded)
  /** The oldest first. */
  const sales = async (): Promise<
    { id: string; leadId: string | null; partnerId: string | null; refundedAmount: number }[]
  > => (await call('GET', `/accounts/${account.id}/sales?sort=saleDate`)).items
  const partners = async () => (await sales()).map(({ partnerId }) => partnerId)
  const why = async (at = 0): Promise<string[]> => {
    const { others } = await call('GET', `/sales/${(await sales())[at]!.id}/match`)
    return others.map(({ rule, why }: { rule: string; why: string }) => `${rule}: ${why}`)
  }
  const aLead = (body: object = { partnerId: partner.id }) =>
    call('POST', `/accounts/${account.id}/leads`, { email, ...body })
  return { account, partner, email, call, pay, book, tell, sales, partners, why, aLead }
}

test('a refund or dispute of a payment made before the referral credits no one, with the reason', async () => {
  for (const later of ['refund', 'dispute'] as const) {
    const { tell, pay, aLead, book, partners, why, sales } = await aShop()
    const old = pay(40 * DAY)
    await tell(old)
    await aLead()
    await tell(pay(0))
    const given = old[later](1_00)
    await book('chargeRefunded' in given ? given.chargeRefunded : given.created)
    assert.deepEqual((await partners()).map(Boolean), [false, true], later)
    if (later === 'refund') assert.equal((await sales())[0]!.refundedAmount, 1_00)
    assert.ok((await why()).some((line) => line.includes('The customer was referred after this sale')))
    assert.deepEqual(await verifyLedger(db), [])
  }
})

test('a referral may follow its payment by five minutes', async () => {
  for (const [minutes, credited] of [
    [4, true],
    [6, false],
  ] as const) {
    const { tell, pay, aLead, partners, book } = await aShop()
    const one = pay(minutes)
    await tell(one)
    await aLead()
    await book(one.refund(1_00).chargeRefunded)
    assert.deepEqual((await partners()).map(Boolean), [credited], `${minutes} minutes`)
  }
})

test('a payment reported late is uncredited if the referral came after it, and so is the customer’s next one', async () => {
  const { tell, pay, aLead, partners } = await aShop()
  await aLead()
  await tell(pay(2 * DAY, { customer: 'cus_late' }))
  await tell(pay(0, { customer: 'cus_late' }))
  await tell(pay(3 * DAY, { customer: 'cus_late' }))
  assert.deepEqual((await partners()).map(Boolean), [false, false, false])
})

test('a promotion or referral code that later became a partner’s credits none of its earlier payments', async () => {
  for (const way of ['promotion', 'referral'] as const) {
    const { tell, pay, call, partner, book, partners, why, account } = await aShop()
    const code = stripePromotionCode(store, 'SUMMER20')
    const old = pay(30 * DAY, way === 'promotion' ? { promotionCode: code.id } : { reference: 'summer' })
    await tell(old)
    if (way === 'promotion') await call('POST', `/partners/${partner.id}/promotion-codes`, { code: 'summer20' })
    else await aPartner(app, account, { referralCode: 'summer' })
    // to the grace of the recording
    await db.run`update referral_codes set created_at = created_at + interval '6 minutes' where code = 'summer'`
    await book(old.refund(10_00).chargeRefunded)
    assert.deepEqual(await partners(), [null], way)
    assert.ok((await why()).some((line) => line.endsWith('The code wasn’t the partner’s yet when it was paid')))
  }
})

test('a payment with the code of a then suspended partner credits them neither then nor later', async () => {
  const { account, pay, call, partner, tell, partners, book } = await aShop()
  await call('POST', `/partners/${partner.id}/promotion-codes`, { code: 'PAUSED' })
  await db.run`update promotion_codes set created_at = ${minutesAgo(90 * DAY)} where account_id = ${account.id}`
  const code = stripePromotionCode(store, 'PAUSED').id
  const state = (name: string) => call('PUT', `/partners/${partner.id}`, { state: name, reason: 'To see.' })
  await state('suspended')
  await db.run`update partners set paused = tstzmultirange(tstzrange(${minutesAgo(20 * DAY)}, null)) where id = ${partner.id}`
  const paidWhileSuspended = pay(10 * DAY, { promotionCode: code, email: anEmail() })
  await tell(paidWhileSuspended)
  await state('active')
  await book(paidWhileSuspended.refund(1_00).chargeRefunded)
  await tell(pay(9 * DAY, { reference: 'jane', email: anEmail() }))
  await tell(pay(30 * DAY, { promotionCode: code, email: anEmail() }))
  await tell(pay(0, { promotionCode: code, email: anEmail() }))
  assert.deepEqual((await partners()).map(Boolean), [true, false, false, true])
})

test('a payment told while its code’s partner was suspended credits them no more once they are restored', async () => {
  for (const way of ['promotion', 'referral'] as const) {
    const { account, pay, call, partner, tell, partners, book } = await aShop()
    await call('POST', `/partners/${partner.id}/promotion-codes`, { code: 'RESTORED' })
    await db.run`update promotion_codes set created_at = ${minutesAgo(90 * DAY)} where account_id = ${account.id}`
    const state = (name: string) => call('PUT', `/partners/${partner.id}`, { state: name, reason: 'To see.' })
    await state('suspended')
    const code = stripePromotionCode(store, 'RESTORED').id
    const paidWhileSuspended = pay(0, {
      ...(way === 'promotion' ? { promotionCode: code } : { reference: 'jane' }),
      email: anEmail(),
    })
    await tell(paidWhileSuspended)
    await state('active')
    await book(paidWhileSuspended.refund(1_00).chargeRefunded)
    assert.deepEqual(await partners(), [null], way)
  }
})

test('a payment made while its code’s partner was suspended, and first told minutes after, credits nobody', async () => {
  const { account, pay, call, partner, tell, partners } = await aShop()
  await call('POST', `/partners/${partner.id}/promotion-codes`, { code: 'BACK' })
  await db.run`update promotion_codes set created_at = ${minutesAgo(90 * DAY)} where account_id = ${account.id}`
  await db.run`
    update partners set paused = tstzmultirange(tstzrange(${minutesAgo(20 * DAY)}, ${minutesAgo(2)}))
    where id = ${partner.id}`
  const code = stripePromotionCode(store, 'BACK').id
  for (const minutes of [3, 1])
    for (const way of [{ promotionCode: code }, { reference: 'jane' }])
      await tell(pay(minutes, { ...way, email: anEmail() }))
  const bySale = (await call('GET', `/accounts/${account.id}/sales?sort=createdAt`)).items
  assert.deepEqual(
    bySale.map(({ partnerId }: { partnerId: string | null }) => partnerId),
    [null, null, partner.id, partner.id],
  )
  assert.equal((await partners()).length, 4)
})

test('a payment’s own reference credits it, however late the lead came', async () => {
  const { tell, pay, aLead, partner, partners } = await aShop()
  const lead = await aLead()
  await tell(pay(2 * DAY, { reference: lead.id }))
  await tell(pay(1 * DAY, { reference: 'jane' }))
  assert.deepEqual(await partners(), [partner.id, partner.id])
})

test('renewals reported before the payment with the code still belong to its partner', async () => {
  const { tell, pay, partner, partners, book } = await aShop()
  const facts = { customer: 'cus_backwards' }
  const renewal = pay(10 * DAY, facts)
  const [first, later] = [pay(40 * DAY, { ...facts, reference: 'jane' }), pay(5 * DAY, { ...facts, reference: 'jane' })]
  for (const one of [later, renewal, first]) await tell(one)
  await book(renewal.refund(1_00).chargeRefunded)
  assert.deepEqual(await partners(), [partner.id, partner.id, partner.id])
})

test('assigning a lead’s first partner decides about earlier payments, and no event changes that', async () => {
  const { tell, pay, aLead, call, partner, partners, book } = await aShop()
  const lead = await aLead({})
  const [one, two] = [pay(2 * DAY), pay(1 * DAY)]
  for (const payment of [one, two]) await tell(payment)
  const path = `/leads/${lead.id}/reassign`
  const request = { partnerId: partner.id, reason: 'Theirs.' }
  const expected = { sales: { count: 2, amount: 200_00 }, commission: 40_00, leadPay: 0 }
  assert.deepEqual(await call('POST', path, { ...request, preview: true }), expected)
  assert.equal((await call('GET', `/leads/${lead.id}`)).partnerId, null)
  await call('POST', path, request)
  await book(one.refund(1_00).chargeRefunded)
  assert.deepEqual(await partners(), [null, null])
  await call('POST', path, { ...request, creditEarlierSales: true })
  assert.deepEqual(await partners(), [partner.id, partner.id])
  assert.deepEqual(await verifyLedger(db), [])
})

test('a lead taken from its partner, then given to another, credits neither with a payment between', async () => {
  const { account, tell, pay, call, partners, book, sales, email } = await aShop()
  const other = await aPartner(app, account)
  const click = clickInAddress(await visitLink(app, (await aBlueprint(app, account)).key, 'jane'))
  const { apiKey } = await call('PUT', `/accounts/${account.id}/api-key`)
  const lead = expectOk(await app.api('POST', '/push/leads', { token: apiKey, body: { email, clickId: click } })).body
  const reassign = (partnerId: string | null) =>
    call('POST', `/leads/${lead.id}/reassign`, { partnerId, reason: 'To see.' })
  await reassign(null)
  const payment = pay(1, { reference: click })
  await tell(payment)
  await reassign(other.id)
  await db.run`update leads set attributed_at = attributed_at + interval '10 minutes' where id = ${lead.id}`
  await book(payment.refund(1_00).chargeRefunded)
  assert.deepEqual(await partners(), [null])
  assert.equal((await sales())[0]!.leadId, lead.id)
  assert.equal((await call('GET', `/accounts/${account.id}/leads`)).total, 1)
  assert.deepEqual(await verifyLedger(db), [])
})

test('attributing one sale credits it; the customer’s other sales are shown for a decision', async () => {
  const { tell, pay, call, partner, partners, sales, book } = await aShop()
  const [one, two] = [pay(2 * DAY), pay(1 * DAY)]
  for (const payment of [one, two]) await tell(payment)
  const [first, second] = await sales()
  const body = { partnerId: partner.id, reason: 'Theirs.' }
  const expected = { sales: { count: 1, amount: 100_00 }, commission: 20_00, leadPay: 0 }
  assert.deepEqual(await call('POST', `/sales/${first!.id}/attribute`, { ...body, preview: true }), expected)
  assert.deepEqual(
    (await sales()).map(({ leadId }) => leadId),
    [null, null],
  )
  await call('POST', `/sales/${first!.id}/attribute`, body)
  await book(two.refund(1_00).chargeRefunded)
  assert.deepEqual(await partners(), [partner.id, null])
  await call('POST', `/sales/${second!.id}/attribute`, { ...body, creditEarlierSales: true })
  assert.deepEqual(await partners(), [partner.id, partner.id])
})

test('a rejected lead earns no commission, however a payment names it, even after it is reopened', async () => {
  const { tell, pay, aLead, call, partners, sales, why, book } = await aShop()
  const lead = await aLead()
  await call('POST', `/leads/${lead.id}/status`, { status: 'rejected', reason: 'existing-customer' })
  const byId = pay(3, { reference: lead.id, customer: 'cus_rejected' })
  const payments = [byId, pay(2, { customer: 'cus_rejected' }), pay(1, { reference: 'jane' }), pay(0)]
  for (const payment of payments) await tell(payment)
  assert.deepEqual(await partners(), [null, null, null, null])
  for (const [at, { leadId }] of (await sales()).entries()) {
    assert.equal(leadId, lead.id)
    assert.ok((await why(at)).some((line) => line.endsWith('The lead was rejected, so its sales earn nothing')))
  }
  assert.equal((await call('GET', `/leads/${lead.id}`)).status, 'rejected')
  assert.deepEqual(await verifyLedger(db), [])
  await call('POST', `/leads/${lead.id}/status`, { status: 'qualified', reason: 'other' })
  assert.deepEqual(await verifyLedger(db), [])
  await db.run`update leads set attributed_at = attributed_at + interval '10 minutes' where id = ${lead.id}`
  for (const payment of payments) await book(payment.refund(1_00).chargeRefunded)
  assert.deepEqual(await partners(), [null, null, null, null])
  assert.deepEqual(await verifyLedger(db), [])
})

test('a payment corrected after the referral still counts as made before it', async () => {
  const { account, call, partner, aLead, email } = await aShop()
  const own = await aGenericConnection(app, account)
  const tell = async (id: string, told: Date, facts: object = {}) => {
    const payment = { id, amount: 100_00, currency: 'usd', email, ...facts }
    expectOk(await sendCustomEvent(own.webhookUrl, genericEvent('payment', payment, told)))
    await workOff(app)
  }
  await tell('order-1', minutesAgo(10 * DAY))
  await tell('order-2', minutesAgo(7))
  await aLead()
  for (const id of ['order-1', 'order-2']) await tell(id, minutesAgo(0), { amount: 90_00 })
  await tell('order-3', minutesAgo(0))
  await tell('order-1', minutesAgo(-1), { amount: 80_00, customerId: 'customer-1' })
  const { items } = await call('GET', `/accounts/${account.id}/sales`)
  assert.deepEqual(
    new Map(
      items.map((sale: { externalId: string; amount: number; partnerId: string }) => [
        sale.externalId,
        [sale.amount, sale.partnerId],
      ]),
    ),
    new Map([
      ['order-3', [100_00, partner.id]],
      ['order-2', [90_00, null]],
      ['order-1', [80_00, null]],
    ]),
  )
  assert.deepEqual(await verifyLedger(db), [])
})

test('assigning a lead’s partner without its sales is not overruled by events reported right after', async () => {
  const { tell, pay, aLead, call, partner, partners, book } = await aShop()
  const lead = await aLead({})
  const payment = pay(1)
  await tell(payment)
  await call('POST', `/leads/${lead.id}/reassign`, { partnerId: partner.id, reason: 'Theirs from now on.' })
  await book(payment.refund(1_00).chargeRefunded)
  assert.deepEqual(await partners(), [null])
})

test('a pushed sale with a code credits itself and later sales, not the customer’s earlier ones', async () => {
  const { account, call, partner, partners, email } = await aShop()
  const { apiKey } = await call('PUT', `/accounts/${account.id}/api-key`)
  const push = (row: object) =>
    app.api('POST', '/push/sales', { token: apiKey, body: { amount: 100_00, email, ...row } })
  expectOk(await app.api('POST', '/push/leads', { token: apiKey, body: { email } }))
  for (const month of ['01', '02', '03'])
    expectOk(await push({ externalId: `sale-${month}`, saleDate: `2026-${month}-10` }))
  expectOk(await push({ externalId: 'sale-10', saleDate: '2026-10-10', referralCode: 'jane' }))
  expectOk(await push({ externalId: 'sale-04', saleDate: '2026-04-10' }))
  expectOk(await push({ externalId: 'sale-10b', saleDate: '2026-10-10' }))
  expectOk(await push({ externalId: 'sale-11', saleDate: '2026-11-10' }))
  assert.deepEqual(await partners(), [null, null, null, null, partner.id, partner.id, partner.id])
})

test('a pushed sale with an unknown code is refused for the same reason for known and unknown customers', async () => {
  const { account, call, email, sales } = await aShop()
  const { apiKey } = await call('PUT', `/accounts/${account.id}/api-key`)
  const push = (path: string, body: object) => app.api('POST', `/push/${path}`, { token: apiKey, body })
  expectOk(await push('leads', { email }))
  const sale = { amount: 100_00, referralCode: 'nobody' }
  for (const [at, one] of [email, anEmail()].entries())
    assertRefused(await push('sales', { ...sale, externalId: `sale-${at}`, email: one }), 422, 'validation_failed', [
      'referralCode',
    ])
  assert.deepEqual(await sales(), [])
  assertRefused(
    await push('sales', { ...sale, email, externalId: 'old', saleDate: '1850-01-01' }),
    422,
    'validation_failed',
    ['saleDate'],
  )
})

test('if rows of one list name different partners for a customer, the first row decides', async () => {
  const { account, call, partner, partners, email } = await aShop()
  await aPartner(app, account, { referralCode: 'bob' })
  const { apiKey } = await call('PUT', `/accounts/${account.id}/api-key`)
  const push = async (path: string, body: unknown) =>
    expectOk(await app.api('POST', `/push/${path}`, { token: apiKey, body })).body
  await push('leads', { email })
  const rows = ['jane', null, 'bob'].map((referralCode, at) => ({
    ...{ externalId: `sale-${at}`, amount: 100_00, email, saleDate: `2026-10-1${at}`, referralCode },
  }))
  const { results } = await push('sales', rows)
  assert.deepEqual(
    results.map(({ status }: { status: number }) => status),
    [201, 201, 201],
  )
  assert.deepEqual(await partners(), [partner.id, partner.id, partner.id])
})
