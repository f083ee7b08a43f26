import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import pg from 'pg'
import { anAccount, aPartner, expectOk, startApp, turnableClock, waitUntil } from '../../../test/support/app.ts'
import { aBlueprint, clickInAddress, visitLink } from '../../../test/support/links.ts'
import { waitingForLocks } from '../../../test/support/locks.ts'
import { asDatabaseOwner } from '../../../test/support/postgres.ts'
import { newId } from '../../platform/database/ids.ts'
import { transaction } from '../../platform/database/pool.ts'
import { createLogger } from '../../platform/http/logger.ts'
import { deletePartnerRows } from '../partners/queries.ts'
import { count } from '../stats/count.ts'
import { verifyLedger } from '../stats/verify.ts'
import { resolveClick } from './attribution.ts'
import type { NewClick } from './queries.ts'
import { recordClicks } from './record-clicks.ts'

// far from midnight, where visitors become strangers and figures go to another day
const [today, noon] = ['2026-03-02', '2026-03-02T12:00:00Z']
const app = await startApp({ clock: turnableClock(noon) })
const account = await anAccount(app)

const owner = (method: string, path: string, body?: unknown) => app.api(method, path, { token: account.token, body })
const codes = (() => {
  let made = 0
  return () => `code-${++made}`
})()
const somebody = (fields: Record<string, unknown> = {}) => aPartner(app, account, { referralCode: codes(), ...fields })
const clickRow = (id: string | null) =>
  app.services.db.maybe<Record<string, unknown>>`select * from clicks where id = ${id}`
const countClicks = async () =>
  (await app.services.db.one<{ count: number }>`select count(*) as count from clicks`).count

test('a visit is committed before the response, which redirects with code and click', async () => {
  const partner = await somebody()
  const blueprint = await aBlueprint(app, account)
  const other = new pg.Client({ connectionString: app.services.db.url })
  await other.connect()
  try {
    const visited = await visitLink(app, blueprint.key, partner.referralCode, {
      headers: { referer: 'https://blog.example.org/post?secret=1' },
    })
    const id = clickInAddress(visited)
    const { rows } = await other.query('select * from clicks where id = $1', [id])
    assert.equal(visited.status, 302)
    assert.equal(visited.headers['cache-control'], 'no-store')
    assert.equal(visited.headers['set-cookie'], undefined)
    assert.equal(visited.location, `https://shop.example.com/landing?ref=${partner.referralCode}&click=${id}`)
    assert.equal(rows.length, 1)
    const [row] = rows
    assert.equal(row.partner_id, partner.id)
    assert.equal(row.blueprint_id, blueprint.id)
    assert.equal(row.account_id, account.id)
    assert.equal(row.referrer_host, 'blog.example.org')
    assert.equal(row.landing_path, '/landing')
    assert.equal(row.user_agent_class, 'desktop')
    assert.equal(row.source, 'redirect')
    assert.equal(row.is_bot, false)
    assert.equal(row.is_unique, true)
    assert.match(row.ip_hash, /^-?\d{1,19}$/)
  } finally {
    await other.end()
  }
})

test('figures: every visit counts, a visitor once an hour per link', async (t) => {
  const [partner, second] = [await somebody(), await somebody()]
  const blueprint = await aBlueprint(app, account)
  /** Reads the figures at noon: the session would have expired after the hours by which the clock is turned. */
  const stats = async () => {
    const turned = app.clock.now()
    app.clock.set(noon)
    const { body } = expectOk(await owner('GET', `/link-blueprints/${blueprint.id}`))
    app.clock.set(turned)
    return body.stats
  }
  t.after(() => app.clock.set(noon))
  for (let times = 0; times < 3; times++) await visitLink(app, blueprint.key, partner.referralCode)
  assert.deepEqual(await stats(), { clicks: 3, uniqueClicks: 1, leads: 0, sales: 0, revenue: 0 })
  await visitLink(app, blueprint.key, second.referralCode)
  assert.equal((await stats()).uniqueClicks, 2)
  app.clock.advance(59 * 60_000)
  await visitLink(app, blueprint.key, partner.referralCode)
  assert.equal((await stats()).uniqueClicks, 2)
  app.clock.advance(2 * 60_000)
  await visitLink(app, blueprint.key, partner.referralCode)
  const { clicks, uniqueClicks } = await stats()
  assert.deepEqual({ clicks, uniqueClicks }, { clicks: 6, uniqueClicks: 3 })
  const rows = await app.services.db.many`
    select day, clicks, unique_clicks from day_stats
    where partner_id = ${partner.id} and blueprint_id = ${blueprint.id}`
  assert.equal(
    rows.reduce((sum, row) => sum + (row.clicks as number), 0),
    5,
  )
})

