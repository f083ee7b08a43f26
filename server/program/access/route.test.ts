import assert from 'node:assert/strict'
import { type ClientRequest, createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { assertRefused, createCaller } from '../../../test/support/api.ts'
import {
  anAccount,
  anEmail,
  aPartner,
  PASSWORD,
  signIn,
  startApp,
  tokenInLink,
  turnableClock,
  waitUntil,
} from '../../../test/support/app.ts'
import { setUpUrl } from '../../program/auth/invitations.ts'

const clock = turnableClock()
const app = await startApp({ clock })
const account = await anAccount(app)
const owner = createCaller(app, account.token)
const admin = createCaller(app, account.admin)
const home = `/accounts/${account.id}`

test('every accepted e-mail is trimmed and stored in lower case', async () => {
  const name = anEmail('Case')
  const typed = `  ${name.toUpperCase()}\t`
  const kept = name.toLowerCase()
  const partner = await owner.post(`${home}/partners`, { email: typed })
  assert.equal(partner.email, kept)
  assertRefused(await owner.call('POST', `${home}/partners`, { email: kept }), 409, 'duplicate', ['email'])
  const changed = anEmail('New')
  assert.equal(
    (await owner.put(`/partners/${partner.id}`, { email: ` ${changed.toUpperCase()} ` })).email,
    changed.toLowerCase(),
  )
  const lead = await owner.post(`${home}/leads`, { email: typed })
  assert.equal(lead.email, kept)
  const other = anEmail('Lead')
  assert.equal((await owner.put(`/leads/${lead.id}`, { email: ` ${other.toUpperCase()}` })).email, other.toLowerCase())
  const made = await admin.post('/accounts', { owner: { email: ` ${anEmail('OWNER').toUpperCase()} ` } })
  assert.equal(made.owner.email, made.owner.email.trim().toLowerCase())
  const again = await app.api('POST', '/auth/sign-in', {
    body: { email: ` ${account.ownerEmail.toUpperCase()} `, password: PASSWORD },
  })
  assert.equal(again.status, 200)
})

test('a list is newest first with an exact total, and refuses a cursor of another sort or list', async () => {
  const own = await anAccount(app)
  const { get, call, post } = createCaller(app, own.token)
  const path = `/accounts/${own.id}/leads`
  for (let number = 0; number < 30; number++) await post(path, { email: anEmail(), firstName: `N${number}` })
  const page = await get(path)
  assert.deepEqual([page.items.length, page.total, page.items[0].firstName], [25, 30, 'N29'])
  const rest = await get(`${path}?cursor=${page.nextCursor}`)
  assert.deepEqual([rest.items.length, rest.nextCursor, rest.total, rest.items.at(-1).firstName], [5, null, 30, 'N0'])
  assertRefused(await call('GET', `${path}?sort=name&cursor=${page.nextCursor}`), 422, 'validation_failed', ['cursor'])
  const wrong = [
    ['-createdAt', '2026-02-30 25:61:00', '01900000-0000-7000-8000-000000000000'],
    ['-createdAt', '2026-02-28 25:61:00+00', '01900000-0000-7000-8000-000000000000'],
    ['-salesRevenue', 'many', '01900000-0000-7000-8000-000000000000'],
    ['-salesRevenue', '99999999999999999999', '01900000-0000-7000-8000-000000000000'],
  ]
  for (const parts of wrong) {
    const cursor = Buffer.from(JSON.stringify(parts)).toString('base64url')
    const reply = await call('GET', `${path}?sort=${parts[0]}&cursor=${cursor}`)
    assertRefused(reply, 422, 'validation_failed', ['cursor'])
  }
})

test('filters take several values by comma, and none', async () => {
  const own = await anAccount(app)
  const { get, post } = createCaller(app, own.token)
  const path = `/accounts/${own.id}/leads`
  const [one, two] = [await aPartner(app, own), await aPartner(app, own)]
  const add = (partnerId: string | null) => post(path, { email: anEmail(), partnerId })
  const [a, b, c] = [await add(one.id), await add(two.id), await add(null)]
  await post(`/leads/${b.id}/status`, { status: 'qualified' })
  await post(`/leads/${c.id}/status`, { status: 'lost', reason: 'spam' })
  const found = async (query: string) =>
    (await get(`${path}?sort=createdAt&${query}`)).items.map(({ id }: { id: string }) => id)
  assert.deepEqual(await found('status=new,qualified'), [a.id, b.id])
  assert.deepEqual(await found(`partnerId=${one.id},none`), [a.id, c.id])
  assert.deepEqual(await found('partnerId=none'), [c.id])
  assert.deepEqual(await found(`partnerId=${two.id}&status=lost`), [])
  assert.deepEqual(await found('partnerId=unknown'), [])
  const sub = await aPartner(app, own, { parentPartnerId: one.id })
  const partners = (await get(`/accounts/${own.id}/partners?parentPartnerId=none&sort=createdAt`)).items
  assert.deepEqual(
    partners.map(({ id }: { id: string }) => id),
    [one.id, two.id],
  )
  assert.equal((await get(`/accounts/${own.id}/partners?parentPartnerId=${one.id}`)).items[0].id, sub.id)
})

test('from and to are inclusive dates in the account’s time zone', async (t) => {
  t.after(() => clock.set(new Date()))
  for (const [timeZone, at, day] of [
    ['Pacific/Kiritimati', '2026-03-10T10:30:00Z', '2026-03-11'],
    ['America/New_York', '2026-03-11T03:59:00Z', '2026-03-10'],
    ['America/New_York', '2026-03-08T05:00:00Z', '2026-03-08'],
  ] as const) {
    clock.set('2026-03-01T00:00:00Z')
    const own = await anAccount(app, { timeZone })
    clock.set(at)
    const { get, post } = createCaller(app, (await signIn(app, own.ownerEmail)).token)
    const lead = await post(`/accounts/${own.id}/leads`, { email: anEmail() })
    const sale = await post(`/leads/${lead.id}/sales`, { amount: 100 })
    assert.equal(sale.saleDate, day)
    const [before, after] = [-1, 1].map((days) =>
      new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10),
    )
    for (const list of ['leads', 'sales']) {
      const total = async (query: string) => (await get(`/accounts/${own.id}/${list}?${query}`)).total
      assert.equal(await total(`from=${day}&to=${day}`), 1, `${list} ${timeZone}`)
      assert.equal(await total(`to=${before}`), 0, `${list} ${timeZone}`)
      assert.equal(await total(`from=${after}`), 0, `${list} ${timeZone}`)
    }
    const { deltas } = await get(`/accounts/${own.id}/historical-stats/${day}..${day}`)
    assert.deepEqual([deltas.length, deltas[0].date, deltas[0].numberOfLeads, deltas[0].numberOfSales], [1, day, 1, 1])
  }
})

