import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withoutSecrets } from './redact.ts'

test('secrets, keys and card numbers are not stored, at any depth', () => {
  const sent = {
    token: 'abc',
    refresh_token: 'abc',
    csrfToken: 'abc',
    form: { password: 'hunter2', apiKey: 'abc', note: 'my password: hunter2, thanks', none: null },
    card: { number: '4242424242424242', exp: '12/27' },
    paid: 5555555555554444,
    text: [
      'charged 4242 4242 4242 4242 today',
      'Visa4242424242424242x',
      'key sk_live_51HxAbCdEfGh and Bearer abcdefgh12345',
    ],
  }
  assert.deepEqual(withoutSecrets(sent), {
    token: '•••',
    refresh_token: '•••',
    csrfToken: '•••',
    form: { password: '•••', apiKey: '•••', note: 'my password: •••, thanks', none: null },
    card: { number: '•••', exp: '12/27' },
    paid: '•••',
    text: ['charged ••• today', 'Visa•••x', 'key ••• and •••'],
  })
})

test('IDs, phone numbers and dates are not redacted, nor is a token that could be read as an ID', () => {
  const uuid = '01a22598-6487-7293-93bb-31c9a877854b'
  const sent = { id: '4242424242424241', uuid, phone: '+49 30 1234567', at: 1773050400000, tokens: 3, broken: true }
  assert.deepEqual(withoutSecrets(sent), sent)
  const form = { form_response: { token: 'a3a12ec6', password: 'hunter2' }, order: '4242424242424242' }
  assert.deepEqual(withoutSecrets(form, new Set(['form_response.token', 'order', 'form_response.password'])), {
    form_response: { token: 'a3a12ec6', password: '•••' },
    order: '4242424242424242',
  })
})

test('words that contain the letters of a secret, and flags, are not redacted', () => {
  const sent = {
    businessName: 'Acme',
    classNumber: '7',
    BUSINESSNAME: 'Acme',
    is_preorder_authorization: 'true',
    secret: false,
    passwordSet: 'False',
  }
  assert.deepEqual(withoutSecrets(sent), sent)
  const numbers = { ssn: '078-05-1120', userSsn: '078-05-1120', SSN: '1', ssnLast4: '1120', ownerSSN: '1', ssn_4: 1120 }
  assert.deepEqual(Object.values(withoutSecrets(numbers) as object), Array(6).fill('•••'))
})

test('redacting a long text takes linear time', () => {
  const began = performance.now()
  for (const part of [
    'eyJ-',
    'eyJaaaaaaaa.',
    '4',
    '4 ',
    '4-',
    'token=',
    'Bearer ',
    'sk_live_',
    '-----BEGIN PRIVATE KEY-----',
  ])
    withoutSecrets({ text: part.repeat(250_000 / part.length) })
  assert.ok(performance.now() - began < 2000)
})
