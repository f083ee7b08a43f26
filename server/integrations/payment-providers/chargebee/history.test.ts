import assert from 'node:assert/strict'
import { test } from 'node:test'
import { standInChargebee } from '../../../../test/fakes/chargebee.ts'
import {
  type BillFacts,
  type ChargebeeEvent,
  chargebeeBill,
  chargebeePayment,
  deliverChargebee,
} from '../../../../test/fakes/chargebee-events.ts'
import { expectOk } from '../../../../test/support/app.ts'
import { pastImported, readHistory } from '../../../../test/support/past-sales.ts'
import { connectProvider, startWithProvider } from '../../../../test/support/payment-providers.ts'
import { aShop } from '../../../../test/support/provider-stories.ts'
import { verifyLedger } from '../../../program/stats/verify.ts'
import { reconcileConnection } from '../reconcile.ts'
import { getProviderAccess } from '../secrets.ts'
import { verifyPayments } from '../verify-payments.ts'
import { chargebee } from './adapter.ts'

const site = await standInChargebee()
const app = await startWithProvider('chargebee', site)
const { db } = app.services
const { store } = site
const PASSWORD = 'a-password-for-the-webhook'
const { account, partner, call, aLead, digest, salesOf, deliverAndBook, connection } = await aShop<ChargebeeEvent>(
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

const before = (days: number) => new Date(app.clock.now().getTime() - days * 86_400_000)

const historySince = (since: Date) =>
  readHistory(chargebee, site.credentials, getProviderAccess(app.services, 'chargebee'), since)

const paidAt = (at: Date, facts: Partial<BillFacts> = {}) => {
  const { total = 1000 } = facts
  return chargebeePayment([{ bill: chargebeeBill({ ...facts, total, store, at }), amount: total }], { at })
}

test('a site’s transactions since a given time are listed page by page at our own base address, with what they lack', async () => {
  site.clear()
  for (let index = 0; index < 130; index++) paidAt(before(30 + index / 10))
  const old = paidAt(before(100))
  old.refund(400, { when: before(2) })
  paidAt(before(110)).refund(400, { when: before(105) })
  const callsBefore = site.calls.length
  const { found, pages } = await historySince(before(50))
  // of the old payment its last change is a refund, which is listed too; then the subscriptions, of which each has one
  assert.deepEqual(pages, [100, 32, 100, 30])
  const count = (type: string) => found.filter((event) => event.type === type).length
  assert.deepEqual(
    [count('payment_succeeded'), count('payment_refunded'), count('subscription_created')],
    [131, 1, 130],
  )
  // two lists of two pages each; invoices, customers and subscriptions by forty
  assert.equal(site.calls.length - callsBefore, 4 + 3 * (3 + 1))
  const { content } = JSON.parse(found.find(({ type }) => type === 'payment_succeeded')!.body)
  assert.deepEqual([content.invoices.length, content.customers.length, content.subscriptions.length], [1, 1, 1])
})

test('history read twice and alongside deliveries changes nothing', async () => {
  site.clear()
  const lead = await aLead(undefined, before(4))
  const paid = paidAt(before(3), { email: lead.email, total: 12_000, tax: 2000 })
  const refund = paid.refund(2000, { when: before(2) })
  const other = paidAt(before(2.5), { email: lead.email, total: 6000 })
  await db.run`update provider_connections set created_at = ${before(5)} where id = ${connection().id}`
  const night = () => reconcileConnection(app.services, { connectionId: connection().id })
  await night()
  const once = await digest(lead.id)
  const sums = async () =>
    (await salesOf(lead.id))
      .map(({ amount, refundedAmount }: Record<string, number>) => [amount, refundedAmount])
      .sort()
  assert.deepEqual(await sums(), [
    [10_000, 2000],
    [6000, 0],
  ])
  assert.deepEqual((await historySince(before(4))).found, (await historySince(before(4))).found)
  await night()
  await deliverAndBook([refund.refunded, paid.succeeded, other.succeeded])
  await night()
  assert.equal(await digest(lead.id), once)
})

test('the night leaves payments from before the connection to the import, which takes them once', async () => {
  site.clear()
  const lead = await aLead(undefined, before(31))
  const { referralCode } = expectOk(await call('GET', `/partners/${partner.id}`)).body
  const paid = paidAt(before(30), { email: lead.email, total: 11_900, tax: 1900 })
  paid.refund(5950, { when: before(1) })
  const other = paidAt(before(20), { total: 500, custom: { cf_referral_code: referralCode } })
  other.reverse(before(10))
  await reconcileConnection(app.services, { connectionId: connection().id })
  assert.deepEqual(await salesOf(lead.id), [])
  const tried = await pastImported(app, account, connection(), { dryRun: true })
  assert.deepEqual([tried.state, tried.created], ['done', 2])
  const done = await pastImported(app, account, connection())
  assert.deepEqual([done.state, done.created], ['done', 2])
  const [sale] = await salesOf(lead.id)
  assert.deepEqual([sale.externalId, sale.amount, sale.taxAmount, sale.refundedAmount], [paid.id, 10_000, 1900, 5950])
  const { items } = expectOk(await call('GET', `/accounts/${account.id}/sales?search=${other.id}`)).body
  assert.deepEqual([items[0].status, items[0].refundedAmount], ['charged-back', 500])
  const again = await pastImported(app, account, connection())
  assert.deepEqual([again.created, (await salesOf(lead.id)).length], [0, 1])
  assert.deepEqual(await verifyLedger(db), [])
  assert.deepEqual((await verifyPayments(db)).differences, [])
})

test('history is unavailable while Chargebee is down, and refused without rights', async () => {
  site.clear()
  paidAt(before(1))
  for (const list of ['transactions', 'invoices', 'customers', 'subscriptions'])
    for (const failure of [{ status: 429, retryAfter: 30 }, { status: 500 }, 'garbage', 'reset-after'] as const) {
      site.fail(`GET /api/v2/${list}`, failure)
      await assert.rejects(historySince(before(2)), { kind: 'unavailable' })
    }
  site.fail('GET /api/v2/transactions', { status: 429, retryAfter: 30 })
  await assert.rejects(historySince(before(2)), { retryAfterMs: 30_000 })
  site.forbid('invoices')
  await assert.rejects(historySince(before(2)), { kind: 'forbidden' })
  site.allow('invoices')
})