test('the same idempotency key and body get the first response; another body is refused; keys are per caller', async (t) => {
  t.after(() => clock.set(new Date()))
  const send = (body: unknown, key: string, by = owner, path = `${home}/leads`) =>
    by.call('POST', path, body, { 'idempotency-key': key })
  const body = { email: anEmail(), firstName: 'Once' }
  const first = await send(body, 'key-1')
  const again = await send(body, 'key-1')
  assert.deepEqual([first.status, again.status], [201, 201])
  assert.deepEqual(again.body, first.body)
  assert.equal(first.headers.get('idempotency-replayed'), null)
  assert.equal(again.headers.get('idempotency-replayed'), 'true')
  assertRefused(await send({ email: anEmail() }, 'key-1'), 409, 'idempotency_mismatch')
  const elsewhere = await send({ email: anEmail() }, 'key-1', owner, `${home}/partners`)
  assert.equal(elsewhere.status, 201, 'the key counts per call')
  const other = await anAccount(app)
  const theirs = await send(body, 'key-1', createCaller(app, other.token), `/accounts/${other.id}/leads`)
  assert.equal(theirs.headers.get('idempotency-replayed'), null)

  const refused = { email: 'no address' }
  assert.equal((await send(refused, 'key-2')).status, 422)
  assert.equal((await send({ email: anEmail() }, 'key-2')).status, 201, 'what was refused may be put right')
  assertRefused(await send({ email: anEmail() }, 'x'.repeat(256)), 422, 'validation_failed')

  const { apiKey } = (await owner.call('PUT', `${home}/api-key`, undefined, { 'idempotency-key': 'k' })).body
  const replay = await owner.call('PUT', `${home}/api-key`, undefined, { 'idempotency-key': 'k' })
  assert.deepEqual([replay.body.apiKey, replay.headers.get('idempotency-replayed')], [apiKey, 'true'])

  const lead = await owner.post(`${home}/leads`, { email: anEmail() })
  for (const replayed of [null, 'true']) {
    const gone = await owner.call('DELETE', `/leads/${lead.id}`, undefined, { 'idempotency-key': 'gone' })
    assert.deepEqual([gone.status, gone.body], [204, null])
    assert.equal(gone.headers.get('idempotency-replayed'), replayed)
  }
  const pushed = { externalId: 'idem', referralCode: (await aPartner(app, account)).referralCode, amount: 5 }
  const by = createCaller(app, apiKey)
  const push = () => by.call('POST', '/push/sales', pushed, { 'idempotency-key': 'push' })
  const [one, two] = [await push(), await push()]
  assert.deepEqual([one.status, two.status, two.body.id], [201, 201, one.body.id])
  assert.equal(two.headers.get('idempotency-replayed'), 'true')
})

