import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { standInChargebee } from '../../../../test/fakes/chargebee.ts'
import {
  type ChargebeeEvent,
  chargebeeBill,
  chargebeeEvent,
  chargebeeId,
  chargebeePayment,
  deliverChargebee,
} from '../../../../test/fakes/chargebee-events.ts'
import type { Fields } from '../../../../test/fakes/server.ts'
import { anEmail, aPartner, expectOk } from '../../../../test/support/app.ts'
import { numberOfRuns } from '../../../../test/support/model-test.ts'
import { connectProvider, startWithProvider, workOff } from '../../../../test/support/payment-providers.ts'
import { aShop } from '../../../../test/support/provider-stories.ts'
import { verifyLedger } from '../../../program/stats/verify.ts'
import { reconcileConnection } from '../reconcile.ts'
import { verifyPayments } from '../verify-payments.ts'
import series from './series.json' with { type: 'json' }

// Chargebee as it really is: transactions that pay one invoice or several, tax on the invoice, credit notes beside.

const site = await standInChargebee()
const app = await startWithProvider('chargebee', site)
const { db } = app.services
const { store } = site
const PASSWORD = 'a-password-for-the-webhook'
const {
  account,
  partner,
  aLead,
  salesOf,
  call,
  deliver,
  deliverAndBook,
  inEveryOrder,
  fromFile,
  reconnect,
  connection,
} = await aShop<ChargebeeEvent>(
  app,
  async (owner) =>
    expectOk(
      await connectProvider(app, owner, {
        provider: 'chargebee',
        credentials: { ...site.credentials, webhookPassword: PASSWORD },
      }),
    ).body,
  (url, event) => deliverChargebee(url, event, PASSWORD),
)
/** Compares with the site, as of a connection that is a day old. */
async function night() {
  const { id } = connection()
  await db.run`update provider_connections set created_at = ${new Date(Date.now() - 86_400_000)} where id = ${id}`
  await reconcileConnection(app.services, { connectionId: id })
}
const consistent = async () => {
  assert.deepEqual(await verifyLedger(db), [])
  assert.deepEqual((await verifyPayments(db)).differences, [])
}
const saleOf = async (externalId: string) => {
  const { items } = expectOk(
    await call('GET', `/accounts/${account.id}/sales?search=${encodeURIComponent(externalId)}`),
  ).body
  return items.find((sale: { externalId: string }) => sale.externalId === externalId)
}
const sums = (sale: Record<string, unknown> | undefined) => [sale?.amount, sale?.taxAmount, sale?.grossAmount]

// --- the published series

test('three customers, a repeat, a wrong password and a refund end as the series says', async () => {
  const jane = await aPartner(app, account, { referralCode: 'jane' })
  const bob = await aPartner(app, account, { referralCode: 'bob' })
  const { id: shopAccount } = account
  const found = () => db.many<{ id: string }>`
    select s.external_id as id, s.amount as net, s.tax_amount as tax, s.gross_amount as gross, s.partner_id as partner,
      (select sum(amount) from commission_entries e where e.sale_id = s.id and layer = 0) as commission
    from sales s where s.account_id = ${shopAccount} and s.external_id like 'txn\_%' and length(s.external_id) = 5
    order by s.external_id`
  const partners: Record<string, string | null> = { jane: jane.id, bob: bob.id }
  const expected: Record<string, unknown>[] = []
  for (const { body, proof, answer, records } of series.steps) {
    const text = JSON.stringify(series.bodies[body as keyof typeof series.bodies])
      .replaceAll('{jane}', 'jane')
      .replaceAll('{bob}', 'bob')
    const password = proof === 'good' ? PASSWORD : `${PASSWORD.slice(0, -1)}X`
    const { status } = await deliverChargebee(connection().webhookUrl, {}, password, { body: text })
    assert.equal(status, answer, body)
    await workOff(app)
    for (const record of records)
      if ('net' in record) {
        const { id, net, tax, gross, partner: name, commission } = record
        expected.push({ id, net, tax, gross, partner: name ? partners[name] : null, commission })
      } else {
        const sale = expected.find(({ id }) => id === 'txn_0')!
        sale.commission = Number(sale.commission) + record.reversal!
        const { refunds } = await saleOf('txn_0')
        assert.deepEqual(
          refunds.map((one: Record<string, unknown>) => [one.externalId, one.amount, one.status]),
          [[record.id, record.amount, 'succeeded']],
        )
      }
    const now = (await found()).map((sale) => ({ ...sale }))
    assert.deepEqual(now, expected, `after ${body}`)
  }
  const earned = (name: string) => expected.find((sale) => sale.partner === partners[name])?.commission
  assert.deepEqual({ jane: earned('jane'), bob: earned('bob') }, series.total.commission)
  await consistent()
})

