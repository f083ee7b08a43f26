import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { IncomingAuth } from '#contract/incoming-webhooks.ts'
import { checkAuthenticity, type Proof } from './authenticate.ts'
import vector from './standard-webhooks.vector.json' with { type: 'json' }

const now = new Date('2026-03-09T10:00:00Z')
const SECONDS = String(now.getTime() / 1000)
const MS = String(now.getTime())
const url = 'https://tributary.example/hooks/in/token?a=b'
const body = '{"payload":{"email":"lena@mail.example","name":"Léna 😀"}}\r\n'
const secret = 'shared with the sender'
const sign = (text: string, encoding: 'hex' | 'base64', key = secret) =>
  createHmac('sha256', key).update(text).digest(encoding)

type Given = Partial<Extract<IncomingAuth, { type: 'header-hmac' }>>
const STANDARD: Given = {
  ...{ header: 'webhook-signature', encoding: 'base64', prefix: 'v1,', signed: '{id}.{timestamp}.{body}' },
  ...{ layout: 'spaced', timestampHeader: 'webhook-timestamp', idHeader: 'webhook-id', key: 'standard' },
}

const proofOf = (given: Given) => IncomingAuth.parse({ type: 'header-hmac', header: 'X', secret, ...given }) as Proof
const reasonFor = (proof: Proof, headers: Record<string, string>, request: { body?: string; at?: Date } = {}) =>
  checkAuthenticity(proof, {
    headers,
    url,
    raw: Buffer.from(request.body ?? body),
    payload: null,
    now: request.at ?? now,
  })?.reason ?? null
const later = (ms: number) => new Date(now.getTime() + ms)

/** Signatures as documented by the senders, each with the headers of one request. */
const ways: { name: string; given: Given; headers: (time?: string) => Record<string, string>; isTimed?: true }[] = [
  {
    name: 'Typeform',
    given: { header: 'Typeform-Signature', encoding: 'base64', prefix: 'sha256=' },
    headers: () => ({ 'typeform-signature': `sha256=${sign(body, 'base64')}` }),
  },
  {
    name: 'Cal.com',
    given: { header: 'X-Cal-Signature-256' },
    headers: () => ({ 'x-cal-signature-256': sign(body, 'hex') }),
  },
  {
    name: 'Webflow',
    given: { header: 'X-Webflow-Signature', signed: 'timestamp-colon-body', timestampHeader: 'X-Webflow-Timestamp' },
    headers: (time = MS) => ({
      'x-webflow-timestamp': time,
      'x-webflow-signature': sign(`${time}:${body}`, 'hex'),
    }),
    isTimed: true,
  },
  {
    name: 'Calendly',
    given: { header: 'Calendly-Webhook-Signature', signed: 'timestamp-dot-body', prefix: 'v1=' },
    headers: (time = SECONDS) => ({
      'calendly-webhook-signature': `t=${time},v1=${sign(`${time}.${body}`, 'hex')}`,
    }),
    isTimed: true,
  },
  {
    name: 'HubSpot',
    given: {
      header: 'X-HubSpot-Signature-v3',
      encoding: 'base64',
      signed: 'method-url-body-timestamp',
      timestampHeader: 'X-HubSpot-Request-Timestamp',
    },
    headers: (time = MS) => ({
      'x-hubspot-request-timestamp': time,
      'x-hubspot-signature-v3': sign(`POST${url}${body}${time}`, 'base64'),
    }),
    isTimed: true,
  },
  {
    name: 'Framer',
    given: {
      ...{ header: 'Framer-Signature', prefix: 'sha256=', signed: '{body}{id}' },
      idHeader: 'Framer-Webhook-Submission-Id',
    },
    headers: () => ({
      'framer-webhook-submission-id': 'sub_1',
      'framer-signature': `sha256=${sign(`${body}sub_1`, 'hex')}`,
    }),
  },
  {
    name: 'Recurly',
    given: { header: 'recurly-signature', signed: '{timestamp}.{body}', layout: 'listed' },
    headers: (time = MS) => ({
      'recurly-signature': `${time},${sign(`${time}.${body}`, 'hex', 'the next secret')},${sign(`${time}.${body}`, 'hex')}`,
    }),
    isTimed: true,
  },
  {
    name: 'Standard Webhooks',
    given: STANDARD,
    headers: (time = SECONDS) => ({
      'webhook-id': 'msg_1',
      'webhook-timestamp': time,
      'webhook-signature': `v1,${sign(`msg_1.${time}.${body}`, 'base64', 'the next secret')} v1,${sign(`msg_1.${time}.${body}`, 'base64')}`,
    }),
    isTimed: true,
  },
]