test('an idempotency key is valid for a day, then can be used again', async (t) => {
  t.after(() => clock.set(new Date()))
  const { apiKey } = (await owner.call('PUT', `${home}/api-key`)).body
  const by = createCaller(app, apiKey)
  const sentAt = clock.now().getTime()
  const replayedAfter = async (minutes: number, email: string) => {
    clock.set(new Date(sentAt + minutes * 60_000))
    const { status, headers } = await by.call('POST', '/push/leads', { email }, { 'idempotency-key': 'for a day' })
    return [status, headers.get('idempotency-replayed')]
  }
  const [first, second] = [anEmail(), anEmail()]
  assert.deepEqual(await replayedAfter(0, first), [201, null])
  assert.deepEqual(await replayedAfter(24 * 60 - 1, first), [201, 'true'])
  assert.deepEqual(await replayedAfter(24 * 60 + 1, second), [201, null])
})

test('the same idempotency key sent concurrently has one effect', async () => {
  const email = anEmail()
  const replies = await Promise.all(
    Array.from({ length: 10 }, () => owner.call('POST', `${home}/leads`, { email }, { 'idempotency-key': 'at-once' })),
  )
  for (const { status, body, headers } of replies) {
    assert.ok(status === 201 || status === 409, JSON.stringify(body))
    if (status === 409) assert.ok(body.error.code === 'conflict' && Number(headers.get('retry-after')) > 0)
  }
  assert.equal((await owner.get(`${home}/leads?search=${encodeURIComponent(email)}`)).total, 1)
})

test('a call that asks a provider also runs once per idempotency key, and again if it failed', async (t) => {
  let requests = 0
  let status = 500
  const wise = createServer((_request, response) => {
    requests++
    setTimeout(() => {
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end('[{"id":1,"type":"PERSONAL","fullName":"A B"}]')
    }, 300)
  })
  await new Promise<void>((resolve) => wise.listen(0, '127.0.0.1', resolve))
  t.after(() => wise.close())
  const apiUrl = `http://127.0.0.1:${(wise.address() as AddressInfo).port}`
  const near = await startApp({ config: { wise: { apiUrl, apiVersion: 'classic', webhookKey: '' } } })
  const own = await anAccount(near)
  const call = () =>
    near.api('PUT', `/accounts/${own.id}/auto-payout-settings`, {
      token: own.token,
      body: { enabled: false, wiseToken: 'secret-token' },
      headers: { 'idempotency-key': 'once' },
    })
  const failed = await call()
  assert.ok(failed.status >= 400, String(failed.status))
  status = 200
  requests = 0
  const alone = await near.api('PUT', `/accounts/${own.id}/auto-payout-settings`, {
    token: own.token,
    body: { enabled: false, wiseToken: 'secret-token' },
  })
  assert.equal(alone.status, 200, JSON.stringify(alone.body))
  const askedAlone = requests
  requests = 0
  const replies = await Promise.all(Array.from({ length: 8 }, call))
  const done = replies.filter((reply) => reply.status === 200)
  assert.equal(done.length, 1)
  for (const reply of replies.filter((one) => !done.includes(one))) assertRefused(reply, 409, 'conflict')
  assert.equal(requests, askedAlone)
  const again = await call()
  assert.deepEqual([again.body, again.headers.get('idempotency-replayed')], [done[0]!.body, 'true'])
})

