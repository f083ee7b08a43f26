import assert from 'node:assert/strict'
import { test } from 'node:test'
import { standInRecurly } from '../../../../test/fakes/recurly.ts'
import {
  deliverRecurly,
  type RecurlyEvent,
  type RecurlyFacts,
  recurlyInvoice,
} from '../../../../test/fakes/recurly-events.ts'
import { anEmail, expectOk } from '../../../../test/support/app.ts'
import { aBlueprint, aClick } from '../../../../test/support/leads.ts'
import { createConnectionCalls, startWithProvider, workOff } from '../../../../test/support/payment-providers.ts'
import { aShop } from '../../../../test/support/provider-stories.ts'
import { verifyLedger } from '../../../program/stats/verify.ts'
import { reconcileConnection } from '../reconcile.ts'
import { verifyPayments } from '../verify-payments.ts'

// Sales from a site's notifications, which only name what happened: everything is read from Recurly.

const site = await standInRecurly()
const app = await startWithProvider('recurly', site)
const { db } = app.services
const { store } = site
const SECRET = 'whs-of-this-endpoint-0001'
const credentials = () => ({ privateKey: site.key, webhookSecret: SECRET })
const { account, partner, deliver, aLead, salesOf, deliverAndBook, fromFile, inEveryOrder, connection, reconnect } =
  await aShop<RecurlyEvent>(
    app,
    async (owner) => expectOk(await createConnectionCalls(app, owner, 'recurly').connect(credentials())).body,
    (url, event) => deliverRecurly(url, event, SECRET),
  )
const { change, check, list } = createConnectionCalls(app, account, 'recurly')

const anInvoice = (facts: Omit<RecurlyFacts, 'store'>) => recurlyInvoice({ store, ...facts })
const saleOf = ({ number }: { number: string }) => db.maybe<Record<string, unknown>>`
  select amount as net, tax_amount as tax, gross_amount as gross, refunded_amount as refunded, status, currency,
    matched_by as by, partner_id is not null as credited, customer_id as customer, subscription_id as subscription,
    description, country
  from sales where account_id = ${account.id} and external_id = ${number}`
const amountsOf = async (invoice: { number: string }) => {
  const sale = await saleOf(invoice)
  return sale && [sale.net, sale.tax, sale.gross, sale.refunded]
}

// --- stories in every order

test('a paid invoice, refunded in two parts and then in full, ends the same in every order', async () => {
  await inEveryOrder(
    (email) => {
      const invoice = anInvoice({ email, amount: 11_900, tax: 1900 })
      const half = invoice.refund(5000)
      const rest = invoice.refund(6900)
      return [invoice.subscribed, invoice.paid, half.refunded, rest.refunded]
    },
    ([sale, ...others]) => {
      assert.deepEqual(others, [])
      assert.deepEqual([sale?.amount, sale?.taxAmount, sale?.grossAmount], [10_000, 1900, 11_900])
      assert.deepEqual([sale?.refundedAmount, sale?.status, sale?.partnerId], [11_900, 'refunded', partner.id])
    },
  )
})

test('a payment voided before it settled is refunded, unless another was made in its place', async () => {
  for (const isPaidAgain of [false, true])
    await inEveryOrder(
      (email) => {
        const invoice = anInvoice({ email, amount: 11_900, tax: 1900 })
        return [invoice.paid, invoice.voids(), isPaidAgain ? invoice.paidAgain() : null]
      },
      ([sale]) => {
        assert.deepEqual([sale?.amount, sale?.taxAmount, sale?.grossAmount], [10_000, 1900, 11_900])
        assert.deepEqual([sale?.refundedAmount, sale?.status], isPaidAgain ? [0, 'completed'] : [11_900, 'refunded'])
      },
      8,
    )
})

test('a trial is not a sale, and each invoice of its subscription is one of the same lead', async () => {
  await inEveryOrder(
    (email) => {
      const trial = anInvoice({ email, amount: 0 })
      const [first, second] = [trial.renew({ amount: 12_000, tax: 2000 }), trial.renew({ amount: 6000, tax: 1000 })]
      return [trial.subscribed, trial.paid, first.paid, second.paid, second.refund(600).refunded]
    },
    (sales) =>
      assert.deepEqual(
        sales.map(({ amount, refundedAmount }) => [amount, refundedAmount]),
        [
          [5000, 600],
          [10_000, 0],
        ],
      ),
    10,
  )
})

