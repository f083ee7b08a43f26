import assert from 'node:assert/strict'
import { createSign, generateKeyPairSync, randomUUID } from 'node:crypto'
import { after, beforeEach, test } from 'node:test'
import { crc32 } from 'node:zlib'
import { standInPaypal } from '../../../../test/fakes/paypal.ts'
import { paypalPayment, type Signer, wholeSeconds } from '../../../../test/fakes/paypal-events.ts'
import { createOutbound } from '../../../platform/http/outbound.ts'
import type { ProviderAdapter } from '../provider.ts'
import { createPaypal, paypal as withNodesRoots } from './adapter.ts'

const shop = await standInPaypal()
const direct = createOutbound({ allowPrivate: false })
after(() => Promise.all([shop.close(), direct.close()]))

const WEBHOOK = '5GP028458E2496506'
const AT_PAYPAL = 'https://api.paypal.com/v1/notifications/certs/'
const PAYPALS = /^https:\/\/[a-z.-]+\.paypal\.com\//
/** Calls to PayPal's own addresses go to the stand-in; all others are recorded. */
const requestedUrls: string[] = []
const outbound: typeof direct = {
  ...direct,
  provider(url, request) {
    requestedUrls.push(url)
    return direct.provider(url.replace(PAYPALS, `${shop.url}/`), request)
  },
}
const application = { clientId: null, secretKey: null, webhookSecret: null }
const live = { apiUrl: null, application, outbound, now: new Date() }
const sandbox = { ...live, apiUrl: 'https://api-m.sandbox.paypal.com' }
const body = JSON.stringify(paypalPayment({ amount: 1000 }).completed)

let paypal: ProviderAdapter
beforeEach(() => {
  paypal = createPaypal({ trusted: () => [shop.root] })
  requestedUrls.splice(0)
  shop.calm()
})

type Sent = Partial<Signer> & {
  signed?: string
  sent?: string
  headers?: Record<string, string>
  adapter?: ProviderAdapter
  reach?: typeof live | typeof sandbox
  webhookId?: string
}

/** Returns the adapter's result for bytes signed by PayPal, with these changes. */
function receive({ signed = body, sent = signed, headers, adapter = paypal, reach = live, ...given }: Sent = {}) {
  const { key, certificateUrl, webhookId: signedFor } = { ...shop.signer(WEBHOOK, `${AT_PAYPAL}CERT-1`), ...given }
  const [id, time] = [randomUUID(), wholeSeconds(new Date())]
  const text = `${id}|${time}|${given.webhookId ?? signedFor}|${crc32(signed)}`
  return adapter.receive({
    raw: Buffer.from(sent),
    url: 'https://partners.example/hooks/providers/paypal/x',
    headers: {
      'paypal-transmission-id': id,
      'paypal-transmission-time': time,
      'paypal-transmission-sig': createSign('RSA-SHA256').update(text).sign(key, 'base64'),
      'paypal-cert-url': certificateUrl,
      'paypal-auth-algo': 'SHA256withRSA',
      ...headers,
    },
    credentials: { ...shop.credentials, webhookId: WEBHOOK },
    reach,
  })
}
const certificateUrl = (name: string) => `${AT_PAYPAL}${name}`

test('the checksum of the bytes is the one that PayPal signs', () => {
  assert.equal(crc32('123456789'), 3_421_780_262)
})

test('an event signed by PayPal is read from its own bytes', async () => {
  const pretty = JSON.stringify(JSON.parse(body), null, 2)
  for (const signed of [body, pretty, body.replace('Ada', 'Zoë 🦊')]) {
    const events = await receive({ signed })
    assert.equal(events?.length, 1)
    assert.equal(events[0]?.body, signed)
    assert.equal(events[0]?.type, 'PAYMENT.CAPTURE.COMPLETED')
  }
})

test('an altered event, or one signed for another webhook or by someone else, is refused', async () => {
  const stranger = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
  const refused: Sent[] = [
    { sent: body.replace('10.00', '90.00') },
    { sent: `${body}\n` },
    { webhookId: 'WEBHOOK_ID' },
    { webhookId: '8PT597110X687430L' },
    { key: stranger },
    { headers: { 'paypal-auth-algo': 'SHA1withRSA' } },
    { headers: { 'paypal-auth-algo': '' } },
    { headers: { 'paypal-transmission-sig': 'AAAA' } },
    { headers: { 'paypal-transmission-sig': '' } },
    { headers: { 'paypal-transmission-time': '2020-01-01T00:00:00Z' } },
    { headers: { 'paypal-transmission-id': 'another' } },
  ]
  for (const sent of refused) assert.equal(await receive(sent), null, JSON.stringify(sent))
})