for (const { name, given, headers, isTimed } of ways)
  test(`${name} authenticates with its secret alone`, () => {
    const proof = proofOf(given)
    assert.equal(reasonFor(proof, headers()), null)
    assert.equal(reasonFor(proofOf({ ...given, secret: 'another' }), headers()), 'incoming_not_proven')
    assert.equal(reasonFor(proof, headers(), { body: `${body} ` }), 'incoming_not_proven')
    for (const header of Object.keys(headers())) {
      const { [header]: _, ...others } = headers()
      assert.equal(reasonFor(proof, others), 'incoming_not_proven', `without ${header}`)
      assert.equal(reasonFor(proof, { ...others, [header]: '' }), 'incoming_not_proven', `with an empty ${header}`)
    }
    if (!isTimed) return assert.equal(reasonFor(proof, headers(), { at: later(86_400_000) }), null)
    for (const [ms, reason] of [
      [300_000, null],
      [-300_000, null],
      [301_000, 'incoming_signature_late'],
      [-301_000, 'incoming_signature_late'],
    ] as const)
      assert.equal(reasonFor(proof, headers(), { at: later(ms) }), reason, `${ms} ms later`)
    for (const time of ['', '0', '-1', 'NaN', '1e12', `${SECONDS}.0`, `${MS}0000`])
      assert.equal(reasonFor(proof, headers(time)), 'incoming_not_proven', `at ${time}`)
  })

test('an unsigned timestamp proves nothing, even if it is current', () => {
  const [, , webflow, calendly] = ways
  const old = String(later(-3_600_000).getTime())
  const unsignedHeaders = { ...webflow!.headers(old), 'x-webflow-timestamp': MS }
  assert.equal(reasonFor(proofOf(webflow!.given), unsignedHeaders), 'incoming_not_proven')
  const [, signature] = calendly!.headers('1741514400')['calendly-webhook-signature']!.split(',')
  const forged = { 'calendly-webhook-signature': `t=${SECONDS},${signature}` }
  assert.equal(reasonFor(proofOf(calendly!.given), forged), 'incoming_not_proven')
})

test('the published vector of Standard Webhooks is authentic, and nothing beside it', () => {
  const { secret, id, timestamp, payload, signature } = vector
  const at = new Date(Number(timestamp) * 1000)
  const headers = { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature }
  const proof = proofOf({ ...STANDARD, secret })
  const reason = (proof: Proof, more: object = {}, body = payload) =>
    reasonFor(proof, { ...headers, ...more }, { body, at })
  assert.equal(reason(proof), null)
  assert.equal(reason(proofOf({ ...STANDARD, secret: secret.replace('whsec_', '') })), null)
  assert.equal(reason(proof, { 'webhook-signature': `v1a,${signature.slice(3)} v1,eA== ${signature}` }), null)
  const wrong = 'incoming_not_proven'
  assert.equal(reason(proofOf({ ...STANDARD, secret, key: 'text' })), wrong, 'the key is not decoded')
  assert.equal(reason(proof, { 'webhook-id': `${id}x` }), wrong)
  assert.equal(reason(proof, { 'webhook-timestamp': `${Number(timestamp) + 1}` }), wrong)
  assert.equal(reason(proof, { 'webhook-signature': signature.replace('v1,', 'v1a,') }), wrong)
  assert.equal(reason(proof, { 'webhook-signature': signature.replace('v1,', 'v2,') }), wrong)
  assert.equal(reason(proof, {}, `${payload} `), wrong)
  assert.equal(reasonFor(proof, headers, { body: payload }), 'incoming_signature_late')
})

