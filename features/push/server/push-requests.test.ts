import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anAccount, anEmail, expectOk, startApp, type TestAccount, waitUntil } from '#test/support/app.ts'
import { freshDatabase } from '#test/support/postgres.ts'

const app = await startApp()

async function aKey({ id, token }: TestAccount): Promise<string> {
  return expectOk(await app.api('PUT', `/accounts/${id}/api-key`, { token })).body.apiKey
}

const list = async ({ id, token }: TestAccount, query = 'limit=100') =>
  expectOk(await app.api('GET', `/accounts/${id}/push-requests?${query}`, { token })).body

/** Returns the list once it has that many entries. */
const logged = (account: TestAccount, count: number) =>
  waitUntil(async () => {
    const body = await list(account)
    return body.total === count && body
  })

const inShort = ({ path, status, error, rows, failedRows }: Record<string, unknown>) => [
  path,
  status,
  (error as { code: string } | null)?.code ?? null,
  rows,
  failedRows,
]

test('every push call is logged with its outcome, including refused ones, newest first', async () => {
  const account = await anAccount(app)
  const token = await aKey(account)
  const push = (what: string, body: unknown, headers = {}) => app.api('POST', `/push/${what}`, { token, body, headers })
  await push('leads', { email: anEmail() })
  await push('sales', {})
  await push('leads', [{ email: anEmail() }, { firstName: 'Nobody' }, { phone: 'x' }])
  await push('leads', '{')
  await push('refunds', 'x', { 'content-type': 'text/csv' })
  await push('sales', JSON.stringify({ externalId: 'x'.repeat(1_000_100) }))
  await push('leads', { email: anEmail(), '\u0000\ud800': 1 })

  const { items, total, nextCursor } = await logged(account, 7)
  assert.deepEqual(items.map(inShort), [
    ['/push/leads', 422, 'validation_failed', null, null],
    ['/push/sales', 413, 'payload_too_large', null, null],
    ['/push/refunds', 415, 'unsupported_media_type', null, null],
    ['/push/leads', 400, 'malformed_request', null, null],
    ['/push/leads', 200, null, 3, 2],
    ['/push/sales', 422, 'validation_failed', null, null],
    ['/push/leads', 201, null, null, null],
  ])
  assert.equal(items[5].error.message, 'External ID is required.')
  assert.deepEqual([total, nextCursor], [7, null])
  const page = await list(account, 'limit=2')
  assert.deepEqual(page.items, items.slice(0, 2))
  assert.deepEqual((await list(account, `limit=2&cursor=${page.nextCursor}`)).items, items.slice(2, 4))
})

test('an unknown key leaves no trace, and each account sees only its own requests', async () => {
  const [mine, theirs] = [await anAccount(app), await anAccount(app)]
  const [myKey, theirKey] = [await aKey(mine), await aKey(theirs)]
  for (const token of ['no-such-key', mine.token, theirKey, myKey])
    await app.api('POST', '/push/leads', { token, body: { email: anEmail() } })
  assert.equal((await logged(mine, 1)).items[0].status, 201)
  assert.equal((await logged(theirs, 1)).items[0].status, 201)
  assert.equal((await app.api('GET', `/accounts/${mine.id}/push-requests`, { token: theirs.token })).status, 404)
})

test('the last 100 are kept, also when many are sent at once', async () => {
  const account = await anAccount(app)
  const token = await aKey(account)
  const refused = () => app.api('POST', '/push/refunds', { token, body: {} })
  await Promise.all(Array.from({ length: 60 }, refused))
  await logged(account, 60)
  await Promise.all(Array.from({ length: 230 }, refused))
  await app.api('POST', '/push/leads', { token, body: { email: anEmail() } })
  // the excess is deleted right after the new ones arrive
  await waitUntil(async () => {
    const { items } = await list(account)
    assert.deepEqual([items[0].status, items.length], [201, 100])
    const { count } = await app.services.db.one<{ count: number }>`
      select count(*) as count from push_requests where account_id = ${account.id}`
    assert.equal(count, 100)
    return true
  })
})

test('calls above the limit are logged', async () => {
  const limited = await startApp({ config: { rateLimitFactor: 1 } })
  const account = await anAccount(limited)
  const { apiKey } = expectOk(
    await limited.api('PUT', `/accounts/${account.id}/api-key`, { token: account.token }),
  ).body
  for (let sent = 0; sent <= 120; sent++) await limited.api('POST', '/push/refunds', { token: apiKey, body: {} })
  const first = await waitUntil(async () => {
    const reply = await limited.api('GET', `/accounts/${account.id}/push-requests`, { token: account.token })
    return reply.body.items.find(({ status }: { status: number }) => status === 429)
  })
  assert.equal(first.error.code, 'rate_limited')
})

test('collected log lines are written when the process stops', async () => {
  const db = await freshDatabase()
  const stopping = await startApp({ db })
  const account = await anAccount(stopping)
  const { apiKey } = expectOk(
    await stopping.api('PUT', `/accounts/${account.id}/api-key`, { token: account.token }),
  ).body
  await stopping.api('POST', '/push/leads', { token: apiKey, body: { email: anEmail() } })
  await stopping.close()
  const rows = await db.many<{ status: number }>`select status from push_requests`
  assert.deepEqual(rows, [{ status: 201 }])
})
