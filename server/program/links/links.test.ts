import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { anAccount, anEmail, aPartner, expectOk, startApp } from '../../../test/support/app.ts'
import { aBlueprint, clickInAddress, visitLink } from '../../../test/support/links.ts'

const app = await startApp()
const account = await anAccount(app)
const owner = (method: string, path: string, body?: unknown) => app.api(method, path, { token: account.token, body })
const blueprints = `/accounts/${account.id}/link-blueprints`
const fieldsOf = (reply: { body: { error: { fields: object } } }) => Object.keys(reply.body.error.fields)

test('a blueprint has its defaults, and the domain of its destination', async () => {
  const body = { name: ' Shop ', destinationUrl: 'https://Shop.Example.com/landing' }
  const reply = await owner('POST', blueprints, body)
  assert.equal(reply.status, 201)
  const { id, key, createdAt, updatedAt, ...rest } = reply.body
  assert.match(key, /^[a-z0-9]{8}$/)
  assert.equal(createdAt, updatedAt)
  assert.deepEqual(rest, {
    accountId: account.id,
    name: 'Shop',
    destinationUrl: 'https://shop.example.com/landing',
    domain: 'shop.example.com',
    parameterName: 'ref',
    utm: { source: null, medium: null, campaign: null, term: null, content: null },
    cookieDays: 90,
    attributionModel: 'last-touch',
    passthroughQuery: true,
    moreDomains: [],
    partnerLinks: true,
    commissionSettings: null,
    enabled: true,
    stats: { clicks: 0, uniqueClicks: 0, leads: 0, sales: 0, revenue: 0 },
  })
  assert.deepEqual(expectOk(await owner('GET', `/link-blueprints/${id}`)).body, reply.body)
})

test('a destination must be https on a domain, and a parameter may not have one of our names', async () => {
  const destinations = [
    'http://shop.example.com/',
    'javascript:alert(1)',
    'https://localhost/',
    'https://[::1]/',
    'https://shop_example/',
    'https://user:pass@shop.example.com/',
    'https://shop.example.com./',
    'ftp://shop.example.com/',
    'shop.example.com',
    '',
  ]
  for (const destinationUrl of destinations) {
    const reply = await owner('POST', blueprints, { name: 'x', destinationUrl })
    assert.equal(reply.status, 422, destinationUrl)
    assert.deepEqual(fieldsOf(reply), ['destinationUrl'])
  }
  for (const parameterName of ['click', 'CLICK', 'utm_source', 'a b', 'a&b', '', 'x'.repeat(33)]) {
    const reply = await owner('POST', blueprints, { name: 'x', destinationUrl: 'https://a.example/', parameterName })
    assert.deepEqual(fieldsOf(reply), ['parameterName'], parameterName)
  }
  const many = await owner('POST', blueprints, { cookieDays: 366, attributionModel: 'x', key: 'mine', accountId: 'x' })
  assert.deepEqual(fieldsOf(many).sort(), [
    'accountId',
    'attributionModel',
    'cookieDays',
    'destinationUrl',
    'key',
    'name',
  ])
})

test('a destination is stored as browsers parse it, and must have a host name', async () => {
  const understood: [string, string][] = [
    ['https://shop.example.com', 'https://shop.example.com/'],
    ['https://shop.example.com/a\r\nX: 1\tb', 'https://shop.example.com/aX:%201b'],
    ['https://evil.example\\@shop.example.com/', 'https://evil.example/@shop.example.com/'],
    ['https://shop.example.com/\u202emoc.live', 'https://shop.example.com/%E2%80%AEmoc.live'],
    ['https://shop.example.com/?for={referralCode}#Ä', 'https://shop.example.com/?for={referralCode}#%C3%84'],
  ]
  for (const [typed, kept] of understood) {
    const { body } = expectOk(await owner('POST', blueprints, { name: 'x', destinationUrl: typed }))
    assert.deepEqual([body.destinationUrl, body.domain], [kept, new URL(kept).hostname], typed)
  }
  const addresses = ['127.0.0.1', '2130706433', '0x7f.1', '[::1]', '10.0.0.1', '[2001:db8::1]', '203.0.113.7']
  for (const host of addresses) {
    const reply = await owner('POST', blueprints, { name: 'x', destinationUrl: `https://${host}/` })
    assert.equal(reply.status, 422, host)
    assert.deepEqual(reply.body.error.fields, { destinationUrl: 'Enter a domain such as shop.example.com' }, host)
  }
})