// --- stories

test('499.00 with a tax of 79.67 earns 83.87, and loses 33.62 with a refund of 200.00, in every order and twice', async () => {
  await inEveryOrder(
    (email) => {
      const bill = chargebeeBill({ email, total: 49_900, tax: 7967, store })
      const payment = chargebeePayment([{ bill, amount: 49_900 }])
      const refund = payment.refund(20_000)
      return [payment.succeeded, payment.succeeded, refund.refunded, refund.refunded, refund.noted]
    },
    ([sale, ...others]) => {
      assert.deepEqual(others, [])
      assert.deepEqual([sale?.amount, sale?.tax_amount ?? sale?.taxAmount, sale?.grossAmount], [41_933, 7967, 49_900])
      assert.deepEqual([sale?.refundedAmount, sale?.status], [20_000, 'partially-refunded'])
    },
  )
  const lead = await aLead()
  const bill = chargebeeBill({ email: lead.email, total: 49_900, tax: 7967, store })
  const payment = chargebeePayment([{ bill, amount: 49_900 }])
  const first = async () => {
    const [sale] = await salesOf(lead.id)
    return sale.commissions
      .filter(({ layer }: { layer: number }) => layer === 0)
      .reduce((sum: number, { amount }: { amount: number }) => sum + amount, 0)
  }
  await deliverAndBook([payment.succeeded])
  assert.equal(await first(), 8387)
  await deliverAndBook([payment.refund(20_000).refunded])
  assert.equal(await first(), 8387 - 3362)
})

test('an invoice paid in three parts has the sums of the invoice, whatever the order', async () => {
  await inEveryOrder(
    (email) => {
      const bill = chargebeeBill({ email, total: 10_000, tax: 1667, store })
      return [3327, 3333, 3340].map(
        (amount, at) =>
          chargebeePayment([{ bill, amount }], { at: new Date(Date.now() - 60_000 + at * 1000) }).succeeded,
      )
    },
    (sales) => {
      assert.equal(sales.length, 3)
      const all = (field: string) => sales.reduce((sum, sale) => sum + Number(sale[field]), 0)
      assert.deepEqual([all('amount'), all('taxAmount'), all('grossAmount')], [8333, 1667, 10_000])
    },
    12,
  )
})

test('an invoice that lists no payments tells by the amount paid what was paid before', async () => {
  const lead = await aLead()
  const bill = chargebeeBill({ email: lead.email, total: 10_000, tax: 1667, store })
  const events = [3333, 3333, 3334].map((amount) => chargebeePayment([{ bill, amount }]).succeeded)
  for (const { content } of events) delete (content.invoice as Fields).linked_payments
  await deliverAndBook(events)
  const all = (await salesOf(lead.id)).map(({ amount, taxAmount }: Record<string, number>) => [amount, taxAmount])
  assert.deepEqual(all.sort(), [
    [2777, 556],
    [2778, 555],
    [2778, 556],
  ])
})

test('a payment of several invoices is a sale of each, and its refunds are of the invoice that their credit note names', async () => {
  const names: string[] = []
  await inEveryOrder(
    (email) => {
      const customer = chargebeeId('cust')
      const one = chargebeeBill({ email, customer, total: 12_000, tax: 2000, store })
      const other = chargebeeBill({ email, customer, total: 5000, subscription: one.subscriptionId, store })
      const payment = chargebeePayment([
        { bill: one, amount: 12_000 },
        { bill: other, amount: 5000 },
      ])
      names.splice(0, names.length, `${payment.id}:${one.id}`, `${payment.id}:${other.id}`)
      return [payment.succeeded, payment.refund(6000).refunded, payment.refund(1000, { of: other }).refunded]
    },
    (sales) =>
      assert.deepEqual(
        sales.map(({ amount, taxAmount, refundedAmount }) => [amount, taxAmount, refundedAmount]),
        [
          [5000, 0, 1000],
          [10_000, 2000, 6000],
        ],
      ),
    12,
  )
  for (const name of names) assert.ok(await saleOf(name), name)
})

