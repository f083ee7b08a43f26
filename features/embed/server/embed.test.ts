import assert from 'node:assert/strict'
import { request } from 'node:http'
import { test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { anAccount, anEmail, aPartner, expectOk, startApp, type TestAccount, type TestApp } from '#test/support/app.ts'
import { aBlueprint, BROWSER, clickInAddress, visitLink } from '#test/support/links.ts'
import { configurationIn } from '#test/support/served-script.ts'

const app = await startApp()

const keys = ['firstName', 'lastName', 'email', 'phone', 'fieldsContainer', 'submitButton']
const config = Object.fromEntries(keys.map((key) => [key, { key, selectorType: 'default', selectorValue: '' }]))
const SITE = 'https://www.shop.example.com'

const embedCode = (account: TestAccount, change: Record<string, unknown>, of = app) =>
  of.api('PUT', `/accounts/${account.id}/embed-code`, { token: account.token, body: change })

/** An account with an embed code, a blueprint and a partner. */
async function aSite(change: Record<string, unknown> = {}, of: TestApp = app) {
  const account = await anAccount(of)
  expectOk(await embedCode(account, { config, domains: ['shop.example.com'], ...change }, of))
  const { publicId } = expectOk(await of.api('GET', `/accounts/${account.id}`, { token: account.token })).body
  const blueprint = await aBlueprint(of, account)
  const partner = await aPartner(of, account)
  const send = (what: string, body: unknown, headers: Record<string, string> = {}) =>
    of.api('POST', `/embed/${publicId}/${what}`, { body, headers: { origin: SITE, 'user-agent': BROWSER, ...headers } })
  const leads = () =>
    of.services.db.many<
      Record<string, unknown>
    >`select * from leads where account_id = ${account.id} order by created_at, id`
  const code = async () =>
    expectOk(await of.api('GET', `/accounts/${account.id}/embed-code`, { token: account.token })).body
  return { account, publicId, blueprint, partner, send, leads, code, url: `/embed/${publicId}.js` }
}

/** Without the decompression that fetch does by itself. */
const fetchRaw = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  new Promise<{ status: number; headers: Record<string, unknown>; body: Buffer }>((resolve, reject) => {
    const call = request(`${app.url}${path}`, { method, headers }, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk) => chunks.push(chunk))
      answer.on('end', () =>
        resolve({ status: answer.statusCode!, headers: answer.headers, body: Buffer.concat(chunks) }),
      )
    })
    call.on('error', reject).end()
  })

const servedAt = async (url: string) => configurationIn((await fetchRaw(url)).body.toString())

test('an account has no embed code at first; then each field is saved separately', async () => {
  const account = await anAccount(app)
  const path = `/accounts/${account.id}/embed-code`
  assert.equal((await app.api('GET', path, { token: account.token })).status, 404)
  const without = await embedCode(account, { domains: [] })
  assert.equal(without.status, 422)
  assert.ok(without.body.error.fields.config)
  const made = expectOk(await embedCode(account, { config })).body
  assert.deepEqual(
    { domains: made.domains, onlyIfReferred: made.onlyIfReferred, consentMode: made.consentMode },
    { domains: [], onlyIfReferred: true, consentMode: 'off' },
  )
  const { publicId } = expectOk(await app.api('GET', `/accounts/${account.id}`, { token: account.token })).body
  assert.match(made.snippet, /^<script>window\.tributary=window\.tributary\|\|function/)
  assert.ok(made.snippet.endsWith(`\n<script async src="${app.url}/embed/${publicId}.js"></script>`))
  const changed = expectOk(
    await embedCode(account, { domains: ['a.example', 'a.example', 'b.example'], consentMode: 'required' }),
  )
  assert.deepEqual(changed.body.domains, ['a.example', 'b.example'])
  assert.deepEqual(changed.body.config, made.config)
  assert.equal(changed.body.id, made.id)
  const again = expectOk(await embedCode(account, { onlyIfReferred: false })).body
  assert.deepEqual([again.onlyIfReferred, again.consentMode, again.domains.length], [false, 'required', 2])
  const wrong = await embedCode(account, {
    config: { ...config, email: { key: 'email', selectorType: 'id', selectorValue: '1' } },
    domains: ['Not A Domain'],
  })
  assert.deepEqual(Object.keys(wrong.body.error.fields).sort(), ['config.email.selectorValue', 'domains.0'])
})

