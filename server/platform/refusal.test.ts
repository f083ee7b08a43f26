import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal, refusal, refusalBody, rowError, wrongField } from './refusal.ts'

test('a refusal’s code, status and sentence come from the catalogue entry of its reason', () => {
  const refused = refusal('lead_has_sales', { details: { sales: 2 } })
  assert.ok(refused instanceof Refusal && refused instanceof Error)
  assert.deepEqual([refused.code, refused.status], ['in_use', 409])
  assert.deepEqual(refusalBody(refused), {
    code: 'in_use',
    reason: 'lead_has_sales',
    message: 'This lead has sales and can’t be deleted.',
    details: { sales: 2 },
  })
})

test('values appear in the sentence and beside it, unchanged', () => {
  const refused = refusal('too_many_attempts', { seconds: 30 }, { retryAfter: 30 })
  assert.equal(refused.retryAfter, 30)
  assert.deepEqual(refusalBody(refused), {
    code: 'rate_limited',
    reason: 'too_many_attempts',
    message: 'Too many attempts. Try again in 30 seconds.',
    values: { seconds: 30 },
  })
  // a provider's message is plain text, even with special characters
  const providerName = "$& {{provider}} $'"
  assert.equal(
    refusal('provider_away', { provider: providerName }).message,
    `${providerName} couldn’t be reached. Please try again.`,
  )
})

test('an invalid field has the sentence of its reason', () => {
  const refused = wrongField('parentPartnerId', 'too_many_layers', { max: 10 })
  const message = 'Partners can be at most 10 levels deep'
  assert.deepEqual([refused.message, refused.fields], [message, { parentPartnerId: message }])
})

test('absent parts of a refusal inside a response are null', () =>
  assert.deepEqual(rowError(wrongField('email', 'email_missing')), {
    code: 'validation_failed',
    reason: 'email_missing',
    message: 'Email is required',
    values: null,
    fields: { email: 'Email is required' },
    details: null,
  }))

test('free text, unknown reasons and missing values do not compile', () => {
  const refusedByCompiler = [
    // @ts-expect-error free text
    () => refusal('This sale is void.'),
    // @ts-expect-error the value of the sentence is missing
    () => refusal('too_many_layers'),
    // @ts-expect-error another value than the sentence names
    () => refusal('too_many_layers', { most: 10 }),
    // @ts-expect-error a value more than the sentence names
    () => refusal('too_many_layers', { max: 10, min: 1 }),
    // @ts-expect-error the sentence names no value
    () => refusal('sale_is_void', { sale: 1 }),
    // @ts-expect-error one of two values
    () => refusal('key_of_other_account', { provider: 'Stripe' }),
    // @ts-expect-error free text for a field
    () => wrongField('email', 'Enter an email'),
    // @ts-expect-error the value of a field's sentence is missing
    () => wrongField('preferences', 'preferences_too_large'),
    // @ts-expect-error made in no other way
    () => new Refusal('sale_is_void', undefined),
  ]
  assert.equal(refusedByCompiler.length, 9)
})
