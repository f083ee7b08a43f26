import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { after, test } from 'node:test'
import Fastify from 'fastify'
import { callerAddress, cleanForwardedFor, createTrust } from './caller-address.ts'

const proxies = ['127.0.0.1', '10.0.0.0/8', 'fd00::/8']
const peers = ['127.0.0.1', '::ffff:127.0.0.1', '10.1.2.3', '203.0.113.7', 'fd00::1', '2001:db8::1']
const headerValues = [
  undefined,
  '198.51.100.1',
  '198.51.100.1:567',
  '198.51.100.1, 10.9.9.9',
  '192.0.2.9, 198.51.100.1, 10.9.9.9, 10.8.8.8',
  '10.9.9.9',
  ' 198.51.100.1 ',
  '2001:db8::7',
  '[2001:db8::7]:99',
  'fe80::1%eth0',
  'unknown',
  '198.51.100.1, junk, 192.0.2.4',
  '',
]

for (const trusted of [[], proxies])
  test(`the caller is the one that Fastify determines, with ${trusted.length} proxies trusted`, async () => {
    const fastify = Fastify({ trustProxy: trusted.length > 0 ? trusted : false })
    after(() => fastify.close())
    fastify.get('/', (request) => {
      if (trusted.length > 0) cleanForwardedFor(request.raw.headers)
      return request.ip
    })
    const trusts = createTrust(trusted)
    for (const peer of peers)
      for (const one of headerValues) {
        const headers = one === undefined ? {} : { 'x-forwarded-for': one }
        const { body } = await fastify.inject({ url: '/', remoteAddress: peer, headers })
        const request = { headers: { ...headers }, socket: { remoteAddress: peer } } as unknown as IncomingMessage
        assert.equal(callerAddress(request, trusts), body, `${peer}, ${one}`)
      }
  })

const cleaned = (headerValue: string | undefined) => {
  const headers = { 'x-forwarded-for': headerValue }
  cleanForwardedFor(headers)
  return headers['x-forwarded-for']
}

test('addresses keep their order, without the ports that some proxies append', () => {
  assert.equal(cleaned('192.0.2.1'), '192.0.2.1')
  assert.equal(cleaned('192.0.2.1:567'), '192.0.2.1')
  assert.equal(cleaned('[2001:db8::1]:567, 192.0.2.1:9'), '2001:db8::1, 192.0.2.1')
  assert.equal(cleaned('[2001:db8::1],2001:db8::2'), '2001:db8::1, 2001:db8::2')
  assert.equal(cleaned(undefined), undefined)
})

test('an invalid address is not trusted, nor anything before it', () => {
  assert.equal(cleaned('203.0.113.9, junk, 192.0.2.1'), '192.0.2.1')
  const junk = ['unknown', '', ' ', '192.0.2.1:567:8', '1.2.3', '2130706433', '_hidden', 'x'.repeat(5000)]
  for (const forwarded of [...junk, `fe80::1%${'a'.repeat(5000)}`, '192.0.2.1:', '192.0.2.1:123456', '[192.0.2.1'])
    assert.equal(cleaned(forwarded), undefined, forwarded.slice(0, 40))
})
