import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Slug } from '#contract/slugs.ts'
import { slugFor } from './slugs.ts'

test('an address is suggested from the account’s name, if it can be one', () => {
  const suggested = {
    'Harbor Analytics': 'harbor-analytics',
    'Zoë & Søren, Inc.': 'zoe-s-ren-inc',
    [`${'Long '.repeat(8)}name`]: 'long-long-long-long-long-long-long-long',
    Thanks: '',
    שלום: '',
    'A!': '',
  }
  for (const [name, slug] of Object.entries(suggested)) {
    assert.equal(slugFor(name), slug)
    assert.ok(slug === '' || Slug.safeParse(slug).success, slug)
  }
  assert.equal(slugFor(null), '')
})
