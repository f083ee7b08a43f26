import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertFields, assertRefused, callerOf } from '../support/api.ts'
import { anAccount, anEmail, aPartner, startApp } from '../support/app.ts'
import { BROWSER, clickOf, visit } from '../support/links.ts'

// Links and clicks.

const app = await startApp()
const account = await anAccount(app)
const owner = callerOf(app, account.token)
const path = `/accounts/${account.id}/link-blueprints`

const BLUEPRINT = `id, key, accountId, name, destinationUrl, domain, parameterName, utm, cookieDays, attributionModel,
  passthroughQuery, commissionSettings, enabled, stats, createdAt, updatedAt`

test('a blueprint: its shape, its figures, its links, its partners’ links', async () => {
  const reply = await owner.call('POST', path, { name: 'Shop', destinationUrl: 'https://shop.example.com/a?b=1' })
  assert.equal(reply.status, 201)
  const made = reply.body
  assertFields(made, BLUEPRINT)
  assertFields(made.stats, 'clicks, uniqueClicks, leads, sales, revenue')
  assertFields(made.utm, 'source, medium, campaign, term, content')
  const partner = await aPartner(app, account, { referralCode: 'pia-tern' }, { signIn: true })
  const clickId = clickOf(await visit(app, made.key, 'PIA-TERN'))
  await visit(app, made.key, 'pia-tern')
  const { apiKey } = await owner.put(`/accounts/${account.id}/api-key`)
  const push = callerOf(app, apiKey)
  const lead = await push.post('/push/leads', { email: anEmail(), clickId })
  assert.deepEqual(
    [lead.partnerId, lead.blueprintId, lead.clickId, lead.attribution.matchedBy],
    [partner.id, made.id, clickId, 'click'],
  )
  await owner.post(`/leads/${lead.id}/sales`, { amount: 30_00 })
  const { stats } = await owner.get(`/link-blueprints/${made.id}`)
  assert.deepEqual(stats, { clicks: 2, uniqueClicks: 1, leads: 1, sales: 1, revenue: 30_00 })
  const figures = await owner.get(`/link-blueprints/${made.id}/stats`)
  assert.deepEqual(
    [figures.numberOfClicks, figures.numberOfLeads, figures.numberOfSales, figures.salesRevenue],
    [2, 1, 1, 30_00],
  )
  const today = new Date().toISOString().slice(0, 10)
  const { deltas } = await owner.get(`/link-blueprints/${made.id}/historical-stats/${today}..${today}`)
  assert.deepEqual([deltas[0].numberOfClicks, deltas[0].salesRevenue], [2, 30_00])
  const items: Record<string, unknown>[] = (await owner.get(`/link-blueprints/${made.id}/links`)).items
  assert.deepEqual(items, [
    {
      partnerId: partner.id,
      displayName: partner.displayName,
      url: 'https://shop.example.com/a?b=1&ref=pia-tern',
      shortUrl: `${app.url}/r/${made.key}/pia-tern`,
      clicks: 2,
      leads: 1,
      sales: 1,
    },
  ])
  const links = (await callerOf(app, partner.token).get(`/partners/${partner.id}/links`)).items
  const { url, shortUrl, clicks, leads, sales } = items[0]!
  assert.deepEqual(links, [{ blueprintId: made.id, name: 'Shop', url, shortUrl, clicks, leads, sales }])
  await owner.put(`/link-blueprints/${made.id}`, { enabled: false })
  assert.equal((await owner.get(`/partners/${partner.id}/links`)).total, 0)
})