test('an error has its reason, its field and its request ID', async () => {
  const reply = await owner.call('PATCH', home, {
    defaultCommissionSettings: { layerRates: [10, 'much'] },
    payoutDelay: 15,
    colour: 'red',
  })
  assertRefused(reply, 422, 'validation_failed', ['defaultCommissionSettings.layerRates.1', 'payoutDelay', 'colour'])
  assert.equal(reply.body.requestId, reply.headers.get('x-request-id'))
  assert.deepEqual(Object.keys(reply.body).sort(), ['error', 'requestId'])
  const sum = await owner.call('PATCH', home, { defaultCommissionSettings: { layerRates: [60, 40.0001] } })
  assertRefused(sum, 422, 'validation_failed', ['defaultCommissionSettings.layerRates'])
  for (const layerRates of [[101], [-1], [0.00001], [], Array(11).fill(1)])
    assert.equal(
      (await owner.call('PATCH', home, { defaultCommissionSettings: { layerRates } })).status,
      422,
      String(layerRates),
    )
  for (const layerRates of [[0], [100], [99.9999, 0.0001], Array(10).fill(10), [7.5, 2.0001]])
    assert.deepEqual(
      (await owner.patch(home, { defaultCommissionSettings: { layerRates } })).defaultCommissionSettings,
      { layerRates },
    )
})

test('media types: only JSON, which may be named even without a body', async () => {
  const send = (body: string | undefined, type: string | null, path = `${home}/leads`) =>
    fetch(`${app.url}/api/v1${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${account.token}`, ...(type && { 'content-type': type }) },
      ...(body !== undefined && { body }),
    })
  const body = () => JSON.stringify({ email: anEmail() })
  assert.equal((await send(body(), 'application/json')).status, 201)
  assert.equal((await send(body(), 'application/json; charset=utf-8')).status, 201)
  assert.equal((await send(`\ufeff${body()}`, 'application/json')).status, 201)
  assert.equal((await send(body(), 'text/plain')).status, 415)
  assert.equal((await send(body(), 'application/x-www-form-urlencoded')).status, 415)
  assert.equal((await send('', 'application/json', `${home}/payouts/refresh`)).status, 200)
  assert.equal((await send(undefined, 'application/json', `${home}/payouts/refresh`)).status, 200)
  assert.equal((await send(undefined, null, `${home}/payouts/refresh`)).status, 200)
  assert.equal((await send('', 'application/json')).status, 422)
})

test('a caller sends a few large bodies at once, and leaves room for others', async () => {
  const others = await anAccount(app)
  const sent = new Set<ClientRequest>()
  const send = ({ id, token }: { id: string; token: string }) => {
    const { promise, resolve, reject } = Promise.withResolvers<number | undefined>()
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'content-length': 20_000_000,
    }
    const call = request(`${app.url}/api/v1/accounts/${id}/imports`, { method: 'POST', headers }, (answer) =>
      resolve(answer.resume().statusCode),
    )
    sent.add(call.on('error', reject))
    call.write('{')
    return Promise.race([promise, sleep(500, 'received')])
  }
  assert.deepEqual((await Promise.all(Array.from({ length: 6 }, () => send(account)))).map(String).sort(), [
    '503',
    '503',
    'received',
    'received',
    'received',
    'received',
  ])
  assert.equal(await send(others), 'received')
  for (const call of sent) call.on('error', () => {}).destroy()
  await waitUntil(async () => (await send(account)) === 'received')
  for (const call of sent) call.destroy()
})

