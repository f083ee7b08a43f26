import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anAccount, aPartner, expectOk, startApp } from '../../../test/support/app.ts'
import { aBlueprint, BROWSER } from '../../../test/support/links.ts'
import { clicksKept } from './click-measures.ts'

const app = await startApp()
const account = await anAccount(app)
const { apiKey } = expectOk(await app.api('PUT', `/accounts/${account.id}/api-key`, { token: account.token })).body
const push = (body: unknown, headers: Record<string, string> = {}) =>
  app.api('POST', '/push/clicks', { token: apiKey, body, headers })
const row = (id: string) => app.services.db.one`select * from clicks where id = ${id}`
const fieldsOf = (reply: { body: { error: { fields: object } } }) => Object.keys(reply.body.error.fields)

test('a click is recorded with its known fields, on its own date', async () => {
  const partner = await aPartner(app, account)
  const blueprint = await aBlueprint(app, account)
  const at = new Date(Date.now() - 3 * 86_400_000).toISOString()
  const reply = await push({
    blueprintKey: blueprint.key.toUpperCase(),
    referralCode: partner.referralCode.toUpperCase(),
    url: 'https://shop.example.com/deals?x=1',
    referrer: 'https://news.example.org/a',
    ip: '203.0.113.9',
    userAgent: BROWSER,
    at,
  })
  assert.equal(reply.status, 201)
  const { id } = reply.body
  assert.deepEqual(reply.body, { id, partnerId: partner.id, blueprintId: blueprint.id, at })
  const kept = await row(id)
  assert.deepEqual(
    [kept.day, kept.landingPath, kept.referrerHost, kept.userAgentClass, kept.source, kept.isBot],
    [at.slice(0, 10), '/deals', 'news.example.org', 'desktop', 'push', false],
  )
  const day = await app.services.db.one`
    select clicks from day_stats where blueprint_id = ${blueprint.id} and partner_id = ${partner.id}`
  assert.equal(day.clicks, 1)
})

test('without a key the page determines the blueprint; without an address every click is unique', async () => {
  const partner = await aPartner(app, account)
  const blueprint = await aBlueprint(app, account, { destinationUrl: 'https://deals.example.com/', parameterName: 'p' })
  const url = `https://deals.example.com/x?p=${partner.referralCode}`
  for (let times = 0; times < 2; times++) {
    const { body } = expectOk(await push({ referralCode: partner.referralCode, url }))
    assert.equal(body.blueprintId, blueprint.id)
  }
  const { stats } = expectOk(await app.api('GET', `/link-blueprints/${blueprint.id}`, { token: account.token })).body
  assert.deepEqual([stats.clicks, stats.uniqueClicks], [2, 2])
  const { body } = expectOk(await push({ referralCode: partner.referralCode }))
  assert.equal(body.blueprintId, null)
})

test('a click that cannot be credited is refused with its field', async () => {
  const partner = await aPartner(app, account)
  const { referralCode } = partner
  const disabled = await aBlueprint(app, account, { enabled: false })
  const stranger = await anAccount(app)
  const foreign = await aBlueprint(app, stranger)
  const foreignPartner = await aPartner(app, stranger, { referralCode: 'only-there' })
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
  const cases: [body: unknown, fields: string[]][] = [
    [{ referralCode: 'nobody' }, ['referralCode']],
    [{ referralCode: foreignPartner.referralCode }, ['referralCode']],
    [{}, ['referralCode']],
    [{ referralCode, blueprintKey: 'zzzzzzzz' }, ['blueprintKey']],
    [{ referralCode, blueprintKey: foreign.key }, ['blueprintKey']],
    [{ referralCode, blueprintKey: disabled.key }, ['blueprintKey']],
    [{ referralCode, at: inDays(1) }, ['at']],
    [{ referralCode, at: inDays(-401) }, ['at']],
    [{ referralCode, ip: '1.2.3' }, ['ip']],
    [{ referralCode, amount: 1 }, ['amount']],
  ]
  for (const [body, fields] of cases) {
    const reply = await push(body)
    assert.equal(reply.status, 422, JSON.stringify(body))
    assert.deepEqual(fieldsOf(reply), fields)
  }
})

test('each of many clicks has its own result and affects no other', async () => {
  const [one, two] = [await aPartner(app, account), await aPartner(app, account)]
  const { status, body } = await push([
    { referralCode: one.referralCode, userAgent: 'Googlebot/2.1' },
    { referralCode: 'nobody' },
    'nonsense',
    { referralCode: two.referralCode, ip: '203.0.113.9' },
    { referralCode: two.referralCode, ip: '203.0.113.9' },
  ])
  assert.equal(status, 200)
  assert.deepEqual(
    body.results.map((result: { status: number }) => result.status),
    [201, 422, 422, 201, 201],
  )
  const message = 'No active partner has this code'
  assert.deepEqual(body.results[1].error, {
    code: 'validation_failed',
    reason: 'no_active_partner_has_code',
    message,
    values: null,
    fields: { referralCode: message },
    details: null,
  })
  assert.equal((await row(body.results[0].id)).isBot, true)
  const total = await app.services.db.one`
    select clicks, unique_clicks from total_stats
    where partner_id = ${two.id} and blueprint_id = '00000000-0000-0000-0000-000000000000'`
  assert.deepEqual([total.clicks, total.uniqueClicks], [2, 1])
  assert.equal((await push([])).status, 422)
  assert.equal((await push(Array(101).fill({ referralCode: one.referralCode }))).status, 422)
})

test('clicks in any order count a visitor once an hour', async () => {
  const { referralCode } = await aPartner(app, account)
  const { id, key: blueprintKey } = await aBlueprint(app, account)
  const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)
  const times = ['10:00', '12:00', '10:30', '12:30', '14:00']
  expectOk(
    await push(
      times.map((time) => ({ blueprintKey, referralCode, ip: '203.0.113.9', at: `${yesterday}T${time}:00.000Z` })),
    ),
  )
  const { stats } = expectOk(await app.api('GET', `/link-blueprints/${id}`, { token: account.token })).body
  assert.deepEqual([stats.clicks, stats.uniqueClicks], [5, 3])
})

test('an idempotent call is recorded once', async () => {
  const partner = await aPartner(app, account)
  const call = () => push({ referralCode: partner.referralCode }, { 'idempotency-key': 'click-1' })
  const before = clicksKept.get('push')!
  const [first, again] = [await call(), await call()]
  assert.equal(clicksKept.get('push'), before + 1)
  assert.equal(again.body.id, first.body.id)
  assert.equal(again.headers.get('idempotency-replayed'), 'true')
  const count = await app.services.db.many`select from clicks where partner_id = ${partner.id}`
  assert.equal(count.length, 1)
})