test('the script knows the domains of payment links, and those of a site with several', async () => {
  const { url, account, code } = await aSite({ checkoutDomains: ['pay.shop.example.com', 'pay.shop.example.com'] })
  const served = () => servedAt(url)
  assert.deepEqual((await code()).checkoutDomains, ['pay.shop.example.com'])
  const one = await served()
  assert.deepEqual([one.domains, one.checkoutDomains], [[], ['pay.shop.example.com']])
  const domains = (count: number) => Array.from({ length: count }, (_, at) => `shop-${at}.example`)
  for (const [given, known] of [
    [2, 2],
    [10, 10],
    [11, 0],
  ] as const) {
    expectOk(await embedCode(account, { domains: domains(given), checkoutDomains: [] }))
    const { domains: there, checkoutDomains } = await served()
    assert.deepEqual([there, checkoutDomains], [domains(known), []])
  }
  const wrong = await embedCode(account, { checkoutDomains: ['https://pay.example'] })
  assert.deepEqual(Object.keys(wrong.body.error.fields), ['checkoutDomains.0'])
  assert.equal((await embedCode(account, { checkoutDomains: domains(11) })).status, 422)
})

test('the script is configured, compressed, cached for five minutes, and versioned by its content', async () => {
  const { url, account, publicId } = await aSite()
  await aBlueprint(app, account, { parameterName: 'via', cookieDays: 200 })
  await aBlueprint(app, account, { parameterName: 'off', cookieDays: 300, enabled: false })
  const { apiKey } = expectOk(await app.api('PUT', `/accounts/${account.id}/api-key`, { token: account.token })).body
  const plain = await fetchRaw(url)
  assert.equal(plain.status, 200)
  assert.match(String(plain.headers['content-type']), /^text\/javascript/)
  assert.equal(plain.headers['access-control-allow-origin'], '*')
  assert.equal(plain.headers['cache-control'], 'public, max-age=300')
  const text = plain.body.toString()
  const { endpoint, names, plain: ofOurs, cookieDays } = configurationIn(text)
  assert.deepEqual([endpoint, names, ofOurs], [`${app.url}/embed/${publicId}`, ['ref', 'via'], 2])
  assert.equal(cookieDays, 200)
  assert.ok(!text.includes(apiKey))

  const br = await fetchRaw(url, { 'accept-encoding': 'gzip, deflate, br' })
  assert.equal(br.headers['content-encoding'], 'br')
  assert.equal(brotliDecompressSync(br.body).toString(), text)
  assert.ok(br.body.length <= 7190, `${br.body.length} bytes`)
  const gz = await fetchRaw(url, { 'accept-encoding': 'gzip' })
  assert.equal(gunzipSync(gz.body).toString(), text)

  const etag = String(plain.headers.etag)
  assert.equal((await fetchRaw(url, { 'if-none-match': etag })).status, 304)
  const head = await fetchRaw(url, {}, 'HEAD')
  assert.deepEqual([head.status, head.body.length], [200, 0])
  expectOk(await embedCode(account, { onlyIfReferred: false }))
  assert.equal((await fetchRaw(url, { 'if-none-match': etag })).status, 200)
})

test('the script remembers visits of a link that was disabled or deleted for as long as its clicks count', async () => {
  const { account, url } = await aSite()
  const long = await aBlueprint(app, account, { parameterName: 'via', cookieDays: 300 })
  const served = async () => {
    const { cookieDays, names } = await servedAt(url)
    return [cookieDays, names.includes('via')]
  }
  assert.deepEqual(await served(), [300, true])
  expectOk(await app.api('PUT', `/link-blueprints/${long.id}`, { token: account.token, body: { enabled: false } }))
  assert.deepEqual(await served(), [300, false])
  expectOk(await app.api('DELETE', `/link-blueprints/${long.id}`, { token: account.token }))
  assert.deepEqual(await served(), [300, false])
  await app.services.db.run`update link_blueprints set updated_at = now() - interval '301 days' where id = ${long.id}`
  assert.deepEqual(await served(), [90, false])
})

