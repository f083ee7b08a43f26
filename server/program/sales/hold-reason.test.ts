import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anAccount, aPartner, expectOk, startApp } from '../../../test/support/app.ts'

const app = await startApp()
const account = await anAccount(app, { selfReferralPolicy: 'hold', defaultCommissionSettings: { layerRates: [10] } })
const partner = await aPartner(app, account, { email: 'jane@whitfield.example' }, { signIn: true })
const call = async (method: 'GET' | 'POST', path: string, body?: object, token = account.token) =>
  expectOk(await app.api(method, path, { token, ...(body && { body }) })).body
const lead = await call('POST', `/accounts/${account.id}/leads`, {
  partnerId: partner.id,
  email: 'jane@whitfield.example',
})
const sell = () => call('POST', `/leads/${lead.id}/sales`, { amount: 100_00 })

const reasons = async (path: string, token?: string) =>
  (await call('GET', path, undefined, token)).items.map((one: { hold: { reason: string } | null }) => one.hold?.reason)

test('every list explains why an entry is on hold or void, neutrally to a partner', async () => {
  const sale = await sell()
  const [hold] = (await call('GET', `/partners/${partner.id}/commissions`)).items.map(
    (one: { hold: unknown }) => one.hold,
  )
  assert.deepEqual(hold, { until: sale.hold.until, reason: sale.hold.reason })
  assert.deepEqual(await reasons(`/accounts/${account.id}/revenue-lines`), [sale.hold.reason])
  assert.deepEqual(await reasons(`/partners/${partner.id}/commissions`, partner.token), ['Under review'])

  await app.services.db.run`update sales set disputed = true, status = 'disputed' where id = ${sale.id}`
  const disputed = 'The payment is disputed'
  for (const token of [account.token, partner.token])
    assert.deepEqual(await reasons(`/partners/${partner.id}/commissions`, token), [disputed])
  assert.deepEqual(await reasons(`/accounts/${account.id}/revenue-lines`), [disputed])
  await app.services.db.run`update sales set disputed = false, status = 'completed' where id = ${sale.id}`

  const voided = await call('POST', `/sales/${sale.id}/void`, { reason: 'Entered twice' })
  assert.equal(voided.voidReason, 'Entered twice')
  assert.deepEqual(await reasons(`/partners/${partner.id}/commissions`), ['Entered twice', 'Entered twice'])
  assert.deepEqual(await reasons(`/accounts/${account.id}/revenue-lines`), ['Entered twice'])
  const shown = await reasons(`/partners/${partner.id}/commissions`, partner.token)
  assert.deepEqual(shown, ['The sale was voided', 'The sale was voided'])
})

test('an entry paid as usual has no explanation', async () => {
  await app.services.db.run`update accounts set self_referral_policy = 'flag' where id = ${account.id}`
  const sale = await sell()
  const { items } = await call('GET', `/partners/${partner.id}/commissions?saleId=${sale.id}`)
  assert.deepEqual(
    items.map((one: { status: string; hold: unknown }) => [one.status, one.hold]),
    [['held', null]],
  )
})
