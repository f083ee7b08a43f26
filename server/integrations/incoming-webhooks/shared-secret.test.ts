import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { anAccount, expectOk, startApp, waitUntil } from '../../../test/support/app.ts'

const app = await startApp({ config: { secretKey: randomBytes(32) }, worker: true })
const { db } = app.services
const account = await anAccount(app)
const SECRET = 'k9-of the owner'

const call = (method: string, path: string, body?: unknown) => app.api(method, path, { token: account.token, body })

async function aHook(auth: object, fields: object = {}) {
  const body = {
    ...{ name: 'Shop', target: 'lead', mapping: [{ field: 'email', path: 'email' }] },
    auth: { type: 'shared-secret', secret: SECRET, ...auth },
    ...fields,
  }
  const { body: hook } = expectOk(await call('POST', `/accounts/${account.id}/incoming-webhooks`, body))
  const path = `/incoming-webhooks/${hook.id}`
  return {
    ...hook,
    path,
    async send(
      body: string,
      headers: Record<string, string> = {},
    ): Promise<{ status: number; body: { deliveryId: string } }> {
      const response = await fetch(hook.url, { method: 'POST', body, headers })
      return { status: response.status, body: await response.json() }
    },
    processed: (id: string) =>
      waitUntil(async () => {
        const { body } = expectOk(await call('GET', `${path}/deliveries/${id}`))
        return body.state === 'received' ? null : body
      }),
  }
}

for (const [sender, auth, good] of [
  ['Gravity Forms', { in: 'header', name: 'X-Webhook-Secret' }, { 'x-webhook-secret': SECRET }],
  ['Kajabi', { in: 'header', name: 'Authorization', prefix: 'Bearer ' }, { authorization: `Bearer ${SECRET}` }],
] as [string, { in: 'header'; name: string; prefix?: string }, Record<string, string>][])
  test(`${sender} authenticates with its secret alone`, async () => {
    const hook = await aHook(auth)
    const { name, prefix } = auth
    assert.deepEqual(hook.auth, { type: 'shared-secret', in: 'header', name, prefix: prefix?.trim() ?? null })
    const body = '{"email": "anna@customer.example"}'
    const { status, body: sent } = await hook.send(body, good)
    assert.deepEqual([status, (await hook.processed(sent.deliveryId)).state], [200, 'processed'])
    const [[header, value]] = Object.entries(good) as [[string, string]]
    for (const wrong of [
      '',
      value.slice(0, -1),
      `${value}x`,
      value.replace('Bearer', 'bearer').replace(/^k9/, 'K9'),
      prefix ? SECRET : `Bearer ${SECRET}`,
    ])
      assert.equal((await hook.send(body, { [header]: wrong })).status, 401, wrong)
    assert.equal((await hook.send(body, { 'x-other': value })).status, 401)
    assert.equal((await hook.send(`{"${name}": "${SECRET}"}`)).status, 401)
  })

test('ThriveCart sends its secret in a field, which is never stored', async () => {
  const hook = await aHook({ in: 'field', name: 'thrivecart_secret' })
  const sample = await aHook({ in: 'field', name: 'key' }, { mapping: [] })
  const form = (key: string, value: string) =>
    String(new URLSearchParams({ [key]: value, email: 'ben@customer.example', 'customer[id]': '55' }))
  const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
  for (const [to, name] of [
    [hook, 'thrivecart_secret'],
    [sample, 'key'],
  ] as const) {
    const { status, body } = await to.send(form(name, SECRET), FORM)
    assert.equal(status, 200)
    const { payload } = await to.processed(body.deliveryId)
    assert.deepEqual(payload, { email: 'ben@customer.example', customer: { id: '55' } })
    assert.equal((await to.send(`{"${name}": "${SECRET}", "email": "carl@customer.example"}`)).status, 200)
    for (const wrong of [form(name, 'x'), form(name, ''), form('other', SECRET), `{"in": {"${name}": "${SECRET}"}}`])
      assert.equal((await to.send(wrong, FORM)).status, 401, wrong)
    for (const wrong of [
      `[{"${name}": "${SECRET}"}]`,
      `{"${name}": ["x", "${SECRET}"]}`,
      `{"${name}": "${SECRET}"`,
      'x',
    ])
      assert.equal((await to.send(wrong)).status, 401, wrong)
    assert.equal((await to.send('{"email": "a@b.example"}', { [name]: SECRET })).status, 401)
  }
  const rows = await db.many`
    select payload::text from incoming_deliveries union all select metadata::text from leads
    union all select auth::text from incoming_webhooks union all select data::text from events`
  assert.ok(rows.length > 10)
  assert.ok(!JSON.stringify(rows).includes(SECRET))
})

test('a shared secret is kept when the rest changes, and a header has a name of letters', async () => {
  const hook = await aHook({ in: 'header', name: 'X-Key' })
  const change = async (auth: object) => call('PUT', hook.path, { auth: { type: 'shared-secret', ...auth } })
  expectOk(await change({ in: 'header', name: 'X-Other' }))
  assert.equal((await hook.send('{"email": "a@customer.example"}', { 'x-other': SECRET })).status, 200)
  assert.deepEqual(Object.keys((await change({ in: 'header', name: 'X Key' })).body.error.fields), ['auth.name'])
  assert.equal((await change({ in: 'field', name: 'the key' })).status, 200)
  const bare = { name: 'Shop', target: 'lead', auth: { type: 'shared-secret', in: 'header', name: 'X' } }
  assert.equal((await call('POST', `/accounts/${account.id}/incoming-webhooks`, bare)).status, 422)
})