test('the short link: what it appends, what it never replaces, and whom it leads on bare', async () => {
  const partner = await aPartner(app, account, { referralCode: 'kim' })
  const made = await owner.post(path, {
    name: 'x',
    destinationUrl: 'https://shop.example.com/p?plan=pro#top',
    utm: { source: 'partners', campaign: '{referralCode}' },
  })
  const first = await visit(app, made.key, 'kim', { query: '?plan=free&ref=evil&click=1&utm_source=x&gclid=7' })
  assert.deepEqual([first.status, first.headers['cache-control']], [302, 'no-store'])
  const { searchParams, hash } = new URL(first.location!)
  assert.equal(hash, '#top')
  for (const [name, value] of Object.entries({
    plan: 'pro',
    ref: 'kim',
    utm_source: 'partners',
    utm_campaign: 'kim',
    gclid: '7',
  }))
    assert.deepEqual(searchParams.getAll(name), [value], name)
  assert.equal(searchParams.getAll('click').length, 1)
  assert.notEqual(searchParams.get('click'), '1')
  const bare = async (code: string) => {
    const { status, location } = await visit(app, made.key, code, { query: '?gclid=7' })
    assert.equal(status, 302)
    const query = new URL(location!).searchParams
    assert.deepEqual(
      [query.get('ref'), query.get('click'), query.get('plan'), query.get('gclid')],
      [null, null, 'pro', '7'],
    )
  }
  await bare('unknown')
  await owner.put(`/partners/${partner.id}`, { state: 'suspended' })
  await bare('kim')
  await owner.put(`/partners/${partner.id}`, { state: 'active' })
  assert.notEqual(clickOf(await visit(app, made.key, 'kim')), null)
  await owner.put(`/link-blueprints/${made.id}`, { enabled: false })
  await bare('kim')
  await owner.put(`/link-blueprints/${made.id}`, { enabled: true })
  assert.equal((await owner.call('DELETE', `/link-blueprints/${made.id}`)).status, 204)
  await bare('kim')
  assert.equal((await visit(app, 'nowhere1', 'kim')).status, 404)
  const bot = await visit(app, made.key, 'kim', { headers: { 'user-agent': '' } })
  assert.equal(clickOf(bot), null)
})

test('a blueprint’s rates stand between the partner’s and the account’s', async () => {
  await owner.patch(`/accounts/${account.id}`, { defaultCommissionSettings: { layerRates: [1] } })
  const partner = await aPartner(app, account)
  const made = await owner.post(path, {
    name: 'x',
    destinationUrl: 'https://shop.example.com/',
    commissionSettings: { layerRates: [2] },
  })
  const { apiKey } = await owner.put(`/accounts/${account.id}/api-key`)
  const push = callerOf(app, apiKey)
  const clickId = clickOf(await visit(app, made.key, partner.referralCode))
  const viaLink = await push.post('/push/leads', { email: anEmail(), clickId })
  const byHand = await push.post('/push/leads', { email: anEmail(), partnerId: partner.id })
  const rateOf = async (leadId: string) =>
    (await owner.post(`/leads/${leadId}/sales`, { amount: 100_00 })).commissions[0].rate
  assert.deepEqual([await rateOf(viaLink.id), await rateOf(byHand.id)], [2, 1])
  await owner.put(`/partners/${partner.id}`, { commissionSettings: { layerRates: [3] } })
  assert.deepEqual([await rateOf(viaLink.id), await rateOf(byHand.id)], [3, 3])
})

test('testing a destination answers what could be learned, and refuses what is none', async () => {
  const reply = await owner.call('POST', `${path}/test`, { destinationUrl: 'javascript:alert(1)' })
  assertRefused(reply, 422, 'validation_failed', ['destinationUrl'])
  const { status, body } = await owner.call('POST', `${path}/test`, { destinationUrl: 'https://no-such-host.invalid/' })
  assert.equal(status, 200)
  assert.deepEqual(body, { reachable: false, status: null, redirectsTo: null, parameterKept: null })
})

test('pushed clicks: one, many, of whom', async () => {
  const { apiKey } = await owner.put(`/accounts/${account.id}/api-key`)
  const push = callerOf(app, apiKey)
  const partner = await aPartner(app, account)
  const made = await owner.post(path, { name: 'x', destinationUrl: 'https://shop.example.com/' })
  const one = await push.call('POST', '/push/clicks', {
    blueprintKey: made.key,
    referralCode: partner.referralCode.toUpperCase(),
    userAgent: BROWSER,
    ip: '192.0.2.7',
  })
  assert.equal(one.status, 201)
  assertFields(one.body, 'id, partnerId, blueprintId, at')
  assert.deepEqual([one.body.partnerId, one.body.blueprintId], [partner.id, made.id])
  const many = await push.call('POST', '/push/clicks', [
    { referralCode: partner.referralCode },
    { referralCode: 'unknown' },
    5,
  ])
  assert.equal(many.status, 200)
  assert.deepEqual(
    many.body.results.map(({ status }: { status: number }) => status),
    [201, 422, 422],
  )
  assertFields(many.body.results[0], 'status, id, error')
  assertRefused(await push.call('POST', '/push/clicks', { referralCode: 'unknown' }), 422, 'validation_failed', [
    'referralCode',
  ])
  const wrong = await push.call('POST', '/push/clicks', {
    referralCode: partner.referralCode,
    blueprintKey: 'nowhere1',
  })
  assertRefused(wrong, 422, 'validation_failed', ['blueprintKey'])
})