test('the script keeps the first or the last visit as all links say, else as the account does', async () => {
  const { account, blueprint, url } = await aSite()
  const firstTouch = async () => (await servedAt(url)).firstTouch
  const set = async (path: string, attributionModel: string, method = 'PUT') =>
    expectOk(await app.api(method, path, { token: account.token, body: { attributionModel } }))
  assert.equal(await firstTouch(), false)
  await set(`/link-blueprints/${blueprint.id}`, 'first-touch')
  assert.equal(await firstTouch(), true)
  const other = await aBlueprint(app, account)
  assert.equal(await firstTouch(), false)
  await set(`/accounts/${account.id}`, 'first-touch', 'PATCH')
  assert.equal(await firstTouch(), true)
  await set(`/link-blueprints/${other.id}`, 'last-touch')
  await set(`/link-blueprints/${blueprint.id}`, 'last-touch')
  assert.equal(await firstTouch(), false)
})

test('an account that is unknown or has no embed code gets no script', async () => {
  const account = await anAccount(app)
  const { publicId } = expectOk(await app.api('GET', `/accounts/${account.id}`, { token: account.token })).body
  for (const id of [publicId, 'nobody', '%00', `${'x'.repeat(100)}`]) {
    assert.equal((await app.api('GET', `/embed/${id}.js`)).status, 404)
    assert.equal((await app.api('POST', `/embed/${id}/leads`, { body: {} })).status, 404)
  }
})

test('a lead with its click is credited before the response is sent', async () => {
  const { blueprint, partner, send, leads, code } = await aSite()
  const clickId = clickInAddress(await visitLink(app, blueprint.key, partner.referralCode))
  const email = anEmail()
  const reply = await send('leads', {
    firstName: 'Lea',
    lastName: 'Dorn',
    email: email.toUpperCase(),
    clickId,
    referralCode: partner.referralCode,
    pageUrl: `${SITE}/contact?ref=${partner.referralCode}&email=secret@mail.example#top`,
    referrer: 'blog.example.org',
    elapsedMs: 5000,
    password: 'must not be kept',
  })
  assert.deepEqual([reply.status, reply.body], [202, null])
  assert.equal(reply.headers.get('access-control-allow-origin'), '*')
  assert.equal(reply.headers.get('access-control-allow-credentials'), null)
  const [lead, ...more] = await leads()
  assert.equal(more.length, 0)
  assert.deepEqual(
    [lead?.email, lead?.firstName, lead?.partnerId, lead?.blueprintId, lead?.clickId, lead?.matchedBy, lead?.source],
    [email, 'Lea', partner.id, blueprint.id, clickId, 'click', 'embed'],
  )
  assert.equal(lead?.landingUrl, `${SITE}/contact?ref=${partner.referralCode}`)
  assert.deepEqual(lead?.metadata, {})
  assert.notEqual((await code()).lastLeadAt, null)
})

test('beacons send plain text; a preflight request is allowed', async () => {
  const { publicId, partner, leads, send } = await aSite()
  const body = JSON.stringify({ email: anEmail(), referralCode: partner.referralCode })
  assert.equal((await send('leads', body, { 'content-type': 'text/plain;charset=UTF-8' })).status, 202)
  assert.equal((await leads()).length, 1)
  const preflight = await app.api('OPTIONS', `/embed/${publicId}/leads`, {
    headers: {
      origin: SITE,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type',
    },
  })
  assert.equal(preflight.status, 204)
  assert.equal(preflight.headers.get('access-control-allow-origin'), '*')
  assert.match(preflight.headers.get('access-control-allow-methods')!, /POST/)
  assert.match(preflight.headers.get('access-control-allow-headers')!, /content-type/)
})

test('every lead gets the same response, whatever happens to it', async () => {
  const { partner, leads, send } = await aSite()
  const referralCode = partner.referralCode
  const nothing: unknown[] = [
    {},
    [],
    { referralCode },
    { email: 'no address', referralCode },
    { phone: '12', referralCode },
    { email: anEmail() },
    { email: anEmail(), referralCode: 'nobody' },
    { email: anEmail(), clickId: '00000000-0000-7000-8000-000000000000' },
    { email: 'a'.repeat(400), referralCode },
    { email: { $ne: null }, referralCode: ['x'] },
  ]
  for (const body of nothing) {
    const reply = await send('leads', body)
    assert.deepEqual([reply.status, reply.body], [202, null], JSON.stringify(body))
  }
  assert.deepEqual(await leads(), [])
  const email = anEmail()
  for (let times = 0; times < 2; times++) assert.equal((await send('leads', { email, referralCode })).status, 202)
  const [lead, ...more] = await leads()
  assert.deepEqual([lead?.partnerId, lead?.matchedBy, more.length], [partner.id, 'code', 0])
  assert.equal((await send('leads', { phone: '+49 30 1234567', lastName: 9, referralCode })).status, 202)
  assert.equal((await leads()).length, 2)
})