test('development: http and loopback if the operator allows them', async () => {
  const dev = await startApp({ config: { allowPrivateWebhookTargets: true } })
  const own = await anAccount(dev)
  const partner = await aPartner(dev, own)
  for (const [destinationUrl, domain] of [
    ['http://localhost:5173/shop', 'localhost'],
    ['http://127.0.0.1:8080/shop', '127.0.0.1'],
    ['http://shop.example.com/shop', 'shop.example.com'],
  ]) {
    const blueprint = await aBlueprint(dev, own, { destinationUrl })
    assert.equal(blueprint.domain, domain)
    const { location } = await visitLink(dev, blueprint.key, partner.referralCode)
    assert.ok(location?.startsWith(`${destinationUrl}?ref=${partner.referralCode}&click=`), String(location))
  }
  const reply = await dev.api('POST', `/accounts/${own.id}/link-blueprints`, {
    token: own.token,
    body: { name: 'x', destinationUrl: 'http://intranet/' },
  })
  assert.equal(reply.status, 422)
})

test('a change keeps omitted fields, applies to the next visitor, and is audited', async () => {
  const partner = await aPartner(app, account)
  const made = await aBlueprint(app, account, {
    utm: { source: 'partners', content: '{referralCode}' },
    commissionSettings: { layerRates: [12.5, 2] },
    attributionModel: 'first-touch',
  })
  const path = `/link-blueprints/${made.id}`
  await visitLink(app, made.key, partner.referralCode)
  const changed = expectOk(
    await owner('PUT', path, {
      destinationUrl: 'https://new.example.com/x',
      parameterName: 'via',
      utm: { source: null, medium: 'web' },
    }),
  ).body
  assert.deepEqual(
    [changed.domain, changed.commissionSettings, changed.attributionModel, changed.key],
    ['new.example.com', { layerRates: [12.5, 2] }, 'first-touch', made.key],
  )
  assert.deepEqual(changed.utm, { source: null, medium: 'web', campaign: null, term: null, content: '{referralCode}' })
  const { location } = await visitLink(app, made.key, partner.referralCode)
  const code = partner.referralCode
  const start = `https://new.example.com/x?utm_medium=web&utm_content=${code}&via=${code}&click=`
  assert.ok(location?.startsWith(start), String(location))
  const emptied = expectOk(await owner('PUT', path, { utm: null, commissionSettings: null })).body
  assert.deepEqual([emptied.commissionSettings, new Set(Object.values(emptied.utm))], [null, new Set([null])])
  assert.equal((await owner('PUT', path, { destinationUrl: 'http://new.example.com/' })).status, 422)

  const rows = await app.services.db.many<{ action: string; changes: Record<string, unknown> }>`
    select action, changes from audit where subject_id = ${made.id} order by id`
  assert.deepEqual(
    rows.map(({ action }) => action),
    ['link-blueprint.created', 'link-blueprint.updated', 'link-blueprint.updated'],
  )
  assert.deepEqual(rows[2]?.changes.commissionSettings, { old: { layerRates: [12.5, 2] }, new: null })
  const events = await app.services.db.many<{ type: string; data: { changes?: object } }>`
    select type, data from told_events where data -> 'object' ->> 'id' = ${made.id} order by id`
  assert.deepEqual(
    events.map(({ type }) => type),
    ['link-blueprint.created', 'link-blueprint.updated', 'link-blueprint.updated'],
  )
  assert.deepEqual(Object.keys(events[1]!.data.changes!).sort(), ['destinationUrl', 'domain', 'parameterName', 'utm'])
})

