import assert from 'node:assert/strict'
import { BlockList } from 'node:net'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { AllowedIp } from '#contract/incoming-webhooks.ts'
import { isAllowedIp, normalizedIps } from './allowed-ips.ts'

describe('allowed addresses', () => {
  for (const [given, kept] of [
    ['203.0.113.7', '203.0.113.7'],
    ['203.0.113.7/32', '203.0.113.7'],
    ['203.0.113.7/24', '203.0.113.0/24'],
    ['0.0.0.0/0', '0.0.0.0/0'],
    ['::FFFF:203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7/120', '203.0.113.0/24'],
    ['2001:DB8:0:0:0:0:0:7', '2001:db8::7'],
    ['2001:db8::7/32', '2001:db8::/32'],
    ['2001:db8::7/128', '2001:db8::7'],
    ['::ffff:203.0.113.7/90', '::ffc0:0:0/90'],
    ['::203.0.113.7', '::cb00:7107'],
  ] as const)
    test(`${given} is stored as ${kept}`, () => assert.deepEqual(normalizedIps([AllowedIp.parse(given)]), [kept]))

  test('the same network given twice is stored once', () => {
    assert.deepEqual(normalizedIps(['203.0.113.7/24', '::ffff:203.0.113.0/120']), ['203.0.113.0/24'])
  })

  for (const wrong of [
    ...['', 'localhost', '203.0.113', '203.0.113.256', '203.0.113.07', '3405803783', '0xcb007107', '203.0.113.7/33'],
    ...['203.0.113.7/', '203.0.113.7/-1', '203.0.113.7/024', '203.0.113.7/24/24', '203.0.113.7:80', '2001:db8::7/129'],
    ...['fe80::1%eth0', '[2001:db8::7]', '2001:db8:::7', '*', `2001:db8::${'0'.repeat(44)}`, '203.0.113.7\u0000'],
  ])
    test(`${JSON.stringify(wrong)} is refused`, () => assert.equal(AllowedIp.safeParse(wrong).success, false))

  test('an address is allowed by any network that contains it, in every notation', () => {
    const allowed = normalizedIps(['203.0.113.0/24', '2001:db8::/32', '198.51.100.7'])
    for (const address of ['203.0.113.9', '::ffff:203.0.113.9', '2001:db8:1::', '2001:0DB8::1', '198.51.100.7'])
      assert.equal(isAllowedIp(allowed, address), true, address)
    for (const address of ['203.0.114.1', '::ffff:198.51.100.8', '2001:db9::', '::', '', 'unknown', '::203.0.113.9'])
      assert.equal(isAllowedIp(allowed, address), false, address)
    assert.equal(isAllowedIp([], '203.0.114.1'), true)
    assert.equal(isAllowedIp(['::ffc0:0:0/90'], '203.0.113.9'), true)
  })

  test('the stored list accepts and refuses the same addresses as Node’s own', () => {
    const v4 = fc.ipV4()
    const v6 = fc.oneof(
      fc.ipV6(),
      v4.map((address) => `::ffff:${address}`),
    )
    const one = fc.oneof(
      fc.tuple(v4, fc.constant('ipv4' as const), fc.integer({ min: 0, max: 32 })),
      fc.tuple(v6, fc.constant('ipv6' as const), fc.integer({ min: 0, max: 128 })),
    )
    fc.assert(
      fc.property(one, fc.oneof(v4, v6), ([address, family, bits], from) => {
        fc.pre(AllowedIp.safeParse(`${address}/${bits}`).success)
        const kept = normalizedIps([`${address}/${bits}`])
        assert.deepEqual(normalizedIps(kept), kept)
        assert.equal(AllowedIp.safeParse(kept[0]).success, true)
        const list = new BlockList()
        list.addSubnet(address, bits, family)
        for (const caller of [from, address])
          assert.equal(isAllowedIp(kept, caller), list.check(caller, caller.includes(':') ? 'ipv6' : 'ipv4'), caller)
      }),
    )
  })

  test('no text makes the list throw, or allow something that is not an address', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[0-9a-f:./%]{0,45}$/)), (text) => {
        if (AllowedIp.safeParse(text).success) assert.equal(normalizedIps([text]).length, 1)
        assert.equal(typeof isAllowedIp(['203.0.113.0/24'], text), 'boolean')
      }),
    )
  })
})
