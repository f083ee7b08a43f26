import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fakeWise } from '../../../test/fakes/wise.ts'
import {
  anAccount,
  expectOk,
  PASSWORD,
  signIn,
  startApp,
  type TestAccount,
  turnableClock,
} from '../../../test/support/app.ts'
import { connectWise } from '../../../test/support/payouts.ts'
import { findSavedMail } from '../../../test/support/saved-mails.ts'

const clock = turnableClock()
const wise = await fakeWise()
test.after(() => wise.close())
const settings = { apiUrl: wise.url, apiVersion: 'classic', webhookKey: wise.publicKey }
const app = await startApp({ clock, worker: true, config: { wise: settings } })

/** The owner's session whose password was proved more than ten minutes ago. */
async function stale({ ownerEmail }: TestAccount) {
  const { token } = await signIn(app, ownerEmail)
  clock.advance(601_000)
  return token
}

const reasonOf = ({ status, body }: { status: number; body: { error?: { code: string; reason: string } } }) =>
  status < 300 ? status : `${status} ${body.error?.code} ${body.error?.reason}`

test('keys, tokens and exports need a recent password', async () => {
  const account = await anAccount(app)
  const keys = `/accounts/${account.id}/api-keys`
  const first = expectOk(
    await app.api('POST', keys, { token: account.token, body: { name: 'First', rights: ['read'] } }),
  ).body
  const token = await stale(account)
  const calls: [method: string, path: string, body?: object][] = [
    ['PUT', `/accounts/${account.id}/api-key`],
    ['POST', keys, { name: 'Second', rights: ['push'] }],
    ['POST', `${keys}/${first.id}/rotations`],
    ['POST', '/users/me/tokens', { name: 'Assistant' }],
    ['GET', `/accounts/${account.id}/export`],
  ]
  const rotation = expectOk(await app.api('GET', keys, { token })).body.items[0]
  assert.equal(rotation.id, first.id)
  for (const [method, path, body] of calls)
    assert.equal(
      reasonOf(await app.api(method, path, { token, body })),
      '403 recent_sign_in_required password_first',
      `${method} ${path}`,
    )
  assert.equal((await app.api('GET', `/accounts/${account.id}/export`, { token: first.key })).status, 200)
  expectOk(await app.api('POST', '/auth/confirm', { token, body: { password: PASSWORD } }))
  for (const [method, path, body] of calls)
    assert.ok((await app.api(method, path, { token, body })).status < 300, `${method} ${path}`)
})

test('loosening a limit on money needs a recent password; tightening one does not', async () => {
  const account = await anAccount(app)
  await connectWise(app, account, wise)
  const path = `/accounts/${account.id}/auto-payout-settings`
  expectOk(
    await app.api('PUT', path, { token: account.token, body: { enabled: false, maxPerPayout: null, maxPerRun: null } }),
  )
  const token = await stale(account)
  const put = async (body: object) => reasonOf(await app.api('PUT', path, { token, body }))
  const refused = '403 recent_sign_in_required loosening_payouts'

  assert.equal(await put({ maxPerPayout: 100_00, maxPerRun: 500_00 }), 200)
  assert.equal(await put({ maxPerPayout: 90_00, enabled: false }), 200)
  for (const loosening of [
    { maxPerPayout: 90_01 },
    { maxPerPayout: null },
    { maxPerRun: null },
    { maxPerRun: 500_01, maxPerPayout: 1 },
    { enabled: true },
    { wiseToken: wise.token },
  ])
    assert.equal(await put(loosening), refused, JSON.stringify(loosening))
  const seen = expectOk(await app.api('GET', path, { token })).body
  assert.deepEqual([seen.enabled, seen.maxPerPayout, seen.maxPerRun], [false, 90_00, 500_00])

  expectOk(await app.api('POST', '/auth/confirm', { token, body: { password: PASSWORD } }))
  assert.equal(await put({ enabled: true, maxPerPayout: null }), 200)
  const later = await stale(account)
  const putLater = async (body: object) => reasonOf(await app.api('PUT', path, { token: later, body }))
  assert.equal(await putLater({ enabled: true, maxPerRun: 400_00 }), 200)
  assert.equal(await putLater({ enabled: false }), 200)
  assert.equal(await putLater({ enabled: true }), refused)
})

test('the creator of a key or token is notified, and signing out everywhere else ends the tokens', async () => {
  const account = await anAccount(app)
  expectOk(
    await app.api('POST', `/accounts/${account.id}/api-keys`, {
      token: account.token,
      body: { name: 'Shop', rights: ['push'] },
    }),
  )
  const { raw, subject } = await findSavedMail(app, 'new-key', account.ownerEmail)
  assert.equal(subject, 'An API key was created')
  assert.match(raw, /Shop/)
  const { token: own } = expectOk(
    await app.api('POST', '/users/me/tokens', { token: account.token, body: { name: 'Assistant' } }),
  ).body
  const headers = {
    authorization: `Bearer ${own}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} })
  const requestStatus = async () => (await fetch(`${app.url}/mcp`, { method: 'POST', headers, body })).status
  assert.equal(await requestStatus(), 200)
  const other = await signIn(app, account.ownerEmail)
  const racing = Array.from({ length: 4 }, (_, index) =>
    app.api('POST', '/users/me/tokens', { token: other.token, body: { name: `Late ${index}` } }),
  )
  const [ended] = await Promise.all([app.api('DELETE', '/users/me/sessions', { token: account.token }), ...racing])
  assert.equal(ended.status, 204)
  assert.equal(await requestStatus(), 401)
  assert.equal(expectOk(await app.api('GET', '/users/me/tokens', { token: account.token })).body.total, 0)
})
