import assert from 'node:assert/strict'
import { test } from 'node:test'
import { standInChargebee } from '../../../../test/fakes/chargebee.ts'
import { chargebeeBill, chargebeePayment, deliverChargebee } from '../../../../test/fakes/chargebee-events.ts'
import { anAccount, expectOk, type TestAccount } from '../../../../test/support/app.ts'
import {
  assertRefused,
  assertUnavailable,
  createConnectionCalls,
  startWithProvider,
} from '../../../../test/support/payment-providers.ts'
import { getProviderAccess } from '../secrets.ts'
import { createChargebeeApi } from './api.ts'

// Connecting a site, and verifying requests to its address.

const site = await standInChargebee()
const app = await startWithProvider('chargebee', site, { config: { allowPrivateWebhookTargets: true } })
const { db } = app.services
const { store } = site
const PASSWORD = 'a-password-for-the-webhook'

const anOwner = async () => {
  const account = await anAccount(app)
  return { account, ...createConnectionCalls(app, account, 'chargebee') }
}
const listStoredEvents = (connectionId: string) => db.many<{ externalId: string; state: string }>`
  select external_id, state from provider_events where connection_id = ${connectionId} order by received_at, id`
const paid = () => chargebeePayment([{ bill: chargebeeBill({ total: 1000, store }), amount: 1000 }]).succeeded
const offer = async ({ id, token }: TestAccount) =>
  expectOk(await app.api('GET', `/accounts/${id}/payment-providers/available`, { token })).body.items.find(
    ({ provider }: { provider: string }) => provider === 'chargebee',
  )

test('a site is connected by a read-only key, and the owner is told what to enter there', async () => {
  const owner = await anOwner()
  const made = expectOk(await owner.connect(site.credentials)).body
  assert.deepEqual(
    [made.accountName, made.defaultCurrency, made.providerAccountIdentifier, made.livemode],
    ['acme-test', null, 'acme', false],
  )
  assert.deepEqual([made.state, made.webhookSecretSet], ['attention', false])
  assert.match(made.stateReason, /Chargebee for the URL shown here and enter its webhook password/)
  const { webhookSteps, methods, remembers } = await offer(owner.account)
  assert.match(webhookSteps, /Protect webhook URL with basic authentication.*username tributary.*V2/)
  assert.deepEqual([methods, remembers], [['credentials'], true])
  assert.equal((await deliverChargebee(made.webhookUrl, paid(), '')).status, 400)
  const set = expectOk(await owner.change(made.id, { webhookSecret: PASSWORD })).body
  assert.deepEqual([set.state, set.webhookSecretSet], ['connected', true])
  assert.equal((await deliverChargebee(made.webhookUrl, paid(), PASSWORD)).status, 200)
  const everything = JSON.stringify([made, set, await owner.list(), await db.many`select * from provider_connections`])
  for (const secret of [site.credentials.apiKey, PASSWORD]) assert.ok(!everything.includes(secret))
  for (const list of ['transactions', 'invoices', 'customers', 'subscriptions'])
    assert.ok(site.callsTo(`GET /api/v2/${list}`).length > 0, list)
  assert.equal((await owner.disconnect(made.id)).status, 204)
  assert.equal((await deliverChargebee(made.webhookUrl, paid(), PASSWORD)).status, 404)
})

test('wrong credentials are refused at their field, in Chargebee’s words', async () => {
  const owner = await anOwner()
  const { apiKey } = site.credentials
  const wrong: [Record<string, string>, string, RegExp][] = [
    [{ site: 'acme.chargebee.com', apiKey }, 'site', /such as acme for acme\.chargebee\.com/],
    [{ site: 'evil.example/acme', apiKey }, 'site', /such as acme/],
    [{ site: 'evil.example#', apiKey }, 'site', /such as acme/],
    [{ site: 'acme@evil.example', apiKey }, 'site', /such as acme/],
    [{ site: 'acme:8080', apiKey }, 'site', /such as acme/],
    [{ site: '127.0.0.1', apiKey }, 'site', /such as acme/],
    [{ site: 'ac\nme', apiKey }, 'site', /such as acme/],
    [{ site: `a${'b'.repeat(63)}`, apiKey }, 'site', /such as acme/],
    [{ apiKey }, 'site', /such as acme/],
    [{ site: site.site, apiKey: 'a key' }, 'apiKey', /without spaces/],
    [{ ...site.credentials, webhookPassword: 'short' }, 'webhookPassword', /8 characters or more/],
    [{ site: site.site, apiKey: 'test_OfSomebodyElse' }, 'apiKey', /authentication failed. Invalid api key/],
  ]
  for (const [credentials, field, words] of wrong) {
    const { status, body } = await owner.connect(credentials)
    assert.equal(status, 422, JSON.stringify(credentials))
    assert.match(body.error.fields[`credentials.${field}`], words)
  }
  const unknown = { message: 'The site acme-tset is not found.', api_error_code: 'site_not_found' }
  site.fail('GET /api/v2/transactions', { status: 404, body: unknown })
  const { body: nowhere } = await owner.connect({ ...site.credentials, site: 'acme-tset' })
  assert.deepEqual(nowhere.error.fields, { 'credentials.site': unknown.message })
  for (const list of ['transactions', 'invoices', 'customers', 'subscriptions']) {
    site.forbid(list)
    const { body } = await owner.connect(site.credentials)
    site.allow(list)
    assert.match(body.error.fields['credentials.apiKey'], new RegExp(`no access to ${list}`))
  }
  assert.deepEqual(await owner.list(), [])
})