test('only oversized or unreadable bodies are refused', async () => {
  const { send } = await aSite()
  assert.equal((await send('leads', { firstName: 'x'.repeat(16_001) })).status, 413)
  assert.equal((await send('leads', '{"email":')).status, 400)
  assert.equal((await send('leads', 'a=1', { 'content-type': 'application/x-www-form-urlencoded' })).status, 415)
  assert.equal((await send('clicks', { referralCode: 7 })).status, 422)
})

test('leads from other sites are counted, not stored', async () => {
  const { partner, leads, send, code, account } = await aSite()
  const lead = () => ({ email: anEmail(), referralCode: partner.referralCode })
  const foreign = [
    'https://evil.example',
    'https://shop.example.com.evil.example',
    'https://evilshop.example.com',
    'null',
    'chrome-extension://shop.example.com',
  ]
  for (const origin of foreign) assert.equal((await send('leads', lead(), { origin })).status, 202, origin)
  assert.deepEqual(await leads(), [])
  const { refusedLeads, lastRefusedOrigin } = await code()
  assert.deepEqual([refusedLeads, lastRefusedOrigin], [5, 'chrome-extension://shop.example.com'])
  const own = ['https://shop.example.com', 'https://shop.example.com:8443', 'http://a.b.shop.example.com']
  for (const origin of own) assert.equal((await send('leads', lead(), { origin })).status, 202)
  assert.equal((await leads()).length, 3)
  // a page without an origin is named by its address
  for (const pageUrl of ['https://evil.example/', 'https://shop.example.com/join'])
    await send('leads', { ...lead(), pageUrl }, { origin: 'null' })
  assert.equal((await leads()).length, 4)
  expectOk(await embedCode(account, { domains: [] }))
  await send('leads', lead(), { origin: 'https://anything.example' })
  assert.equal((await leads()).length, 5)
})

test('a lead without a referrer is stored only if the account wants such leads', async () => {
  const { leads, send } = await aSite({ onlyIfReferred: false })
  await send('leads', { email: anEmail(), referralCode: 'nobody' })
  const [lead] = await leads()
  assert.deepEqual([lead?.partnerId, lead?.matchedBy], [null, null])
})

test('a click outside its window credits no one, nor does the code sent with it', async (t) => {
  t.after(() => app.clock.set(new Date()))
  const { leads, send, account, partner } = await aSite()
  const week = await aBlueprint(app, account, { cookieDays: 7 })
  const clickId = clickInAddress(await visitLink(app, week.key, partner.referralCode))
  const lead = () => ({ email: anEmail(), clickId, referralCode: partner.referralCode })
  app.clock.advance(7 * 86_400_000 - 60_000)
  await send('leads', lead())
  assert.equal((await leads()).length, 1)
  app.clock.advance(120_000)
  await send('leads', lead())
  assert.equal((await leads()).length, 1)
})

test('a visit kept by first touch that credits no one leaves the credit to the visit of the page', async (t) => {
  t.after(() => app.clock.set(new Date()))
  const { leads, send, account, blueprint, partner } = await aSite()
  const week = await aBlueprint(app, account, { cookieDays: 7 })
  const former = await aPartner(app, account)
  const expired = clickInAddress(await visitLink(app, week.key, former.referralCode))
  app.clock.advance(8 * 86_400_000)
  const { location } = await visitLink(app, blueprint.key, partner.referralCode)
  const pageUrl = location!.replace('https://shop.example.com', SITE)
  await send('leads', { email: anEmail(), clickId: expired, referralCode: former.referralCode, pageUrl })
  await send('leads', {
    email: anEmail(),
    referralCode: 'producthunt',
    pageUrl: `${SITE}/?ref=${partner.referralCode}`,
  })
  await send('leads', { email: anEmail(), clickId: expired, pageUrl: `${SITE}/?ref=producthunt&click=${expired}` })
  assert.deepEqual(
    (await leads()).map((lead) => [lead.partnerId, lead.matchedBy]),
    [
      [partner.id, 'click'],
      [partner.id, 'code'],
    ],
  )
})

