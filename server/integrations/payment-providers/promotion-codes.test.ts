import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  BASIL,
  OLDER,
  type StripeEvent,
  stripeEvent,
  stripeInvoice,
  stripePayment,
  stripePromotionCode,
} from '../../../test/fakes/stripe-events.ts'
import { anAccount, anEmail, aPartner, expectOk, type TestAccount } from '../../../test/support/app.ts'
import { aConnection, deliverAll, startWithStripe, workOff } from '../../../test/support/payment-providers.ts'

const { app, stripe } = await startWithStripe()
const { store } = stripe

async function aShop() {
  const account = await anAccount(app)
  const partner = await aPartner(app, account)
  const connection = await aConnection(app, account, stripe)
  const bind = async (code: string, { id } = partner) =>
    expectOk(await app.api('POST', `/partners/${id}/promotion-codes`, { token: account.token, body: { code } }))
  const book = async (...events: (StripeEvent | null)[]) => {
    await deliverAll(connection, events)
    await workOff(app)
  }
  return { account, partner, connection, bind, book }
}

const salesOf = async ({ id, token }: TestAccount): Promise<Record<string, unknown>[]> =>
  expectOk(await app.api('GET', `/accounts/${id}/sales?sort=saleDate`, { token })).body.items
const credits = async (account: TestAccount) =>
  (await salesOf(account)).map(({ partnerId, matchedBy }) => [partnerId, matchedBy])

test('a code entered by a buyer credits its partner, by text or ID, whichever event reports it first', async () => {
  for (const by of ['text', 'id'] as const)
    for (const first of ['checkoutCompleted', 'chargeSucceeded'] as const) {
      const { account, partner, bind, book } = await aShop()
      const promotion = stripePromotionCode(store, 'SPRING20')
      await bind(by === 'text' ? 'spring20' : promotion.id)
      const payment = stripePayment({ email: anEmail(), amount: 5000, promotionCode: promotion.id, store })
      await book(payment[first])
      await book(payment.chargeSucceeded, payment.checkoutCompleted)
      assert.deepEqual(await credits(account), [[partner.id, 'coupon']], `${by}, ${first} first`)
    }
})

for (const apiVersion of [OLDER, BASIL])
  test(`a discount on an invoice names its code, and renewals stay with the partner (${apiVersion})`, async () => {
    const { account, partner, bind, book } = await aShop()
    await bind('YEARLY')
    const promotion = stripePromotionCode(store, 'YEARLY')
    const bill = stripeInvoice({ email: anEmail(), amount: 9900, promotionCode: promotion.id, apiVersion, store })
    await book(bill.invoicePaid, bill.payments[0]!.chargeSucceeded)
    const later = await aPartner(app, account)
    const { items } = expectOk(
      await app.api('GET', `/partners/${partner.id}/promotion-codes`, { token: account.token }),
    ).body
    expectOk(
      await app.api('DELETE', `/partners/${partner.id}/promotion-codes/${items[0].id}`, { token: account.token }),
    )
    await bind('YEARLY', later)
    const renewal = bill.renew()
    await book(renewal.invoicePaid, renewal.payments[0]!.chargeSucceeded)
    assert.deepEqual((await credits(account)).sort(), [
      [partner.id, 'coupon'],
      [partner.id, 'customer'],
    ])
  })

test('a trial that starts with a code creates the partner’s lead before any payment', async () => {
  const { account, partner, bind, book } = await aShop()
  await bind('TRY')
  const email = anEmail()
  const promotion = stripePromotionCode(store, 'try')
  const trial = stripeInvoice({ email, amount: 0, promotionCode: promotion.id, store })
  await book(trial.invoicePaid)
  assert.deepEqual(await salesOf(account), [])
  const { items } = expectOk(await app.api('GET', `/accounts/${account.id}/leads`, { token: account.token })).body
  assert.deepEqual(
    items.map((lead: { email: string; partnerId: string; attribution: { matchedBy: string } }) => [
      lead.email,
      lead.partnerId,
      lead.attribution.matchedBy,
    ]),
    [[email, partner.id, 'coupon']],
  )
})

test('a key that may not read promotion codes stores only their IDs, without a problem', async () => {
  stripe.forbid('promotion_codes')
  const { account, partner, bind, book } = await aShop()
  const [known, unknown] = [stripePromotionCode(store, 'KNOWN'), stripePromotionCode(store, 'UNKNOWN')]
  await bind(known.id)
  await bind('UNKNOWN')
  const pay = (promotionCode: string) => stripePayment({ email: anEmail(), amount: 5000, promotionCode, store })
  await book(pay(known.id).checkoutCompleted)
  await book(pay(unknown.id).checkoutCompleted)
  stripe.allow('promotion_codes')
  assert.deepEqual((await credits(account)).sort(), [
    [null, null],
    [partner.id, 'coupon'],
  ])
  const path = `/accounts/${account.id}/payment-providers`
  assert.equal(expectOk(await app.api('GET', path, { token: account.token })).body.items[0].state, 'connected')
})

