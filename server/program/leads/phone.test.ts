import assert from 'node:assert/strict'
import { test } from 'node:test'
import { comparablePhone, searchedDigits } from './phone.ts'

test('a phone number is recognized however it is typed', () => {
  for (const typed of ['+1 (212) 555-0142', '12125550142', '212-555-0142', '001 212 555 0142'])
    assert.equal(comparablePhone(typed), '+12125550142', typed)
  for (const typed of ['+49 30 901820', '0049 30 901820']) assert.equal(comparablePhone(typed), '+4930901820', typed)
})

test('a number without a country code that is not from the United States is compared by its digits', () => {
  assert.equal(comparablePhone('030/90 18 20'), '030901820')
  assert.equal(comparablePhone('030 901820'), '030901820')
})

test('no phone number stays none', () => {
  for (const typed of [null, undefined, '', '-']) assert.equal(comparablePhone(typed), null)
})

test('a search that may be part of a phone number searches its digits', () => {
  for (const [typed, digits] of [
    ['(415) 555-0142', '4155550142'],
    ['+1 415 555', '1415555'],
    ['030/90 18 20', '30901820'],
    ['0049 30 901820', '4930901820'],
  ] as const)
    assert.equal(searchedDigits(typed), digits, typed)
  for (const typed of [
    '4155550142',
    '555',
    '0000',
    '-',
    'crm-4155550142',
    '12 Main Street',
    '',
    '\u0661\u0662\u0663\u0664',
  ])
    assert.equal(searchedDigits(typed), null, typed)
})
