import assert from 'node:assert/strict'
import { test } from 'node:test'
import { standInSquare } from '../../../../test/fakes/square.ts'
import { deliverSquare, squarePayment } from '../../../../test/fakes/square-events.ts'
import { anAccount, expectOk } from '../../../../test/support/app.ts'
import { bookHistory, readHistory } from '../../../../test/support/past-sales.ts'
import { createConnectionCalls, startWithProvider } from '../../../../test/support/payment-providers.ts'
import { getProviderAccess } from '../secrets.ts'
import { square } from './adapter.ts'

const seller = await standInSquare({ pageSize: 40, locations: ['LMAIN', 'LSECOND', 'LEMPTY'] })
const app = await startWithProvider('square', seller)
const now = app.clock.now()
const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000)

const historySince = (since: Date) =>
  readHistory(square, seller.credentials, getProviderAccess(app.services, 'square'), since)

test('events since a given time are listed location by location; reading them twice, alongside deliveries, changes nothing', async () => {
  const account = await anAccount(app)
  const key = 'signs-all-that-is-told'
  const connected = await createConnectionCalls(app, account, 'square').connect({
    ...seller.credentials,
    signatureKey: key,
  })
  const { id, webhookUrl } = expectOk(connected).body
  const at = { store: seller.store, goods: 1000 }
  for (let day = 0; day < 60; day++) {
    const payment = squarePayment({ ...at, location: day % 10 ? 'LMAIN' : 'LSECOND', createdAt: daysAgo(day / 6) })
    const completed = payment.completed()
    if (day === 3) await deliverSquare(webhookUrl, completed, key)
    if (day === 5) payment.refund(400).becomes('COMPLETED')
    if (day === 6) payment.dispute(1000).becomes('LOST')
    if (day === 7) payment.dispute(1000).becomes('WON')
  }
  squarePayment({ ...at, createdAt: daysAgo(1) })
  const captured = squarePayment({ ...at, createdAt: daysAgo(14) })
  captured.completed(daysAgo(11))
  const old = squarePayment({ ...at, createdAt: daysAgo(20) })
  await deliverSquare(webhookUrl, old.completed(), key)
  const { refund } = old.refund(300)
  const unknown = squarePayment({ ...at, createdAt: daysAgo(20) })
  unknown.completed()
  const late = { status: 'COMPLETED', updated_at: daysAgo(2).toISOString() }
  Object.assign(refund, late)
  for (const payment of [captured, old, unknown]) Object.assign(payment.payment, late)

  const { pages } = await historySince(daysAgo(12))
  assert.deepEqual(
    pages,
    // the empty location, the main one in two, the second, refunds, disputes
    [0, 40, 15, 6, 2, 2],
  )
  const sums = await bookHistory(app, account, { id }, () => historySince(daysAgo(12)))
  assert.deepEqual(sums, { sales: 62, refunded: 1700, lost: 1 })
})

test('history that Square does not return now is refused', async () => {
  for (const failure of [{ status: 429, retryAfter: 2 }, { status: 502, body: '<html>' }, 'reset-before'] as const) {
    for (const path of ['payments', 'refunds', 'disputes', 'locations']) {
      seller.fail(`GET /v2/${path}`, failure)
      await assert.rejects(historySince(daysAgo(1)), { kind: 'unavailable' })
    }
  }
})
