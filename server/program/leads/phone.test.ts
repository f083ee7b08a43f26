import assert from 'node:assert/strict'
import { test } from 'node:test'
import { comparablePhone } from './phone.ts'

test('a phone is found again however it is typed', () => {
  for (const typed of ['+1 (212) 555-0142', '12125550142', '212-555-0142', '001 212 555 0142'])
    assert.equal(comparablePhone(typed), '+12125550142', typed)
  for (const typed of ['+49 30 901820', '0049 30 901820']) assert.equal(comparablePhone(typed), '+4930901820', typed)
})

test('a number without a country that is not of the United States is compared by its digits', () => {
  assert.equal(comparablePhone('030/90 18 20'), '030901820')
  assert.equal(comparablePhone('030 901820'), '030901820')
})

test('no phone is none', () => {
  for (const typed of [null, undefined, '', '-']) assert.equal(comparablePhone(typed), null)
})
