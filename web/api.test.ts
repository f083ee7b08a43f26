import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildAddress, randomKey, readRefusal } from './api.ts'

test('an address is the path below the base with its parameters escaped', () =>
  assert.equal(buildAddress('/leads/:id/sales', { id: 'a/b?c' }, undefined), '/api/v1/leads/a%2Fb%3Fc/sales'))

test('a query omits empty values and keeps zero and false', () =>
  assert.equal(
    buildAddress('/accounts/:id/leads', { id: 'a1' }, { search: '', cursor: undefined, limit: 0, unattributed: false }),
    '/api/v1/accounts/a1/leads?limit=0&unattributed=false',
  ))

test('idempotency keys are 128 random bits', () => {
  assert.match(randomKey(), /^[0-9a-f]{32}$/)
  assert.notEqual(randomKey(), randomKey())
})

const refused = (error: object, status = 409) =>
  readRefusal(Response.json({ error, requestId: 'r1' }, { status, headers: { 'retry-after': '3' } }))

test('a refusal has the server’s message', async () => {
  const values = { max: 10 }
  const error = await refused({ code: 'validation_failed', reason: 'too_many_layers', message: 'At most 10.', values })
  assert.deepEqual(
    [error.message, error.reason, error.values, error.retryAfter],
    ['At most 10.', 'too_many_layers', { max: 10 }, 3],
  )
  const older = await refused({ code: 'conflict', message: 'In use.' })
  assert.deepEqual([older.message, older.reason, older.values], ['In use.', null, {}])
})
