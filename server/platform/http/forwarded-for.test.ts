import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cleanForwardedFor } from './forwarded-for.ts'

const cleaned = (said: string | undefined) => {
  const headers = { 'x-forwarded-for': said }
  cleanForwardedFor(headers)
  return headers['x-forwarded-for']
}

test('addresses stay, in their order, without the ports that some proxies append', () => {
  assert.equal(cleaned('192.0.2.1'), '192.0.2.1')
  assert.equal(cleaned('192.0.2.1:567'), '192.0.2.1')
  assert.equal(cleaned('[2001:db8::1]:567, 192.0.2.1:9'), '2001:db8::1, 192.0.2.1')
  assert.equal(cleaned('[2001:db8::1],2001:db8::2'), '2001:db8::1, 2001:db8::2')
  assert.equal(cleaned(undefined), undefined)
})

test('what is no address is not believed, nor what was said before it', () => {
  assert.equal(cleaned('203.0.113.9, junk, 192.0.2.1'), '192.0.2.1')
  const junk = ['unknown', '', ' ', '192.0.2.1:567:8', '1.2.3', '2130706433', '_hidden', 'x'.repeat(5000)]
  for (const said of [...junk, `fe80::1%${'a'.repeat(5000)}`, '192.0.2.1:', '192.0.2.1:123456', '[192.0.2.1'])
    assert.equal(cleaned(said), undefined, said.slice(0, 40))
})
