import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { buildBody as bodyIn, buildSignatureHeaders, signingKey } from './body.ts'

const bodyOf = (told: Parameters<typeof bodyIn>[0]) => bodyIn(told, { format: 'json', origin: '' })

const delivery = {
  eventId: 'e',
  event: 'lead.updated',
  at: '2026-03-09T12:00:00.000Z',
  accountId: 'a',
  webhookId: 'w',
  object: '{"id": "l", "email": "lena@customer.example"}',
  changes: '{"email": {"old": "a", "new": "b"}}',
}

test('a body names the event, its time, its account, the object and what changed', () => {
  assert.deepEqual(JSON.parse(bodyOf(delivery)!), {
    id: 'e',
    type: 'lead.updated',
    timestamp: '2026-03-09T12:00:00.000Z',
    apiVersion: '1',
    accountId: 'a',
    data: { object: { id: 'l', email: 'lena@customer.example' }, changes: { email: { old: 'a', new: 'b' } } },
  })
  for (const changes of ['{}', null])
    assert.deepEqual(Object.keys(JSON.parse(bodyOf({ ...delivery, changes })!).data), ['object'])
  assert.equal(bodyOf({ ...delivery, object: null }), null)
  assert.deepEqual(JSON.parse(bodyOf({ ...delivery, event: 'webhook.test', object: null })!).data, {
    object: { webhookId: 'w' },
  })
})

test('a body stays below 20 kB: the largest fields are omitted and named', () => {
  const object = { id: 'l', metadata: { words: 'é'.repeat(15_000) }, company: 'Quarry' }
  const body = bodyOf({ ...delivery, object: JSON.stringify(object), changes: '{"metadata": {"old": 1, "new": 2}}' })!
  assert.ok(Buffer.byteLength(body) < 20_000)
  assert.deepEqual(JSON.parse(body).data, {
    object: { ...object, metadata: null },
    omitted: ['changes', 'metadata'],
  })
})

test('the standard’s own library verifies the signature, with the current and the previous secret', () => {
  const secrets = [1, 2, 3].map((fill) => `whsec_${Buffer.alloc(32, fill).toString('base64')}`)
  const headers = buildSignatureHeaders('e', '{"a":"é"}', secrets.slice(0, 2).map(signingKey), new Date())
  for (const secret of secrets.slice(0, 2)) assert.ok(new Webhook(secret).verify('{"a":"é"}', headers))
  assert.throws(() => new Webhook(secrets[2]!).verify('{"a":"é"}', headers))
  assert.throws(() => new Webhook(secrets[0]!).verify('{"a":"e"}', headers))
  const late = buildSignatureHeaders('e', '{}', secrets.map(signingKey), new Date(Date.now() - 301_000))
  assert.throws(() => new Webhook(secrets[0]!).verify('{}', late))
})
