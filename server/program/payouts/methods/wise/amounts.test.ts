import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decimalAmount } from '#contract/money.ts'
import { fromDecimal } from './amounts.ts'

test('minor units become decimals and come back, whatever the currency', () => {
  const cases: [number, string, string][] = [
    [12_550, 'usd', '125.50'],
    [5, 'usd', '0.05'],
    [0, 'usd', '0.00'],
    [1_234, 'jpy', '1234'],
    [1_234, 'kwd', '1.234'],
    [999_999_999_999, 'usd', '9999999999.99'],
    [-1_00, 'eur', '-1.00'],
  ]
  for (const [minor, currency, decimal] of cases) {
    assert.equal(decimalAmount(minor, currency), decimal)
    assert.equal(fromDecimal(decimal, currency), minor)
  }
})

test('a decimal with more digits is rounded half up, one with fewer is filled', () => {
  assert.equal(fromDecimal('0.395', 'usd'), 40)
  assert.equal(fromDecimal('0.394', 'usd'), 39)
  assert.equal(fromDecimal('12.5', 'usd'), 1250)
  assert.equal(fromDecimal('12', 'usd'), 1200)
  assert.equal(fromDecimal('12.5', 'jpy'), 13)
  for (const text of ['', 'abc', '1e3', undefined, '1.2.3']) assert.equal(fromDecimal(text, 'usd'), null, String(text))
})