test('the secret of Standard Webhooks is base64 or its text, but never an empty key', () => {
  const signed = (key: string | Buffer) =>
    `v1,${createHmac('sha256', key).update(`msg_1.${SECONDS}.${body}`).digest('base64')}`
  const reason = (secret: string, key: string | Buffer) =>
    reasonFor(proofOf({ ...STANDARD, secret }), {
      ...{ 'webhook-id': 'msg_1', 'webhook-timestamp': SECONDS, 'webhook-signature': signed(key) },
    })
  const polar = 'polar_whs_Zm9yIHRlc3RzIG9ubHksIG5vdCBhIHNlY3JldA'
  assert.equal(reason(polar, polar), null)
  assert.equal(reason(polar, Buffer.from(polar, 'base64')), null)
  assert.equal(reason(`whsec_${Buffer.from(secret).toString('base64')}`, secret), null)
  for (const odd of ['whsec_', '!', 'a', '====', 'whsec_=']) {
    assert.equal(reason(odd, ''), 'incoming_not_proven', odd)
    assert.equal(reason(odd, odd), null, odd)
  }
})

test('one valid signature of several is enough, in any order', () => {
  const proof = proofOf({ signed: 'timestamp-dot-body', prefix: 'v1=' })
  const good = `v1=${sign(`${SECONDS}.${body}`, 'hex')}`
  const other = `v1=${sign(`${SECONDS}.${body}`, 'hex', 'the next secret')}`
  for (const x of [
    `t=${SECONDS},${other},${good}`,
    `${good}, t=${SECONDS}`,
    `ts=${SECONDS};${good}`,
    `v0=1,t=${SECONDS},${good}`,
  ])
    assert.equal(reasonFor(proof, { x }), null, x)
  for (const x of [`t=${SECONDS},${other}`, `t=${SECONDS},v0${good.slice(2)}`, `t=${SECONDS}`, good, `t=,${good}`])
    assert.equal(reasonFor(proof, { x }), 'incoming_not_proven', x)
})

test('a signature over a timestamp names the header that has it', () => {
  const auth = { type: 'header-hmac', header: 'X', secret, signed: 'timestamp-dot-body' }
  const { error } = IncomingAuth.safeParse(auth)
  assert.deepEqual(
    error?.issues.map(({ path }) => path.join('.')),
    ['timestampHeader'],
  )
  assert.ok(IncomingAuth.safeParse({ ...auth, prefix: 'v1=' }).success)
  assert.ok(IncomingAuth.safeParse({ ...auth, timestampHeader: 'X-Time' }).success)
  assert.ok(!IncomingAuth.safeParse({ ...auth, timestampHeader: 'X Time:' }).success)
})

test('a signed text contains the body once, and an ID with the header that has it', () => {
  const auth = { type: 'header-hmac', header: 'X', secret }
  const wrong = (more: object) =>
    IncomingAuth.safeParse({ ...auth, ...more }).error?.issues.map(({ path }) => path.join('.')) ?? []
  for (const signed of ['{timestamp}', '{body}{body}', '{body}{name}', '{body', '{{body}}', 'text', 'constructor'])
    assert.deepEqual(wrong({ signed, timestampHeader: 'X-Time', idHeader: 'X-ID' }), ['signed'], signed)
  assert.deepEqual(wrong({ signed: '{id}.{body}' }), ['idHeader'])
  assert.deepEqual(wrong({ signed: '{id}.{body}', idHeader: 'X-ID' }), [])
  for (const layout of ['single', 'spaced', 'named'])
    assert.deepEqual(wrong({ signed: '{timestamp}.{body}', layout }), ['timestampHeader'], layout)
  assert.deepEqual(wrong({ signed: '{timestamp}.{body}', layout: 'listed' }), [])
  assert.deepEqual(wrong({ signed: '{timestamp}.{body}', layout: 'named', prefix: 'v1=' }), [])
})
