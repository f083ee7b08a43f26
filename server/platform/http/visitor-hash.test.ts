import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { createSecrets } from '../database/secrets.ts'
import { visitorHash } from './visitor-hash.ts'

test('a visitor is recognized for a day, by this install only; an IPv6 subscriber is one visitor', () => {
  const [mine, other] = [createSecrets(randomBytes(32)), createSecrets(randomBytes(32))]
  const at = new Date('2026-05-01T23:59:59Z')
  const hash = visitorHash(mine, '203.0.113.7', at)
  const salt = mine.derive('click-visitor', '2026-05-01')
  assert.equal(hash, createHash('sha256').update(`${salt} 203.0.113.7`).digest().readBigInt64BE())
  assert.equal(visitorHash(mine, '203.0.113.7', new Date('2026-05-01T00:00:00Z')), hash)
  assert.notEqual(visitorHash(mine, '203.0.113.7', new Date('2026-05-02T00:00:00Z')), hash)
  assert.notEqual(visitorHash(mine, '203.0.113.8', at), hash)
  assert.notEqual(visitorHash(other, '203.0.113.7', at), hash)
  assert.equal(visitorHash(mine, '2001:db8:1:2:3::4', at), visitorHash(mine, '2001:db8:1:2:5::6', at))
  assert.notEqual(visitorHash(mine, '2001:db8:1:2::1', at), visitorHash(mine, '2001:db8:1:3::1', at))
})
