import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addressOf, randomKey } from './api.ts'

test('an address is the path below the base with its parameters escaped', () =>
  assert.equal(addressOf('/leads/:id/sales', { id: 'a/b?c' }, undefined), '/api/v1/leads/a%2Fb%3Fc/sales'))

test('a query leaves out what is empty and keeps zero and false', () =>
  assert.equal(
    addressOf('/accounts/:id/leads', { id: 'a1' }, { search: '', cursor: undefined, limit: 0, unattributed: false }),
    '/api/v1/accounts/a1/leads?limit=0&unattributed=false',
  ))

test('idempotency keys are 128 random bits', () => {
  assert.match(randomKey(), /^[0-9a-f]{32}$/)
  assert.notEqual(randomKey(), randomKey())
})
