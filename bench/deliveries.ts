import { setTimeout as sleep } from 'node:timers/promises'
import { startChild } from './child.ts'
import { type BenchEnvironment, makeAccount } from './environment.ts'
import type { LeastSender } from './least-sender.ts'
import { type Line, perSecond, type Scale, toMedian, toRatio } from './rounds.ts'

/** Requests that the product sends to one webhook at once. */
const CONNECTIONS = 4
const GOAL = 0.6
const EVENTS = 200

/**
 * Deliveries waiting for one webhook with a fast receiver, compared with the least that sends the same bodies and stores
 * what became of each.
 */
export async function measureDeliveries(ground: BenchEnvironment, { deliveries }: Scale): Promise<Line[]> {
  const { db, api } = ground
  const account = await makeAccount(ground)
  const receiver = startChild<object, number>('receiver.ts')
  const least = startChild<LeastSender, number>('least-sender.ts')
  const port = await receiver.ask({})
  const url = `http://127.0.0.1:${port}/`
  const body = { name: 'Bench', url, events: ['sale.created'] }
  const webhook = await api('POST', `/accounts/${account.id}/outgoing-webhooks`, account.token, body)
  for (let first = 0; first < EVENTS; first += 100) {
    const rows = Array.from({ length: 100 }, (_, index) => ({
      externalId: `sale-${first + index}`,
      email: `buyer-${first + index}@mail.example`,
      referralCode: account.codes[0],
      amount: 49_00,
    }))
    await api('POST', '/push/sales', account.apiKey, rows)
  }
  const left = async () =>
    (
      await db.one<{ left: number }>`
      select count(*) as left from outgoing_deliveries where webhook_id = ${webhook.id} and state <> 'delivered'`
    ).left
  const arrive = async () => {
    while ((await left()) > 0) await sleep(100)
  }
  await sleep(1000)
  await arrive()
  const { items } = await api('GET', `/outgoing-webhooks/${webhook.id}/deliveries?limit=100`, account.token)
  const bodies = items.map(({ requestBody }: { requestBody: string }) => requestBody)
  const sending = { url: db.url, port, connections: CONNECTIONS, bodies, count: deliveries }
  const before = await least.ask(sending)

  await db.run`update outgoing_webhooks set enabled = false where id = ${webhook.id}`
  await db.run`
    insert into outgoing_deliveries (id, account_id, webhook_id, event_id, event, state, next_at, created_at)
    select uuidv7(), account_id, webhook_id, event_id, event, 'pending', now(), now()
    from outgoing_deliveries d cross join generate_series(1, ${Math.ceil(deliveries / EVENTS)})
    where d.webhook_id = ${webhook.id}`
  await db.run`analyze outgoing_deliveries`
  const count = await left()
  const startedAt = performance.now()
  await api('PUT', `/outgoing-webhooks/${webhook.id}`, account.token, { enabled: true })
  await arrive()
  const rate = count / ((performance.now() - startedAt) / 1000)
  await ground.watch.look()
  const floors = [before, await least.ask(sending)]
  receiver.end()
  least.end()
  return [
    {
      what: `webhook deliveries, ${count.toLocaleString('en-US')} waiting`,
      ours: perSecond(rate),
      floor: perSecond(toMedian(floors)),
      ...toRatio([rate, rate], floors),
      goal: GOAL,
      also: `${CONNECTIONS} connections`,
    },
  ]
}
