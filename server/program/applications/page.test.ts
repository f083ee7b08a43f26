import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { brotliCompressSync, constants } from 'node:zlib'
import pino from 'pino'
import { anAccount, aPartner, expectOk, startApp, turnableClock, waitUntil } from '../../../test/support/app.ts'
import { anApplicant, hiddenIn, openProgram, sendForm, visitPage } from '../../../test/support/applications.ts'
import { aBlueprint } from '../../../test/support/links.ts'
import { openDatabase, transaction } from '../../platform/database/pool.ts'
import { createPageMap } from './page-map.ts'
import { freeSlug } from './program.ts'

const clock = turnableClock()
const app = await startApp({ clock })
const account = await anAccount(app, {
  name: 'Acme & <Sons>',
  payoutDelay: 14,
  minimumPayout: 50_00,
  defaultCommissionSettings: { layerRates: [20, 5] },
})
const owner = (method: string, path: string, body?: unknown) => app.api(method, path, { token: account.token, body })
const save = async (change: Record<string, unknown>) =>
  expectOk(await owner('PUT', `/accounts/${account.id}/program`, change)).body
const slug = await openProgram(app, account, { text: 'We pay well.', rules: '- No ads' })
const page = async (query = '') => (await visitPage(app, `/join/${slug}${query}`)).html

test('the page says its parts in order, describes itself, and runs nothing and loads nothing from elsewhere', async () => {
  await aBlueprint(app, account, { cookieDays: 45 })
  const { status, headers, html } = await visitPage(app, `/join/${slug}`)
  assert.equal(status, 200)
  const headings = [...html.matchAll(/<h([1-3])[^>]*>([^<]*)</g)].map(([, level, words]) => `${level} ${words}`)
  assert.deepEqual(headings, [
    '1 Become a partner of Acme &amp; &lt;Sons&gt;',
    ...['2 How it works', '3 Apply', '3 Share your link', '3 Get paid', '2 What a sale brings you', '2 What you earn'],
    ...['2 How you are paid', '2 How visits count', '2 About', '2 Not allowed', '2 Apply'],
  ])
  for (const words of [
    'Partners earn 20% of each sale and their parent partner 5%.',
    ...['<dd>20%</dd>', '14 days after', '$50.00', 'up to 45 days', 'We pay well.', '<li>No ads</li>', 'Sign in'],
  ])
    assert.ok(html.includes(words), words)
  assert.doesNotMatch(html, /<script|\son\w+=|style="|<link(?! rel="canonical")|src=|@import|url\((?!\/assets\/inter-)/)
  const hero = html.slice(html.indexOf('<header'), html.indexOf('</header>'))
  for (const part of [
    'Acme &amp; &lt;Sons&gt;',
    '<h1>',
    'Partners earn 20% of each sale',
    '>Apply now</a>',
    'class="cover"',
  ])
    assert.ok(hero.includes(part), part)
  assert.match(html, /^<!doctype html>\n<html lang="en">/)
  const url = `${app.services.config.appUrl}/join/${slug}`
  for (const tag of [
    '<title>Become a partner of Acme &amp; &lt;Sons&gt;</title>',
    '<meta name="description" content="We pay well.">',
    '<meta property="og:description" content="We pay well.">',
    `<link rel="canonical" href="${url}">`,
  ])
    assert.ok(html.includes(tag), tag)
  const policy = headers.get('content-security-policy')!
  assert.match(policy, /default-src 'none'/)
  assert.doesNotMatch(policy, /script-src|unsafe|trusted-types/)
  assert.equal(headers.get('cache-control'), 'no-cache')
  for (const [, id] of html.matchAll(/<label for="([^"]+)"/g)) assert.ok(html.includes(` id="${id}"`), id)
  assert.doesNotMatch(html, /noindex/)
  await save({ indexed: false })
  assert.match(await page(), /<meta name="robots" content="noindex">/)
  await save({ indexed: true })
})

test('the preview of typed texts is the page that saving them makes, and saves nothing', async () => {
  const texts = {
    state: 'closed',
    headline: 'Earn <b>with</b> us',
    text: '# Who fits\n\n- Writers',
    rules: '- No spam',
  }
  const before = expectOk(await owner('GET', `/accounts/${account.id}/program`)).body
  const { html, style } = expectOk(await owner('POST', `/accounts/${account.id}/program/preview`, texts)).body
  assert.doesNotMatch(html, /<style|<script/)
  assert.deepEqual(expectOk(await owner('GET', `/accounts/${account.id}/program`)).body, before)
  const off = expectOk(await owner('POST', `/accounts/${account.id}/program/preview`, { ...texts, state: 'off' })).body
  assert.match(off.html, />Apply now</)
  await save(texts)
  assert.equal(html, (await page()).replace(`<style>${style}</style>`, ''))
  await save({ state: 'open', headline: '', text: 'We pay well.', rules: '- No ads' })
})

test('a page with the longest text stays small, and is not sent twice', async () => {
  const words = Array.from({ length: 700 }, (_, at) => (at * 7919).toString(36)).join(' ')
  await save({ text: `# Us\n\n${words}`.slice(0, 5000), rules: words.slice(0, 5000) })
  const first = await fetch(`${app.url}/join/${slug}`, { headers: { 'accept-encoding': 'br' } })
  const html = await first.text()
  const packed = brotliCompressSync(html, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } })
  assert.ok(packed.length < 20_000, `${packed.length} bytes`)
  assert.equal(first.headers.get('content-encoding'), 'br')
  const again = await visitPage(app, `/join/${slug}`, { 'if-none-match': first.headers.get('etag')! })
  assert.deepEqual([again.status, again.html], [304, ''])
  clock.advance(60_000)
  const later = await visitPage(app, `/join/${slug}`)
  assert.equal(later.headers.get('etag'), first.headers.get('etag'), 'but for the time that is signed')
  assert.notEqual(hiddenIn(later.html, 'issued'), hiddenIn(html, 'issued'))
  clock.set(new Date())
  await save({ text: '', rules: '' })
})

