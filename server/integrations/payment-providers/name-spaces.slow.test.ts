import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anAccount, aPartner, expectOk, startApp, type TestAccount } from '../../../test/support/app.ts'
import { aGenericConnection, genericEvent, sendCustomEvent } from '../../../test/support/generic.ts'
import { workOff } from '../../../test/support/payment-providers.ts'
import { verifyLedger } from '../../program/stats/verify.ts'
import { verifyPayments } from './verify-payments.ts'

// Two systems of one account both have an order 1001, a customer 7, a subscription 1 and a refund 1.

const app = await startApp()
const { db } = app.services

type Facts = Record<string, unknown>

/** An account with two shops, each with its own partner who refers to it. */
async function twoShops(settings: Facts = {}) {
  const account = await anAccount(app, { defaultCommissionSettings: { layerRates: [20] }, ...settings })
  const shop = async (name: string) => {
    const [connection, partner] = [await aGenericConnection(app, account, name), await aPartner(app, account)]
    const tell = async (type: string, facts: Facts, at?: Date) => {
      expectOk(await sendCustomEvent(connection.webhookUrl, genericEvent(type, facts, at)))
      await workOffAll(account)
    }
    const pay = (facts: Facts, at?: Date) =>
      tell('payment', { currency: 'usd', referralCode: partner.referralCode, ...facts }, at)
    const earned = async () =>
      (
        await db.one<{ sum: number }>`
          select coalesce(sum(amount), 0)::int as sum from commission_entries where partner_id = ${partner.id}`
      ).sum
    return { partner, tell, pay, earned }
  }
  return { account, one: await shop('Shop one'), two: await shop('Shop two') }
}

/** Processes all events, like the worker. */
async function workOffAll({ id }: TestAccount) {
  const events = await db.many<{ id: string }>`
    select id from provider_events where account_id = ${id} and state = 'received' order by received_at, id`
  for (const { id: eventId } of events) await workOff(app, { eventId })
}

const salesOf = ({ id }: TestAccount) => db.many`
  select external_id as id, amount, refunded_amount as refunded, status from sales where account_id = ${id}
  order by created_at, id`

const holds = async (account: TestAccount) => {
  assert.deepEqual((await verifyPayments(db)).differences, [])
  assert.deepEqual(await verifyLedger(db), [])
  assert.deepEqual(
    await db.many`select error from provider_events where account_id = ${account.id} and state <> 'processed'`,
    [],
  )
}

test('orders with the same number belong to their shops, and refunds with the same number to their orders', async () => {
  const { account, one, two } = await twoShops()
  await one.pay({ id: '1001', amount: 10_000 })
  await two.pay({ id: '1001', amount: 50_000 })
  await one.tell('refund', { id: 'refund-1', paymentId: '1001', amount: 10_000 })
  await two.tell('refund', { id: 'refund-1', paymentId: '1001', amount: 25_000 })
  assert.deepEqual(await salesOf(account), [
    { id: '1001', amount: 10_000, refunded: 10_000, status: 'refunded' },
    { id: '1001', amount: 50_000, refunded: 25_000, status: 'partially-refunded' },
  ])
  assert.deepEqual([await one.earned(), await two.earned()], [0, 5000])
  await holds(account)
})

test('a system may restart its refund numbers for each order', async () => {
  const { account, one } = await twoShops()
  for (const id of ['A', 'B']) {
    await one.pay({ id, amount: 10_000 })
    await one.tell('refund', { id: '1', paymentId: id, amount: 10_000 })
  }
  assert.deepEqual(
    (await salesOf(account)).map(({ status }) => status),
    ['refunded', 'refunded'],
  )
  await holds(account)
})

test('a customer number is known only to the shop that assigned it', async () => {
  const { account, one, two } = await twoShops()
  await one.pay({ id: 'o-1', amount: 10_000, customerId: '7' })
  await two.pay({ id: 'o-2', amount: 10_000, customerId: '7' })
  assert.deepEqual([await one.earned(), await two.earned()], [2000, 2000])
  await two.pay({ id: 'o-3', amount: 10_000, customerId: '7', referralCode: null })
  assert.deepEqual([await one.earned(), await two.earned()], [2000, 4000])
  await holds(account)
})

test('the recurring limit counts the months of one subscription of one shop', async () => {
  const { account, one, two } = await twoShops({ recurringMonths: 12 })
  const before = (days: number) => new Date(Date.now() - days * 86_400_000)
  await one.pay({ id: 'a', amount: 10_000, subscriptionId: '1' }, before(800))
  await two.pay({ id: 'b', amount: 10_000, subscriptionId: '1' })
  assert.deepEqual([await one.earned(), await two.earned()], [2000, 2000])
  await one.pay({ id: 'c', amount: 10_000, subscriptionId: '1' })
  assert.deepEqual([await one.earned(), await two.earned()], [2000, 2000])
  await holds(account)
})