test('the day of a click is the date in the account’s time zone', async () => {
  const eastern = await anAccount(app, { timeZone: 'Pacific/Kiritimati' })
  const partner = await aPartner(app, eastern)
  const blueprint = await aBlueprint(app, eastern)
  app.clock.set(`${today}T13:00:00Z`)
  const id = clickInAddress(await visitLink(app, blueprint.key, partner.referralCode))
  app.clock.set(noon)
  const next = new Date(Date.parse(today) + 86_400_000).toISOString().slice(0, 10)
  assert.equal((await clickRow(id))?.day, next)
})

test('parallel visitors: every click id exists, and the figures add up', async () => {
  const partners = await Promise.all([somebody(), somebody(), somebody()])
  const blueprint = await aBlueprint(app, account)
  const visited = await Promise.all(
    Array.from({ length: 300 }, (_, index) => visitLink(app, blueprint.key, partners[index % 3]!.referralCode)),
  )
  const ids = visited.map(clickInAddress)
  assert.equal(new Set(ids).size, 300)
  const { found, groups } = await app.services.db.one<{ found: number; groups: number }>`
    select count(*) as found, count(distinct xmin::text) as groups from clicks where id = any(${ids}::uuid[])`
  assert.equal(found, 300)
  assert.ok(groups < 200, `${groups} commits`)
  const { stats } = expectOk(await owner('GET', `/link-blueprints/${blueprint.id}`)).body
  assert.deepEqual([stats.clicks, stats.uniqueClicks], [300, 3])
  const { items } = expectOk(await owner('GET', `/link-blueprints/${blueprint.id}/links?sort=-clicks`)).body
  assert.deepEqual(
    items.slice(0, 3).map((item: { clicks: number }) => item.clicks),
    [100, 100, 100],
  )
})

test('key and code match in any case; a former code redirects with the current one', async () => {
  const partner = await somebody({ referralCode: 'old-name' })
  const blueprint = await aBlueprint(app, account)
  expectOk(await owner('PUT', `/partners/${partner.id}`, { referralCode: 'new-name' }))
  for (const code of ['OLD-Name', 'old-name', 'New-NAME']) {
    const visited = await visitLink(app, blueprint.key.toUpperCase(), code)
    assert.equal(new URL(visited.location!).searchParams.get('ref'), 'new-name')
    assert.equal((await clickRow(clickInAddress(visited)))?.partnerId, partner.id)
  }
})

test('bots are redirected without credit; their visits are stored but never count', async () => {
  const partner = await somebody()
  const blueprint = await aBlueprint(app, account)
  const bots = ['Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)', '', 'curl/8.5.0']
  for (const agent of bots) {
    const { status, location } = await visitLink(app, blueprint.key, partner.referralCode, {
      headers: { 'user-agent': agent },
    })
    assert.deepEqual([status, location], [302, 'https://shop.example.com/landing'])
  }
  const rows = await app.services.db.many`
    select is_bot, is_unique, user_agent_class from clicks where blueprint_id = ${blueprint.id}`
  assert.deepEqual(rows, Array(3).fill({ isBot: true, isUnique: false, userAgentClass: 'bot' }))
  assert.deepEqual(expectOk(await owner('GET', `/link-blueprints/${blueprint.id}`)).body.stats.clicks, 0)
})

test('HEAD is redirected without credit', async () => {
  const partner = await somebody()
  const blueprint = await aBlueprint(app, account)
  const count = await countClicks()
  const { status, location, text } = await visitLink(app, blueprint.key, partner.referralCode, {
    method: 'HEAD',
    query: '?a=1',
  })
  assert.deepEqual([status, location, text], [302, 'https://shop.example.com/landing?a=1', ''])
  assert.equal(await countClicks(), count)
})

