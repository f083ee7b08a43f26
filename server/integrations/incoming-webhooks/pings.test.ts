import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { anAccount, expectOk, startApp } from '../../../test/support/app.ts'

const app = await startApp({ config: { secretKey: randomBytes(32) } })
const { db } = app.services
const account = await anAccount(app)

const HMAC = { type: 'header-hmac', header: 'X-WC-Webhook-Signature', encoding: 'base64', secret: 'of the shop' }
type Asked = { method?: string; query?: string; body?: string; type?: string }

async function aHook(fields: object = {}, { id, token } = account) {
  const call = (method: string, path: string, body?: unknown) => app.api(method, path, { token, body })
  const body = { name: 'Shop', target: 'lead', auth: HMAC, ...fields }
  const { body: hook } = expectOk(await call('POST', `/accounts/${id}/incoming-webhooks`, body))
  const path = `/incoming-webhooks/${hook.id}`
  const read = async () => expectOk(await call('GET', path)).body
  const list = async () => expectOk(await call('GET', `${path}/deliveries`)).body.items
  return {
    ...hook,
    read,
    list,
    remove: async () => expectOk(await call('DELETE', path)),
    async ask({ method = 'POST', query = '', body, type = 'application/json' }: Asked) {
      const response = await fetch(`${hook.url}${query}`, {
        method,
        ...(body !== undefined && { body, headers: { 'content-type': type } }),
      })
      return [response.status, response.headers.get('content-type')?.split(';')[0], await response.text()]
    },
    /** Whether the time of the last test was stored, with nothing else. */
    async isPinged() {
      const { lastPingAt, lastReceivedAt, sample } = await read()
      const deliveries = await list()
      assert.deepEqual([lastReceivedAt, sample, deliveries], [null, null, []])
      await db.run`update incoming_webhooks set last_ping_at = null where id = ${hook.id}`
      return lastPingAt !== null
    },
  }
}

const FORM = 'application/x-www-form-urlencoded'
/** Letters, digits and signs that keys are made of. */
const LONGEST = `${'aZ09_.~:-'.repeat(22)}xy`
const echoed: [string, Asked, string][] = [
  ['Mailchimp', { method: 'GET' }, ''],
  ['HEAD', { method: 'HEAD' }, ''],
  ['HEAD with a challenge', { method: 'HEAD', query: '?challenge=abc' }, ''],
  ['WooCommerce', { body: 'webhook_id=142', type: FORM }, ''],
  ['nothing', { body: '' }, ''],
  ['white space', { body: ' \r\n' }, ''],
  ['a challenge', { method: 'GET', query: `?challenge=${LONGEST}` }, LONGEST],
  ['a hub', { method: 'GET', query: '?hub.mode=subscribe&hub.challenge=1158201444&hub.verify_token=x' }, '1158201444'],
  ['a check', { method: 'GET', query: '?check=a.b' }, 'a.b'],
  ['a validation token', { query: '?validationToken=v-1~2%3A3', body: '', type: 'text/plain' }, 'v-1~2:3'],
  ['one of two', { method: 'GET', query: '?challenge=%3Cb%3E&check=good' }, 'good'],
  ['a page', { method: 'GET', query: '?challenge=%3Cscript%3E' }, ''],
  ['a line', { method: 'GET', query: '?challenge=a%0Ab' }, ''],
  ['too long a one', { method: 'GET', query: `?challenge=${LONGEST}z` }, ''],
  ['two of a name', { method: 'GET', query: '?challenge=a&challenge=b' }, ''],
]
test('they are answered 200 without proof, and only their time is stored', async () => {
  const hook = await aHook()
  assert.equal(hook.lastPingAt, null)
  for (const [name, asked, echo] of echoed) {
    assert.deepEqual(await hook.ask(asked), [200, 'text/plain', echo], name)
    assert.ok(await hook.isPinged(), name)
  }
  const slack = {
    token: 'Jhj5dZrVaK7ZwHHjRyZWjbDl',
    challenge: '3eZbrw1aBm2rZgRNFdxV2595E9CYZ',
    type: 'url_verification',
  }
  for (const body of [slack, { challenge: LONGEST }]) {
    const { challenge } = body
    assert.deepEqual(await hook.ask({ body: JSON.stringify(body) }), [
      200,
      'application/json',
      JSON.stringify({ challenge }),
    ])
    assert.ok(await hook.isPinged())
  }
})

test('whatever says more is a delivery, and needs its proof', async () => {
  const hook = await aHook()
  for (const [body, query] of [
    ['webhook_id=142&id=1'],
    ['webhook_id=abc'],
    ['{"webhook_id": 142}'],
    ['{"challenge": "abc", "email": "a@b.example"}'],
    ['{"challenge": "<b>"}'],
    ['{"challenge": 1}'],
    [`{"challenge": "${LONGEST}z"}`],
    ['{"type": "url_verification", "token": "x"}'],
    ['{"a": ', '?challenge=abc'],
    ['{"email": "a@b.example"}', '?challenge=abc'],
  ] as [string, string?][]) {
    const [status, , text] = await hook.ask({ body, query: query ?? '', type: FORM })
    assert.deepEqual([status, JSON.parse(String(text)).error.reason], [401, 'incoming_not_proven'], body)
  }
  const { lastPingAt } = await hook.read()
  assert.deepEqual([lastPingAt, (await hook.list()).length], [null, 10])
  const open = await aHook({ auth: { type: 'url-secret' } })
  const challenge = '{"challenge": "abc", "email": "a@b.example"}'
  const [status] = await open.ask({ body: challenge })
  assert.deepEqual([status, (await open.read()).sample], [200, JSON.parse(challenge)])
})

test('they are limited like deliveries: to allowed addresses, known ones and enabled accounts', async () => {
  const hook = await aHook({ allowedIps: ['203.0.113.9'] })
  for (const method of ['GET', 'HEAD', 'POST']) {
    assert.equal((await hook.ask({ method, ...(method === 'POST' && { body: '' }) }))[0], 403)
    assert.equal((await fetch(`${app.url}/hooks/in/unknown`, { method })).status, 404)
  }
  assert.equal(await hook.isPinged(), false)
  const gone = await aHook()
  await gone.remove()
  assert.equal((await gone.ask({ method: 'GET' }))[0], 404)
  const its = await anAccount(app)
  const { url } = await aHook({}, its)
  await db.run`update accounts set disabled_at = ${new Date(app.clock.now().getTime() - 40 * 86_400_000)} where id = ${its.id}`
  assert.equal((await fetch(url)).status, 403)
})
