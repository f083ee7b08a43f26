import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type StripeEvent, stripeInvoice } from '../../../../test/fakes/stripe-events.ts'
import { anAccount, anEmail, aPartner, expectOk } from '../../../../test/support/app.ts'
import { aConnection, deliverAll, startWithStripe, workOff } from '../../../../test/support/payment-providers.ts'
import { createStories } from '../../../../test/support/provider-stories.ts'
import { verifyLedger } from '../../../program/stats/verify.ts'

// Invoices whose money did not come through Stripe: it goes back by a credit note alone; and those of nothing.

const { app, stripe } = await startWithStripe()
const account = await anAccount(app, { defaultCommissionSettings: { layerRates: [20] } })
const partner = await aPartner(app, account)
const connection = await aConnection(app, account, stripe)
const { store } = stripe
const { db } = app.services
const { call, aLead, salesOf, deliverAndBook, inEveryOrder } = createStories<StripeEvent>({
  ...{ app, account, partner },
  deliver: (events) => deliverAll(connection, events),
})

const refundedOf = async (lead: { id: string }) =>
  (await salesOf(lead.id)).map(({ grossAmount, refundedAmount }: Record<string, unknown>) => [
    grossAmount,
    refundedAmount,
  ])

test('a credit note takes back what an invoice paid by wire gave, in every order', () =>
  inEveryOrder(
    (email) => {
      const bill = stripeInvoice({ email, amount: 500_07, subscription: null, outOfBand: true, store })
      return [bill.invoicePaid, bill.creditNote(200_00).created]
    },
    ([sale, ...others]) => {
      assert.deepEqual(others, [])
      assert.deepEqual([sale?.grossAmount, sale?.refundedAmount], [500_07, 200_00])
    },
  ))

test('an invoice paid partly by card and partly by wire is a sale of each part, whose notes are on its own', () =>
  inEveryOrder(
    (email) => {
      const facts = { email, amount: 500_00, subscription: null, outOfBand: 200_00, store }
      const bill = stripeInvoice(facts)
      const [card] = bill.payments
      return [
        card!.invoicePaymentPaid,
        card!.chargeSucceeded,
        bill.invoicePaid,
        bill.creditNote(50_00, { recorded: true }).created,
        bill.refund(30_00).refundCreated,
      ]
    },
    (sales) =>
      assert.deepEqual(
        sales.map(({ grossAmount, refundedAmount }) => [grossAmount, refundedAmount]),
        [
          [200_00, 50_00],
          [300_00, 30_00],
        ],
      ),
  ))

test('one that is voided is canceled, in every order', () =>
  inEveryOrder(
    (email) => {
      const bill = stripeInvoice({ email, amount: 500_07, subscription: null, outOfBand: true, store })
      const note = bill.creditNote(200_00)
      return [bill.invoicePaid, note.created, note.voided()]
    },
    ([sale]) => assert.deepEqual([sale?.refundedAmount, sale?.status], [0, 'completed']),
  ))

test('one of an invoice that was paid through Stripe is on its payment', () =>
  inEveryOrder(
    (email) => {
      const bill = stripeInvoice({ email, amount: 300_00, store })
      return [bill.invoicePaid, bill.payments[0]!.chargeSucceeded, bill.creditNote(50_00).created]
    },
    ([sale, ...others]) => {
      assert.deepEqual(others, [])
      assert.deepEqual([sale?.refundedAmount, sale?.status], [50_00, 'partially-refunded'])
    },
  ))

test('the owner may enter the refund first, and the note of its amount takes its place', async () => {
  const lead = await aLead()
  const bill = stripeInvoice({ email: lead.email, amount: 500_07, subscription: null, outOfBand: true, store })
  await deliverAndBook([bill.invoicePaid])
  const [sale] = await salesOf(lead.id)
  expectOk(await call('POST', `/sales/${sale!.id}/refunds`, { amount: 200_00, reason: 'Sent back by wire' }))
  assert.deepEqual(await refundedOf(lead), [[500_07, 200_00]])
  const note = bill.creditNote(200_00)
  await deliverAndBook([note.created])
  assert.deepEqual(await refundedOf(lead), [[500_07, 200_00]])
  await deliverAndBook([note.voided()])
  assert.deepEqual(await refundedOf(lead), [[500_07, 0]])
  const another = bill.creditNote(30_00)
  await deliverAndBook([another.created])
  assert.deepEqual(await refundedOf(lead), [[500_07, 30_00]])
  await workOff(app)
  assert.deepEqual(await verifyLedger(db), [])
})

test('a trial that an application started is the partner’s lead by what it wrote at the customer', async () => {
  const email = anEmail('trial')
  const trial = stripeInvoice({ email, amount: 0, store })
  const customer = store.get(trial.customer!)!
  store.set(customer.id, { ...customer, metadata: { referral_code: partner.referralCode } })
  await deliverAndBook([trial.invoicePaid])
  const { items } = expectOk(
    await call('GET', `/accounts/${account.id}/leads?search=${encodeURIComponent(email)}`),
  ).body
  assert.deepEqual(
    items.map((lead: { email: string; partnerId: string }) => [lead.email, lead.partnerId]),
    [[email, partner.id]],
  )
})
