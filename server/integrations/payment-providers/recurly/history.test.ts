import assert from 'node:assert/strict'
import { test } from 'node:test'
import { standInRecurly } from '../../../../test/fakes/recurly.ts'
import { deliverRecurly, type RecurlyEvent, recurlyInvoice } from '../../../../test/fakes/recurly-events.ts'
import { expectOk } from '../../../../test/support/app.ts'
import { bookHistory, pastImported, readHistory } from '../../../../test/support/past-sales.ts'
import { createConnectionCalls, startWithProvider } from '../../../../test/support/payment-providers.ts'
import { aShop } from '../../../../test/support/provider-stories.ts'
import { getProviderAccess } from '../secrets.ts'
import { recurly } from './adapter.ts'

// A site's invoices as the history that reported them, or would have.

const site = await standInRecurly()
const app = await startWithProvider('recurly', site)
const { store } = site
const SECRET = 'whs-of-this-endpoint-0001'
const credentials = { privateKey: site.key, webhookSecret: SECRET }
const { account, aLead, digest, salesOf, deliverAndBook, connection } = await aShop<RecurlyEvent>(
  app,
  async (owner) => expectOk(await createConnectionCalls(app, owner, 'recurly').connect(credentials)).body,
  (url, event) => deliverRecurly(url, event, SECRET),
)

const before = (days: number) => new Date(app.clock.now().getTime() - days * 86_400_000)
const historySince = (since: Date) =>
  readHistory(recurly, credentials, getProviderAccess(app.services, 'recurly'), since)
const typesIn = (found: { type: string }[]) => found.map(({ type }) => type)

test('invoices changed since a given time are listed page by page at our own base address', async () => {
  store.invoices.clear()
  for (let index = 0; index < 130; index++) recurlyInvoice({ store, amount: 1000, at: before(30 + index / 10) })
  recurlyInvoice({ store, amount: 1000, at: before(60) })
  const callsBefore = site.calls.length
  const { found, pages } = await historySince(before(50))
  assert.deepEqual(pages, [100, 30])
  assert.deepEqual(new Set(typesIn(found)), new Set(['charge_invoice.paid']))
  assert.equal(new Set(found.map(({ id }) => id)).size, 130)
  assert.deepEqual(
    site.calls.slice(callsBefore).map(({ query }) => [query.type, query.sort, query.order, query.cursor]),
    [
      ['non-legacy', 'updated_at', 'asc', undefined],
      ['non-legacy', 'updated_at', 'asc', '100'],
    ],
  )
})

test('what happened to older invoices is listed, and nothing that happened before', async () => {
  store.invoices.clear()
  const [old, gone, free] = [100, 90, 10].map((days) => recurlyInvoice({ store, amount: 1000, at: before(days) }))
  old!.refund(400, { when: before(2) })
  old!.refund(100, { when: before(80) })
  old!.refundToCredit(50)
  old!.invoice.updated_at = before(1).toISOString()
  gone!.voids(0, before(3))
  free!.invoice.state = 'past_due'
  const { found } = await historySince(before(50))
  assert.deepEqual(typesIn(found), ['payment.voided', 'payment.refunded'])
  const since = await historySince(before(200))
  assert.deepEqual(typesIn(since.found).sort(), [
    ...['charge_invoice.paid', 'charge_invoice.paid', 'payment.refunded', 'payment.refunded', 'payment.voided'],
  ])
})

test('an invoice that was made long before it was paid is listed as paid then', async () => {
  store.invoices.clear()
  const late = recurlyInvoice({ store, amount: 1000, at: before(40) })
  const paid = before(1).toISOString()
  Object.assign(late.invoice, { updated_at: paid, closed_at: paid })
  const { found } = await historySince(before(3))
  assert.deepEqual(
    found.map(({ type, at }) => [type, at.toISOString()]),
    [['charge_invoice.paid', paid]],
  )
})

test('past sales are imported with their refunds, and what comes by notification afterwards changes nothing', async () => {
  store.invoices.clear()
  const { email, id } = await aLead(undefined, before(400))
  const at = (days: number) => ({ store, email, at: before(days) })
  const sold = recurlyInvoice({ ...at(200), amount: 11_900, tax: 1900 })
  const back = recurlyInvoice({ ...at(150), amount: 5000 })
  const partly = back.refund(2000, { when: before(140) })
  const voided = recurlyInvoice({ ...at(100), amount: 3000 })
  const voidEvents = voided.voids(0, before(100))
  const { state, created } = await pastImported(app, account, connection())
  assert.deepEqual([state, created], ['done', 3])
  const figures = (await salesOf(id)).map(({ amount, refundedAmount }: Record<string, unknown>) => [
    amount,
    refundedAmount,
  ])
  assert.deepEqual(figures.sort(), [
    [10_000, 0],
    [3000, 3000],
    [5000, 2000],
  ])
  const once = await digest(id)
  await deliverAndBook([sold.paid, partly.refunded, voidEvents, back.paid, voided.paid])
  assert.equal(await digest(id), once)
  const read = () => historySince(before(365))
  const counted = await bookHistory(app, account, connection(), read)
  assert.deepEqual(counted, { sales: 3, refunded: 5000, lost: 0 })
  assert.equal(await digest(id), once)
})

test('history is unavailable while Recurly is, and forbidden without the right', async () => {
  for (const failure of [{ status: 429 }, { status: 500 }, 'garbage', 'reset-after'] as const) {
    site.fail('GET /invoices', failure)
    await assert.rejects(historySince(before(1)), { kind: 'unavailable' })
  }
  site.forbid('invoices')
  await assert.rejects(historySince(before(1)), { kind: 'forbidden' })
  site.allow('invoices')
})
