import assert from 'node:assert/strict'
import { test } from 'node:test'
import { verifyLedger } from '#server/program/stats/verify.ts'
import { createCaller } from '#test/support/api.ts'
import { anAccount, startApp, turnableClock } from '#test/support/app.ts'
import { aCase } from '#test/support/fraud-cases.ts'
import { asServerBefore } from '#test/support/server-before.ts'
import { catchUpByNight } from './catch-up.ts'

const clock = turnableClock('2026-03-02T15:00:00Z')
const app = await startApp({ clock, config: { rateLimitFactor: 1000 } })
const { db } = app.services

test('a sale that a server of the release before held gets its case in the next night', async () => {
  const account = await anAccount(app)
  const owner = createCaller(app, account.token)
  const { saleId } = await asServerBefore(db, account.id, () => aCase(app, account))
  const cases = async () => (await owner.get(`/accounts/${account.id}/cases`)).items
  assert.deepEqual(await cases(), [])
  await catchUpByNight(app.services)
  const [found] = await cases()
  const { hold } = await owner.get(`/sales/${saleId}`)
  assert.deepEqual(
    [found.saleId, found.action, found.heldUntil, found.findings],
    [saleId, 'hold', hold.until, [{ rule: 'self-referral', evidence: hold.reason, partnerId: null }]],
  )
  assert.deepEqual(
    await verifyLedger(db, 'a held sale has an open case, and an open case with a hold its held sale'),
    [],
  )
  await owner.post(`/cases/${found.id}/release`, { reason: 'Known' })
  assert.equal((await owner.get(`/sales/${saleId}`)).hold.until, null)
})

test('cases of sales that a server of the release before released or voided are closed in the next night', async () => {
  const account = await anAccount(app)
  const owner = createCaller(app, account.token)
  const [released, voided, open] = [await aCase(app, account), await aCase(app, account), await aCase(app, account)]
  await asServerBefore(db, account.id, async () => {
    await owner.post(`/sales/${released.saleId}/release`, { reason: 'Known' })
    await owner.post(`/sales/${voided.saleId}/void`, { reason: 'A test' })
  })
  const stateOf = async ({ id }: { id: string }) => {
    const { state, decision } = await owner.get(`/cases/${id}`)
    return [state, decision]
  }
  assert.deepEqual(await stateOf(released), ['open', null])
  await catchUpByNight(app.services)
  assert.deepEqual(await stateOf(released), ['decided', 'released'])
  assert.deepEqual(await stateOf(voided), ['decided', 'voided'])
  assert.deepEqual(await stateOf(open), ['open', null])
  assert.deepEqual(await verifyLedger(db), [])
})