test('a disabled account: its owner and partners read the account and themselves only', async () => {
  const own = await anAccount(app, { partnerVisibility: { leadNames: true } })
  const partner = await aPartner(app, own, {}, { signIn: true })
  const lead = await createCaller(app, own.token).post(`/accounts/${own.id}/leads`, {
    email: anEmail(),
    partnerId: partner.id,
  })
  const disabled = await admin.post(`/accounts/${own.id}/disable`, { reason: 'Unpaid.' })
  assert.ok(disabled.disabledAt)
  assert.equal(disabled.disabledReason, 'Unpaid.')
  for (const token of [own.token, partner.token]) {
    const { call, get } = createCaller(app, token)
    assert.equal((await get(`/accounts/${own.id}`)).disabledAt, disabled.disabledAt)
    assert.equal((await get('/users/me')).roles.length, 1)
    for (const path of [`/partners/${partner.id}`, `/leads/${lead.id}`])
      assertRefused(await call('GET', path), 403, 'account_disabled')
  }
  assertRefused(
    await createCaller(app, own.token).call('PATCH', `/accounts/${own.id}`, { name: 'x' }),
    403,
    'account_disabled',
  )
  const signedIn = await app.api('POST', '/auth/sign-in', {
    body: { email: own.ownerEmail, password: PASSWORD },
  })
  assert.equal(signedIn.status, 200)
  const same = await admin.post(`/accounts/${own.id}/disable`)
  assert.deepEqual([same.disabledAt, same.disabledReason], [disabled.disabledAt, 'Unpaid.'])
  const enabled = await admin.post(`/accounts/${own.id}/enable`)
  assert.deepEqual([enabled.disabledAt, enabled.disabledReason], [null, null])
  assert.equal((await createCaller(app, own.token).call('GET', `/leads/${lead.id}`)).status, 200)
})

test('of several roles the widest one decides what can be read', async () => {
  const own = await anAccount(app)
  const partner = await aPartner(app, own)
  const other = await anAccount(app)
  const as = createCaller(app, own.token)
  const row = await aPartner(app, other, { email: own.ownerEmail })
  const invitation = await app.services.db.one<{ id: string; sendCount: number }>`
    select id, send_count from invitations where partner_id = ${row.id}`
  await as.post('/auth/user-setup/accept', { token: tokenInLink(setUpUrl(app.services, invitation)) })
  const roles = (await as.get('/users/me')).roles.map(({ type }: { type: string }) => type)
  assert.deepEqual(roles.sort(), ['account-owner', 'partner'])
  assert.equal((await as.get(`/accounts/${own.id}`)).apiKey, null)
  assert.equal((await as.get(`/accounts/${other.id}`)).apiKey, undefined, 'there they are a partner')
  assert.equal((await as.get(`/partners/${row.id}`)).balanceDue, 0)
  assert.equal((await as.get(`/partners/${partner.id}`)).taxForm, null)
  assertRefused(await as.call('PATCH', `/accounts/${other.id}`, { name: 'x' }), 404, 'not_found')
  assertRefused(await as.call('GET', `/accounts/${other.id}/partners`), 404, 'not_found')
})

test('a caller who has lost their role does not get the stored response again', async () => {
  const own = await anAccount(app)
  const caller = createCaller(app, own.token)
  const { db } = app.services
  const path = `/accounts/${own.id}`
  const change = () => caller.call('PATCH', path, { name: 'Changed' }, { 'idempotency-key': 'as-owner' })
  await caller.put(`${path}/api-key`)
  const { apiKey } = (await change()).body
  assert.ok(apiKey)
  await db.run`
    insert into user_roles (user_id, type, created_at)
    select user_id, 'admin', now() from user_roles where account_id = ${own.id} and type = 'account-owner'`
  assert.equal((await change()).headers.get('idempotency-replayed'), 'true', 'as an owner still')
  await db.run`delete from user_roles where account_id = ${own.id} and type = 'account-owner'`
  const replay = await change()
  assertRefused(replay, 409, 'idempotency_mismatch')
  assert.ok(!JSON.stringify(replay.body).includes(apiKey))
})
