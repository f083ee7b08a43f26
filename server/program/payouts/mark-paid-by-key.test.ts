import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertRefused, createCaller } from '../../../test/support/api.ts'
import { anAccount, expectOk, startApp } from '../../../test/support/app.ts'
import { aPayee, aPayout } from '../../../test/support/payouts.ts'
import { verifyLedger } from '../stats/verify.ts'

const app = await startApp()

test('a key with the right `payouts` marks approved payouts as paid, and does nothing else', async () => {
  const account = await anAccount(app)
  const owner = createCaller(app, account.token)
  const home = `/accounts/${account.id}`
  const keyOf = async (...rights: string[]) =>
    createCaller(app, (await owner.post(`${home}/api-keys`, { name: rights.join(' '), rights })).key)
  const [bank, reading, partners] = [await keyOf('payouts'), await keyOf('read'), await keyOf('partners', 'push')]
  const first = await aPayout(app, account, await aPayee(app, account), 20_00)
  const paid = (who: typeof bank, id: string, more: object = {}) =>
    who.call('POST', `/payouts/${id}/mark-paid`, { reference: 'Bank 17', ...more })
  // a key approves nothing
  assertRefused(await paid(bank, first.id), 409, 'invalid_state')
  const { amount } = await owner.post(`/payouts/${first.id}/approve`, { amount: first.amount })
  for (const who of [reading, partners]) {
    const { status, body } = await paid(who, first.id)
    assert.deepEqual([status, body.error.reason], [403, 'api_key_may_not_mark_paid'])
  }
  for (const [method, path] of [
    ['GET', `/payouts/${first.id}`],
    ['GET', `${home}/payouts`],
    ['POST', `/payouts/${first.id}/cancel`],
    ['POST', `/payouts/${first.id}/approve`],
    ['POST', `${home}/payouts/mark-paid`],
  ] as const)
    assert.equal((await bank.call(method, path)).status, 403, path)
  assert.equal((await paid(bank, first.id, { amount: amount + 1 })).body.error.reason, 'payout_changed')
  const done = expectOk(await paid(bank, first.id, { amount })).body
  assert.deepEqual([done.status, done.externalReference], ['paid', 'Bank 17'])
  assertRefused(await paid(bank, first.id), 409, 'invalid_state')
  const { kind } = await app.services.db.one<{ kind: string }>`
    select actor_type as kind from audit where subject_id = ${first.id} and action = 'payout.paid'`
  assert.equal(kind, 'api-key')

  const other = await anAccount(app)
  const foreign = expectOk(
    await app.api('POST', `/accounts/${other.id}/api-keys`, {
      token: other.token,
      body: { name: 'Bank', rights: ['payouts'] },
    }),
  )
  assert.equal((await paid(createCaller(app, foreign.body.key), first.id)).status, 404)
  assert.deepEqual(await verifyLedger(app.services.db), [])
})
