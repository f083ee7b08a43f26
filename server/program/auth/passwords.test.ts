import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from '../../platform/config/config.ts'
import { refuseCommonPassword } from '../../platform/config/weak-passwords.ts'
import { Refusal } from '../../platform/refusal.ts'
import { hashPassword, isPassword } from './passwords.ts'

const config = readConfig({})
const context = ['sarah.owner@shop.example', 'Northwind Traders']

const common = [
  'password1234',
  'Password2024!',
  'P4ssw0rd!!!!',
  'qwertyuiop12',
  '123456789012',
  'aaaaaaaaaaaa',
  'abcabcabcabc',
  'iloveyou iloveyou',
  'correct horse battery staple',
  'tributary2026',
  'sarah.owner123',
  'Northwind-2026',
  'sarah.owner@shop.example',
  'Sarah.Owner@Shop.Example1!',
  'shop.example-sarah',
  'northwind@traders7',
  '54r4h.0wn3r@sh0p',
]
const fine = [
  'orchid-lantern-93-tide',
  'copper-meadow-71-sail',
  'a long sentence nobody knows',
  '831904772615',
  ' åäö with spaces around ',
]

test('a common password, or little more than a name, is refused with the form’s message', () => {
  for (const password of common)
    assert.throws(
      () => refuseCommonPassword(password, context),
      (error) => error instanceof Refusal && error.fields?.password === 'This password is too common',
      password,
    )
})

test('any other composition is accepted', () => {
  for (const password of fine) assert.doesNotThrow(() => refuseCommonPassword(password, context), password)
})

test('a password is stored as Argon2id with 64 MiB and three passes, and no other matches', async () => {
  const stored = await hashPassword(config, ' copper-meadow-71-sail')
  assert.match(stored, /^\$argon2id\$v=19\$m=65536,t=3,p=1\$/)
  assert.equal(await isPassword(config, stored, ' copper-meadow-71-sail'), true)
  assert.equal(await isPassword(config, stored, 'copper-meadow-71-sail'), false)
  assert.equal(await isPassword(config, null, 'copper-meadow-71-sail'), false)
})

test('four hashes run at once and 64 wait; further ones are refused for now', async () => {
  const outcomes = await Promise.allSettled(
    Array.from({ length: 70 }, () => isPassword(config, '$argon2id$v=19$m=8,t=1,p=1$c29tZXNhbHQ$AAAA', 'x')),
  )
  const refusals = outcomes
    .filter(({ status }) => status === 'rejected')
    .map((outcome) => (outcome as PromiseRejectedResult).reason)
  const busy = refusals.filter((reason) => reason instanceof Refusal && reason.code === 'unavailable')
  assert.equal(busy.length, 2)
  assert.ok(busy[0].retryAfter > 0)
  assert.equal(typeof (await hashPassword(config, 'copper-meadow-71-sail')), 'string')
})
