import assert from 'node:assert/strict'
import { test } from 'node:test'
import { beyondMost, currencySign, parseMoney, parseNumber, shareAtRate, typedMoney } from './numbers.ts'

for (const [typed, currency, amount] of [
  ['1,250.00', 'usd', 1250_00],
  ['$1250', 'usd', 1250_00],
  [' 1 250.5 ', 'usd', 1250_50],
  ['0.07', 'usd', 7],
  ['-12', 'usd', -12_00],
  ['-$12.00', 'usd', -12_00],
  ['1,234', 'jpy', 1234],
  ['1.0000', 'usd', 1_00],
  ['1,250.000', 'usd', 1250_00],
  ['0.500', 'usd', 50],
  ['1.234', 'kwd', 1234],
  ['1.250', 'kwd', 1250],
  ['10000000000.00', 'usd', 1_000_000_000_000],
] as const) {
  test(`'${typed}' is ${amount} minor units of ${currency}`, () => assert.equal(parseMoney(typed, currency), amount))
}

for (const [typed, currency] of [
  ['12,50', 'usd'],
  ['1.250,00', 'usd'],
  ['1,2,3', 'usd'],
  ['12.345', 'usd'],
  ['1.000', 'usd'],
  ['-€ 1.250 ', 'eur'],
  ['1.000', 'jpy'],
  ['1.5', 'jpy'],
  ['', 'usd'],
  ['abc', 'usd'],
  ['1e9', 'usd'],
  ['NaN', 'usd'],
  ['٣', 'usd'],
  ['99999999999999999', 'usd'],
  ['$-', 'usd'],
] as const) {
  test(`'${typed}' is not an amount of ${currency}`, () => assert.equal(parseMoney(typed, currency), null))
}

test('a number beyond any amount is recognized, however long', () => {
  assert.equal(beyondMost(1_000_000_000_000, 'usd'), undefined)
  assert.equal(beyondMost(1_000_000_000_001, 'usd'), 'above')
  assert.equal(beyondMost(-1_000_000_000_001, 'usd'), 'below')
  assert.equal(beyondMost('9'.repeat(10_000), 'usd'), 'above')
  for (const typed of ['', 'abc', '1e21', '12.345']) assert.equal(beyondMost(typed, 'usd'), undefined)
})

test('an amount appears in its field as people write it', () => {
  assert.equal(typedMoney(1250_00, 'usd'), '1,250.00')
  assert.equal(typedMoney(1234, 'jpy'), '1,234')
  assert.equal(parseMoney(typedMoney(999_999_999_99, 'usd'), 'usd'), 999_999_999_99)
  assert.equal(currencySign('usd'), '$')
  assert.equal(currencySign('eur'), '€')
})

test('only unambiguous numbers are accepted', () => {
  assert.equal(parseNumber('7.5'), 7.5)
  assert.equal(parseNumber('1,000'), 1000)
  assert.equal(parseNumber('-3'), -3)
  for (const typed of ['', '7,5', '1..2', 'ten', '0x10', '5%', '1e3', '１２', '9'.repeat(400), '0.1000000000000001'])
    assert.equal(parseNumber(typed), null, typed)
})

test('a share is rounded half up, to the minor unit', () => {
  assert.equal(shareAtRate(100_00, 7.5), 7_50)
  assert.equal(shareAtRate(100_00, 0.0001), 0)
  assert.equal(shareAtRate(100_00, 33.3333), 33_33)
  assert.equal(shareAtRate(1, 50), 1)
})