test('for a partner who cannot earn now, the visitor reaches the bare destination, uncounted', async (t) => {
  const partner = await somebody()
  const blueprint = await aBlueprint(app, account)
  const bare = async (code: string, key = blueprint.key) => {
    const count = await countClicks()
    const { status, location, headers } = await visitLink(app, key, code, { query: '?ref=x&click=y&gclid=z' })
    assert.deepEqual([status, location], [302, 'https://shop.example.com/landing?gclid=z'])
    assert.equal(headers['cache-control'], 'no-store')
    assert.equal(await countClicks(), count)
  }
  const credited = async () => assert.ok(clickInAddress(await visitLink(app, blueprint.key, partner.referralCode)))

  await t.test('unknown and impossible codes', async () => {
    for (const code of ['nobody', 'a', 'x'.repeat(33), '%F0%9F%A6%8A', '..%2f..', "'%20or%201=1", '%00abc'])
      await bare(code)
  })
  await t.test('a suspended partner, until they are active again', async () => {
    await credited()
    expectOk(await owner('PUT', `/partners/${partner.id}`, { state: 'suspended', reason: 'Review' }))
    await bare(partner.referralCode)
    expectOk(await owner('PUT', `/partners/${partner.id}`, { state: 'active', reason: 'Fine' }))
    await credited()
  })
  await t.test('an archived partner', async () => {
    const gone = await somebody()
    expectOk(await owner('POST', `/partners/${gone.id}/archive`, { subPartners: 'move-up', balance: 'pay-out' }))
    await bare(gone.referralCode)
  })
  await t.test('a disabled blueprint, until it is enabled again', async () => {
    await credited()
    expectOk(await owner('PUT', `/link-blueprints/${blueprint.id}`, { enabled: false }))
    await bare(partner.referralCode)
    expectOk(await owner('PUT', `/link-blueprints/${blueprint.id}`, { enabled: true }))
    await credited()
  })
  await t.test('a deleted blueprint', async () => {
    const deleted = await aBlueprint(app, account)
    await visitLink(app, deleted.key, partner.referralCode)
    assert.equal((await owner('DELETE', `/link-blueprints/${deleted.id}`)).status, 204)
    await bare(partner.referralCode, deleted.key)
  })
  await t.test("another account's code", async () => {
    const stranger = await aPartner(app, await anAccount(app), { referralCode: 'stranger' })
    await bare(stranger.referralCode)
  })
})

test('a disabled account counts visits for another 30 days', async (t) => {
  t.after(() => app.clock.set(noon))
  const paused = await anAccount(app)
  const partner = await aPartner(app, paused)
  const blueprint = await aBlueprint(app, paused)
  expectOk(await app.api('POST', `/accounts/${paused.id}/disable`, { token: paused.admin, body: { reason: 'Unpaid' } }))
  await visitLink(app, blueprint.key, partner.referralCode)
  app.clock.advance(29 * 86_400_000)
  assert.ok(clickInAddress(await visitLink(app, blueprint.key, partner.referralCode)))
  app.clock.advance(2 * 86_400_000)
  const { status, location } = await visitLink(app, blueprint.key, partner.referralCode)
  assert.deepEqual([status, location], [302, 'https://shop.example.com/landing'])
})

test('an unknown key gets a page that says so', async () => {
  const { status, headers, text } = await visitLink(app, 'abcdefgh', 'anybody')
  assert.equal(status, 404)
  assert.match(String(headers['content-type']), /^text\/html/)
  assert.match(text, /leads nowhere/)
  const [, style] = /<style>([^<]+)<\/style>/.exec(text)!
  const hash = createHash('sha256').update(style!).digest('base64')
  assert.match(String(headers['content-security-policy']), new RegExp(`style-src 'sha256-${RegExp.escape(hash)}'`))
  assert.equal(headers.location, undefined)
})

test('a link created after a failed visit of its key works at once', async () => {
  const partner = await somebody()
  assert.equal((await visitLink(app, 'zzzzzzzz', partner.referralCode)).status, 404)
  const blueprint = await aBlueprint(app, account)
  const code = codes()
  assert.equal(clickInAddress(await visitLink(app, blueprint.key, code)), null)
  await somebody({ referralCode: code })
  assert.ok(clickInAddress(await visitLink(app, blueprint.key, code)))
})

