import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import pg from 'pg'
import { ADMINISTRATOR, type TestApp, waitUntil } from '../test/support/app.ts'
import { aGenericConnection, signBody } from '../test/support/generic.ts'
import { BROWSER } from '../test/support/links.ts'
import { noNginx, startNginx } from '../test/support/nginx.ts'
import { createTestDatabase } from '../test/support/postgres.ts'
import { proxyTo } from '../test/support/postgres-proxy.ts'
import { aSellingAccount, type Running, type SellingAccount, startProduct } from '../test/support/running.ts'

// Two web processes and a worker behind the shipped nginx configuration.

/** A site of the account that serves the embed script from its own domain, and forwards the caller’s address. */
const ITS_SITE = '127.0.0.30'

suite('behind the shipped nginx configuration', { skip: noNginx }, () => {
  let folder: string
  let nginx: Awaited<ReturnType<typeof startNginx>>
  const running: Running[] = []
  let account: SellingAccount
  let way: Awaited<ReturnType<typeof proxyTo>> | undefined
  let db: pg.Client | undefined

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tributary-behind-nginx-'))
    const database = await createTestDatabase()
    way = await proxyTo(database.url)
    const shared = {
      DATABASE_URL: way.url,
      SECRET_KEY: randomBytes(32).toString('base64'),
      APP_URL: 'https://partners.example.com',
      TRUST_PROXY: `127.0.0.1,${ITS_SITE}`,
      COUNTRY_HEADER: 'CF-IPCountry',
    }
    for (const role of ['web', 'web', 'worker'])
      running.push(await startProduct(folder, { ...shared, PROCESS_ROLE: role }))
    nginx = await startNginx(running.slice(0, 2).map(({ url }) => url))
    account = await aSellingAccount(running[0]!)
    db = new pg.Client({ connectionString: database.url })
    await db.connect()
  })

  after(async () => {
    await nginx?.end()
    await db?.end()
    for (const { product } of running) await product.end('SIGKILL')
    await way?.cut()
    await rm(folder, { recursive: true, force: true })
  })

  const json = { 'content-type': 'application/json' }
  const withKey = () => ({ ...json, authorization: `Bearer ${account.apiKey}` })
  const visit = (headers: Record<string, string> = {}, from?: string) =>
    nginx.ask(`/r/${account.blueprint.key}/${account.code}`, { headers: { 'user-agent': BROWSER, ...headers }, from })
  const pushSale = (externalId: string) =>
    nginx.ask('/api/v1/push/sales', {
      method: 'POST',
      headers: withKey(),
      body: JSON.stringify({
        externalId,
        referralCode: account.code,
        email: 'a@buyer.example',
        amount: 10_00,
      }),
    })
  const salesLike = async (externalId: string) =>
    (await db!.query('select description from sales where external_id = $1', [externalId])).rows

  test('a visit is redirected, and the sale that follows is recorded', async () => {
    const visited = await visit()
    assert.equal(visited.status, 302)
    const click = new URL(String(visited.headers.location)).searchParams.get('click')
    assert.ok(click)
    const pushed = await pushSale('after-the-visit')
    assert.equal(pushed.status, 201, pushed.text)
    assert.equal((await salesLike('after-the-visit')).length, 1)
  })

  test('a signed event arrives byte for byte, whatever its content and encoding', async () => {
    const connection = await aGenericConnection(running[0] as unknown as TestApp, account as never)
    const { pathname } = new URL(connection.webhookUrl)
    for (const chunked of [false, true]) {
      const id = `odd-${randomUUID()}`
      const description = `tab\tZoë 𝄞 \u2028 ${'é'.repeat(300)}`
      const payment = { id, amount: 1234, currency: 'usd', referralCode: account.code, description }
      const event = { id: randomUUID(), type: 'payment', at: new Date().toISOString(), payment }
      const body = `\r\n ${JSON.stringify(event, null, '\t').replace('Zoë', 'Zo\\u00eB').replaceAll('\n', '\r\n')}  \n\n${' '.repeat(100_000)}`
      const headers = { ...json, 'X-Signature': signBody(body), ...(chunked && { 'transfer-encoding': 'chunked' }) }
      const told = await nginx.ask(pathname, { method: 'POST', headers, body })
      assert.equal(told.status, 200, told.text)
      const [sale] = await waitUntil(async () => {
        const found = await salesLike(id)
        return found.length > 0 && found
      })
      assert.match(sale.description, /Zoë 𝄞/i)
      const forged = await nginx.ask(pathname, { method: 'POST', headers, body: `${body} ` })
      assert.equal(forged.status >= 400 && forged.status < 500, true, forged.text)
    }
    assert.ok(!(await nginx.log()).includes('/hooks/'), 'the address of a connection is a secret')
  })

  test('the caller’s address is the real one, whatever headers the request has, and a trusted site forwards its visitor’s', async () => {
    const { email, password } = ADMINISTRATOR
    const addressFrom = async (from: string, headers: Record<string, string>) => {
      const signedIn = await nginx.ask('/api/v1/auth/sign-in', {
        ...{ method: 'POST', from, headers: { ...json, ...headers } },
        body: JSON.stringify({ email, password }),
      })
      const token = JSON.parse(signedIn.text).accessToken
      const authorization = { authorization: `Bearer ${token}` }
      const { text } = await nginx.ask('/api/v1/users/me/sessions', { from, headers: { ...authorization, ...headers } })
      return JSON.parse(text).items.find(({ current }: { current: boolean }) => current).address
    }
    const spoofed = { 'x-forwarded-for': '203.0.113.9', 'x-real-ip': '203.0.113.9', forwarded: 'for=203.0.113.9' }
    assert.equal(await addressFrom('127.0.0.7', {}), '127.0.0.7')
    assert.equal(await addressFrom('127.0.0.7', spoofed), '127.0.0.7')
    assert.equal(await addressFrom('127.0.0.7', { 'x-forwarded-for': '127.0.0.1, unknown' }), '127.0.0.7')
    assert.equal(await addressFrom(ITS_SITE, { 'x-forwarded-for': '203.0.113.9' }), '203.0.113.9')
  })

  test('visitors are distinguished by address, and cannot claim a country', async () => {
    const clicksOf = async (at: Date) => {
      const { rows } = await db!.query('select is_unique, country from clicks where at >= $1 order by id', [at])
      return rows
    }
    const at = new Date()
    const visitors: [string, Record<string, string>][] = [
      ['127.0.0.41', { 'cf-ipcountry': 'NO' }],
      ['127.0.0.42', {}],
      ['127.0.0.41', { 'x-forwarded-for': '203.0.113.77' }],
    ]
    for (const [n, [from, headers]] of visitors.entries()) {
      assert.equal((await visit(headers, from)).status, 302)
      await waitUntil(async () => (await clicksOf(at)).length === n + 1)
    }
    const clicks = await clicksOf(at)
    assert.deepEqual(
      clicks.map(({ is_unique }) => is_unique),
      [true, true, false],
    )
    assert.ok(clicks.every(({ country }) => country === null))
  })

  test('large bodies are accepted only on the routes that allow them', async () => {
    const post = (path: string, bytes: number) =>
      nginx.ask(path, { method: 'POST', headers: withKey(), body: JSON.stringify({ text: 'x'.repeat(bytes) }) })
    const isOfProduct = ({ headers }: { headers: NodeJS.Dict<string | string[]> }) => 'x-request-id' in headers
    const whole = await nginx.ask('/api/v1/push/sales', {
      ...{ method: 'POST', headers: withKey() },
      body: JSON.stringify([
        { externalId: 'large', email: 'b@buyer.example', amount: 1, description: 'x'.repeat(990_000) },
      ]),
    })
    assert.ok(isOfProduct(whole), 'a push of nearly 1 MB')
    assert.ok(isOfProduct(await post(`/api/v1/accounts/${account.id}/imports`, 20_000_000)), 'a file to import')
    const refused = await post('/api/v1/push/sales', 4_000_000)
    assert.equal(refused.status, 413)
    assert.ok(!isOfProduct(refused))
  })

  test('plain HTTP redirects to TLS, metrics are local only, and no query is logged', async () => {
    const plain = await fetch(`http://127.0.0.1:${nginx.plainPort}/leads?a=b`, { redirect: 'manual' })
    assert.equal(plain.status, 308)
    assert.equal(plain.headers.get('location'), 'https://partners.example.com/leads?a=b')
    for (const path of ['/mail/unsubscribe/a-secret', '/leads?search=a-secret'])
      await fetch(`http://127.0.0.1:${nginx.plainPort}${path}`, { redirect: 'manual' })
    assert.equal((await nginx.ask('/metrics')).status, 200)
    assert.equal((await nginx.ask('/metrics', { from: '127.0.0.8' })).status, 403)
    assert.equal((await nginx.ask('/sales?code=a-secret')).status, 200)
    // nginx logs a response after sending it
    const log = await waitUntil(async () => {
      const said = await nginx.log()
      return said.includes('"GET /sales" 200') && said.includes('"GET /leads" 308') && said
    })
    assert.ok(!log.includes('a-secret'))
  })

  test('links still redirect while the database is down', async () => {
    await way!.cut()
    for (let n = 0; n < 6; n++) {
      const { status, text } = await pushSale(`away-${n}`)
      assert.equal(status, 503, text)
      assert.equal(JSON.parse(text).error.code, 'unavailable')
      assert.equal((await visit()).status, 302)
    }
    await way!.open()
    await waitUntil(async () => (await pushSale('away-0')).status < 300)
  })

  test('calls still work after one process is killed', async () => {
    await running[0]!.product.end('SIGKILL')
    for (let n = 0; n < 20; n++) {
      const { status, text } = await pushSale(`alone-${n}`)
      assert.equal(status, 201, text)
      assert.equal((await visit()).status, 302)
      assert.equal((await nginx.ask('/sales')).status, 200)
    }
    const { rows } = await db!.query(`select count(*)::int from sales where external_id like 'alone-%'`)
    assert.equal(rows[0].count, 20)
  })

  test('with no process left, people see a waiting page and systems get our error format', async () => {
    assert.deepEqual(await running[1]!.product.end('SIGTERM'), { code: 0, signal: null })
    for (const path of ['/sales', `/r/${account.blueprint.key}/${account.code}`]) {
      const page = await nginx.ask(path)
      assert.equal(page.status, 503)
      assert.match(String(page.headers['content-type']), /^text\/html/)
      assert.match(page.text, /restarting/)
      assert.equal(page.headers['retry-after'], '2')
    }
    const refused = await pushSale('nobody')
    assert.equal(refused.status, 503)
    assert.equal(refused.headers['content-type'], 'application/json')
    const { error, requestId } = JSON.parse(refused.text)
    assert.equal(error.code, 'unavailable')
    assert.ok(requestId)
  })
})
