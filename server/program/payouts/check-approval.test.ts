import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectOk, signIn, startApp, turnableClock } from '../../../test/support/app.ts'
import { getBalance } from '../../../test/support/payouts.ts'
import { wantForms } from '../../../test/support/tax-forms.ts'
import { createInstalls, workOn } from '../../../test/support/wise-payouts.ts'

const clock = turnableClock('2026-12-30T12:00:00Z')
const app = await startApp({ clock, config: { rateLimitFactor: 1000 } })
const { anInstall, anApproved, show } = createInstalls(app)

test('a payout that waits for money until a year in which no tax form counts is not paid without one', async () => {
  const install = await anInstall({ balance: { USD: 1 } })
  const { account, partner, services, wise } = install
  await wantForms(app, account, 'required')
  const record = async (receivedOn: string) => {
    const body = { taxForm: { kind: 'w-8ben', receivedOn }, approvedPayoutYears: [2026, 2027] }
    expectOk(await app.api('PUT', `/partners/${partner.id}`, { token: account.token, body }))
  }
  await record('2023-06-01')
  const id = await anApproved(install)
  await workOn(services, id)
  assert.equal((await show(install, id)).status, 'awaiting-funding')

  wise.topUp('USD', 1000)
  clock.set('2027-01-04T12:00:00Z')
  account.token = (await signIn(app, account.ownerEmail)).token
  await workOn(services, id)
  const { status, blockers } = await show(install, id)
  assert.deepEqual([status, blockers.map(({ message }) => message)], ['open', ['No tax form for 2027']])
  assert.equal((await getBalance(app, account, partner)).due, 125_50)

  await record('2027-01-04')
  expectOk(await app.api('POST', `/payouts/${id}/approve`, { token: account.token, body: {} }))
  await workOn(services, id)
  assert.equal((await show(install, id)).status, 'processing')
})