test('the stored row contains nothing of the visitor but a hash that changes daily', async (t) => {
  t.after(() => app.clock.set(noon))
  const partner = await somebody()
  const blueprint = await aBlueprint(app, account)
  const hash = async () =>
    (await clickRow(clickInAddress(await visitLink(app, blueprint.key, partner.referralCode))))?.ipHash
  const first = await hash()
  assert.equal(typeof first, 'number')
  assert.equal(await hash(), first)
  app.clock.advance(86_400_000)
  assert.notEqual(await hash(), first)
})

test('with or without the router: the same response, counted equally', async () => {
  const partner = await somebody()
  const blueprint = await aBlueprint(app, account)
  const encoded = `%${blueprint.key.charCodeAt(0).toString(16)}${blueprint.key.slice(1)}`
  const visits = async () => {
    const page = await (await fetch(`${app.url}/metrics`)).text()
    const of = (name: string) =>
      Number(
        new RegExp(
          `^tributary_http_request[^\n]*${name}\\{route="/r/:key/:code",method="GET"[^}]*\\} (\\d+)$`,
          'm',
        ).exec(page)?.[1] ?? 0,
      )
    return [of('s_total'), of('_count')]
  }
  await visitLink(app, blueprint.key, partner.referralCode)
  const [total, timed] = await visits()
  const [around, through] = [
    await visitLink(app, blueprint.key, partner.referralCode, { query: '?a=1&click=no' }),
    await visitLink(app, encoded, partner.referralCode, { query: '?a=1&click=no' }),
  ]
  const shown = ({ status, location, headers }: typeof around) => {
    const { date: _, 'x-request-id': id, location: __, ...rest } = headers
    assert.match(String(id), /^[0-9a-f-]{36}$/)
    return { status, to: location?.replace(/click=[0-9a-f-]{36}/, 'click=…'), headers: rest }
  }
  assert.deepEqual(shown(around), shown(through))
  assert.match(shown(around).to!, /[?&]click=…&a=1$/)
  assert.deepEqual(await visits(), [total! + 2, timed! + 2])
})

test('a stored link that no form would accept leads nowhere, however often it is visited', async () => {
  const quiet = await startApp({ config: { logLevel: 'silent' } })
  const its = await anAccount(quiet)
  const partner = await aPartner(quiet, its)
  const { db } = quiet.services
  const whole = await aBlueprint(quiet, its)
  const odd: Record<string, unknown>[] = [
    { parameter_name: 'a=b&c#\r\nx' },
    { parameter_name: 'ссылка' },
    { parameter_name: '' },
    { destination_url: 'javascript:alert(1)' },
    { destination_url: 'https://evil.example/' },
    { destination_url: 'https://shop.example.com:x/' },
    { utm: { source: { a: 1 } } },
    { utm: { source: ['a'] } },
    { utm: { source: 7 } },
  ]
  for (const columns of odd) {
    const { id, key } = await aBlueprint(quiet, its)
    await transaction(
      db,
      (tx) => tx.run`
      update link_blueprints b set (parameter_name, destination_url, utm) = (
        select r.parameter_name, r.destination_url, r.utm
        from jsonb_populate_record(b, ${JSON.stringify(columns)}::jsonb) r) where id = ${id}`,
    )
    for (let turn = 0; turn < 3; turn++) {
      const { status, headers } = await visitLink(quiet, key, partner.referralCode)
      assert.deepEqual([status, headers['x-content-type-options']], [404, 'nosniff'], JSON.stringify(columns))
    }
    assert.equal((await visitLink(quiet, whole.key, partner.referralCode)).status, 302, 'other links work on')
  }
  for (const utm of [[1, 2], null, 'text', 5]) {
    const { id, key } = await aBlueprint(quiet, its)
    await transaction(
      db,
      (tx) => tx.run`
      update link_blueprints set utm = ${JSON.stringify(utm)}::jsonb where id = ${id}`,
    )
    for (let turn = 0; turn < 2; turn++) assert.equal((await visitLink(quiet, key, partner.referralCode)).status, 302)
  }
})