test('what credit paid is no money, and a refund to credit is none either', async () => {
  await inEveryOrder(
    (email) => {
      const invoice = anInvoice({ email, amount: 11_900, tax: 1900, credit: 5950, payments: [4000, 1950] })
      invoice.refundToCredit(2000)
      const free = invoice.renew({ amount: 3000, credit: 3000, payments: [] })
      return [invoice.paid, free.paid, invoice.refund(1950, { payment: 1 }).refunded]
    },
    ([sale, ...others]) => {
      assert.deepEqual(others, [])
      assert.deepEqual([sale?.amount, sale?.taxAmount, sale?.grossAmount], [5000, 950, 5950])
      assert.deepEqual([sale?.refundedAmount, sale?.status], [1950, 'partially-refunded'])
    },
    8,
  )
})

test('a refund of a payment that only a file has reaches its sale', async () => {
  const refunded = anInvoice({ amount: 10_000 })
  await fromFile({ externalId: refunded.number }, [refunded.refund(4000).refunded], {
    refunded: 4000,
    status: 'partially-refunded',
  })
  const voided = anInvoice({ amount: 10_000 })
  await fromFile({ externalId: voided.number }, [voided.voids()], { refunded: 10_000, status: 'refunded' })
})

// --- amounts

test('amounts are exact in the minor units of their currency, whatever decimals they are sent with', async () => {
  const { email } = await aLead()
  for (const [facts, amounts] of [
    [{ amount: 1, tax: 0 }, [1, 0, 1, 0]],
    [{ amount: 5500, tax: 500, currency: 'jpy' }, [5000, 500, 5500, 0]],
    [{ amount: 4_230_007, tax: 30_007, currency: 'kwd' }, [4_200_000, 30_007, 4_230_007, 0]],
    [{ amount: 110_29, tax: 10_29 }, [100_00, 10_29, 110_29, 0]],
    [{ amount: 999_999_999_999, tax: 1 }, [999_999_999_998, 1, 999_999_999_999, 0]],
  ] as const) {
    const invoice = anInvoice({ email, ...facts })
    await deliverAndBook([invoice.paid])
    assert.deepEqual(await amountsOf(invoice), amounts)
  }
  // a sum of floats, as text, and with more decimals
  const summed = anInvoice({ email, amount: 30, tax: 10 })
  Object.assign(summed.invoice, { total: 0.1 + 0.2, tax: '0.100' })
  Object.assign(summed.transactions[0]!, { amount: '0.30' })
  await deliverAndBook([summed.paid])
  assert.deepEqual(await amountsOf(summed), [20, 10, 30, 0])
})

test('an amount that cannot be one makes no sale, and delays nothing else', async () => {
  const { email } = await aLead()
  const odd = [1e30, '9'.repeat(30), Number.NaN, null, [119], { units: 119 }, 'free', 1e-7].map((amount) => {
    const invoice = anInvoice({ email, amount: 1000 })
    Object.assign(invoice.transactions[0]!, { amount })
    return invoice
  })
  const good = anInvoice({ email, amount: 1000 })
  const paid = good.refund(500)
  Object.assign(paid.transaction, { amount: 1e30 })
  await deliverAndBook([...odd.map((invoice) => invoice.paid), good.paid, paid.refunded])
  for (const invoice of odd) assert.equal(await saleOf(invoice), undefined, String(invoice.transactions[0]!.amount))
  assert.deepEqual(await amountsOf(good), [1000, 0, 1000, 0])
  assert.deepEqual(await verifyLedger(db), [])
})

test('a sale has the lines, the country and the names of its invoice', async () => {
  const { email } = await aLead()
  const items = [
    { amount: 7000, plan: 'gold', name: 'Gold plan' },
    { amount: 3000, plan: 'seats', name: 'Seats', quantity: 3 },
  ]
  const invoice = anInvoice({
    email,
    amount: 11_900,
    tax: 1900,
    items,
    country: 'de',
    code: 'acc-lines',
    coupon: 'TENTH',
  })
  await deliverAndBook([invoice.paid])
  const { customer, subscription, description, country } = (await saleOf(invoice))!
  assert.deepEqual(
    [customer, subscription, description, country],
    ['acc-lines', invoice.subscription!.id, 'Gold plan', 'DE'],
  )
  const [sale] = await salesOf((await db.one<{ id: string }>`select id from leads where email = ${email}`).id)
  assert.deepEqual(
    sale.lines.map(({ productId, name, quantity, amount }: Record<string, unknown>) => [
      productId,
      name,
      quantity,
      amount,
    ]),
    [
      ['gold', 'Gold plan', 1, 7000],
      ['seats', 'Seats', 3, 3000],
    ],
  )
  const more = anInvoice({ email, amount: 1000 })
  more.invoice.has_more_line_items = true
  await deliverAndBook([more.paid])
  const { lines } =
    await db.one`select lines from sales where account_id = ${account.id} and external_id = ${more.number}`
  assert.equal(lines, null)
})