test('the list is filtered, searched and sorted by the links’ figures', async () => {
  const own = await anAccount(app)
  const call = (query: string) => app.api('GET', `/accounts/${own.id}/link-blueprints${query}`, { token: own.token })
  const partner = await aPartner(app, own)
  const pricing = await aBlueprint(app, own, { name: 'Pricing', destinationUrl: 'https://a.example/pricing' })
  const blog = await aBlueprint(app, own, { name: 'blog', destinationUrl: 'https://b.example/' })
  await aBlueprint(app, own, { name: 'Closed', enabled: false })
  await visitLink(app, blog.key, partner.referralCode)
  const names = async (query: string) =>
    expectOk(await call(query)).body.items.map((item: { name: string }) => item.name)
  assert.deepEqual(await names(''), ['Closed', 'blog', 'Pricing'])
  assert.deepEqual(await names('?sort=name'), ['blog', 'Closed', 'Pricing'])
  assert.deepEqual((await names('?sort=-clicks'))[0], 'blog')
  assert.deepEqual(await names('?enabled=false'), ['Closed'])
  assert.deepEqual(await names('?search=PRIC'), ['Pricing'])
  assert.deepEqual(await names('?search=b.exa'), ['blog'])
  const first = expectOk(await call('?limit=2&sort=name')).body
  assert.equal(first.total, 3)
  assert.deepEqual(await names(`?limit=2&sort=name&cursor=${first.nextCursor}`), ['Pricing'])
  assert.equal((await call('?sort=revenue')).status, 422)
  assert.equal((await app.api('DELETE', `/link-blueprints/${pricing.id}`, { token: own.token })).status, 204)
  assert.deepEqual(await names(''), ['Closed', 'blog'])
  for (const [method, path] of [
    ['GET', ''],
    ['PUT', ''],
    ['DELETE', ''],
    ['GET', '/links'],
  ] as const) {
    const body = method === 'PUT' ? { name: 'x' } : undefined
    const reply = await app.api(method, `/link-blueprints/${pricing.id}${path}`, { token: own.token, body })
    assert.equal(reply.status, 404, `${method} ${path}`)
  }
})

test('every partner has a link from every blueprint; their own list holds the enabled ones', async () => {
  const own = await anAccount(app)
  const ada = await aPartner(app, own, { firstName: 'Ada', lastName: 'A', referralCode: 'ada' }, { signIn: true })
  const bob = await aPartner(app, own, { firstName: 'Bob', lastName: 'B', referralCode: 'bob' })
  const gone = await aPartner(app, own, { firstName: 'Cy', lastName: 'C' })
  expectOk(
    await app.api('POST', `/partners/${gone.id}/archive`, {
      token: own.token,
      body: { subPartners: 'move-up', balance: 'pay-out' },
    }),
  )
  const shop = await aBlueprint(app, own, { name: 'Shop', destinationUrl: 'https://shop.example.com/?plan=pro#buy' })
  await aBlueprint(app, own, { name: 'Closed', enabled: false })
  await visitLink(app, shop.key, 'bob')
  await visitLink(app, shop.key, 'bob')

  const links = async (query: string) =>
    expectOk(await app.api('GET', `/link-blueprints/${shop.id}/links${query}`, { token: own.token })).body
  const { items, total } = await links('?sort=name')
  assert.equal(total, 2)
  assert.deepEqual(items, [
    {
      partnerId: ada.id,
      displayName: 'Ada A',
      ...{ id: null, own: false, name: 'Shop', destinationUrl: 'https://shop.example.com/?plan=pro#buy', subId: null },
      url: 'https://shop.example.com/?plan=pro&ref=ada#buy',
      shortUrl: `${app.url}/r/${shop.key}/ada`,
      ...{ clicks: 0, leads: 0, sales: 0, revenue: 0 },
    },
    {
      partnerId: bob.id,
      displayName: 'Bob B',
      ...{ id: null, own: false, name: 'Shop', destinationUrl: 'https://shop.example.com/?plan=pro#buy', subId: null },
      url: 'https://shop.example.com/?plan=pro&ref=bob#buy',
      shortUrl: `${app.url}/r/${shop.key}/bob`,
      ...{ clicks: 2, leads: 0, sales: 0, revenue: 0 },
    },
  ])
  assert.deepEqual((await links('?sort=-clicks')).items[0].partnerId, bob.id)
  assert.deepEqual((await links(`?partnerId=${ada.id}`)).items.length, 1)
  assert.deepEqual((await links('?search=bob')).items.length, 1)

  const mine = expectOk(await app.api('GET', `/partners/${ada.id}/links`, { token: ada.token })).body
  assert.deepEqual(mine.items, [
    {
      blueprintId: shop.id,
      ...{ id: null, own: false, name: 'Shop', destinationUrl: 'https://shop.example.com/?plan=pro#buy', subId: null },
      url: 'https://shop.example.com/?plan=pro&ref=ada#buy',
      shortUrl: `${app.url}/r/${shop.key}/ada`,
      ...{ clicks: 0, leads: 0, sales: 0, revenue: 0, domains: ['shop.example.com'] },
    },
  ])
  assert.equal(
    expectOk(await app.api('GET', `/partners/${bob.id}/links`, { token: own.token })).body.items[0].clicks,
    2,
  )
  assert.equal((await app.api('GET', `/partners/${bob.id}/links`, { token: ada.token })).status, 404)
  assert.equal((await app.api('GET', `/link-blueprints/${shop.id}/links`, { token: ada.token })).status, 403)
})

