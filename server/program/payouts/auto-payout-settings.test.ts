import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fakeWise } from '../../../test/fakes/wise.ts'
import { anAccount, startApp } from '../../../test/support/app.ts'
import { connectWise } from '../../../test/support/payouts.ts'

const app = await startApp()
const wise = await fakeWise()
test.after(() => wise.close())
const point = (appUrl: string, factor = 0) => {
  const { config } = app.services
  const settings = { apiUrl: wise.url, apiVersion: 'classic', webhookKey: wise.publicKey }
  Object.assign(app.services, { config: { ...config, appUrl, rateLimitFactor: factor, wise: settings } })
}
point(app.url)

const profiles = [
  { id: String(wise.personalId), type: 'PERSONAL', fullName: 'Nora Wind', businessName: null },
  { id: String(wise.businessId), type: 'BUSINESS', fullName: 'Northwind LLC', businessName: 'Northwind LLC' },
]

test('the profiles of a token, which is not kept', async () => {
  const ask = (authorization?: string) =>
    app.api('GET', '/wise/profiles', authorization === undefined ? {} : { headers: { authorization } })
  const answer = await ask(`wise:${wise.token}`)
  assert.deepEqual([answer.status, answer.body], [200, { items: profiles }])
  for (const header of [undefined, 'wise:', `Bearer ${wise.token}`, wise.token, 'wise:another-token']) {
    const refused = await ask(header)
    assert.deepEqual([refused.status, refused.body.error.code], [401, 'unauthenticated'], header ?? 'none')
  }
  wise.fail('GET /v2/profiles', { status: 500 })
  const away = await ask(`wise:${wise.token}`)
  assert.deepEqual([away.status, away.body.error.code], [502, 'provider_failed'])
})

test('settings keep the token sealed, ask Wise first, and forget it all', async () => {
  const account = await anAccount(app)
  const path = `/accounts/${account.id}/auto-payout-settings`
  const read = async () => (await app.api('GET', path, { token: account.token })).body
  const change = (body: object) => app.api('PUT', path, { token: account.token, body })
  const nothing = {
    enabled: false,
    wiseProfile: null,
    wiseProfilesAvailable: [],
    wiseTokenHint: null,
    wiseError: null,
    maxPerPayout: null,
    approvalsAboveCeiling: 1,
    pendingChange: null,
    maxPerRun: null,
  }
  assert.deepEqual(await read(), nothing)
  const fieldsOf = async (body: object) => {
    const { status, body: answer } = await change(body)
    assert.equal(status, 422, JSON.stringify(answer))
    return Object.keys(answer.error.fields)
  }
  assert.deepEqual(await fieldsOf({ enabled: true }), ['wiseToken'])
  assert.deepEqual(await fieldsOf({ enabled: true, wiseToken: 'another' }), ['wiseToken'])
  assert.deepEqual(await fieldsOf({ enabled: true, wiseToken: wise.token }), ['wiseProfileId'])
  assert.deepEqual(await fieldsOf({ wiseToken: wise.token, wiseProfileId: '17' }), ['wiseProfileId'])
  assert.deepEqual(await read(), nothing, 'what is refused changes nothing')

  const saved = await connectWise(app, account, wise, { enabled: true, maxPerRun: 500_00 })
  const expected = {
    enabled: true,
    wiseProfile: profiles[1],
    wiseProfilesAvailable: profiles,
    wiseTokenHint: wise.token.slice(-4),
    wiseError: null,
    maxPerPayout: null,
    approvalsAboveCeiling: 1,
    pendingChange: null,
    maxPerRun: 500_00,
  }
  assert.deepEqual(saved, expected)
  const { row } = await app.services.db.one<{ row: string }>`
    select to_jsonb(p)::text as row from payout_accounts p where account_id = ${account.id}`
  assert.ok(!row.includes(wise.token))
  const audited = await app.services.db.many`select changes::text as text from audit where account_id = ${account.id}`
  assert.ok(!JSON.stringify(audited).includes(wise.token))
  assert.ok(JSON.stringify(audited).includes('500'))

  wise.fail('*', { status: 503 }, 1)
  const away = await change({ wiseProfileId: String(wise.personalId) })
  assert.deepEqual([away.status, away.body.error.code], [502, 'provider_failed'])
  wise.fail('*', 'reset-before', 1)
  const off = await change({ enabled: false, maxPerPayout: 10_00 })
  assert.equal(off.status, 200, 'what needs no answer of Wise asks for none')
  wise.calm()
  assert.deepEqual(await read(), { ...expected, enabled: false, maxPerPayout: 10_00 })
  assert.deepEqual((await change({ wiseProfileId: String(wise.personalId) })).body.wiseProfile, profiles[0])
  const forgotten = await change({ wiseToken: null })
  assert.deepEqual(forgotten.body, { ...nothing, maxPerPayout: 10_00, maxPerRun: 500_00 })
  const stranger = await anAccount(app)
  assert.equal((await app.api('GET', path, { token: stranger.token })).status, 404)
})

test('with a public https address Wise is asked to tell of changes, for the chosen profile alone', async () => {
  point('https://partners.example.com')
  test.after(() => point(app.url))
  const account = await anAccount(app)
  await connectWise(app, account, wise)
  const subscribed = () =>
    [...wise.subscriptions.values()].map(({ delivery, scope, trigger_on: kind }) => ({
      ...{ kind, url: delivery.url, profile: (scope as { id: string }).id },
    }))
  const kinds = ['state-change', 'active-cases', 'refund', 'payout-failure'].map((kind) => `transfers#${kind}`)
  const url = 'https://partners.example.com/hooks/wise'
  const all = (profile: number) => kinds.map((kind) => ({ kind, url, profile: String(profile) }))
  wise.fail('POST *subscriptions', { status: 403 })
  await connectWise(app, account, wise)
  wise.calm()
  await connectWise(app, account, wise, { enabled: true })
  await connectWise(app, account, wise, { enabled: true })
  assert.deepEqual(subscribed(), all(wise.businessId), 'once each, and what was missing later')
  await connectWise(app, account, wise, { wiseProfileId: String(wise.personalId) })
  assert.deepEqual(subscribed(), all(wise.personalId))
  await app.api('PUT', `/accounts/${account.id}/auto-payout-settings`, {
    token: account.token,
    body: { wiseToken: null },
  })
  assert.deepEqual(subscribed(), [])
  wise.fail('POST *subscriptions', { status: 403 })
  assert.equal((await connectWise(app, account, wise)).wiseProfile.id, String(wise.businessId), 'payouts go on without')
})