test('while Stripe does not return a code’s text, the payment is not booked to another partner', async () => {
  const { account, partner, bind, book } = await aShop()
  const email = anEmail()
  const other = await aPartner(app, account)
  expectOk(
    await app.api('POST', `/accounts/${account.id}/leads`, {
      token: account.token,
      body: { email, partnerId: other.id },
    }),
  )
  await bind('SLOW')
  const { id } = stripePromotionCode(store, 'SLOW')
  stripe.fail(/promotion_codes/, { status: 503 })
  const { checkoutCompleted } = stripePayment({ email, amount: 5000, promotionCode: id, store })
  await assert.rejects(book(checkoutCompleted), /503/)
  assert.deepEqual(await salesOf(account), [])
  await workOff(app)
  assert.deepEqual(await credits(account), [[partner.id, 'coupon']])
})

test('a code that was deleted at Stripe, or is invalid, delays no payment', async () => {
  const { account, book } = await aShop()
  const pay = (promotionCode: string) => stripePayment({ email: anEmail(), amount: 5000, promotionCode, store })
  await book(pay('promo_gone').checkoutCompleted, pay('../customers').checkoutCompleted)
  assert.deepEqual(await credits(account), [
    [null, null],
    [null, null],
  ])
  assert.equal(stripe.callsTo(/promotion_codes\/\.\./).length, 0)
})

test('a sale says why it was or was not credited, based on all its events', async () => {
  const { account, bind, book } = await aShop()
  await bind('WORDS')
  const promotion = stripePromotionCode(store, 'WORDS')
  const match = async () => {
    const [sale] = await salesOf(account)
    return expectOk(await app.api('GET', `/sales/${sale!.id}/match`, { token: account.token })).body
  }
  const why = async () =>
    (await match()).others.map(({ rule, why }: { rule: string; why: string }) => `${rule}: ${why}`)
  // Stripe does not know its session yet
  const alone = stripePayment({ email: anEmail(), amount: 700, reference: 'nobodys-code' })
  await book(alone.chargeSucceeded)
  assert.ok((await why()).includes('code: The sale came without a referral code'))
  await book(alone.checkoutCompleted)
  assert.equal((await match()).rule, null)
  assert.deepEqual(await why(), [
    'click: The sale came without a click',
    'lead-id: The sale came without a lead ID',
    'code: No partner has the referral code',
    'customer: The sale came without a customer ID',
    'external-id: The sale came without a customer ID',
    'coupon: The sale didn’t use a partner’s promotion code',
    'email: The payer’s email doesn’t match an open lead or a customer',
  ])
  // another event of the same payment has more facts
  const session = { ...alone.session, discounts: [{ promotion_code: promotion.id }], metadata: {} }
  await book(stripeEvent('checkout.session.completed', session, { createdAt: new Date(Date.now() + 2000) }))
  const credited = await match()
  assert.deepEqual(
    [credited.rule, credited.why],
    ['coupon', 'The sale used the partner’s promotion code. Until the first sale, the last touch counts'],
  )
  assert.deepEqual((await why()).at(-1), 'external-id: The sale came without a customer ID')
})

test('if the code wins, a customer’s first payment moves their lead to its partner, and renewals stay there', async () => {
  const { account, partner, bind, book } = await aShop()
  const patch = (body: object) => app.api('PATCH', `/accounts/${account.id}`, { token: account.token, body })
  expectOk(await patch({ attributionOrder: 'code-first' }))
  const other = await aPartner(app, account)
  const email = anEmail()
  const body = { email, partnerId: other.id }
  const lead = expectOk(await app.api('POST', `/accounts/${account.id}/leads`, { token: account.token, body })).body
  await bind('FIRST')
  const promotion = stripePromotionCode(store, 'FIRST')
  const reference = other.referralCode
  const first = stripePayment({
    email,
    amount: 5000,
    customer: 'cus_first',
    reference,
    promotionCode: promotion.id,
    store,
  })
  await book(first.checkoutCompleted, first.chargeSucceeded)
  const next = stripePayment({ email, amount: 4000, customer: 'cus_first', reference, store })
  await book(next.checkoutCompleted, next.chargeSucceeded)
  const sales = await salesOf(account)
  assert.deepEqual(
    new Set(sales.map(({ leadId, partnerId }) => `${leadId} ${partnerId}`)),
    new Set([`${lead.id} ${partner.id}`]),
  )
  assert.deepEqual(sales.map(({ matchedBy }) => matchedBy).sort(), ['coupon', 'customer'])
})

test('codes that a later event reports are stored with the sale, and whether one was a partner’s then', async () => {
  const { account, bind, book } = await aShop()
  const promotion = stripePromotionCode(store, 'LATER')
  // Stripe does not know its session yet
  const payment = stripePayment({ email: anEmail(), amount: 5000 })
  const stored = () =>
    app.services.db.one<{ promotionCodes: string[] | null; partnerCode: boolean }>`
      select promotion_codes, partner_code from sales where account_id = ${account.id}`
  await book(payment.chargeSucceeded)
  assert.deepEqual(await stored(), { promotionCodes: null, partnerCode: false })
  const session = { ...payment.session, discounts: [{ promotion_code: promotion.id }] }
  await book(stripeEvent('checkout.session.completed', session))
  const codes = [promotion.id.toUpperCase(), 'LATER']
  assert.deepEqual(await stored(), { promotionCodes: codes, partnerCode: false })
  await bind('LATER')
  await book(payment.refund(1_00).chargeRefunded)
  assert.deepEqual(await stored(), { promotionCodes: codes, partnerCode: false })
})
