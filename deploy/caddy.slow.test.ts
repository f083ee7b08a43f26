import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:http2'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import { ADMINISTRATOR } from '../test/support/app.ts'
import { noCaddy, startCaddy } from '../test/support/caddy.ts'
import { BROWSER } from '../test/support/links.ts'
import { NAME } from '../test/support/over-tls.ts'
import { createTestDatabase } from '../test/support/postgres.ts'
import { aSellingAccount, type Running, type SellingAccount, startProduct } from '../test/support/running.ts'

// Two web processes behind the shipped Caddy configuration.

suite('behind the shipped Caddy configuration', { skip: noCaddy }, () => {
  let folder: string
  let caddy: Awaited<ReturnType<typeof startCaddy>>
  const running: Running[] = []
  let account: SellingAccount

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tributary-behind-caddy-'))
    const { url } = await createTestDatabase()
    const shared = {
      DATABASE_URL: url,
      SECRET_KEY: randomBytes(32).toString('base64'),
      APP_URL: `https://${NAME}`,
      TRUST_PROXY: '127.0.0.1',
      PROCESS_ROLE: 'web',
    }
    for (let n = 0; n < 2; n++) running.push(await startProduct(folder, shared))
    caddy = await startCaddy(running.map(({ url }) => url))
    account = await aSellingAccount(running[0]!)
  })

  after(async () => {
    await caddy?.end()
    for (const { product } of running) await product.end('SIGKILL')
    await rm(folder, { recursive: true, force: true })
  })

  const json = { 'content-type': 'application/json' }
  const visit = () => caddy.ask(`/r/${account.blueprint.key}/${account.code}`, { headers: { 'user-agent': BROWSER } })
  const push = (path: string, body: unknown) =>
    caddy.ask(path, {
      method: 'POST',
      headers: { ...json, authorization: `Bearer ${account.apiKey}` },
      body: JSON.stringify(body),
    })
  const pushSale = (externalId: string) =>
    push('/api/v1/push/sales', { externalId, referralCode: account.code, email: 'a@buyer.example', amount: 10_00 })

  test('a visit is redirected, and the sale that follows is recorded', async () => {
    const visited = await visit()
    assert.equal(visited.status, 302)
    assert.ok(new URL(String(visited.headers.location)).searchParams.get('click'))
    const pushed = await pushSale('after-the-visit')
    assert.equal(pushed.status, 201, pushed.text)
  })

  test('the caller’s address is the real one, whatever headers the request has', async () => {
    const { email, password } = ADMINISTRATOR
    const from = '127.0.0.7'
    for (const claim of ['203.0.113.9', '127.0.0.1, unknown']) {
      const headers = { 'x-forwarded-for': claim, 'x-real-ip': claim, forwarded: `for=${claim}` }
      const signedIn = await caddy.ask('/api/v1/auth/sign-in', {
        ...{ method: 'POST', from, headers: { ...json, ...headers } },
        body: JSON.stringify({ email, password }),
      })
      const authorization = `Bearer ${JSON.parse(signedIn.text).accessToken}`
      const { text } = await caddy.ask('/api/v1/users/me/sessions', { from, headers: { ...headers, authorization } })
      const current = JSON.parse(text).items.find(({ current }: { current: boolean }) => current)
      assert.equal(current.address, from)
    }
  })

  test('HTTP/2 works, and a page is compressed once', async () => {
    const session = connect(`https://${NAME}:${caddy.port}`, { ca: caddy.ca, servername: NAME, lookup: toHere })
    const call = session.request({ ':path': '/', 'accept-encoding': 'gzip, br' })
    const [headers] = await once(call, 'response')
    assert.equal(headers[':status'], 200)
    const [page] = (await call.toArray()).slice(0, 1)
    session.close()
    const encoding = headers['content-encoding']
    assert.match(String(encoding), /^(br|gzip)$/)
    assert.ok(page.length > 0)
  })

  test('the process’s health is public, its metrics are not', async () => {
    assert.equal((await caddy.ask('/metrics')).status, 404)
    assert.equal((await caddy.ask('/health/ready')).status, 200)
  })

  test('large bodies are accepted only on the routes that allow them', async () => {
    const sized = (path: string, bytes: number) => push(path, { text: 'x'.repeat(bytes) })
    const file = await sized(`/api/v1/accounts/${account.id}/imports`, 20_000_000)
    assert.ok('x-request-id' in file.headers && file.status !== 413, 'a file to import')
    // refusing a large body does not mark the process as down
    for (let n = 0; n < 3; n++) {
      // or the connection ends before the whole body was sent
      const refused = await sized('/api/v1/push/sales', 4_000_000).catch(() => null)
      assert.equal(refused?.status ?? 413, 413)
      assert.equal((await pushSale(`beside-large-${n}`)).status, 201)
    }
  })

  test('links and sales still work after one process is killed', async () => {
    await running[0]!.product.end('SIGKILL')
    for (let n = 0; n < 20; n++) {
      assert.equal((await visit()).status, 302)
      const { status, text } = await pushSale(`after-the-end-${n}`)
      assert.equal(status, 201, `${n}: ${text}`)
    }
  })

  test('callers get Retry-After when no process is left', async () => {
    assert.deepEqual(await running[1]!.product.end('SIGTERM'), { code: 0, signal: null })
    const { status, headers, text } = await caddy.ask('/sales')
    assert.equal(status, 503)
    assert.equal(headers['retry-after'], '2')
    assert.match(text, /restarting/)
  })
})

type Told = (error: null, address: { address: string; family: number }[]) => void
const toHere = (_name: string, _options: object, told: Told) => told(null, [{ address: '127.0.0.1', family: 4 }])