test('a refund that names no invoice is of all of them in proportion, but first of what was applied to none', async () => {
  await inEveryOrder(
    (email) => {
      const customer = chargebeeId('cust')
      const bills = [8000, 2000].map((total) => chargebeeBill({ email, customer, total, store }))
      const payment = chargebeePayment(
        [
          { bill: bills[0]!, amount: 8000 },
          { bill: bills[1]!, amount: 2000 },
        ],
        { excess: 500 },
      )
      return [payment.succeeded, payment.refund(1500, { of: null }).refunded]
    },
    (sales) =>
      assert.deepEqual(
        sales.map(({ amount, refundedAmount }) => [amount, refundedAmount]),
        [
          [2000, 200],
          [8000, 800],
        ],
      ),
    6,
  )
})

test('a credit note alone changes nothing, and credits are no money', async () => {
  const lead = await aLead()
  const bill = chargebeeBill({ email: lead.email, total: 12_000, tax: 2000, credits: 3000, store })
  const payment = chargebeePayment([{ bill, amount: 9000 }])
  const note = { id: chargebeeId('cn'), reference_invoice_id: bill.id, type: 'adjustment', total: 4000 }
  await deliverAndBook([payment.succeeded, chargebeeEvent('credit_note_created', { credit_note: note }, new Date())])
  const [sale] = await salesOf(lead.id)
  assert.deepEqual(sums(sale), [7500, 1500, 9000])
  assert.deepEqual([sale.refundedAmount, sale.status], [0, 'completed'])
})

test('a refund that fails has no effect, and one that is undone is taken back', async () => {
  await inEveryOrder(
    (email) => {
      const payment = chargebeePayment([{ bill: chargebeeBill({ email, total: 10_000, store }), amount: 10_000 }])
      const failed = payment.refund(4000, { status: 'in_progress' })
      const undone = payment.refund(2000)
      return [payment.succeeded, failed.refunded, failed.becomes('failure'), undone.refunded, undone.becomes('voided')]
    },
    ([sale]) => assert.deepEqual([sale?.refundedAmount, sale?.status], [0, 'completed']),
    12,
  )
})

test('amounts in currencies without and with three decimals are read as Chargebee counts them', async () => {
  for (const [currency, expected] of [
    ['JPY', [4193, 797, 4990]],
    ['KWD', [41_930, 7970, 49_900]],
    ['EUR', [4193, 797, 4990]],
  ] as const) {
    const bill = chargebeeBill({ email: anEmail('buyer'), total: 4990, tax: 797, currency, store })
    const payment = chargebeePayment([{ bill, amount: 4990 }])
    await deliverAndBook([payment.succeeded, payment.refund(499).refunded])
    const sale = await saleOf(payment.id)
    assert.deepEqual([sums(sale), sale.currency], [expected, currency.toLowerCase()])
    assert.equal(sale.refunds[0].amount, currency === 'KWD' ? 4990 : 499)
  }
})

// --- disputes, which no event tells

test('a reversal is a dispute that the night finds, and one that is voided restores the commission', async () => {
  for (const how of [{}, { isUnlinked: true }, { isNamed: false }]) {
    const lead = await aLead()
    const payment = chargebeePayment([
      { bill: chargebeeBill({ email: lead.email, total: 12_000, tax: 2000, store }), amount: 12_000 },
    ])
    await deliverAndBook([payment.succeeded])
    const reversal = payment.reverse(new Date(), how)
    await night()
    const [lost] = await salesOf(lead.id)
    assert.deepEqual([lost.status, lost.refundedAmount], ['charged-back', 12_000])
    const left = lost.commissions.reduce((sum: number, { amount }: { amount: number }) => sum + amount, 0)
    assert.equal(left, 0)
    await night()
    assert.deepEqual(await salesOf(lead.id), [lost])
    reversal.becomes('voided')
    await night()
    const [won] = await salesOf(lead.id)
    assert.deepEqual([won.status, won.refundedAmount], ['completed', 0])
  }
  await consistent()
})

