import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildAddress, randomKey, readRefusal } from './api.ts'
import { refusalWords } from './words/refusals.ts'

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

test('a refusal has the server’s message if the language has no words for its reason', async () => {
  const values = { max: 10 }
  const error = await refused({ code: 'validation_failed', reason: 'too_many_layers', message: 'At most 10.', values })
  assert.deepEqual(
    [error.message, error.reason, error.values, error.retryAfter],
    ['At most 10.', 'too_many_layers', { max: 10 }, 3],
  )
  const older = await refused({ code: 'conflict', message: 'In use.' })
  assert.deepEqual([older.message, older.reason, older.values], ['In use.', null, {}])
})

test('a refusal appears in the language’s words for its reason, with its values, and under its field', async (t) => {
  refusalWords.too_many_layers = ({ max }) => `Höchstens ${max} Ebenen`
  t.after(() => delete refusalWords.too_many_layers)
  const message = 'Partners can be at most 10 levels deep'
  const code = 'validation_failed'
  const fields = { parentPartnerId: message, email: 'Email is required' }
  const error = await refused({ code, reason: 'too_many_layers', message: message, values: { max: 10 }, fields })
  assert.equal(error.message, 'Höchstens 10 Ebenen')
  assert.deepEqual(error.fields, { parentPartnerId: 'Höchstens 10 Ebenen', email: 'Email is required' })
  const other = await refused({ code, reason: 'email_missing', message: 'Email is required', fields })
  assert.deepEqual([other.message, other.fields], ['Email is required', fields])
})