test('a certificate is accepted from PayPal only, and no other host is asked for one', async () => {
  const { port } = shop
  const elsewhere = [
    'http://api.paypal.com/v1/notifications/certs/CERT-1',
    'https://api.paypal.com:8443/v1/notifications/certs/CERT-1',
    'https://user@api.paypal.com/v1/notifications/certs/CERT-1',
    'https://paypal.com.shop.example/CERT-1',
    'https://notpaypal.com/CERT-1',
    'https://api.paypal.com@shop.example/CERT-1',
    'https://shop.example/#.paypal.com',
    `http://127.0.0.1:${port}/v1/notifications/certs/CERT-1`,
    'file:///etc/passwd',
    'CERT-1',
    '',
  ]
  for (const certificateUrl of elsewhere) assert.equal(await receive({ certificateUrl }), null, certificateUrl)
  assert.deepEqual(requestedUrls, [])
})

test('the sandbox does not sign for live, nor live for the sandbox', async () => {
  const ofSandbox = 'https://api.sandbox.paypal.com/v1/notifications/certs/CERT-1'
  assert.equal(await receive({ certificateUrl: ofSandbox }), null)
  assert.equal(await receive({ reach: sandbox }), null)
  assert.equal((await receive({ certificateUrl: ofSandbox, reach: sandbox }))?.length, 1)
})

test('a certificate that is expired, not yet valid, for another name or from an untrusted issuer is refused', async () => {
  assert.equal((await receive({ certificateUrl: certificateUrl('whole') }))?.length, 1)
  for (const name of ['expired', 'future', 'of-another'])
    assert.equal(await receive({ certificateUrl: certificateUrl(name) }), null, name)
  const later = { ...live, now: new Date(Date.now() + 366 * 86_400_000) }
  assert.equal((await receive())?.length, 1)
  assert.equal(await receive({ reach: later }), null)
})

test('PayPal’s API verifies the signature if no trusted issuer of the certificate is found', async () => {
  const checks = () => shop.callsTo('POST /v1/notifications/verify-webhook-signature')
  for (const name of ['alone', 'by-a-shop', 'by-nobody']) {
    assert.equal((await receive({ certificateUrl: certificateUrl(name) }))?.length, 1, name)
    assert.equal(await receive({ certificateUrl: certificateUrl(name), sent: body.replace('10.00', '90.00') }), null)
  }
  assert.equal(checks().length, 6)
  assert.ok(checks()[0]?.raw.endsWith(`,"webhook_event":${body}}`))
  // this machine's roots do not trust a stand-in
  assert.equal((await receive({ adapter: withNodesRoots }))?.length, 1)
  assert.equal(checks().length, 7)
  // text that would end the request early is never inserted
  const injected = `{}, "webhook_id":"WEBHOOK_ID", "webhook_event":${body}`
  assert.equal(await receive({ certificateUrl: certificateUrl('alone'), signed: injected }), null)
  assert.equal(checks().length, 7)
  shop.fail(/verify-webhook-signature/, { status: 503 })
  await assert.rejects(receive({ certificateUrl: certificateUrl('alone') }), { kind: 'unavailable' })
})

test('an unreadable certificate leaves the event for later', async () => {
  for (const name of ['none-there', 'not-one'])
    await assert.rejects(receive({ certificateUrl: certificateUrl(name) }), { kind: 'unavailable' }, name)
  for (const failure of [{ status: 500 }, { status: 429, retryAfter: 5 }, 'reset-before', 'garbage'] as const) {
    shop.fail(/CERT-1/, failure)
    await assert.rejects(receive(), { kind: 'unavailable' }, JSON.stringify(failure))
  }
  assert.equal((await receive())?.length, 1)
})

test('a certificate is fetched once, and a limited number is cached', async () => {
  await receive()
  await receive()
  assert.deepEqual(requestedUrls, [certificateUrl('CERT-1')])
  for (let other = 0; other < 16; other++) await receive({ certificateUrl: `${certificateUrl('CERT-1')}?${other}` })
  requestedUrls.splice(0)
  await receive({ certificateUrl: `${certificateUrl('CERT-1')}?15` })
  assert.deepEqual(requestedUrls, [])
  await receive()
  assert.deepEqual(requestedUrls, [certificateUrl('CERT-1')])
})

test('with an address configured by the operator, certificates come from that address', async () => {
  const reach = { ...live, apiUrl: shop.url }
  const own = (name: string) => ({ certificateUrl: `${shop.url}/v1/notifications/certs/${name}`, reach })
  for (const name of ['CERT-1', 'alone', 'whole']) assert.equal((await receive(own(name)))?.length, 1, name)
  assert.equal(await receive(own('expired')), null)
  assert.equal(await receive({ ...own('CERT-1'), certificateUrl: `${shop.url.slice(0, -1)}0.example/CERT-1` }), null)
})

test('a signed body that is not an event is refused as such', async () => {
  for (const signed of ['not json', '[]', '{}', '{"id":"WH-1","event_type":"X","create_time":"yesterday"}'])
    await assert.rejects(receive({ signed }), { kind: 'invalid' }, signed)
})