test('a payment that fails late without a reversal, is deleted or taken off its invoice, is none any more', async () => {
  for (const change of [{ status: 'late_failure' }, { status: 'voided' }, { deleted: true }, { linked_invoices: [] }]) {
    const lead = await aLead()
    const payment = chargebeePayment([
      { bill: chargebeeBill({ email: lead.email, total: 12_000, tax: 2000, store }), amount: 12_000 },
    ])
    await deliverAndBook([payment.succeeded])
    payment.change(change, new Date())
    await night()
    const [sale] = await salesOf(lead.id)
    assert.equal(sale.grossAmount, 0, JSON.stringify(change))
    assert.equal(
      sale.commissions.reduce((sum: number, one: { amount: number }) => sum + one.amount, 0),
      0,
    )
  }
  await consistent()
})

test('what is applied to a second invoice later becomes a sale of its own, and the first keeps its name', async () => {
  const lead = await aLead()
  const customer = chargebeeId('cust')
  const [first, second] = [6000, 4000].map((total) =>
    chargebeeBill({ email: lead.email, customer, total, tax: Math.round(total / 6), store }),
  )
  const payment = chargebeePayment([{ bill: first!, amount: 6000 }], { excess: 4000 })
  await deliverAndBook([payment.succeeded])
  const links = [
    { invoice_id: first!.id, applied_amount: 6000 },
    { invoice_id: second!.id, applied_amount: 4000 },
  ]
  payment.change({ linked_invoices: links, amount_unused: 0 }, new Date())
  await night()
  await night()
  assert.deepEqual(sums(await saleOf(payment.id)), [5000, 1000, 6000])
  assert.deepEqual(sums(await saleOf(`${payment.id}:${second!.id}`)), [3333, 667, 4000])
  assert.equal((await salesOf(lead.id)).length, 2)
  await consistent()
})

// --- who pays

test('a refund of a payment that only a file has reaches its sale', async () => {
  const half = chargebeePayment([{ bill: chargebeeBill({ total: 10_000, store }), amount: 10_000 }])
  await fromFile({ externalId: half.id }, [half.refund(5000).refunded], {
    refunded: 5000,
    status: 'partially-refunded',
  })
})

test('a payment finds its partner by custom fields of the subscription or the customer, by coupon, customer and email', async () => {
  const { referralCode } = expectOk(await call('GET', `/partners/${partner.id}`)).body
  expectOk(await call('POST', `/partners/${partner.id}/promotion-codes`, { code: 'BEE10' }))
  const lead = await aLead()
  for (const [facts, matchedBy] of [
    [{ custom: { cf_referral_code: referralCode } }, 'code'],
    [{ customerCustom: { cf_referral_code: referralCode } }, 'code'],
    [{ subscription: null, customerCustom: { cf_lead_id: lead.id } }, 'lead-id'],
    [{ coupon: { id: 'autumn', code: 'BEE10' } }, 'coupon'],
    [{ coupon: { id: 'BEE10' } }, 'coupon'],
    [{ email: lead.email }, 'email'],
  ] as const) {
    const bill = chargebeeBill({ email: anEmail('buyer'), total: 1000, store, ...facts })
    const first = chargebeePayment([{ bill, amount: 1000 }])
    await deliverAndBook([first.succeeded])
    const sale = await saleOf(first.id)
    assert.deepEqual([sale.partnerId, sale.matchedBy], [partner.id, matchedBy], JSON.stringify(facts))
    const renewed = chargebeeBill({ email: anEmail('other'), customer: bill.customerId, total: 900, store })
    const next = chargebeePayment([{ bill: renewed, amount: 900 }])
    await deliverAndBook([next.succeeded])
    const later = await saleOf(next.id)
    assert.equal(later.leadId, sale.leadId, JSON.stringify(facts))
    assert.equal(later.subscriptionId, renewed.subscriptionId)
  }
})

test('a subscription that begins without a payment makes a lead, whose later payment is its partner’s', async () => {
  const { referralCode } = expectOk(await call('GET', `/partners/${partner.id}`)).body
  for (const source of ['by its event', 'by the night', 'by a payment of nothing'] as const) {
    const email = anEmail('trial')
    const bill = chargebeeBill({ email, total: 1200, custom: { cf_referral_code: referralCode }, store })
    if (source === 'by its event') await deliverAndBook([bill.created, bill.created])
    else if (source === 'by the night') await night()
    else await deliverAndBook([chargebeePayment([{ bill, amount: 0 }]).succeeded])
    const { items } = expectOk(
      await call('GET', `/accounts/${account.id}/leads?search=${encodeURIComponent(email)}`),
    ).body
    assert.deepEqual(
      items.map((lead: Record<string, unknown>) => [lead.email, lead.partnerId]),
      [[email, partner.id]],
    )
    const payment = chargebeePayment([{ bill, amount: 1200 }])
    await deliverAndBook([payment.succeeded])
    assert.equal((await saleOf(payment.id)).leadId, items[0].id)
  }
})