test('a page that is off, unknown or of a disabled account is the same 404', async () => {
  const other = await anAccount(app)
  const its = await openProgram(app, other)
  const answer = async (path: string) => {
    const { status, html, headers } = await visitPage(app, path)
    return JSON.stringify([status, html, [...headers].filter(([name]) => !['date', 'x-request-id'].includes(name))])
  }
  const unknown = await answer('/join/never-heard-of')
  assert.match(unknown, /^\[404/)
  assert.notEqual(await answer(`/join/${its}`), unknown)
  expectOk(await app.api('PUT', `/accounts/${other.id}/program`, { token: other.token, body: { state: 'off' } }))
  assert.equal(await answer(`/join/${its}`), unknown)
  expectOk(await app.api('PUT', `/accounts/${other.id}/program`, { token: other.token, body: { state: 'open' } }))
  expectOk(await app.api('POST', `/accounts/${other.id}/disable`, { token: other.admin, body: {} }))
  assert.equal(await answer(`/join/${its}`), unknown)
  assert.equal(await answer(`/join/${its}/thanks`), unknown)
  assert.equal(await answer('/join/%00'), unknown)
})

test('a former address leads to the present one for ever, and is nobody else’s', async () => {
  const other = await anAccount(app)
  const former = await openProgram(app, other)
  const put = (body: object, token = other.token, id = other.id) =>
    app.api('PUT', `/accounts/${id}/program`, { token, body })
  expectOk(await put({ slug: `${former}-now` }))
  const { status, headers } = await visitPage(app, `/join/${former}?by=x`)
  assert.deepEqual([status, headers.get('location')], [301, `/join/${former}-now?by=x`])
  const taken = await put({ slug: former }, account.token, account.id)
  assert.deepEqual([taken.status, taken.body.error.reason], [409, 'slug_taken'])
  assert.equal((await put({ slug: 'thanks' })).status, 422)
  expectOk(await put({ slug: former }))
  for (let more = 3; more <= 20; more++) expectOk(await put({ slug: `${former}-${more}` }))
  assert.equal((await put({ slug: `${former}-21` })).body.error.reason, 'too_many_slugs')
  expectOk(await put({ slug: `${former}-now` }))
  const without = await app.api('PUT', `/accounts/${(await anAccount(app)).id}/program`, {
    token: account.token,
    body: {},
  })
  assert.equal(without.status, 404)
})

test('a page without an address cannot be opened, and a closed one has no form', async () => {
  const other = await anAccount(app)
  const refused = await app.api('PUT', `/accounts/${other.id}/program`, { token: other.token, body: { state: 'open' } })
  assert.equal(refused.body.error.reason, 'program_without_slug')
  const its = await openProgram(app, other, { state: 'closed' })
  const { html } = await visitPage(app, `/join/${its}`)
  assert.match(html, /We’re not taking applications right now\./)
  assert.doesNotMatch(html, /method="post"|What you earn/)
  assert.equal((await sendForm(app, its, anApplicant())).status, 409)
})

test('the form comes back with what was typed and each mistake in words', async () => {
  await save({
    questions: [
      { label: 'Site <b>', kind: 'url', required: true },
      { label: 'Where?', kind: 'choice', choices: ['Blog', 'Video'] },
    ],
  })
  const sent = await sendForm(app, slug, {
    firstName: '"><script>',
    lastName: '',
    email: 'ada@',
    q0: 'no address',
    q1: 'TV',
  })
  assert.equal(sent.status, 422)
  for (const words of [
    'value="&quot;&gt;&lt;script&gt;"',
    'Last Name is required',
    'Enter a valid email address',
    'Enter a full https address',
    'Choose one of these',
    'Site &lt;b&gt;',
    'aria-invalid="true" aria-describedby="email-wrong"',
  ])
    assert.ok(sent.html.includes(words), words)
  assert.doesNotMatch(sent.html, /<script|<b>/)
  assert.equal(sent.headers.get('cache-control'), 'no-store')
  const { html } = await visitPage(app, `/join/${slug}`)
  await save({ questions: [] })
  const changed = await sendForm(app, slug, { ...anApplicant(), issued: hiddenIn(html, 'issued') })
  assert.match(changed.html, /The questions or the agreement have changed/)
  assert.equal(changed.status, 422)
})

test('a form that is too fast, too old or forged is asked for again; too many are told when to come back', async () => {
  const strict = await startApp({
    clock,
    db: app.services.db,
    config: { rateLimitFactor: 1, secretKey: app.services.config.secretKey },
  })
  const from = { 'x-forwarded-for': '10.0.0.1' }
  const now = Date.now()
  // in the middle of a minute, too
  clock.stop(new Date(now - (now % 60_000) + 30_000))
  const fast = await sendForm(strict, slug, anApplicant(), from)
  assert.match(fast.html, /Please send it once more\./)
  const issued = hiddenIn(fast.html, 'issued')
  clock.advance(3000)
  const slow = await sendForm(strict, slug, { ...anApplicant(), issued }, from)
  assert.equal(slow.status, 303)
  clock.advance(24 * 3_600_000)
  for (const old of [issued, `${issued.slice(0, -1)}!`, `${issued}.1`])
    assert.match((await sendForm(strict, slug, { ...anApplicant(), issued: old }, from)).html, /once more/, old)
  const flooded = await sendForm(strict, slug, anApplicant(), from)
  assert.deepEqual([flooded.status, flooded.headers.has('retry-after')], [429, true])
  assert.match(flooded.html, /Too many calls\. Please try again in \d+ seconds/)
  const unread = await sendForm(strict, 'never-there', { firstName: '"'.repeat(30_000) }, from)
  assert.deepEqual([unread.status, unread.html.length], [429, flooded.html.length], 'neither form nor page is read')
  clock.set(new Date())
  const large = await sendForm(app, slug, { ...anApplicant(), q0: 'x'.repeat(200_000) })
  assert.equal(large.status, 413)
})

test('a form that is shown again repeats no more of what was typed than its fields take', async () => {
  await save({ questions: [{ label: 'Where?', kind: 'text', required: true, choices: [] }] })
  const long = '"'.repeat(2000)
  const { status, html } = await sendForm(app, slug, {
    firstName: long,
    lastName: long,
    email: long,
    q0: `a${'😀'.repeat(5000)}`,
  })
  assert.equal(status, 422)
  assert.equal(html.match(/&quot;/g)!.length, 100 + 100 + 254)
  assert.equal(html.match(/😀/g)!.length, 499)
  await save({ questions: [] })
})

test('the example computes an amount, and says which ones it takes', async () => {
  assert.match(await page('?amount=250'), /you earn <strong>\$50\.00<\/strong>/)
  assert.match(await page('?amount=0.05'), /<strong>\$0\.01</)
  assert.match(await page('?amount=1,250'), /you earn <strong>\$250\.00<\/strong>/)
  assert.match(await page('?amount=12,50'), /<strong>\$2\.50</)
  for (const wrong of ['0', '-1', '1000001', '1.250', 'x"><b>', '1e3'])
    assert.match(await page(`?amount=${encodeURIComponent(wrong)}`), /Enter an amount from 0\.01 to 1,000,000/, wrong)
})

test('a page is kept in memory until its account changes, also in another process', async () => {
  const db = openDatabase({ url: app.services.db.url, log: pino({ level: 'silent' }), max: 2 })
  after(() => db.close())
  const other = createPageMap(db)
  after(() => other.close())
  await other.ready
  // notices of the changes above may still arrive
  await waitUntil(async () => {
    const found = await other.find({ slug })
    return found === (await other.find({ slug }))
  })
  expectOk(await owner('PUT', `/accounts/${account.id}/terms`, { terms: { otherwise: { layerRates: [35] } } }))
  assert.match(await page(), /35%/)
  await waitUntil(async () => (await other.find({ slug }))!.promised[0]!.terms.otherwise.layerRates![0] === 35)
})

test('partners are told of the page while it is open', async () => {
  const partner = await aPartner(app, account, {}, { signIn: true })
  const readProgramUrl = async () =>
    expectOk(await app.api('GET', `/accounts/${account.id}`, { token: partner.token })).body.programUrl
  assert.equal(await readProgramUrl(), `${app.services.config.appUrl}/join/${slug}`)
  await save({ state: 'closed' })
  assert.equal(await readProgramUrl(), null)
  await save({ state: 'open' })
})

test('an operator takes an address from its account, and the next one has it', async () => {
  const { db } = app.services
  const taker = await anAccount(app)
  const address = await openProgram(app, taker)
  const present = await openProgram(app, taker)
  const other = await anAccount(app)
  const settings = { state: 'open', slug: address }
  const ask = () => app.api('PUT', `/accounts/${other.id}/program`, { token: other.token, body: settings })
  assert.equal((await ask()).status, 409)
  const free = (one: string) => transaction(db, (tx) => freeSlug(tx, one))
  assert.deepEqual(await free(address), { accountId: taker.id, wasShown: false })
  expectOk(await ask())
  assert.match((await visitPage(app, `/join/${present}`)).html, /Apply/)
  assert.deepEqual(await free(present), { accountId: taker.id, wasShown: true })
  await waitUntil(async () => (await visitPage(app, `/join/${present}`)).status === 404)
  const { body } = expectOk(await app.api('GET', `/accounts/${taker.id}/program`, { token: taker.token }))
  assert.deepEqual([body.state, body.slug], ['off', null])
  assert.equal(await free('never-taken'), undefined)
})