test('a trial or a free invoice makes the lead of its partner, and no sale', async () => {
  const { referralCode: referral_code } = partner as unknown as { referralCode: string }
  const [trying, free] = [anEmail('trying'), anEmail('free')]
  const trial = anInvoice({ email: trying, amount: 1000, fields: { account: { referral_code } } })
  const nothing = anInvoice({ email: free, amount: 0, fields: { subscription: { referral_code } } })
  await deliverAndBook([trial.subscribed, nothing.paid])
  const leads = await db.many`
    select first_name, last_name, partner_id, status from leads where email = any(${[trying, free]}) order by email`
  const lead = { firstName: 'Dan', lastName: 'Roe', partnerId: partner.id, status: 'new' }
  assert.deepEqual(leads, [lead, lead])
  for (const invoice of [trial, nothing]) assert.equal(await saleOf(invoice), undefined)
})

test('an account that paid before its referral earns nobody anything; one that had only credit or is new does', async () => {
  for (const [paid, status] of [
    [{ amount: 1000 }, 'rejected'],
    [{ amount: 1000, credit: 1000 }, 'won'],
    [null, 'won'],
  ] as const) {
    const { id, email } = await aLead()
    const code = `of ${email}/1`
    if (paid) anInvoice({ ...paid, email, code, at: new Date(Date.now() - 400 * 86_400_000) })
    const invoice = anInvoice({ amount: 1000, email, code })
    await deliver([invoice.paid])
    site.fail(/GET \/accounts\/code-/, { status: 500 })
    await assert.rejects(workOff(app), { kind: 'unavailable' })
    await workOff(app)
    assert.equal((await db.one`select status from leads where id = ${id}`).status, status)
  }
})

// --- refunds

test('a refund counts once it has succeeded, is undone if it fails, and the bank’s own counts too', async () => {
  const { email } = await aLead()
  for (const [status, end, refunded] of [
    ['processing', 'success', 3000],
    ['success', 'void', 0],
    ['success', 'declined', 0],
    ['processing', 'error', 0],
    ['chargeback', 'chargeback', 3000],
  ] as const) {
    const invoice = anInvoice({ email, amount: 10_000 })
    const refund = invoice.refund(3000, { status })
    await deliverAndBook([invoice.paid, refund.refunded])
    assert.equal((await saleOf(invoice))?.refunded, status === 'processing' ? 0 : 3000)
    refund.becomes(end)
    await deliverAndBook([{ ...refund.refunded, event_time: new Date().toISOString() }])
    assert.equal((await saleOf(invoice))?.refunded, refunded, `${status}, then ${end}`)
  }
})

test('a refund recorded by hand, which names no payment, is that of the invoice which its own credits', async () => {
  const { email } = await aLead()
  const invoice = anInvoice({ email, amount: 10_000 })
  await deliverAndBook([invoice.paid, invoice.refund(2500, { withOriginal: false }).refunded])
  assert.deepEqual(await amountsOf(invoice), [10_000, 0, 10_000, 2500])
})

test('a refund of an invoice before the connection creates no sale, and a disputed payment stays one', async () => {
  const { email } = await aLead()
  const before = anInvoice({ email, amount: 10_000 })
  const disputed = anInvoice({ email, amount: 10_000 })
  disputed.transactions[0]!.status = 'chargeback'
  const held = anInvoice({ email, amount: 10_000 })
  held.transactions[0]!.type = 'authorization'
  await deliverAndBook([before.refund(4000).refunded, before.voids(), disputed.paid, held.paid, held.voids()])
  for (const invoice of [before, held]) assert.equal(await saleOf(invoice), undefined)
  assert.deepEqual(await amountsOf(disputed), [10_000, 0, 10_000, 0])
  assert.deepEqual(await verifyLedger(db), [])
})

// --- while Recurly does not answer

