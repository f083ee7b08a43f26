import assert from 'node:assert/strict'
import { test } from 'node:test'
import { standInPaypal } from '../../../test/fakes/paypal.ts'
import { anAccount, expectOk, startApp } from '../../../test/support/app.ts'
import { connectPaypal, payBy } from '../../../test/support/paypal-payouts.ts'
import { recheckTrouble } from './jobs.ts'

const app = await startApp()
const paypal = await standInPaypal({ clock: () => app.clock.now() })
test.after(() => paypal.close())
payBy(app.services, paypal)
const account = await anAccount(app)
const path = `/accounts/${account.id}/payout-methods`
const save = (body: object, of = account) =>
  app.api('PUT', `/accounts/${of.id}/payout-methods/paypal`, { token: of.token, body })
const shown = async () => expectOk(await app.api('GET', path, { token: account.token })).body.methods[0]
const aBody = () => ({ ...paypal.credentials, automatic: false })

test('credentials that PayPal rejects are refused at their field; nothing is kept of them', async () => {
  const wrong = await save({ ...aBody(), clientSecret: 'EWrong' })
  assert.deepEqual(
    [wrong.status, wrong.body.error.fields],
    [422, { clientSecret: 'PayPal rejected these credentials: Client Authentication failed' }],
  )
  paypal.fail('POST /v1/oauth2/token', { status: 500 })
  const away = await save(aBody())
  assert.deepEqual([away.status, away.body.error.message], [502, 'PayPal couldn’t be reached. Please try again.'])
  assert.equal((await save({ clientId: 'AOnly', automatic: true })).status, 422)
  assert.equal((await save({ automatic: true })).body.error.fields.clientId, 'Enter the client ID and the secret')
  assert.equal(expectOk(await app.api('GET', path, { token: account.token })).body.methods[0].on, false)
})

test('a connected app pays, by itself if the owner wants so; its secret is never shown again', async () => {
  const methods = await connectPaypal(app, account, paypal)
  assert.deepEqual(methods.methods[0], {
    ...{ name: 'paypal', on: true, ready: true, automatic: false, pays: ['paypal'], trouble: null, booking: null },
    hint: `•••••${paypal.clientId.slice(-4)}`,
  })
  assert.ok(methods.kinds.includes('paypal'))
  // whether it pays automatically changes without the secret
  const calls = paypal.calls.length
  assert.equal(expectOk(await save({ automatic: true })).body.methods[0].automatic, true)
  assert.equal(paypal.calls.length, calls)
  const { db } = app.services
  const kept = await db.one<{ sealed: Buffer; paidFrom: string }>`
    select settings_sealed as sealed, paid_from from method_secrets where account_id = ${account.id}`
  assert.ok(!kept.sealed.toString('latin1').includes(paypal.clientSecret))
  assert.ok(!kept.paidFrom.includes(paypal.clientId))
  const everything = JSON.stringify([
    await db.many`select * from told_events where account_id = ${account.id}`,
    await shown(),
  ])
  assert.ok(!everything.includes(paypal.clientSecret) && !everything.includes(paypal.clientId))
})

test('only an owner whose password was proved lately changes it', async () => {
  app.clock.advance(11 * 60_000)
  const stale = await save(aBody())
  assert.deepEqual([stale.status, stale.body.error.code], [403, 'recent_sign_in_required'])
  assert.equal((await app.api('DELETE', `${path}/paypal`, { token: account.token })).status, 403)
  assert.equal((await shown()).on, true)
})

test('removed, it pays no more; an account in a currency that PayPal lacks cannot connect it', async () => {
  const other = await anAccount(app, { defaultCurrency: 'usd' })
  await connectPaypal(app, other, paypal, true)
  const remove = () => app.api('DELETE', `/accounts/${other.id}/payout-methods/paypal`, { token: other.token })
  assert.equal((await remove()).status, 204)
  assert.equal((await remove()).status, 404)
  const { methods, kinds } = expectOk(
    await app.api('GET', `/accounts/${other.id}/payout-methods`, { token: other.token }),
  ).body
  assert.equal(methods.find(({ name }: { name: string }) => name === 'paypal').on, false)
  assert.ok(!kinds.includes('paypal'))
  const hungarian = await anAccount(app, { defaultCurrency: 'huf' })
  const refused = await save(aBody(), hungarian)
  assert.deepEqual(
    [refused.status, refused.body.error.message],
    [409, 'PayPal doesn’t pay in the currency of this account.'],
  )
})

test('a connection that was refused is asked again every hour, but for a disabled account', async () => {
  const { db } = app.services
  const other = await anAccount(app)
  await connectPaypal(app, other, paypal)
  await db.run`
    update method_secrets set trouble = 'No.', trouble_kind = 'unauthorized' where account_id = ${other.id}`
  const trouble = () => db.value<string | null>`select trouble from method_secrets where account_id = ${other.id}`
  await db.run`update accounts set disabled_at = ${db.now} where id = ${other.id}`
  const calls = paypal.calls.length
  await recheckTrouble(app.services)
  assert.deepEqual([await trouble(), paypal.calls.length], ['No.', calls])
  await db.run`update accounts set disabled_at = null where id = ${other.id}`
  await recheckTrouble(app.services)
  assert.deepEqual([await trouble(), paypal.calls.length], [null, calls + 1])
})