test('a form filled in instantly is flagged, not dropped', async () => {
  const { partner, leads, send } = await aSite()
  const pageUrl = 'javascript:alert(1)'
  await send('leads', { email: anEmail(), referralCode: partner.referralCode, elapsedMs: 312.7, pageUrl })
  const [lead] = await leads()
  assert.equal(lead?.landingUrl, null)
  assert.deepEqual(lead?.metadata, { filledTooFast: 'true', elapsedMs: '313' })
})

test('a disabled account’s leads are stored for 30 days, then discarded with the same response', async (t) => {
  t.after(() => app.clock.set(new Date()))
  const { account, partner, leads, send } = await aSite()
  expectOk(await app.api('POST', `/accounts/${account.id}/disable`, { token: account.admin, body: {} }))
  const lead = () => ({ email: anEmail(), referralCode: partner.referralCode })
  app.clock.advance(29 * 86_400_000)
  await send('leads', lead())
  assert.equal((await leads()).length, 1)
  app.clock.advance(2 * 86_400_000)
  assert.equal((await send('leads', lead())).status, 202)
  const { status, body } = await send('clicks', { referralCode: partner.referralCode })
  assert.deepEqual([status, typeof body.clickId], [202, 'string'])
  assert.equal((await leads()).length, 1)
  assert.equal(await app.services.db.maybe`select from clicks where id = ${body.clickId}`, undefined)
})

test('an arrival with a code is counted, for the blueprint of its page', async () => {
  const { account, partner, send } = await aSite()
  const at = (destinationUrl: string, parameterName: string) =>
    aBlueprint(app, account, { destinationUrl, parameterName })
  const root = await at('https://shop.example.com/', 'via')
  const shoes = await at('https://shop.example.com/shoes', 'via')
  const red = await at('https://shop.example.com/shoes/red', 'via')
  const docs = await at('https://docs.example.com/start', 'via')
  const code = partner.referralCode
  const cases: [page: string | undefined, blueprintId: string | null][] = [
    [`https://shop.example.com/shoes/red/42?via=${code}`, red.id],
    [`https://shop.example.com/shoes/red?via=${code.toUpperCase()}`, red.id],
    [`https://shop.example.com/shoes/redder?via=${code}`, shoes.id],
    [`https://shop.example.com/?via=${code}`, root.id],
    [`https://docs.example.com/elsewhere?via=${code}`, docs.id],
    [`https://shop.example.com/shoes?other=${code}`, null],
    [`https://shop.example.com/shoes?via=somebody`, null],
    [`https://unknown.example.com/?via=${code}`, null],
    ['javascript:alert(1)', null],
    [undefined, null],
  ]
  for (const [pageUrl, blueprintId] of cases) {
    const { status, body } = await send('clicks', {
      referralCode: code.toUpperCase(),
      pageUrl,
      referrer: 'news.example.org',
    })
    assert.equal(status, 202)
    const row = await app.services.db.one`select * from clicks where id = ${body.clickId}`
    assert.deepEqual(
      [row.partnerId, row.blueprintId, row.source, row.referrerHost, row.isBot],
      [partner.id, blueprintId, 'embed', 'news.example.org', false],
      pageUrl,
    )
  }
  const { stats } = expectOk(await app.api('GET', `/link-blueprints/${red.id}`, { token: account.token })).body
  assert.deepEqual([stats.clicks, stats.uniqueClicks], [2, 1])
})

test('an unknown code, another site or a bot gets a click ID that credits no one', async () => {
  const { partner, send, leads } = await aSite()
  const ids: string[] = []
  const arrive = async (body: unknown, headers = {}) => {
    const reply = await send('clicks', body, headers)
    assert.equal(reply.status, 202)
    ids.push(reply.body.clickId)
  }
  await arrive({ referralCode: 'nobody' })
  await arrive({ referralCode: '💥' })
  await arrive({ referralCode: partner.referralCode }, { origin: 'https://evil.example' })
  await arrive({ referralCode: partner.referralCode }, { 'user-agent': 'Googlebot/2.1' })
  assert.equal(new Set(ids).size, 4)
  for (const clickId of ids) await send('leads', { email: anEmail(), clickId })
  assert.deepEqual(await leads(), [])
  assert.equal((await send('clicks', {})).status, 422)
})

