import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createCaller } from '../../../test/support/api.ts'
import { anAccount, aPartner, startApp, turnableClock } from '../../../test/support/app.ts'
import { lockFigures, waitingForLocks } from '../../../test/support/locks.ts'
import { asServerBefore } from '../../../test/support/server-before.ts'
import { recountByNight } from './recount.ts'
import { verifyLedger } from './verify.ts'

const clock = turnableClock('2026-03-02T15:00:00Z')
const app = await startApp({ clock, config: { rateLimitFactor: 1000 } })
const { db } = app.services

const day = '2026-03-02'

async function aProgram() {
  const account = await anAccount(app, { timeZone: 'UTC', defaultCommissionSettings: { layerRates: [20] } })
  const owner = createCaller(app, account.token)
  const home = `/accounts/${account.id}`
  const push = createCaller(app, (await owner.put(`${home}/api-key`)).apiKey)
  const partner = await aPartner(app, account)
  await owner.post(`/partners/${partner.id}/promotion-codes`, { code: 'SPRING' })
  const sell = (externalId: string, amount: number) =>
    push.post('/push/sales', { externalId, amount, email: 'ann@mail.example', promotionCode: 'spring' })
  const revenue = async () => (await owner.get(`${home}/reports/${day}..${day}?by=code`)).totals.revenue
  const before = <T>(work: () => Promise<T>) => asServerBefore(db, account.id, work)
  const codes = () => db.one<object>`
    select sales, revenue, last_used_at is not null as used from code_totals where account_id = ${account.id}`
  return { account, owner, home, sell, revenue, before, codes }
}

const wrong = async () => (await verifyLedger(db)).map(({ check }) => check)

test('sales and refunds of a server of the release before are counted by code in the next night, and by day at once', async () => {
  const { account, owner, sell, revenue, before, codes } = await aProgram()
  const known = await sell('known', 50_00)
  await revenue()
  await before(async () => {
    await sell('older', 100_00)
    await owner.post(`/sales/${known.id}/refunds`, { amount: 20_00, reason: 'Asked' })
  })
  assert.equal(await revenue(), 130_00)
  assert.deepEqual(await wrong(), ['promotion codes count the sales that used them'])
  await recountByNight(app.services)
  assert.deepEqual(await wrong(), [])
  assert.deepEqual(await codes(), { sales: 2, revenue: 130_00, used: true })
  assert.equal(await revenue(), 130_00)
  await sell('newer', 1_00)
  assert.deepEqual(await codes(), { sales: 3, revenue: 131_00, used: true })
  const earned = await db.one`select earned from month_stats where account_id = ${account.id}`
  assert.deepEqual(earned, { earned: 26_20 })
})

test('a code whose first sale was of a server of the release before appears with its use', async () => {
  const { sell, before, codes } = await aProgram()
  await before(() => sell('older', 100_00))
  await recountByNight(app.services)
  assert.deepEqual(await codes(), { sales: 1, revenue: 100_00, used: true })
  assert.deepEqual(await wrong(), [])
})

test('a server of the release before that writes again after a recount is counted in the night after', async () => {
  const { sell, before } = await aProgram()
  await before(() => sell('one', 100_00))
  await recountByNight(app.services)
  await before(() => sell('two', 100_00))
  await recountByNight(app.services)
  assert.deepEqual(await wrong(), ['promotion codes count the sales that used them'])
  clock.advance(86_400_000)
  await recountByNight(app.services)
  assert.deepEqual(await wrong(), [])
})

test('a day written while an account is counted stays marked', async () => {
  const { account, sell, before } = await aProgram()
  await before(() => sell('one', 100_00))
  clock.advance(86_400_000)
  const unlock = await lockFigures(db.directUrl, account.id)
  const counting = recountByNight(app.services)
  while ((await waitingForLocks(db)) === 0) await sleep(5)
  // as that server's move of a lead, which leaves the account's own figures
  await db.run`update day_stats set sales = sales where account_id = ${account.id}`
  await unlock()
  await counting
  const marked = await db.value<number>`select count(*) from day_stats where account_id = ${account.id} and behind`
  assert.ok(Number(marked) > 0)
  clock.advance(86_400_000)
  await recountByNight(app.services)
  assert.deepEqual(await db.many`select from day_stats where account_id = ${account.id} and behind`, [])
})
