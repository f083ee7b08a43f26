import pg from 'pg'
import { type BareSale, externalId, pickLead, writeSale } from './bare-sale.ts'
import { answerParent } from './child.ts'

// The floor of a provider's event: the driver writes the same rows in one transaction, without adapter, rules or queue.

const MOST_LANES = 16
type Shop = BareSale & { shopId: string }
export type BareEvents = { shops: Shop[]; url: string; lanes: number; ms: number; first: number }

let pool: pg.Pool | undefined

answerParent<BareEvents, { perSecond: number; written: number }>(async (plan) => {
  pool ??= new pg.Pool({ connectionString: plan.url, max: MOST_LANES, idleTimeoutMillis: 0 })
  const clients = []
  for (let lane = 0; lane < plan.lanes; lane++) clients.push(await pool.connect())
  let number = plan.first
  let written = 0
  let inTime = 0
  const until = performance.now() + plan.ms
  await Promise.all(
    clients.map(async (client) => {
      while (performance.now() < until) {
        await book(client, plan.shops[++number % plan.shops.length]!, number)
        written++
        if (performance.now() < until) inTime++
      }
      client.release()
    }),
  )
  return { perSecond: inTime / (plan.ms / 1000), written }
})

async function book(client: pg.PoolClient, shop: Shop, number: number) {
  const { shopId } = shop
  const key = externalId(number)
  const run = (name: string, text: string, values: unknown[]) => client.query({ name, text, values })
  await client.query('begin')
  const event = await run('event', EVENT, [shopId, key])
  await run('lock', 'select pg_advisory_xact_lock(hashtextextended($1, 5))', [`${shopId} ${key}`])
  await run('keep', OBJECT, [shop.accountId, shopId, key, JSON.stringify({ amount: 4900 })])
  await run('objects', 'select * from provider_objects where shop_id = $1 and payment_key = $2', [shopId, key])
  await run('booked', 'select * from provider_payments where shop_id = $1 and payment_key = $2', [shopId, key])
  await run('match', 'select id, partner_id from leads where id = $1', [pickLead(shop, number)])
  const sale = await writeSale(client, shop, number)
  await run('payment', PAYMENT, [shop.accountId, shopId, key, sale])
  await run('done', `update provider_events set state = 'processed', processed_at = now() where id = $1`, [
    event.rows[0]?.id,
  ])
  await client.query('commit')
}

const EVENT = `select id, body from provider_events where shop_id = $1 and external_id = $2`
const OBJECT = `
  insert into provider_objects (account_id, shop_id, payment_key, kind, object_id, rank, at, data)
  values ($1, $2, $3, 'payment', $3, 0, now(), $4) on conflict do nothing`
const PAYMENT = `
  insert into provider_payments (account_id, shop_id, payment_key, sale_id, credited) values ($1, $2, $3, $4, true)`
