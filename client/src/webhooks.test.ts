import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { verifyWebhook, WebhookVerificationError } from './index.ts'

const now = new Date('2026-07-27T21:01:10Z')
const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const other = `whsec_${Buffer.alloc(32, 8).toString('base64')}`
const body = JSON.stringify({ id: 'e-1', type: 'lead.created', data: { object: { id: 'lead-1', lastName: 'Öz 🚀' } } })

function signed(text: string | Uint8Array, secrets: string[], at = now) {
  const timestamp = String(Math.floor(at.getTime() / 1000))
  const signatures = secrets.map((one) => {
    const key = Buffer.from(one.replace('whsec_', ''), 'base64')
    return `v1,${createHmac('sha256', key).update(`e-1.${timestamp}.`).update(text).digest('base64')}`
  })
  return { 'webhook-id': 'e-1', 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') }
}

const refusal = async (...call: Parameters<typeof verifyWebhook>) => {
  const error = await verifyWebhook(...call).catch((error: unknown) => error)
  assert.ok(error instanceof WebhookVerificationError, String(error))
  return error.reason
}

test('the test vector of Standard Webhooks verifies, though it is not one of our events', async () => {
  const headers = {
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  }
  const at = { now: new Date(1614265330_000) }
  const vector = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
  assert.equal(await refusal('{"test": 2432232314}', headers, vector, at), 'body-unreadable')
  assert.equal(await refusal('{"test": 2432232315}', headers, vector, at), 'signature-wrong')
})

test('a delivery returns its event, in any form of headers and body', async () => {
  const headers = signed(body, [secret])
  const upper = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), [value]]))
  const bytes = new TextEncoder().encode(body)
  for (const given of [headers, new Headers(headers), upper])
    for (const form of [body, bytes, bytes.buffer]) {
      const event = await verifyWebhook(form, given, secret, { now })
      assert.ok(event.type === 'lead.created')
      assert.equal(event.data.object.lastName, 'Öz 🚀')
    }
})

test('while a secret is being replaced, either side may switch first', async () => {
  const both = signed(body, [other, secret])
  await verifyWebhook(body, both, secret, { now })
  await verifyWebhook(body, signed(body, [secret]), [other, secret], { now })
  assert.equal(await refusal(body, signed(body, [secret]), other, { now }), 'signature-wrong')
  assert.equal(await refusal(body, signed(body, [secret]), [], { now }), 'signature-wrong')
})

test('a delivery that was changed, belongs to another webhook or is unsigned is refused', async () => {
  const headers = signed(body, [secret])
  const wrong: [string, Record<string, string | undefined>, string][] = [
    [`${body} `, headers, 'signature-wrong'],
    [body.replace('lead-1', 'lead-2'), headers, 'signature-wrong'],
    [body, { ...headers, 'webhook-id': 'e-2' }, 'signature-wrong'],
    [body, { ...headers, 'webhook-timestamp': String(Number(headers['webhook-timestamp']) + 1) }, 'signature-wrong'],
    [body, { ...headers, 'webhook-signature': headers['webhook-signature'].replace('v1,', 'v2,') }, 'signature-wrong'],
    [body, { ...headers, 'webhook-signature': headers['webhook-signature'].slice(0, -6) }, 'signature-wrong'],
    [body, { ...headers, 'webhook-signature': 'v1,' }, 'signature-wrong'],
    [body, { ...headers, 'webhook-signature': 'v1,not base64 at all!' }, 'signature-wrong'],
    [
      body,
      { ...headers, 'webhook-signature': `${'v1,AAAA '.repeat(50)}${headers['webhook-signature']}` },
      'signature-wrong',
    ],
    [body, { ...headers, 'webhook-signature': undefined }, 'headers-missing'],
    [body, { ...headers, 'webhook-id': '' }, 'headers-missing'],
    [body, {}, 'headers-missing'],
  ]
  for (const [text, given, reason] of wrong)
    assert.equal(await refusal(text, given, secret, { now }), reason, JSON.stringify(given))
})

test('a delivery is accepted within the tolerance, to the second and in both directions', async () => {
  const headers = signed(body, [secret])
  const at = (seconds: number) => ({ now: new Date(now.getTime() + seconds * 1000) })
  for (const seconds of [300, -300]) await verifyWebhook(body, headers, secret, at(seconds))
  for (const seconds of [301, -301, 1e9])
    assert.equal(await refusal(body, headers, secret, at(seconds)), 'timestamp-out-of-tolerance')
  await verifyWebhook(body, headers, secret, { ...at(3000), toleranceSeconds: 3600 })
  for (const timestamp of ['', 'soon', '1e9', '-1', 'NaN', '99999999999999', '0x10'])
    assert.match(
      await refusal(body, { ...headers, 'webhook-timestamp': timestamp }, secret, { now }),
      /timestamp-out-of-tolerance|headers-missing/,
    )
})

test('a signed body that is not an event is unreadable; an invalid secret is the receiver’s mistake', async () => {
  for (const text of [
    '',
    'null',
    '[]',
    '7',
    '{',
    '{"type":7}',
    Uint8Array.from('{"type":"\xff"}', (letter) => letter.charCodeAt(0)),
  ])
    assert.equal(await refusal(text, signed(text, [secret]), secret, { now }), 'body-unreadable', String(text))
  for (const none of ['', 'whsec_', 'whsec_ä'])
    await assert.rejects(verifyWebhook(body, signed(body, [secret]), none, { now }), TypeError)
})
