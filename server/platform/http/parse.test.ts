import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import { type Refusal, refusalBody } from '../refusal.ts'
import { parseValue } from './parse.ts'

function refusedBy(schema: z.ZodType, value: unknown, named?: number) {
  try {
    parseValue(schema, value, 'body', named)
  } catch (error) {
    return refusalBody(error as Refusal)
  }
  return assert.fail('nothing was refused')
}

test('an invalid body reports its first errors, and how many more there are', () => {
  const schema = z.strictObject({ name: z.string(), age: z.number() })
  assert.deepEqual(refusedBy(schema, { name: 'Kim' }), {
    code: 'validation_failed',
    reason: 'invalid_fields',
    message: 'Age is required.',
    values: { mistake: 'Age is required' },
    fields: { age: 'Age is required' },
  })
  assert.deepEqual(refusedBy(schema, { name: 1, age: 'x' }, 1), {
    code: 'validation_failed',
    reason: 'many_invalid_fields',
    message: 'Check "name". Enter text. Other invalid fields in this call: 1.',
    values: { mistake: 'Check "name". Enter text', more: '1' },
    fields: { name: 'Enter text' },
  })
})