test('a code that credits no one leaves the credit to the visitor’s click before', async () => {
  const { account, blueprint, partner, send, leads } = await aSite()
  const clickId = clickInAddress(await visitLink(app, blueprint.key, partner.referralCode))!
  const paused = await aPartner(app, account)
  expectOk(await app.api('PUT', `/partners/${paused.id}`, { token: account.token, body: { state: 'suspended' } }))
  for (const referralCode of ['producthunt', paused.referralCode]) {
    const { body } = await send('clicks', { referralCode, clickId, pageUrl: `${SITE}/?ref=${referralCode}` })
    assert.equal(body.clickId, clickId)
    await send('leads', { email: anEmail(), referralCode, clickId: body.clickId })
  }
  assert.deepEqual(
    (await leads()).map((lead) => [lead.partnerId, lead.matchedBy]),
    [
      [partner.id, 'click'],
      [partner.id, 'click'],
    ],
  )
  const other = await aPartner(app, account)
  const { body } = await send('clicks', { referralCode: other.referralCode, clickId })
  assert.notEqual(body.clickId, clickId)
  const { body: madeUp } = await send('clicks', { referralCode: 'producthunt', clickId: 'no click' })
  assert.notEqual(madeUp.clickId, 'no click')
})

test('a check of the owner’s site is opened with a token and reported once', async () => {
  const { account, send } = await aSite()
  const start = (url: string) =>
    app.api('POST', `/accounts/${account.id}/embed-code/checks`, { token: account.token, body: { url } })
  assert.equal((await start('https://evil.example/')).status, 422)
  const { body: check } = expectOk(await start('https://shop.example.com/contact?a=1#old'))
  const token = /^https:\/\/shop\.example\.com\/contact\?a=1#tributary-check=([\w-]{43})$/.exec(check.url)?.[1]
  assert.ok(token, check.url)
  const result = async (id = check.id, by = account) =>
    app.api('GET', `/accounts/${account.id}/embed-code/checks/${id}`, { token: by.token })
  assert.deepEqual(expectOk(await result()).body, { matched: null, forms: null, picked: null })
  const matched = Object.fromEntries(keys.map((key) => [key, key !== 'phone']))
  const report = (body: unknown) => send('checks', body, { 'content-type': 'text/plain' })
  assert.equal((await report({ token: 'wrong', matched })).status, 202)
  assert.deepEqual(expectOk(await result()).body, { matched: null, forms: null, picked: null })
  const form = { name: 'Log in', verdict: 'other', why: 'log-in' }
  assert.equal((await report({ token, matched, forms: [form, { ...form, why: 'because' }, 7] })).status, 202)
  assert.equal((await report({ token, matched: { ...matched, email: false } })).status, 202)
  assert.deepEqual(expectOk(await result()).body, { matched, forms: [form], picked: null })
  const other = await anAccount(app)
  assert.equal((await result(check.id, other)).status, 404)
  assert.equal((await result('nonsense')).status, 404)
})