test('the links by partner, with what is not listed, add up to the figures of their blueprint', async () => {
  const own = await anAccount(app)
  const call = async (method: string, path: string, body?: unknown, token = own.token) =>
    expectOk(await app.api(method, path, { token, body })).body
  const { apiKey } = await call('PUT', `/accounts/${own.id}/api-key`)
  const [ada, bob] = [await aPartner(app, own), await aPartner(app, own)]
  const shop = await aBlueprint(app, own)
  await aBlueprint(app, own)
  const referred = async (code: string) => {
    const clickId = clickInAddress(await visitLink(app, shop.key, code))
    const { id } = await call('POST', '/push/leads', { email: anEmail(), clickId }, apiKey)
    await call('POST', `/leads/${id}/sales`, { amount: 30_00 })
    return id
  }
  await referred(ada.referralCode)
  const left = await referred(ada.referralCode)
  await referred(bob.referralCode)
  await call('POST', `/leads/${left}/reassign`, { partnerId: null, reason: 'x' })
  await call('POST', `/leads/${left}/sales`, { amount: 5_00 })
  await call('POST', `/partners/${bob.id}/archive`, { subPartners: 'move-up', balance: 'pay-out' })
  const { items, unlisted } = await call('GET', `/link-blueprints/${shop.id}/links`)
  const one = { clicks: 1, leads: 1, sales: 1, revenue: 30_00 }
  assert.deepEqual(unlisted.archivedPartners, one)
  assert.equal(unlisted.noPartner.leads, 1)
  const nobodys = await call('GET', `/accounts/${own.id}/leads?blueprintId=${shop.id}&partnerId=none`)
  assert.deepEqual(
    nobodys.items.map(({ id }: { id: string }) => id),
    [left],
  )
  assert.deepEqual((await call('GET', `/link-blueprints/${shop.id}/links?partnerId=${bob.id}`)).unlisted, unlisted)
  const { uniqueClicks: _, ...stats } = (await call('GET', `/link-blueprints/${shop.id}`)).stats
  const all: Record<string, number>[] = [...items, unlisted.archivedPartners, unlisted.noPartner]
  for (const [figure, value] of Object.entries(stats))
    assert.equal(
      all.reduce((sum, counts) => sum + counts[figure]!, 0),
      value,
      figure,
    )
})