test('a visit that fails anywhere, with or without the router, is a 500 of its own', async () => {
  const broken = { clock: false, log: false }
  const log = createLogger(
    { logLevel: 'error', appEnv: 'local' },
    {
      write: (line: string) => {
        if (broken.log && line.includes('a click could not be recorded')) throw new Error('the log cannot be written')
      },
    },
  )
  const own = await startApp({ log })
  const its = await anAccount(own)
  const { referralCode } = await aPartner(own, its)
  const { key } = await aBlueprint(own, its)
  assert.equal((await visitLink(own, key, referralCode)).status, 302)
  const { clock } = own
  const now = clock.now
  clock.now = () => {
    if (broken.clock) throw new Error('there is no time')
    return now()
  }
  const failed = async (what: string) => {
    const { status, headers, text } = await visitLink(own, key, referralCode)
    assert.equal(status, 500, what)
    assert.equal(JSON.parse(text).error.code, 'internal_error')
    assert.equal(headers['x-content-type-options'], 'nosniff')
    assert.match(String(headers['content-security-policy']), /default-src 'none'/)
    assert.ok(!text.includes('there is no time') && !text.includes('the log'))
  }
  broken.clock = true
  await failed('before the click is stored')
  broken.clock = false
  broken.log = true
  await asDatabaseOwner(own.services.db).run`alter table clicks rename to clicks_elsewhere`
  await failed('after the click was tried')
  await asDatabaseOwner(own.services.db).run`alter table clicks_elsewhere rename to clicks`
  broken.log = false
  assert.equal((await visitLink(own, key, referralCode)).status, 302)
})

const clickFor = (partnerId: string, blueprintId: string): NewClick => ({
  id: newId(),
  accountId: account.id,
  blueprintId,
  partnerId,
  day: today,
  at: new Date(noon),
  ipHash: null,
  userAgentClass: 'desktop',
  country: null,
  referrerHost: null,
  landingPath: null,
  linkId: null,
  subId: null,
  paidParameters: null,
  isBot: false,
  source: 'redirect',
})

const figuresOf = (partnerId: string) => app.services.db.many`
  select day, clicks from day_stats where partner_id = ${partnerId}
  union all select null, clicks from total_stats where partner_id = ${partnerId}`

test('clicks of a partner deleted meanwhile are dropped, others are stored', async () => {
  const { db } = app.services
  const [gone, stays] = [await somebody(), await somebody()]
  const blueprint = await aBlueprint(app, account)
  const recording = await transaction(db, async (tx) => {
    await tx.run`select from partners where account_id = ${account.id} and id = ${gone.id} for update`
    const clicks = [clickFor(gone.id, blueprint.id), clickFor(stays.id, blueprint.id)]
    const result = recordClicks(db, clicks)
    await waitUntil(async () => (await waiting()) > 0)
    await count(tx, [{ accountId: account.id, day: today, partners: -1 }])
    await deletePartnerRows(tx, account.id, gone.id)
    return { result, clicks }
  })
  assert.deepEqual(await recording.result, [false, true])
  const [ofGone, ofOther] = await Promise.all(recording.clicks.map(({ id }) => clickRow(id)))
  assert.equal(ofGone, undefined)
  assert.equal(ofOther?.partnerId, stays.id)
  assert.deepEqual(await figuresOf(gone.id), [])
})

test('deleting a partner waits for their clicks, which then have no partner but still count', async () => {
  const { db } = app.services
  const partner = await somebody()
  const blueprint = await aBlueprint(app, account)
  const click = clickFor(partner.id, blueprint.id)
  const deleting = await transaction(db, async (tx) => {
    assert.deepEqual(await recordClicks(tx, [click]), [true])
    const deleted = owner('DELETE', `/partners/${partner.id}`)
    await waitUntil(async () => (await waiting()) > 0)
    return { deleted }
  })
  assert.equal((await deleting.deleted).status, 204)
  assert.equal((await clickRow(click.id))?.partnerId, partner.id)
  assert.equal(await resolveClick(db, account.id, click.id, click.at), undefined)
  assert.deepEqual(await figuresOf(partner.id), [])
  const { stats } = expectOk(await owner('GET', `/link-blueprints/${blueprint.id}`)).body
  assert.equal(stats.clicks, 1)
  assert.deepEqual(await verifyLedger(db), [])
})

const waiting = () => waitingForLocks(app.services.db)