test('a site’s name leads to no other host, however it was stored', () => {
  for (const name of ['evil.example', 'acme.evil.example', 'acme/..', '', 'ACME', '-acme', 'acme?x=', 'acme\\evil'])
    assert.throws(
      () =>
        createChargebeeApi(
          { site: name, apiKey: 'key' },
          { ...getProviderAccess(app.services, 'chargebee'), apiUrl: null },
        ),
      { kind: 'refused' },
      name,
    )
})

test('a site connects once per mode, and not while Chargebee does not respond', async () => {
  const owner = await anOwner()
  const failures = [{ status: 500 }, { status: 429, retryAfter: 60 }, 'reset-before', 'reset-after', 'garbage'] as const
  await assertUnavailable(site, 'GET /api/v2/invoices', failures, () => owner.connect(site.credentials))
  const made = expectOk(await owner.connect({ ...site.credentials, webhookPassword: PASSWORD })).body
  assert.equal(made.state, 'connected')
  const again = await owner.connect(site.credentials)
  assert.deepEqual([again.status, again.body.error.code], [409, 'duplicate'])
  const other = await owner.change(made.id, { credentials: { site: 'another' } })
  assert.deepEqual([other.status, other.body.error.code], [409, 'conflict'])
  const rolled = { apiKey: site.rollKey() }
  expectOk(await owner.change(made.id, { credentials: rolled }))
  const live = expectOk(await owner.change(made.id, { credentials: { site: 'acme' } })).body
  assert.deepEqual([live.livemode, live.accountName, live.webhookSecretSet], [true, 'acme', false])
  expectOk(await owner.disconnect(made.id))
})

test('what isn’t sent with the password, or no event, is refused and leaves nothing', async () => {
  const owner = await anOwner()
  const { id, webhookUrl: url } = expectOk(await owner.connect({ ...site.credentials, webhookPassword: PASSWORD })).body
  const event = paid()
  const nobody = await deliverChargebee(`${app.url}/hooks/providers/chargebee/nobody`, event, PASSWORD)
  assert.equal(nobody.status, 404)
  const send = (how: Parameters<typeof deliverChargebee>[3], password = PASSWORD) =>
    deliverChargebee(url, event, password, how)
  const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`
  const long = '9'.repeat(30)
  assertRefused([
    await send({}, `${PASSWORD}0`),
    await send({}, PASSWORD.slice(1)),
    await send({}, ''),
    await send({ username: 'Tributary' }),
    await send({ username: '' }),
    await send({ authorization: null }),
    await send({ authorization: `Bearer ${PASSWORD}` }),
    await send({ authorization: basic(PASSWORD) }),
    await send({ authorization: `Basic tributary:${PASSWORD}` }),
    await send({ body: 'not json' }),
    await send({ body: '[]' }),
    await send({ body: 'null' }),
    await send({ body: '{"id":"ev_1"}' }),
    await send({ body: JSON.stringify({ ...event, content: null }) }),
    await send({ body: JSON.stringify({ ...event, content: 'paid' }) }),
    await send({ body: JSON.stringify({ ...event, occurred_at: 'lately' }) }),
    await send({
      body: JSON.stringify({ ...event, occurred_at: 1 }).replace('"occurred_at":1', `"occurred_at":${long}`),
    }),
    await send({ body: JSON.stringify({ ...event, id: 17 }) }),
    await send({ body: '['.repeat(5000) }),
  ])
  const formerApi = await send({ body: JSON.stringify({ ...event, api_version: 'v1' }) })
  assert.equal(formerApi.status, 400)
  assert.match(formerApi.body, /API version V2/)
  assert.equal((await send({ body: JSON.stringify({ ...event, padding: 'x'.repeat(1_000_000) }) })).status, 413)
  assert.deepEqual(await listStoredEvents(id), [])
  assert.equal((await send({})).status, 200)
  expectOk(await owner.disconnect(id))
})

test('an event is stored once by its ID; others are stored as ignored', async () => {
  const owner = await anOwner()
  const { id, webhookUrl: url } = expectOk(await owner.connect({ ...site.credentials, webhookPassword: PASSWORD })).body
  const event = paid()
  const ignored = { ...event, id: 'ev_ignored', event_type: 'credit_note_created' }
  for (const delivered of [event, event, ignored, ignored])
    assert.equal((await deliverChargebee(url, delivered, PASSWORD)).status, 200)
  assert.deepEqual(await listStoredEvents(id), [
    { externalId: event.id, state: 'received' },
    { externalId: 'ev_ignored', state: 'ignored' },
  ])
  expectOk(await owner.disconnect(id))
})