test('a sale has the invoice’s lines without tax and discounts, its country and a link to the transaction', async () => {
  const lines = [
    { amount: 6000, tax: 1000, name: 'Pro', price: 'pro-USD', discount: 500 },
    { amount: 2400, tax: 400, name: 'Seat', price: 'seat-USD' },
  ]
  const bill = chargebeeBill({ total: 8400, tax: 1400, lines, country: 'AT', store })
  const payment = chargebeePayment([{ bill, amount: 8400 }])
  await deliverAndBook([payment.succeeded])
  const sale = await saleOf(payment.id)
  assert.deepEqual(
    sale.lines.map((line: Record<string, unknown>) => [line.priceId, line.name, line.amount]),
    [
      ['pro-USD', 'Pro', 5000],
      ['seat-USD', 'Seat', 2000],
    ],
  )
  assert.deepEqual([sale.country, sale.description, sale.livemode], ['AT', 'Pro', false])
  assert.equal(sale.providerUrl, `https://acme-test.chargebee.com/d/transactions/${payment.id}`)
})

// --- calls

test('what an event lacks is asked for once, and an event waits while Chargebee can’t answer', async () => {
  const lead = await aLead()
  const bill = chargebeeBill({ email: lead.email, total: 1200, tax: 200, store })
  const payment = chargebeePayment([{ bill, amount: 1200 }])
  const { transaction } = payment.succeeded.content
  const bare = { ...payment.succeeded, content: { transaction } }
  for (const failure of [{ status: 429, retryAfter: 1 }, { status: 503 }, 'reset-after', 'garbage'] as const) {
    site.fail(`GET /api/v2/customers/${bill.customerId}`, failure)
    await deliver([bare])
    await assert.rejects(workOff(app), { kind: 'unavailable' })
    assert.deepEqual(await salesOf(lead.id), [])
  }
  await workOff(app)
  assert.deepEqual(sums((await salesOf(lead.id))[0]), [1000, 200, 1200])
  const callsBefore = site.calls.length
  await deliverAndBook([{ ...bare, id: chargebeeId('ev') }, payment.succeeded])
  assert.equal(site.calls.length, callsBefore)
})

test('events of a former connection are booked by the next one', async () => {
  const lead = await aLead()
  const payment = chargebeePayment([{ bill: chargebeeBill({ email: lead.email, total: 500, store }), amount: 500 }])
  await deliver([{ ...payment.succeeded, content: { transaction: payment.succeeded.content.transaction } }])
  await reconnect()
  await workOff(app)
  assert.equal((await salesOf(lead.id)).length, 1)
})

type Odd = ChargebeeEvent & {
  content: { transaction: Fields & { linked_invoices: [Fields] }; invoice: Fields; customer: Fields }
}

