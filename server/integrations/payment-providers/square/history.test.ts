import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anAccount, ok } from '../../../../test/support/app.ts'
import { connectionsOf, startWithProvider, workOff } from '../../../../test/support/payment-providers.ts'
import { standInSquare } from '../../../../test/support/stand-ins/square.ts'
import { deliverSquare, squarePayment } from '../../../../test/support/stand-ins/square-events.ts'
import { newId } from '../../../platform/database/ids.ts'
import { transaction } from '../../../platform/database/pool.ts'
import type { ReceivedEvent } from '../provider.ts'
import { insertEvent } from '../queries.ts'
import { reachOf } from '../secrets.ts'
import { square } from './adapter.ts'

const seller = await standInSquare({ pageSize: 40, locations: ['LMAIN', 'LSECOND', 'LEMPTY'] })
const app = await startWithProvider('square', seller)
const { db } = app.services
const now = app.clock.now()
const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000)

async function historySince(since: Date) {
  const pages: ReceivedEvent[][] = []
  let cursor: string | null = null
  do {
    const page: { events: ReceivedEvent[]; next: string | null } = await square.history!(
      ...([seller.credentials, reachOf(app.services, 'square'), since, cursor] as const),
    )
    pages.push(page.events)
    cursor = page.next
  } while (cursor !== null)
  return pages
}

test('what happened since is listed, location by location; told twice, and beside deliveries, it changes nothing', async () => {
  const account = await anAccount(app)
  const key = 'signs-all-that-is-told'
  const connected = await connectionsOf(app, account, 'square').connect({ ...seller.credentials, signatureKey: key })
  const { id, webhookUrl } = ok(connected).body
  const { shopId } = await db.one<{ shopId: string }>`select shop_id from provider_connections where id = ${id}`
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

  const pages = await historySince(daysAgo(12))
  assert.deepEqual(
    pages.map(({ length }) => length),
    // the empty location, the main one in two, the second, refunds, disputes
    [0, 40, 15, 6, 2, 2],
  )
  const take = async () => {
    for (const event of (await historySince(daysAgo(12))).flat())
      await transaction(db, (tx) =>
        insertEvent(tx, { id: newId(), connection: { id, accountId: account.id, shopId }, event, state: 'received' }),
      )
    await workOff(app)
    return db.one`
      select count(*) as sales, sum(refunded_amount)::bigint as refunded, count(*) filter (where status = 'charged-back') as lost
      from sales where account_id = ${account.id}`
  }
  const once = await take()
  assert.deepEqual(once, { sales: 62, refunded: 1700, lost: 1 })
  const { count } = await db.one`select count(*) as count from provider_events`
  assert.deepEqual(await take(), once)
  assert.deepEqual(await db.one`select count(*) as count from provider_events`, { count })
})

test('what Square does not answer now is refused', async () => {
  for (const failure of [{ status: 429, retryAfter: 2 }, { status: 502, body: '<html>' }, 'reset-before'] as const) {
    for (const path of ['payments', 'refunds', 'disputes', 'locations']) {
      seller.fail(`GET /v2/${path}`, failure)
      await assert.rejects(historySince(daysAgo(1)), { kind: 'unavailable' })
    }
  }
})