test('nothing is booked before it was read: Recurly down, its limit reached, the key refused', async () => {
  const { email } = await aLead()
  const invoice = anInvoice({ email, amount: 11_900, tax: 1900, coupon: 'TENTH' })
  await deliver([invoice.paid])
  for (const path of [/GET \/invoices\/number/, /GET \/accounts/, /GET \/subscriptions/, /coupon_redemptions/])
    for (const failure of [{ status: 500 }, { status: 429 }, 'garbage', 'reset-after'] as const) {
      site.fail(path, failure)
      await assert.rejects(workOff(app), { kind: 'unavailable' }, String(path))
    }
  site.limit(2)
  await assert.rejects(workOff(app), { kind: 'unavailable' })
  site.limit()
  assert.equal(await saleOf(invoice), undefined)
  const rolled = site.rollKey()
  await workOff(app)
  const [waiting] = await list()
  assert.match(waiting.stateReason, /no longer accepts the key: The API key is not valid for this site/)
  expectOk(await change(connection().id, { credentials: { privateKey: rolled } }))
  await workOff(app)
  assert.deepEqual(await amountsOf(invoice), [10_000, 1900, 11_900, 0])
  assert.equal(expectOk(await check(connection().id)).body.state, 'connected')

  // a key without the right to read coupons, and an account that is gone, delay nothing
  const uncoded = anInvoice({ email, amount: 1000, coupon: 'TENTH' })
  site.fail(/coupon_redemptions/, { status: 403, body: { error: { type: 'invalid_permissions', message: 'No.' } } })
  store.accounts.delete(String(uncoded.account.id))
  await deliverAndBook([uncoded.paid])
  assert.deepEqual(await amountsOf(uncoded), [1000, 0, 1000, 0])
})

test('the account, its subscriptions and its coupons are read once for an invoice', async () => {
  const { email } = await aLead()
  const invoice = anInvoice({ email, amount: 1000, coupon: 'TENTH' })
  const countCalls = () => site.callsTo(/GET \/(accounts|subscriptions|invoices\/[^/]+\/coupon_redemptions)/).length
  await deliverAndBook([invoice.paid])
  const once = countCalls()
  await deliverAndBook([{ ...invoice.paid, event_time: new Date().toISOString() }])
  assert.equal(countCalls(), once)
})

test('the nightly comparison repeats what notifications lost, and changes nothing else', async () => {
  const { email } = await aLead()
  const at = app.clock.now()
  const [paid, refunded, voided] = [1000, 2000, 3000].map((amount) => anInvoice({ email, amount, at }))
  const known = anInvoice({ email, amount: 4000, at })
  await deliverAndBook([known.paid, refunded!.paid])
  refunded!.refund(500, { when: at })
  known.refundToCredit(400)
  voided!.voids(0, at)
  const night = () => reconcileConnection(app.services, { connectionId: connection().id })
  const all = () => Promise.all([paid!, refunded!, voided!, known].map(amountsOf))
  await night()
  const once = await all()
  assert.deepEqual(once, [
    [1000, 0, 1000, 0],
    [2000, 0, 2000, 500],
    [3000, 0, 3000, 3000],
    [4000, 0, 4000, 0],
  ])
  await night()
  await deliverAndBook([paid!.paid, voided!.paid])
  assert.deepEqual(await all(), once)
  assert.deepEqual(await verifyLedger(db), [])
  assert.deepEqual((await verifyPayments(db)).differences, [])
})

test('another connection of the site goes on where the former one ended', async () => {
  const { email } = await aLead()
  const invoice = anInvoice({ email, amount: 1000 })
  await deliverAndBook([invoice.paid])
  await reconnect()
  await deliverAndBook([invoice.paid, invoice.refund(1000).refunded])
  assert.deepEqual(await amountsOf(invoice), [1000, 0, 1000, 1000])
})

// --- whose it is

test('a payment’s partner comes from custom fields, the account, a coupon or the email', async () => {
  const blueprintId = await aBlueprint(db, account.id)
  const click = await aClick(db, account.id, { partnerId: partner.id, blueprintId })
  const lead = await aLead()
  expectOk(
    await app.api('POST', `/partners/${partner.id}/promotion-codes`, {
      token: account.token,
      body: { code: 'PARTNER-10' },
    }),
  )
  const { referralCode: referral_code } = partner as unknown as { referralCode: string }
  for (const [by, facts] of [
    ['click', { fields: { subscription: { click_id: click } } }],
    ['lead-id', { fields: { account: { lead_id: lead.id } } }],
    ['code', { fields: { subscription: { referral_code, plan: 'yes' } }, code: 'known' }],
    ['customer', { code: 'known' }],
    ['code', { fields: { charge: { referral_code } }, subscription: null }],
    ['coupon', { coupon: 'partner-10' }],
    ['email', { email: lead.email }],
    [null, { email: anEmail('nobody'), fields: { account: { referral_code: 'nobodys', __proto__: 'x' } } }],
    [null, { coupon: 'OF-NOBODY' }],
  ] as const) {
    const invoice = anInvoice({ amount: 1000, ...facts } as Omit<RecurlyFacts, 'store'>)
    await deliverAndBook([invoice.paid])
    const sale = await saleOf(invoice)
    assert.deepEqual([sale?.by, sale?.credited], [by, by !== null], JSON.stringify(facts))
  }
})