test('numbers and shapes that no Chargebee sends are booked as nothing', async () => {
  const before = await db.one`select count(*) as sales from sales where account_id = ${account.id}`
  const base = () => {
    const bill = chargebeeBill({ total: 1200, tax: 200, store })
    return structuredClone(chargebeePayment([{ bill, amount: 1200 }]).succeeded) as unknown as Odd
  }
  const strange: ((event: Odd) => void)[] = [
    ({ content }) => Object.assign(content.transaction, { linked_invoices: 'all', amount: 1e29 }),
    ({ content }) => Object.assign(content.transaction.linked_invoices[0], { applied_amount: 1e29 }),
    ({ content }) => Object.assign(content.transaction.linked_invoices[0], { applied_amount: '1200' }),
    ({ content }) => Object.assign(content.transaction.linked_invoices[0], { applied_amount: -1200 }),
    ({ content }) => Object.assign(content.transaction.linked_invoices[0], { invoice_id: { id: 7 } }),
    ({ content }) => Object.assign(content.transaction, { type: 'authorization' }),
    ({ content }) => Object.assign(content.transaction, { status: 'in_progress' }),
    ({ content }) => Object.assign(content.transaction, { status: 'failure', linked_invoices: [] }),
    ({ content }) => Object.assign(content.transaction, { currency_code: 7 }),
    ({ content }) => Object.assign(content.transaction, { id: null }),
    ({ content }) => Object.assign(content.transaction, { id: 'x'.repeat(5000) }),
    ({ content }) => Object.assign(content.transaction.linked_invoices[0], { invoice_id: 'x'.repeat(5000) }),
    ({ content }) => Object.assign(content, { transaction: [] }),
    ({ content }) => Object.assign(content.transaction, { type: 'refund', refunded_txn_id: 'nothing' }),
    ({ content }) => Object.assign(content.transaction, { type: 'refund', refunded_txn_id: null }),
  ]
  for (const change of strange) {
    const event = base()
    change(event)
    await deliverAndBook([event])
  }
  assert.deepEqual(await db.one`select count(*) as sales from sales where account_id = ${account.id}`, before)
  const odd = base()
  Object.assign(odd.content.invoice, { total: 1e29, tax: 1e29, line_items: { 0: 1 }, discounts: [null, 7] })
  Object.assign(odd.content.customer, { email: 7, first_name: '\u0000', cf_click_id: { a: 1 } })
  await deliverAndBook([odd])
  assert.deepEqual(sums(await saleOf(String(odd.content.transaction.id))), [1200, 0, 1200])
  await consistent()
})

// --- lives

test('random invoices, paid in parts by payments of several, told in any order or by the night, agree with their sums', async () => {
  const life = fc.record({
    totals: fc.array(fc.tuple(fc.integer({ min: 3, max: 90_000 }), fc.integer({ min: 0, max: 40 })), {
      ...{ minLength: 1, maxLength: 3 },
    }),
    cuts: fc.array(fc.integer({ min: 1, max: 99 }), { maxLength: 2 }),
    given: fc.integer({ min: 0, max: 120 }),
    order: fc.infiniteStream(fc.nat()),
    lost: fc.integer({ min: 0, max: 60 }),
  })
  await fc.assert(
    fc.asyncProperty(life, async ({ totals, cuts, given, order, lost }) => {
      const lead = await aLead()
      const customer = chargebeeId('cust')
      const bills = totals.map(([total, percent]) =>
        chargebeeBill({ email: lead.email, customer, total, tax: Math.floor((total * percent) / 100), store }),
      )
      const left = bills.map(({ invoice }) => Number(invoice.total))
      const events: ChargebeeEvent[] = []
      let returned = 0
      for (const [at, cut] of [...cuts, 100].entries()) {
        const parts = bills.flatMap((bill, place) => {
          const amount = Math.floor((left[place]! * cut) / 100)
          left[place] = left[place]! - amount
          return amount > 0 ? [{ bill, amount }] : []
        })
        const [first, ...others] = parts
        if (!first) continue
        const payment = chargebeePayment([first, ...others], { at: new Date(Date.now() - 50_000 + at * 1000) })
        events.push(payment.succeeded)
        const back = Math.floor((first.amount * given) / 100)
        if (back > 0 && back <= first.amount) {
          events.push(payment.refund(back, { of: first.bill }).refunded)
          returned += back
        }
      }
      const stream = order[Symbol.iterator]()
      const deliveries = events
        .flatMap((event) => (stream.next().value % 100 < lost ? [] : [event, event]))
        .map((event) => ({ event, place: stream.next().value }))
        .toSorted((a, b) => a.place - b.place)
      for (const { event } of deliveries) {
        await deliver([event])
        if (stream.next().value % 2) await workOff(app)
      }
      await workOff(app, { atOnce: stream.next().value % 2 === 1 })
      await night()
      const sales = await salesOf(lead.id)
      const all = (field: string) =>
        sales.reduce((sum: number, sale: Record<string, unknown>) => sum + Number(sale[field]), 0)
      const tax = bills.reduce((sum, { invoice }) => sum + Number(invoice.tax), 0)
      const total = totals.reduce((sum, [one]) => sum + one, 0)
      assert.deepEqual(
        [all('amount'), all('taxAmount'), all('grossAmount'), all('refundedAmount')],
        [total - tax, tax, total, returned],
      )
    }),
    { numRuns: numberOfRuns(2) },
  )
  await consistent()
})
