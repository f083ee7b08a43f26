import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, test } from 'node:test'
import { pino } from 'pino'
import { openDatabase } from '../server/platform/database/pool.ts'
import { verifyLedger } from '../server/program/stats/verify.ts'
import { fakeReceiver } from './fakes/receiver.ts'
import { expectOk, waitUntil } from './support/app.ts'
import { visitLink } from './support/links.ts'
import { clickPersistently, type Passage, pushPersistently } from './support/persistent-load.ts'
import { startProcesses } from './support/processes.ts'
import { aSellingAccount, type Running, type SellingAccount } from './support/running.ts'
import { addressOfBoth, startPrimary, startStandby } from './support/standby.ts'

const log = pino({ level: 'silent' })
/** Milliseconds from the promotion on: twice the figure of docs/scaling.md, since other tests run too. */
const BACK_MS = 10_000

/** Two web processes and a worker at these hosts, with an account whose sales are sent to `receiver`. */
async function startThree(databaseUrl: string, receiver: { url: string }) {
  const shared = {
    DATABASE_URL: databaseUrl,
    SECRET_KEY: randomBytes(32).toString('base64'),
    ALLOW_PRIVATE_WEBHOOK_TARGETS: 'true',
  }
  const [first, second] = await startProcesses(['web', 'web', 'worker'], shared)
  const account = await aSellingAccount(first!)
  const webhook = { name: 'CRM', url: receiver.url, events: ['sale.created'] }
  expectOk(
    await first!.api('POST', `/accounts/${account.id}/outgoing-webhooks`, { token: account.token, body: webhook }),
  )
  return { webs: [first!, second!], account }
}

/** Returns the milliseconds from `since` until every process served a call again. */
async function backAfter(webs: Running[], passages: Passage[], since: number): Promise<number> {
  const firsts = webs.map((web) =>
    waitUntil(() => passages.find((passage) => passage.web === web && passage.at > since)?.at, 60_000),
  )
  return Math.max(...(await Promise.all(firsts))) - since
}

test('after the primary is killed and its standby promoted, nothing acknowledged is lost or duplicated', async (t) => {
  const primary = await startPrimary()
  const standby = await startStandby(primary, { synchronous: true })
  const receiver = await fakeReceiver()
  after(() => receiver.close())
  const { webs, account } = await startThree(addressOfBoth(primary, standby), receiver)
  const [one, other] = webs as [Running, Running]
  const sales = pushPersistently(webs, account, { lanes: 8 })
  const clicks = clickPersistently(webs, account, { lanes: 4 })
  after(() => Promise.allSettled([sales.stop(), clicks.stop()]))
  await waitUntil(() => sales.acknowledged.size > 50 && clicks.clicks.length > 50, 120_000)

  await primary.kill()
  const killed = performance.now()
  await standby.promote()
  const promoted = performance.now()
  const deliveredBefore = receiver.deliveries.length
  const [sold, clicked, delivered] = await Promise.all([
    backAfter(webs, sales.passages, promoted),
    backAfter(webs, clicks.passages, promoted),
    waitUntil(() => receiver.deliveries.length > deliveredBefore, 60_000).then(() => performance.now() - promoted),
  ])
  const invalidated = await measureInvalidation(one, other, account)
  t.diagnostic(
    `promoted ${whole(promoted - killed)} ms after the kill; from then on sales by both processes after ${whole(sold)} ms, clicks after ${whole(clicked)}, deliveries after ${whole(delivered)}; a changed link was heard of after ${whole(invalidated)}`,
  )
  for (const ms of [sold, clicked, delivered, invalidated]) assert.ok(ms < BACK_MS, `${ms} ms`)

  await Promise.all([sales.stop(), clicks.stop()])
  const db = openDatabase({ url: standby.url, log, max: 1 })
  try {
    const kept = await db.many<{ id: string; externalId: string }>`select id, external_id from sales`
    assert.deepEqual(new Map(kept.map(({ id, externalId }) => [externalId, id])), sales.acknowledged)
    assert.equal(kept.length, sales.acknowledged.size)
    const { found } = await db.one<{ found: number }>`
      select count(*) as found from clicks where id = any(${clicks.clicks}::uuid[])`
    assert.equal(found, new Set(clicks.clicks).size)
    assert.deepEqual(await verifyLedger(db), [])
    await waitUntil(() => saleIds(receiver.deliveries).size === kept.length, 60_000)
  } finally {
    await db.close()
  }
})

const whole = (ms: number) => Math.round(ms)

const saleIds = (deliveries: { body: unknown }[]) =>
  new Set(deliveries.map(({ body }) => (body as { data: { object: { id: string } } }).data.object.id))

/** Returns the milliseconds until one process uses a link that the other one changed. */
async function measureInvalidation(one: Running, other: Running, account: SellingAccount): Promise<number> {
  const body = { destinationUrl: 'https://shop.example.com/elsewhere' }
  expectOk(await one.api('PUT', `/link-blueprints/${account.blueprint.id}`, { token: account.token, body }))
  const changed = performance.now()
  await waitUntil(async () => {
    const { location } = await visitLink(other, account.blueprint.key, account.code)
    return location?.includes('/elsewhere?')
  }, 60_000)
  return performance.now() - changed
}