test('a click’s lead and its sale count for the link, and earn at its rates if the partner has none', async () => {
  const own = await anAccount(app, { defaultCommissionSettings: { layerRates: [1] } })
  const call = async (method: string, path: string, body?: unknown, token = own.token) =>
    expectOk(await app.api(method, path, { token, body })).body
  const partner = await aPartner(app, own)
  const blueprint = await aBlueprint(app, own, { commissionSettings: { layerRates: [2] } })
  const { apiKey } = await call('PUT', `/accounts/${own.id}/api-key`)
  const clickId = clickInAddress(await visitLink(app, blueprint.key, partner.referralCode))
  const lead = await call('POST', '/push/leads', { email: anEmail(), clickId }, apiKey)
  const byHand = await call('POST', '/push/leads', { email: anEmail(), partnerId: partner.id }, apiKey)
  const sell = (id: string) => call('POST', `/leads/${id}/sales`, { amount: 30_00 })
  const rateOf = async (id: string) => (await sell(id)).commissions[0].rate
  assert.deepEqual([await rateOf(lead.id), await rateOf(byHand.id)], [2, 1])

  const path = `/link-blueprints/${blueprint.id}`
  const figures = { clicks: 1, leads: 1, sales: 1 }
  assert.deepEqual((await call('GET', path)).stats, { ...figures, uniqueClicks: 1, revenue: 30_00 })
  const { numberOfClicks, numberOfLeads, numberOfSales, salesRevenue } = await call('GET', `${path}/stats`)
  assert.deepEqual([numberOfClicks, numberOfLeads, numberOfSales, salesRevenue], [1, 1, 1, 30_00])
  const today = app.clock.now().toISOString().slice(0, 10)
  const { deltas } = await call('GET', `${path}/historical-stats/${today}..${today}`)
  assert.deepEqual([deltas[0].numberOfClicks, deltas[0].salesRevenue], [1, 30_00])
  for (const list of [`${path}/links`, `/partners/${partner.id}/links`]) {
    const { clicks, leads, sales } = (await call('GET', list)).items[0]
    assert.deepEqual({ clicks, leads, sales }, figures)
  }
  await call('PUT', `/partners/${partner.id}`, { commissionSettings: { layerRates: [3] } })
  assert.deepEqual([await rateOf(lead.id), await rateOf(byHand.id)], [3, 3])
})

test('blueprints of other accounts are not found', async () => {
  const blueprint = await aBlueprint(app, account)
  const other = await anAccount(app)
  for (const method of ['GET', 'PUT', 'DELETE']) {
    const body = method === 'PUT' ? { name: 'Mine' } : undefined
    const reply = await app.api(method, `/link-blueprints/${blueprint.id}`, { token: other.token, body })
    assert.equal(reply.status, 404)
  }
  assert.equal(expectOk(await owner('GET', `/link-blueprints/${blueprint.id}`)).body.name, 'Shop')
})

test('testing a link follows one redirect like a visitor', async () => {
  const site = createServer((request, response) => {
    const { pathname, search } = new URL(request.url!, 'http://site')
    if (pathname === '/keeps') response.writeHead(301, { location: `/new${search}` })
    else if (pathname === '/drops') response.writeHead(302, { location: 'https://elsewhere.example/' })
    else if (pathname === '/gone') response.writeHead(404)
    response.end()
  })
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  after(() => site.close())
  const base = `http://127.0.0.1:${(site.address() as AddressInfo).port}`
  const dev = await startApp({ config: { allowPrivateWebhookTargets: true } })
  const own = await anAccount(dev)
  const run = (destinationUrl: string, more = {}) =>
    dev.api('POST', `/accounts/${own.id}/link-blueprints/test`, { token: own.token, body: { destinationUrl, ...more } })
  const cases: [path: string, result: object][] = [
    ['/shop', { reachable: true, status: 200, redirectsTo: null, parameterKept: true }],
    ['/keeps', { reachable: true, status: 301, redirectsTo: `${base}/new?via=sample-partner`, parameterKept: true }],
    ['/drops', { reachable: true, status: 302, redirectsTo: 'https://elsewhere.example/', parameterKept: false }],
    ['/gone', { reachable: true, status: 404, redirectsTo: null, parameterKept: null }],
  ]
  for (const [path, result] of cases)
    assert.deepEqual(expectOk(await run(`${base}${path}`, { parameterName: 'via' })).body, result, path)
  const closed = await run('http://127.0.0.1:1/')
  assert.deepEqual(closed.body, { reachable: false, status: null, redirectsTo: null, parameterKept: null })

  const guarded = (destinationUrl: string) => owner('POST', `${blueprints}/test`, { destinationUrl })
  for (const destinationUrl of [`${base}/shop`, 'https://127.0.0.1/', 'https://10.0.0.1/', 'https://a.internal/']) {
    const reply = await guarded(destinationUrl)
    assert.equal(reply.status, 422, destinationUrl)
    assert.deepEqual(fieldsOf(reply), ['destinationUrl'])
  }
})