test('what the owner picked on their page is shown, but for invalid parts, and saves nothing', async () => {
  const { account, send, code } = await aSite()
  const before = await code()
  const checks = `/accounts/${account.id}/embed-code/checks`
  const start = async () => {
    const body = { url: 'https://shop.example.com/contact', pick: true }
    const { id, url } = expectOk(await app.api('POST', checks, { token: account.token, body })).body
    return { id, token: /#tributary-check=([\w-]{43})&pick$/.exec(url)![1] }
  }
  const matched = Object.fromEntries(keys.map((key) => [key, true]))
  const email = { selectorType: 'id', selectorValue: '#email' }
  for (const [picked, expected] of [
    [
      {
        email: { ...email, key: 'email', html: '<b>' },
        phone: { selectorType: 'name', selectorValue: 'p[0]' },
        firstName: { selectorType: 'id', selectorValue: 'no hash' },
        lastName: { selectorType: 'script', selectorValue: '#x' },
        submitButton: { selectorType: 'class', selectorValue: `.${'x'.repeat(500)}` },
        fieldsContainer: 7,
        password: email,
      },
      { email, phone: { selectorType: 'name', selectorValue: 'p[0]' } },
    ],
    [{ email: null }, {}],
    ['all', null],
    [[email], null],
    [undefined, null],
  ]) {
    const { id, token } = await start()
    assert.equal((await send('checks', { token, matched, picked }, { 'content-type': 'text/plain' })).status, 202)
    assert.deepEqual(expectOk(await app.api('GET', `${checks}/${id}`, { token: account.token })).body.picked, expected)
  }
  assert.deepEqual(await code(), before)
})

test('an embed code takes sign-ups, one of before too until its owner chooses, and each choice is served', async () => {
  const { account, publicId, code, url } = await aSite()
  const served = async () => (await servedAt(url)).forms
  assert.deepEqual([(await code()).forms, (await code()).formsChosen, await served()], ['sign-ups', true, 'sign-ups'])
  await app.services.db.run`update embed_codes set forms = null where account_id = ${account.id}`
  assert.deepEqual([(await code()).forms, (await code()).formsChosen, await served()], ['sign-ups', false, 'sign-ups'])
  expectOk(await embedCode(account, { onlyIfReferred: false }))
  assert.equal((await code()).formsChosen, false)
  for (const forms of ['sign-ups', 'all', 'marked', 'none']) {
    expectOk(await embedCode(account, { forms }))
    assert.deepEqual([(await code()).forms, (await code()).formsChosen, await served()], [forms, true, forms])
  }
  assert.equal((await embedCode(account, { forms: 'some' })).status, 422)
  const picker = await fetchRaw(`/embed/${publicId}/picker.js`, { 'accept-encoding': 'br' })
  assert.deepEqual([picker.status, picker.headers['content-type']], [200, 'text/javascript; charset=utf-8'])
  assert.ok(picker.body.length <= 6144, `${picker.body.length} bytes`)
  assert.equal((await fetchRaw('/embed/unknown/picker.js')).status, 404)
})

test('one address may send 60 requests a minute, and gets the usual response to exceeding a limit', async () => {
  const limited = await startApp({ config: { rateLimitFactor: 1 } })
  const { send } = await aSite({}, limited)
  const statuses: number[] = []
  for (let call = 0; call < 61; call++) statuses.push((await send('leads', { email: 'x' })).status)
  assert.deepEqual(statuses, [...Array(60).fill(202), 429])
  const { headers } = await send('clicks', { referralCode: 'abc' })
  assert.ok(Number(headers.get('retry-after')) > 0)
  assert.equal(headers.get('access-control-allow-origin'), '*')
})

test('an account claims its script’s address, which no other account can then have', async () => {
  const path = `shop-${anEmail()
    .replace(/[^a-z0-9]/g, '')
    .slice(0, 20)}`
  const { account, publicId, code, partner, leads } = await aSite()
  assert.equal((await code()).path, null)
  expectOk(await embedCode(account, { path: ` ${path.toUpperCase()} ` }))
  assert.match((await code()).snippet, new RegExp(`src="[^"]+/s/${path}\\.js"`))
  const named = await fetchRaw(`/s/${path}.js`)
  assert.match(named.body.toString(), new RegExp(`/s/${path}"`), 'it sends to where it came from')
  assert.doesNotMatch(named.body.toString(), new RegExp(`/embed/${publicId}`))
  assert.match((await fetchRaw(`/embed/${publicId}.js`)).body.toString(), new RegExp(`/embed/${publicId}"`))
  const sent = await app.api('POST', `/s/${path}/leads`, {
    body: { email: anEmail(), referralCode: partner.referralCode },
    headers: { origin: SITE },
  })
  assert.deepEqual([sent.status, (await leads()).length], [202, 1])
  const preflight = await fetchRaw(`/s/${path}/leads`, { origin: SITE }, 'OPTIONS')
  assert.equal(preflight.headers['access-control-allow-methods'], 'POST')

  const other = await aSite()
  const taken = await embedCode(other.account, { path })
  assert.deepEqual([taken.status, taken.body.error.reason], [409, 'embed_path_taken'])
  assert.ok(taken.body.error.fields.path)
  for (const wrong of ['ab', 'x'.repeat(41), '-acme', 'acme-', 'ac me', 'a/b', '../x', 'acmé', 'a\u0000b', 7])
    assert.equal((await embedCode(other.account, { path: wrong })).status, 422, String(wrong))
  expectOk(await embedCode(account, { path: '' }))
  assert.equal((await code()).path, null)
  // the first of many claims gets it
  const third = await aSite()
  const both = await Promise.all([
    embedCode(other.account, { path: `${path}x` }),
    embedCode(third.account, { path: `${path}x` }),
  ])
  assert.deepEqual(both.map(({ status }) => status).sort(), [200, 409])
})

test('pages that load the script by a former name still work, and no other account ever gets that name', async () => {
  const path = `shop-${anEmail()
    .replace(/[^a-z0-9]/g, '')
    .slice(0, 20)}`
  const { account, partner, leads } = await aSite()
  const other = await aSite()
  for (const name of [path, `${path}-2`, '', `${path}-3`]) expectOk(await embedCode(account, { path: name }))
  for (const name of [path, `${path}-2`, `${path}-3`]) {
    assert.match((await fetchRaw(`/s/${name}.js`)).body.toString(), new RegExp(`/s/${name}"`))
    const taken = await embedCode(other.account, { path: name })
    assert.deepEqual([taken.status, taken.body.error.reason], [409, 'embed_path_taken'])
  }
  const body = { email: anEmail(), referralCode: partner.referralCode }
  assert.equal((await app.api('POST', `/s/${path}/leads`, { body, headers: { origin: SITE } })).status, 202)
  assert.deepEqual([(await leads()).length, (await other.leads()).length], [1, 0])
  // reclaimed, and claimed by another at the moment it is given up
  expectOk(await embedCode(account, { path }))
  const [given, taken] = await Promise.all([
    embedCode(account, { path: `${path}-4` }),
    embedCode(other.account, { path }),
  ])
  assert.deepEqual([given.status, taken.status], [200, 409])
  for (let name = 5; name <= 20; name++) expectOk(await embedCode(account, { path: `${path}-${name}` }))
  const more = await embedCode(account, { path: `${path}-21` })
  assert.deepEqual([more.status, more.body.error.reason], [409, 'too_many_embed_paths'])
  expectOk(await embedCode(account, { path: `${path}-2` }))
})

test('a site that serves the script keeps the reference in a cookie it sets itself', async () => {
  const { send, account } = await aSite()
  const now = Math.floor(app.clock.now().getTime() / 1000)
  const keep = async (body: unknown, headers: Record<string, string> = {}) =>
    (await send('keep', body, { 'sec-fetch-site': 'same-origin', ...headers })).headers.get('set-cookie')
  const reference = `anna.0198c5a2-6b1e-7c3d-9f00-000000000001.${now}`
  const set = await keep({ reference, domain: 'shop.example.com' })
  assert.match(
    String(set),
    new RegExp(`^tributary_ref=${reference}; Path=/; Max-Age=\\d+; SameSite=Lax; Secure; Domain=shop.example.com$`),
  )
  const keptFor = (cookie: string | null) => Number(/Max-Age=(\d+); SameSite=Lax; Secure/.exec(String(cookie))?.[1])
  /** Asserts that the cookie lasts until then; the clock advances meanwhile. */
  const isKeptUntil = (until: number, cookie: string | null) => {
    const seconds = keptFor(cookie)
    assert.ok(seconds <= until - now && seconds >= until - Math.floor(app.clock.now().getTime() / 1000), String(cookie))
  }
  isKeptUntil(now + 90 * 86_400, set)
  // a reference stored earlier stays for the rest of its window
  isKeptUntil(now + 86_400, await keep({ reference: `anna..${now - 86_400 * 89}` }))
  assert.equal(keptFor(await keep({ reference: `anna..${now + 86_400 * 9}` })), 90 * 86_400)
  const nothing = [
    await keep({ reference: `anna..${now - 86_400 * 91}` }),
    await keep({ reference }, { origin: 'https://other.example' }),
    await keep({ reference }, { 'sec-fetch-site': 'cross-site' }),
    await keep({ reference: 'anna; Domain=evil.example' }),
    await keep({ reference: `${reference}\r\nx: y` }),
    await keep({}),
  ]
  assert.deepEqual(
    nothing,
    nothing.map(() => null),
  )
  for (const domain of ['evil.example', 'com.', 'hop.example.com', '.shop.example.com', 'shop.example.com; Secure'])
    assert.doesNotMatch(String(await keep({ reference, domain })), /Domain/, domain)
  expectOk(await embedCode(account, { consentMode: 'cookieless' }))
  assert.equal(await keep({ reference }), null)
})
