import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fakeReceiver } from '#test/fakes/receiver.ts'
import { anAccount, aPartner, expectOk, startApp, waitUntil } from '#test/support/app.ts'

// The recipes of docs/integrations/n8n-zapier-make.md, as these services run them.

const page = readFileSync(new URL('../../../docs/integrations/n8n-zapier-make.md', import.meta.url), 'utf8')
const app = await startApp({ config: { allowPrivateWebhookTargets: true, logLevel: 'silent' as const }, worker: true })

/** Returns the value at a path of an object, such as `data.object.amount`. */
const at = (value: unknown, path: string) =>
  path.split('.').reduce((found, key) => (found as Record<string, unknown> | undefined)?.[key], value)

test('the documented bodies are taken, and begin a flow with the documented fields', async () => {
  const receiver = await fakeReceiver()
  const account = await anAccount(app)
  const its = (method: string, path: string, body?: unknown) => app.api(method, path, { token: account.token, body })
  const home = `/accounts/${account.id}`
  await aPartner(app, account, { firstName: 'Jane', lastName: 'Whitfield', referralCode: 'jane' })
  const webhook = { name: 'n8n', url: receiver.url, events: ['sale.created'], headers: { 'X-Flow-Key': 'ours' } }
  expectOk(await its('POST', `${home}/outgoing-webhooks`, webhook))
  const { apiKey } = expectOk(await its('PUT', `${home}/api-key`)).body

  const recipes = [...page.matchAll(/`(POST) \/api\/v1([^`]+)`:\n\n```json\n(.+?)\n```/gs)]
  assert.equal(recipes.length, 3)
  for (const twice of [1, 2])
    for (const [, method, path, body] of recipes) {
      const { status, body: answer } = await app.api(method!, path!, { token: apiKey, body: JSON.parse(body!) })
      assert.ok(status === (twice === 1 ? 201 : 200), `${path}: ${status} ${JSON.stringify(answer)}`)
    }

  const [delivery] = await receiver.waitFor(1)
  assert.equal(delivery!.headers['x-flow-key'], 'ours')
  const rows = [...page.matchAll(/^\| .+ \| `\{\{ \$json\.body\.([\w.]+) \}\}` \| `(\w+)` \| `([\w.]+)` \|$/gm)]
  assert.equal(rows.length, 5)
  for (const [, n8n, zapier, make] of rows) {
    assert.equal(n8n, make)
    assert.equal(zapier, make!.replaceAll('.', '__'))
    assert.ok(at(delivery!.body, make!) !== undefined, make)
  }
  const { amount, partnerName } = at(delivery!.body, 'data.object') as Record<string, unknown>
  assert.deepEqual([amount, partnerName], [4999, 'Jane Whitfield'])
  await waitUntil(() => receiver.deliveries.length === 1)
  await receiver.close()
})

test('the documented call reads with a key that may, and text in place of an amount is refused', async () => {
  const account = await anAccount(app)
  await aPartner(app, account, { firstName: 'Jane', referralCode: 'jane-2' })
  const path = /`GET \/api\/v1([^`]+)`/.exec(page)![1]!.replace('ACCOUNT_ID', account.id)
  const given = { token: account.token, body: { name: 'Flow', rights: ['read'] } }
  const { key } = expectOk(await app.api('POST', `/accounts/${account.id}/api-keys`, given)).body
  assert.equal(expectOk(await app.api('GET', path, { token: key })).body.items.length, 1)
  const { apiKey } = expectOk(await app.api('PUT', `/accounts/${account.id}/api-key`, { token: account.token })).body
  const body = { externalId: 'deal-89', email: 'a@b.example', amount: '4999', currency: 'usd' }
  const { status } = await app.api('POST', '/push/sales', { token: apiKey, body })
  assert.equal(status, 422)
})
